//! How rigid solids answer cloth: friction by every model, a solid's own material, bounces, and edges that free what is caught.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3, Vec4};
use radial_fields::cloth::garment::Garment;
use radial_fields::cloth::{ClothSettings, GarmentSettings};
use radial_fields::collide::{CollideSettings, FrictionModel};
use radial_fields::engine::Device;
use radial_fields::math::direction::unpack_friction;
use radial_fields::pose::Palette;
use radial_fields::{BodyDef, GarmentDef, SolidDef, SolidMaterial, SolidShape, WorldDef};

use crate::figures::{bent, column, sheet};
use crate::fixture::{Rig, STEP_SECONDS, with_device};

const GRAVITY: f32 = 9.81;
/// Sticks up to 21.8 degrees.
const FRICTION: f32 = 0.4;
/// Metres of cloth above a slope when it begins.
const THICKNESS: f32 = 0.005;

const PATCH: GarmentSettings = GarmentSettings {
    compliance: [3e-4, 5e-4, 2e-2, 2e5],
    density: 0.15,
    strain_limit: 0.01,
    damping: 0.0,
    drag: 0.0,
    friction: FRICTION,
    thickness: THICKNESS,
    tethered: 0,
    motion_scale: 0.0,
};

/// Cloth among solids, far from the body that wears it, and its particles after each step, from the first on.
fn watch(
    device: &Arc<Device>,
    garment: Garment,
    solids: &[SolidDef],
    collide: CollideSettings,
    step_count: usize,
) -> Vec<Vec<Vec3>> {
    let cloth = ClothSettings::default();
    watch_in(device, garment, solids, collide, cloth, step_count)
}

/// The same with another solver or gravity.
fn watch_in(
    device: &Arc<Device>,
    garment: Garment,
    solids: &[SolidDef],
    collide: CollideSettings,
    cloth: ClothSettings,
    step_count: usize,
) -> Vec<Vec<Vec3>> {
    let (mut rig, palette) = among(device, garment, solids, collide, cloth);
    let step = |step_ix| {
        rig.step(&[&palette], step_ix == 0);
        rig.particles()
    };
    (0..step_count).map(step).collect()
}

/// Cloth among solids, and the body that wears it far away.
fn among(
    device: &Arc<Device>,
    mut garment: Garment,
    solids: &[SolidDef],
    collide: CollideSettings,
    cloth: ClothSettings,
) -> (Rig, Palette) {
    let avatar = column(1);
    let palette = bent(
        &avatar,
        Quat::IDENTITY,
        Mat4::from_translation(Vec3::X * 30.0),
    );
    let bind_from_world = palette.world_from_bind[0].inverse();
    for position in &mut garment.mesh.positions {
        *position = bind_from_world.transform_point3(*position);
    }
    let def = WorldDef {
        bodies: &[BodyDef::new(&avatar)],
        garments: &[GarmentDef {
            settings: PATCH,
            ..GarmentDef::new(&garment, 0)
        }],
        solids,
        cloth: ClothSettings {
            ground: None,
            ..cloth
        },
        collide,
        ..WorldDef::default()
    };
    (Rig::new(device, &def), palette)
}

fn with_friction(friction_model: FrictionModel) -> CollideSettings {
    CollideSettings {
        // What takes a share of the motion takes it in every collision, and the equations have one per sub-step.
        stride: match friction_model {
            FrictionModel::Paper | FrictionModel::Simple => 1,
            _ => CollideSettings::default().stride,
        },
        friction_model,
        ..CollideSettings::default()
    }
}

fn middle(particles: &[Vec3]) -> Vec3 {
    particles.iter().sum::<Vec3>() / particles.len() as f32
}

/// A patch on a wide slope of `degrees`, and which way is down.
fn on_a_slope(degrees: f32, material: SolidMaterial) -> (Garment, SolidDef, Vec3) {
    let tilt = Quat::from_rotation_z(degrees.to_radians());
    let mut garment = sheet(5, 5, 0.03, Vec3::ZERO);
    for position in &mut garment.mesh.positions {
        *position = tilt * (*position + THICKNESS * Vec3::Y);
    }
    let slope = SolidDef {
        material,
        ..SolidDef::new(
            SolidShape::cuboid(Vec3::new(20.0, 0.4, 2.0)),
            Mat4::from_quat(tilt) * Mat4::from_translation(Vec3::Y * -0.2),
        )
    };
    (garment, slope, tilt * Vec3::NEG_X)
}

/// Metres that the middle of a patch slides down a slope in each of `step_count` steps.
fn slide(
    device: &Arc<Device>,
    degrees: f32,
    step_count: usize,
    model: FrictionModel,
    material: SolidMaterial,
) -> Vec<f32> {
    let (garment, slope, downhill) = on_a_slope(degrees, material);
    let collide = with_friction(model);
    let watched = watch(device, garment, &[slope], collide, step_count + 1);
    let along: Vec<_> = watched.iter().map(|at| middle(at).dot(downhill)).collect();
    along[1..].iter().map(|place| place - along[0]).collect()
}

