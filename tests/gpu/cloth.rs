//! The cloth step on the GPU against `cloth::twin`.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use radial_fields::cloth::garment::{Attachment, Garment};
use radial_fields::cloth::{
    ClothSettings, GarmentSettings, Grab, Ground, Material, MotionConstraint,
};
use radial_fields::engine::Device;
use radial_fields::pose::Palette;
use radial_fields::{SolidDef, SolidShape};

use crate::banner::{Banner, Found, NORMAL_TOLERANCE, POSITION_TOLERANCE};
use crate::figures::{Dice, bent, fan, hang, join, sheet};
use crate::fixture::{twin_of, with_device};

const SETTINGS: ClothSettings = ClothSettings {
    sub_steps: 2,
    iterations: 3,
    sweeps: 3,
    end_strain_limit: Some(0.02),
    gravity: Vec3::new(0.0, -9.81, 0.0),
    wind: Vec3::new(2.0, 0.5, 1.0),
    ground: None,
    sleep: None,
};

/// What a hand does in a step.
type Hand = fn(u32) -> Option<Grab>;

/// The body swings, the wind blows, and a hand may take the cloth for a while.
/// Where the body stands in a step.
fn turned(step_ix: u32) -> Mat4 {
    Mat4::from_rotation_z(0.02 * step_ix as f32)
}

fn moves_as_its_twin(banner: &mut Banner, steps: u32, hand: Hand) -> Result<(), String> {
    for ix in 0..steps {
        let palette = bent(&banner.avatar, Quat::IDENTITY, turned(ix));
        banner
            .step(&palette, ix == 0, hand(ix))
            .map_err(|error| format!("step {ix}: {error}"))?;
    }
    Ok(())
}

/// Takes a particle of the middle for three steps.
fn tug(step_ix: u32) -> Option<Grab> {
    (5..8).contains(&step_ix).then_some(Grab {
        particle_ix: 100,
        target: Vec3::new(0.1, 1.9, 0.3),
        radius: 0.0,
    })
}

/// A sheet that hangs by two corners, far above the body that carries them.
fn flag() -> Garment {
    hang(sheet(13, 11, 0.03, Vec3::new(0.0, 2.0, 0.0)), 13)
}

fn fell(banner: &Banner) -> Result<(), String> {
    let shown = &banner.twin.shown;
    let fell = shown.iter().filter(|position| position.y < 1.95).count();
    match 4 * fell > shown.len() {
        true => Ok(()),
        false => Err("too little moves to prove much".to_owned()),
    }
}

/// A banner of stiff cloth.
pub fn stiff(device: &Arc<Device>) -> Result<(), String> {
    let mut banner = Banner::new(device, &flag(), GarmentSettings::default(), SETTINGS);
    moves_as_its_twin(&mut banner, 15, tug)?;
    fell(&banner)
}

#[test]
fn a_banner_moves_as_its_twin() {
    with_device(|device| assert_eq!(stiff(device), Ok(())));
}

/// Knitted cloth that gives along both threads and stiffly bends, held by springs, with no tethers.
pub fn soft(device: &Arc<Device>) -> Result<(), String> {
    let mut garment = flag();
    garment.attachments = [(0, 0.0), (12, 2e-2), (70, 0.5), (142, 5.0)]
        .map(|(particle_ix, compliance)| Attachment {
            particle_ix,
            compliance,
        })
        .to_vec();
    let settings = GarmentSettings {
        compliance: [5e-2, 1e-1, 1.0, 1e4],
        drag: 5.0,
        tethered: 0,
        ..GarmentSettings::of(Material::Jersey)
    };
    let mut banner = Banner::new(device, &garment, settings, SETTINGS);
    moves_as_its_twin(&mut banner, 10, tug)
}

#[test]
fn soft_cloth_on_springs_moves_as_its_twin() {
    with_device(|device| assert_eq!(soft(device), Ok(())));
}

/// Several patches: a sheet, two loose pieces beside it, one of them held by nothing, and a fan of 40 triangles round one particle.
pub fn pieces(device: &Arc<Device>) -> Result<(), String> {
    let high = Vec3::new(0.0, 2.0, 0.0);
    let mut garment = join(&[
        hang(sheet(17, 14, 0.03, high), 17),
        hang(sheet(4, 3, 0.05, high + Vec3::X), 4),
        fan(40, 0.25, high - Vec3::X),
        sheet(3, 3, 0.02, high + Vec3::Z),
    ]);
    // Of the fan, a particle on its rim.
    garment.attachments.push(Attachment {
        particle_ix: 17 * 14 + 12 + 7,
        compliance: 0.0,
    });
    let mut banner = Banner::new(device, &garment, GarmentSettings::default(), SETTINGS);
    moves_as_its_twin(&mut banner, 8, tug)?;
    fell(&banner)
}

