//! What the world keeps of the particles from before and behind their last collision.

use glam::Vec3;
use radial_fields::CollideSettings;
use radial_fields::cloth::ClothSettings;
use radial_fields::pose::Palette;
use radial_fields::{BodyDef, GarmentDef, WorldDef};

use crate::figures::{Dice, column, loose};
use crate::fixture::{Rig, with_device, xyz};

const MIDDLE: Vec3 = Vec3::new(0.0, 0.4, 0.0);

/// Particles stay where they were made but for collision: 100 inside the column, 100 far from it.
#[test]
fn it_is_where_the_particles_were_and_collision_alone_moves_them_on() {
    with_device(|device| {
        let avatar = column(1);
        let mut dice = Dice::new(7);
        let inside = Vec3::new(0.06, 0.3, 0.06);
        let mut points: Vec<_> = (0..100).map(|_| MIDDLE + inside * dice.point()).collect();
        points.extend((0..100).map(|_| Vec3::X + 0.3 * dice.point()));
        let garment = loose(points.clone());
        let def = WorldDef {
            bodies: &[BodyDef::new(&avatar)],
            garments: &[GarmentDef::new(&garment, 0)],
            cloth: ClothSettings {
                sub_steps: 1,
                iterations: 0,
                gravity: Vec3::ZERO,
                ..ClothSettings::default()
            },
            collide: CollideSettings {
                edge_midpoints: false,
                ..CollideSettings::default()
            },
            ..WorldDef::default()
        };
        let mut rig = Rig::new(device, &def);
        assert!(rig.world.last_collision().is_none(), "nobody has asked");
        rig.world.keep_last_collision(true).expect("there is room");
        let palette = Palette::bind(&avatar.skeleton);
        rig.step(&[&palette], true);
        assert_eq!(before(&mut rig), points, "to the last bit");
        let after = rig.particles();
        let contacts = rig.cloth(|world| world.cloth().contacts());
        for (ix, contact) in contacts.iter().enumerate() {
            let is_moved = after[ix] != points[ix];
            assert_eq!(is_moved, contact.w > 0.0, "{ix}");
            assert_eq!(is_moved, ix < 100, "{ix}");
        }
        // An edit lays all out anew, and what is asked for stays asked for.
        rig.world.edit(|_| Ok(())).expect("there is room");
        rig.step(&[&palette], true);
        assert_eq!(before(&mut rig), points);
        device.wait_idle().expect("the device is not lost");
        rig.world
            .keep_last_collision(false)
            .expect("nothing is needed");
        assert!(rig.world.last_collision().is_none());
        rig.step(&[&palette], false);
    });
}

/// With several sub-steps the last one counts: by then the earlier ones have put the particles outside.
#[test]
fn of_several_collisions_it_is_the_last() {
    with_device(|device| {
        let avatar = column(1);
        let garment = loose(vec![MIDDLE + Vec3::X * 0.06]);
        let def = WorldDef {
            bodies: &[BodyDef::new(&avatar)],
            garments: &[GarmentDef::new(&garment, 0)],
            cloth: ClothSettings {
                sub_steps: 4,
                iterations: 0,
                gravity: Vec3::ZERO,
                ..ClothSettings::default()
            },
            ..WorldDef::default()
        };
        let mut rig = Rig::new(device, &def);
        rig.world.keep_last_collision(true).expect("there is room");
        rig.step(&[&Palette::bind(&avatar.skeleton)], true);
        assert!(before(&mut rig)[0].x > 0.09, "{:?}", before(&mut rig));
    });
}

fn before(rig: &mut Rig) -> Vec<Vec3> {
    xyz(&rig.cloth(|world| world.last_collision().expect("it is kept")))
}
