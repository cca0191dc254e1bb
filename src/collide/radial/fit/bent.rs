//! Which skin an axis sees once joints bend.
//!
//! The fit itself looks at the bind pose alone. A raised arm or a bent knee brings skin before an axis that the bind
//! pose hides, often skin that the joint does not move at all; without it the field has holes just where limbs meet. So
//! the character is bent a little in every direction, and whatever ends the body as seen from an axis joins its field. So does
//! the skin through which rays from the axis come into the body, whether they left it before or the axis has run out of it: by
//! that a cell [knows](crate::collide::radial::cell) that skin behind it is not part of the field's limb.

use super::body::Body;
use super::region::Region;
use super::skeleton::Kinship;
use crate::avatar::Skeleton;
use crate::collide::radial::field::FieldDef;
use crate::math::cylinder::direction;
use crate::math::triangle_tree::{Hit, TriangleTree};
use crate::pose::{Palette, Pose, bind_pose, world_from_nodes};
use crate::skin::bake::bake;
use glam::{DVec3, Mat4, Quat, Vec3};
use rayon::prelude::*;
use std::iter::{from_fn, successors};

/// Radians by which joints are bent. Usually 0.6 and 1.2, half and most of what a shoulder does; without large ones
/// armpits keep holes, beyond 2 limbs are pushed through the body.
const BENDS: [f32; 2] = [0.6, 1.2];

/// Only every n-th joint of a chain bends at once, so that spines do not roll up.
const BENT_EVERY: usize = 3;

/// Cells between two rays, both ways. 1 takes four times as long for next to nothing.
const STRIDE: usize = 2;

/// Bones between a field's joint and the skin it may borrow. More holds air between a hand and the belly.
const MAX_BONES: usize = 2;

/// Metres by which a ray steps past the skin it has just met.
const GRAZE: f64 = 1e-5;

/// Error each patch seen as a dipole may add at worst to the winding number by which shells are counted. Usually 0.03, which
/// comes to a few hundredths in all; rounding to whole shells needs no more.
const DEPTH_TOLERANCE: f64 = 3e-2;

type Triangle = [u32; 3];

/// The triangles that each field's axis sees in some bent pose, in the order of the mesh.
pub fn seen(body: &Body, fields: &[FieldDef]) -> Vec<Vec<Triangle>> {
    let regions = Region::all(body, fields);
    let by_pose: Vec<Vec<Vec<u32>>> = poses(&body.avatar.skeleton, &body.kinship)
        .par_iter()
        .map(|pose| seen_in(body, fields, &regions, pose))
        .collect();
    let in_any_pose = |field_ix: usize| {
        let met = by_pose.iter().flat_map(|by_field| &by_field[field_ix]);
        closed(body, &ordered(met.copied().collect()))
    };
    (0..fields.len()).into_par_iter().map(in_any_pose).collect()
}

/// The vertices of the triangles that each field's axis sees in one pose.
fn seen_in(body: &Body, fields: &[FieldDef], regions: &[Region], pose: &Pose) -> Vec<Vec<u32>> {
    let palette = Palette::new(&body.avatar.skeleton, pose, Mat4::IDENTITY);
    let positions = bake(&body.avatar.skin, &palette).positions;
    let mut by_field = vec![Vec::new(); fields.len()];
    for region in regions {
        let bent = Bent {
            tree: region.posed(&positions),
            body,
            world_from_bone: &palette.world_from_bone,
        };
        let places = region.fields.par_iter();
        let seen: Vec<_> = places.map(|&ix| (ix, bent.seen(&fields[ix]))).collect();
        for (field_ix, vertices) in seen {
            by_field[field_ix] = vertices;
        }
    }
    by_field
}

/// In order, each once.
fn ordered(mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The triangles that were met, by the vertices of them all, and those between them that every ray missed.
fn closed(body: &Body, vertices: &[u32]) -> Vec<Triangle> {
    let near = vertices.iter().flat_map(|&vertex| body.at_vertex(vertex));
    let near = ordered(near.copied().collect());
    let is_met = |vertex: &u32| vertices.binary_search(vertex).is_ok();
    let triangles = near.into_iter().map(|ix| body.triangles[ix as usize]);
    triangles
        .filter(|triangle| triangle.iter().all(is_met))
        .collect()
}

/// A region of a body in one pose.
struct Bent<'a> {
    tree: TriangleTree,
    body: &'a Body<'a>,
    world_from_bone: &'a [Mat4],
}

