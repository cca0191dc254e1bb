//! The same input gives the same bits, however the frames are handed in.

use std::sync::Arc;

use radial_fields::avatar::{Avatar, builtin};
use radial_fields::cloth::ClothSettings;
use radial_fields::cloth::garment::{Garment, sheet_over};
use radial_fields::engine::Device;
use radial_fields::pose::Palette;
use radial_fields::{BodyDef, BodyStep, FrameInput, GarmentDef, Host, StepInput, WorldDef};

use crate::figures::in_clip;
use crate::fixture::{Rig, STEP_SECONDS, with_device};

/// Steps of each frame: one, none, several, as in a game that falls behind.
const STEP_COUNTS: [usize; 8] = [1, 2, 0, 1, 3, 1, 1, 1];

struct Dressed {
    avatar: Avatar,
    garment: Garment,
    palettes: Vec<Palette>,
}

impl Dressed {
    fn new() -> Self {
        let avatar = builtin::load_mannequin();
        let step_count = STEP_COUNTS.iter().sum::<usize>();
        Self {
            garment: sheet_over(&avatar, 500),
            palettes: (0..step_count)
                .map(|ix| in_clip(&avatar, 0, 0.5 + ix as f32 * STEP_SECONDS))
                .collect(),
            avatar,
        }
    }

    fn rig(&self, device: &Arc<Device>, host: &Host) -> Rig {
        let bodies = [BodyDef::new(&self.avatar)];
        let garments = [GarmentDef::new(&self.garment, 0)];
        let def = WorldDef {
            bodies: &bodies,
            garments: &garments,
            cloth: ClothSettings {
                sub_steps: 2,
                ..ClothSettings::default()
            },
            ..WorldDef::default()
        };
        Rig::with_host(device, &def, host)
    }

    /// The bits of everything after the last frame. Nothing is waited for before.
    fn run(&self, device: &Arc<Device>, host: &Host) -> Vec<u32> {
        self.run_in(device, host, &STEP_COUNTS)
    }

    /// The same with other numbers of steps in its frames.
    fn run_in(&self, device: &Arc<Device>, host: &Host, step_counts: &[usize]) -> Vec<u32> {
        let mut rig = self.rig(device, host);
        let mut left = self.palettes.as_slice();
        for (frame_ix, &step_count) in step_counts.iter().enumerate() {
            let (now, later) = left.split_at(step_count);
            left = later;
            let bodies: Vec<_> = now
                .iter()
                .map(|palette| {
                    [BodyStep {
                        teleported: frame_ix == 0,
                        ..BodyStep::moved(palette)
                    }]
                })
                .collect();
            let steps: Vec<_> = bodies
                .iter()
                .map(|bodies| StepInput {
                    bodies,
                    ..Default::default()
                })
                .collect();
            rig.frame(&FrameInput {
                steps: &steps,
                step_seconds: STEP_SECONDS,
            });
        }
        let mut floats = rig.cells();
        floats.extend(rig.skin().iter().flat_map(|position| position.to_array()));
        for values in [
            rig.cloth(|world| world.cloth().positions()),
            rig.cloth(|world| world.cloth().normals()),
            rig.cloth(|world| world.cloth().contacts()),
        ] {
            floats.extend(values.iter().flat_map(|value| value.to_array()));
        }
        assert!(floats.iter().all(|value| !value.is_nan()));
        floats.into_iter().map(f32::to_bits).collect()
    }
}

#[test]
fn the_same_input_gives_the_same_bits_however_many_frames_are_in_flight() {
    with_device(|device| {
        let dressed = Dressed::new();
        let first = dressed.run(device, &device.host(2));
        for frames_in_flight in [2, 1, 3] {
            let again = dressed.run(device, &device.host(frames_in_flight));
            assert!(first == again, "{frames_in_flight} frames in flight");
        }
    });
}

#[test]
fn steps_in_one_command_buffer_or_in_one_each_give_the_same_bits() {
    with_device(|device| {
        let (dressed, host) = (Dressed::new(), device.host(2));
        let mixed = dressed.run(device, &host);
        let apart = dressed.run_in(device, &host, &[1; STEP_COUNTS.len() + 2]);
        assert!(mixed == apart, "a command buffer a step");
        let together = dressed.run_in(device, &host, &[1, 3, 3, 3]);
        assert!(mixed == together, "three steps a command buffer");
    });
}

#[test]
fn names_for_debuggers_change_nothing() {
    with_device(|device| {
        let dressed = Dressed::new();
        let named = device.host(2);
        assert!(named.debug_utils, "validation brings the names along");
        let nameless = Host {
            debug_utils: false,
            ..device.host(2)
        };
        assert!(dressed.run(device, &named) == dressed.run(device, &nameless));
    });
}
