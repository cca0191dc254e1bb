//! Puts particles outside the grids: the twin of `glsl/distance_field/collide.comp`, paper sections 6.1 to 6.3 and 9.3.

use crate::solid::SolidMaterial;
use glam::{Mat3, Mat4, Vec3};

use super::surface::Plane;
use crate::collide::distance_field::fit::{GridDef, GridSet};
use crate::collide::iterations::{Hit, Iteration, SLOW, resolve_contacts};
pub use crate::collide::response::Particle;
use crate::collide::response::{Contact, Response};

/// The grids of all bodies during one sub-step.
#[derive(Clone, Copy, Debug)]
pub struct MovingGrids<'a> {
    pub set: &'a GridSet,
    /// What [`update`](super::update::update) wrote.
    pub cells: &'a [u32],
    /// One a grid, when the sub-step begins.
    pub fields_from_world_before: &'a [Mat4],
    /// One a grid, when it ends.
    pub fields_from_world_after: &'a [Mat4],
}

/// Puts a particle outside the grids, its path tested at `samples` points.
///
/// A particle that no grid holds, or comes within the thickness of, is returned unchanged. Of several contacts the one that comes
/// first on the path decides, and of those at the same time the shallowest. What a particle lacked when the sub-step began moves
/// its current position too, so that resolving a penetration gives it no speed.
pub fn collide(
    grids: &MovingGrids,
    particle: Particle,
    samples: u32,
    response: &Response,
) -> Particle {
    resolve_contacts(particle, response, |iteration| {
        let hits =
            (0..grids.set.grids.len()).filter_map(|ix| grids.first_hit(ix, iteration, samples));
        hits.reduce(Hit::first)
    })
}

impl MovingGrids<'_> {
    /// Where the path, relative to a grid, first is less than `thickness` outside, if the particle ends up there too.
    fn first_hit(&self, grid_ix: usize, iteration: Iteration, samples: u32) -> Option<Hit> {
        let Iteration {
            from,
            predicted: to,
            thickness,
            ..
        } = iteration;
        let field_from_world = self.fields_from_world_after[grid_ix];
        let start = self.fields_from_world_before[grid_ix].transform_point3(from);
        let world_from_field = field_from_world.inverse();
        let pair = Pair {
            grid: &self.set.grids[grid_ix],
            cells: self.cells,
            field_from_world,
            world_from_field,
            to,
            start,
            end: field_from_world.transform_point3(to),
            co_moving: world_from_field.transform_point3(start),
            thickness,
        };
        let samples = iteration.samples_of_path(pair.end - pair.start, SLOW, samples);
        (1..=samples).find_map(|sample| pair.test_point(sample as f32 / samples as f32))
    }
}

/// A particle and one grid during the sub-step.
struct Pair<'a> {
    grid: &'a GridDef,
    cells: &'a [u32],
    field_from_world: Mat4,
    world_from_field: Mat4,
    /// Predicted, world space.
    to: Vec3,
    /// Of the path relative to the grid, field space.
    start: Vec3,
    end: Vec3,
    /// Where the particle would be had it ridden on the grid, world space.
    co_moving: Vec3,
    thickness: f32,
}

impl Pair<'_> {
    /// Whether the particle is less than the thickness outside at a point of its path.
    fn test_point(&self, time: f32) -> Option<Hit> {
        let at = self.start.lerp(self.end, time);
        let plane = Plane::at(self.grid, self.cells, at)?;
        let normal = Mat3::from_mat4(self.field_from_world).transpose() * plane.normal;
        let size = normal.length();
        if !(size > 0.0) || plane.distance >= self.thickness * size {
            return None;
        }
        let contact = Contact {
            normal: normal / size,
            point: self.world_from_field.transform_point3(plane.point),
            co_moving: self.co_moving,
        };
        Hit::at(
            time,
            contact,
            self.to,
            self.thickness,
            SolidMaterial::default(),
        )
    }
}
