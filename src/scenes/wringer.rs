//! A rig that twists a sheet between two bars and lets it go again.

use glam::{Mat4, Quat, Vec2, Vec3};

use super::performance::smooth;
use crate::avatar::{
    Avatar, Clip, Interpolation, Joint, MAX_INFLUENCES, NamedSkin, Node, Part, Skeleton, SkinMesh,
    Track, TrackValues, Transform,
};
use crate::cloth::garment::level_sheet;
use crate::solid::study::triangulated;

/// Metres: height of the bars, how far each is from the middle, half its length and its radius.
const HEIGHT: f32 = 1.2;
const REACH: f32 = 0.45;
const HALF_BAR: f32 = 0.2;
const RADIUS: f32 = 0.015;
/// Metres that each bar comes nearer to the middle while the sheet is twisted, which it makes shorter.
const INWARD: f32 = 0.13;
/// Turns of each bar, one way on the left and the other on the right.
const TURNS: f32 = 1.25;
/// Seconds: from when it twists, until it is twisted, until it lets go, until it is as before, and until it begins anew.
const TIMES: [f32; 5] = [0.5, 4.5, 5.5, 9.5, 10.0];
/// Rotations are interpolated the short way: keys are less than half a turn apart.
const KEYS_PER_SECOND: f32 = 10.0;

/// Joints of the bars; 0 carries the stand.
const BARS: [u16; 2] = [1, 2];
/// +X is the left.
const SIDES: [f32; 2] = [1.0, -1.0];

const STEEL: [f32; 4] = [0.25, 0.26, 0.28, 1.0];

/// Metres between the sheet's ends and the bars that hold them: twice what cloth keeps off.
const GAP: f32 = 0.01;
const SHEET_WIDTH: f32 = 0.3;

/// A stand as high as a person, and two bars on it that turn.
pub(super) fn wringer() -> Avatar {
    let mut skin = SkinMesh::default();
    add_piece(
        &mut skin,
        0,
        stand,
        [Vec3::new(-0.75, -0.02, -0.25), Vec3::new(0.75, 1.5, 0.25)],
        0.02,
    );
    for (joint_ix, side) in BARS.into_iter().zip(SIDES) {
        let middle = Vec3::new(side * REACH, HEIGHT, 0.0);
        let reach = Vec3::new(0.02, 0.02, HALF_BAR + 0.02);
        // Its arm goes through the post.
        let ends = [middle - reach, middle + reach].map(|at| at + 0.2 * side * Vec3::X);
        let box_of = [ends[0].min(middle - reach), ends[1].max(middle + reach)];
        let bar = move |at: Vec3| {
            let along = at.z.clamp(-HALF_BAR, HALF_BAR);
            let bar = at.distance(middle.with_z(along)) - RADIUS;
            let out = (side * (at.x - middle.x)).clamp(0.0, 0.2);
            let arm = at.distance(middle + side * out * Vec3::X) - RADIUS;
            bar.min(arm)
        };
        add_piece(&mut skin, joint_ix, bar, box_of, 0.006);
    }
    let triangle_count = skin.triangles.len() as u32;
    Avatar {
        name: "wringer".to_owned(),
        skeleton: skeleton(),
        parts: vec![Part {
            triangles: 0..triangle_count,
            base_colour: STEEL,
            texture_ix: None,
            alpha_cutoff: 0.0,
        }],
        skin,
        clips: vec![clip()],
        garments: vec![sheet_between_bars()],
        ..Avatar::default()
    }
}

/// A plate on the floor and a post on either side.
fn stand(at: Vec3) -> f32 {
    let cuboid = |middle: Vec3, half_size: Vec3| {
        let past = (at - middle).abs() - half_size;
        past.max(Vec3::ZERO).length() + past.max_element().min(0.0)
    };
    let plate = cuboid(0.02 * Vec3::Y, Vec3::new(0.7, 0.02, 0.2));
    let post = |x: f32| cuboid(Vec3::new(x, 0.73, 0.0), Vec3::new(0.025, 0.73, 0.04));
    plate.min(post(0.6)).min(post(-0.6))
}

/// Adds a surface that goes with one joint.
fn add_piece(
    skin: &mut SkinMesh,
    joint_ix: u16,
    height: impl Fn(Vec3) -> f32 + Sync,
    within: [Vec3; 2],
    edge: f32,
) {
    let surface = triangulated(&height, within, edge);
    let first = skin.positions.len() as u32;
    let count = surface.positions.len();
    let normal = |at: &Vec3| {
        let slope = |axis: Vec3| height(at + 1e-3 * axis) - height(at - 1e-3 * axis);
        Vec3::new(slope(Vec3::X), slope(Vec3::Y), slope(Vec3::Z)).normalize_or(Vec3::Y)
    };
    skin.normals.extend(surface.positions.iter().map(normal));
    skin.uvs.extend(vec![Vec2::ZERO; count]);
    let (joints, weights) = held_by([(joint_ix, 1.0), (0, 0.0)]);
    skin.joints.extend(vec![joints; count]);
    skin.weights.extend(vec![weights; count]);
    skin.positions.extend(surface.positions);
    let moved = surface.triangles.into_iter();
    skin.triangles
        .extend(moved.map(|triangle| triangle.map(|ix| ix + first)));
}

