//! Rigid solids in the picture: their surfaces as triangles, and the draws of them.

use std::f32::consts::{FRAC_PI_2, TAU};
use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use glam::{UVec3, Vec2, Vec3};
use rayon::prelude::*;

use super::passes::Draws;
use crate::World;
use crate::gpu::{Bind, Buffer, GpuError, Recorder, Uploads};
use crate::math::isosurface::Extractor;
use crate::math::triangle_tree::TriangleTree;
use crate::solid::{SolidField, SolidMesh, SolidShape};

/// Segments of a circle: a ball's outline looks round up to a metre from the eye.
const SEGMENTS: u32 = 64;

/// Half the side of the square that is drawn of a half-space, metres.
const HALF_SPACE_REACH: f32 = 3.0;

/// Cells by which the surface of a field has to miss a part of its mesh for that to be drawn with the errors, too: usually half of one, more
/// than a surface between samples ever lies off what it shows.
const MISSED_CELLS: f32 = 0.5;

/// `SolidVertex` of glsl/render/solid.glsl.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct SolidVertex {
    /// Metres in the solid's space.
    pub position: Vec3,
    pub normal: Vec3,
    /// Of a field's surface: cells from the mesh that it was made of, 0 where that is not known. Of that mesh: cells from the surface.
    pub error: f32,
}

/// `Push` of glsl/render/solid.glsl.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct SolidPush {
    transform_stride: u32,
    sub_steps: u32,
    field_ix: u32,
    seen_from: u32,
    error_of_red: f32,
}

/// What all solids' draws of a pass have in common.
#[derive(Clone, Copy)]
struct SolidLook {
    /// Of a map that shadows are taken from.
    seen_from: u32,
    /// Cells; 0: drawn as it is.
    error_of_red: f32,
}

/// The surfaces of a world's solids.
pub struct SolidMeshes {
    vertices: Buffer,
    /// The corners of each solid.
    corners: Vec<Range<u32>>,
    /// Those of the parts of its mesh that a field's surface misses, which are drawn with the errors alone.
    missed: Vec<Range<u32>>,
}

impl SolidMeshes {
    /// `sources`: what sampled solids were made of, as far as it is known.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn new(
        world: &World,
        uploads: &mut Uploads,
        sources: &[Option<&SolidMesh>],
    ) -> Result<Self, GpuError> {
        let mut vertices = Vec::new();
        let (mut corners, mut missed) = (Vec::new(), Vec::new());
        let mut append = |surface: Vec<SolidVertex>| {
            let first = vertices.len() as u32;
            vertices.extend(surface);
            first..vertices.len() as u32
        };
        for solid_ix in 0..world.solid_count() {
            let shape = world.solid_shape(solid_ix);
            let source = sources.get(solid_ix).copied().flatten();
            let surface = surface_of(shape, source);
            let cell = match shape {
                SolidShape::Field(field) => field.grid.cell_size,
                _ => 0.0,
            };
            let parts = source.map(|source| missed_by(&surface, source, cell));
            corners.push(append(surface));
            missed.push(append(parts.unwrap_or_default()));
        }
        Ok(Self {
            vertices: uploads.buffer("render.solids", &vertices)?,
            corners,
            missed,
        })
    }

    /// Device memory.
    pub fn bytes(&self) -> u64 {
        self.vertices.bytes()
    }
}

