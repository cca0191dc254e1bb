//! Toys, for tests: a body of closed pieces that reach into each other, short limbs, boots, a big head that sits on the
//! shoulders without a neck, and things that are no body.

use crate::avatar::{
    Avatar, Clip, Interpolation, Joint, MAX_INFLUENCES, Node, SkinMesh, Track, TrackValues,
    Transform,
};
use crate::math::triangle_tree::TriangleTree;
use crate::pose::{Palette, Pose};
use crate::skin::bake::bake;
use glam::{DVec3, Mat4, Quat, Vec2, Vec3};
use std::sync::OnceLock;

use super::body::{Body, Role};
use super::canvas::Canvas;
use super::field::{Field, Grid};
use super::humanoid::{Humanoid, Part, Side};
use super::isosurface::isosurface;
use super::surface::Surface;
use super::*;

/// Name, parent, place on the left side.
type LeftJoint = (&'static str, &'static str, [f32; 3]);

const JOINTS: [LeftJoint; 10] = [
    ("hips", "", [0.0, 0.34, 0.0]),
    ("chest", "hips", [0.0, 0.5, 0.0]),
    ("head", "chest", [0.0, 0.68, 0.0]),
    ("upperarm_l", "chest", [0.15, 0.58, 0.0]),
    ("lowerarm_l", "upperarm_l", [0.3, 0.58, 0.0]),
    ("hand_l", "lowerarm_l", [0.44, 0.58, 0.0]),
    ("handslot_l", "hand_l", [0.48, 0.58, 0.0]),
    ("thigh_l", "hips", [0.1, 0.32, 0.0]),
    ("calf_l", "thigh_l", [0.1, 0.2, 0.0]),
    ("foot_l", "calf_l", [0.1, 0.05, 0.0]),
];

