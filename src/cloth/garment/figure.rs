//! A person of capsules, for tests: quick to make, and free of everything but the house's own types.

use crate::avatar::{Avatar, Joint, MAX_INFLUENCES, Node, SkinMesh, Transform};
use glam::{Mat4, Vec2, Vec3};

use super::field::{Field, Grid, smooth_min};
use super::isosurface::isosurface;

/// Name, parent, place on the left side (x = 0: in the middle), end of the bone and its radius.
type LeftBone = (&'static str, &'static str, [f32; 3], [f32; 3], f32);

const BONES: [LeftBone; 12] = [
    ("pelvis", "", [0.0, 0.95, 0.0], [0.0, 0.97, 0.0], 0.135),
    (
        "spine_01",
        "pelvis",
        [0.0, 1.07, 0.0],
        [0.0, 1.15, 0.0],
        0.125,
    ),
    (
        "spine_02",
        "spine_01",
        [0.0, 1.2, 0.0],
        [0.0, 1.32, 0.0],
        0.13,
    ),
    (
        "neck_01",
        "spine_02",
        [0.0, 1.47, -0.02],
        [0.0, 1.56, 0.0],
        0.055,
    ),
    ("head", "neck_01", [0.0, 1.58, 0.0], [0.0, 1.68, 0.02], 0.09),
    (
        "clavicle_l",
        "spine_02",
        [0.02, 1.42, 0.0],
        [0.15, 1.4, -0.01],
        0.065,
    ),
    (
        "upperarm_l",
        "clavicle_l",
        [0.18, 1.4, -0.02],
        [0.38, 1.2, -0.03],
        0.05,
    ),
    (
        "lowerarm_l",
        "upperarm_l",
        [0.38, 1.2, -0.03],
        [0.56, 1.02, 0.0],
        0.04,
    ),
    (
        "hand_l",
        "lowerarm_l",
        [0.56, 1.02, 0.0],
        [0.64, 0.94, 0.02],
        0.035,
    ),
    (
        "thigh_l",
        "pelvis",
        [0.09, 0.91, 0.0],
        [0.12, 0.5, 0.01],
        0.075,
    ),
    (
        "calf_l",
        "thigh_l",
        [0.12, 0.5, 0.01],
        [0.14, 0.09, -0.02],
        0.05,
    ),
    (
        "foot_l",
        "calf_l",
        [0.14, 0.09, -0.02],
        [0.14, 0.03, 0.12],
        0.04,
    ),
];

struct Bone {
    name: String,
    parent: Option<usize>,
    from: Vec3,
    to: Vec3,
    radius: f32,
}

/// A person about 1.77 m tall, in an A-pose, with the joint names of MakeHuman's game rig.
pub(super) fn capsule_person() -> Avatar {
    let bones = bones();
    let grid = Grid::over(
        Vec3::new(-0.75, -0.05, -0.25),
        Vec3::new(0.75, 1.85, 0.25),
        0.02,
    );
    let surface = isosurface(&Field::from_fn(grid, |_, point| {
        let distances = bones.iter().map(|bone| bone.distance(point));
        distances.fold(1.0, |all, distance| smooth_min(all, distance, 0.03))
    }));
    let nearest_bone = |point: Vec3| {
        let order = |&a: &usize, &b: &usize| {
            bones[a]
                .distance(point)
                .total_cmp(&bones[b].distance(point))
        };
        (0..bones.len()).min_by(order).unwrap_or(0) as u16
    };
    let count = surface.positions.len();
    let first = |joint_ix: u16| std::array::from_fn(|slot| if slot == 0 { joint_ix } else { 0 });
    let mut weights = [0.0; MAX_INFLUENCES];
    weights[0] = 1.0;
    let mut avatar = Avatar {
        name: "capsule person".to_owned(),
        ..Avatar::default()
    };
    avatar.skin = SkinMesh {
        normals: surface.vertex_normals(),
        uvs: vec![Vec2::ZERO; count],
        joints: surface
            .positions
            .iter()
            .map(|&point| first(nearest_bone(point)))
            .collect(),
        weights: vec![weights; count],
        positions: surface.positions,
        triangles: surface.triangles,
    };
    for (node_ix, bone) in bones.iter().enumerate() {
        let origin = bone.parent.map_or(Vec3::ZERO, |parent| bones[parent].from);
        let rest = Transform::from_translation(bone.from - origin);
        avatar.skeleton.nodes.push(Node {
            name: bone.name.clone(),
            parent: bone.parent,
            rest,
        });
        avatar.skeleton.joints.push(Joint {
            node_ix,
            bone_from_bind: Mat4::from_translation(-bone.from),
        });
    }
    avatar
}

impl Bone {
    fn distance(&self, point: Vec3) -> f32 {
        let along = self.to - self.from;
        let part = ((point - self.from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        point.distance(self.from + part * along) - self.radius
    }
}

/// The bones of both sides, parents before children.
fn bones() -> Vec<Bone> {
    let mut bones: Vec<Bone> = Vec::new();
    for mirror in [1.0, -1.0] {
        for (name, parent, from, to, radius) in BONES {
            let is_paired = name.ends_with("_l");
            if !is_paired && mirror < 0.0 {
                continue;
            }
            let side = |name: &str| {
                if mirror < 0.0 {
                    name.replace("_l", "_r")
                } else {
                    name.to_owned()
                }
            };
            let turn = Vec3::new(mirror, 1.0, 1.0);
            bones.push(Bone {
                name: side(name),
                parent: bones.iter().position(|bone| bone.name == side(parent)),
                from: turn * Vec3::from(from),
                to: turn * Vec3::from(to),
                radius,
            });
        }
    }
    bones
}

/// The same character with every joint's place and every vertex moved by a similarity.
pub(super) fn moved(mut avatar: Avatar, moved_from_bind: Mat4) -> Avatar {
    for position in &mut avatar.skin.positions {
        *position = moved_from_bind.transform_point3(*position);
    }
    for joint in &mut avatar.skeleton.joints {
        joint.bone_from_bind *= moved_from_bind.inverse();
    }
    avatar
}