impl Draws<'_> {
    /// The solids in the picture.
    pub fn record_solids(&self, recorder: &mut Recorder, error_of_red: f32) {
        let [key_map, key_depths, tops, undersides] = self.maps.bindings();
        let look = SolidLook {
            seen_from: 0,
            error_of_red,
        };
        self.each_solid(look, |push, vertices, transforms, corners| {
            let bindings: [Bind; 7] = [
                self.view.into(),
                key_map,
                key_depths,
                tops,
                undersides,
                vertices,
                transforms,
            ];
            recorder.draw(&self.pipelines.solid, &bindings, push, corners, 1);
        });
    }

    /// The solids in a map that shadows are taken from.
    pub fn record_shadow_solids(&self, recorder: &mut Recorder, seen_from: u32) {
        let look = SolidLook {
            seen_from,
            error_of_red: 0.0,
        };
        self.each_solid(look, |push, vertices, transforms, corners| {
            let bindings: [Bind; 3] = [self.view.into(), vertices, transforms];
            recorder.draw(&self.pipelines.shadow_solid, &bindings, push, corners, 1);
        });
    }

    fn each_solid(
        &self,
        look: SolidLook,
        mut draw: impl FnMut(&SolidPush, Bind, Bind, Range<u32>),
    ) {
        let Some(transforms) = self.world.sub_step_transforms() else {
            return;
        };
        let meshes = &self.meshes.solids;
        let first_solid = transforms.field_count - self.world.solid_count() as u32;
        let surfaces = meshes.corners.iter().zip(first_solid..);
        let missed = meshes.missed.iter().zip(first_solid..);
        let missed = missed.filter(|(corners, _)| look.error_of_red > 0.0 && !corners.is_empty());
        for (corners, field_ix) in surfaces.chain(missed) {
            let push = SolidPush {
                transform_stride: transforms.field_count,
                sub_steps: transforms.sub_steps,
                field_ix,
                seen_from: look.seen_from,
                error_of_red: look.error_of_red,
            };
            let (vertices, transforms) = ((&meshes.vertices).into(), transforms.buffer.into());
            draw(&push, vertices, transforms, corners.clone());
        }
    }
}

/// Three vertices per triangle.
fn surface_of(shape: &SolidShape, source: Option<&SolidMesh>) -> Vec<SolidVertex> {
    match *shape {
        SolidShape::HalfSpace => plane(),
        SolidShape::Sphere { radius } => turned(&arc(0.0, 0.0, radius, -FRAC_PI_2..FRAC_PI_2)),
        SolidShape::Capsule {
            half_length,
            radius,
        } => {
            let mut profile = arc(0.0, -half_length, radius, -FRAC_PI_2..0.0);
            profile.extend(arc(0.0, half_length, radius, 0.0..FRAC_PI_2));
            turned(&profile)
        }
        SolidShape::Torus {
            radius,
            tube_radius,
        } => turned(&arc(radius, 0.0, tube_radius, 0.0..TAU)),
        SolidShape::Box { half_size } => cuboid(half_size),
        SolidShape::Field(ref field) => sampled(field, source),
    }
}

