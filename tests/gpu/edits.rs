//! Adding and removing bodies and garments does not affect the others.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use radial_fields::avatar::Avatar;
use radial_fields::cloth::garment::Garment;
use radial_fields::engine::Device;
use radial_fields::pose::Palette;
use radial_fields::{
    BodyDef, FrameInput, GarmentDef, GarmentSettings, Technique, WorldDef, WorldError,
};

use crate::figures::{bent, column, hang, sheet};
use crate::fixture::{Rig, STEP_SECONDS, with_device};

/// Where a second body stands: out of reach of the first one's cloth.
const ASIDE: Vec3 = Vec3::new(5.0, 0.0, 0.0);

/// A column, what hangs on it, and how it sways.
pub struct Swaying {
    pub avatar: Avatar,
    pub garment: Garment,
    place: Vec3,
}

impl Swaying {
    pub fn at(place: Vec3) -> Self {
        Self::of(column(3), place)
    }

    /// A column of one joint, whose fields are sooner laid.
    pub fn stiff(place: Vec3) -> Self {
        Self::of(column(1), place)
    }

    fn of(avatar: Avatar, place: Vec3) -> Self {
        Self {
            avatar,
            garment: hang(sheet(9, 7, 0.03, Vec3::new(0.0, 0.7, 0.15)), 9),
            place,
        }
    }

    pub fn palette(&self, step: usize) -> Palette {
        let turn = Quat::from_rotation_z(0.2 * (step as f32 * 0.3).sin());
        bent(&self.avatar, turn, Mat4::from_translation(self.place))
    }
}

fn rig(device: &Arc<Device>, contents: &[&Swaying]) -> Rig {
    let bodies: Vec<_> = contents
        .iter()
        .map(|one| BodyDef::new(&one.avatar))
        .collect();
    let garments: Vec<_> = contents
        .iter()
        .enumerate()
        .map(|(body_ix, one)| GarmentDef::new(&one.garment, body_ix))
        .collect();
    let def = WorldDef {
        bodies: &bodies,
        garments: &garments,
        ..WorldDef::default()
    };
    Rig::new(device, &def)
}

fn steps(rig: &mut Rig, contents: &[&Swaying], range: std::ops::Range<usize>) {
    for step in range {
        let palettes: Vec<_> = contents.iter().map(|one| one.palette(step)).collect();
        rig.step(&palettes.iter().collect::<Vec<_>>(), false);
    }
}

/// The bits of all that is drawn of one body and one garment.
fn bits(rig: &mut Rig, body_ix: usize, garment_ix: usize) -> Vec<u32> {
    let vertices = rig.world.body_vertices(body_ix);
    let particles = rig.world.garment_particles(garment_ix);
    let skin = rig.skin()[vertices.start as usize..vertices.end as usize].to_vec();
    let mut floats: Vec<f32> = skin.iter().flat_map(|p| p.to_array()).collect();
    for values in [
        rig.cloth(|world| world.cloth().positions()),
        rig.cloth(|world| world.cloth().previous_positions()),
        rig.cloth(|world| world.cloth().normals()),
    ] {
        let values = &values[particles.start as usize..particles.end as usize];
        floats.extend(values.iter().flat_map(|value| value.to_array()));
    }
    assert!(floats.iter().all(|value| value.is_finite()));
    floats.into_iter().map(f32::to_bits).collect()
}

#[test]
fn who_stays_does_not_notice_who_comes_and_goes() {
    with_device(|device| {
        let (one, other) = (Swaying::at(Vec3::ZERO), Swaying::at(ASIDE));
        let mut alone = rig(device, &[&one]);
        steps(&mut alone, &[&one], 0..30);
        let expected = bits(&mut alone, 0, 0);

        let mut rig = rig(device, &[&other, &one]);
        steps(&mut rig, &[&other, &one], 0..10);
        rig.world
            .edit(|contents| contents.remove_body(0))
            .expect("there is a body 0");
        assert_eq!((rig.world.body_count(), rig.world.garment_count()), (1, 1));
        steps(&mut rig, &[&one], 10..20);
        rig.world
            .edit(|contents| {
                let body_ix = contents.add_body(&BodyDef::new(&other.avatar))?;
                contents.add_garment(&GarmentDef::new(&other.garment, body_ix))?;
                Ok(())
            })
            .expect("there is room for another");
        steps(&mut rig, &[&one, &other], 20..30);
        assert!(bits(&mut rig, 0, 0) == expected, "the one who stayed");
        // The one who came was put where it is, not drawn there from the origin.
        let mut fresh = self::rig(device, &[&other]);
        steps(&mut fresh, &[&other], 20..30);
        assert!(
            bits(&mut rig, 1, 1) == bits(&mut fresh, 0, 0),
            "the one who came"
        );
    });
}

