//! Settings that do not fit a world, and such as no step can be made with.

use ash::vk;
use glam::Vec3;
use radial_fields::cloth::{Ground, Sleep};
use radial_fields::{BodyStep, FrameInput, RecordError, Settings};

use crate::edits::Swaying;
use crate::embedding::{alone, bits, rig, run};
use crate::fixture::with_device;
use crate::refusals::record;

/// Each is refused by name before anything is recorded, and once it is right again the world goes on as if nothing had been.
#[test]
fn settings_that_no_step_can_be_made_with_are_refused() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let mut rig = rig(device, &one);
        let good = rig.world.settings().clone();
        let palette = one.palette(0);
        let changes: [(&str, fn(&mut Settings)); 10] = [
            ("cloth.sub_steps", |s| s.cloth.sub_steps = 17),
            ("cloth.sweeps", |s| s.cloth.sweeps = u32::MAX),
            ("cloth.gravity's length", |s| s.cloth.gravity.x = f32::NAN),
            ("cloth.ground.height", |s| {
                s.cloth.ground = Some(Ground::level(f32::INFINITY));
            }),
            ("cloth.sleep.motion", |s| {
                s.cloth.sleep = Some(Sleep {
                    motion: -1.0,
                    ..Sleep::default()
                });
            }),
            ("collide.stride", |s| s.collide.stride = 0),
            ("collide.search_radius", |s| s.collide.search_radius = 0.0),
            ("density", |s| s.garments[0].density = 0.0),
            ("thickness", |s| s.garments[0].thickness = f32::NAN),
            ("compliance", |s| s.garments[0].compliance[2] = -1.0),
        ];
        for (name, change) in changes {
            change(rig.world.settings_mut());
            let refused = record(&mut rig, &[&[BodyStep::moved(&palette)]], 0.1);
            let text = refused.expect_err(name).to_string();
            assert!(text.contains(&format!("{name} is ")), "{name}: {text}");
            assert!(text.contains(": give "), "{text}");
            rig.world.settings_mut().clone_from(&good);
        }
        run(&one, |input| rig.frame(input));
        assert!(bits(&mut rig) == alone(device, &one));
    });
}

#[test]
fn settings_of_other_garments_and_no_command_buffer_are_refused() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let mut rig = rig(device, &one);
        let input = FrameInput {
            steps: &[],
            step_seconds: 0.1,
        };
        // SAFETY: nothing is recorded into no command buffer.
        let nowhere = unsafe { rig.world.record(vk::CommandBuffer::null(), &input) };
        assert_eq!(nowhere, Err(RecordError::NullCommandBuffer));
        rig.world.settings_mut().garments.clear();
        let settings = RecordError::GarmentSettings {
            expected: 1,
            found: 0,
        };
        assert_eq!(record(&mut rig, &[], 0.1), Err(settings));
    });
}