/// What the last collision before a step's last solve leaves of friction on a patch, metres: the least and the most of all particles.
fn left_of_friction(
    device: &Arc<Device>,
    garment: Garment,
    solids: &[SolidDef],
) -> Result<[f32; 2], String> {
    let (collide, cloth) = (CollideSettings::default(), ClothSettings::default());
    let (mut rig, palette) = among(device, garment, solids, collide, cloth);
    rig.world
        .keep_last_collision(true)
        .map_err(|error| error.to_string())?;
    (0..12).for_each(|step_ix| rig.step(&[&palette], step_ix == 0));
    let count = rig.particles().len();
    let places: Vec<Vec4> = rig.read(2 * count, |world| {
        world.last_collision().expect("it is kept")
    });
    let contacts = places[count..].iter().map(|place| place.w);
    let left = contacts.map(|contact| match contact {
        0.0 => f32::NAN,
        contact => unpack_friction(contact),
    });
    Ok(left.fold([f32::INFINITY, 0.0], |[least, most], metres| {
        [
            if metres < least { metres } else { least },
            if metres <= most { most } else { metres },
        ]
    }))
}

/// What slides has used all its friction, and what sticks has some left.
pub fn friction_is_used_once(device: &Arc<Device>) -> Result<(), String> {
    let left = |degrees| {
        let (garment, slope, _) = on_a_slope(degrees, AS_CLOTH);
        left_of_friction(device, garment, &[slope])
    };
    let ([_, slides], [sticks, _]) = (left(35.0)?, left(10.0)?);
    println!("{slides} m left where it slides, {sticks} m where it sticks");
    match slides < 1e-8 && sticks > 5e-6 {
        true => Ok(()),
        false => Err(format!("{slides} m left at 35 degrees, {sticks} m at 10")),
    }
}

#[test]
fn what_slides_has_no_friction_left_and_what_sticks_has() {
    with_device(|device| assert_eq!(friction_is_used_once(device), Ok(())));
}

/// Between a slope and a lid over it, with less room than cloth keeps on both sides, the pushes oppose each other: nothing is left.
pub fn a_pinch_holds_nothing(device: &Arc<Device>) -> Result<(), String> {
    let (garment, slope, _) = on_a_slope(10.0, AS_CLOTH);
    let lift = slope.world_from_solid.transform_vector3(Vec3::Y) * (0.4 + 1.2 * THICKNESS);
    let lid = SolidDef {
        world_from_solid: Mat4::from_translation(lift) * slope.world_from_solid,
        ..slope.clone()
    };
    let [_, most] = left_of_friction(device, garment, &[slope, lid])?;
    println!("{most} m left in a pinch");
    match most < 1e-8 {
        true => Ok(()),
        false => Err(format!("{most} m left in a pinch")),
    }
}

#[test]
fn what_is_pinched_has_no_friction_left() {
    with_device(|device| assert_eq!(a_pinch_holds_nothing(device), Ok(())));
}

/// Metres per second squared down a slope, from two speeds a quarter of a second apart, so that how it began does not count.
fn acceleration(distances: &[f32]) -> f32 {
    let speed = |ix: usize| (distances[ix + 4] - distances[ix - 4]) / (8.0 * STEP_SECONDS);
    (speed(19) - speed(4)) / (15.0 * STEP_SECONDS)
}

/// Metres per second down a slope, from the tenth step on.
fn speed(distances: &[f32]) -> f32 {
    (distances[29] - distances[9]) / (20.0 * STEP_SECONDS)
}

/// What mechanics says of Coulomb's friction, m/s².
fn by_mechanics(degrees: f32, friction: f32) -> f32 {
    let (sin, cos) = degrees.to_radians().sin_cos();
    GRAVITY * (sin - friction * cos).max(0.0)
}

const AS_CLOTH: SolidMaterial = SolidMaterial {
    friction: None,
    restitution: 0.0,
};

/// A patch sticks below the angle of friction, and slides above it as mechanics says, by a model that knows what presses.
fn slides_by(device: &Arc<Device>, model: FrictionModel) -> Result<(), String> {
    let stuck = speed(&slide(device, 18.0, 30, model, AS_CLOTH));
    println!("{model:?} at 18 degrees: {stuck} m/s");
    if stuck.is_nan() || stuck.abs() > 1e-3 {
        return Err(format!("{model:?}: {stuck} m/s at 18 degrees"));
    }
    for degrees in [26.0f32, 35.0] {
        let found = acceleration(&slide(device, degrees, 24, model, AS_CLOTH));
        let expected = by_mechanics(degrees, FRICTION);
        println!("{model:?} at {degrees} degrees: {found} m/s², not {expected} m/s²");
        if found.is_nan() || (found / expected - 1.0).abs() > 0.02 {
            return Err(format!("{model:?}: {found} m/s² at {degrees} degrees"));
        }
    }
    Ok(())
}

/// By Coulomb's friction.
pub fn down_a_slope(device: &Arc<Device>) -> Result<(), String> {
    slides_by(device, FrictionModel::Coulomb)
}

