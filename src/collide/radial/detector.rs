//! Radial fields as a technique.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable, bytes_of};

use super::field::FieldSet;
use super::fit::fit;
use super::{BodyFields, FilledBy, RadialFields, RadialPipelines, RadialVariant};
use crate::collide::detector::{
    CollideMemory, ColouredBy, DebugDraw, DebugLayer, DebugShader, DebugStyle, Detector, Equipped,
    Inspection, TechniqueInfo, Update,
};
use crate::collide::{
    BoneAttachment, CollideError, ColliderBody, ColliderDef, Collision, Technique,
};
use crate::gpu::{Buffer, Gpu, GpuError, Recorder, Uploads, shaders};

/// Radial fields and their pipelines.
pub type RadialDetector = Equipped<RadialFields, RadialPipelines>;

/// Filled through the graphics pipeline.
pub const DRAWN: TechniqueInfo = TechniqueInfo {
    name: "radial",
    label: "radial fields, drawn",
    c_name: c"radial",
    about: "a cylindrical distance field per bone, drawn anew every step",
    overflow: None,
    draws: true,
    lays_fields: true,
    debug_shaders: &[SURFACE, CYLINDERS],
};

/// Filled in compute.
pub const COMPUTED: TechniqueInfo = TechniqueInfo {
    name: "radial_compute",
    label: "radial fields, computed",
    c_name: c"radial_compute",
    about: "the same fields, filled in compute",
    draws: false,
    ..DRAWN
};

const SURFACE: DebugShader = DebugShader {
    vertex: &shaders::RADIAL_SHOW_SURFACE_VERT,
    style: DebugStyle::Solid,
};

const CYLINDERS: DebugShader = DebugShader {
    vertex: &shaders::RADIAL_SHOW_CYLINDERS_VERT,
    style: DebugStyle::Lines,
};

/// Two triangles: of a cell, or of a line.
const VERTICES_PER_QUAD: u32 = 6;

