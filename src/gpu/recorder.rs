//! Recording: a pass reads as one sentence, and every command goes through here and is counted.

use std::ffi::CStr;

use ash::vk;
use bytemuck::Pod;
use serde::Serialize;

use super::descriptors::DescriptorInfos;
use super::pipeline::Layout;
use super::{
    Access, Bind, Buffer, BufferSlice, ComputePipeline, DescriptorSets, Gpu, GpuError,
    GraphicsPipeline, Image, PipelineStatistics, QueueKind, Timestamps,
};
use crate::stage::Stage;

/// What a frame asked of the GPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Launches {
    pub dispatches: u32,
    pub draws: u32,
    pub barriers: u32,
}

/// Workgroups along x that every Vulkan device dispatches at once.
pub const MAX_GROUPS: u32 = 65_535;

/// Records into a command buffer that is in the recording state and outside a render pass.
pub struct Recorder<'a> {
    gpu: &'a Gpu,
    cmd: vk::CommandBuffer,
    timestamps: &'a mut Timestamps,
    statistics: Option<&'a mut PipelineStatistics>,
    sets: Option<&'a mut DescriptorSets>,
    /// Why a pass could not be recorded, if one could not.
    failure: Option<vk::Result>,
    queue: QueueKind,
    launches: Launches,
}

impl<'a> Recorder<'a> {
    /// Records into `cmd`; `timestamps` has begun its frame on the same command buffer.
    pub fn new(gpu: &'a Gpu, cmd: vk::CommandBuffer, timestamps: &'a mut Timestamps) -> Self {
        Self {
            gpu,
            cmd,
            timestamps,
            statistics: None,
            sets: None,
            failure: None,
            queue: QueueKind::Graphics,
            launches: Launches::default(),
        }
    }

    /// Takes descriptor sets from `sets`, which has begun its frame, where the device cannot push them: whoever records passes
    /// that bind something hands them over. End with [`Recorder::finish`].
    pub fn with_sets(self, sets: &'a mut DescriptorSets) -> Self {
        Self {
            sets: Some(sets),
            ..self
        }
    }

    /// Counts each stage's shader invocations too; `statistics` has begun its frame on the same command buffer.
    pub fn counting(self, statistics: Option<&'a mut PipelineStatistics>) -> Self {
        Self { statistics, ..self }
    }

    /// Records for a queue of this kind; otherwise for one that draws.
    pub fn on(self, queue: QueueKind) -> Self {
        Self { queue, ..self }
    }

    /// The command buffer, for what has no word here.
    pub fn cmd(&self) -> vk::CommandBuffer {
        self.cmd
    }

