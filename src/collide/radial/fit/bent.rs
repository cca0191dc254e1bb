//! Which skin an axis sees once joints bend.
//!
//! The fit itself looks at the bind pose alone. A raised arm or a bent knee brings skin before an axis that the bind
//! pose hides, often skin that the joint does not move at all; without it the field has holes just where limbs meet. So
//! the character is bent a little in every direction, and whatever ends the body as seen from an axis joins its field. So does
//! the skin through which rays from the axis come into the body, whether they left it before or the axis has run out of it: by
//! that a cell [knows](crate::collide::radial::cell) that what lies behind is not the field's to hold.

use super::body::Body;
use super::skeleton;
use crate::avatar::{Skeleton, SkinMesh};
use crate::collide::radial::field::FieldDef;
use crate::math::cylinder::direction;
use crate::math::triangle_tree::TriangleTree;
use crate::pose::{Palette, Pose, bind_pose, world_from_nodes};
use crate::skin::twin::bake;
use glam::{DVec3, Mat4, Quat, Vec3};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::iter::successors;

/// Radians by which joints are bent. Usually 0.6 and 1.2, half and most of what a shoulder does; without large ones
/// armpits keep holes, beyond 2 limbs are pushed through the body.
const BENDS: [f32; 2] = [0.6, 1.2];

/// Every so manieth joint of a chain bends at once, so that spines do not roll up.
const BENT_EVERY: usize = 3;

/// Cells between two rays, both ways. 1 takes four times as long for next to nothing.
const STRIDE: usize = 2;

/// Bones between a field's joint and the skin it may borrow. More holds air between a hand and the belly.
const MAX_BONES: usize = 2;

/// Metres by which a ray steps past the skin it has just met.
const GRAZE: f64 = 1e-5;

type Triangle = [u32; 3];

/// The triangles that each field's axis sees in some bent pose, in the order of the mesh.
pub fn seen(body: &Body, fields: &[FieldDef]) -> Vec<Vec<Triangle>> {
    let bones = Bones::new(&body.avatar.skeleton);
    let by_pose: Vec<Vec<BTreeSet<Triangle>>> = poses(&body.avatar.skeleton, &bones)
        .par_iter()
        .map(|pose| {
            let bent = Bent::new(body, pose);
            let seen = |field| bent.seen(field, &bones);
            fields.iter().map(seen).collect()
        })
        .collect();
    let in_any_pose = |field_ix: usize| {
        let sets = by_pose.iter().map(|by_field| &by_field[field_ix]);
        closed(body, &sets.flatten().copied().collect())
    };
    (0..fields.len()).map(in_any_pose).collect()
}

/// The triangles that were met and those between them that every ray missed.
fn closed(body: &Body, met: &BTreeSet<Triangle>) -> Vec<Triangle> {
    let vertices: BTreeSet<u32> = met.iter().flatten().copied().collect();
    let is_between = |triangle: &&Triangle| triangle.iter().all(|v| vertices.contains(v));
    body.triangles.iter().filter(is_between).copied().collect()
}

/// A body in one pose.
struct Bent<'a> {
    skin: &'a SkinMesh,
    tree: TriangleTree,
    world_from_bone: Vec<Mat4>,
}

impl<'a> Bent<'a> {
    fn new(body: &Body<'a>, pose: &Pose) -> Self {
        let palette = Palette::new(&body.avatar.skeleton, pose, Mat4::IDENTITY);
        let mut tree = body.tree.clone();
        tree.refit(&bake(&body.avatar.skin, &palette).positions);
        Self {
            skin: &body.avatar.skin,
            tree,
            world_from_bone: palette.world_from_bone,
        }
    }