/// A capsule that one joint moves: joint, ends, radius.
type LeftPiece = (&'static str, [f32; 3], [f32; 3], f32);

const BODY: [LeftPiece; 10] = [
    ("hips", [0.0, 0.38, 0.0], [0.0, 0.42, 0.0], 0.18),
    ("chest", [0.0, 0.48, 0.0], [0.0, 0.56, 0.0], 0.17),
    ("head", [0.0, 0.92, 0.0], [0.0, 0.96, 0.0], 0.24),
    ("upperarm_l", [0.12, 0.58, 0.0], [0.3, 0.58, 0.0], 0.06),
    ("lowerarm_l", [0.3, 0.58, 0.0], [0.42, 0.58, 0.0], 0.055),
    ("hand_l", [0.46, 0.58, 0.0], [0.48, 0.58, 0.0], 0.06),
    ("thigh_l", [0.1, 0.34, 0.0], [0.1, 0.2, 0.0], 0.06),
    ("calf_l", [0.1, 0.2, 0.0], [0.1, 0.12, 0.0], 0.05),
    ("foot_l", [0.1, 0.11, 0.0], [0.1, 0.06, 0.0], 0.07),
    ("foot_l", [0.1, 0.06, 0.0], [0.1, 0.06, 0.1], 0.06),
];

/// A sword, its pommel, a cloak of one plank, and a helmet down to the shoulders.
const CARRIED: [LeftPiece; 4] = [
    ("handslot_l", [0.48, 0.58, -0.05], [0.48, 0.58, 0.7], 0.025),
    ("handslot_l", [0.48, 0.58, -0.12], [0.48, 0.58, -0.12], 0.03),
    ("chest", [0.0, 0.55, -0.24], [0.0, 0.1, -0.3], 0.03),
    ("head", [0.0, 0.9, 0.0], [0.0, 0.96, 0.0], 0.3),
];

/// On the belt, and on the thigh.
const POUCH: LeftPiece = ("hips", [0.0, 0.4, 0.18], [0.02, 0.4, 0.18], 0.03);

/// The toy with some pieces, arms straight out or `lowered` by this many radians.
fn toy(pieces: &[LeftPiece], lowered: f32) -> Avatar {
    toy_of(&JOINTS, pieces, lowered)
}

fn toy_of(joints: &[LeftJoint], pieces: &[LeftPiece], lowered: f32) -> Avatar {
    let mut avatar = Avatar {
        name: "toy".to_owned(),
        ..Avatar::default()
    };
    for mirror in [1.0, -1.0] {
        let joints = joints
            .iter()
            .filter(|joint| mirror > 0.0 || joint.0.ends_with("_l"));
        for &(name, parent, at) in joints {
            add_joint(
                &mut avatar,
                (name, parent),
                place(name, at, lowered),
                mirror,
            );
        }
        let pieces = pieces
            .iter()
            .filter(|piece| mirror > 0.0 || piece.0.ends_with("_l"));
        for &(joint, from, to, radius) in pieces {
            let ends = [from, to].map(|at| place(joint, at, lowered));
            add_capsule(&mut avatar, &sided(joint, mirror), ends, radius, mirror);
        }
    }
    avatar
}

/// Arms turn about the shoulder.
fn place(joint: &str, at: [f32; 3], lowered: f32) -> Vec3 {
    let at = Vec3::from(at);
    if !(joint.contains("arm") || joint.contains("hand")) {
        return at;
    }
    let shoulder = Vec3::from(JOINTS[3].2);
    shoulder + Quat::from_rotation_z(-lowered) * (at - shoulder)
}

fn sided(name: &str, mirror: f32) -> String {
    match mirror < 0.0 {
        true => name.replace("_l", "_r"),
        false => name.to_owned(),
    }
}

fn node_named(avatar: &Avatar, name: &str) -> Option<usize> {
    avatar
        .skeleton
        .nodes
        .iter()
        .position(|node| node.name == name)
}

fn add_joint(avatar: &mut Avatar, (name, parent): (&str, &str), at: Vec3, mirror: f32) {
    let at = at * Vec3::new(mirror, 1.0, 1.0);
    let parent = node_named(avatar, &sided(parent, mirror));
    avatar.skeleton.nodes.push(Node {
        name: sided(name, mirror),
        parent,
        rest: Transform::IDENTITY,
    });
    avatar.skeleton.joints.push(Joint {
        node_ix: avatar.skeleton.nodes.len() - 1,
        bone_from_bind: Mat4::from_translation(-at),
    });
}

fn add_capsule(avatar: &mut Avatar, joint: &str, ends: [Vec3; 2], radius: f32, mirror: f32) {
    let turn = Vec3::new(mirror, 1.0, 1.0);
    let [from, to] = ends.map(|at| turn * at);
    let margin = Vec3::splat(radius + 0.03);
    let grid = Grid::over(
        from.min(to) - margin,
        from.max(to) + margin,
        0.2 * radius + 0.005,
    );
    let along = to - from;
    let surface = isosurface(&Field::from_fn(grid, |_, point| {
        let part = (point - from).dot(along) / along.length_squared().max(1e-9);
        point.distance(from + part.clamp(0.0, 1.0) * along) - radius
    }));
    let joint_ix = node_named(avatar, joint).expect("the toy has it") as u16;
    let skin = &mut avatar.skin;
    let (first, count) = (skin.positions.len() as u32, surface.positions.len());
    let (mut joints, mut weights) = ([0; MAX_INFLUENCES], [0.0; MAX_INFLUENCES]);
    (joints[0], weights[0]) = (joint_ix, 1.0);
    skin.normals.extend(surface.vertex_normals());
    skin.uvs.extend(vec![Vec2::ZERO; count]);
    skin.joints.extend(vec![joints; count]);
    skin.weights.extend(vec![weights; count]);
    skin.positions.extend(surface.positions);
    let moved = surface
        .triangles
        .iter()
        .map(|triangle| triangle.map(|ix| ix + first));
    skin.triangles.extend(moved);
}

fn dressed(toy: &Avatar) -> Vec<Garment> {
    make(GarmentKind::TrousersAndTop, toy, 2400).expect("a humanoid")
}

/// Radians by which the arms of the toys that tests share are lowered: straight out, and at 45 degrees.
const LOWERED: [f32; 2] = [0.0, 0.8];

/// The toy with a pouch and its clothes; `lowered_ix`: of [`LOWERED`]. Made once for all tests, for it takes seconds.
fn shared(lowered_ix: usize) -> &'static (Avatar, Vec<Garment>) {
    static TOYS: [OnceLock<(Avatar, Vec<Garment>)>; LOWERED.len()] =
        [const { OnceLock::new() }; LOWERED.len()];
    TOYS[lowered_ix].get_or_init(|| {
        let toy = toy(&[&BODY[..], &[POUCH]].concat(), LOWERED[lowered_ix]);
        let garments = dressed(&toy);
        (toy, garments)
    })
}

