//! The mesh of a solid, checked.

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::normals::unit_normal;
use crate::math::Bounds;
use crate::math::weld::sites;

/// Metres from the origin up to which a mesh is taken. Further out f32 positions are a metre apart.
const FARTHEST: f32 = 1e7;

/// The length of two faces' unit normals together up to which they lie back to back: what is left of a normal by rounding in f32.
const FOLDED: f64 = 1e-6;

/// The same up to which they nearly do: 150 degrees between the normals. Slivers that an extractor or a smoothing has turned over stand at
/// 170 to 180; blades of less than 30 degrees are taken for such, which costs time and nothing else.
const CREASED: f64 = 0.52;

/// What a mesh can lack to be a solid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SolidMeshError {
    #[error(
        "none of the solid's {triangle_count} triangles has an area: give it at least one whose corners lie apart"
    )]
    NoArea { triangle_count: usize },
    #[error(
        "triangle {triangle_ix} of the solid names vertex {vertex_ix}, and there are {vertex_count}: mend its indices"
    )]
    BadIndex {
        triangle_ix: usize,
        vertex_ix: u32,
        vertex_count: usize,
    },
    #[error(
        "vertex {vertex_ix} of the solid is at {position}: give finite coordinates, within {FARTHEST} m of the origin"
    )]
    BadPosition { vertex_ix: u32, position: Vec3 },
}

/// What keeps a mesh from having a clear inside. None of it is an error: see [`SignRule`](super::SignRule).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshFaults {
    /// Triangles without area, which were left out.
    pub flat_triangles: usize,
    /// Edges of a single triangle.
    pub border_edges: usize,
    /// Edges of more than two triangles.
    pub crowded_edges: usize,
    /// Edges whose two triangles run the same way along it: one of them is turned.
    pub turned_edges: usize,
    /// Edges whose two triangles lie back to back: the mesh has no thickness there, and no normal.
    pub folded_edges: usize,
    /// Edges whose two triangles nearly do: a blade, or a sliver that is turned over, where the mesh cuts through itself and normals say
    /// nothing of sides.
    pub creased_edges: usize,
}

impl MeshFaults {
    /// Whether every edge has two triangles that agree on which side is out. It may still cut through itself.
    pub fn is_closed(&self) -> bool {
        self.border_edges + self.crowded_edges + self.turned_edges + self.folded_edges == 0
    }
}

/// Triangles that a field can be made of: each with an area, vertices at one place joined.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidMesh {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// All sides of triangles, sorted by their edges.
    sides: Vec<Side>,
    faults: MeshFaults,
}

/// A side of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Side {
    /// The vertices of its edge, the smaller number first.
    ends: [u32; 2],
    triangle_ix: u32,
    /// Which of the triangle's corners it starts from.
    corner: u32,
}

impl Side {
    pub fn triangle_ix(&self) -> usize {
        self.triangle_ix as usize
    }

    pub fn corner(&self) -> usize {
        self.corner as usize
    }
}

