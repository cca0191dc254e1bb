//! Laying out bodies and garments in buffers.

use std::ops::Range;
use std::sync::Arc;

use glam::Mat4;

use super::contents::{GarmentContents, WorldContents};
use super::layers::Layers;
use super::{Body, RigidSolid, Scratch, TechniqueDesc, WorldError, WornGarment};
use crate::cloth::{Cloth, ClothBuilder, GpuGarment, MAX_SUB_STEPS, Sleepers, Worn};
use crate::collide::radial::BodyFields;
use crate::collide::{Attachments, CollideError, Collider, ColliderBody, ColliderDef};
use crate::gpu::{Gpu, GpuError, Transient, Uploads};
use crate::skin::{FrameSource, MovingFrames, SkinBuilder, SkinnedBody, WornSkin};

/// The buffers of a world, without those of its collision technique.
pub(super) struct WorldBuffers {
    pub skin: SkinnedBody,
    pub frames: MovingFrames,
    pub cloth: Cloth,
    pub bodies: Vec<Body>,
    pub solids: Vec<RigidSolid>,
    pub garments: Vec<WornGarment>,
    pub layers: Layers,
    /// One per covered garment: where it lies as skin among the vertices.
    layer_vertices: Vec<Range<u32>>,
    pub worn_skin: Option<WornSkin>,
}

impl WorldBuffers {
    pub fn new(
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        contents: &WorldContents,
        layers: Layers,
    ) -> Result<Self, WorldError> {
        let mut skin = SkinBuilder::default();
        let mut bodies: Vec<Body> = Vec::new();
        let mut joints: Range<usize> = 0..0;
        for body in &contents.bodies {
            joints = joints.end..joints.end + body.figure.avatar.skeleton.joints.len();
            bodies.push(Body {
                vertices: skin.add(&body.figure.avatar.skin, joints.start as u32),
                joints: joints.clone(),
                starts: true,
                bones_are_known: false,
            });
        }
        // Before the garments, so that where they lie, and with it the technique's fields, does not depend on what is covered by nothing.
        let layer_vertices: Vec<_> = layers
            .garments(contents)
            .map(|garment| {
                let first_joint = bodies[garment.body_ix].joints.start as u32;
                skin.add(&garment.worn.cut.garment.mesh, first_joint)
            })
            .collect();
        let bones_from_bind = bones_from_bind(contents);
        let mut cloth = ClothBuilder::default();
        let mut garments = Vec::new();
        for (garment_ix, garment) in contents.garments.iter().enumerate() {
            let (body_ix, worn) = (garment.body_ix, &garment.worn.cut);
            let targets = skin.add(&worn.garment.mesh, bodies[body_ix].joints.start as u32);
            let place = Worn {
                garment_ix: garment_ix as u32,
                first_target: targets.start,
                size: contents.bodies[body_ix].figure.avatar.size(),
            };
            garments.push(WornGarment {
                particles: cloth.add_cut(&worn.garment, &worn.graph, &worn.patches, place),
                targets,
                body_ix,
                beneath: layers.beneath[garment_ix].clone(),
                starts: true,
                last_sub_step: None,
                last_settings: None,
            });
        }
        let frame_count = bones_from_bind.len() + contents.solid_count();
        let solids = contents.solids.iter().map(|solid| RigidSolid {
            world_from_solid: solid.world_from_solid,
            starts: true,
        });
        Ok(Self {
            solids: solids.collect(),
            skin: skin.build(gpu, uploads)?,
            frames: MovingFrames::new(gpu, uploads, &bones_from_bind, frame_count)?,
            cloth: cloth.build(gpu, uploads)?,
            worn_skin: worn_skin(uploads, &layers, &layer_vertices, &garments)?,
            bodies,
            garments,
            layers,
            layer_vertices,
        })
    }

