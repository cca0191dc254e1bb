//! How far the surface that fields describe lies from the skin, and the skin from it.
//!
//! The surface is that of the union of all fields: patches of one field that lie inside another are no part of it. Both
//! ways are needed: a field's spike is far from the skin, a hole is where the skin is far from any field. The greater of
//! the two greatest distances is the Hausdorff distance; the way from skin to fields alone is the forward Hausdorff distance of
//! the distance-field paper.

use super::coverage::holds;
use crate::avatar::SkinMesh;
use crate::collide::radial::field::FieldSet;
use crate::collide::radial::surface::{Half, Patch};
use crate::collide::radial::update::{fields_from_world, update};
use crate::math::triangle_tree::TriangleTree;
use glam::{Mat4, Vec3};
use rayon::prelude::*;
use serde::Serialize;

/// The most patches whose distance is measured; of more, every n-th.
const MAX_PATCHES: usize = 40_000;

/// Metres by which the middle of a patch is taken inwards before another field is asked whether it holds it: patches of two
/// fields that both describe the skin stay.
const INSET: f32 = -0.002;

/// How distances spread, each weighed by its area. Millimetres.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    pub mean_mm: f64,
    pub p95_mm: f64,
    pub max_mm: f64,
}

/// Distances of one pose. Metres and square metres.
#[derive(Clone, Debug, Default)]
pub struct Deviation {
    /// From the middles of patches of the fields to the skin, with the patches' areas.
    pub fields_to_skin: Vec<[f64; 2]>,
    /// From the middle of each of the skin's triangles to the fields, in the order of the mesh, with the triangles' areas.
    pub skin_to_fields: Vec<[f64; 2]>,
}

impl Spread {
    /// Of distances with their areas; zeros for none.
    pub fn of(distances: &[[f64; 2]]) -> Self {
        let mut sorted: Vec<_> = distances.iter().filter(|d| d[0].is_finite()).collect();
        sorted.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let area: f64 = sorted.iter().map(|d| d[1]).sum();
        let mut left = 0.95 * area;
        let p95 = sorted.iter().find(|d| {
            left -= d[1];
            left <= 0.0
        });
        let sum: f64 = sorted.iter().map(|d| d[0] * d[1]).sum();
        Self {
            mean_mm: 1e3 * sum / area.max(f64::MIN_POSITIVE),
            p95_mm: 1e3 * p95.map_or(0.0, |d| d[0]),
            max_mm: 1e3 * sorted.last().map_or(0.0, |d| d[0]),
        }
    }
}

/// Measures both ways for a posed skin.
///
/// `positions_in_world` are the skinned vertices of `skin`, `world_from_bone` the palette they were skinned with.
pub fn deviation(
    set: &FieldSet,
    skin: &SkinMesh,
    positions_in_world: &[Vec3],
    world_from_bone: &[Mat4],
) -> Deviation {
    let frames = fields_from_world(set, world_from_bone);
    let cells = update(set, positions_in_world, &frames);
    let patches: Vec<[Vec3; 3]> = (0..set.fields.len())
        .into_par_iter()
        .flat_map_iter(|field_ix| outer_patches(set, &cells, &frames, field_ix))
        .collect();
    let of_skin = TriangleTree::new(positions_in_world, &skin.triangles);
    let corners: Vec<Vec3> = patches.iter().flatten().copied().collect();
    let triangles: Vec<_> = (0..patches.len() as u32)
        .map(|ix| [3 * ix, 3 * ix + 1, 3 * ix + 2])
        .collect();
    let of_fields = TriangleTree::new(&corners, &triangles);
    let stride = patches.len().div_ceil(MAX_PATCHES).max(1);
    let skin_triangles = skin.triangles.par_iter();
    Deviation {
        fields_to_skin: patches
            .par_iter()
            .step_by(stride)
            .map(|&patch| measure(&of_skin, patch))
            .collect(),
        skin_to_fields: skin_triangles
            .map(|t| measure(&of_fields, t.map(|v| positions_in_world[v as usize])))
            .collect(),
    }
}

