//! Which garments sleep, on the GPU.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::Sleep;
use crate::cloth::{Cloth, GpuGarment};
use crate::collide::{BodyBounds, FieldBounds, FieldTransform, SubStepTransforms};
use crate::gpu::{
    Access, Bind, Buffer, BufferDesc, BufferSlice, ComputePipeline, Gpu, GpuError, Memory,
    Recorder, Uploads, shaders,
};
use crate::skin::SkinnedBody;

/// The pipelines of sleep.
pub struct SleepPipelines {
    motion: ComputePipeline,
    decide: ComputePipeline,
    measure: ComputePipeline,
}

impl SleepPipelines {
    /// # Errors
    /// When the driver refuses a shader.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, GpuError> {
        let new = |shader| ComputePipeline::new(gpu, shader, &[]);
        Ok(Self {
            motion: new(&shaders::CLOTH_SLEEP_MOTION_COMP)?,
            decide: new(&shaders::CLOTH_SLEEP_COMP)?,
            measure: new(&shaders::CLOTH_SLEEP_MEASURE_COMP)?,
        })
    }
}

/// `GarmentRest` of glsl/shared/structs.glsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct GarmentRest {
    pub bounds: BodyBounds,
    pub restless_count: u32,
    pub moving_count: u32,
    pub particle_count: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct MotionPush {
    field_count: u32,
    sub_steps: u32,
    still_distance: f32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct DecidePush {
    garment_count: u32,
    body_count: u32,
    meets_cloth: u32,
    step_seconds: f32,
    sleep_seconds: f32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct MeasurePush {
    particle_count: u32,
    still_distance: f32,
}

/// What a step says of its garments, before any of them sleeps.
pub(crate) struct SleepInputs {
    /// A [`GpuGarment`] each.
    pub garments: BufferSlice,
    /// A word each, 1 where the host has changed something.
    pub stirred: BufferSlice,
    pub step_seconds: f32,
    pub meets_cloth: bool,
    pub transforms: SubStepTransforms,
}

/// How the garments of a world lie and for how long, and where what they could meet last moved.
pub(crate) struct Sleepers {
    garment_count: u32,
    /// Of a step, with what sleeps in it.
    garments: Buffer,
    seconds_at_rest: Buffer,
    /// After the last step and after the one before.
    rests: [Buffer; 2],
    /// Which of them is of the last step.
    newest: usize,
    anchors: Buffer,
    moved_bounds: Buffer,
}

impl Sleepers {
    /// All are awake. For garments that could meet so many fields and solids, of so many bodies and solids.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn new(
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        garment_count: usize,
        bounds: &FieldBounds,
    ) -> Result<Self, GpuError> {
        let [field_count, body_count] = bounds.counts();
        let moved_bounds = BufferDesc {
            label: "sleep.moved_bounds",
            bytes: u64::from(body_count) * size_of::<BodyBounds>() as u64,
            memory: Memory::Device,
        };
        let rests = vec![GarmentRest::zeroed(); garment_count];
        let anchors = vec![FieldTransform::zeroed(); field_count as usize];
        Ok(Self {
            garment_count: garment_count as u32,
            garments: uploads
                .buffer("sleep.garments", &vec![GpuGarment::zeroed(); garment_count])?,
            seconds_at_rest: uploads
                .buffer("sleep.seconds_at_rest", &vec![0_f32; garment_count])?,
            rests: [
                uploads.buffer("sleep.rests[0]", &rests)?,
                uploads.buffer("sleep.rests[1]", &rests)?,
            ],
            newest: 0,
            anchors: uploads.buffer("sleep.anchors", &anchors)?,
            moved_bounds: Buffer::new(gpu, &moved_bounds)?,
        })
    }

    /// Empties the boxes round what has moved; before [`Sleepers::record_decide`], with a barrier between them.
    pub fn record_clear(&self, recorder: &mut Recorder) {
        if self.moved_bounds.bytes() > 0 {
            recorder.fill(self.moved_bounds.all(), BodyBounds::NOWHERE);
        }
    }

    /// Decides which garments sleep in a step: their settings with that in them. Reads and writes in compute; the boxes of fields and solids are
    /// known, and the caller records barriers before and after.
    pub fn record_decide(
        &mut self,
        recorder: &mut Recorder,
        pipelines: &SleepPipelines,
        bounds: &FieldBounds,
        sleep: &Sleep,
        inputs: &SleepInputs,
    ) -> BufferSlice {
        let [field_count, body_count] = bounds.counts();
        let push = MotionPush {
            field_count,
            sub_steps: inputs.transforms.sub_steps,
            still_distance: sleep.motion,
        };
        let [boxes, bodies_of_fields, _] = bounds.written();
        let bindings: [Bind; 5] = [
            inputs.transforms.buffer.into(),
            boxes,
            bodies_of_fields,
            (&self.moved_bounds).into(),
            (&self.anchors).into(),
        ];
        recorder.dispatch(&pipelines.motion, &bindings, &push, field_count);
        recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
        let push = DecidePush {
            garment_count: self.garment_count,
            body_count,
            meets_cloth: u32::from(inputs.meets_cloth),
            step_seconds: inputs.step_seconds,
            sleep_seconds: sleep.seconds,
        };
        let bindings: [Bind; 7] = [
            inputs.garments.into(),
            inputs.stirred.into(),
            (&self.rests[self.newest]).into(),
            (&self.moved_bounds).into(),
            (&self.garments).into(),
            (&self.seconds_at_rest).into(),
            (&self.rests[1 - self.newest]).into(),
        ];
        recorder.dispatch_groups(&pipelines.decide, &bindings, &push, self.garment_count);
        self.newest = 1 - self.newest;
        self.garments.all()
    }

    /// Measures how the garments lie after a step of so many seconds, in compute, once the cloth is finished.
    pub fn record_measure(
        &self,
        recorder: &mut Recorder,
        pipelines: &SleepPipelines,
        (cloth, skin): (&Cloth, &SkinnedBody),
        sleep: &Sleep,
        step_seconds: f32,
    ) {
        let push = MeasurePush {
            particle_count: cloth.particle_count(),
            still_distance: sleep.speed * step_seconds,
        };
        let bindings: [Bind; 6] = [
            cloth.particles().into(),
            cloth.positions().into(),
            cloth.previous_positions().into(),
            skin.positions().into(),
            skin.previous_positions().into(),
            (&self.rests[self.newest]).into(),
        ];
        recorder.dispatch(&pipelines.measure, &bindings, &push, push.particle_count);
    }

    /// The settings of the last step's garments: a [`GpuGarment`] each, as it is asleep or awake.
    pub fn garments(&self) -> &Buffer {
        &self.garments
    }

    /// Device memory.
    pub fn bytes(&self) -> u64 {
        let [last, before] = &self.rests;
        let buffers = [
            &self.garments,
            &self.seconds_at_rest,
            last,
            before,
            &self.anchors,
            &self.moved_bounds,
        ];
        buffers.iter().map(|buffer| buffer.bytes()).sum()
    }
}