    /// The collision technique for the bodies; with the pipelines of an earlier one of the same kind.
    pub fn collider(
        &self,
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        contents: &WorldContents,
        technique_desc: &TechniqueDesc,
        earlier: Option<&Collider>,
    ) -> Result<Collider, WorldError> {
        let bodies: Vec<_> = contents
            .bodies
            .iter()
            .zip(&self.bodies)
            .map(|(contents, body)| ColliderBody {
                avatar: &contents.figure.avatar,
                fit: contents.figure.fit,
                fields: &contents.figure.fields,
                first_vertex: body.vertices.start,
                first_joint: body.joints.start as u32,
            })
            .collect();
        let layers = self.collider_layers(contents)?;
        let solids: Vec<_> = contents
            .solids
            .iter()
            .map(|solid| (&solid.shape, solid.material))
            .collect();
        let def = ColliderDef {
            layers: &layers,
            solids: &solids,
            first_solid_frame: self.joint_count() as u32,
            technique: technique_desc.technique,
            #[cfg(feature = "rivals")]
            spatial_hash: technique_desc.spatial_hash,
            particle_count: self.cloth.particle_count(),
            bodies: &bodies,
        };
        Ok(Collider::new(gpu, uploads, &def, earlier)?)
    }

    fn collider_layers<'a>(
        &'a self,
        contents: &'a WorldContents,
    ) -> Result<Vec<BodyFields<'a>>, CollideError> {
        let garments = self.layers.garments(contents).zip(&self.layer_vertices);
        let layer = |(garment, vertices): (&'a GarmentContents, &'a Range<u32>)| {
            let body_ix = garment.body_ix;
            let fields = garment.worn.cut.fields();
            Ok(BodyFields {
                fields: fields.map_err(|error| CollideError::Fit { body_ix, error })?,
                first_vertex: vertices.start,
                first_joint: self.bodies[body_ix].joints.start as u32,
            })
        };
        garments.map(layer).collect()
    }

    /// What the technique's fields are attached to.
    pub fn attachments(
        &self,
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        collider: &Collider,
    ) -> Result<Attachments, GpuError> {
        Attachments::new(gpu, uploads, &collider.bone_attachments(), MAX_SUB_STEPS)
    }

    /// Which garments sleep among what they could meet.
    pub fn sleepers(
        &self,
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        collider: &Collider,
    ) -> Result<Sleepers, GpuError> {
        Sleepers::new(gpu, uploads, self.garments.len(), collider.bounds())
    }

    /// Room for what the host writes anew each frame.
    pub fn transient(
        &self,
        gpu: &Arc<Gpu>,
        frames_in_flight: usize,
    ) -> Result<Transient, GpuError> {
        let frame_count = self.frames.count() as usize;
        let step = Transient::padded::<Mat4>(self.joint_count())
            + Transient::padded::<Mat4>(frame_count)
            + Transient::padded::<FrameSource>(frame_count)
            + 2 * Transient::padded::<u32>(self.garments.len())
            + Transient::padded::<GpuGarment>(self.garments.len().max(1));
        let capacity = step * super::MAX_STEPS as u64;
        Transient::new(gpu, "world.transient", capacity, frames_in_flight)
    }

    /// Lists with capacity for every frame.
    pub fn scratch(&self) -> Scratch {
        Scratch::with_capacity(self.frames.count() as usize, self.garments.len())
    }

    fn joint_count(&self) -> usize {
        self.bodies.last().map_or(0, |body| body.joints.end)
    }
}

/// The covered garments as skin, if there are any.
fn worn_skin(
    uploads: &mut Uploads,
    layers: &Layers,
    layer_vertices: &[Range<u32>],
    garments: &[WornGarment],
) -> Result<Option<WornSkin>, GpuError> {
    let covered = layers.covered.iter().map(|&ix| &garments[ix].particles);
    let particles: Vec<u32> = covered.cloned().flatten().collect();
    let first = layer_vertices.first().map(|vertices| vertices.start);
    let new = |first_vertex| WornSkin::new(uploads, first_vertex, &particles);
    first.map(new).transpose()
}

/// The inverse bind matrices of the joints of all bodies, in order.
fn bones_from_bind(contents: &WorldContents) -> Vec<Mat4> {
    let bodies = contents.bodies.iter();
    let joints = bodies.flat_map(|body| &body.figure.avatar.skeleton.joints);
    joints.map(|joint| joint.bone_from_bind).collect()
}