fn surface(garment: &Garment) -> Surface {
    Surface {
        positions: garment.mesh.positions.clone(),
        triangles: garment.mesh.triangles.clone(),
    }
}

/// Each particle's distance to the skin, negative inside.
fn heights(body: &SkinMesh, garment: &Garment) -> Vec<f64> {
    let tree = TriangleTree::new(&body.positions, &body.triangles);
    let places = garment.mesh.positions.iter().map(|at| at.as_dvec3());
    let height = |at: DVec3| {
        let nearest = tree.nearest_point(at, f64::INFINITY);
        let away = nearest.map_or(0.0, |nearest| nearest.distance);
        if tree.contains(at) { -away } else { away }
    };
    places.map(height).collect()
}

/// Loops that are hems, not slits.
fn hems(garment: &Garment) -> Vec<f32> {
    let surface = surface(garment);
    let loops = surface.border_loops();
    let mean = |border: &Vec<u32>| {
        let heights = border.iter().map(|&ix| surface.positions[ix as usize].y);
        heights.sum::<f32>() / border.len() as f32
    };
    loops.iter().map(mean).collect()
}

#[test]
fn what_a_toy_carries_is_told_from_its_body() {
    let pieces = [&BODY[..], &CARRIED, &[POUCH]].concat();
    let toy_with = toy(&pieces, 0.0);
    let found = carried(&toy_with).expect("it carries things");
    assert_eq!(found.joints, ["handslot_l", "chest", "head", "handslot_r"]);
    let mut bare = toy_with.clone();
    bare.set_aside(|ix| found.is_carried[ix]);
    let body = toy(&[&BODY[..], &[POUCH]].concat(), 0.0);
    assert_eq!(bare.skin.triangles.len(), body.skin.triangles.len());
    assert_eq!(carried(&body), None, "a body carries nothing");
    assert!(
        bare.bind_height() < 1.25,
        "a helmet does not count: {}",
        bare.bind_height()
    );
}

#[test]
fn a_body_of_pieces_gets_clothes_round_all_of_them() {
    for (toy, garments) in [0, 1].map(shared) {
        let scale = Humanoid::find(toy).expect("a humanoid").scale;
        for garment in garments {
            let heights = heights(&toy.skin, garment);
            let least = heights.iter().copied().fold(f64::INFINITY, f64::min);
            assert!(least > 0.0, "{} lies {least} m inside", garment.name);
            let furthest = heights.into_iter().fold(0.0, f64::max);
            let most = f64::from(0.16 * scale);
            assert!(furthest < most, "{} stands {furthest} m off", garment.name);
        }
    }
}

#[test]
fn sleeves_of_short_arms_stay_apart_from_the_trunk() {
    for (lowered, (_, garments)) in LOWERED.into_iter().zip([0, 1].map(shared)) {
        // Collar, hem and two sleeves; waistband and two hems.
        assert_eq!(hems(&garments[1]).len(), 4, "lowered by {lowered}");
        assert_eq!(hems(&garments[0]).len(), 3, "lowered by {lowered}");
        let head_y = Vec3::from(JOINTS[2].2).y;
        let highest = garments[1].mesh.positions.iter().map(|at| at.y);
        assert!(
            highest.fold(0.0, f32::max) < head_y + 0.03,
            "the head is bare"
        );
    }
}

#[test]
fn trousers_end_above_boots() {
    let (_, garments) = shared(0);
    let hems = hems(&garments[0]);
    let lowest = hems.iter().copied().fold(f32::INFINITY, f32::min);
    assert!((0.12..0.2).contains(&lowest), "{hems:?}");
}