    /// What the rays through a field's cells meet: where they first leave the body, and where they first come into it.
    fn seen(&self, field: &FieldDef, bones: &Bones) -> BTreeSet<Triangle> {
        let world_from_bone = self.world_from_bone[field.joint_ix as usize];
        let world_from_field = world_from_bone * field.bone_from_field;
        let centres = |count: u32| {
            let cells = (0..count).step_by(STRIDE);
            cells.map(move |ix| (ix as f32 + 0.5) / count as f32)
        };
        let on_axis = |z: f32| world_from_field.transform_point3(Vec3::Z * z).as_dvec3();
        let across = |turn: f32| world_from_field.transform_vector3(direction(turn).extend(0.0));
        let rays = |from: DVec3| {
            let begins_inside = self.tree.contains(from);
            centres(field.width).map(move |turn| Ray {
                from,
                way: across(turn).as_dvec3(),
                begins_inside,
            })
        };
        centres(field.height)
            .map(on_axis)
            .filter(|from| from.is_finite())
            .flat_map(rays)
            .flat_map(|ray| self.borders(&ray, f64::from(field.radius)))
            .filter(|triangle| {
                bones.between(field.joint_ix, self.main_joint(triangle)) <= MAX_BONES
            })
            .collect()
    }

    fn main_joint(&self, triangle: &Triangle) -> u32 {
        u32::from(self.skin.joints[triangle[0] as usize][0])
    }

    /// The first triangle through which a ray comes into the body, and, if it begins inside, the first through which it leaves.
    fn borders(&self, ray: &Ray, within: f64) -> impl Iterator<Item = Triangle> + use<> {
        let (mut start, mut entry, mut exit) = (0.0, None, None);
        while start < within && (entry.is_none() || (ray.begins_inside && exit.is_none())) {
            let from = ray.from + ray.way * start;
            let Some(hit) = self.tree.first_hit(from, ray.way, within - start) else {
                break;
            };
            let border = if hit.leaves { &mut exit } else { &mut entry };
            border.get_or_insert(hit.triangle);
            start += hit.distance + GRAZE;
        }
        entry.into_iter().chain(exit.filter(|_| ray.begins_inside))
    }
}

/// From a field's axis through one of its cells.
struct Ray {
    from: DVec3,
    way: DVec3,
    begins_inside: bool,
}

/// Which joint hangs on which.
struct Bones {
    parents: Vec<Option<usize>>,
}

impl Bones {
    fn new(skeleton: &Skeleton) -> Self {
        let joints = 0..skeleton.joints.len();
        Self {
            parents: joints
                .map(|joint_ix| skeleton::parent(skeleton, joint_ix))
                .collect(),
        }
    }

    /// A joint and all above it.
    fn up(&self, joint_ix: usize) -> impl Iterator<Item = usize> {
        successors(Some(joint_ix), |&joint_ix| self.parents[joint_ix])
    }

    /// Bones on the way from one joint to another; the most there can be where there is no way.
    fn between(&self, a: u32, b: u32) -> usize {
        let meet = |(bones, ancestor)| {
            let others = self
                .up(b as usize)
                .position(|joint_ix| joint_ix == ancestor);
            Some(bones + others?)
        };
        self.up(a as usize)
            .enumerate()
            .find_map(meet)
            .unwrap_or(usize::MAX)
    }
}

/// The bind pose, and the character bent in all six directions, a third of its joints at a time. The joint that carries all others
/// stays.
fn poses(skeleton: &Skeleton, bones: &Bones) -> Vec<Pose> {
    let bind = bind_pose(skeleton);
    let world_from_node = world_from_nodes(skeleton, &bind, Mat4::IDENTITY);
    let axes = Vec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
    let turns = axes.flat_map(|axis| BENDS.map(|bend| Quat::from_axis_angle(axis, bend)));
    let all = turns.flat_map(|turn| (0..BENT_EVERY).map(move |phase| (turn, phase)));
    let bent = |(turn, phase): (Quat, usize)| {
        let mut pose = bind.clone();
        for (joint_ix, joint) in skeleton.joints.iter().enumerate() {
            let depth = bones.up(joint_ix).count();
            if depth > 1 && depth % BENT_EVERY == phase {
                let (_, world_from_local, _) =
                    world_from_node[joint.node_ix].to_scale_rotation_translation();
                let local_turn = world_from_local.inverse() * turn * world_from_local;
                pose.locals[joint.node_ix].rotation *= local_turn;
            }
        }
        pose
    };
    let mut poses: Vec<Pose> = all.map(bent).collect();
    poses.push(bind);
    poses
}
