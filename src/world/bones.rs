//! The bones of a step: uploaded or taken over from the host, and what follows from them.

use super::input::{Bones, HostBones};
use super::{Simulation, StepInput};
use crate::collide::SubStepTransforms;
use crate::gpu::{Access, BufferSlice, Recorder};
use crate::skin::FrameSource;

/// The bones of a step as the host gave them.
pub(crate) struct StepBones {
    /// World from bind of every joint, but for those that are taken over.
    palette: BufferSlice,
    /// World from frame, with the same gaps.
    frames: BufferSlice,
    /// A [`FrameSource`] per frame.
    sources: BufferSlice,
}

/// Where a body's palette lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PaletteIn {
    /// What was uploaded for this step.
    Upload,
    /// What bones of the host's were taken over into.
    Device,
}

impl PaletteIn {
    pub(crate) fn of(bones: Bones) -> Self {
        match bones {
            Bones::Palette(_) => Self::Upload,
            Bones::Host(_) => Self::Device,
        }
    }
}

impl Simulation {
    /// Begins the step of the moving frames, and writes what the host gave where the GPU reads it: palettes as they are, so that a
    /// body costs the CPU little more than copying them. No allocation.
    pub(crate) fn upload_bones(&mut self, step: &StepInput) -> StepBones {
        self.frames.begin_step();
        let Self {
            scratch,
            bodies,
            solids,
            ..
        } = self;
        scratch.sources.clear();
        for (input, body) in step.bodies.iter().zip(&mut *bodies) {
            let joints = body.joints.clone();
            let teleported = u32::from(body.is_teleported(input.teleported));
            let source = |first_float| FrameSource {
                first_float,
                teleported,
            };
            body.bones_are_known = matches!(input.bones, Bones::Palette(_));
            match input.bones {
                Bones::Palette(palette) => {
                    scratch.frames[joints.clone()].copy_from_slice(&palette.world_from_bone);
                    let uploaded = joints.map(|_| source(FrameSource::UPLOADED));
                    scratch.sources.extend(uploaded);
                }
                Bones::Host(bones) => {
                    let taken_over = (0..joints.len()).map(|ix| source(bones.first_float(ix)));
                    scratch.sources.extend(taken_over);
                }
            }
        }
        let first_solid = scratch.sources.len();
        for (solid_ix, solid) in solids.iter_mut().enumerate() {
            let moved = step.solids.get(solid_ix);
            let teleported = solid.starts || moved.is_some_and(|solid| solid.teleported);
            if let Some(step) = moved {
                solid.world_from_solid = step.world_from_solid;
            }
            scratch.frames[first_solid + solid_ix] = solid.world_from_solid;
            scratch.sources.push(FrameSource {
                first_float: FrameSource::UPLOADED,
                teleported: u32::from(teleported),
            });
        }
        let palettes = step.bodies.iter().zip(&*bodies);
        let palettes = palettes.map(|(input, body)| match input.bones {
            Bones::Palette(palette) => palette.world_from_bind.as_slice(),
            // Anything of that size: it is not read.
            Bones::Host(_) => &scratch.frames[body.joints.clone()],
        });
        StepBones {
            palette: self.transient.push_all(palettes),
            frames: self.transient.push(&scratch.frames),
            sources: self.transient.push(&scratch.sources),
        }
    }

    /// Takes over the bones that lie in buffers of the host's, if there are any: neighbours in one buffer together.
    pub(crate) fn record_host_bones(
        &self,
        recorder: &mut Recorder,
        step: &StepInput,
        bones: &StepBones,
    ) {
        let (mut bodies, mut is_any) = (self.bodies.as_slice(), false);
        for run in step
            .bodies
            .chunk_by(|a, b| a.bones.buffer() == b.bones.buffer())
        {
            let (these, others) = bodies.split_at(run.len());
            bodies = others;
            let pairs = run.iter().zip(these);
            let host = pairs.filter_map(|(input, body)| Some((input.bones.host()?, body)));
            let Some(buffer) = host
                .map(|(bones, body)| bones.reach(body.joints.len()))
                .max_by_key(|reach| reach.bytes)
            else {
                continue;
            };
            let joints = these[0].joints.start as u32..these[these.len() - 1].joints.end as u32;
            if is_any {
                // Disjoint ranges of the same buffers, which synchronization validation takes for one.
                recorder.barrier(&[Access::ComputeWrite], &[Access::ComputeWrite]);
            }
            self.frames.record_adopt(
                recorder,
                &self.pipelines.skin,
                buffer,
                bones.sources,
                joints,
            );
            is_any = true;
        }
        if is_any {
            recorder.barrier(&[Access::ComputeWrite], &[Access::ComputeReadWrite]);
        }
    }

    /// Where the fields are at each boundary between the step's sub-steps.
    pub(crate) fn record_transforms(
        &mut self,
        recorder: &mut Recorder,
        bones: &StepBones,
        sub_steps: u32,
    ) -> SubStepTransforms {
        self.attachments.record(
            recorder,
            &self.pipelines.sub_step_transforms,
            &self.frames,
            [bones.sources, bones.frames],
            sub_steps,
        );
        let transforms = self.attachments.of_step(sub_steps);
        self.sub_step_transforms = Some(transforms);
        transforms
    }

    /// The palette of some bodies of a step, and how bones get into it.
    pub(crate) fn palette(&self, bones: &StepBones, palette: PaletteIn) -> [BufferSlice; 2] {
        let palette = match palette {
            PaletteIn::Upload => bones.palette,
            PaletteIn::Device => self.frames.palette().all(),
        };
        [palette, bones.sources]
    }
}

impl HostBones {
    /// Where a joint's matrix begins, in floats.
    fn first_float(self, joint_ix: usize) -> u32 {
        ((self.offset + joint_ix as u64 * self.stride) / 4) as u32
    }

    /// The buffer up to the last float of so many joints.
    fn reach(self, joint_count: usize) -> BufferSlice {
        BufferSlice {
            handle: self.buffer,
            offset: 0,
            bytes: self.offset + self.needed_bytes(joint_count as u64),
        }
    }
}
