//! Resolves particles' contacts with the fields: the twin of the collision shader, paper sections 6.1 to 6.3.

use super::march::Walk;
use crate::collide::iterations::{Hit, Iteration, SLOW, resolve_contacts};
use crate::collide::radial::field::{EMPTY, FieldDef, FieldSet};
use crate::collide::radial::surface::Patch;
pub use crate::collide::response::Particle;
use crate::collide::response::{Contact, Response};
use crate::collide::solids::twin::MovingSolid;
use crate::collide::{Detection, max_scale};
use crate::solid::SolidMaterial;
use glam::{Mat4, Vec3, Vec3Swizzles};

/// Metres of a person's path within which the march takes contacts for simultaneous: half a usual cell. Smaller and rounding decides
/// which of two fields at a joint pushes a particle that lies on both, much larger and of two fingers met in one sub-step
/// the one behind may.
const SAME_PLACE: f32 = 0.005;

/// The fields of one body during one sub-step.
#[derive(Clone, Debug)]
pub struct MovingFields<'a> {
    moving: Vec<Moving<'a>>,
    solids: Vec<MovingSolid<'a>>,
}

/// How the particles' paths are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathTest {
    pub detection: Detection,
    /// Points of the path that are tested (the paper's n). The march ignores it.
    pub samples: u32,
}

/// One field during the sub-step.
#[derive(Clone, Debug)]
pub(super) struct Moving<'a> {
    field: &'a FieldDef,
    cells: &'a [f32],
    /// Metres of the bind pose.
    radius: f32,
    /// An upper bound on the scale from the world to field space, in metres of the bind pose per metre.
    max_scale: f32,
    field_from_world_before: Mat4,
    field_from_world: Mat4,
    world_from_field: Mat4,
}

/// Resolves a particle's contacts with the fields and solids.
///
/// A particle that no field holds, or comes within the thickness of, is returned unchanged. Several fields hold one
/// near a joint: the contact that comes first on the path decides, and of contacts at the same time the shallowest,
/// because the union of fields ends where its outermost surface does and the other fields only end there for lack of
/// skin of their own. A penetration that existed when the sub-step began moves its current position too, so that resolving
/// a penetration gives it no speed.
pub fn collide(
    fields: &MovingFields,
    particle: Particle,
    path: PathTest,
    response: &Response,
) -> Particle {
    resolve_contacts(particle, response, |iteration| {
        let hits = fields
            .moving()
            .iter()
            .filter_map(|field| field.first_hit(iteration, path));
        let of_solids = fields.solids.iter();
        let of_solids = of_solids.filter_map(|solid| solid.first_hit(iteration));
        hits.chain(of_solids).reduce(Hit::first)
    })
}

impl<'a> MovingFields<'a> {
    /// `cells` are what [`update`](super::super::update::update) drew; the transforms are one per field, when the sub-step begins and
    /// when it ends.
    pub fn new(
        set: &'a FieldSet,
        cells: &'a [f32],
        fields_from_world_before: &[Mat4],
        fields_from_world_after: &[Mat4],
    ) -> Self {
        let transforms = fields_from_world_before.iter().zip(fields_from_world_after);
        let moving = |(field, (&before, &after)): (&'a FieldDef, (&Mat4, &Mat4))| Moving {
            field,
            cells,
            radius: radius(field, cells),
            max_scale: max_scale(after, field.axis_lengths()),
            field_from_world_before: before,
            field_from_world: after,
            world_from_field: after.inverse(),
        };
        Self {
            moving: set.fields.iter().zip(transforms).map(moving).collect(),
            solids: Vec::new(),
        }
    }

    /// With rigid solids, which follow the fields.
    pub fn with_solids(self, solids: Vec<MovingSolid<'a>>) -> Self {
        Self { solids, ..self }
    }

    /// The solids among them.
    pub fn solids(&self) -> &[MovingSolid<'a>] {
        &self.solids
    }

    pub(super) fn moving(&self) -> &[Moving<'a>] {
        &self.moving
    }
}

/// Metres of the bind pose from a field's axis to the furthest skin in its cells; below every distance without skin. The twin of
/// glsl/radial/bound.comp.
pub fn radius(field: &FieldDef, cells: &[f32]) -> f32 {
    let cells = cells[field.cells()].iter().copied();
    let skin = cells.filter(|&distance| distance < EMPTY);
    skin.fold(f32::NEG_INFINITY, f32::max)
}