impl SolidMesh {
    /// Checks a mesh in metres, triangles counter-clockwise seen from outside. Vertices that no triangle names may hold anything.
    ///
    /// # Errors
    /// When an index or a coordinate is none, or nothing has an area.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Result<Self, SolidMeshError> {
        check_indices(positions, triangles)?;
        let sites = sites(positions);
        let mut mesh = Self {
            positions: first_at_each(&sites.of_vertex, sites.count, positions),
            triangles: Vec::with_capacity(triangles.len()),
            sides: Vec::new(),
            faults: MeshFaults::default(),
        };
        let joined = triangles
            .iter()
            .map(|t| t.map(|ix| sites.of_vertex[ix as usize]));
        let kept =
            joined.filter(|triangle| has_area(triangle.map(|ix| mesh.positions[ix as usize])));
        mesh.triangles = kept.collect();
        if mesh.triangles.is_empty() {
            return Err(SolidMeshError::NoArea {
                triangle_count: triangles.len(),
            });
        }
        mesh.sides = sides(&mesh.triangles);
        mesh.faults = mesh.count_faults(triangles.len());
        Ok(mesh)
    }

    /// Metres, each place once.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Those with an area, in the order they were given in.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The sides at each edge, in the order of the triangles.
    pub(super) fn edges(&self) -> impl Iterator<Item = &[Side]> {
        self.sides.chunk_by(|a, b| a.ends == b.ends)
    }

    /// What keeps it from having a clear inside.
    pub fn faults(&self) -> MeshFaults {
        self.faults
    }

    /// The box round all triangles.
    pub fn bounds(&self) -> Bounds {
        let corners = self.triangles.iter().flatten();
        corners.fold(Bounds::EMPTY, |bounds, &ix| {
            bounds.union(Bounds::of_ball(self.positions[ix as usize], 0.0))
        })
    }

    /// The length of the unit normals of two triangles together: 2 where they are level, 0 where they lie back to back.
    fn levelness(&self, one: &Side, other: &Side) -> f64 {
        let normal = |side: &Side| {
            let triangle = self.triangles[side.triangle_ix()];
            unit_normal(triangle.map(|ix| self.positions[ix as usize].as_dvec3()))
        };
        (normal(one) + normal(other)).length()
    }

    fn count_faults(&self, given_count: usize) -> MeshFaults {
        let mut faults = MeshFaults {
            flat_triangles: given_count - self.triangles.len(),
            ..MeshFaults::default()
        };
        let start = |side: &Side| self.triangles[side.triangle_ix()][side.corner()];
        for sides in self.edges() {
            match sides {
                [_] => faults.border_edges += 1,
                [one, other] if start(one) == start(other) => faults.turned_edges += 1,
                [one, other] => {
                    let levelness = self.levelness(one, other);
                    faults.folded_edges += usize::from(levelness < FOLDED);
                    faults.creased_edges += usize::from((FOLDED..CREASED).contains(&levelness));
                }
                _ => faults.crowded_edges += 1,
            }
        }
        faults
    }
}

fn check_indices(positions: &[Vec3], triangles: &[[u32; 3]]) -> Result<(), SolidMeshError> {
    for (triangle_ix, &vertex_ix) in triangles
        .iter()
        .enumerate()
        .flat_map(|(ix, corners)| corners.iter().map(move |corner| (ix, corner)))
    {
        let Some(&position) = positions.get(vertex_ix as usize) else {
            return Err(SolidMeshError::BadIndex {
                triangle_ix,
                vertex_ix,
                vertex_count: positions.len(),
            });
        };
        // Written so that a NaN is refused too.
        if !(position.abs().max_element() <= FARTHEST) || position.is_nan() {
            return Err(SolidMeshError::BadPosition {
                vertex_ix,
                position,
            });
        }
    }
    Ok(())
}

fn first_at_each(site_of_vertex: &[u32], count: usize, positions: &[Vec3]) -> Vec<Vec3> {
    let mut firsts = Vec::with_capacity(count);
    for (&site, &position) in site_of_vertex.iter().zip(positions) {
        if site as usize == firsts.len() {
            firsts.push(position);
        }
    }
    firsts
}

/// In f64, where differences of f32 lose nothing that counts.
fn has_area(corners: [Vec3; 3]) -> bool {
    let [a, b, c] = corners.map(|corner| corner.as_dvec3());
    (b - a).cross(c - a) != DVec3::ZERO
}

