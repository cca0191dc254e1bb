//! Closed meshes of what is given by its height.

use glam::{UVec3, Vec3};
use rayon::prelude::*;

use crate::math::isosurface::{Extractor, Isosurface};

/// The surface on which a height is zero, which is below zero inside and about the distance near it, in triangles of about `edge`
/// metres. It lies within the two corners of a box.
pub fn triangulated(
    height: impl Fn(Vec3) -> f32 + Sync,
    [low, high]: [Vec3; 2],
    edge: f32,
) -> Isosurface {
    let samples = ((high - low) / edge).ceil().as_uvec3() + 1;
    let place = |ix: usize| {
        let ix = ix as u32;
        UVec3::new(
            ix % samples.x,
            ix / samples.x % samples.y,
            ix / (samples.x * samples.y),
        )
    };
    let position = |ix: usize| low + place(ix).as_vec3() * edge;
    let count = samples.element_product() as usize;
    let values: Vec<f32> = (0..count)
        .into_par_iter()
        .map(|ix| height(position(ix)))
        .collect();
    let strides = [1, samples.x as usize, (samples.x * samples.y) as usize];
    let mut extractor = Extractor::new(|ix| values[ix], position, 0.1);
    for ix in (0..count).filter(|&ix| (place(ix) + 1).cmplt(samples).all()) {
        extractor.add_cell(std::array::from_fn(|corner| {
            ix + (0..3)
                .map(|axis| (corner >> axis & 1) * strides[axis])
                .sum::<usize>()
        }));
    }
    let mut found = extractor.finish();
    let raw = found.positions.clone();
    found
        .positions
        .par_iter_mut()
        .for_each(|position| *position = settled(&height, *position, edge));
    unfold(&mut found, &raw);
    found
}

/// Cosine of the angle by which settling may turn a triangle: more is a sliver on its way over, which would cut through its neighbours.
const MOST_TURNED: f64 = 0.7;

/// Puts the corners of slivers that settling has turned back where they were, until there are none.
fn unfold(surface: &mut Isosurface, raw: &[Vec3]) {
    loop {
        let normal = |positions: &[Vec3], triangle: [u32; 3]| {
            let [a, b, c] = triangle.map(|ix| positions[ix as usize].as_dvec3());
            (b - a).cross(c - a).normalize_or_zero()
        };
        let (places, triangles) = (&surface.positions, &surface.triangles);
        let is_turned = |triangle: &&[u32; 3]| {
            normal(places, **triangle).dot(normal(raw, **triangle)) < MOST_TURNED
        };
        let turned: Vec<_> = triangles.par_iter().filter(is_turned).copied().collect();
        let mut moved = false;
        for ix in turned.into_iter().flatten().map(|ix| ix as usize) {
            moved |= surface.positions[ix] != raw[ix];
            surface.positions[ix] = raw[ix];
        }
        if !moved {
            return;
        }
    }
}

/// A point of the triangulation moved onto the surface itself, so that the mesh is as smooth as that: two of Newton's steps.
fn settled(height: &impl Fn(Vec3) -> f32, point: Vec3, edge: f32) -> Vec3 {
    (0..2).fold(point, |point, _| {
        let step = 0.05 * edge;
        let slope = Vec3::AXES
            .map(|axis| (height(point + axis * step) - height(point - axis * step)) / (2.0 * step));
        let slope = Vec3::from(slope);
        let way = slope * (height(point) / slope.length_squared().max(0.01));
        point - way.clamp_length_max(0.1 * edge)
    })
}
