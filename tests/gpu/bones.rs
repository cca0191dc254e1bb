//! Bones that the host keeps in a buffer of its own: the same bits as from its palettes.

use std::sync::Arc;

use ash::vk;
use glam::{Mat4, Vec3};
use radial_fields::engine::Device;
use radial_fields::gpu::{Buffer, BufferDesc, Launches, Memory};
use radial_fields::pose::Palette;
use radial_fields::{
    BodyDef, BodyStep, Bones, FrameInput, GarmentDef, HostBones, RecordError, StepInput, Technique,
    World, WorldDef,
};

use crate::edits::Swaying;
use crate::embedding::bits;
use crate::fixture::{Rig, STEP_SECONDS, with_device};
use crate::refusals::record;

const STEPS: usize = 8;
const BODIES: usize = 3;
const STRIDE: u64 = 80;
const FIRST: u64 = 20;

/// Three that stand apart, and their bones in each step.
struct Trio {
    all: [Swaying; BODIES],
}

impl Trio {
    fn new() -> Self {
        Self {
            all: [0.0, 5.0, -5.0].map(|x| Swaying::at(Vec3::X * x)),
        }
    }

    fn rig(&self, device: &Arc<Device>) -> Rig {
        self.rig_of(device, Technique::default())
    }

    fn rig_of(&self, device: &Arc<Device>, technique: Technique) -> Rig {
        let bodies = self.all.each_ref().map(|one| BodyDef::new(&one.avatar));
        let garments: Vec<_> = (0..)
            .zip(&self.all)
            .map(|(body_ix, one)| GarmentDef::new(&one.garment, body_ix))
            .collect();
        let def = WorldDef {
            bodies: &bodies,
            garments: &garments,
            technique,
            ..WorldDef::default()
        };
        Rig::new(device, &def)
    }

    fn palettes(&self, step: usize) -> [Palette; BODIES] {
        self.all.each_ref().map(|one| one.palette(step))
    }

    fn joint_count(&self) -> usize {
        self.all[0].avatar.skeleton.joints.len()
    }
}

/// A buffer of the host with the bones of every body in every step: bodies from the last to the first, matrices with gaps.
struct Animation {
    buffer: Buffer,
    joint_count: usize,
}

impl Animation {
    fn new(world: &World, trio: &Trio) -> Self {
        let joint_count = trio.joint_count();
        let mut animation = Self {
            buffer: buffer(
                world,
                FIRST + (STEPS * BODIES * joint_count) as u64 * STRIDE,
            ),
            joint_count,
        };
        for step in 0..STEPS {
            for (body_ix, palette) in trio.palettes(step).iter().enumerate() {
                let first = animation.bones(step, body_ix).offset;
                for (ix, bone) in palette.world_from_bone.iter().enumerate() {
                    animation.buffer.write(first + ix as u64 * STRIDE, &[*bone]);
                }
            }
        }
        animation
    }

    fn bones(&self, step: usize, body_ix: usize) -> HostBones {
        let place = step * BODIES + BODIES - 1 - body_ix;
        HostBones {
            buffer: self.buffer.handle(),
            offset: FIRST + (place * self.joint_count) as u64 * STRIDE,
            bytes: self.joint_count as u64 * STRIDE - 16,
            stride: STRIDE,
        }
    }
}

fn buffer(world: &World, bytes: u64) -> Buffer {
    let desc = BufferDesc {
        label: "the host's bones",
        bytes,
        memory: Memory::Shared,
    };
    Buffer::new(world.gpu(), &desc).expect("there is room")
}

fn frame(bodies: &[BodyStep], rig: &mut Rig) {
    rig.frame(&FrameInput {
        steps: &[StepInput {
            bodies,
            ..Default::default()
        }],
        step_seconds: STEP_SECONDS,
    });
}

/// The bits of everything after all steps, with some bodies' bones from the host's buffer. The second body is teleported on the way.
fn run(rig: &mut Rig, trio: &Trio, is_host: impl Fn(usize, usize) -> bool) -> Vec<u32> {
    let animation = Animation::new(&rig.world, trio);
    for step in 0..STEPS {
        let palettes = trio.palettes(step);
        let bodies: Vec<_> = (0..BODIES)
            .map(|body_ix| BodyStep {
                teleported: (step, body_ix) == (4, 1),
                ..match is_host(step, body_ix) {
                    true => BodyStep::moved(animation.bones(step, body_ix)),
                    false => BodyStep::moved(&palettes[body_ix]),
                }
            })
            .collect();
        frame(&bodies, rig);
    }
    bits(rig)
}

/// The comparison for the mutation test.
pub fn taken_over(device: &Arc<Device>) -> Result<(), String> {
    let trio = Trio::new();
    let expected = run(&mut trio.rig(device), &trio, |_, _| false);
    let found = run(&mut trio.rig(device), &trio, |_, _| true);
    let different = found.iter().zip(&expected).filter(|(a, b)| a != b).count();
    match different {
        0 => Ok(()),
        _ => Err(format!("{different} of {} words differ", found.len())),
    }
}