fn plane() -> Vec<SolidVertex> {
    let corners = [[-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [1.0, -1.0]];
    let corners = corners.map(|[x, z]| SolidVertex {
        position: HALF_SPACE_REACH * Vec3::new(x, 0.0, z),
        normal: Vec3::Y,
        error: 0.0,
    });
    quad(corners).to_vec()
}

fn quad([a, b, c, d]: [SolidVertex; 4]) -> [SolidVertex; 6] {
    [a, b, c, a, c, d]
}

fn cuboid(half_size: Vec3) -> Vec<SolidVertex> {
    let side = |axis: usize, sign: f32| {
        let (normal, u, v) = (
            Vec3::AXES[axis] * sign,
            Vec3::AXES[(axis + 1) % 3],
            Vec3::AXES[(axis + 2) % 3] * sign,
        );
        quad(
            [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| SolidVertex {
                position: half_size * (normal + x * u + y * v),
                normal,
                error: 0.0,
            }),
        )
    };
    (0..3)
        .flat_map(|axis| [1.0, -1.0].map(|sign| side(axis, sign)))
        .flatten()
        .collect()
}

/// Points and normals of a circle's arc across the y axis: x is the distance from that axis, y along it.
fn arc(from_axis: f32, along: f32, radius: f32, angles: Range<f32>) -> Vec<[Vec2; 2]> {
    let count = (SEGMENTS as f32 * (angles.end - angles.start) / TAU)
        .ceil()
        .max(1.0) as u32;
    let point = |ix: u32| {
        let part = ix as f32 / count as f32;
        let normal = Vec2::from_angle(angles.start + (angles.end - angles.start) * part);
        [Vec2::new(from_axis, along) + radius * normal, normal]
    };
    (0..=count).map(point).collect()
}

/// A profile turned round the y axis.
fn turned(profile: &[[Vec2; 2]]) -> Vec<SolidVertex> {
    let place = |[at, normal]: [Vec2; 2], segment: u32| {
        let (sin, cos) = (TAU * segment as f32 / SEGMENTS as f32).sin_cos();
        let out = |v: Vec2| Vec3::new(v.x * cos, v.y, v.x * sin);
        SolidVertex {
            position: out(at),
            normal: out(normal),
            error: 0.0,
        }
    };
    let bands = profile.windows(2);
    bands
        .flat_map(|band| {
            (0..SEGMENTS).flat_map(move |ix| {
                quad([
                    place(band[0], ix),
                    place(band[1], ix),
                    place(band[1], ix + 1),
                    place(band[0], ix + 1),
                ])
            })
        })
        .collect()
}

/// The surface that the field describes, cell by cell of its bricks, with the field's own gradients, and how far it is off its source.
fn sampled(field: &SolidField, source: Option<&SolidMesh>) -> Vec<SolidVertex> {
    let grid = field.grid;
    let counts = grid.cells() + 1;
    let sample_ix = |at: UVec3| ((at.z * counts.y + at.y) * counts.x + at.x) as usize;
    let at = |ix: usize| {
        let ix = ix as u32;
        UVec3::new(
            ix % counts.x,
            ix / counts.x % counts.y,
            ix / (counts.x * counts.y),
        )
    };
    let value = |ix: usize| field.code_at(at(ix)).map_or(1.0, f32::from);
    let position = |ix: usize| grid.low + grid.cell_size * at(ix).as_vec3();
    let mut extractor = Extractor::new(value, position, 0.0);
    for brick in field.places() {
        for cell in 0..crate::solid::BRICK_CELLS.pow(3) {
            let side = crate::solid::BRICK_CELLS;
            let within = UVec3::new(cell % side, cell / side % side, cell / (side * side));
            let low = brick * side + within;
            let corner = |ix: u32| low + UVec3::new(ix & 1, ix >> 1 & 1, ix >> 2);
            extractor.add_cell(std::array::from_fn(|ix| sample_ix(corner(ix as u32))));
        }
    }
    let surface = extractor.finish();
    let errors = errors_of(&surface.positions, source, grid.cell_size);
    let vertex = |&ix: &u32| {
        let position = surface.positions[ix as usize];
        let sample = field.sample(position);
        let normal = sample.and_then(|sample| sample.gradient.try_normalize());
        SolidVertex {
            position,
            normal: normal.unwrap_or(Vec3::Y),
            error: errors.get(ix as usize).copied().unwrap_or_default(),
        }
    };
    surface.triangles.iter().flatten().map(vertex).collect()
}

/// The triangles of a mesh that a field's surface misses by more than [`MISSED_CELLS`] at a corner or in their middle, three vertices each, and
/// by how much: the forward Hausdorff distance.
fn missed_by(surface: &[SolidVertex], mesh: &SolidMesh, cell_size: f32) -> Vec<SolidVertex> {
    let places: Vec<Vec3> = surface.iter().map(|vertex| vertex.position).collect();
    let corners: Vec<u32> = (0..places.len() as u32).collect();
    let (triangles, _) = corners.as_chunks::<3>();
    let tree = TriangleTree::new(&places, triangles);
    let error = |at: Vec3| {
        let nearest = tree.nearest_point(at.as_dvec3(), f64::INFINITY);
        nearest.map_or(f32::INFINITY, |nearest| nearest.distance as f32 / cell_size)
    };
    let missed = |triangle: &[u32; 3]| {
        let places = triangle.map(|ix| mesh.positions()[ix as usize]);
        let [a, b, c] = places;
        let errors = places.map(error);
        let worst = errors.into_iter().fold(error((a + b + c) / 3.0), f32::max);
        let normal = (b - a).cross(c - a).normalize_or(Vec3::Y);
        let vertices = places.into_iter().zip(errors);
        let vertices = vertices.map(move |(position, error)| SolidVertex {
            position,
            normal,
            error,
        });
        (worst > MISSED_CELLS).then_some(vertices)
    };
    mesh.triangles()
        .par_iter()
        .filter_map(missed)
        .flatten_iter()
        .collect()
}

/// Of each place, how many cells it lies from the nearest of a mesh: the backward Hausdorff distance, vertex by vertex.
fn errors_of(positions: &[Vec3], source: Option<&SolidMesh>, cell_size: f32) -> Vec<f32> {
    let Some(mesh) = source else {
        return Vec::new();
    };
    let tree = TriangleTree::new(mesh.positions(), mesh.triangles());
    let error = |position: &Vec3| {
        let nearest = tree.nearest_point(position.as_dvec3(), f64::INFINITY);
        nearest.map_or(0.0, |nearest| nearest.distance as f32 / cell_size)
    };
    positions.par_iter().map(error).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::test_meshes::TestMesh;
    use crate::solid::fill::fill;
    use crate::solid::{Grid, SignRule};

    #[test]
    fn errors_are_those_of_a_fields_surface_in_cells() {
        let (middle, radius) = (Vec3::ONE, 0.4);
        let ball = TestMesh::sphere(middle, radius, 40, 60);
        let mesh = SolidMesh::new(&ball.positions, &ball.triangles).expect("it is a mesh");
        let grid = Grid::with_cells_along(&mesh, 12).expect("it fits");
        let field = fill(&mesh, grid, SignRule::Pseudonormal);
        let mut worst = 0.0_f32;
        for vertex in sampled(&field, Some(&mesh)) {
            let off = (vertex.position.distance(middle) - radius).abs() / grid.cell_size;
            // The mesh has facets.
            assert!((vertex.error - off).abs() < 0.03, "{vertex:?}, not {off}");
            worst = worst.max(vertex.error);
        }
        assert!((0.01..0.3).contains(&worst), "{worst} cells");
        assert!(
            sampled(&field, None)
                .iter()
                .all(|vertex| vertex.error == 0.0)
        );
    }

    #[test]
    fn parts_of_a_mesh_that_a_field_misses_are_shown() {
        let ball = TestMesh::sphere(Vec3::ONE, 0.4, 40, 60);
        let whole = SolidMesh::new(&ball.positions, &ball.triangles).expect("it is a mesh");
        // A needle too thin for the cells, whose point is far from anything that they hold.
        let (low, high) = (Vec3::new(1.02, 1.2, 1.02), Vec3::new(1.03, 1.9, 1.03));
        let both = ball.with(TestMesh::cuboid(low, high));
        let both = SolidMesh::new(&both.positions, &both.triangles).expect("it is a mesh");
        let grid = Grid::with_cells_along(&both, 24).expect("it fits");
        let field = fill(&both, grid, SignRule::Robust);
        let surface = sampled(&field, Some(&both));
        assert!(missed_by(&surface, &whole, grid.cell_size).is_empty());
        let missed = missed_by(&surface, &both, grid.cell_size);
        assert!(!missed.is_empty() && missed.len().is_multiple_of(3));
        let worst = missed.iter().map(|vertex| vertex.error);
        let off = (1.9 - 1.4) / grid.cell_size;
        let worst = worst.fold(0.0, f32::max);
        assert!(
            (0.8 * off..1.2 * off).contains(&worst),
            "{worst}, not {off} cells"
        );
    }

    #[test]
    fn surfaces_lie_on_their_shapes_and_face_outward() {
        let shapes = [
            SolidShape::HalfSpace,
            SolidShape::Sphere { radius: 0.3 },
            SolidShape::Capsule {
                half_length: 0.4,
                radius: 0.1,
            },
            SolidShape::cuboid(Vec3::new(0.5, 0.2, 0.8)),
            SolidShape::Torus {
                radius: 0.3,
                tube_radius: 0.1,
            },
        ];
        for shape in shapes {
            let vertices = surface_of(&shape, None);
            assert!(!vertices.is_empty() && vertices.len().is_multiple_of(3));
            for vertex in vertices {
                let sample = shape.sample(vertex.position).expect("known there");
                assert!(sample.distance.abs() < 1e-5, "{shape:?}: {vertex:?}");
                let outside = shape.sample(vertex.position + 1e-3 * vertex.normal);
                assert!(
                    outside.is_some_and(|sample| sample.distance > 5e-4),
                    "{shape:?}: {vertex:?}"
                );
            }
        }
    }
}