impl Bent<'_> {
    /// The vertices of what the rays through a field's cells meet: where they first leave the body, and where they first come
    /// into it.
    fn seen(&self, field: &FieldDef) -> Vec<u32> {
        let world_from_bone = self.world_from_bone[field.joint_ix as usize];
        let world_from_field = world_from_bone * field.bone_from_field;
        let centres = |count: u32| {
            let cells = (0..count).step_by(STRIDE);
            cells.map(move |ix| (ix as f32 + 0.5) / count as f32)
        };
        let on_axis: Vec<DVec3> = centres(field.height)
            .map(|z| world_from_field.transform_point3(Vec3::Z * z).as_dvec3())
            .filter(|from| from.is_finite())
            .collect();
        let across =
            |revolution: f32| world_from_field.transform_vector3(direction(revolution).extend(0.0));
        let depths = self.depths(&on_axis);
        let rays = |(&from, depth): (&DVec3, i32)| {
            centres(field.width).map(move |revolution| Ray {
                from,
                direction: across(revolution).as_dvec3(),
                depth,
            })
        };
        let is_near = |triangle: &Triangle| {
            let other = self.body.main_joint(triangle);
            self.body.kinship.are_near(field.joint_ix, other)
        };
        let met = (on_axis.iter().zip(depths))
            .flat_map(rays)
            .flat_map(|ray| self.borders(&ray, f64::from(field.radius)))
            .filter(is_near);
        ordered(met.flatten().collect())
    }

    /// In how many shells each of some points along a line lies: crossings from one to the next are counted, which is quicker
    /// than to ask for each. Where the count does not come out at the end, as in skin with holes, each is asked for.
    fn depths(&self, points: &[DVec3]) -> Vec<i32> {
        let [first, .., last] = points else {
            return points.iter().map(|&point| self.depth(point)).collect();
        };
        let mut depths = vec![self.depth(*first)];
        for pair in points.windows(2) {
            depths.push(depths[depths.len() - 1] + self.crossed(pair[0], pair[1]));
        }
        if depths[depths.len() - 1] == self.depth(*last) {
            return depths;
        }
        points.iter().map(|&point| self.depth(point)).collect()
    }

    /// In how many shells a point lies.
    fn depth(&self, point: DVec3) -> i32 {
        let winding = self.tree.winding(point, DEPTH_TOLERANCE);
        winding.number.round() as i32
    }

    /// How many more shells are entered than left on the way between two points.
    fn crossed(&self, from: DVec3, to: DVec3) -> i32 {
        let direction = to - from;
        let graze = GRAZE / direction.length().max(GRAZE);
        let met = self.met(from, direction, 1.0, graze);
        met.map(|hit| if hit.leaves { -1 } else { 1 }).sum()
    }

    /// What a ray meets, one after the other, within so many lengths of its direction, of which it steps `graze` past each. Ends where it
    /// meets the same again: coordinates are too coarse there for it to get on.
    fn met(
        &self,
        from: DVec3,
        direction: DVec3,
        within: f64,
        graze: f64,
    ) -> impl Iterator<Item = Hit> {
        let (mut start, mut last) = (0.0, None);
        from_fn(move || {
            let ahead = from + direction * start;
            let hit = (start < within)
                .then(|| self.tree.first_hit(ahead, direction, within - start))
                .flatten()?;
            start += hit.distance + graze;
            (last.replace(hit.triangle) != Some(hit.triangle)).then_some(hit)
        })
    }

    /// The first triangle through which a ray comes into the body, and, if it begins inside, the first through which it leaves.
    /// What it crosses within another shell does not count.
    fn borders(&self, ray: &Ray, within: f64) -> impl Iterator<Item = Triangle> + use<> {
        let (mut entry, mut exit) = (None, None);
        let (begins_inside, mut depth) = (ray.depth > 0, ray.depth);
        for hit in self.met(ray.from, ray.direction, within, GRAZE) {
            depth += if hit.leaves { -1 } else { 1 };
            let is_within = self.body.is_layered() && depth > i32::from(!hit.leaves);
            if !is_within {
                let border = if hit.leaves { &mut exit } else { &mut entry };
                border.get_or_insert(hit.triangle);
            }
            if entry.is_some() && (exit.is_some() || !begins_inside) {
                break;
            }
        }
        entry.into_iter().chain(exit.filter(|_| begins_inside))
    }
}

/// From a field's axis through one of its cells.
struct Ray {
    from: DVec3,
    direction: DVec3,
    /// In how many shells it begins.
    depth: i32,
}

impl Kinship {
    /// A joint and all above it.
    fn up(&self, joint_ix: usize) -> impl Iterator<Item = usize> {
        successors(Some(joint_ix), |&joint_ix| self.parents[joint_ix])
    }

    /// Whether there are no more than [`MAX_BONES`] bones on the way from one joint to another.
    pub fn are_near(&self, a: u32, b: u32) -> bool {
        let others = |bones| self.up(b as usize).take(MAX_BONES + 1 - bones);
        self.up(a as usize)
            .take(MAX_BONES + 1)
            .enumerate()
            .any(|(bones, ancestor)| others(bones).any(|other| other == ancestor))
    }
}

/// The bind pose, and the character bent in all six directions, a third of its joints at a time. The joint that carries all others
/// stays.
fn poses(skeleton: &Skeleton, kinship: &Kinship) -> Vec<Pose> {
    let bind = bind_pose(skeleton);
    let world_from_node = world_from_nodes(skeleton, &bind, Mat4::IDENTITY);
    let axes = Vec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
    let revolutions = axes.flat_map(|axis| BENDS.map(|bend| Quat::from_axis_angle(axis, bend)));
    let all = revolutions.flat_map(|rotation| (0..BENT_EVERY).map(move |phase| (rotation, phase)));
    let bent = |(rotation, phase): (Quat, usize)| {
        let mut pose = bind.clone();
        for (joint_ix, joint) in skeleton.joints.iter().enumerate() {
            let depth = kinship.depths[joint_ix];
            if depth > 1 && depth % BENT_EVERY == phase {
                let (_, world_from_local, _) =
                    world_from_node[joint.node_ix].to_scale_rotation_translation();
                let local_rotation = world_from_local.inverse() * rotation * world_from_local;
                pose.locals[joint.node_ix].rotation *= local_rotation;
            }
        }
        pose
    };
    let mut poses: Vec<Pose> = all.map(bent).collect();
    poses.push(bind);
    poses
}
