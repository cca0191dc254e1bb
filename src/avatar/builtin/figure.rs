//! From a modelled figure to an avatar: mesh, cut, simplify, mirror, weigh.

use super::cut::cut;
use super::rig::Joints;
use super::sculpture::Sculpture;
use super::shape::smooth_step;
use super::simplify::simplify;
use super::surface::{Bounds, Mesh, PartedMesh, half_mesh};
use super::weigh::{Ramps, Weigher};
use crate::avatar::{Avatar, Part, SkinMesh, Tolerated};
use glam::{DVec3, Vec2, Vec3};
use rayon::prelude::*;

/// A vertex with a face turned further from its gradient than this lies in a crease.
const CREASE_COSINE: f32 = 0.3;

/// All that makes a character of its own.
pub(super) struct Figure {
    pub name: &'static str,
    pub sculpture: Sculpture,
    pub joints: Joints,
    pub ramps: Ramps,
    /// From the neck into the head.
    pub head_normal: Vec3,
    pub bounds: Bounds,
    /// Linear RGBA of each material.
    pub colours: Vec<[f32; 4]>,
}

/// The figure as an avatar of about the given number of triangles, meshed with cells of the given edge in metres.
pub(super) fn build(figure: &Figure, triangle_count: usize, cell: f32) -> Avatar {
    let fine = parted_half(figure, cell);
    let half = simplify(&fine, triangle_count / 2, |p| importance(figure, p));
    let whole = half.mirror();
    Avatar {
        name: figure.name.to_owned(),
        skeleton: figure.joints.skeleton(),
        ornaments: Vec::new(),
        parts: parts(&whole.parts, &figure.colours),
        skin: skin(figure, whole),
        textures: Vec::new(),
        clips: Vec::new(),
        garments: Vec::new(),
        tolerated: Tolerated::default(),
    }
}

fn parted_half(figure: &Figure, cell: f32) -> PartedMesh {
    let mut mesh = half_mesh(&figure.sculpture, figure.bounds, cell);
    for part in 1..figure.colours.len() {
        cut(&mut mesh, |p| figure.sculpture.part_border(p, part));
    }
    let part_at = |p: Vec3| {
        (1..figure.colours.len()).rfind(|&part| figure.sculpture.part_border(p, part) < 0.0)
    };
    let middle = |&[a, b, c]: &[u32; 3]| {
        [a, b, c]
            .map(|v| mesh.positions[v as usize])
            .iter()
            .sum::<Vec3>()
            / 3.0
    };
    let parts = mesh
        .triangles
        .par_iter()
        .map(|triangle| part_at(middle(triangle)).unwrap_or(0))
        .collect();
    PartedMesh { mesh, parts }
}

/// More triangles for the head, hands and feet, which are small and looked at most.
fn importance(figure: &Figure, p: DVec3) -> f64 {
    let reach = 0.04 * figure.sculpture.height;
    let beyond = |joint: Vec3, towards: Vec3| {
        smooth_step(
            -reach,
            reach,
            (p.as_vec3() - joint).dot(towards.normalize()),
        )
    };
    let joints = &figure.joints;
    let in_head = beyond(joints.head, figure.head_normal);
    let in_hand = beyond(joints.hand, joints.hand - joints.lowerarm);
    let in_foot = beyond(joints.foot, Vec3::NEG_Y);
    1.0 + f64::from(5.0 * in_head + 2.0 * in_hand + 2.0 * in_foot)
}

fn parts(part_of_triangle: &[usize], colours: &[[f32; 4]]) -> Vec<Part> {
    let first_of = |part: usize| part_of_triangle.partition_point(|&p| p < part) as u32;
    let range = |part: usize| first_of(part)..first_of(part + 1);
    let part = |(ix, &base_colour): (usize, &[f32; 4])| Part {
        triangles: range(ix),
        base_colour,
        texture_ix: None,
        alpha_cutoff: 0.0,
    };
    colours
        .iter()
        .enumerate()
        .map(part)
        .filter(|part| !part.triangles.is_empty())
        .collect()
}

fn skin(figure: &Figure, whole: PartedMesh) -> SkinMesh {
    let Figure {
        sculpture,
        joints,
        ramps,
        head_normal,
        ..
    } = figure;
    let weigher = Weigher::new(sculpture, joints, ramps, *head_normal);
    let Mesh {
        positions,
        triangles,
    } = whole.mesh;
    let (joints, weights) = positions.par_iter().map(|&p| weigher.weigh(p)).unzip();
    SkinMesh {
        normals: normals(sculpture, &positions, &triangles),
        uvs: vec![Vec2::ZERO; positions.len()],
        joints,
        weights,
        triangles,
        positions,
    }
}

/// The field's gradient, which is smoother than the faces; the faces' mean at creases, where the gradient knows one side.
fn normals(sculpture: &Sculpture, positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; positions.len()];
    let mut min_agreement = vec![1.0f32; positions.len()];
    let gradients: Vec<Vec3> = positions.par_iter().map(|&p| sculpture.normal(p)).collect();
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| positions[v as usize]);
        let cross = (b - a).cross(c - a);
        for v in triangle.map(|v| v as usize) {
            sums[v] += cross;
            min_agreement[v] = min_agreement[v].min(gradients[v].dot(cross.normalize_or_zero()));
        }
    }
    let normal = |v: usize| {
        if min_agreement[v] > CREASE_COSINE {
            gradients[v]
        } else {
            sums[v].normalize_or(gradients[v])
        }
    };
    (0..positions.len()).map(normal).collect()
}