/// Influences of two joints, the stronger first.
fn held_by(mut by: [(u16, f32); 2]) -> ([u16; MAX_INFLUENCES], [f32; MAX_INFLUENCES]) {
    by.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (mut joints, mut weights) = ([0; MAX_INFLUENCES], [0.0; MAX_INFLUENCES]);
    for (slot, (joint_ix, weight)) in by.into_iter().enumerate().filter(|(_, by)| by.1 > 0.0) {
        (joints[slot], weights[slot]) = (joint_ix, weight);
    }
    (joints, weights)
}

fn skeleton() -> Skeleton {
    let node = |name: &str, parent, at: Vec3| Node {
        name: name.to_owned(),
        parent,
        rest: Transform::from_translation(at),
    };
    let places = SIDES.map(|side| Vec3::new(side * REACH, HEIGHT, 0.0));
    let joint = |(node_ix, at): (usize, Vec3)| Joint {
        node_ix,
        bone_from_bind: Mat4::from_translation(-at),
    };
    Skeleton {
        nodes: vec![
            node("stand", None, Vec3::ZERO),
            node("bar_l", Some(0), places[0]),
            node("bar_r", Some(0), places[1]),
        ],
        joints: [(0, Vec3::ZERO), (1, places[0]), (2, places[1])]
            .map(joint)
            .to_vec(),
    }
}

/// Twists, waits and lets go; its end is its beginning.
fn clip() -> Clip {
    let [begins, twisted, lets_go, ends, last] = TIMES;
    let share = |seconds: f32| {
        let on = ((seconds - begins) / (twisted - begins)).clamp(0.0, 1.0);
        let off = ((seconds - lets_go) / (ends - lets_go)).clamp(0.0, 1.0);
        smooth(on) - smooth(off)
    };
    let keys = (last * KEYS_PER_SECOND).round() as u32;
    let times: Vec<f32> = (0..=keys).map(|key| key as f32 / KEYS_PER_SECOND).collect();
    let tracks = BARS.into_iter().zip(SIDES).flat_map(|(joint_ix, side)| {
        let at = |share: f32| Vec3::new(side * (REACH - INWARD * share), HEIGHT, 0.0);
        let turn = |share: f32| Quat::from_rotation_x(side * TURNS * share * std::f32::consts::TAU);
        let shares = || times.iter().map(|&seconds| share(seconds));
        let track = |values| Track {
            node_ix: usize::from(joint_ix),
            interpolation: Interpolation::Linear,
            times: times.clone(),
            values,
        };
        [
            track(TrackValues::Translation(shares().map(at).collect())),
            track(TrackValues::Rotation(shares().map(turn).collect())),
        ]
    });
    Clip {
        name: "wring".to_owned(),
        duration: last,
        tracks: tracks.collect(),
    }
}

/// Particles of the sheet.
const PARTICLES: usize = 2000;

/// A sheet between the bars, which hold its ends.
fn sheet_between_bars() -> NamedSkin {
    let half_length = REACH - RADIUS - GAP;
    let size = Vec2::new(2.0 * half_length, SHEET_WIDTH);
    let mut mesh = level_sheet("sheet", HEIGHT * Vec3::Y, size, PARTICLES).mesh;
    let influences = mesh.joints.iter_mut().zip(&mut mesh.weights);
    for (at, (joints, weights)) in mesh.positions.iter().zip(influences) {
        let left = (0.5 + 0.5 * at.x / half_length).clamp(0.0, 1.0);
        (*joints, *weights) = held_by([(BARS[0], left), (BARS[1], 1.0 - left)]);
    }
    let is_end = |at: &Vec3| at.x.abs() > half_length - 1e-4;
    let farthest = |at| if is_end(at) { 0.0 } else { f32::INFINITY };
    NamedSkin {
        name: "sheet".to_owned(),
        motion: (mesh.positions.iter())
            .map(|at| [farthest(at), 0.0, 0.0])
            .collect(),
        mesh,
        parts: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::{Palette, Pose};

    #[test]
    fn its_bars_turn_against_each_other_and_come_back() {
        let avatar = wringer();
        avatar.validate().expect("it is sound");
        let bars = |seconds: f32| {
            let pose = Pose::sample(&avatar.clips[0], &avatar.skeleton, seconds);
            let palette = Palette::new(&avatar.skeleton, &pose, Mat4::IDENTITY);
            [palette.world_from_bone[1], palette.world_from_bone[2]]
        };
        for (first, last) in bars(0.0).into_iter().zip(bars(TIMES[4])) {
            assert!(first.abs_diff_eq(last, 1e-5));
        }
        // One and a quarter turns each: their axes lie across what they were, one up and one down.
        let [left, right] = bars(TIMES[1]).map(|bar| bar.transform_vector3(Vec3::Z).y);
        assert!(
            (left + 1.0).abs() < 1e-3 && (right - 1.0).abs() < 1e-3,
            "{left}, {right}"
        );
        let nearer = bars(TIMES[1])[0].w_axis.x - REACH;
        assert!((nearer + INWARD).abs() < 1e-5, "{nearer}");
    }

    #[test]
    fn its_bars_hold_the_ends_of_the_sheet() {
        let NamedSkin { mesh, motion, .. } = sheet_between_bars();
        let mut held = 0;
        for ix in (0..motion.len()).filter(|&ix| motion[ix][0] == 0.0) {
            let bar = BARS[usize::from(mesh.positions[ix].x < 0.0)];
            assert_eq!((mesh.joints[ix][0], mesh.weights[ix][0]), (bar, 1.0));
            held += 1;
        }
        assert!(held > 20 && held < 100, "{held}");
    }
}
