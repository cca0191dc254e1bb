//! Fewer triangles: meshoptimizer's edge collapse, keeping the lines between materials.

use glam::Vec3;
use meshopt::SimplifyOptions;
use std::collections::{BTreeMap, BTreeSet};

/// No limit on the error: the triangle count decides.
const ANY_ERROR: f32 = 1.0e3;

/// How often the collapse is repeated, with the vertices locked round the edges where it made the surface touch itself.
/// One to three rounds are enough for a body; a mesh that touches itself from the start is left as it is.
const UNPINCH_ROUNDS: usize = 8;

/// A mesh with fewer triangles whose vertices are a subset of the old ones.
pub struct Simplified {
    /// The old index of each vertex that is left, ascending.
    pub kept: Vec<u32>,
    /// Indices into `kept`.
    pub triangles: Vec<[u32; 3]>,
    /// The part each triangle belongs to.
    pub parts: Vec<u8>,
}

/// Why a mesh was not simplified.
#[derive(Debug, thiserror::Error)]
pub enum SimplifyError {
    #[error(
        "simplification stopped at {reached} triangles instead of {wanted}: the mesh has too many material borders; ask for more triangles"
    )]
    Stuck { reached: usize, wanted: usize },
}

/// What a collapse should respect besides the shape.
pub struct Respect<'a> {
    /// The part of each triangle: lines between parts stay, within the error that the surface itself gets.
    pub parts: &'a [u8],
    /// Whether each vertex must stay.
    pub locked: &'a [bool],
    /// Values that should stay smooth over the surface, such as normals: one row per vertex.
    pub attributes: &'a [f32],
    /// What one unit of change in each attribute costs, as a share of the mesh's extent; as long as a row, at most 32.
    pub costs: &'a [f32],
    pub evenness: Evenness,
}

/// Where the triangles go that are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evenness {
    /// To where the shape and the attributes need them.
    ByShape,
    /// As well over flat surfaces, at some cost to the shape: for a skin that bends where nothing says so.
    Regular,
}

impl Evenness {
    fn options(self) -> SimplifyOptions {
        match self {
            Self::ByShape => SimplifyOptions::None,
            Self::Regular => SimplifyOptions::RegularizeLight,
        }
    }
}

/// Collapses edges until at most `triangle_count` triangles are left; a mesh that has no more stays as it is. A closed
/// mesh stays closed.
///
/// # Errors
/// [`SimplifyError::Stuck`] when more than 2 % too many triangles are left.
pub fn simplify(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    respect: &Respect,
    triangle_count: usize,
) -> Result<Simplified, SimplifyError> {
    let corners = Corners::split(triangles, respect.parts);
    let mut locked = respect.locked.to_vec();
    let mut coarse = corners.collapsed(positions, respect, &locked, triangle_count);
    for _ in 0..UNPINCH_ROUNDS {
        let pinched = pinched(&coarse);
        if pinched.is_empty() {
            break;
        }
        let around: BTreeSet<u32> = pinched.iter().map(|&ix| coarse.kept[ix as usize]).collect();
        for triangle in triangles
            .iter()
            .filter(|triangle| triangle.iter().any(|ix| around.contains(ix)))
        {
            triangle.iter().for_each(|&ix| locked[ix as usize] = true);
        }
        coarse = corners.collapsed(positions, respect, &locked, triangle_count);
    }
    let reached = coarse.triangles.len();
    if reached * 100 > triangle_count * 102 {
        return Err(SimplifyError::Stuck {
            reached,
            wanted: triangle_count,
        });
    }
    Ok(coarse)
}

/// The vertices of edges that two triangles use in the same direction, where the surface touches itself, and of those inside the surface
/// whose ends both lie on its rim: a surface mirrored at its rim touches itself there.
fn pinched(mesh: &Simplified) -> Vec<u32> {
    let mut edges: Vec<(u32, u32)> = mesh
        .triangles
        .iter()
        .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
        .collect();
    edges.sort_unstable();
    let is_rim = |&(a, b): &(u32, u32)| edges.binary_search(&(b, a)).is_err();
    let rim: BTreeSet<u32> = edges
        .iter()
        .filter(|edge| is_rim(edge))
        .flat_map(|&(a, b)| [a, b])
        .collect();
    let is_chord =
        |edge: &(u32, u32)| !is_rim(edge) && rim.contains(&edge.0) && rim.contains(&edge.1);
    let twice = edges
        .windows(2)
        .filter(|pair| pair[0] == pair[1])
        .map(|pair| pair[0]);
    let chords = edges.iter().copied().filter(is_chord);
    twice.chain(chords).flat_map(|(a, b)| [a, b]).collect()
}

/// The mesh with a vertex of its own for each part that meets there: meshoptimizer takes equal positions under
/// different indices for a seam and collapses both sides of it together.
struct Corners {
    /// (old vertex, part).
    vertices: Vec<(u32, u8)>,
    indices: Vec<u32>,
}