/// As an engine draws that simulates every other frame.
#[test]
fn what_is_added_is_zero_until_its_first_step_and_who_stays_is_drawn_as_before() {
    with_device(|device| {
        let (one, other) = (Swaying::at(Vec3::ZERO), Swaying::at(ASIDE));
        let mut rig = rig(device, &[&one]);
        steps(&mut rig, &[&one], 0..3);
        let expected = bits(&mut rig, 0, 0);
        let added = rig.world.edit(|contents| {
            let body_ix = contents.add_body(&BodyDef::new(&other.avatar))?;
            let garment = GarmentDef::new(&other.garment, body_ix);
            contents.add_garment(&garment).map(drop)
        });
        added.expect("there is room for another");
        rig.frame(&FrameInput {
            steps: &[],
            step_seconds: STEP_SECONDS,
        });
        assert!(bits(&mut rig, 0, 0) == expected, "the one who stayed");
        let added = bits(&mut rig, 1, 1);
        assert!(added.iter().all(|word| *word == 0), "the one who came");
    });
}

#[test]
fn a_garment_goes_on_when_another_is_taken_off_in_the_same_frame() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let mut alone = rig(device, &[&one]);
        steps(&mut alone, &[&one], 0..12);
        let expected = bits(&mut alone, 0, 0);

        let mut rig = rig(device, &[&one]);
        steps(&mut rig, &[&one], 0..6);
        let second = GarmentDef {
            settings: GarmentSettings {
                damping: 3.0,
                ..GarmentSettings::default()
            },
            ..GarmentDef::new(&one.garment, 0)
        };
        // Two edits without a frame between them, and the world's settings follow.
        rig.world
            .edit(|contents| contents.add_garment(&second).map(drop))
            .expect("there is a body 0");
        assert_eq!(rig.world.settings().garments[1].damping, 3.0);
        rig.world.settings_mut().garments[1].damping = 4.0;
        rig.world
            .edit(|contents| {
                contents.add_garment(&second)?;
                assert_eq!(contents.garment_count(), 3);
                contents.remove_garment(2)
            })
            .expect("there are three garments");
        assert_eq!(rig.world.settings().garments[1].damping, 4.0);
        steps(&mut rig, &[&one], 6..12);
        assert!(bits(&mut rig, 0, 0) == expected);
        assert!(
            bits(&mut rig, 0, 1) != expected,
            "the second one started later"
        );
    });
}

#[test]
fn an_edit_that_fails_changes_nothing() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let mut rig = rig(device, &[&one]);
        steps(&mut rig, &[&one], 0..3);
        let before = (bits(&mut rig, 0, 0), rig.world.memory());
        let error = rig.world.edit(|contents| {
            contents.remove_body(0)?;
            contents.remove_garment(0)
        });
        assert!(matches!(
            error,
            Err(WorldError::NoSuchGarment {
                garment_ix: 0,
                garment_count: 0
            })
        ));
        let mut torn = one.garment.clone();
        torn.mesh.triangles[0][2] = 63;
        let error = rig
            .world
            .edit(|contents| contents.add_garment(&GarmentDef::new(&torn, 0)).map(drop));
        assert!(matches!(error, Err(WorldError::BrokenGarment { .. })));
        let error = rig.world.edit(|contents| {
            contents
                .add_garment(&GarmentDef::new(&one.garment, 1))
                .map(drop)
        });
        assert!(matches!(
            error,
            Err(WorldError::NoSuchBody {
                body_ix: 1,
                body_count: 1
            })
        ));
        assert!((bits(&mut rig, 0, 0), rig.world.memory()) == before);
    });
}

#[test]
fn a_teleport_is_one_bodys_own_affair() {
    with_device(|device| {
        let (one, other) = (Swaying::at(Vec3::ZERO), Swaying::at(ASIDE));
        let mut calm = rig(device, &[&one, &other]);
        let mut rig = rig(device, &[&one, &other]);
        steps(&mut calm, &[&one, &other], 0..10);
        steps(&mut rig, &[&one, &other], 0..9);
        let palettes = [one.palette(9), other.palette(9)];
        let bodies = [
            radial_fields::BodyStep::moved(&palettes[0]),
            radial_fields::BodyStep::teleported(&palettes[1]),
        ];
        rig.frame(&FrameInput {
            steps: &[radial_fields::StepInput {
                bodies: &bodies,
                solids: &[],
                grab: None,
            }],
            step_seconds: STEP_SECONDS,
        });
        assert!(bits(&mut rig, 0, 0) == bits(&mut calm, 0, 0));
        assert!(bits(&mut rig, 1, 1) != bits(&mut calm, 1, 1));
        // Like one that starts there: nothing of where it was is left, nor of how its cloth lay.
        let mut fresh = self::rig(device, &[&other]);
        steps(&mut fresh, &[&other], 9..10);
        let particles = rig.world.garment_particles(1);
        let there = &rig.particles()[particles.start as usize..];
        let apart = |from: &[Vec3]| {
            let pairs = there.iter().zip(from);
            pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
        };
        let moved = &calm.particles()[particles.start as usize..];
        let [to_fresh, to_moved] = [&fresh.particles()[..], moved].map(apart);
        println!("{to_fresh} m from one that starts there, {to_moved} m from one that was moved");
        assert!(to_fresh < 1e-5 && to_moved > 5e-2);
    });
}