#[test]
fn bones_in_a_buffer_of_the_hosts_give_the_bits_of_its_palettes() {
    with_device(|device| assert_eq!(taken_over(device), Ok(())));
}

#[test]
fn bones_may_come_either_way_body_by_body_and_step_by_step() {
    with_device(|device| {
        let trio = Trio::new();
        let expected = run(&mut trio.rig(device), &trio, |_, _| false);
        let last = run(&mut trio.rig(device), &trio, |_, body_ix| body_ix == 2);
        assert!(last == expected, "one of three");
        let in_turn = |step, body_ix| (step + body_ix) % 2 == 0;
        let in_turn = run(&mut trio.rig(device), &trio, in_turn);
        assert!(in_turn == expected, "in turn");
    });
}

#[test]
fn who_stays_keeps_the_bones_that_only_the_device_knows() {
    with_device(|device| {
        let trio = Trio::new();
        let [ours, theirs] = [false, true].map(|is_host| {
            let mut rig = trio.rig(device);
            let animation = Animation::new(&rig.world, &trio);
            for step in 0..STEPS {
                let palettes = trio.palettes(step);
                // The first goes, and the others move up.
                let bodies: Vec<_> = (usize::from(step >= 4)..BODIES)
                    .map(|body_ix| match is_host {
                        true => BodyStep::moved(animation.bones(step, body_ix)),
                        false => BodyStep::moved(&palettes[body_ix]),
                    })
                    .collect();
                if step == 4 {
                    let removed = rig.world.edit(|contents| contents.remove_body(0));
                    removed.expect("there is a body 0");
                }
                frame(&bodies, &mut rig);
            }
            bits(&mut rig)
        });
        assert!(ours == theirs);
    });
}

#[test]
fn bounds_are_known_as_long_as_the_cpu_sees_all_bones() {
    with_device(|device| {
        let trio = Trio::new();
        let mut rig = trio.rig(device);
        let animation = Animation::new(&rig.world, &trio);
        let palettes = trio.palettes(1);
        let seen = palettes.each_ref().map(BodyStep::moved);
        frame(&seen, &mut rig);
        let bounds = rig.world.body_bounds().expect("all were seen");
        let mut unseen = seen;
        unseen[1] = BodyStep::moved(animation.bones(1, 1));
        frame(&unseen, &mut rig);
        assert_eq!(rig.world.body_bounds(), None);
        frame(&seen, &mut rig);
        assert_eq!(rig.world.body_bounds(), Some(bounds));
    });
}

/// What a frame asks of the GPU when `host_count` bodies' bones, from the first on, come in a buffer of the host's.
fn launches(rig: &mut Rig, trio: &Trio, host_count: usize) -> Launches {
    let animation = Animation::new(&rig.world, trio);
    let palettes = trio.palettes(0);
    for _ in 0..2 {
        let bodies: Vec<_> = (0..BODIES)
            .map(|body_ix| match body_ix < host_count {
                true => BodyStep::moved(animation.bones(0, body_ix)),
                false => BodyStep::moved(&palettes[body_ix]),
            })
            .collect();
        frame(&bodies, rig);
    }
    rig.skin(); // Waits, as the buffer is about to go.
    rig.world.launches()
}

#[test]
fn all_bones_of_one_buffer_are_taken_over_at_once() {
    with_device(|device| {
        let trio = Trio::new();
        let mut rig = trio.rig(device);
        let [none, all] = [0, BODIES].map(|count| launches(&mut rig, &trio, count));
        assert_eq!(all.dispatches, none.dispatches + 1);
        assert_eq!(all.barriers, none.barriers + 1);
    });
}

#[test]
fn bones_that_are_too_few_lie_askew_or_out_of_reach_are_refused() {
    with_device(|device| {
        let trio = Trio::new();
        let mut rig = trio.rig(device);
        let animation = Animation::new(&rig.world, &trio);
        let palettes = trio.palettes(0);
        let good = animation.bones(0, 1);
        let limits = rig.world.gpu().limits;
        let mut refuse = |bones: HostBones, expected: RecordError| {
            let mut bodies = palettes.each_ref().map(BodyStep::moved);
            bodies[1].bones = Bones::Host(bones);
            let input = FrameInput {
                steps: &[StepInput {
                    bodies: &bodies,
                    solids: &[],
                    grab: None,
                }],
                step_seconds: STEP_SECONDS,
            };
            let mut result = Ok(());
            rig.frame_with(|world, cmd| {
                // SAFETY: the rig submits each command buffer once and in order.
                result = unsafe { world.record(cmd, &input) };
            });
            assert_eq!(result, Err(expected));
        };
        let layout = |offset, stride| RecordError::BonesLayout {
            body_ix: 1,
            offset,
            stride,
        };
        let HostBones { offset, stride, .. } = good;
        let buffer = vk::Buffer::null();
        refuse(HostBones { buffer, ..good }, layout(offset, stride));
        refuse(HostBones { stride: 60, ..good }, layout(offset, 60));
        refuse(HostBones { stride: 66, ..good }, layout(offset, 66));
        refuse(HostBones { offset: 2, ..good }, layout(2, stride));
        let needed = 2 * STRIDE + 64;
        let small = RecordError::BonesTooSmall {
            body_ix: 1,
            bytes: needed - 1,
            needed,
        };
        let bytes = needed - 1;
        refuse(HostBones { bytes, ..good }, small);
        let max = u64::from(limits.max_storage_buffer_range);
        let offset = max / 4 * 4;
        let far = RecordError::BonesOutOfReach {
            body_ix: 1,
            end: offset + needed,
            max,
        };
        refuse(HostBones { offset, ..good }, far);
        refuse(
            HostBones {
                offset: u64::MAX - 3,
                ..good
            },
            RecordError::BonesOutOfReach {
                body_ix: 1,
                end: u64::MAX,
                max,
            },
        );
        // The world has not noticed.
        let palettes = run(&mut trio.rig(device), &trio, |_, _| false);
        assert!(run(&mut rig, &trio, |_, _| true) == palettes);
    });
}