impl Corners {
    fn split(triangles: &[[u32; 3]], parts: &[u8]) -> Self {
        let mut index = BTreeMap::new();
        for (triangle, &part) in triangles.iter().zip(parts) {
            index.extend(triangle.map(|ix| ((ix, part), 0)));
        }
        let vertices: Vec<(u32, u8)> = index.keys().copied().collect();
        index
            .values_mut()
            .zip(0..)
            .for_each(|(new_ix, counter)| *new_ix = counter);
        let indices = triangles
            .iter()
            .zip(parts)
            .flat_map(|(triangle, &part)| triangle.map(|ix| index[&(ix, part)]))
            .collect();
        Self { vertices, indices }
    }

    fn collapsed(
        &self,
        positions: &[Vec3],
        respect: &Respect,
        locked: &[bool],
        triangle_count: usize,
    ) -> Simplified {
        let vertices = || self.vertices.iter().map(|&(ix, _)| ix as usize);
        let points: Vec<Vec3> = vertices().map(|ix| positions[ix]).collect();
        let locks: Vec<bool> = vertices().map(|ix| locked[ix]).collect();
        let columns = respect.costs.len();
        let attributes: Vec<f32> = vertices()
            .flat_map(|ix| &respect.attributes[ix * columns..][..columns])
            .copied()
            .collect();
        let adapter =
            meshopt::VertexDataAdapter::new(bytemuck::cast_slice(&points), size_of::<Vec3>(), 0)
                .expect("points are twelve bytes each");
        let indices = meshopt::simplify_with_attributes_and_locks(
            &self.indices,
            &adapter,
            &attributes,
            respect.costs,
            size_of_val(respect.costs),
            &locks,
            self.indices.len().min(triangle_count * 3),
            ANY_ERROR,
            respect.evenness.options(),
            None,
        );
        self.gather(&indices).without_flaps()
    }

    /// Joins what [`Corners::split`] took apart.
    fn gather(&self, indices: &[u32]) -> Simplified {
        let corner = |ix: u32| self.vertices[ix as usize];
        let mut kept: Vec<u32> = indices.iter().map(|&ix| corner(ix).0).collect();
        kept.sort_unstable();
        kept.dedup();
        let new_ix = |ix: u32| {
            kept.binary_search(&corner(ix).0)
                .expect("every corner was kept") as u32
        };
        let (faces, _) = indices.as_chunks::<3>();
        let triangles = faces.iter().map(|face| face.map(new_ix)).collect();
        Simplified {
            triangles,
            parts: faces.iter().map(|face| corner(face[0]).1).collect(),
            kept,
        }
    }
}

