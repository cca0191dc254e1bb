//! Friction as mechanics predicts it: a patch of cloth on the side of a block that lies aslant.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use radial_fields::cloth::{ClothSettings, GarmentSettings};
use radial_fields::collide::{CollideSettings, FrictionModel};
use radial_fields::engine::Device;
use radial_fields::{BodyDef, GarmentDef, WorldDef};

use crate::figures::{bent, block, sheet};
use crate::fixture::{Rig, STEP_SECONDS, with_device};

const GRAVITY: f32 = 9.81;
/// Sticks up to 21.8 degrees.
const FRICTION: f32 = 0.4;

const PATCH: GarmentSettings = GarmentSettings {
    compliance: [3e-4, 5e-4, 2e-2, 2e5],
    density: 0.15,
    strain_limit: 0.01,
    damping: 0.0,
    drag: 0.0,
    friction: FRICTION,
    thickness: 0.005,
    tethered: 0,
    motion_scale: 1.0,
};

/// Metres the middle of a patch slides down a slope of `degrees` in each of `step_count` steps.
fn slide(
    device: &Arc<Device>,
    degrees: f32,
    step_count: usize,
    friction_model: FrictionModel,
) -> Vec<f32> {
    let avatar = block();
    // Made on the side at +X, which is up once the block lies down.
    let mut garment = sheet(5, 5, 0.03, Vec3::ZERO);
    let stands = Quat::from_rotation_z(-std::f32::consts::FRAC_PI_2);
    for position in &mut garment.mesh.positions {
        *position = stands * *position + Vec3::new(0.3 + PATCH.thickness, 0.6, 0.0);
    }
    let bodies = [BodyDef::new(&avatar)];
    let garments = [GarmentDef {
        garment: &garment,
        body_ix: 0,
        settings: PATCH,
    }];
    let def = WorldDef {
        bodies: &bodies,
        garments: &garments,
        cloth: ClothSettings::default(),
        collide: CollideSettings {
            // The paper's friction takes its share in every collision, and its equations have one per sub-step.
            stride: match friction_model {
                FrictionModel::Paper => 1,
                _ => CollideSettings::default().stride,
            },
            friction_model,
            ..CollideSettings::default()
        },
        ..WorldDef::default()
    };
    let mut rig = Rig::new(device, &def);
    let tilt = Quat::from_rotation_z(degrees.to_radians());
    let palette = bent(&avatar, tilt * stands.inverse(), Mat4::IDENTITY);
    let downhill = tilt * Vec3::NEG_X;
    let mut middle = |teleported| {
        rig.step(&[&palette], teleported);
        let particles = rig.particles();
        (particles.iter().sum::<Vec3>() / particles.len() as f32).dot(downhill)
    };
    let start = middle(true);
    (0..step_count).map(|_| middle(false) - start).collect()
}

#[test]
fn cloth_sticks_below_the_friction_angle() {
    with_device(|device| {
        let distances = slide(device, 15.0, 40, FrictionModel::Coulomb);
        // The first steps bring it to rest on the surface.
        let speed = (distances[39] - distances[9]) / (30.0 * STEP_SECONDS);
        println!("{distances:?}");
        assert!(speed.abs() < 1e-3, "{speed} m/s");
    });
}

/// Metres a patch of cloth slides down over a sheet that sticks to the slope, in each of `step_count` steps. `friction`: of the patch.
fn slide_over_cloth(
    device: &Arc<Device>,
    degrees: f32,
    step_count: usize,
    friction: f32,
) -> Vec<f32> {
    let avatar = block();
    let stands = Quat::from_rotation_z(-std::f32::consts::FRAC_PI_2);
    let layers = [((19, 11), 0.0, FRICTION), ((5, 5), 0.004, friction)].map(
        |((columns, rows), above, friction)| {
            let mut garment = sheet(columns, rows, 0.03, Vec3::ZERO);
            for position in &mut garment.mesh.positions {
                *position = stands * *position + Vec3::new(0.3 + PATCH.thickness + above, 0.6, 0.0);
            }
            let settings = GarmentSettings { friction, ..PATCH };
            (garment, settings)
        },
    );
    let garments = layers.each_ref().map(|(garment, settings)| GarmentDef {
        garment,
        body_ix: 0,
        settings: *settings,
    });
    let def = WorldDef {
        bodies: &[BodyDef::new(&avatar)],
        garments: &garments,
        cloth_contacts: true,
        ..WorldDef::default()
    };
    let mut rig = Rig::new(device, &def);
    let tilt = Quat::from_rotation_z(degrees.to_radians());
    let palette = bent(&avatar, tilt * stands.inverse(), Mat4::IDENTITY);
    let downhill = tilt * Vec3::NEG_X;
    let lower_count = layers[0].0.mesh.positions.len();
    let mut ahead = |teleported| {
        rig.step(&[&palette], teleported);
        let particles = rig.particles();
        let (lower, upper) = particles.split_at(lower_count);
        let middle = |of: &[Vec3]| of.iter().sum::<Vec3>() / of.len() as f32;
        (middle(upper) - middle(lower)).dot(downhill)
    };
    let start = ahead(true);
    (0..step_count).map(|_| ahead(false) - start).collect()
}

