//! Trousers keep their hems where they were made, on legs that run.

use std::f32::consts::TAU;

use glam::{Mat4, Quat, Vec3};
use radial_fields::avatar::{Avatar, builtin};
use radial_fields::cloth::garment::{Garment, GarmentKind, make};
use radial_fields::cloth::{ClothSettings, GarmentSettings, layer};
use radial_fields::pose::{Palette, Pose};
use radial_fields::{BodyDef, GarmentDef, WorldDef};

use crate::fixture::{Rig, STEP_SECONDS, with_device};

/// Steps to get into the first pose, and steps that run.
const STANDING: u32 = 30;
const RUNNING: u32 = 90;
/// Of a sprint, strides per second.
const STRIDES: f32 = 2.5;
/// Metres along the calf that a hem may be drawn up, in the mean over it. Usually 0.10 where the heel comes to the seat.
const DRAWN_UP: f32 = 0.12;
/// The same at the best moment of the last stride, when the leg is stretched. Usually -0.004 to 0.023: roundings decide where it slips back.
const STAYS_UP: f32 = 0.03;

fn joint(avatar: &Avatar, name: &str) -> usize {
    let nodes = &avatar.skeleton.nodes;
    let is_named = |joint: &radial_fields::avatar::Joint| nodes[joint.node_ix].name == name;
    let found = avatar.skeleton.joints.iter().position(is_named);
    found.expect("the game rig has it")
}

/// The legs of a sprint, at a part of a stride, as far as `strength`: heels to the seat, knees to the waist.
fn running(avatar: &Avatar, stride: f32, strength: f32) -> Palette {
    let mut pose = Pose::rest(&avatar.skeleton);
    for (side, phase) in [("l", 0.0), ("r", 0.5)] {
        let (sin, cos) = (TAU * (stride + phase)).sin_cos();
        let turns = [("thigh", -(0.35 + 0.8 * sin)), ("calf", 0.95 + 0.85 * cos)];
        for (part, turn) in turns {
            let joint_ix = joint(avatar, &format!("{part}_{side}"));
            let node_ix = avatar.skeleton.joints[joint_ix].node_ix;
            let local = &mut pose.locals[node_ix].rotation;
            *local = Quat::from_rotation_x(strength * turn) * *local;
        }
    }
    Palette::new(&avatar.skeleton, &pose, Mat4::IDENTITY)
}

/// The particles of a leg's hem.
fn hem(garment: &Garment, is_left: bool, knee_y: f32) -> Vec<usize> {
    let mut sides: Vec<[u32; 2]> = garment
        .mesh
        .triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .collect();
    sides.sort_unstable();
    let is_border = |side: &&[u32; 2]| sides.binary_search(&[side[1], side[0]]).is_err();
    let starts = sides.iter().filter(is_border).map(|side| side[0] as usize);
    let at = |ix: usize| garment.mesh.positions[ix];
    let hem = starts.filter(|&ix| at(ix).y < knee_y && (at(ix).x > 0.0) == is_left);
    hem.collect()
}

/// How far the worse of both hems rises above its place along the calf, in the mean over the hem, metres.
struct Rise {
    /// At the most.
    greatest: f32,
    /// At the least in the last stride.
    that_stays: f32,
}

/// After so many steps of running.
fn rise_of(avatar: &Avatar, trousers: &Garment, mut rig: Rig, running_steps: u32) -> Rise {
    let calves = ["calf_l", "calf_r"].map(|name| joint(avatar, name));
    let bind = Palette::bind(&avatar.skeleton);
    let knees = calves.map(|ix| bind.world_from_bone[ix].w_axis.y);
    let hems = [true, false].map(|is_left| hem(trousers, is_left, knees[usize::from(!is_left)]));
    assert!(hems.iter().all(|hem| hem.len() > 8), "{hems:?}");
    let step_count = STANDING + running_steps;
    let last_stride = step_count - (1.0 / (STRIDES * STEP_SECONDS)) as u32;
    let (mut greatest, mut lowest) = (f32::NEG_INFINITY, [f32::INFINITY; 2]);
    for step_ix in 0..step_count {
        let strength = (step_ix as f32 / STANDING as f32).min(1.0);
        let seconds = step_ix.saturating_sub(STANDING) as f32 * STEP_SECONDS;
        let palette = running(avatar, STRIDES * seconds, strength);
        rig.step(&[&palette], step_ix == 0);
        let particles = rig.particles();
        for ((calf, hem), lowest) in calves.into_iter().zip(&hems).zip(&mut lowest) {
            let bind_from_world = palette.world_from_bind[calf].inverse();
            let rise = |&ix: &usize| {
                let back = bind_from_world.transform_point3(particles[ix]);
                (back - trousers.mesh.positions[ix]).dot(Vec3::Y)
            };
            let mean = hem.iter().map(rise).sum::<f32>() / hem.len() as f32;
            greatest = greatest.max(mean);
            if step_ix >= last_stride {
                *lowest = lowest.min(mean);
            }
        }
    }
    Rise {
        greatest,
        that_stays: lowest[0].max(lowest[1]),
    }
}

#[test]
fn hems_of_trousers_stay_down_on_a_runner() {
    let avatar = builtin::load_mannequin();
    let mut garments = make(GarmentKind::TrousersAndTop, &avatar, 900).expect("a person");
    garments.truncate(1);
    layer(&mut garments, &avatar.skin);
    let trousers = &garments[0];
    with_device(|device| {
        let risen = |settings: GarmentSettings, cloth: ClothSettings, steps: u32| {
            let def = WorldDef {
                bodies: &[BodyDef::new(&avatar)],
                garments: &[GarmentDef {
                    settings,
                    ..GarmentDef::new(trousers, 0)
                }],
                cloth,
                ..WorldDef::default()
            };
            rise_of(&avatar, trousers, Rig::new(device, &def), steps)
        };
        let usual = risen(
            GarmentSettings::default(),
            ClothSettings::default(),
            RUNNING,
        );
        let loose = GarmentSettings {
            motion_scale: 0.0,
            tethered: 0,
            ..GarmentSettings::default()
        };
        let upwards = ClothSettings {
            gravity: -ClothSettings::default().gravity,
            ..ClothSettings::default()
        };
        let unheld = risen(loose, upwards, RUNNING / 3);
        println!(
            "hems rise {} m and {} m of it stay; {} m where loose trousers fall upwards",
            usual.greatest, usual.that_stays, unheld.greatest
        );
        assert!(usual.greatest < DRAWN_UP, "{} m", usual.greatest);
        assert!(usual.that_stays < STAYS_UP, "{} m", usual.that_stays);
        assert!(unheld.greatest > DRAWN_UP, "nothing would be noticed");
    });
}