#[test]
fn a_banner_of_many_patches_and_pieces_moves_as_its_twin() {
    with_device(|device| assert_eq!(pieces(device), Ok(())));
}

/// The flag with motion constraints: each particle its own, below it a ball that it falls on.
fn constrained_flag() -> Garment {
    let mut garment = flag();
    let mut dice = Dice::new(5);
    let mut between = |low: f32, high: f32| low + (high - low) * 0.5 * (dice.number() + 1.0);
    let count = garment.mesh.positions.len();
    let constraint = |ix: usize| MotionConstraint {
        max_distance: if ix.is_multiple_of(7) {
            0.0
        } else {
            between(0.01, 0.2)
        },
        backstop_distance: between(0.0, 0.02),
        backstop_radius: if ix.is_multiple_of(3) {
            0.0
        } else {
            between(0.01, 0.05)
        },
    };
    garment.motion = (0..count).map(constraint).collect();
    garment
}

/// Motion constraints that hold the cloth, and a hand that takes a particle further than they let it, another behind its backstop, and a
/// third two centimetres too far, which is astray on a body of this size but would not be on a person: let go, they return to their
/// allowed places.
pub fn constrained(device: &Arc<Device>) -> Result<(), String> {
    let hand = |step_ix| match step_ix {
        3..6 => Some(Grab {
            particle_ix: 100,
            target: Vec3::new(0.1, 2.2, 0.3),
            radius: 0.0,
        }),
        16..19 => Some(Grab {
            particle_ix: 62,
            target: Vec3::new(-0.03, 1.8, -0.02),
            radius: 0.0,
        }),
        22..24 => {
            let skinned = turned(step_ix).transform_point3(flag().mesh.positions[75]);
            Some(Grab {
                particle_ix: 75,
                target: skinned + Vec3::Z * (0.8 * 0.05 + 0.02),
                radius: 0.0,
            })
        }
        _ => None,
    };
    let settings = GarmentSettings {
        motion_scale: 0.8,
        ..GarmentSettings::default()
    };
    let mut garment = constrained_flag();
    garment.motion[62] = MotionConstraint {
        max_distance: 0.5,
        backstop_distance: 0.005,
        backstop_radius: 0.04,
    };
    garment.motion[75] = MotionConstraint {
        max_distance: 0.05,
        ..MotionConstraint::default()
    };
    let mut banner = Banner::new(device, &garment, settings, SETTINGS);
    moves_as_its_twin(&mut banner, 64, hand)?;
    for particle_ix in [62, 75, 100] {
        if !banner.astray[particle_ix] {
            return Err(format!("particle {particle_ix} never went astray"));
        }
        if !banner.came_home[particle_ix] {
            return Err(format!("particle {particle_ix} has not come home"));
        }
    }
    Ok(())
}

#[test]
fn a_banner_with_motion_constraints_moves_as_its_twin() {
    with_device(|device| assert_eq!(constrained(device), Ok(())));
}

/// How far a hand with a brush of that radius draws the particles on both sides of the one that it takes, against that one, in cloth that
/// may go 2 cm from where skinning puts it. 1 is as far.
fn drawn_along(device: &Arc<Device>, radius: f32) -> Result<f32, String> {
    const TAKEN: usize = 5 * 13 + 6;
    const PULL: f32 = 0.12;
    let mut garment = sheet(13, 11, 0.03, Vec3::new(0.0, 2.0, 0.0));
    garment.motion = vec![
        MotionConstraint {
            max_distance: 0.02,
            ..MotionConstraint::default()
        };
        garment.mesh.positions.len()
    ];
    let (rest, normal) = (garment.mesh.positions.clone(), garment.mesh.normals[TAKEN]);
    let mut banner = Banner::new(device, &garment, GarmentSettings::default(), SETTINGS);
    let palette = bent(&banner.avatar, Quat::IDENTITY, Mat4::IDENTITY);
    for step_ix in 0..12 {
        let grab = (step_ix > 2).then_some(Grab {
            particle_ix: TAKEN as u32,
            target: rest[TAKEN] + PULL * normal,
            radius,
        });
        banner
            .step(&palette, step_ix == 0, grab)
            .map_err(|error| format!("radius {radius}, step {step_ix}: {error}"))?;
    }
    let gone = |ix: usize| (banner.twin.shown[ix] - rest[ix]).dot(normal) / PULL;
    Ok(0.5 * (gone(TAKEN - 1) + gone(TAKEN + 1)) / gone(TAKEN))
}

/// The brush's falloff, on the GPU as in its twin.
pub fn brushed(device: &Arc<Device>) -> Result<(), String> {
    let [needle, brush] = [drawn_along(device, 0.0)?, drawn_along(device, 0.1)?];
    if needle < 0.5 && (0.7..1.0).contains(&brush) {
        return Ok(());
    }
    Err(format!("neighbours go along by {needle} and {brush}"))
}

