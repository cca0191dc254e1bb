//! The body as the fit sees it: its skin in the bind pose, without the pockets that nothing outside can touch.

use crate::avatar::{Avatar, SkinMesh};
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
        let tree = TriangleTree::new(&skin.positions, &triangles);
        Self {
            avatar,
            triangles,
            tree,
        }
    }
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
    let turn = ix as f64 * (3.0 - 5.0f64.sqrt()) * PI % TAU;
    let u = across(normal).as_dvec3();
    let v = normal.as_dvec3().cross(u);
    (u * turn.cos() + v * turn.sin()) * (1.0 - rise * rise).sqrt() + normal.as_dvec3() * rise
}
