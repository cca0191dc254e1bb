//! What others are worn over has radial fields of its own, which those meet and nobody else does.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::{Mat4, Quat, Vec2, Vec3, Vec3Swizzles};
use radial_fields::avatar::Avatar;
use radial_fields::cloth::garment::{Attachment, Garment, Layered};
use radial_fields::cloth::{ClothSettings, GarmentSettings};
use radial_fields::engine::Device;
use radial_fields::pose::Palette;
use radial_fields::{BodyDef, GarmentDef, Technique, WorldDef};

use crate::figures::{bent, column, loose, sleeve_of};
use crate::fixture::{Rig, with_device};

const STEPS: usize = 6;

/// A garment that is worn over those before it.
fn over(garment: Garment) -> Garment {
    let layered = Layered {
        clearance: 0.02,
        ..Layered::FREE
    };
    Garment {
        layered: [(0, layered)].into(),
        ..garment
    }
}

/// Triangles so far from the column's axis, metres, of which none holds another.
fn patches(radius: f32) -> Garment {
    let triangle = |ix: u32| {
        let y = 0.3 + 0.06 * (ix / 12) as f32;
        [(0.0, 0.0), (0.1, 0.0), (0.05, 0.015)].map(|(turn, up)| {
            let across = radius * Vec2::from_angle((ix % 12) as f32 * TAU / 12.0 + turn);
            Vec3::new(across.x, y + up, -across.y)
        })
    };
    loose((0..48).flat_map(triangle).collect())
}

/// The same garment with all of it held where skinning puts it.
fn nailed(garment: Garment) -> Garment {
    let particles = 0..garment.mesh.positions.len() as u32;
    let attachments = particles.map(|particle_ix| Attachment {
        particle_ix,
        compliance: 0.0,
    });
    Garment {
        attachments: attachments.collect(),
        ..garment
    }
}

/// Columns, the first of which wears some garments.
fn rig(device: &Arc<Device>, columns: &[Avatar], worn: &[Garment], def: WorldDef) -> Rig {
    let bodies: Vec<_> = columns.iter().map(BodyDef::new).collect();
    let settings = GarmentSettings {
        thickness: 0.001,
        ..GarmentSettings::default()
    };
    let worn = worn.iter().map(|garment| GarmentDef {
        settings,
        ..GarmentDef::new(garment, 0)
    });
    let garments: Vec<_> = worn.collect();
    let def = WorldDef {
        bodies: &bodies,
        garments: &garments,
        cloth_contacts: true,
        ..def
    };
    Rig::new(device, &def)
}

/// One column that wears some garments.
fn on_a_column(device: &Arc<Device>, column: &Avatar, worn: &[Garment], def: WorldDef) -> Rig {
    rig(device, std::slice::from_ref(column), worn, def)
}

fn swaying(avatar: &Avatar, step: usize) -> Palette {
    let turn = Quat::from_rotation_z(0.2 * (step as f32 * 0.5).sin());
    bent(
        avatar,
        turn,
        Mat4::from_translation(0.02 * step as f32 * Vec3::X),
    )
}

/// Whether a covered garment is skin as it lies on its own, in each of some steps, of which the first puts it on.
pub fn lies_as_skin(device: &Arc<Device>) -> Result<(), String> {
    let column = column(3);
    let worn = [sleeve_of(0.125), over(sleeve_of(0.15))];
    let mut rig = on_a_column(device, &column, &worn, WorldDef::default());
    let (vertices, count) = (column.skin.positions.len(), worn[0].mesh.positions.len());
    let (mut cloth, mut skinned): (Vec<Vec3>, Vec<Vec3>) = (Vec::new(), Vec::new());
    for step in 0..STEPS {
        rig.step(&[&swaying(&column, step)], step == 0);
        let skin = rig.skin();
        let targets = skin[vertices + count..][..count].to_vec();
        for (ix, found) in skin[vertices..][..count].iter().enumerate() {
            let offset = cloth.get(ix).map_or(Vec3::ZERO, |at| *at - skinned[ix]);
            let expected = targets[ix] + offset;
            if found.distance(expected) > 1e-6 {
                return Err(format!("step {step}, {ix}: {found}, not {expected}"));
            }
        }
        skinned = targets;
        cloth = rig.particles()[..count].to_vec();
    }
    let strayed = cloth.iter().zip(&skinned).map(|(at, on)| at.distance(*on));
    match strayed.fold(0.0, f32::max) > 0.005 {
        true => Ok(()),
        false => Err("it moved like skin anyhow".to_owned()),
    }
}

