//! Debug views. What they show of a technique's structure the technique says itself.

use bytemuck::{Pod, Zeroable};

use super::passes::Draws;
use crate::collide::detector::{ColouredBy, DebugDraw, DebugLayer, DebugStyle, Inspection};
use crate::gpu::{Bind, Recorder};

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct ContactsPush {
    depth_of_red: f32,
}

/// Two triangles.
const VERTICES_PER_QUAD: u32 = 6;

impl Draws<'_> {
    /// What the technique shows of itself in a layer: all that is of that style.
    pub fn record_inspection(
        &self,
        recorder: &mut Recorder,
        layer: DebugLayer,
        style: DebugStyle,
        coloured_by: ColouredBy,
    ) {
        for draw in self.inspect(coloured_by) {
            if (draw.layer, draw.shader.style) == (layer, style) {
                self.record_debug_draw(recorder, &draw);
            }
        }
    }

    /// Whether the technique's structure is drawn as surfaces.
    pub fn has_solid_structure(&self) -> bool {
        let structure = (DebugLayer::Structure, DebugStyle::Solid);
        let draws = self.inspect(ColouredBy::Field);
        draws
            .iter()
            .any(|draw| (draw.layer, draw.shader.style) == structure)
    }

    fn inspect(&self, coloured_by: ColouredBy) -> Vec<DebugDraw> {
        let Some(transforms) = self.world.sub_step_transforms() else {
            return Vec::new();
        };
        let skin = self.world.skin();
        self.world.collider().inspect(&Inspection {
            skin,
            transforms,
            coloured_by,
        })
    }

    fn record_debug_draw(&self, recorder: &mut Recorder, draw: &DebugDraw) {
        let mut bindings: Vec<Bind> = vec![self.view.into()];
        bindings.extend_from_slice(&draw.bindings);
        let pipeline = self.pipelines.debug(draw.shader.vertex);
        let (vertices, instances) = (0..draw.vertex_count, draw.instance_count);
        recorder.draw_with_bytes(pipeline, &bindings, &draw.push, vertices, instances);
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