/// Three rings of 24, six lines along, the axis: as in glsl/radial/show_cylinders.vert.
const CYLINDER_LINES: u32 = 3 * 24 + 6 + 1;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct SurfacePush {
    transform_stride: u32,
    sub_steps: u32,
    coloured_by: u32,
    field_count: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct CylindersPush {
    transform_stride: u32,
    sub_steps: u32,
}

impl Detector for RadialDetector {
    fn new(
        gpu: &Arc<Gpu>,
        uploads: &mut Uploads,
        def: &ColliderDef,
        earlier: Option<&Self>,
    ) -> Result<Self, CollideError> {
        let variant = variant_of(def)?;
        Ok(Self {
            state: build(gpu, uploads, def, variant.filled_by)?,
            pipelines: match earlier {
                Some(radial) if radial.pipelines.variant() == variant => {
                    Arc::clone(&radial.pipelines)
                }
                _ => Arc::new(RadialPipelines::new(gpu, variant)?),
            },
        })
    }

    fn reload_pipelines(&mut self, gpu: &Arc<Gpu>) -> Result<(), GpuError> {
        let variant = self.pipelines.variant();
        self.pipelines = Arc::new(RadialPipelines::new(gpu, variant)?);
        Ok(())
    }

    fn technique(&self) -> Technique {
        match self.state.filled_by() {
            FilledBy::Drawing => Technique::Radial,
            FilledBy::Compute => Technique::RadialCompute,
        }
    }

    fn memory(&self) -> CollideMemory {
        CollideMemory {
            structure_bytes: self.state.cell_bytes(),
            total_bytes: self.state.bytes(),
        }
    }

    /// The surface that the cells describe, and the cylinders round them.
    fn inspect(&self, inspection: &Inspection) -> Vec<DebugDraw> {
        let (fields, transforms) = (&self.state, inspection.transforms);
        let surface = SurfacePush {
            transform_stride: transforms.field_count,
            sub_steps: transforms.sub_steps,
            coloured_by: match inspection.coloured_by {
                ColouredBy::Distance => 0,
                ColouredBy::Field => 1,
            },
            field_count: fields.field_count(),
        };
        let cylinders = CylindersPush {
            transform_stride: transforms.field_count,
            sub_steps: transforms.sub_steps,
        };
        let surface = DebugDraw {
            layer: DebugLayer::Structure,
            shader: SURFACE,
            bindings: vec![
                fields.fields().into(),
                transforms.buffer.into(),
                fields.cells().into(),
                fields.radii().into(),
            ],
            push: bytes_of(&surface).to_vec(),
            vertex_count: VERTICES_PER_QUAD * fields.cell_count(),
            instance_count: 1,
        };
        let cylinders = DebugDraw {
            layer: DebugLayer::BroadPhase,
            shader: CYLINDERS,
            bindings: vec![fields.radii().into(), transforms.buffer.into()],
            push: bytes_of(&cylinders).to_vec(),
            vertex_count: VERTICES_PER_QUAD * CYLINDER_LINES,
            instance_count: fields.field_count(),
        };
        vec![surface, cylinders]
    }

    fn bone_attachments(&self) -> Vec<BoneAttachment> {
        self.state.bone_attachments().collect()
    }

    fn fields_per_body(&self) -> &[u32] {
        self.state.fields_per_body()
    }

    fn has_shared_kernel(&self) -> bool {
        true
    }

    fn waits_before_bounds(&self) -> bool {
        true
    }

    fn record_clear(&mut self, recorder: &mut Recorder) {
        self.state.record_clear(recorder, &self.pipelines);
    }

    fn record_update(&mut self, recorder: &mut Recorder, update: &Update) {
        self.state
            .record_update(recorder, &self.pipelines, update.bodies, update.bounds);
    }

    fn record_collide(&mut self, recorder: &mut Recorder, collision: &Collision) {
        self.state
            .record_collide(recorder, &self.pipelines, collision);
    }

    fn collides_edges(&self) -> bool {
        true
    }

    fn record_collide_edges(
        &mut self,
        recorder: &mut Recorder,
        collision: &Collision,
        corrected: [&Buffer; 2],
    ) {
        self.state
            .record_collide_edges(recorder, &self.pipelines, collision, corrected);
    }
}

fn filled_by(technique: Technique) -> FilledBy {
    match technique.draws() {
        true => FilledBy::Drawing,
        false => FilledBy::Compute,
    }
}

/// What the pipelines are to be compiled for.
fn variant_of(def: &ColliderDef) -> Result<RadialVariant, CollideError> {
    let mut rules = def.bodies.iter().map(|body| body.fit.rules);
    let first = rules.next().unwrap_or_default();
    match rules.position(|rules| rules != first) {
        Some(ix) => Err(CollideError::MixedRules { body_ix: ix + 1 }),
        None => Ok(RadialVariant {
            filled_by: filled_by(def.technique),
            kernel: def.kernel(),
            has_layers: !def.layers.is_empty(),
            rules: first,
        }),
    }
}

fn build(
    gpu: &Arc<Gpu>,
    uploads: &mut Uploads,
    &ColliderDef { bodies, layers, .. }: &ColliderDef,
    filled_by: FilledBy,
) -> Result<RadialFields, CollideError> {
    let set_of = |body: &ColliderBody| -> Arc<FieldSet> {
        let laid = body
            .fields
            .get_or_init(|| Arc::new(fit(body.avatar, &body.fit)));
        Arc::clone(laid)
    };
    let sets: Vec<_> = bodies.iter().map(set_of).collect();
    if let Some(body_ix) = sets.iter().position(|set| set.fields.is_empty()) {
        return Err(CollideError::NoFields { body_ix });
    }
    let fields_of_body = |(fields, body): (_, &ColliderBody)| BodyFields {
        fields,
        first_vertex: body.first_vertex,
        first_joint: body.first_joint,
    };
    let skins = sets.iter().map(Arc::as_ref).zip(bodies).map(fields_of_body);
    let fields: Vec<_> = skins.chain(layers.iter().copied()).collect();
    let cells = fields.iter().map(|body| u64::from(body.fields.cell_count));
    let cell_count = cells.sum();
    if cell_count >= u64::from(u32::MAX) {
        return Err(CollideError::TooManyCells { cell_count });
    }
    Ok(RadialFields::new(gpu, uploads, &fields, filled_by)?)
}