/// Whether a garment moves as if it had no fields, with another over it that is far away, among so many bodies.
fn is_free(device: &Arc<Device>, bodies: usize, gravity: Vec3) -> Result<(), String> {
    let columns = vec![column(1); bodies];
    let beneath = Garment {
        attachments: Vec::new(),
        ..sleeve_of(0.125)
    };
    let worn = [beneath, nailed(over(sleeve_of(0.4)))];
    let palettes: Vec<_> = (0..bodies)
        // Every other one is far away, so that the fields of those nearby are many runs.
        .map(|ix| Vec3::new(0.05 * ix as f32, 0.0, 50.0 * (ix % 2) as f32))
        .map(|place| bent(&columns[0], Quat::IDENTITY, Mat4::from_translation(place)))
        .collect();
    let [with, without] = [true, false].map(|layer_fields| {
        let cloth = ClothSettings {
            gravity,
            ..ClothSettings::default()
        };
        let def = WorldDef {
            layer_fields,
            cloth,
            ..WorldDef::default()
        };
        let mut rig = rig(device, &columns, &worn, def);
        let palettes: Vec<_> = palettes.iter().collect();
        (0..STEPS).for_each(|step| rig.step(&palettes, step == 0));
        rig.particles()[..worn[0].mesh.positions.len()].to_vec()
    });
    let differs = with.iter().zip(&without).position(|(a, b)| a != b);
    differs.map_or(Ok(()), |ix| {
        Err(format!("{ix}: {}, not {}", with[ix], without[ix]))
    })
}

/// Whether it does not meet its own fields, by its list of candidates and, where gravity draws it along the column among many bodies, by all there are.
pub fn met_by_nobody_else(device: &Arc<Device>) -> Result<(), String> {
    is_free(device, 1, ClothSettings::default().gravity)?;
    is_free(device, 24, 500.0 * Vec3::Y)
}

/// Metres from the column's axis, in the mean, of what is worn over a stiff sleeve of 14 cm, half a second after it was put on beneath that, so far
/// from the axis.
fn radius_after(
    device: &Arc<Device>,
    technique: Technique,
    radius: f32,
    layer_fields: bool,
) -> f32 {
    let column = column(1);
    let worn = [nailed(sleeve_of(0.14)), over(patches(radius))];
    let def = WorldDef {
        technique,
        layer_fields,
        cloth: ClothSettings {
            gravity: Vec3::ZERO,
            ..ClothSettings::default()
        },
        ..WorldDef::default()
    };
    let mut rig = on_a_column(device, &column, &worn, def);
    let palette = Palette::bind(&column.skeleton);
    (0..30).for_each(|step| rig.step(&[&palette], step == 0));
    let over = &rig.particles()[worn[0].mesh.positions.len()..];
    over.iter().map(|at| at.xz().length()).sum::<f32>() / over.len() as f32
}

/// Whether what has got beneath is brought out, by either way to fill fields and not without them, unless it is too deep.
pub fn brings_out(device: &Arc<Device>) -> Result<(), String> {
    for technique in Technique::RADIAL {
        let [with, without, deeper] = [(0.1335, true), (0.1335, false), (0.12, true)]
            .map(|(radius, fields)| radius_after(device, technique, radius, fields));
        if with < 0.142 || without > 0.134 || deeper > 0.121 {
            return Err(format!(
                "{technique:?}: {with} m, {without} without, {deeper} of what is deeper"
            ));
        }
    }
    Ok(())
}

#[test]
fn what_is_covered_is_skin_as_it_lies() {
    with_device(|device| lies_as_skin(device).unwrap());
}

#[test]
fn nobody_meets_it_but_what_lies_over_it() {
    with_device(|device| met_by_nobody_else(device).unwrap());
}

#[test]
fn what_has_got_beneath_what_it_is_worn_over_comes_out() {
    with_device(|device| brings_out(device).unwrap());
}

#[test]
fn they_come_and_go_with_contacts() {
    with_device(|device| {
        let column = column(1);
        let worn = [sleeve_of(0.125), over(sleeve_of(0.15))];
        let mut rig = on_a_column(device, &column, &worn, WorldDef::default());
        let fields = |rig: &Rig| {
            rig.world
                .radial()
                .expect("it is they")
                .fields_per_body()
                .to_vec()
        };
        let with = fields(&rig);
        assert!(with.len() == 2 && with[1] > 0, "{with:?}");
        let palette = Palette::bind(&column.skeleton);
        let mut before = rig.particles();
        for meets in [false, true, false] {
            rig.step(&[&palette], before.is_empty());
            before = rig.particles();
            rig.world
                .set_cloth_contacts(meets)
                .expect("there is memory");
            rig.step(&[&palette], false);
            assert_eq!(fields(&rig).len(), 1 + usize::from(meets));
            let moved = before
                .iter()
                .zip(rig.particles())
                .map(|(a, b)| a.distance(b));
            let moved = moved.fold(0.0, f32::max);
            assert!(moved < 0.02, "the state stays: {moved}");
        }
    });
}
