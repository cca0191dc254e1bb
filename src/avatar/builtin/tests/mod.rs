//! What the characters promise: closed symmetric meshes, the game rig, skin that bends and does not bleed.

mod mesh;
mod skin;
mod steps;

use super::*;
use crate::avatar::{Skeleton, SkinMesh};
use glam::Vec3;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

static LOW: LazyLock<Avatar> = LazyLock::new(|| mannequin(Detail::Low));
static OGRE: LazyLock<Avatar> = LazyLock::new(ogre);

fn both() -> [&'static Avatar; 2] {
    [&LOW, &OGRE]
}

/// How often each directed edge is used.
fn directed_edges(triangles: &[[u32; 3]]) -> BTreeMap<[u32; 2], usize> {
    let mut uses = BTreeMap::new();
    for &[a, b, c] in triangles {
        for edge in [[a, b], [b, c], [c, a]] {
            *uses.entry(edge).or_default() += 1;
        }
    }
    uses
}

/// Vertices minus edges plus triangles, or what is wrong with the mesh.
fn euler_number(mesh: &SkinMesh) -> Result<i64, String> {
    let uses = directed_edges(&mesh.triangles);
    for ([a, b], count) in &uses {
        if *count != 1 || !uses.contains_key(&[*b, *a]) {
            return Err(format!("edge {a}-{b} is used {count} times, or open"));
        }
    }
    let used: BTreeSet<u32> = mesh.triangles.iter().flatten().copied().collect();
    if used.len() != mesh.positions.len() {
        return Err("there are vertices without triangles".to_owned());
    }
    Ok(mesh.positions.len() as i64 - uses.len() as i64 / 2 + mesh.triangles.len() as i64)
}

/// Whether the triangles round each vertex form one fan.
fn fans_are_whole(mesh: &SkinMesh) -> bool {
    let mut next = vec![BTreeMap::new(); mesh.positions.len()];
    for &[a, b, c] in &mesh.triangles {
        for [tip, from, to] in [[a, b, c], [b, c, a], [c, a, b]] {
            next[tip as usize].insert(from, to);
        }
    }
    next.iter().all(|ring| {
        let Some(&start) = ring.keys().next() else {
            return false;
        };
        let (mut at, mut steps) = (ring[&start], 1);
        while at != start && steps <= ring.len() {
            (at, steps) = (ring[&at], steps + 1);
        }
        steps == ring.len()
    })
}

fn volume(positions: &[Vec3], triangles: &[[u32; 3]]) -> f32 {
    let corner = |v: u32| positions[v as usize];
    triangles
        .iter()
        .map(|&[a, b, c]| corner(a).dot(corner(b).cross(corner(c))) / 6.0)
        .sum()
}

fn joint_ix(skeleton: &Skeleton, name: &str) -> usize {
    skeleton
        .joints
        .iter()
        .position(|joint| skeleton.nodes[joint.node_ix].name == name)
        .expect(name)
}

fn joint_position(skeleton: &Skeleton, name: &str) -> Vec3 {
    -skeleton.joints[joint_ix(skeleton, name)]
        .bone_from_bind
        .w_axis
        .truncate()
}
