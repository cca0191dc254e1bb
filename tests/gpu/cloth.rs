//! The cloth step on the GPU against `cloth::twin`.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3, Vec4};
use radial_fields::avatar::Avatar;
use radial_fields::cloth::twin::{Inputs, Twin};
use radial_fields::cloth::{ClothSettings, GarmentSettings, Grab, SubStepTiming};
use radial_fields::engine::Device;
use radial_fields::pose::Palette;
use radial_fields::{BodyDef, GarmentDef, WorldDef};

use crate::compare::{largest_distance, points_agree};
use crate::figures::{bent, column, hang, sheet};
use crate::fixture::{Rig, STEP_SECONDS, twin_of, with_device, xyz};

/// Metres. A step's passes add up a few hundred roundings of coordinates of 2 m, and stiff constraints pass them on.
const POSITION_TOLERANCE: f32 = 2e-5;
/// Two such errors over the 3 cm between particles.
const NORMAL_TOLERANCE: f32 = 2e-3;

const SETTINGS: ClothSettings = ClothSettings {
    sub_steps: 2,
    passes: 4,
    gravity: Vec3::new(0.0, -9.81, 0.0),
    wind: Vec3::new(2.0, 0.5, 1.0),
};

/// A sheet that hangs by two corners, far above the body that carries them.
struct Banner {
    avatar: Avatar,
    rig: Rig,
    twin: Twin,
    garment: GarmentSettings,
    has_started: bool,
}

impl Banner {
    fn new(device: &Arc<Device>, settings: GarmentSettings) -> Self {
        let avatar = column(2);
        let garment = hang(sheet(13, 11, 0.03, Vec3::new(0.0, 2.0, 0.0)), 13);
        let bodies = [BodyDef::new(&avatar)];
        let garments = [GarmentDef {
            garment: &garment,
            body_ix: 0,
            settings,
        }];
        let def = WorldDef {
            bodies: &bodies,
            garments: &garments,
            cloth: SETTINGS,
            ..WorldDef::default()
        };
        Self {
            rig: Rig::new(device, &def),
            twin: twin_of(&garment, avatar.skin.positions.len() as u32),
            garment: settings,
            avatar,
            has_started: false,
        }
    }

    /// Current and shown positions and normals. Before the first frame there is nothing to read.
    fn state(&mut self) -> [Vec<Vec4>; 3] {
        if !self.has_started {
            return [(); 3].map(|()| vec![Vec4::ZERO; self.twin.shown.len()]);
        }
        [
            self.rig.current(),
            self.rig.cloth(|world| world.cloth().positions()),
            self.rig.cloth(|world| world.cloth().normals()),
        ]
    }

    /// Steps both from the GPU's state, so that errors of one step do not add to the next one's.
    fn step(
        &mut self,
        palette: &Palette,
        teleported: bool,
        grab: Option<Grab>,
    ) -> Result<(), String> {
        let start = self.state();
        self.has_started = true;
        self.rig.step_grabbing(&[palette], teleported, grab);
        let targets = self.rig.skin();
        let previous_targets = self
            .rig
            .read(targets.len(), |world| world.skin().previous_positions());
        self.twin.restore([&start[0], &start[1], &start[2]]);
        self.step_twin(&targets, &previous_targets, teleported, grab);
        let normals = xyz(&self.rig.cloth(|world| world.cloth().normals()));
        let positions = self.rig.particles();
        println!(
            "{} m, normals {}",
            largest_distance(&positions, &self.twin.shown),
            largest_distance(&normals, &self.twin.normals)
        );
        compare(&positions, &normals, &self.twin)
    }

    fn step_twin(
        &mut self,
        targets: &[Vec3],
        previous_targets: &[Vec3],
        teleported: bool,
        grab: Option<Grab>,
    ) {
        let seconds = STEP_SECONDS / SETTINGS.sub_steps as f32;
        for ix in 0..SETTINGS.sub_steps {
            let inputs = Inputs {
                settings: &SETTINGS,
                garments: &[self.garment],
                targets,
                previous_targets,
                timing: SubStepTiming {
                    seconds,
                    last_seconds: seconds,
                    target_time: (ix + 1) as f32 / SETTINGS.sub_steps as f32,
                    teleported: teleported && ix == 0,
                    grab,
                },
            };
            self.twin.predict(&inputs);
            for pass_ix in 0..SETTINGS.passes {
                self.twin.solve(&inputs, pass_ix);
            }
        }
        self.twin.finish();
    }
}

fn compare(positions: &[Vec3], normals: &[Vec3], twin: &Twin) -> Result<(), String> {
    points_agree(positions, &twin.shown, POSITION_TOLERANCE)?;
    points_agree(normals, &twin.normals, NORMAL_TOLERANCE)
        .map_err(|error| format!("normals: {error}"))
}

/// The body swings, the wind blows, and a hand takes the cloth for a while.
fn moves_as_its_twin(banner: &mut Banner, steps: u32) -> Result<(), String> {
    for ix in 0..steps {
        let place = Mat4::from_rotation_z(0.02 * ix as f32);
        let palette = bent(&banner.avatar, Quat::IDENTITY, place);
        let grab = (5..8).contains(&ix).then_some(Grab {
            particle_ix: 100,
            target: Vec3::new(0.1, 1.9, 0.3),
        });
        banner
            .step(&palette, ix == 0, grab)
            .map_err(|error| format!("step {ix}: {error}"))?;
    }
    let fell = banner
        .twin
        .shown
        .iter()
        .filter(|position| position.y < 1.95)
        .count();
    if 4 * fell > banner.twin.shown.len() {
        Ok(())
    } else {
        Err("too little moves to prove much".to_owned())
    }
}

/// A banner of stiff cloth.
pub fn stiff(device: &Arc<Device>) -> Result<(), String> {
    moves_as_its_twin(&mut Banner::new(device, GarmentSettings::default()), 15)
}

#[test]
fn a_banner_moves_as_its_twin() {
    with_device(|device| assert_eq!(stiff(device), Ok(())));
}

#[test]
fn soft_cloth_without_tethers_moves_as_its_twin() {
    with_device(|device| {
        let soft = GarmentSettings {
            compliance: [1e-3, 1e-2, 1.0],
            drag: 5.0,
            tethered: 0,
            ..GarmentSettings::default()
        };
        assert_eq!(
            moves_as_its_twin(&mut Banner::new(device, soft), 10),
            Ok(())
        );
    });
}

#[test]
fn a_wrong_particle_is_seen() {
    let garment = sheet(5, 3, 0.03, Vec3::ZERO);
    let mut twin = twin_of(&garment, 0);
    twin.predicted.clone_from(&garment.mesh.positions);
    twin.finish();
    let (mut positions, mut normals) = (twin.shown.clone(), twin.normals.clone());
    assert!(compare(&positions, &normals, &twin).is_ok());
    normals[3].x += 2.0 * NORMAL_TOLERANCE;
    assert!(compare(&positions, &normals, &twin).is_err());
    normals[3].x -= 2.0 * NORMAL_TOLERANCE;
    positions[14].x += 2.0 * POSITION_TOLERANCE;
    assert!(compare(&positions, &normals, &twin).is_err());
}