#[test]
fn a_world_may_be_empty_for_a_while_and_memory_comes_back() {
    with_device(|device| {
        for technique in Technique::ALL {
            comes_and_goes(device, technique);
        }
    });
}

fn comes_and_goes(device: &Arc<Device>, technique: Technique) {
    let one = Swaying::at(Vec3::ZERO);
    let def = WorldDef {
        technique,
        ..WorldDef::default()
    };
    let mut rig = Rig::new(device, &def);
    steps(&mut rig, &[], 0..3);
    let empty = rig.world.memory_use().bytes;
    for round in 0..2 {
        rig.world
            .edit(|contents| {
                contents.add_body(&BodyDef::new(&one.avatar))?;
                contents.add_garment(&GarmentDef::new(&one.garment, 0))?;
                Ok(())
            })
            .expect("there is room");
        steps(&mut rig, &[&one], 0..5);
        assert!(rig.world.memory_use().bytes > empty);
        let warm = rig.world.memory_use();
        steps(&mut rig, &[&one], 5..8);
        assert_eq!(rig.world.memory_use(), warm, "no memory without an edit");
        rig.world
            .edit(|contents| contents.remove_body(0))
            .expect("there is a body 0");
        steps(&mut rig, &[], 0..3);
        let bytes = rig.world.memory_use().bytes;
        assert_eq!(bytes, empty, "{technique:?}, round {round}");
    }
}

/// Neither the next frame's uploads nor the frames in flight miss what they read.
#[test]
fn contacts_come_and_go_between_frames_without_waiting() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let (bodies, garments) = (
            [BodyDef::new(&one.avatar)],
            [GarmentDef::new(&one.garment, 0)],
        );
        let def = WorldDef {
            bodies: &bodies,
            garments: &garments,
            cloth_contacts: true,
            ..WorldDef::default()
        };
        let mut rig = Rig::new(device, &def);
        let set = |rig: &mut Rig, meets| {
            let switched = rig.world.set_cloth_contacts(meets);
            switched.expect("there is memory");
            rig.world
                .keep_last_collision(meets)
                .expect("there is memory");
        };
        set(&mut rig, false);
        steps(&mut rig, &[&one], 0..1);
        for (step, meets) in [true, false, true, true, false].into_iter().enumerate() {
            set(&mut rig, !meets);
            set(&mut rig, meets);
            steps(&mut rig, &[&one], step + 1..step + 2);
            assert_eq!(rig.world.cloth_contacts().is_some(), meets);
        }
        steps(&mut rig, &[&one], 6..9);
        let bytes = rig.world.memory_use().bytes;
        let mut without = Rig::new(
            device,
            &WorldDef {
                cloth_contacts: false,
                ..def
            },
        );
        steps(&mut without, &[&one], 0..9);
        assert_eq!(bytes, without.world.memory_use().bytes, "memory comes back");
    });
}

/// Whoever adds bodies first and clothes later gets what one gets who gives all at once.
#[test]
fn a_world_that_is_filled_bit_by_bit_collides_as_one_that_is_made_whole() {
    with_device(|device| {
        let one = Swaying::stiff(Vec3::ZERO);
        let large = sheet(95, 90, 0.004, Vec3::new(0.0, 0.7, 0.15));
        let bodies = [BodyDef::new(&one.avatar)];
        let def = WorldDef {
            bodies: &bodies,
            ..WorldDef::default()
        };
        let mut rig = Rig::new(device, &def);
        assert!(rig.world.collider().serves(100));
        for (garment, particles) in [(&one.garment, 63), (&large, 63 + 95 * 90)] {
            let edited = rig.world.edit(|contents| {
                contents.add_garment(&GarmentDef::new(garment, 0))?;
                Ok(())
            });
            edited.expect("there is room");
            assert_eq!(rig.world.cloth().particle_count(), particles);
            assert!(rig.world.collider().serves(particles), "{particles}");
        }
        assert!(
            !rig.world.collider().serves(100),
            "few particles have more threads each"
        );
        steps(&mut rig, &[&one], 0..1);
    });
}
