//! Debug views, one draw each.

use bytemuck::{Pod, Zeroable};

use super::FieldSurface;
use super::passes::Draws;
use crate::SubStepTransforms;
use crate::collide::Rival;
use crate::collide::box_tree::{BoxTree, BoxTreeBuffers};
use crate::collide::distance_field::{BAND_CELLS, DistanceFields};
use crate::collide::spatial_hash::SpatialHash;
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
struct SlicePush {
    field_count: u32,
    sub_steps: u32,
    grid_ix: u32,
    across: u32,
    band: f32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct ContactsPush {
    depth_of_red: f32,
}

/// Cells of one triangle that are drawn: those it is the first of are seldom more, but for large triangles.
const CELLS_PER_TRIANGLE: u32 = 40;
/// Six sides.
const VERTICES_PER_CUBE: u32 = 6 * VERTICES_PER_QUAD;
/// Boxes of a tree that are drawn at most: more hide each other.
const MAX_BOXES: u32 = 800;
/// The edges of a box.
const BOX_LINES: u32 = 12;
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
        transforms: &SubStepTransforms,
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
            field_count: transforms.field_count,
            sub_steps: transforms.sub_steps,
            coloured_by,
        };
        let bindings: [Bind; 5] = [
            self.view.into(),
            radial.fields().into(),
            transforms.buffer.into(),
            radial.cells().into(),
            radial.radii().into(),
        ];
        let vertices = 0..VERTICES_PER_QUAD * radial.cell_count();
        recorder.draw(&self.pipelines.field_surface, &bindings, &push, vertices, 1);
    }

    /// The cylinders of the broad phase.
    pub fn record_field_cylinders(&self, recorder: &mut Recorder, transforms: &SubStepTransforms) {
        let Some(radial) = self.world.radial() else {
            return;
        };
        let push = CylindersPush {
            field_count: transforms.field_count,
            sub_steps: transforms.sub_steps,
        };
        let bindings: [Bind; 3] = [
            self.view.into(),
            radial.radii().into(),
            transforms.buffer.into(),
        ];
        let vertices = 0..VERTICES_PER_QUAD * CYLINDER_LINES;
        recorder.draw(
            &self.pipelines.field_cylinders,
            &bindings,
            &push,
            vertices,
            transforms.field_count,
        );
    }

    /// What a rival has instead of radial fields, solid: the occupied cells of a table, slices through grids.
    pub fn record_structure(&self, recorder: &mut Recorder) {
        let Some(rival) = self.world.collider().rival() else {
            return;
        };
        if let Some(hash) = rival.spatial_hash() {
            self.record_cells(recorder, hash);
        }
        if let Some(grids) = rival.distance_field() {
            self.record_slices(recorder, grids);
        }
    }

    /// What a rival has instead of fields, as lines: the boxes of a tree. Cylinders have a switch of their own.
    pub fn record_structure_lines(&self, recorder: &mut Recorder) {
        let rival = self.world.collider().rival();
        if let Some((tree, boxes, _)) = rival.and_then(Rival::boxes) {
            self.record_boxes(recorder, tree, boxes);
        }
    }

    fn record_cells(&self, recorder: &mut Recorder, hash: &SpatialHash) {
        let [low, high] = hash.lists();
        let bindings: [Bind; 5] = [
            self.view.into(),
            hash.triangles().triangles().into(),
            self.world.skin().positions().into(),
            low.into(),
            high.into(),
        ];
        let vertices = 0..VERTICES_PER_CUBE * CELLS_PER_TRIANGLE;
        let triangle_count = hash.triangles().count();
        recorder.draw(
            &self.pipelines.hash_cells,
            &bindings,
            &hash.table_push(),
            vertices,
            triangle_count,
        );
    }

    /// Across its shortest side a grid shows most of its bone.
    fn record_slices(&self, recorder: &mut Recorder, grids: &DistanceFields) {
        let Some(transforms) = self.world.sub_step_transforms() else {
            return;
        };
        let bindings: [Bind; 4] = [
            self.view.into(),
            grids.grids().into(),
            transforms.buffer.into(),
            grids.cells().into(),
        ];
        for (grid, grid_ix) in grids.set().grids.iter().zip(0..) {
            let shortest = (0..3).min_by_key(|&axis| grid.size[axis]);
            let across = shortest.unwrap_or_default();
            let push = SlicePush {
                field_count: transforms.field_count,
                sub_steps: transforms.sub_steps,
                grid_ix,
                across: across as u32,
                band: BAND_CELLS * grid.cell_size,
            };
            let quads_along = |axis: usize| grid.size[(across + axis) % 3] - 1;
            let vertices = 0..VERTICES_PER_QUAD * quads_along(1) * quads_along(2);
            recorder.draw(&self.pipelines.grid_slices, &bindings, &push, vertices, 1);
        }
    }

    /// The last level, from the root down, before there are too many.
    fn record_boxes(&self, recorder: &mut Recorder, tree: &BoxTree, boxes: &BoxTreeBuffers) {
        let fits = |level: &&std::ops::Range<u32>| level.len() as u32 <= MAX_BOXES;
        let Some(level) = tree.levels.iter().take_while(fits).last() else {
            return;
        };
        let bindings: [Bind; 2] = [self.view.into(), boxes.nodes().into()];
        let vertices = 0..VERTICES_PER_QUAD * BOX_LINES;
        let count = level.len() as u32;
        recorder.draw(
            &self.pipelines.boxes,
            &bindings,
            &level.start,
            vertices,
            count,
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