#[test]
fn a_short_sleeve_rides_up_no_more_than_a_part_of_it() {
    let (toy, garments) = shared(0);
    let top = &garments[1];
    let humanoid = Humanoid::find(toy).expect("a humanoid");
    let places = top
        .mesh
        .positions
        .iter()
        .zip(&top.mesh.joints)
        .zip(&top.motion);
    let sleeve = places.filter(|((at, joints), _)| {
        at.x > 0.0 && humanoid.part_of_joint[usize::from(joints[0])].0.is_arm()
    });
    let sleeve: Vec<_> = sleeve
        .map(|((at, _), motion)| (at.x, motion.max_distance))
        .collect();
    let low = sleeve.iter().map(|at| at.0).fold(f32::INFINITY, f32::min);
    let high = sleeve.iter().map(|at| at.0).fold(0.0, f32::max);
    assert!(high - low > 0.02, "there is a sleeve");
    let most = sleeve.iter().map(|at| at.1).fold(0.0, f32::max);
    assert!(most < 0.7 * (high - low), "{most} of {}", high - low);
}

#[test]
fn cloth_slides_less_on_a_body_of_pieces() {
    let usual_slide = |avatar: &Avatar, garments: &[Garment]| {
        let scale = avatar.bind_height() / PERSON_HEIGHT;
        let mut slides: Vec<f32> = garments[0]
            .motion
            .iter()
            .map(|at| at.max_distance)
            .collect();
        slides.sort_by(f32::total_cmp);
        slides[slides.len() / 2] / (super::super::motion::SLIDE * scale)
    };
    let (toy, garments) = shared(0);
    assert!(usual_slide(toy, garments) < 0.3);
    let worn = tests::worn(GarmentKind::TrousersAndTop);
    assert!(usual_slide(&figure::capsule_person(), worn) > 0.9);
}

#[test]
fn clothes_on_a_body_of_pieces_are_made_as_far_off_it_as_they_keep() {
    let (toy, garments) = shared(1);
    for garment in garments {
        let pairs = heights(&toy.skin, garment)
            .into_iter()
            .zip(&garment.clearances);
        let nearer = pairs.filter(|(height, clearance)| *height < 0.95 * f64::from(**clearance));
        let nearer = nearer.count() as f32 / garment.clearances.len() as f32;
        assert!(nearer < 0.01, "{nearer} of the {}", garment.name);
    }
}

/// The toy with a clip of a second: as it was made up to a time, then its head tilts to the left.
fn tilting(from: f32) -> Avatar {
    let turns = [0.0, -0.8, -0.9].map(Quat::from_rotation_z);
    turning(
        shared(0).0.clone(),
        "head",
        &[from, from + 0.01, 1.0],
        &turns,
    )
}

/// A toy with a clip of a second in which one joint turns.
fn turning(mut toy: Avatar, joint: &str, times: &[f32], turns: &[Quat]) -> Avatar {
    let at = |ix: usize| {
        toy.skeleton.joints[ix]
            .bone_from_bind
            .inverse()
            .w_axis
            .truncate()
    };
    let nodes = toy.skeleton.nodes.iter().enumerate();
    let mut tracks: Vec<Track> = nodes
        .map(|(node_ix, node)| Track {
            node_ix,
            interpolation: Interpolation::Linear,
            times: vec![0.0],
            values: TrackValues::Translation(vec![
                at(node_ix) - node.parent.map_or(Vec3::ZERO, at),
            ]),
        })
        .collect();
    tracks.push(Track {
        node_ix: node_named(&toy, joint).expect("the toy has it"),
        interpolation: Interpolation::Linear,
        times: times.to_vec(),
        values: TrackValues::Rotation(turns.to_vec()),
    });
    toy.clips.push(Clip {
        name: "turn".to_owned(),
        duration: 1.0,
        tracks,
    });
    toy
}

