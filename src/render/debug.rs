//! Debug views: each a draw.

use bytemuck::{Pod, Zeroable};

use super::FieldSurface;
use super::passes::Draws;
use crate::FieldMoments;
use crate::gpu::{Bind, Recorder};

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct SurfacePush {
    field_count: u32,
    sub_steps: u32,
    coloured_by: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct CylindersPush {
    field_count: u32,
    sub_steps: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct ContactsPush {
    depth_of_red: f32,
}

/// Two triangles.
const VERTICES_PER_QUAD: u32 = 6;
/// Three rings of 24, six lines along, the axis: as in glsl/radial/show_cylinders.vert.
const CYLINDER_LINES: u32 = 3 * 24 + 6 + 1;

impl Draws<'_> {
    /// The cells of all fields, as the collision sees them.
    pub fn record_field_surface(
        &self,
        recorder: &mut Recorder,
        kind: FieldSurface,
        moments: &FieldMoments,
    ) {
        let coloured_by = match kind {
            FieldSurface::Hidden => return,
            FieldSurface::ByDistance => 0,
            FieldSurface::ByField => 1,
        };
        let Some(radial) = self.world.radial() else {
            return;
        };
        let push = SurfacePush {
            field_count: moments.field_count,
            sub_steps: moments.sub_steps,
            coloured_by,
        };
        let bindings: [Bind; 4] = [
            self.view.into(),
            radial.fields().into(),
            moments.transforms.into(),
            radial.cells().into(),
        ];
        let vertices = 0..VERTICES_PER_QUAD * radial.cell_count();
        recorder.draw(&self.pipelines.field_surface, &bindings, &push, vertices, 1);
    }

    /// The cylinders of the broad phase.
    pub fn record_field_cylinders(&self, recorder: &mut Recorder, moments: &FieldMoments) {
        let Some(radial) = self.world.radial() else {
            return;
        };
        let push = CylindersPush {
            field_count: moments.field_count,
            sub_steps: moments.sub_steps,
        };
        let bindings: [Bind; 3] = [
            self.view.into(),
            radial.fields().into(),
            moments.transforms.into(),
        ];
        let vertices = 0..VERTICES_PER_QUAD * CYLINDER_LINES;
        recorder.draw(
            &self.pipelines.field_cylinders,
            &bindings,
            &push,
            vertices,
            moments.field_count,
        );
    }

    /// Where the cloth touches the body.
    pub fn record_contacts(&self, recorder: &mut Recorder, depth_of_red: f32) {
        let cloth = self.world.cloth();
        let bindings: [Bind; 4] = [
            self.view.into(),
            cloth.positions().into(),
            cloth.previous_positions().into(),
            cloth.contacts().into(),
        ];
        let push = ContactsPush { depth_of_red };
        let vertices = 0..VERTICES_PER_QUAD * cloth.particle_count();
        recorder.draw(&self.pipelines.contacts, &bindings, &push, vertices, 1);
    }
}