fn sides(triangles: &[[u32; 3]]) -> Vec<Side> {
    let of_triangle = |(triangle, triangle_ix): (&[u32; 3], u32)| {
        let triangle = *triangle;
        (0..3).map(move |corner| {
            let (a, b) = (triangle[corner], triangle[(corner + 1) % 3]);
            Side {
                ends: [a.min(b), a.max(b)],
                triangle_ix,
                corner: corner as u32,
            }
        })
    };
    let mut sides: Vec<Side> = triangles.iter().zip(0..).flat_map(of_triangle).collect();
    sides.par_sort_unstable();
    sides
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::test_meshes::TestMesh;

    fn cube() -> TestMesh {
        TestMesh::cuboid(Vec3::ZERO, Vec3::ONE)
    }

    fn mesh_of(mesh: &TestMesh) -> Result<SolidMesh, SolidMeshError> {
        SolidMesh::new(&mesh.positions, &mesh.triangles)
    }

    #[test]
    fn what_is_no_mesh_is_refused_with_what_is_wrong() {
        let none = SolidMesh::new(&[], &[]);
        assert_eq!(none, Err(SolidMeshError::NoArea { triangle_count: 0 }));
        let point = SolidMesh::new(&[Vec3::ONE; 3], &[[0, 1, 2]]);
        assert_eq!(point, Err(SolidMeshError::NoArea { triangle_count: 1 }));
        let mut missing = cube();
        missing.triangles[5][1] = 8;
        let error = mesh_of(&missing).expect_err("it has eight vertices");
        assert!(error.to_string().contains("triangle 5"), "{error}");
        for wrong in [f32::NAN, f32::INFINITY, -3e7] {
            let mut far = cube();
            far.positions[3].y = wrong;
            let error = mesh_of(&far).expect_err("it is nowhere");
            assert!(error.to_string().contains("vertex 3"), "{error}");
        }
    }

    #[test]
    fn vertices_that_no_triangle_names_may_hold_anything() {
        let mut mesh = cube();
        mesh.positions.push(Vec3::NAN);
        let bounds = mesh_of(&mesh).expect("it is a cube").bounds();
        assert_eq!((bounds.low, bounds.high), (Vec3::ZERO, Vec3::ONE));
    }

    #[test]
    fn faults_are_counted() {
        let faults = |mesh: &TestMesh| mesh_of(mesh).expect("it has an area").faults();
        assert!(faults(&cube()).is_closed());
        let mut open = cube();
        open.triangles.truncate(11);
        assert_eq!(faults(&open).border_edges, 3);
        let mut turned = cube();
        turned.triangles[0].swap(0, 1);
        assert_eq!(faults(&turned).turned_edges, 3);
        let two_sided = [[0, 1, 2], [0, 2, 1]];
        let folded = SolidMesh::new(&[Vec3::ZERO, Vec3::X, Vec3::ONE], &two_sided);
        assert_eq!(folded.expect("it has an area").faults().folded_edges, 3);
        let blade = [
            Vec3::ZERO,
            Vec3::X,
            Vec3::new(0.5, 0.05, 1.0),
            Vec3::new(0.5, -0.05, 1.0),
        ];
        let sides = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let blade = SolidMesh::new(&blade, &sides)
            .expect("it has an area")
            .faults();
        assert!(blade.is_closed() && blade.creased_edges == 1, "{blade:?}");
        let mut crowded = cube();
        crowded.triangles.push([0, 1, 7]);
        assert_eq!(
            faults(&crowded).border_edges + faults(&crowded).crowded_edges,
            3
        );
        let mut flat = cube();
        flat.triangles.push([0, 0, 1]);
        assert_eq!(
            faults(&flat),
            MeshFaults {
                flat_triangles: 1,
                ..MeshFaults::default()
            }
        );
    }

    #[test]
    fn vertices_split_by_an_exporter_are_joined() {
        let cube = cube();
        let split: Vec<Vec3> = cube
            .triangles
            .iter()
            .flatten()
            .map(|&ix| cube.positions[ix as usize])
            .collect();
        let triangles: Vec<[u32; 3]> = (0..12).map(|ix| [3 * ix, 3 * ix + 1, 3 * ix + 2]).collect();
        let mesh = SolidMesh::new(&split, &triangles).expect("it is a cube");
        assert_eq!(mesh.positions().len(), 8);
        assert!(mesh.faults().is_closed());
    }
}