#[test]
fn a_hand_pulls_cloth_and_no_needle_as_its_twin_does() {
    with_device(|device| assert_eq!(brushed(device), Ok(())));
}

/// A loose sheet that falls on ground aslant.
pub fn grounded(device: &Arc<Device>) -> Result<(), String> {
    let garment = sheet(13, 11, 0.03, Vec3::new(0.0, 2.0, 0.0));
    let ground = Ground {
        normal: Vec3::new(0.3, 1.0, 0.1).normalize(),
        height: 1.85,
    };
    let cloth = ClothSettings {
        ground: Some(ground),
        ..SETTINGS
    };
    let mut banner = Banner::new(device, &garment, GarmentSettings::default(), cloth);
    moves_as_its_twin(&mut banner, 24, |_| None)?;
    let height = |place: &Vec3| ground.normal.dot(*place) - ground.height;
    let lying = banner.twin.predicted.iter().filter(|p| height(p) < 0.006);
    match lying.count() > 30 {
        true => Ok(()),
        false => Err("hardly any of it came to lie on the ground".to_owned()),
    }
}

#[test]
fn a_sheet_that_falls_on_the_ground_moves_as_its_twin() {
    with_device(|device| assert_eq!(grounded(device), Ok(())));
}

/// A sheet over the upper end of the column, which pushes it up from below while its hems pull it down.
pub fn draped(device: &Arc<Device>) -> Result<(), String> {
    let garment = sheet(13, 11, 0.03, Vec3::new(0.02, 0.81, 0.0));
    let cloth = ClothSettings {
        sub_steps: 1,
        gravity: Vec3::new(0.0, -30.0, 0.0),
        ..SETTINGS
    };
    let mut banner = Banner::new(device, &garment, GarmentSettings::default(), cloth);
    for ix in 0..20 {
        let palette = Palette::bind(&banner.avatar.skeleton);
        banner
            .step(&palette, ix == 0, None)
            .map_err(|error| format!("step {ix}: {error}"))?;
    }
    let [touched, shortened, held_back] = [banner.in_contact, banner.shortened, banner.held_back];
    match touched > 100 && shortened > 100 && held_back > 10 {
        true => Ok(()),
        false => Err(format!(
            "{touched} touched the column, {shortened} were too far apart, {held_back} by much: too few to prove much"
        )),
    }
}

#[test]
fn cloth_slides_along_what_it_meets_as_its_twin() {
    with_device(|device| assert_eq!(draped(device), Ok(())));
}

/// A sheet on a ball, whose friction holds it.
pub fn laid(device: &Arc<Device>) -> Result<(), String> {
    let garment = sheet(13, 11, 0.02, Vec3::new(0.0, 2.0, 0.0));
    let ball = SolidShape::Sphere { radius: 0.5 };
    let ball = SolidDef::new(ball, Mat4::from_translation(Vec3::new(0.0, 1.494, 0.0)));
    let cloth = ClothSettings {
        sub_steps: 1,
        ..SETTINGS
    };
    let settings = GarmentSettings {
        friction: 0.8,
        ..GarmentSettings::default()
    };
    let mut banner = Banner::among(device, &garment, settings, cloth, &[ball]);
    moves_as_its_twin(&mut banner, 20, |_| None)?;
    match banner.held > 400 {
        true => Ok(()),
        false => Err(format!("{} held: too few to prove much", banner.held)),
    }
}

#[test]
fn cloth_that_a_solid_holds_moves_as_its_twin() {
    with_device(|device| assert_eq!(laid(device), Ok(())));
}

#[test]
fn a_wrong_particle_is_seen() {
    let garment = sheet(5, 3, 0.03, Vec3::ZERO);
    let mut twin = twin_of(&garment, 0, 1.0);
    twin.predicted.clone_from(&garment.mesh.positions);
    twin.shown.clone_from(&garment.mesh.positions);
    twin.find_normals();
    let right = Found {
        is_astray: twin.is_astray.clone(),
        predicted: twin.predicted.clone(),
        shown: twin.shown.clone(),
        normals: twin.normals.clone(),
    };
    assert!(right.compare(&twin).is_ok());
    let is_seen = |spoil: fn(&mut Found)| {
        let mut wrong = right.clone();
        spoil(&mut wrong);
        assert!(wrong.compare(&twin).is_err());
    };
    is_seen(|found| found.normals[3].x += 2.0 * NORMAL_TOLERANCE);
    is_seen(|found| found.shown[14].x += 2.0 * POSITION_TOLERANCE);
    is_seen(|found| found.predicted[2].z = f32::NAN);
    is_seen(|found| found.is_astray[7] = true);
}