#[test]
fn a_top_that_is_cut_for_a_clip_ends_before_a_head_that_tilts_into_it() {
    // No longer than a hand that brushes past.
    let toy = tilting(0.96);
    let pose = Pose::sample(&toy.clips[0], &toy.skeleton, 0.99);
    let palette = Palette::new(&toy.skeleton, &pose, Mat4::IDENTITY);
    let body = TriangleTree::new(&bake(&toy.skin, &palette).positions, &toy.skin.triangles);
    let buried = |garments: &[Garment]| {
        let places = bake(&garments[1].mesh, &palette).positions.into_iter();
        places.filter(|at| body.contains(at.as_dvec3())).count()
    };
    let usual = buried(&shared(0).1);
    let cut = make_for_clips(GarmentKind::TrousersAndTop, &toy, &[0], 2400).expect("a humanoid");
    assert!(
        usual > 20,
        "the head goes into a top that is cut without the clip: {usual}"
    );
    assert!(buried(&cut) < usual / 10, "{} of {usual}", buried(&cut));
    assert_eq!(
        surface(&cut[1]).largest_piece().triangles.len(),
        cut[1].mesh.triangles.len()
    );
    let nearest = cut.iter().flat_map(|garment| &garment.clearances).copied();
    let nearest = nearest.fold(f32::INFINITY, f32::min);
    assert!(nearest > 0.005, "{nearest} m off the edges of pieces");
}

/// The toy with thighs that are rods, on which it stands below its trunk.
fn on_rods() -> Avatar {
    let thin = |piece: &LeftPiece| match piece.0 {
        "thigh_l" => (piece.0, piece.1, [0.1, 0.12, 0.0], 0.015),
        "calf_l" => (piece.0, [0.1, 0.13, 0.0], piece.2, piece.3),
        _ => *piece,
    };
    toy(&BODY.map(|piece| thin(&piece)), 0.0)
}

#[test]
fn notches_between_pieces_are_filled_and_nothing_else() {
    let toy = on_rods();
    let humanoid = Humanoid::find(&toy).expect("a humanoid");
    let scale = humanoid.scale;
    let body = Body::new(&toy, humanoid);
    let role = |part, side| match (part, side) {
        (Part::Torso, _) => Role::Trunk,
        (Part::Thigh, Side::Left) => Role::LeftTube,
        (Part::Thigh, Side::Right) => Role::RightTube,
        _ => Role::Ignored,
    };
    let (low, high) = (Vec3::new(-0.3, 0.1, -0.3), Vec3::new(0.3, 0.5, 0.3));
    let mut canvas = Canvas::new(&body, low, high, role);
    let samples: Vec<usize> = (0..canvas.grid.sample_count()).collect();
    let heights = |canvas: &Canvas| -> Vec<f32> {
        samples.iter().map(|&ix| canvas.offset(ix, 0.0)).collect()
    };
    let before = heights(&canvas);
    canvas.fill_notches();
    let after = heights(&canvas);
    let filled = |ix: &&usize| before[**ix] > after[**ix] + 0.003 * scale;
    let filled: Vec<Vec3> = samples
        .iter()
        .filter(filled)
        .map(|&ix| canvas.grid.position_of(ix))
        .collect();
    assert!(!filled.is_empty());
    // Beside the rods where they come out of the trunk.
    let is_notch = |at: &Vec3| at.y < 0.26 && (at.x.abs() - 0.1).abs() < 0.08;
    assert!(filled.iter().all(is_notch), "{filled:?}");
    let pairs = after.iter().zip(&before);
    assert!(pairs.clone().all(|(after, before)| after <= before));
}

