//! What another garment covers is held where cloth does not meet cloth, and left to contacts where it does.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;
use radial_fields::cloth::GarmentSettings;
use radial_fields::cloth::garment::{Garment, LOOSE, Layered};
use radial_fields::engine::Device;
use radial_fields::pose::Palette;
use radial_fields::{BodyDef, GarmentDef, WorldDef};

use crate::figures::{column, sheet};
use crate::fixture::{Rig, with_device};

/// A level sheet beside the body, all of it in layers.
fn layered_sheet(layered: Layered) -> Garment {
    let mut garment = sheet(6, 6, 0.05, Vec3::new(2.0, 1.0, 0.0));
    garment.layered = (0..36).map(|ix| (ix, layered)).collect();
    garment
}

/// A world of a sheet whose cloth meets cloth, or not.
fn rig(device: &Arc<Device>, garment: &Garment, cloth_contacts: bool) -> Rig {
    let avatar = column(1);
    let settings = GarmentSettings {
        damping: 4.0,
        ..GarmentSettings::default()
    };
    let def = WorldDef {
        bodies: &[BodyDef::new(&avatar)],
        garments: &[GarmentDef {
            settings,
            ..GarmentDef::new(garment, 0)
        }],
        cloth_contacts,
        ..WorldDef::default()
    };
    Rig::new(device, &def)
}

/// Metres that the particle in the middle has come down after so many steps.
fn fallen(rig: &mut Rig, garment: &Garment, steps: u32, starts: bool) -> f32 {
    let palette = Palette::bind(&column(1).skeleton);
    (0..steps).for_each(|ix| rig.step(&[&palette], starts && ix == 0));
    garment.mesh.positions[14].y - rig.particles()[14].y
}

#[test]
fn it_stays_where_it_was_made_unless_cloth_meets_cloth() {
    with_device(|device| {
        let garment = layered_sheet(Layered {
            max_distance: 0.02,
            ..Layered::FREE
        });
        let mut rig = rig(device, &garment, false);
        let held = fallen(&mut rig, &garment, 60, true);
        assert!((0.015..0.025).contains(&held), "held: {held}");
        rig.world.set_cloth_contacts(true).expect("there is memory");
        let free = fallen(&mut rig, &garment, 30, false);
        assert!(free > 0.3, "free: {free}");
        rig.world
            .set_cloth_contacts(false)
            .expect("nothing is taken");
        let again = fallen(&mut rig, &garment, 60, false);
        assert!((0.015..0.025).contains(&again), "held again: {again}");
    });
}

#[test]
fn it_is_attached_a_tenth_as_stiffly_where_cloth_meets_cloth() {
    with_device(|device| {
        let garment = layered_sheet(Layered {
            compliance: LOOSE,
            ..Layered::FREE
        });
        let [apart, meeting] = [false, true]
            .map(|meets| fallen(&mut rig(device, &garment, meets), &garment, 150, true));
        println!("it sags by {apart} m, and by {meeting} where cloth meets cloth");
        assert!(apart > 0.0003, "{apart}");
        assert!(
            (8.0..12.0).contains(&(meeting / apart)),
            "{}",
            meeting / apart
        );
    });
}

#[test]
fn what_nothing_covers_takes_no_second_list_of_particles() {
    with_device(|device| {
        let layered = layered_sheet(Layered {
            max_distance: 0.02,
            ..Layered::FREE
        });
        let free = Garment {
            layered: BTreeMap::new(),
            ..layered.clone()
        };
        let [with, without] =
            [&layered, &free].map(|garment| rig(device, garment, false).world.cloth().bytes());
        // 36 particles of 36 bytes.
        assert_eq!(with - without, 36 * 36);
    });
}