#[test]
fn palettes_that_are_no_numbers_are_refused() {
    with_device(|device| {
        let trio = Trio::new();
        let mut rig = trio.rig(device);
        let mut palettes = trio.palettes(0);
        palettes[1].world_from_bone[2].w_axis.x = f32::NAN;
        let bodies = palettes.each_ref().map(BodyStep::moved);
        let refused = RecordError::BoneNotFinite {
            step_ix: 0,
            body_ix: 1,
            joint_ix: 2,
        };
        assert_eq!(record(&mut rig, &[&bodies], STEP_SECONDS), Err(refused));
    });
}

/// The comparison for the mutation test: what a host's buffer has for a step that is no number does no lasting harm.
pub fn healed(device: &Arc<Device>) -> Result<(), String> {
    healed_by(
        device,
        Technique::default(),
        &[f32::NAN, f32::INFINITY, 1e30],
    )
}

fn healed_by(device: &Arc<Device>, technique: Technique, all: &[f32]) -> Result<(), String> {
    let trio = Trio::new();
    let standing = trio.palettes(0);
    let good = standing.each_ref().map(BodyStep::moved);
    let mut fresh = trio.rig_of(device, technique);
    (0..3).for_each(|_| frame(&good, &mut fresh));
    let own = fresh.world.garment_particles(1);
    let own = own.start as usize..own.end as usize;
    let expected = fresh.particles()[own.clone()].to_vec();
    for &wrong in all {
        let mut rig = trio.rig_of(device, technique);
        let mut animation = Animation::new(&rig.world, &trio);
        let bones = animation.bones(0, 1);
        for ix in 0..trio.joint_count() as u64 {
            let matrix = Mat4::from_cols_array(&[wrong; 16]);
            animation
                .buffer
                .write(bones.offset + ix * STRIDE, &[matrix]);
        }
        let mut bad = good;
        bad[1] = BodyStep::moved(bones);
        (0..2).for_each(|_| frame(&good, &mut rig));
        frame(&bad, &mut rig);
        if rig.particles().iter().all(|at| at.is_finite()) {
            return Err(format!("{wrong} has done nothing"));
        }
        (0..3).for_each(|_| frame(&good, &mut rig));
        let pairs = rig.particles()[own.clone()]
            .iter()
            .zip(&expected)
            .map(|(a, b)| a.distance(*b))
            .collect::<Vec<_>>();
        // Metres: what cloth falls in three steps and more, and less than the sheet is wide.
        if !pairs.iter().all(|distance| *distance < 0.05) {
            return Err(format!("cloth is not back after {wrong}"));
        }
    }
    Ok(())
}

#[test]
fn bones_that_are_no_numbers_do_no_lasting_harm() {
    with_device(|device| {
        assert_eq!(healed(device), Ok(()));
        for technique in Technique::ALL {
            let result = healed_by(device, technique, &[f32::NAN]);
            assert_eq!(result, Ok(()), "{technique:?}");
        }
    });
}

/// A technique without fields has no frames to move, but skin and garments all the same.
#[test]
fn techniques_in_world_space_take_bones_over_too() {
    with_device(|device| {
        let one = Swaying::at(Vec3::ZERO);
        let [ours, theirs] = [false, true].map(|is_host| {
            let def = WorldDef {
                bodies: &[BodyDef::new(&one.avatar)],
                garments: &[GarmentDef::new(&one.garment, 0)],
                technique: Technique::Lbvh,
                ..WorldDef::default()
            };
            let mut rig = Rig::new(device, &def);
            let mut bones = buffer(&rig.world, 3 * 64);
            for step in 0..3 {
                let palette = one.palette(step);
                let matrices: &[Mat4] = &palette.world_from_bone;
                bones.write(0, matrices);
                let host = HostBones {
                    buffer: bones.handle(),
                    offset: 0,
                    bytes: 3 * 64,
                    stride: 64,
                };
                let body = match is_host {
                    true => BodyStep::moved(host),
                    false => BodyStep::moved(&palette),
                };
                frame(&[body], &mut rig);
                rig.skin(); // Waits, as the bones are about to be written anew.
            }
            (rig.skin(), rig.particles())
        });
        assert!(ours == theirs);
    });
}
