//! Frames in flight: a command buffer and a fence each, used in turn.

use std::sync::Arc;

use ash::vk;

use super::{Device, EngineError};

struct Slot {
    pool: vk::CommandPool,
    cmd: vk::CommandBuffer,
    done: vk::Fence,
    /// Submitted, and not waited for yet: a fence that nothing signals must not be waited for.
    in_flight: bool,
}

/// What a submission waits for and signals.
#[derive(Clone, Copy, Default)]
pub struct Submission {
    /// Waited for before colour is written.
    pub wait: Option<vk::Semaphore>,
    pub signal: Option<vk::Semaphore>,
}

/// Command buffers of the frames that may be in flight at once.
pub struct Frames {
    device: Arc<Device>,
    slots: Vec<Slot>,
    next: usize,
}

impl Frames {
    /// # Errors
    /// When the device has no room for them.
    pub fn new(device: &Arc<Device>, count: usize) -> Result<Self, EngineError> {
        let mut frames = Self {
            device: Arc::clone(device),
            slots: Vec::new(),
            next: 0,
        };
        for _ in 0..count {
            frames.add_slot()?;
        }
        Ok(frames)
    }

    /// What is made before something fails goes with the other slots.
    fn add_slot(&mut self) -> Result<(), EngineError> {
        let device = &self.device.handle;
        self.slots.push(Slot {
            pool: vk::CommandPool::null(),
            cmd: vk::CommandBuffer::null(),
            done: vk::Fence::null(),
            in_flight: false,
        });
        let Some(slot) = self.slots.last_mut() else {
            return Ok(());
        };
        let pool_info = vk::CommandPoolCreateInfo::default()
            .queue_family_index(self.device.queue_family_ix)
            .flags(vk::CommandPoolCreateFlags::TRANSIENT);
        // SAFETY: the device is open; each call is given complete create infos.
        unsafe {
            slot.pool = device
                .create_command_pool(&pool_info, None)
                .map_err(EngineError::from_vk("command pool"))?;
            let info = vk::CommandBufferAllocateInfo::default()
                .command_pool(slot.pool)
                .command_buffer_count(1);
            slot.cmd = device
                .allocate_command_buffers(&info)
                .map_err(EngineError::from_vk("command buffer"))?[0];
            slot.done = device
                .create_fence(&vk::FenceCreateInfo::default(), None)
                .map_err(EngineError::from_vk("fence"))?;
        }
        Ok(())
    }

    /// Waits until the GPU has done all that was submitted.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn wait_idle(&self) -> Result<(), EngineError> {
        self.device.wait_idle()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.slots.len()
    }

    /// Waits for the oldest frame and starts recording the next.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn begin(&mut self) -> Result<vk::CommandBuffer, EngineError> {
        let (device, slot) = (&self.device.handle, &mut self.slots[self.next]);
        let info = vk::CommandBufferBeginInfo::default()
            .flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        // SAFETY: the fence says that the GPU is done with the pool's command buffer.
        unsafe {
            if slot.in_flight {
                device
                    .wait_for_fences(&[slot.done], true, u64::MAX)
                    .map_err(EngineError::from_vk("waiting for a frame"))?;
                device
                    .reset_fences(&[slot.done])
                    .map_err(EngineError::from_vk("fence"))?;
                slot.in_flight = false;
            }
            device
                .reset_command_pool(slot.pool, vk::CommandPoolResetFlags::empty())
                .map_err(EngineError::from_vk("command pool"))?;
            device
                .begin_command_buffer(slot.cmd, &info)
                .map_err(EngineError::from_vk("command buffer"))?;
        }
        Ok(slot.cmd)
    }

    /// Ends recording and hands the frame to the GPU.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn submit(&mut self, submission: Submission) -> Result<(), EngineError> {
        let (device, slot) = (&self.device.handle, &mut self.slots[self.next]);
        let semaphore = |semaphore| {
            vk::SemaphoreSubmitInfo::default()
                .semaphore(semaphore)
                .stage_mask(vk::PipelineStageFlags2::COLOR_ATTACHMENT_OUTPUT)
        };
        let waits: Vec<_> = submission.wait.into_iter().map(semaphore).collect();
        let signals: Vec<_> = submission.signal.into_iter().map(semaphore).collect();
        let cmds = [vk::CommandBufferSubmitInfo::default().command_buffer(slot.cmd)];
        let submits = [vk::SubmitInfo2::default()
            .wait_semaphore_infos(&waits)
            .command_buffer_infos(&cmds)
            .signal_semaphore_infos(&signals)];
        // SAFETY: the command buffer is recording, `begin` has reset the fence, the queue is used by one thread.
        unsafe {
            device
                .end_command_buffer(slot.cmd)
                .map_err(EngineError::from_vk("command buffer"))?;
            device
                .queue_submit2(self.device.queue, &submits, slot.done)
                .map_err(EngineError::from_vk("submitting a frame"))?;
        }
        slot.in_flight = true;
        self.next = (self.next + 1) % self.slots.len();
        Ok(())
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        // A lost device is idle too, and there is nothing to be done about it here.
        let _ = self.device.wait_idle();
        for slot in &self.slots {
            // SAFETY: the GPU is idle.
            unsafe {
                self.device.handle.destroy_fence(slot.done, None);
                self.device.handle.destroy_command_pool(slot.pool, None);
            }
        }
    }
}
