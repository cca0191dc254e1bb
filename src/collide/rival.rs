//! The rival techniques, for comparison: one of four, behind the same calls.

use std::sync::Arc;

use super::box_tree::{BoxTree, BoxTreeBuffers};
use super::bvh::{Bvh, BvhPipelines};
use super::collider::Equipped;
use super::distance_field::{DistanceFieldPipelines, DistanceFields};
use super::lbvh::{Lbvh, LbvhPipelines};
use super::skin_triangles::SkinTopology;
use super::spatial_hash::{SpatialHash, SpatialHashPipelines};
use super::{
    Bodies, BoneAttachment, CollideError, CollideMemory, CollideSettings, Collider, ColliderDef,
    Particles, SubStep, Technique, Updates, collide_lanes,
};
use crate::gpu::{Buffer, Gpu, GpuError, Recorder, Uploads};

/// A rival technique. Each method is the counterpart of that of [`Collider`].
#[expect(
    clippy::large_enum_variant,
    reason = "a world has one, which stays where it is"
)]
pub enum Rival {
    DistanceField(Equipped<DistanceFields, DistanceFieldPipelines>),
    SpatialHash(Equipped<SpatialHash, SpatialHashPipelines>),
    Bvh(Equipped<Bvh, BvhPipelines>),
    Lbvh(Equipped<Lbvh, LbvhPipelines>),
}

impl Rival {
    pub(super) fn new(
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        def: &ColliderDef,
        earlier: Option<&Collider>,
    ) -> Result<Self, CollideError> {
        let earlier = earlier.and_then(Collider::rival);
        let lanes = collide_lanes(def.particle_count);
        Ok(match def.technique {
            Technique::Radial | Technique::RadialCompute => {
                unreachable!("radial fields are no rival")
            }
            Technique::DistanceField => Self::DistanceField(Equipped {
                state: DistanceFields::new(gpu, uploads, def.bodies)?,
                pipelines: match earlier {
                    Some(Self::DistanceField(grids)) if grids.pipelines.lanes() == lanes => {
                        Arc::clone(&grids.pipelines)
                    }
                    _ => Arc::new(DistanceFieldPipelines::new(gpu, lanes)?),
                },
            }),
            Technique::SpatialHash => Self::SpatialHash(Equipped {
                state: SpatialHash::new(gpu, uploads, def.bodies, def.spatial_hash)?,
                pipelines: match earlier {
                    Some(Self::SpatialHash(hash))
                        if hash.pipelines.half_list() == def.spatial_hash.half_list() =>
                    {
                        Arc::clone(&hash.pipelines)
                    }
                    _ => Arc::new(SpatialHashPipelines::new(
                        gpu,
                        def.spatial_hash.half_list(),
                    )?),
                },
            }),
            Technique::Bvh => Self::Bvh(Equipped {
                state: Bvh::new(gpu, uploads, def.bodies, def.particle_count)?,
                pipelines: match earlier {
                    Some(Self::Bvh(bvh)) => Arc::clone(&bvh.pipelines),
                    _ => Arc::new(BvhPipelines::new(gpu)?),
                },
            }),
            Technique::Lbvh => Self::Lbvh(Equipped {
                state: Lbvh::new(uploads, def.bodies)?,
                pipelines: match earlier {
                    Some(Self::Lbvh(lbvh)) => Arc::clone(&lbvh.pipelines),
                    _ => Arc::new(LbvhPipelines::new(gpu)?),
                },
            }),
        })
    }

    /// How many particles it has room for.
    pub(super) fn particle_capacity(&self) -> u32 {
        match self {
            Self::Bvh(bvh) => bvh.state.particle_capacity(),
            Self::DistanceField(_) | Self::SpatialHash(_) | Self::Lbvh(_) => u32::MAX,
        }
    }

    pub(super) fn reload_pipelines(&mut self, gpu: &Arc<Gpu>) -> Result<(), GpuError> {
        match self {
            Self::DistanceField(grids) => {
                let lanes = grids.pipelines.lanes();
                grids.pipelines = Arc::new(DistanceFieldPipelines::new(gpu, lanes)?);
            }
            Self::SpatialHash(hash) => {
                let half_list = hash.pipelines.half_list();
                hash.pipelines = Arc::new(SpatialHashPipelines::new(gpu, half_list)?);
            }
            Self::Bvh(bvh) => bvh.pipelines = Arc::new(BvhPipelines::new(gpu)?),
            Self::Lbvh(lbvh) => lbvh.pipelines = Arc::new(LbvhPipelines::new(gpu)?),
        }
        Ok(())
    }

    pub(super) fn technique(&self) -> Technique {
        match self {
            Self::DistanceField(_) => Technique::DistanceField,
            Self::SpatialHash(_) => Technique::SpatialHash,
            Self::Bvh(_) => Technique::Bvh,
            Self::Lbvh(_) => Technique::Lbvh,
        }
    }