/// Distance from the middle of a triangle to a surface, and the triangle's area.
fn measure(surface: &TriangleTree, corners: [Vec3; 3]) -> [f64; 2] {
    let [a, b, c] = corners.map(|corner| corner.as_dvec3());
    let middle = (a + b + c) / 3.0;
    let nearest = surface.nearest_point(middle, f64::INFINITY);
    let area = (b - a).cross(c - a).length() / 2.0;
    [nearest.map_or(f64::NAN, |nearest| nearest.distance), area]
}

/// The patches of a field, in world space, that no other field holds.
fn outer_patches(
    set: &FieldSet,
    cells: &[f32],
    frames: &[Mat4],
    field_ix: usize,
) -> Vec<[Vec3; 3]> {
    let field = &set.fields[field_ix];
    let world_from_field = frames[field_ix].inverse();
    let quads = (0..field.height as i32 - 1)
        .flat_map(|row| (0..field.width as i32).map(move |col| [col, row]));
    let halves = quads.flat_map(|quad| [Half::Lower, Half::Upper].map(|half| (quad, half)));
    halves
        .filter_map(|(quad, half)| Patch::of_half(field, cells, quad, half))
        .filter_map(|patch| {
            let corners = patch
                .corners()
                .map(|p| world_from_field.transform_point3(p));
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            let outwards = normal.try_normalize()?;
            let middle = (corners[0] + corners[1] + corners[2]) / 3.0 - outwards * INSET;
            let mut others = (0..set.fields.len()).filter(|&other_ix| other_ix != field_ix);
            let is_inner =
                others.any(|other_ix| holds(set, cells, frames[other_ix], other_ix, middle));
            (!is_inner).then_some(corners)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::radial::twin::shapes::Shape;

    fn of(shape: &Shape, scale: f32) -> Deviation {
        let triangles = shape.set.triangles.iter().map(|t| t.vertices);
        let skin = SkinMesh {
            triangles: triangles.collect(),
            ..SkinMesh::default()
        };
        let place = Mat4::from_scale(Vec3::splat(scale));
        let positions: Vec<_> = shape
            .positions
            .iter()
            .map(|&p| place.transform_point3(p))
            .collect();
        deviation(&shape.set, &skin, &positions, &[place])
    }

    #[test]
    fn a_ball_is_described_to_a_fraction_of_its_cells_at_any_scale() {
        let [one, two] = [1.0, 2.0].map(|scale| of(&Shape::ball(), scale));
        for distances in [&one.fields_to_skin, &one.skin_to_fields] {
            let spread = Spread::of(distances);
            // The poles are worst: there the last row closes onto the axis over a whole cell, 10 mm.
            assert!(spread.mean_mm < 0.5 && spread.max_mm < 5.0, "{spread:?}");
        }
        let [one, two] = [one, two].map(|found| Spread::of(&found.skin_to_fields));
        assert!(
            (two.mean_mm / one.mean_mm - 2.0).abs() < 0.01,
            "{one:?} {two:?}"
        );
    }

    #[test]
    fn what_fields_do_not_reach_shows_as_skin_far_from_them() {
        // The field of a tube begins and ends half a cell, 5 mm, before the skin does.
        let found = of(&Shape::tube(96, 0.0), 1.0);
        assert!(Spread::of(&found.fields_to_skin).max_mm < 0.5);
        let mut bulging = Shape::tube(96, 0.0);
        for position in bulging.positions.iter_mut().filter(|p| p.z == 0.2) {
            position.z += 0.05;
        }
        let missed = Spread::of(&of(&bulging, 1.0).skin_to_fields);
        assert!(missed.max_mm > 5.0, "{missed:?}");
    }

    #[test]
    fn spreads_weigh_by_area() {
        let spread = Spread::of(&[[0.001, 9.0], [0.011, 1.0], [f64::NAN, 5.0]]);
        assert!((spread.mean_mm - 2.0).abs() < 1e-9);
        assert_eq!((spread.p95_mm, spread.max_mm), (11.0, 11.0));
    }
}