    /// The device and its tables.
    pub fn gpu(&self) -> &'a Gpu {
        self.gpu
    }

    /// What was recorded.
    ///
    /// # Errors
    /// When no memory was left for a pass's descriptor set. Passes are missing then: the command buffer is of no use.
    pub fn finish(self) -> Result<Launches, GpuError> {
        match self.failure {
            None => Ok(self.launches),
            Some(result) => Err(GpuError::from_vk("descriptor sets")(result)),
        }
    }

    /// Runs `passes` under the stage's label, timestamps and statistics. Stages do not nest.
    pub fn stage<R>(&mut self, stage: Stage, passes: impl FnOnce(&mut Self) -> R) -> R {
        self.begin_label(stage.label());
        let span = self.timestamps.begin(self.cmd, stage);
        let query = self
            .statistics
            .as_mut()
            .and_then(|statistics| statistics.begin(self.cmd, stage));
        let result = passes(self);
        if let (Some(statistics), Some(query)) = (&self.statistics, query) {
            statistics.end(self.cmd, query);
        }
        self.timestamps.end(self.cmd, &span);
        self.end_label();
        result
    }

    /// Opens a label that captures and validation messages show; labels nest. Close it with [`Recorder::end_label`].
    pub fn begin_label(&self, name: &CStr) {
        if let Some(debug_utils) = self.gpu.debug_utils() {
            let label = vk::DebugUtilsLabelEXT::default().label_name(name);
            // SAFETY: the command buffer is recording.
            unsafe { debug_utils.cmd_begin_debug_utils_label(self.cmd, &label) };
        }
    }

    /// Closes the label that was opened last.
    pub fn end_label(&self) {
        if let Some(debug_utils) = self.gpu.debug_utils() {
            // SAFETY: the command buffer is recording, and a label is open as the caller guarantees.
            unsafe { debug_utils.cmd_end_debug_utils_label(self.cmd) };
        }
    }

    /// Makes what `before` wrote visible to what `after` does, and keeps `after` from overtaking.
    pub fn barrier(&mut self, before: &[Access], after: &[Access]) {
        let (src_stages, src_accesses) = Access::union(self.queue, before);
        let (dst_stages, dst_accesses) = Access::union(self.queue, after);
        let barriers = [vk::MemoryBarrier2::default()
            .src_stage_mask(src_stages)
            .src_access_mask(src_accesses)
            .dst_stage_mask(dst_stages)
            .dst_access_mask(dst_accesses)];
        let dependency = vk::DependencyInfo::default().memory_barriers(&barriers);
        // SAFETY: the command buffer is recording, and the device has synchronization2.
        unsafe { self.gpu.device.cmd_pipeline_barrier2(self.cmd, &dependency) };
        self.launches.barriers += 1;
    }

    /// Moves an image from one layout to another, ordered between two uses.
    pub fn transition(
        &mut self,
        image: &Image,
        before: (Access, vk::ImageLayout),
        after: (Access, vk::ImageLayout),
    ) {
        self.transition_handle(image.handle(), image.range(), before, after);
    }

    /// As [`Recorder::transition`], for an image that is not ours, such as a swapchain's.
    pub fn transition_handle(
        &mut self,
        image: vk::Image,
        range: vk::ImageSubresourceRange,
        (before, old_layout): (Access, vk::ImageLayout),
        (after, new_layout): (Access, vk::ImageLayout),
    ) {
        let (src_stages, src_accesses) = before.masks();
        let (dst_stages, dst_accesses) = after.masks();
        let barriers = [vk::ImageMemoryBarrier2::default()
            .src_stage_mask(src_stages)
            .src_access_mask(src_accesses)
            .dst_stage_mask(dst_stages)
            .dst_access_mask(dst_accesses)
            .old_layout(old_layout)
            .new_layout(new_layout)
            .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .image(image)
            .subresource_range(range)];
        let dependency = vk::DependencyInfo::default().image_memory_barriers(&barriers);
        // SAFETY: as in `barrier`; the image is in `old_layout` as the caller guarantees.
        unsafe {
            self.gpu.device.cmd_pipeline_barrier2(self.cmd, &dependency);
        }
        self.launches.barriers += 1;
    }

    /// Copies texels into an image that is in `TRANSFER_DST_OPTIMAL`.
    pub fn copy_to_image(
        &mut self,
        source: &Buffer,
        image: vk::Image,
        regions: &[vk::BufferImageCopy],
    ) {
        let layout = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
        // SAFETY: the regions lie within both, which live until the GPU is done.
        unsafe {
            self.gpu.device.cmd_copy_buffer_to_image(
                self.cmd,
                source.handle(),
                image,
                layout,
                regions,
            );
        }
    }

    /// Copies all pixels of an image, which is a transfer source, to a buffer, row after row without gaps.
    pub fn copy_image_to_buffer(&mut self, image: &Image, target: BufferSlice) {
        let range = image.range();
        let region = vk::BufferImageCopy::default()
            .buffer_offset(target.offset)
            .image_subresource(vk::ImageSubresourceLayers {
                aspect_mask: range.aspect_mask,
                mip_level: 0,
                base_array_layer: 0,
                layer_count: 1,
            })
            .image_extent(image.extent().into());
        let layout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
        // SAFETY: image and buffer live until the GPU is done; the buffer has room for every pixel as the caller guarantees.
        unsafe {
            let device = &self.gpu.device;
            device.cmd_copy_image_to_buffer(
                self.cmd,
                image.handle(),
                layout,
                target.handle,
                &[region],
            );
        }
    }

    /// Copies between buffers.
    pub fn copy(&mut self, source: BufferSlice, target: BufferSlice) {
        let regions = [vk::BufferCopy {
            src_offset: source.offset,
            dst_offset: target.offset,
            size: source.bytes.min(target.bytes),
        }];
        // SAFETY: slices lie within their buffers, which live until the GPU is done.
        unsafe {
            self.gpu
                .device
                .cmd_copy_buffer(self.cmd, source.handle, target.handle, &regions);
        };
    }

    /// Sets every word of a slice.
    pub fn fill(&mut self, target: BufferSlice, word: u32) {
        // SAFETY: the slice lies within its buffer, which lives until the GPU is done; its size is a multiple of 4.
        unsafe {
            self.gpu.device.cmd_fill_buffer(
                self.cmd,
                target.handle,
                target.offset,
                target.bytes,
                word,
            );
        };
    }

    /// Dispatches at least `threads` threads along x; the shader checks the rest away. Nothing for none.
    pub fn dispatch<P: Pod>(
        &mut self,
        pipeline: &ComputePipeline,
        bindings: &[Bind],
        push: &P,
        threads: u32,
    ) {
        let groups = threads.div_ceil(pipeline.local_size[0]);
        self.dispatch_all(pipeline, bindings, push, [groups, 1]);
    }

    /// Dispatches a workgroup per task along x, but no more than [`MAX_GROUPS`]: the shader's groups take further tasks in turn.
    /// Nothing for none.
    pub fn dispatch_groups<P: Pod>(
        &mut self,
        pipeline: &ComputePipeline,
        bindings: &[Bind],
        push: &P,
        tasks: u32,
    ) {
        self.dispatch_all(pipeline, bindings, push, [tasks.min(MAX_GROUPS), 1]);
    }

    /// Dispatches at least a workgroup per task, however many there are, in rows of up to [`MAX_GROUPS`]: the shader counts rows along
    /// y, and checks the rest of the last one away. Nothing for none.
    pub fn dispatch_rows<P: Pod>(
        &mut self,
        pipeline: &ComputePipeline,
        bindings: &[Bind],
        push: &P,
        tasks: u32,
    ) {
        let rows = tasks.div_ceil(MAX_GROUPS);
        self.dispatch_all(pipeline, bindings, push, [tasks.min(MAX_GROUPS), rows]);
    }

    fn dispatch_all<P: Pod>(
        &mut self,
        pipeline: &ComputePipeline,
        bindings: &[Bind],
        push: &P,
        groups: [u32; 2],
    ) {
        if groups.contains(&0) {
            return;
        }
        let point = vk::PipelineBindPoint::COMPUTE;
        let is_bound = self.bind(
            point,
            pipeline.handle,
            &pipeline.layout,
            pipeline.name,
            bindings,
            bytemuck::bytes_of(push),
        );
        if !is_bound {
            return;
        }
        let [columns, rows] = groups;
        self.pass(pipeline.name, &pipeline.label, bindings, |device, cmd| {
            // SAFETY: pipeline and descriptors are bound; the group count is below every device's limit.
            unsafe { device.cmd_dispatch(cmd, columns, rows, 1) };
        });
        self.launches.dispatches += 1;
    }

    /// One dispatch or draw, under a label of its own and timed on its own if that is wanted.
    fn pass(
        &mut self,
        name: &'static str,
        label: &CStr,
        bindings: &[Bind],
        command: impl FnOnce(&ash::Device, vk::CommandBuffer),
    ) {
        self.begin_label(label);
        let bytes = |bind: &Bind| match bind {
            Bind::Buffer(slice) => slice.bytes,
            Bind::Image { .. } => 0,
        };
        let bound_bytes = bindings.iter().map(bytes).sum();
        let pass = self.timestamps.begin_pass(self.cmd, name, bound_bytes);
        command(&self.gpu.device, self.cmd);
        if let Some(pass_ix) = pass {
            self.timestamps.end_pass(self.cmd, pass_ix);
        }
        self.end_label();
    }

    /// Dispatches as many groups as `arguments` hold when the GPU reaches it: three words, written by an earlier pass and
    /// made visible to [`Access::IndirectRead`].
    pub fn dispatch_indirect<P: Pod>(
        &mut self,
        pipeline: &ComputePipeline,
        bindings: &[Bind],
        push: &P,
        arguments: BufferSlice,
    ) {
        let point = vk::PipelineBindPoint::COMPUTE;
        let is_bound = self.bind(
            point,
            pipeline.handle,
            &pipeline.layout,
            pipeline.name,
            bindings,
            bytemuck::bytes_of(push),
        );
        if !is_bound {
            return;
        }
        self.pass(pipeline.name, &pipeline.label, bindings, |device, cmd| {
            // SAFETY: pipeline and descriptors are bound; the slice lies within its buffer, at a multiple of 4.
            unsafe { device.cmd_dispatch_indirect(cmd, arguments.handle, arguments.offset) };
        });
        self.launches.dispatches += 1;
    }

    /// Draws `vertices` vertices, `instances` times, inside a render pass.
    pub fn draw<P: Pod>(
        &mut self,
        pipeline: &GraphicsPipeline,
        bindings: &[Bind],
        push: &P,
        vertices: std::ops::Range<u32>,
        instances: u32,
    ) {
        let push = bytemuck::bytes_of(push);
        self.draw_with_bytes(pipeline, bindings, push, vertices, instances);
    }

    /// The same with push constants as bytes.
    pub fn draw_with_bytes(
        &mut self,
        pipeline: &GraphicsPipeline,
        bindings: &[Bind],
        push: &[u8],
        vertices: std::ops::Range<u32>,
        instances: u32,
    ) {
        let count = vertices.end - vertices.start;
        self.draw_by(pipeline, bindings, push, |device, cmd| {
            // SAFETY: pipeline and descriptors are bound; viewport and scissor are set by the caller's render pass.
            unsafe { device.cmd_draw(cmd, count, instances, vertices.start, 0) };
        });
    }

    /// Draws what `arguments` hold when the GPU reaches it, inside a render pass: a `VkDrawIndirectCommand` at its beginning, written by an
    /// earlier pass and made visible to [`Access::IndirectRead`].
    pub fn draw_indirect<P: Pod>(
        &mut self,
        pipeline: &GraphicsPipeline,
        bindings: &[Bind],
        push: &P,
        arguments: BufferSlice,
    ) {
        let push = bytemuck::bytes_of(push);
        self.draw_by(pipeline, bindings, push, |device, cmd| {
            // SAFETY: as for a draw; the arguments lie within their buffer, at a multiple of 4.
            unsafe {
                device.cmd_draw_indirect(cmd, arguments.handle, arguments.offset, 1, 0);
            };
        });
    }

    fn draw_by(
        &mut self,
        pipeline: &GraphicsPipeline,
        bindings: &[Bind],
        push: &[u8],
        command: impl FnOnce(&ash::Device, vk::CommandBuffer),
    ) {
        let point = vk::PipelineBindPoint::GRAPHICS;
        let is_bound = self.bind(
            point,
            pipeline.handle,
            &pipeline.layout,
            pipeline.name,
            bindings,
            push,
        );
        if is_bound {
            self.pass(pipeline.name, &pipeline.label, bindings, command);
            self.launches.draws += 1;
        }
    }

    /// Sets viewport and scissor to the whole of `extent`, y down, Vulkan's convention.
    pub fn viewport(&mut self, extent: vk::Extent2D) {
        self.viewport_area(extent.into());
    }

    /// Sets viewport and scissor to a part of the attachments.
    pub fn viewport_area(&mut self, area: vk::Rect2D) {
        let viewport = vk::Viewport {
            x: area.offset.x as f32,
            y: area.offset.y as f32,
            width: area.extent.width as f32,
            height: area.extent.height as f32,
            min_depth: 0.0,
            max_depth: 1.0,
        };
        // SAFETY: the command buffer is recording.
        unsafe {
            self.gpu.device.cmd_set_viewport(self.cmd, 0, &[viewport]);
            self.gpu.device.cmd_set_scissor(self.cmd, 0, &[area]);
        }
    }

    /// Runs `draws` inside a dynamic rendering pass.
    pub fn rendering(&mut self, info: &vk::RenderingInfo, draws: impl FnOnce(&mut Self)) {
        // SAFETY: the command buffer is recording outside a render pass; the pass is ended below.
        unsafe { self.gpu.device.cmd_begin_rendering(self.cmd, info) };
        draws(self);
        // SAFETY: ends the pass begun above.
        unsafe { self.gpu.device.cmd_end_rendering(self.cmd) };
    }

    /// Whether there was a descriptor set to bind; a failure is kept for [`Recorder::finish`].
    fn bind(
        &mut self,
        point: vk::PipelineBindPoint,
        pipeline: vk::Pipeline,
        layout: &Layout,
        name: &str,
        bindings: &[Bind],
        push: &[u8],
    ) -> bool {
        assert_eq!(
            bindings.len(),
            layout.bindings.len(),
            "{name}: wrong number of bindings"
        );
        assert_eq!(
            push.len() as u32,
            layout.push_constant_bytes,
            "{name}: wrong size of push constants"
        );
        // SAFETY: the command buffer is recording; the pipeline was made on this device.
        unsafe { self.gpu.device.cmd_bind_pipeline(self.cmd, point, pipeline) };
        if !bindings.is_empty()
            && let Err(result) = self.bind_descriptors(point, layout, bindings)
        {
            self.failure.get_or_insert(result);
            return false;
        }
        if layout.push_constant_bytes > 0 {
            // SAFETY: the range is the layout's own.
            unsafe {
                self.gpu
                    .device
                    .cmd_push_constants(self.cmd, layout.handle, layout.stages, 0, push);
            };
        }
        true
    }

    fn bind_descriptors(
        &mut self,
        point: vk::PipelineBindPoint,
        layout: &Layout,
        bindings: &[Bind],
    ) -> Result<(), vk::Result> {
        let infos = DescriptorInfos::of(bindings);
        let (device, count) = (&self.gpu.device, bindings.len());
        if let Some(extension) = &self.gpu.push_descriptor {
            let writes = &infos.writes(layout, vk::DescriptorSet::null())[..count];
            // SAFETY: the infos outlive the call; the bound objects live until the GPU is done.
            unsafe {
                extension.cmd_push_descriptor_set(self.cmd, point, layout.handle, 0, writes);
            }
            return Ok(());
        }
        let sets = self.sets.as_mut();
        let sets = sets.expect("whoever records passes that bind something hands over sets");
        let set = sets.take(layout)?;
        let writes = &infos.writes(layout, set)[..count];
        // SAFETY: as above; the set was taken for this pass alone, and no earlier frame uses it any more.
        unsafe {
            device.update_descriptor_sets(writes, &[]);
            device.cmd_bind_descriptor_sets(self.cmd, point, layout.handle, 0, &[set], &[]);
        }
        Ok(())
    }
}
