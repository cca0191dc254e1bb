//! Where particles meet rigid solids: the twin of `glsl/shared/solid_contacts.glsl`.

pub mod edges;

use glam::{Mat4, Vec3};

use crate::collide::iterations::{Hit, Iteration, reduced};
use crate::collide::max_scale;
use crate::collide::response::{Contact, Particle, Response, slip_of};
use crate::math::Plane;
use crate::solid::{SolidMaterial, SolidShape};

/// The most points of a path that are tested against one solid. Usually 1 to 3, as paths are short; with 32 nothing thinner than two
/// thicknesses is passed by what moves less than 64 thicknesses in a sub-step, 96 m/s for usual cloth.
const MAX_PATH_POINTS: u32 = 32;

/// Part of the way to the next surface that is skipped at once: less than 1, since sampled fields are coarse beyond their band.
const SAFE_SHARE: f32 = 0.5;

/// A solid during one sub-step.
#[derive(Clone, Debug)]
pub struct MovingSolid<'a> {
    shape: &'a SolidShape,
    material: SolidMaterial,
    /// An upper bound on the scale from the world to the solid's space.
    max_scale: f32,
    solid_from_world_before: Mat4,
    solid_from_world: Mat4,
    world_from_solid: Mat4,
}

impl<'a> MovingSolid<'a> {
    /// Solid from world when the sub-step begins and when it ends.
    pub fn new(shape: &'a SolidShape, before: Mat4, after: Mat4) -> Self {
        Self {
            shape,
            material: SolidMaterial::default(),
            max_scale: max_scale(after, Vec3::ONE),
            solid_from_world_before: before,
            solid_from_world: after,
            world_from_solid: after.inverse(),
        }
    }

    /// With a surface of its own.
    pub fn made_of(self, material: SolidMaterial) -> Self {
        Self { material, ..self }
    }

    /// The surface nearest to a point in the solid's space, world space, and how far that is outside, metres of the solid.
    fn plane_at(&self, at: Vec3) -> Option<(Plane, f32)> {
        let sample = self.shape.sample(at)?;
        let normal = self.solid_from_world.transpose() * sample.gradient.extend(0.0);
        let origin = at - sample.gradient * sample.distance;
        let plane = Plane {
            normal: normal.truncate().normalize(),
            origin: self.world_from_solid.transform_point3(origin),
        };
        Some((plane, sample.distance))
    }

    /// How far a point of an edge or a triangle is from being outside at the end of the sub-step, metres, and in which direction. With the whole
    /// thickness edges over the solid's corners would be pushed sideways in every step, and creep.
    pub fn push_out(&self, pos_in_world: Vec3, thickness: f32, size: f32) -> Option<(Vec3, f32)> {
        let thickness = reduced(thickness, size);
        let at = self.solid_from_world.transform_point3(pos_in_world);
        let (plane, _) = self.plane_at(at)?;
        Some((plane.normal, thickness - plane.height(pos_in_world)))
    }

    /// The motion of a point along the solid that friction takes away, where it is `depth` metres too deep.
    pub fn slip(&self, point: Particle, normal: Vec3, depth: f32, response: &Response) -> Vec3 {
        let start = self.solid_from_world_before.transform_point3(point.current);
        let contact = Contact {
            normal,
            point: point.predicted,
            co_moving: self.world_from_solid.transform_point3(start),
        };
        let answer = Response {
            friction: self.material.friction_with(response.friction),
            ..*response
        };
        slip_of(&contact, point.predicted, depth, &answer)
    }

    /// Where the path, relative to the solid, first is less than the thickness outside, if the particle ends up there too.
    pub fn first_hit(&self, iteration: Iteration) -> Option<Hit> {
        let Iteration {
            from,
            predicted,
            thickness,
            ..
        } = iteration;
        let start = self.solid_from_world_before.transform_point3(from);
        let end = self.solid_from_world.transform_point3(predicted);
        let (kept, path) = (thickness * self.max_scale, start.distance(end));
        let shortest = kept.max(path / MAX_PATH_POINTS as f32);
        let mut along = match iteration.follows_path(end - start, 0.0) {
            true => shortest.min(path),
            false => path,
        };
        for point in 1..=MAX_PATH_POINTS {
            let is_end = along >= path || point == MAX_PATH_POINTS;
            let time = if is_end { 1.0 } else { along / path };
            let near = self.plane_at(start.lerp(end, time));
            if let Some((plane, outside)) = near
                && outside < kept
            {
                let contact = Contact {
                    normal: plane.normal,
                    point: plane.origin,
                    co_moving: self.world_from_solid.transform_point3(start),
                };
                let hit = Hit::at(time, contact, predicted, thickness, self.material);
                if hit.is_some() {
                    return hit;
                }
            }
            if is_end {
                return None;
            }
            let clear = near.map_or(0.0, |(_, outside)| SAFE_SHARE * (outside - kept));
            along += shortest.max(clear);
        }
        None
    }
}
