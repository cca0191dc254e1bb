//! Writes the skin into the cells: the twin of `glsl/distance_field/update.comp`.

use glam::{Mat3, Mat4, UVec3, Vec3};

use crate::collide::distance_field::BAND_CELLS;
use crate::collide::distance_field::cell::{EMPTY_KEY, key};
use crate::collide::distance_field::fit::{GridDef, GridSet};
use crate::collide::triangle_contact::{MovingSkin, weights_of_nearest};
use crate::math::closest::Feature;

/// Cells further from their grid's origin than this are those of broken poses.
const FARTHEST: f32 = 1e6;

impl GridDef {
    /// Where a cell lies among the cells of all grids.
    pub fn cell_ix(&self, cell: UVec3) -> usize {
        let [width, height, _] = self.size;
        (self.first_cell + (cell.z * height + cell.y) * width + cell.x) as usize
    }
}

/// The keys of all cells. `fields_from_world`: one per grid, when the skin is at `skin.after`.
pub fn update(set: &GridSet, skin: &MovingSkin, fields_from_world: &[Mat4]) -> Vec<u32> {
    let mut cells = vec![EMPTY_KEY; set.cell_count as usize];
    for &[triangle_ix, grid_ix] in &set.pairs {
        let field_from_world = fields_from_world[grid_ix as usize];
        let grid = &set.grids[grid_ix as usize];
        let written = Written::new(skin, triangle_ix, field_from_world);
        written.write(grid, &mut cells);
    }
    cells
}

/// A triangle in field space.
struct Written {
    corners: [Vec3; 3],
    /// Outwards, of the corners, the edges and the face; zero where the skin has no direction.
    normals: [Vec3; 7],
}

impl Written {
    fn new(skin: &MovingSkin, triangle_ix: u32, field_from_world: Mat4) -> Self {
        let field_from_world_normal = Mat3::from_mat4(field_from_world.inverse()).transpose();
        let corners = skin.topology.triangles[triangle_ix as usize].vertices;
        let normal = |ix| field_from_world_normal * skin.normal(triangle_ix, FEATURES[ix]);
        Self {
            corners: corners
                .map(|vertex_ix| field_from_world.transform_point3(skin.after[vertex_ix as usize])),
            normals: std::array::from_fn(normal),
        }
    }

    fn write(&self, grid: &GridDef, cells: &mut [u32]) {
        let [a, b, c] = self.corners;
        let low = a.min(b).min(c) / grid.cell_size - BAND_CELLS;
        let high = a.max(b).max(c) / grid.cell_size + BAND_CELLS;
        // Written so that a NaN is left out too.
        if !(low.abs().max_element() < FARTHEST && high.abs().max_element() < FARTHEST) {
            return;
        }
        let first = low.ceil().as_ivec3().to_array().map(|cell| cell.max(0));
        let [x, y, z] = std::array::from_fn(|axis| {
            let last = (high[axis].floor() as i32).min(grid.size[axis] as i32 - 1);
            first[axis]..=last
        });
        for z in z {
            for y in y.clone() {
                for x in x.clone() {
                    let cell = UVec3::new(x as u32, y as u32, z as u32);
                    if let Some(key) = self.key_at(grid, cell) {
                        let kept = &mut cells[grid.cell_ix(cell)];
                        *kept = key.min(*kept);
                    }
                }
            }
        }
    }

    fn key_at(&self, grid: &GridDef, cell: UVec3) -> Option<u32> {
        let at = cell.as_vec3() * grid.cell_size;
        let (weights, feature) = weights_of_nearest(at, self.corners);
        let [a, b, c] = self.corners;
        let offset = at - (a * weights.x + b * weights.y + c * weights.z);
        let distance = offset.length();
        let normal = self.normals[number_of(feature)];
        let is_kept = distance <= BAND_CELLS * grid.cell_size && normal != Vec3::ZERO;
        is_kept.then(|| key(distance, offset.dot(normal) < 0.0))
    }
}

const FEATURES: [Feature; 7] = [
    Feature::Corner(0),
    Feature::Corner(1),
    Feature::Corner(2),
    Feature::Edge(0),
    Feature::Edge(1),
    Feature::Edge(2),
    Feature::Face,
];

fn number_of(feature: Feature) -> usize {
    match feature {
        Feature::Corner(corner) => corner,
        Feature::Edge(edge) => 3 + edge,
        Feature::Face => 6,
    }
}
