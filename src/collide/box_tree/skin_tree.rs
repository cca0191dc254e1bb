//! A tree over the skin of a world, with what all that search one keep on the device.

use super::{BoxTree, BoxTreeBuffers, RefitPipeline};
use crate::collide::skin_triangles::{BindSkin, NO_TRIANGLE, SkinTopology, SkinTriangles};
use crate::collide::{Bodies, ColliderBody};
use crate::gpu::{Buffer, GpuError, Recorder, Uploads};

/// The tree over all bodies of a world, its triangles, and which of them was nearest to each particle in the collision before: that one
/// bounds the next search from the start.
pub struct SkinTree {
    triangles: SkinTriangles,
    boxes: BoxTreeBuffers,
    topology: SkinTopology,
    tree: BoxTree,
    nearest_triangles: Buffer,
    particle_capacity: u32,
}

impl SkinTree {
    /// Builds and uploads it, with room for so many particles, none of which has been near a triangle. `build` sorts the triangles.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn new(
        uploads: &mut Uploads,
        bodies: &[ColliderBody],
        particle_count: u32,
        build: fn(&mut BindSkin) -> BoxTree,
    ) -> Result<Self, GpuError> {
        let mut skin = BindSkin::of(bodies);
        let tree = build(&mut skin);
        let topology = SkinTopology::of(&skin);
        let none = vec![NO_TRIANGLE; particle_count as usize];
        Ok(Self {
            triangles: SkinTriangles::new(uploads, &topology)?,
            boxes: BoxTreeBuffers::new(uploads, &tree)?,
            nearest_triangles: uploads.buffer("skin_tree.nearest_triangles", &none)?,
            particle_capacity: particle_count,
            topology,
            tree,
        })
    }

    /// The most particles there is room for.
    pub fn particle_capacity(&self) -> u32 {
        self.particle_capacity
    }

    /// The triangles, in the order of the leaves.
    pub fn topology(&self) -> &SkinTopology {
        &self.topology
    }

    /// The tree's shape; its boxes are on the device.
    pub fn tree(&self) -> &BoxTree {
        &self.tree
    }

    /// The boxes.
    pub fn boxes(&self) -> &BoxTreeBuffers {
        &self.boxes
    }

    /// The triangles on the device.
    pub fn triangles(&self) -> &SkinTriangles {
        &self.triangles
    }

    /// A triangle's index per particle, or [`NO_TRIANGLE`].
    pub fn nearest_triangles(&self) -> &Buffer {
        &self.nearest_triangles
    }

    /// Device memory of everything.
    pub fn bytes(&self) -> u64 {
        self.boxes.bytes() + self.triangles.bytes() + self.nearest_triangles.bytes()
    }

    /// Fits the boxes round the skin's motion through the step.
    pub fn record_refit(&self, recorder: &mut Recorder, pipeline: &RefitPipeline, bodies: &Bodies) {
        self.boxes
            .record_refit(recorder, pipeline, &self.triangles, bodies);
    }
}
