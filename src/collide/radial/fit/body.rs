//! The body as input of the fit: its skin in the bind pose, without the pockets that nothing outside can touch.

use super::incidence::Incidence;
use super::shells::Shells;
use super::skeleton::Kinship;
use crate::avatar::{Avatar, MAX_INFLUENCES, SkinMesh};
use crate::math::cylinder::across;
use crate::math::triangle_tree::TriangleTree;
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use std::f64::consts::{PI, TAU};

/// Directions tried from a triangle before it is taken to be in a pocket. Fewer fill armpits, more take longer.
const RAYS: usize = 48;

/// Metres a ray starts above its own triangle.
const LIFT: f64 = 1e-5;

/// An avatar and the part of its skin that fields are made of.
pub struct Body<'a> {
    pub avatar: &'a Avatar,
    /// The triangles that something outside can touch, in the order of the mesh. The inside of a mouth would hide the
    /// jaw from any axis, and no cloth ever gets there.
    pub triangles: Vec<[u32; 3]>,
    /// Over those triangles.
    pub tree: TriangleTree,
    pub kinship: Kinship,
    pub shells: Shells,
    /// For each of the triangles in how many shells its front lies; empty for a body of one shell.
    over: Vec<u8>,
    /// Those of the triangles that each joint moves, by their place in the list.
    moved_by: Incidence,
    /// Those of the triangles that lie at each vertex, by their place in the list.
    at_vertex: Incidence,
}

impl<'a> Body<'a> {
    pub fn new(avatar: &'a Avatar) -> Self {
        let skin = &avatar.skin;
        let whole = TriangleTree::new(&skin.positions, &skin.triangles);
        let open: Vec<bool> = skin
            .triangles
            .par_iter()
            .map(|&triangle| is_open(skin, &whole, triangle))
            .collect();
        let triangles: Vec<_> = skin
            .triangles
            .iter()
            .zip(open)
            .filter(|(_, open)| *open)
            .map(|(t, _)| *t)
            .collect();
        let tree = if triangles.len() == skin.triangles.len() {
            whole
        } else {
            TriangleTree::new(&skin.positions, &triangles)
        };
        let shells = Shells::new(skin);
        let over = if shells.count > 1 {
            let over = |triangle: &[u32; 3]| shells_over(skin, &tree, *triangle);
            triangles.par_iter().map(over).collect()
        } else {
            Vec::new()
        };
        Self {
            avatar,
            over,
            tree,
            kinship: Kinship::new(&avatar.skeleton),
            shells,
            moved_by: moved_by(skin, &triangles, avatar.skeleton.joints.len()),
            at_vertex: Incidence::new(skin.positions.len(), triangles.len(), |ix, at| {
                let [a, b, c] = triangles[ix].map(|v| v as usize);
                at(a);
                (b != a).then(|| at(b));
                (c != a && c != b).then(|| at(c));
            }),
            triangles,
        }
    }

    /// Whether shells may lie in each other, so that a ray which leaves one may still be in another.
    pub fn is_layered(&self) -> bool {
        self.shells.count > 1
    }

    /// Places in the list of the triangles that a joint moves, however little, in the order of the mesh.
    pub fn moved_by(&self, joint_ix: usize) -> impl Iterator<Item = usize> {
        self.moved_by.of(joint_ix).iter().map(|&ix| ix as usize)
    }

    /// The joint that a triangle is assigned to.
    pub fn main_joint(&self, triangle: &[u32; 3]) -> u32 {
        u32::from(self.avatar.skin.joints[triangle[0] as usize][0])
    }

    /// In how many shells the front of a triangle lies, by its place in the list.
    pub fn over(&self, ix: usize) -> i32 {
        self.over.get(ix).map_or(0, |&over| i32::from(over))
    }

    /// Places in the list of the triangles that lie at a vertex.
    pub fn at_vertex(&self, vertex: u32) -> &[u32] {
        self.at_vertex.of(vertex as usize)
    }
}

/// Crossings that are examined on the way out: more shells than that lie in each other nowhere.
const MAX_CROSSINGS: usize = 64;

/// In how many shells the front of a triangle lies: a closed one is left once more than it is entered.
fn shells_over(skin: &SkinMesh, tree: &TriangleTree, triangle: [u32; 3]) -> u8 {
    let [a, b, c] = triangle.map(|v| skin.positions[v as usize].as_dvec3());
    let Some(offset) = (b - a).cross(c - a).try_normalize() else {
        return 0;
    };
    let (mut from, mut depth) = ((a + b + c) / 3.0 + offset * LIFT, 0);
    for _ in 0..MAX_CROSSINGS {
        let Some(hit) = tree.first_hit(from, offset, f64::INFINITY) else {
            break;
        };
        depth += if hit.leaves { 1 } else { -1 };
        from += offset * (hit.distance + LIFT);
    }
    depth.clamp(0, i32::from(u8::MAX)) as u8
}

fn moved_by(skin: &SkinMesh, triangles: &[[u32; 3]], joint_count: usize) -> Incidence {
    Incidence::new(joint_count, triangles.len(), |ix, at| {
        let mut joints = [0; 3 * MAX_INFLUENCES];
        let mut count = 0;
        for vertex in triangles[ix].map(|v| v as usize) {
            let influences = skin.joints[vertex].iter().zip(skin.weights[vertex]);
            for (&joint, _) in influences.filter(|(_, weight)| *weight > 0.0) {
                if !joints[..count].contains(&joint) {
                    joints[count] = joint;
                    count += 1;
                }
            }
        }
        joints[..count]
            .iter()
            .for_each(|&joint| at(usize::from(joint)));
    })
}

/// Whether a triangle can be touched from outside: in some direction nothing hides it that could not move away. Skin
/// that another joint's skin hides counts as open, because it may not be hidden for long.
fn is_open(skin: &SkinMesh, tree: &TriangleTree, triangle: [u32; 3]) -> bool {
    let [a, b, c] = triangle.map(|v| skin.positions[v as usize]);
    let Some(normal) = (b - a).cross(c - a).try_normalize() else {
        return false;
    };
    let from = ((a + b + c) / 3.0).as_dvec3() + normal.as_dvec3() * LIFT;
    let main_joint = |triangle: [u32; 3]| skin.joints[triangle[0] as usize][0];
    let escapes = |direction: DVec3| {
        let hit = tree.first_hit(from, direction, f64::INFINITY);
        hit.is_none_or(|hit| main_joint(hit.triangle) != main_joint(triangle))
    };
    escapes(normal.as_dvec3()) || (0..RAYS).any(|ix| escapes(above(normal, ix)))
}

/// The `ix`th of evenly spread directions on the hemisphere round `normal`: a spiral by the golden angle.
fn above(normal: Vec3, ix: usize) -> DVec3 {
    let rise = 1.0 - (ix as f64 + 0.5) / RAYS as f64;
    let azimuth = ix as f64 * (3.0 - 5.0f64.sqrt()) * PI % TAU;
    let u = across(normal).as_dvec3();
    let v = normal.as_dvec3().cross(u);
    (u * azimuth.cos() + v * azimuth.sin()) * (1.0 - rise * rise).sqrt() + normal.as_dvec3() * rise
}