#[test]
fn on_a_solid_cloth_sticks_and_slides_as_mechanics_says_with_coulombs_and_the_enhanced_friction() {
    with_device(|device| {
        assert_eq!(down_a_slope(device), Ok(()));
        assert_eq!(slides_by(device, FrictionModel::Enhanced), Ok(()));
    });
}

#[test]
fn on_a_solid_cloth_creeps_as_fast_as_the_simple_frictions_equations_say() {
    with_device(|device| {
        let sub_step = STEP_SECONDS / ClothSettings::default().sub_steps as f32;
        for degrees in [15.0f32, 35.0] {
            // Each sub-step gravity adds its share, and equation 3 takes the coefficient's part of all that there is.
            let gained = GRAVITY * degrees.to_radians().sin() * sub_step;
            let expected = gained * (1.0 - FRICTION) / FRICTION;
            for model in [FrictionModel::Simple, FrictionModel::Paper] {
                let found = speed(&slide(device, degrees, 30, model, AS_CLOTH));
                println!("{model:?} at {degrees} degrees: {found} m/s, not {expected} m/s");
                assert!(
                    (found / expected - 1.0).abs() < 0.1,
                    "{model:?}: {found} m/s"
                );
            }
        }
    });
}

#[test]
fn a_solids_own_friction_counts_with_the_cloths_by_their_geometric_mean() {
    with_device(|device| {
        let slide = |friction| {
            let material = SolidMaterial::with_friction(friction);
            slide(device, 35.0, 30, FrictionModel::Coulomb, material)
        };
        for friction in [0.0, 0.1, 0.4] {
            let (found, mean) = (acceleration(&slide(friction)), (friction * FRICTION).sqrt());
            let expected = by_mechanics(35.0, mean);
            println!("{friction}: {found} m/s², not {expected} m/s²");
            assert!((found / expected - 1.0).abs() < 0.02, "{friction}: {found}");
        }
        // sqrt(1.6 × 0.4) = 0.8 holds up to 38.7 degrees.
        let stuck = speed(&slide(1.6));
        assert!(stuck.abs() < 1e-3, "{stuck} m/s");
    });
}

#[test]
fn cloth_bounces_off_a_springy_solid_to_its_share_of_the_height() {
    with_device(|device| {
        for restitution in [0.0f32, 0.5, 0.9] {
            let floor = SolidDef {
                material: SolidMaterial {
                    friction: None,
                    restitution,
                },
                ..SolidDef::new(SolidShape::HalfSpace, Mat4::IDENTITY)
            };
            let garment = sheet(5, 5, 0.03, Vec3::Y * (0.3 + THICKNESS));
            let watched = watch(device, garment, &[floor], CollideSettings::default(), 60);
            let heights: Vec<_> = watched.iter().map(|at| middle(at).y - THICKNESS).collect();
            let met = (1..30).find(|&ix| heights[ix + 1] >= heights[ix]);
            let met = met.expect("it falls for a quarter of a second");
            let found = heights[met..].iter().copied().fold(0.0, f32::max) / 0.3;
            println!("{restitution}: back to {found} of the height");
            let expected = restitution * restitution;
            assert!((found - expected).abs() < 0.02, "{restitution}: {found}");
        }
    });
}

/// Metres that the ledge over a caught hem is thick.
const LEDGE: f32 = 0.02;

/// Cloth that floats up, its lower hem under a ledge, 5 mm from the ledge's end: the height of that hem above the ledge's lower side
/// after a second.
fn caught(device: &Arc<Device>, edge_midpoints: bool) -> f32 {
    let mut garment = sheet(5, 4, 0.03, Vec3::ZERO);
    let hem = (0..5)
        .map(|ix| garment.mesh.positions[ix].z)
        .fold(0.0, f32::min);
    for position in &mut garment.mesh.positions {
        *position = Vec3::new(-0.005, position.z - hem - 0.006, position.x);
    }
    let ledge = SolidDef::new(
        SolidShape::cuboid(Vec3::new(1.0, LEDGE, 1.0)),
        Mat4::from_translation(Vec3::new(-0.5, 0.5 * LEDGE, 0.0)),
    );
    let collide = CollideSettings {
        edge_midpoints,
        ..CollideSettings::default()
    };
    let up = ClothSettings {
        gravity: Vec3::Y * GRAVITY,
        ..ClothSettings::default()
    };
    let watched = watch_in(device, garment, &[ledge], collide, up, 60);
    let heights = watched[59].iter().map(|particle| particle.y);
    heights.fold(f32::INFINITY, f32::min)
}

/// Figure 6 of Fuhrmann, Sobottka and Gross.
#[test]
fn what_is_caught_in_a_concavity_is_freed_by_the_edges_and_not_without() {
    with_device(|device| {
        let [caught, freed] = [false, true].map(|edges| caught(device, edges));
        println!("{caught} m without the edges' middles, {freed} m with them");
        assert!(caught < 0.0, "{caught}");
        assert!(freed > LEDGE, "{freed}");
    });
}
