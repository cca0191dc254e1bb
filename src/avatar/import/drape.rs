//! Weights for a garment that has none: those of the skin it lies on.

use glam::{Mat4, Vec3};

use crate::avatar::transform::inverse;
use crate::avatar::{Skeleton, SkinMesh};

/// Gives every vertex of a garment that stands in the world, over the body in its rest pose, the weights of the
/// nearest body vertex, and takes the garment back to the bind pose with them. Without body vertices, or where a
/// joint has collapsed, vertices stay where they are.
pub(super) fn drape(garment: &mut SkinMesh, body: &SkinMesh, skeleton: &Skeleton) {
    let world_from_bind = rest_palette(skeleton);
    let skinning = |vertex_ix: usize| blend(&world_from_bind, body, vertex_ix);
    let at_rest: Vec<Vec3> = (0..body.positions.len())
        .map(|ix| skinning(ix).transform_point3(body.positions[ix]))
        .collect();
    let nearest = Nearest::new(&at_rest);
    for ix in 0..garment.positions.len() {
        let Some(body_ix) = nearest.find(garment.positions[ix]) else {
            return;
        };
        garment.joints[ix] = body.joints[body_ix];
        garment.weights[ix] = body.weights[body_ix];
        let world_from_garment = skinning(body_ix);
        let Some(bind_from_world) = inverse(world_from_garment) else {
            continue;
        };
        garment.positions[ix] = bind_from_world.transform_point3(garment.positions[ix]);
        // The inverse transpose of the inverse is the transpose.
        let normal = world_from_garment
            .transpose()
            .transform_vector3(garment.normals[ix]);
        garment.normals[ix] = normal.normalize_or_zero();
    }
}

/// World from bind for each joint, at rest.
fn rest_palette(skeleton: &Skeleton) -> Vec<Mat4> {
    let mut world_from_node: Vec<Mat4> = Vec::with_capacity(skeleton.nodes.len());
    for node in &skeleton.nodes {
        let parent = node
            .parent
            .map_or(Mat4::IDENTITY, |parent| world_from_node[parent]);
        world_from_node.push(parent * node.rest.to_mat4());
    }
    skeleton
        .joints
        .iter()
        .map(|joint| world_from_node[joint.node_ix] * joint.bone_from_bind)
        .collect()
}

fn blend(world_from_bind: &[Mat4], mesh: &SkinMesh, vertex_ix: usize) -> Mat4 {
    let influences = mesh.joints[vertex_ix].iter().zip(mesh.weights[vertex_ix]);
    influences.fold(Mat4::ZERO, |sum, (&joint_ix, weight)| {
        sum + world_from_bind[usize::from(joint_ix)] * weight
    })
}

/// Points sorted by height, to find the nearest without visiting all.
struct Nearest<'a> {
    points: &'a [Vec3],
    /// Indices of finite points, lowest first.
    by_height: Vec<usize>,
}

impl<'a> Nearest<'a> {
    fn new(points: &'a [Vec3]) -> Self {
        let mut by_height: Vec<usize> = (0..points.len())
            .filter(|&ix| points[ix].is_finite())
            .collect();
        by_height.sort_by(|&a, &b| points[a].y.total_cmp(&points[b].y));
        Self { points, by_height }
    }

    /// The index of the nearest point; of equally near ones the smallest.
    fn find(&self, to: Vec3) -> Option<usize> {
        let start = self
            .by_height
            .partition_point(|&ix| self.points[ix].y < to.y);
        let (below, above) = self.by_height.split_at(start);
        let mut best = (f32::INFINITY, usize::MAX);
        self.visit(below.iter().rev(), to, &mut best);
        self.visit(above.iter(), to, &mut best);
        (best.1 != usize::MAX).then_some(best.1)
    }

    fn visit<'i>(
        &self,
        candidates: impl Iterator<Item = &'i usize>,
        to: Vec3,
        best: &mut (f32, usize),
    ) {
        for &ix in candidates {
            let point = self.points[ix];
            if (point.y - to.y).powi(2) > best.0 {
                return;
            }
            let candidate = (point.distance_squared(to), ix);
            if candidate < *best {
                *best = candidate;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_agrees_with_looking_at_all() {
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        let mut points: Vec<Vec3> = (0..200)
            .map(|_| Vec3::new(random(), random(), random()))
            .collect();
        points.push(points[3]);
        points.push(Vec3::NAN);
        let nearest = Nearest::new(&points);
        for _ in 0..200 {
            let to = Vec3::new(random(), random(), random()) * 2.0 - 0.5;
            let distance = |ix: &usize| points[*ix].distance_squared(to);
            let expected = (0..201).min_by(|a, b| distance(a).total_cmp(&distance(b)));
            assert_eq!(nearest.find(to), expected);
        }
        assert_eq!(Nearest::new(&[]).find(Vec3::ZERO), None);
    }
}