/// A robot: thighs that are rods over wide calves, arms down to the knees.
const ROBOT_JOINTS: [LeftJoint; 9] = [
    ("hips", "", [0.0, 0.9, 0.0]),
    ("chest", "hips", [0.0, 1.1, 0.0]),
    ("head", "chest", [0.0, 1.4, 0.0]),
    ("upperarm_l", "chest", [0.2, 1.3, 0.0]),
    ("lowerarm_l", "upperarm_l", [0.55, 1.3, 0.0]),
    ("hand_l", "lowerarm_l", [0.85, 1.3, 0.0]),
    ("thigh_l", "hips", [0.1, 0.85, 0.0]),
    ("calf_l", "thigh_l", [0.1, 0.45, 0.0]),
    ("foot_l", "calf_l", [0.1, 0.08, 0.0]),
];
const ROBOT: [LeftPiece; 9] = [
    ("hips", [0.0, 0.94, 0.0], [0.0, 0.96, 0.0], 0.13),
    ("chest", [0.0, 1.1, 0.0], [0.0, 1.2, 0.0], 0.14),
    ("head", [0.0, 1.5, 0.0], [0.0, 1.52, 0.0], 0.12),
    ("upperarm_l", [0.2, 1.3, 0.0], [0.5, 1.3, 0.0], 0.03),
    ("lowerarm_l", [0.55, 1.3, 0.0], [0.8, 1.3, 0.0], 0.03),
    ("hand_l", [0.85, 1.3, 0.0], [0.88, 1.3, 0.0], 0.05),
    ("thigh_l", [0.1, 0.87, 0.0], [0.1, 0.45, 0.0], 0.02),
    ("calf_l", [0.1, 0.45, 0.0], [0.1, 0.16, 0.0], 0.06),
    ("foot_l", [0.1, 0.06, -0.02], [0.1, 0.06, 0.1], 0.04),
];

/// The robot's trousers, made for a clip in which its left arm swings down, to an angle off straight down.
fn trousers_beside_a_swing(off: f32) -> Garment {
    let robot = toy_of(&ROBOT_JOINTS, &ROBOT, 0.0);
    let down = Quat::from_rotation_z(off - std::f32::consts::FRAC_PI_2);
    let turns = [Quat::from_rotation_z(-0.6), down];
    let swinging = turning(robot, "upperarm_l", &[0.0, 1.0], &turns);
    let made = make_for_clips(GarmentKind::TrousersAndTop, &swinging, &[0], 2400);
    made.expect("a humanoid").swap_remove(0)
}

#[test]
fn trousers_give_way_to_an_arm_beside_a_leg_and_end_above_one_in_it() {
    let reach = |trousers: &Garment| {
        let places = trousers.mesh.positions.iter();
        let at_hand = places.filter(|at| (at.y - 0.65).abs() < 0.04);
        at_hand.map(|at| at.x).fold(0.0, f32::max)
    };
    let lowest = |trousers: &Garment| hems(trousers).into_iter().fold(f32::INFINITY, f32::min);
    let [in_leg, beside, off] = [-0.1, 0.0, 0.3].map(trousers_beside_a_swing);
    assert!(reach(&off) > 0.16 && reach(&beside) < 0.15);
    assert_eq!(hems(&beside).len(), 3, "a waistband and two hems, no hole");
    let ends = [&off, &beside].map(lowest);
    assert!((ends[0] - ends[1]).abs() < 0.001, "{ends:?}");
    assert!((0.6..0.7).contains(&lowest(&in_leg)), "{}", lowest(&in_leg));
}

/// Metres of the thick-armed toy's arms.
const THICK: f32 = 0.1;

/// A toy whose arms are as thick as half its trunk.
fn thick_armed(lowered: f32) -> Avatar {
    let thick = |piece: &LeftPiece| match piece.0.contains("arm") {
        true => (piece.0, piece.1, piece.2, THICK),
        false => *piece,
    };
    toy(&BODY.map(|piece| thick(&piece)), lowered)
}

/// Metres of the stout toy's arms, and of its trunk.
const STOUT: [f32; 2] = [0.07, 0.25];

/// A toy whose hanging arms are sunk into its trunk.
fn stout(lowered: f32) -> Avatar {
    let stout = |(joint, from, to, radius): LeftPiece| match joint {
        "hips" | "chest" => (joint, from, to, STOUT[1]),
        _ if joint.contains("arm") => (joint, from, to, STOUT[0]),
        _ => (joint, from, to, radius),
    };
    toy(&BODY.map(stout), lowered)
}

