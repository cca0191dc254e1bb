//! What a step ends with puts outside again what shortening has drawn into a body.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec2, Vec3, Vec4, Vec4Swizzles};
use radial_fields::avatar::Avatar;
use radial_fields::cloth::garment::Garment;
use radial_fields::cloth::{ClothSettings, GarmentSettings, Grab};
use radial_fields::collide::CollideSettings;
use radial_fields::engine::Device;
use radial_fields::pose::Palette;
use radial_fields::{BodyDef, GarmentDef, Technique, WorldDef};

use crate::figures::{bent, column, loose};
use crate::fixture::{Rig, with_device};

/// Metres.
const RADIUS: f32 = 0.1;
const THICKNESS: f32 = 0.002;
/// What is kept from a person where there is no room for more, and in proportion from others.
const REDUCED: f32 = 0.001;
/// How far a field's cells and a column's flat sides are from a cylinder.
const TOLERANCE: f32 = 5e-4;

/// Of the axes of the two columns, which stand in each other, on both sides of the cloth: at right angles where they meet, so that a push out of one keeps
/// what is in the other.
const HALF_DISTANCE: f32 = 0.0707;

/// How far from z = 0 they come: the crease between them is at z = 3 cm then.
const LAST_AWAY: f32 = 0.04;

/// How far below the others the column stands that carries the cloth.
const CARRIER_BELOW: f32 = 5.0;

/// Where a hand holds a corner of the triangle: in the columns, once they have come.
const HELD: Vec3 = Vec3::new(0.0, 0.4, 0.0);

/// A triangle of cloth whose first corner a hand holds.
fn triangle() -> Garment {
    let corners = [
        Vec3::ZERO,
        Vec3::new(0.0, 0.01, 0.02),
        Vec3::new(0.0, -0.01, 0.02),
    ];
    loose(
        corners
            .map(|corner| HELD + corner + CARRIER_BELOW * Vec3::Y)
            .to_vec(),
    )
}

/// Metres from a place to the nearer of the columns, whose axes are so far behind z = 0.
fn above_columns(place: Vec3, away: f32) -> f32 {
    let across = Vec2::new(place.x.abs() - HALF_DISTANCE, place.z + away);
    across.length() - RADIUS
}

/// Two columns that come at a triangle of cloth, and a hand that draws it into the crease between them.
struct Crease {
    rig: Rig,
    /// Left, right and what carries the cloth.
    columns: [Avatar; 3],
    count: usize,
}

/// Where a free particle is found by what ends a step and where it is left, metres above the columns.
struct Put {
    from: f32,
    to: f32,
    is_moved: bool,
}

impl Crease {
    fn new(device: &Arc<Device>) -> Self {
        let columns = [(); 3].map(|()| column(1));
        let garment = triangle();
        let settings = GarmentSettings {
            thickness: THICKNESS,
            friction: 0.0,
            ..GarmentSettings::default()
        };
        let def = WorldDef {
            bodies: &columns.each_ref().map(BodyDef::new),
            garments: &[GarmentDef {
                garment: &garment,
                body_ix: 2,
                settings,
            }],
            cloth: ClothSettings {
                gravity: Vec3::ZERO,
                ..ClothSettings::default()
            },
            collide: CollideSettings {
                edge_midpoints: false,
                ..CollideSettings::default()
            },
            technique: Technique::RadialCompute,
            ..WorldDef::default()
        };
        let mut rig = Rig::new(device, &def);
        rig.world.keep_last_collision(true).expect("there is room");
        Self {
            rig,
            columns,
            count: garment.mesh.positions.len(),
        }
    }

    /// Steps with the columns' axes so far behind z = 0.
    fn step(&mut self, away: f32, is_first: bool) -> Vec<Put> {
        let places = [
            Vec3::new(-HALF_DISTANCE, 0.0, -away),
            Vec3::new(HALF_DISTANCE, 0.0, -away),
            Vec3::Y * -CARRIER_BELOW,
        ];
        let columns = self.columns.iter().zip(places);
        let palettes: Vec<Palette> = columns
            .map(|(column, place)| bent(column, Quat::IDENTITY, Mat4::from_translation(place)))
            .collect();
        let hand = Grab {
            particle_ix: 0,
            target: HELD,
            radius: 0.0,
        };
        let palettes: Vec<&Palette> = palettes.iter().collect();
        self.rig.step_grabbing(&palettes, is_first, Some(hand));
        let snapshots: Vec<Vec4> = self.rig.read(6 * self.count, |world| {
            world.last_collision().expect("it is kept")
        });
        let [from, to] = [4, 5].map(|ix| &snapshots[ix * self.count..]);
        let free = 1..self.count;
        free.map(|ix| Put {
            from: above_columns(from[ix].xyz(), away),
            to: above_columns(to[ix].xyz(), away),
            is_moved: from[ix].xyz() != to[ix].xyz(),
        })
        .collect()
    }
}

/// What is drawn into the columns is put outside of both, by no more than is kept where there is no room for the thickness, and nothing else is moved.
pub fn puts_outside(device: &Arc<Device>) -> Result<(), String> {
    let mut crease = Crease::new(device);
    let least = REDUCED * crease.columns[0].size();
    let mut drawn_in = 0;
    for step_ix in 0..40 {
        let away = (0.25 - 0.01 * step_ix as f32).max(LAST_AWAY);
        for Put { from, to, is_moved } in crease.step(away, step_ix == 0) {
            drawn_in += usize::from(from < -TOLERANCE);
            let is_too_far = is_moved && (from > least + TOLERANCE || to > least + 2.0 * TOLERANCE);
            if to.is_nan() || to < least - TOLERANCE || is_too_far {
                return Err(format!("step {step_ix}: from {from} m to {to} m above"));
            }
        }
    }
    println!("{drawn_in} drawn in");
    match drawn_in > 20 {
        true => Ok(()),
        false => Err(format!("{drawn_in} drawn in prove little")),
    }
}

#[test]
fn what_shortening_draws_into_a_crease_is_put_outside_again() {
    with_device(|device| assert_eq!(puts_outside(device), Ok(())));
}