#[test]
fn cloth_on_cloth_sticks_below_the_friction_angle() {
    with_device(|device| sticks_to_cloth(device).expect("it sticks"));
}

/// What is left is a creep, the faster the nearer the angle of friction, of 22 degrees.
pub fn sticks_to_cloth(device: &Arc<Device>) -> Result<(), String> {
    for (degrees, fastest) in [(8.0, 1e-3), (15.0, 5e-3)] {
        let distances = slide_over_cloth(device, degrees, 40, FRICTION);
        let speed = (distances[39] - distances[19]) / (20.0 * STEP_SECONDS);
        println!("{degrees} degrees: {speed} m/s");
        if !(speed.abs() <= fastest) {
            return Err(format!("{degrees} degrees: {speed} m/s"));
        }
    }
    Ok(())
}

#[test]
fn cloth_slides_over_cloth_as_fast_as_mechanics_says() {
    with_device(|device| {
        let degrees = 15.0f32;
        let distances = slide_over_cloth(device, degrees, 40, 0.0);
        println!("{distances:?}");
        let (sin, cos) = degrees.to_radians().sin_cos();
        // Two that touch have the mean of their coefficients.
        let expected = GRAVITY * (sin - 0.5 * FRICTION * cos);
        let speed = |ix: usize| (distances[ix + 4] - distances[ix - 4]) / (8.0 * STEP_SECONDS);
        let found = (speed(35) - speed(10)) / (25.0 * STEP_SECONDS);
        println!("{found} m/s², mechanics says {expected} m/s²");
        assert!(
            (found / expected - 1.0).abs() < 0.1,
            "{found} m/s², not {expected} m/s²"
        );
    });
}

#[test]
fn cloth_slides_as_fast_as_mechanics_says_above_it() {
    with_device(|device| {
        let degrees = 35.0f32;
        let distances = slide(device, degrees, 24, FrictionModel::Coulomb);
        println!("{distances:?}");
        let (sin, cos) = degrees.to_radians().sin_cos();
        let expected = GRAVITY * (sin - FRICTION * cos);
        // From two speeds a quarter of a second apart, so that how it began does not count.
        let speed = |ix: usize| (distances[ix + 4] - distances[ix - 4]) / (8.0 * STEP_SECONDS);
        let found = (speed(19) - speed(4)) / (15.0 * STEP_SECONDS);
        println!("{found} m/s², mechanics says {expected} m/s²");
        assert!(
            (found / expected - 1.0).abs() < 0.15,
            "{found} m/s², not {expected} m/s²"
        );
    });
}

#[test]
fn with_the_papers_friction_cloth_creeps_as_fast_as_its_equations_say() {
    with_device(|device| {
        let sub_step = STEP_SECONDS / ClothSettings::default().sub_steps as f32;
        for degrees in [15.0f32, 35.0] {
            let distances = slide(device, degrees, 30, FrictionModel::Paper);
            // Each sub-step gravity adds its share and equation 10 takes the coefficient's part of all that there is: neither
            // angle holds, and neither goes on gaining speed.
            let gained = GRAVITY * degrees.to_radians().sin() * sub_step;
            let expected = gained * (1.0 - FRICTION) / FRICTION;
            let found = (distances[29] - distances[9]) / (20.0 * STEP_SECONDS);
            println!("{degrees} degrees: {found} m/s, the equations say {expected} m/s");
            assert!(
                (found / expected - 1.0).abs() < 0.15,
                "{degrees} degrees: {found} m/s, not {expected} m/s"
            );
        }
    });
}