/// How often a loop goes round an axis through `centre`, and the mean of its places.
fn round(surface: &Surface, border: &[u32], centre: Vec3, axis: Vec3) -> (f32, Vec3) {
    let (side, up) = axis.any_orthonormal_pair();
    let places = border.iter().map(|&ix| surface.positions[ix as usize]);
    let mean = places.clone().sum::<Vec3>() / border.len() as f32;
    let flat: Vec<Vec2> = places
        .map(|at| Vec2::new(side.dot(at - centre), up.dot(at - centre)))
        .collect();
    let next = flat.iter().cycle().skip(1);
    let turns: f32 = flat.iter().zip(next).map(|(a, b)| a.angle_to(*b)).sum();
    (turns / std::f32::consts::TAU, mean)
}

#[test]
fn sleeves_of_thick_arms_leave_the_flanks_covered() {
    for lowered in [0.0, 0.5] {
        let top = &dressed(&thick_armed(lowered))[1];
        assert_open_round_arms(top, lowered, THICK);
        let covered = covered_flanks(top);
        assert!(covered.iter().all(|share| *share > 0.9), "{covered:?}");
    }
}

#[test]
fn over_arms_that_lie_in_the_trunk_neither_tops_nor_coats_have_sleeves() {
    let worn = make(GarmentKind::OvercoatOverAll, &stout(0.5), 3600).expect("a humanoid");
    for vest in &worn[1..] {
        // Sleeves are nearer.
        assert_open_round_arms(vest, 0.5, STOUT[0] + 0.01);
    }
}

/// That a garment has a collar, a hem and one opening round each arm, so far off the arm's bone.
fn assert_open_round_arms(garment: &Garment, lowered: f32, off: f32) {
    let surface = surface(garment);
    let loops = surface.border_loops();
    assert_eq!(loops.len(), 4, "collar, hem and two openings");
    let [right, left] = [-1.0, 1.0].map(|mirror| armhole_at(&surface, &loops, lowered, mirror));
    let apart = left.distance(right * Vec3::new(-1.0, 1.0, 1.0));
    assert!(apart < 0.02, "{apart} m off each other's mirror image");
    let nearest = surface.positions.iter().map(|at| from_arm(*at, lowered));
    let nearest = nearest.fold(f32::INFINITY, f32::min);
    assert!(nearest > off, "{} {nearest} m from the bone", garment.name);
}

/// The middle of the only opening at one side, which goes round its arm once.
fn armhole_at(surface: &Surface, loops: &[Vec<u32>], lowered: f32, mirror: f32) -> Vec3 {
    let turn = Vec3::new(mirror, 1.0, 1.0);
    let [shoulder, elbow] =
        [JOINTS[3], JOINTS[4]].map(|joint| turn * place(joint.0, joint.2, lowered));
    let axis = (elbow - shoulder).normalize();
    let holes = loops
        .iter()
        .map(|border| round(surface, border, shoulder, axis));
    let holes: Vec<_> = holes.filter(|(_, mean)| mean.x * mirror > 0.05).collect();
    assert_eq!(holes.len(), 1, "one on each side: {holes:?}");
    let (turns, mean) = holes[0];
    assert!(
        (turns.abs() - 1.0).abs() < 0.01,
        "{turns} times round the arm"
    );
    mean
}

/// Metres from the bone of the nearer arm, from the shoulder on.
fn from_arm(at: Vec3, lowered: f32) -> f32 {
    let [shoulder, hand] = [JOINTS[3], JOINTS[5]].map(|joint| place(joint.0, joint.2, lowered));
    let at = Vec3::new(at.x.abs(), at.y, at.z);
    let along = (hand - shoulder).normalize();
    at.distance(shoulder + along.dot(at - shoulder).max(0.0) * along)
}

/// The part of each flank that cloth covers, from the hem's height to the armpit's.
fn covered_flanks(top: &Garment) -> [f32; 2] {
    let tree = TriangleTree::new(&top.mesh.positions, &top.mesh.triangles);
    [0.17, -0.17].map(|x| {
        let beside = (0..40).map(|ix| DVec3::new(x, 0.34 + 0.003 * f64::from(ix), 0.0));
        let covered = beside.filter(|at| tree.nearest_point(*at, 0.05).is_some());
        covered.count() as f32 / 40.0
    })
}