impl Simplified {
    /// Drops pairs of triangles that lie back to back on the same three vertices: what is left of a spike that the
    /// collapse has flattened. Vertices that only they used go too.
    fn without_flaps(mut self) -> Self {
        let sides = |triangle: &[u32; 3]| {
            let mut sorted = *triangle;
            sorted.sort_unstable();
            sorted
        };
        let mut uses: BTreeMap<[u32; 3], u32> = BTreeMap::new();
        self.triangles
            .iter()
            .for_each(|triangle| *uses.entry(sides(triangle)).or_default() += 1);
        let both = self
            .triangles
            .iter()
            .zip(&self.parts)
            .filter(|(triangle, _)| uses[&sides(triangle)] == 1);
        let (triangles, parts): (Vec<[u32; 3]>, Vec<u8>) = both.unzip();
        if triangles.len() == self.triangles.len() {
            return self;
        }
        let mut used: Vec<u32> = triangles.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let new_ix = |ix: u32| used.binary_search(&ix).expect("every corner was kept") as u32;
        self.triangles = triangles
            .into_iter()
            .map(|triangle| triangle.map(new_ix))
            .collect();
        self.kept = used.iter().map(|&ix| self.kept[ix as usize]).collect();
        Self { parts, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A closed ball of `rows` rings of `columns`, its poles on the Y axis; the upper half is part 1.
    fn ball(rows: u32, columns: u32) -> (Vec<Vec3>, Vec<[u32; 3]>, Vec<u8>) {
        let place = |row: u32, column: u32| {
            let (polar, azimuth) = (row as f32 / rows as f32, column as f32 / columns as f32);
            let (ring, y) = (polar * std::f32::consts::PI).sin_cos();
            let (sin, cos) = (azimuth * std::f32::consts::TAU).sin_cos();
            Vec3::new(ring * sin, y, ring * cos)
        };
        let mut positions = vec![Vec3::Y, -Vec3::Y];
        positions
            .extend((1..rows).flat_map(|row| (0..columns).map(move |column| place(row, column))));
        let ix = |row: u32, column: u32| match row {
            0 => 0,
            row if row == rows => 1,
            row => 2 + (row - 1) * columns + column % columns,
        };
        let (mut triangles, mut parts) = (Vec::new(), Vec::new());
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)))
        {
            let [a, b, c, d] = [
                ix(row, column),
                ix(row + 1, column),
                ix(row + 1, column + 1),
                ix(row, column + 1),
            ];
            let own = [[a, b, c], [a, c, d]]
                .into_iter()
                .filter(|[p, q, r]| p != q && q != r && r != p);
            triangles.extend(own);
            parts.resize(triangles.len(), u8::from(row * 2 < rows));
        }
        (positions, triangles, parts)
    }

    fn with_normals(
        positions: &[Vec3],
        triangles: &[[u32; 3]],
        parts: &[u8],
        is_locked: bool,
        triangle_count: usize,
    ) -> Result<Simplified, SimplifyError> {
        let normals = positions;
        let locked = vec![is_locked; positions.len()];
        let respect = Respect {
            parts,
            locked: &locked,
            attributes: bytemuck::cast_slice(normals),
            costs: &[0.002; 3],
            evenness: Evenness::ByShape,
        };
        simplify(positions, triangles, &respect, triangle_count)
    }

    fn simplified(triangle_count: usize) -> (Vec<Vec3>, Simplified) {
        let (positions, triangles, parts) = ball(24, 32);
        let coarse = with_normals(&positions, &triangles, &parts, false, triangle_count).unwrap();
        (
            coarse
                .kept
                .iter()
                .map(|&ix| positions[ix as usize])
                .collect(),
            coarse,
        )
    }

    #[test]
    fn a_closed_mesh_stays_closed_at_the_count_asked_for() {
        let (_, coarse) = simplified(400);
        assert!(
            (392..=400).contains(&coarse.triangles.len()),
            "{}",
            coarse.triangles.len()
        );
        let mut edges: Vec<(u32, u32)> = coarse
            .triangles
            .iter()
            .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
            .collect();
        edges.sort_unstable();
        assert!(
            edges
                .iter()
                .all(|&(a, b)| edges.binary_search(&(b, a)).is_ok())
        );
        assert!(pinched(&coarse).is_empty());
    }

    #[test]
    fn the_line_between_parts_stays() {
        let (positions, coarse) = simplified(400);
        for (triangle, part) in coarse.triangles.iter().zip(&coarse.parts) {
            let middle = triangle
                .iter()
                .map(|&ix| positions[ix as usize].y)
                .sum::<f32>()
                / 3.0;
            assert_eq!(middle > 0.0, *part == 1, "{middle}");
        }
    }

    #[test]
    fn a_half_stays_one_sheet_when_it_is_mirrored_at_its_rim() {
        let (positions, triangles, _) = ball(24, 32);
        let (half, parts): (Vec<[u32; 3]>, Vec<u8>) = triangles
            .into_iter()
            .filter(|triangle| triangle.iter().all(|&ix| positions[ix as usize].y >= -1e-6))
            .map(|triangle| (triangle, 0))
            .unzip();
        let coarse = with_normals(&positions, &half, &parts, false, 40).unwrap();
        assert!(pinched(&coarse).is_empty());
        // A quad whose diagonal ends on the rim at both sides, as all of its vertices do.
        let chord = Simplified {
            kept: vec![0, 1, 2, 3],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
            parts: vec![0; 2],
        };
        assert_eq!(pinched(&chord), [0, 2, 2, 0]);
    }

    #[test]
    fn even_triangles_cover_flat_surfaces_too() {
        let (mut positions, triangles, parts) = ball(32, 48);
        for position in &mut positions {
            position.y = position.y.clamp(-0.5, 0.5);
        }
        let longest = |evenness| {
            let respect = Respect {
                parts: &vec![0; parts.len()],
                locked: &vec![false; positions.len()],
                attributes: &[],
                costs: &[],
                evenness,
            };
            let coarse = simplify(&positions, &triangles, &respect, 600).unwrap();
            let place = |ix: u32| positions[coarse.kept[ix as usize] as usize];
            let edges = coarse
                .triangles
                .iter()
                .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
            let lengths = edges.map(|(a, b)| place(a).distance(place(b)));
            lengths.fold(0.0, f32::max)
        };
        let (by_shape, regular) = (longest(Evenness::ByShape), longest(Evenness::Regular));
        assert!(regular < 0.7 * by_shape, "{regular} {by_shape}");
    }

    #[test]
    fn the_same_mesh_gives_the_same_triangles() {
        assert_eq!(simplified(400).1.triangles, simplified(400).1.triangles);
    }

    #[test]
    fn a_flat_spike_is_dropped() {
        let triangles = vec![
            [0, 2, 1],
            [0, 1, 3],
            [1, 2, 3],
            [0, 3, 2],
            [1, 2, 4],
            [2, 1, 4],
        ];
        let mesh = Simplified {
            kept: vec![5, 6, 7, 8, 9],
            triangles,
            parts: vec![0, 1, 2, 3, 4, 5],
        }
        .without_flaps();
        assert_eq!(
            (mesh.kept, mesh.triangles.len(), mesh.parts),
            (vec![5, 6, 7, 8], 4, vec![0, 1, 2, 3])
        );
    }

    #[test]
    fn too_few_triangles_is_an_error() {
        let (positions, triangles, parts) = ball(8, 8);
        assert!(with_normals(&positions, &triangles, &parts, true, 10).is_err());
    }
}