    /// The grids of distances, if it is they.
    pub fn distance_field(&self) -> Option<&DistanceFields> {
        match self {
            Self::DistanceField(grids) => Some(&grids.state),
            Self::SpatialHash(_) | Self::Bvh(_) | Self::Lbvh(_) => None,
        }
    }

    /// The hash table, if it is that.
    pub fn spatial_hash(&self) -> Option<&SpatialHash> {
        match self {
            Self::SpatialHash(hash) => Some(&hash.state),
            Self::DistanceField(_) | Self::Bvh(_) | Self::Lbvh(_) => None,
        }
    }

    /// The tree of boxes, if it has one, and its triangles.
    pub fn boxes(&self) -> Option<(&BoxTree, &BoxTreeBuffers, &SkinTopology)> {
        match self {
            Self::DistanceField(_) | Self::SpatialHash(_) => None,
            Self::Bvh(Equipped { state, .. }) => {
                Some((state.tree(), state.boxes(), state.topology()))
            }
            Self::Lbvh(Equipped { state, .. }) => {
                Some((state.tree(), state.boxes(), state.topology()))
            }
        }
    }

    pub(super) fn overflow_count(&self) -> Option<&Buffer> {
        match self {
            Self::DistanceField(_) | Self::Lbvh(_) => None,
            Self::SpatialHash(hash) => Some(hash.state.overflow_count()),
            Self::Bvh(bvh) => Some(bvh.state.counters()),
        }
    }

    pub(super) fn memory(&self) -> CollideMemory {
        match self {
            Self::DistanceField(grids) => CollideMemory {
                structure_bytes: grids.state.cell_bytes(),
                total_bytes: grids.state.bytes(),
            },
            Self::SpatialHash(hash) => CollideMemory {
                structure_bytes: hash.state.table_bytes(),
                total_bytes: hash.state.bytes(),
            },
            Self::Bvh(bvh) => CollideMemory {
                structure_bytes: bvh.state.boxes().bytes(),
                total_bytes: bvh.state.bytes(),
            },
            Self::Lbvh(lbvh) => CollideMemory {
                structure_bytes: lbvh.state.boxes().bytes(),
                total_bytes: lbvh.state.bytes(),
            },
        }
    }

    pub(super) fn bone_attachments(&self) -> Vec<BoneAttachment> {
        match self {
            Self::DistanceField(grids) => grids.state.bone_attachments().collect(),
            Self::SpatialHash(_) | Self::Bvh(_) | Self::Lbvh(_) => Vec::new(),
        }
    }

    pub(super) fn updates(&self) -> Updates {
        match self {
            Self::DistanceField(_) | Self::Bvh(_) | Self::Lbvh(_) => Updates::Step,
            Self::SpatialHash(_) => Updates::SubStep,
        }
    }

    pub(super) fn record_clear(&mut self, recorder: &mut Recorder) {
        match self {
            Self::DistanceField(grids) => grids.state.record_clear(recorder),
            Self::SpatialHash(hash) => hash.state.record_clear(recorder),
            // Boxes are overwritten.
            Self::Bvh(_) | Self::Lbvh(_) => {}
        }
    }

    pub(super) fn record_update(&mut self, recorder: &mut Recorder, bodies: &Bodies, time: f32) {
        match self {
            Self::DistanceField(Equipped { state, pipelines }) => {
                state.record_update(recorder, pipelines, bodies);
            }
            Self::SpatialHash(Equipped { state, pipelines }) => {
                state.record_update(recorder, pipelines, bodies, time);
            }
            Self::Bvh(Equipped { state, pipelines }) => {
                state.record_update(recorder, pipelines, bodies);
            }
            Self::Lbvh(Equipped { state, pipelines }) => {
                state.record_update(recorder, pipelines, bodies);
            }
        }
    }

    pub(super) fn record_find_candidates(
        &mut self,
        recorder: &mut Recorder,
        particles: &Particles,
        sub_steps: u32,
    ) -> bool {
        let Self::DistanceField(Equipped { state, pipelines }) = self else {
            return false;
        };
        state.record_find_candidates(recorder, pipelines, particles, sub_steps);
        true
    }

    pub(super) fn record_collide(
        &mut self,
        recorder: &mut Recorder,
        bodies: &Bodies,
        particles: &Particles,
        settings: &CollideSettings,
        sub_step: SubStep,
    ) {
        match self {
            Self::DistanceField(Equipped { state, pipelines }) => {
                state.record_collide(recorder, pipelines, bodies, particles, settings, sub_step);
            }
            Self::SpatialHash(Equipped { state, pipelines }) => {
                state.record_collide(recorder, pipelines, bodies, particles, settings, sub_step);
            }
            Self::Bvh(Equipped { state, pipelines }) => {
                state.record_collide(recorder, pipelines, bodies, particles, settings, sub_step);
            }
            Self::Lbvh(Equipped { state, pipelines }) => {
                state.record_collide(recorder, pipelines, bodies, particles, settings, sub_step);
            }
        }
    }
}