impl Moving<'_> {
    /// How far a point is from being `thickness` outside at the end of the sub-step, metres, and in which direction. Not positive
    /// for a point that lacks nothing.
    pub(super) fn push_out(&self, pos_in_world: Vec3, thickness: f32) -> Option<(Vec3, f32)> {
        let at = self.field_from_world.transform_point3(pos_in_world);
        if !self.overlaps_cylinder(at, at, thickness) {
            return None;
        }
        let patch = Patch::at(self.field, self.cells, at)?;
        let plane = patch.plane_in_world(self.world_from_field, self.field_from_world)?;
        Some((plane.normal, thickness - plane.height(pos_in_world)))
    }

    /// Whether a path in field space comes within `thickness` metres of the world of the field's cylinder, which is as wide as the
    /// furthest skin in the cells.
    fn overlaps_cylinder(&self, start: Vec3, end: Vec3, thickness: f32) -> bool {
        let margin = thickness * self.max_scale;
        let widened = margin / self.field.length;
        if start.z.max(end.z) < -widened || start.z.min(end.z) > 1.0 + widened {
            return false;
        }
        let edge = end.xy() - start.xy();
        let size = edge.length_squared();
        let share = if size > 0.0 {
            (-start.xy().dot(edge) / size).clamp(0.0, 1.0)
        } else {
            0.0
        };
        (start.xy() + edge * share).length() < self.radius + margin
    }

    /// Where the path, relative to this field, first is less than `thickness` outside, if the particle ends up there too.
    pub(super) fn first_hit(&self, iteration: Iteration, path: PathTest) -> Option<Hit> {
        let Iteration {
            from: current,
            predicted,
            thickness,
            ..
        } = iteration;
        let start = self.field_from_world_before.transform_point3(current);
        let pair = Pair {
            start,
            end: self.field_from_world.transform_point3(predicted),
            moving: self,
            predicted,
            iteration,
            co_moving: self.world_from_field.transform_point3(start),
        };
        if !self.overlaps_cylinder(pair.start, pair.end, thickness) {
            return None;
        }
        let path_in_bind = (pair.end - pair.start) * self.field.axis_lengths();
        match path.detection {
            _ if !iteration.follows_path(path_in_bind, SLOW) => pair.test_point(1.0),
            Detection::Samples => {
                let samples = iteration.samples_of_path(path_in_bind, SLOW, path.samples);
                (1..=samples).find_map(|sample| pair.test_point(sample as f32 / samples as f32))
            }
            // Independently of rounding at the borders, the end of the path is tested.
            Detection::March => pair.march().or_else(|| pair.test_point(1.0)),
        }
    }
}

/// A particle and one field during the sub-step.
struct Pair<'a> {
    moving: &'a Moving<'a>,
    /// World space.
    predicted: Vec3,
    /// Of the path relative to the field, field space.
    start: Vec3,
    end: Vec3,
    /// Where the particle would be had it moved rigidly with the field, world space.
    co_moving: Vec3,
    iteration: Iteration,
}

impl Pair<'_> {
    /// Whether the particle is less than the thickness outside at a point of its path.
    fn test_point(&self, time: f32) -> Option<Hit> {
        let at = self.start.lerp(self.end, time);
        let patch = Patch::at(self.moving.field, self.moving.cells, at)?;
        let is_outside = patch.height(at, self.moving.field_from_world) >= self.iteration.thickness;
        (!is_outside).then(|| self.hit(&patch, time)).flatten()
    }

    /// Follows the path through every half cell. Of two fields that the particle meets in one place the shallower decides,
    /// as with samples, so its times are told apart no finer than [`SAME_PLACE`].
    fn march(&self) -> Option<Hit> {
        let parts = (self.predicted.distance(self.co_moving) / (SAME_PLACE * self.iteration.size))
            .ceil()
            .max(1.0);
        let Moving { field, cells, .. } = *self.moving;
        Walk::new(field, self.start, self.end)
            .segments()
            .find_map(|segment| {
                let patch = Patch::of_half(field, cells, segment.quad, segment.half)?;
                let time = self.comes_below(&patch, segment.from, segment.to)?;
                self.hit(&patch, (time * parts).ceil().max(1.0) / parts)
            })
    }

    /// When the path first is less than the thickness above a patch's plane.
    fn comes_below(&self, patch: &Patch, from: f32, to: f32) -> Option<f32> {
        let lacks = |time: f32| {
            let at = self.start + (self.end - self.start) * time;
            patch.height(at, self.moving.field_from_world) - self.iteration.thickness
        };
        let (first, last) = (lacks(from), lacks(to));
        if first < 0.0 {
            return Some(from);
        }
        let part = (first / (first - last)).clamp(0.0, 1.0);
        (last < 0.0).then_some(from + (to - from) * part)
    }

    /// The hit for a patch that the path meets, if its depth counts.
    fn hit(&self, patch: &Patch, time: f32) -> Option<Hit> {
        let Moving {
            world_from_field,
            field_from_world,
            ..
        } = *self.moving;
        let plane = patch.plane_in_world(world_from_field, field_from_world)?;
        let contact = Contact {
            normal: plane.normal,
            point: plane.origin,
            co_moving: self.co_moving,
        };
        Hit::at(
            time,
            contact,
            self.predicted,
            self.iteration.thickness,
            SolidMaterial::default(),
        )
    }
}
