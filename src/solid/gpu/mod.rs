//! Fields on the GPU.

mod fill;
mod jobs;

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::{FieldHeader, SolidField};
use crate::gpu::{Bind, Buffer, ComputePipeline, Gpu, GpuError, Recorder, Uploads, shaders};

pub use fill::{Envelope, FieldFill, FillMethod, FillPipelines, FillSettings};

/// The fields of all solids, in two buffers: what `glsl/shared/solid_field.glsl` reads.
pub struct SolidFields {
    headers: Vec<FieldHeader>,
    fields: Buffer,
    words: Buffer,
}

impl SolidFields {
    /// Has fields copied to the device, in this order. Those that the device is to [fill](FieldFill) are [empty](super::fill::Filler::unfilled).
    ///
    /// # Errors
    /// When memory runs out, or all words together are more than the device binds.
    pub fn upload(uploads: &mut Uploads, fields: &[&SolidField]) -> Result<Self, GpuError> {
        let mut words: Vec<u32> = Vec::new();
        let append = |field: &&SolidField| FieldHeader::append(field, &mut words);
        let headers: Vec<_> = fields.iter().map(append).collect();
        Ok(Self {
            fields: uploads.buffer("solid.fields", &headers)?,
            words: uploads.buffer("solid.words", &words)?,
            headers,
        })
    }

    /// For the bindings SOLID_FIELDS and SOLID_WORDS, in this order.
    pub fn bindings(&self) -> [Bind; 2] {
        [(&self.fields).into(), (&self.words).into()]
    }

    /// Where a field's words are.
    ///
    /// # Panics
    /// When there is no such field.
    pub fn header(&self, field_ix: usize) -> FieldHeader {
        self.headers[field_ix]
    }

    /// The words of all fields.
    pub fn words(&self) -> &Buffer {
        &self.words
    }

    /// Device memory.
    pub fn bytes(&self) -> u64 {
        self.fields.bytes() + self.words.bytes()
    }
}

/// Asks fields for points on the device.
pub struct FieldQuery {
    pipeline: ComputePipeline,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct QueryPush {
    field_ix: u32,
    point_count: u32,
}

impl FieldQuery {
    /// # Errors
    /// When the driver refuses the shader.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, GpuError> {
        let pipeline = ComputePipeline::new(gpu, &shaders::SOLID_QUERY_COMP, &[])?;
        Ok(Self { pipeline })
    }

    /// Asks a field for points in its mesh's space: three floats each. Answers with a gradient and a distance in metres each, four
    /// floats, NaN outside the grid.
    pub fn record(
        &self,
        recorder: &mut Recorder,
        fields: &SolidFields,
        field_ix: u32,
        points: &Buffer,
        answers: &Buffer,
        point_count: u32,
    ) {
        let [headers, words] = fields.bindings();
        let bindings: [Bind; 4] = [headers, words, points.into(), answers.into()];
        let push = QueryPush {
            field_ix,
            point_count,
        };
        recorder.dispatch(&self.pipeline, &bindings, &push, point_count);
    }
}
