//! How much memory a world will take, before any is taken.

use std::sync::Arc;

use super::build::WorldBuffers;
use super::contents::WorldContents;
use super::{TechniqueDesc, World, WorldDef, WorldError, WorldMemory};
use crate::gpu::{Gpu, Uploads};
use crate::host::Host;

/// What a world will ask the allocator for.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Requirements {
    /// What it holds as long as it lives: [`World::memory_use`] says the same once the first frames are over.
    pub bytes: u64,
    /// What it holds on top until the first frames are over, in memory that the CPU can write.
    pub staging_bytes: u64,
    /// How many allocations it makes, staging included. An allocator of our own takes larger blocks from the driver and
    /// divides them up.
    pub allocation_count: u64,
    /// The same bytes by purpose, without the padding of alignment.
    pub memory: WorldMemory,
}

impl World {
    /// What [`World::new`] will ask the allocator for, to the byte. Makes nothing on the device: the world is laid out as it
    /// will be, and the device is asked what each buffer would take.
    ///
    /// # Errors
    /// As those of [`World::new`], but for memory running out.
    ///
    /// # Safety
    /// As that of [`World::new`].
    pub unsafe fn requirements(host: &Host, def: &WorldDef) -> Result<Requirements, WorldError> {
        // SAFETY: guaranteed by the caller.
        unsafe { host.check(def.technique)? };
        let families = host.queue_families();
        // SAFETY: guaranteed by the caller.
        let gpu = unsafe { Gpu::measuring(&host.gpu_desc(&families)) };
        let contents = WorldContents::new(def)?;
        measure(&gpu, &contents, def, host.frames_in_flight)
    }
}

fn measure(
    gpu: &Arc<Gpu>,
    contents: &WorldContents,
    def: &WorldDef,
    frames_in_flight: usize,
) -> Result<Requirements, WorldError> {
    let mut uploads = Uploads::new(gpu);
    let technique_desc = TechniqueDesc::of(def);
    let layers = technique_desc.layers(contents, def.cloth_contacts);
    let buffers = WorldBuffers::new(gpu, &mut uploads, contents, layers)?;
    let collider = buffers.collider(gpu, &mut uploads, contents, &technique_desc, None)?;
    let attachments = buffers.attachments(gpu, &mut uploads, &collider)?;
    let sleepers = buffers.sleepers(gpu, &mut uploads, &collider)?;
    let transient = buffers.transient(gpu, frames_in_flight)?;
    let contacts = match def.cloth_contacts {
        true => Some(contents.cloth_contacts(gpu, &mut uploads)?),
        false => None,
    };
    let held = gpu.memory_use();
    drop(uploads);
    let bytes = gpu.memory_use().bytes;
    Ok(Requirements {
        bytes,
        staging_bytes: held.bytes - bytes,
        allocation_count: held.allocation_count,
        memory: WorldMemory::of(
            (&buffers.skin, buffers.worn_skin.as_ref(), &buffers.frames),
            (&collider, &attachments),
            (&buffers.cloth, contacts.as_ref(), &sleepers),
            &transient,
        ),
    })
}
