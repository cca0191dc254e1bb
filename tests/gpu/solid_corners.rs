//! Corners of rigid solids under cloth: no triangle is pierced once it lies, whatever the technique.

use std::sync::Arc;

use glam::{DVec3, Mat4, Quat, Vec3};
use radial_fields::cloth::{ClothSettings, GarmentSettings};
use radial_fields::collide::{CollideSettings, Technique};
use radial_fields::engine::Device;
use radial_fields::oracle::solids::{JudgedShape, SolidFrame, SolidOracle};
use radial_fields::{BodyDef, GarmentDef, SolidDef, SolidShape, WorldDef};

use crate::figures::{bent, column, sheet};
use crate::fixture::{Rig, with_device};

/// Steps until the cloth lies: at 24 it still comes down, and stands on a corner.
const STEPS: usize = 36;
/// Frames that are judged.
const JUDGED: usize = 3;
const TABLE: Vec3 = Vec3::new(0.5, 0.04, 0.5);
/// Cubes that stand on a corner, metres of half their side.
const CUBE: f64 = 0.015;
/// Where they stand: some closer together than a triangle is wide, so that neighbouring triangles have a corner each.
const CUBES: [[f32; 2]; 4] = [
    [0.011, 0.004],
    [0.043, 0.013],
    [-0.061, 0.034],
    [-0.052, -0.041],
];

/// A table and the corners that stand out of it.
fn solids() -> Vec<(SolidDef, JudgedShape)> {
    let top = 0.95;
    let table = SolidDef::new(
        SolidShape::cuboid(TABLE),
        Mat4::from_translation(Vec3::Y * (top - 0.5 * TABLE.y)),
    );
    let half_size = 0.5 * TABLE.as_dvec3();
    let mut all = vec![(table, JudgedShape::Box { half_size })];
    let turn = Quat::from_rotation_arc(Vec3::ONE.normalize(), Vec3::Y);
    for [x, z] in CUBES {
        let at = Mat4::from_rotation_translation(turn, Vec3::new(x, top, z));
        let cube = SolidShape::cuboid(Vec3::splat(2.0 * CUBE as f32));
        let half_size = DVec3::splat(CUBE);
        all.push((SolidDef::new(cube, at), JudgedShape::Box { half_size }));
    }
    all
}

/// The most triangles that anything stands through once a sheet has come down on them.
fn pierced(device: &Arc<Device>, technique: Technique, edge_midpoints: bool) -> usize {
    let avatar = column(1);
    let aside = Mat4::from_translation(Vec3::X * 30.0);
    let palette = bent(&avatar, Quat::IDENTITY, aside);
    let bind_from_world = palette.world_from_bind[0].inverse();
    let mut garment = sheet(9, 9, 0.03, Vec3::ZERO);
    for position in &mut garment.mesh.positions {
        let above = *position * Vec3::new(1.0, 0.0, 1.0) + 0.985 * Vec3::Y;
        *position = bind_from_world.transform_point3(above);
    }
    let (defs, shapes): (Vec<_>, Vec<_>) = solids().into_iter().unzip();
    let places: Vec<_> = defs.iter().map(|def| def.world_from_solid).collect();
    let def = WorldDef {
        bodies: &[BodyDef::new(&avatar)],
        garments: &[GarmentDef {
            settings: GarmentSettings {
                motion_scale: 0.0,
                tethered: 0,
                ..GarmentSettings::default()
            },
            ..GarmentDef::new(&garment, 0)
        }],
        solids: &defs,
        cloth: ClothSettings {
            ground: None,
            ..ClothSettings::default()
        },
        collide: CollideSettings {
            edge_midpoints,
            ..CollideSettings::default()
        },
        technique,
        ..WorldDef::default()
    };
    let mut rig = Rig::new(device, &def);
    (0..STEPS).for_each(|step| rig.step(&[&palette], step == 0));
    let mut oracle = SolidOracle::new(shapes.into_iter().map(Some).collect());
    for _ in 0..JUDGED {
        rig.step(&[&palette], false);
        oracle.measure(&SolidFrame {
            places: &places,
            particles: &rig.particles(),
            triangles: &garment.mesh.triangles,
        });
    }
    let quality = oracle.quality();
    println!("{technique:?}: {quality:?}");
    assert_eq!(quality.inside_fraction, 0.0, "{technique:?}: {quality:?}");
    quality.pierced_late
}

#[test]
fn corners_pierce_no_triangle_whatever_the_technique() {
    with_device(|device| {
        let counts = Technique::ALL.map(|technique| pierced(device, technique, true));
        assert_eq!(counts, Technique::ALL.map(|_| 0), "{:?}", Technique::ALL);
        let without = pierced(device, Technique::RadialCompute, false);
        assert!(without > 3, "{without} pierced without edges prove little");
    });
}
