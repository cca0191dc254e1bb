//! From a modelled figure to an avatar: mesh, cut, simplify, mirror, weigh.

use super::cut::cut;
use super::rig::{Joints, NamedJoint};
use super::sculpture::Sculpture;
use super::surface::{Bounds, Mesh, PartedMesh, half_mesh};
use super::weigh::{Ramps, Weigher};
use crate::avatar::resample::vertex_normals;
use crate::avatar::{Avatar, Part, SkinMesh, Tolerated};
use crate::math::simplify::{Evenness, Respect, simplify};
use glam::{Vec2, Vec3};
use rayon::prelude::*;

/// A vertex with a face turned further from its gradient than this lies in a crease.
const CREASE_COSINE: f32 = 0.3;

/// What the simplifier pays for changes of the normal, usually 0.001 to 0.01 (0 lets folds go flat, more leaves thin triangles), and of
/// the mean place, in metres, of the joints that move a vertex, 0.01 to 0.1 (more starves the trunk).
const ATTRIBUTE_COSTS: [f32; 6] = [0.002, 0.002, 0.002, 0.02, 0.02, 0.02];

/// How much larger the simplifier sees the head. Usual 1.5 to 3: more leaves the trunk coarse.
const HEAD_GAIN: f32 = 1.7;

/// How much larger it sees hands and feet. Usual 1.2 to 2.
const HAND_AND_FOOT_GAIN: f32 = 1.6;

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

impl Figure {
    fn weigher(&self) -> Weigher<'_> {
        Weigher::new(&self.sculpture, &self.joints, &self.ramps, self.head_normal)
    }
}

/// The figure as an avatar of about the given number of triangles, meshed with cells of the given edge in metres.
pub(super) fn build(figure: &Figure, triangle_count: usize, cell: f32) -> Avatar {
    let fine = parted_half(figure, cell);
    let half = coarse_half(figure, &fine, triangle_count / 2);
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
        solids: Vec::new(),
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
        .map(|triangle| part_at(middle(triangle)).unwrap_or(0) as u8)
        .collect();
    PartedMesh { mesh, parts }
}

/// The half with at most so many triangles: more of them where the skin bends, and at head, hands and feet.
fn coarse_half(figure: &Figure, fine: &PartedMesh, triangle_count: usize) -> PartedMesh {
    let weigher = figure.weigher();
    let tree = figure.joints.tree();
    let (normals, positions) = (
        vertex_normals(&fine.mesh.positions, &fine.mesh.triangles),
        &fine.mesh.positions,
    );
    let seen = positions.par_iter().zip(&normals).map(|(&p, &normal)| {
        let (joints, weights) = weigher.weigh(p);
        let (mut seen, mut pull) = (p, Vec3::ZERO);
        for (&joint, weight) in joints.iter().zip(weights) {
            pull += weight * tree[usize::from(joint)].position;
            if let Some((centre, gain)) = enlarged_by(&tree, joint.into()) {
                seen += weight * (gain - 1.0) * (p - centre);
            }
        }
        (seen, [normal, pull])
    });
    let (seen, attributes): (Vec<Vec3>, Vec<[Vec3; 2]>) = seen.collect();
    let attributes = bytemuck::cast_slice(&attributes);
    simplified(fine, triangle_count, &seen, attributes, &ATTRIBUTE_COSTS)
}

/// Round which joint, and how much larger, the simplifier sees the skin of a joint.
fn enlarged_by(tree: &[NamedJoint], joint: usize) -> Option<(Vec3, f32)> {
    let gain = match tree[joint].name.as_str() {
        "head" => HEAD_GAIN,
        "hand_l" | "foot_l" => HAND_AND_FOOT_GAIN,
        _ => {
            return tree[joint]
                .parent
                .and_then(|parent| enlarged_by(tree, parent));
        }
    };
    Some((tree[joint].position, gain))
}

/// The mesh with at most so many triangles. Errors are measured on the positions `seen` and on a row of attributes per vertex.
pub(super) fn simplified(
    fine: &PartedMesh,
    triangle_count: usize,
    seen: &[Vec3],
    attributes: &[f32],
    costs: &[f32],
) -> PartedMesh {
    let respect = Respect {
        parts: &fine.parts,
        locked: &vec![false; seen.len()],
        attributes,
        costs,
        evenness: Evenness::Regular,
    };
    let coarse = simplify(seen, &fine.mesh.triangles, &respect, triangle_count)
        .expect("figures of our own have few borders");
    let kept = coarse
        .kept
        .iter()
        .map(|&ix| fine.mesh.positions[ix as usize]);
    PartedMesh {
        mesh: Mesh {
            positions: kept.collect(),
            triangles: coarse.triangles,
        },
        parts: coarse.parts,
    }
}

fn parts(part_of_triangle: &[u8], colours: &[[f32; 4]]) -> Vec<Part> {
    let first_of =
        |part: usize| part_of_triangle.partition_point(|&p| usize::from(p) < part) as u32;
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
    let weigher = figure.weigher();
    let Mesh {
        positions,
        triangles,
    } = whole.mesh;
    let (joints, weights) = positions.par_iter().map(|&p| weigher.weigh(p)).unzip();
    SkinMesh {
        normals: normals(&figure.sculpture, &positions, &triangles),
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
