//! Puts particles outside the grids: the twin of `glsl/distance_field/collide.comp`, paper sections 6.1 to 6.3 and 9.3.

use glam::{Mat3, Mat4, Vec3};

use super::surface::Plane;
use crate::collide::distance_field::fit::{GridDef, GridSet};
use crate::collide::response::{Contact, Response, respond};

/// Times a particle is put outside: as for radial fields, the passes after the first settle one that several grids hold.
const RESPONSE_PASSES: u32 = 8;

/// The passes from this one on only keep a particle out of the skin: between two surfaces there may be no room for its
/// thickness on both sides.
const FIRST_NARROW_PASS: u32 = 2;

/// Metres kept from the skin where there is no room for more.
const NARROW_THICKNESS: f32 = 0.001;

/// Metres. A particle that lacks less is outside: what is left of the push before is rounding.
const LEAST_DEPTH: f32 = 5e-6;

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

/// A particle between prediction and the end of its sub-step, in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Particle {
    pub current: Vec3,
    pub predicted: Vec3,
}

/// A contact and when and how deep the particle has it.
#[derive(Clone, Copy, Debug)]
struct Hit {
    /// Share of the path, in (0, 1].
    time: f32,
    /// Metres.
    depth: f32,
    contact: Contact,
}

/// Puts a particle outside the grids, its path tested at `samples` points.
///
/// A particle that no grid holds, or comes within the thickness of, comes back as it was. Of several contacts the one that comes
/// first on the path decides, and of those at the same time the shallowest. What a particle lacked when the sub-step began moves
/// its current position too, so that being put outside does not make it fast.
pub fn collide(
    grids: &MovingGrids,
    particle: Particle,
    samples: u32,
    response: &Response,
) -> Particle {
    let Particle {
        mut current,
        mut predicted,
    } = particle;
    let from = current;
    for pass in 0..RESPONSE_PASSES {
        let thickness = if pass >= FIRST_NARROW_PASS {
            response.thickness.min(NARROW_THICKNESS)
        } else {
            response.thickness
        };
        let hits = (0..grids.set.grids.len())
            .filter_map(|ix| grids.first_hit(ix, [from, predicted], samples, thickness));
        let Some(hit) = hits.reduce(Hit::first) else {
            break;
        };
        let lacked = hit.contact.depth_of(hit.contact.carried, thickness);
        current += hit.contact.normal * lacked.clamp(0.0, hit.depth);
        predicted = respond(&hit.contact, from, predicted, hit.depth, response);
    }
    Particle { current, predicted }
}

impl Hit {
    /// Of two contacts the one that decides; the earlier grid at a tie.
    fn first(self, other: Self) -> Self {
        if (other.time, other.depth) < (self.time, self.depth) {
            other
        } else {
            self
        }
    }
}

impl MovingGrids<'_> {
    /// Where the path, relative to a grid, first is less than `thickness` outside, if the particle ends up there too.
    fn first_hit(
        &self,
        grid_ix: usize,
        [from, to]: [Vec3; 2],
        samples: u32,
        thickness: f32,
    ) -> Option<Hit> {
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
            carried: world_from_field.transform_point3(start),
            thickness,
        };
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
    carried: Vec3,
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
            carried: self.carried,
        };
        let depth = contact.depth_of(self.to, self.thickness);
        (depth > LEAST_DEPTH).then_some(Hit {
            time,
            depth,
            contact,
        })
    }
}
