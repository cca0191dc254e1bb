//! The response iterations of the techniques whose fields are attached to bones: the twin of `glsl/shared/iterations.glsl`.

use glam::Vec3;

use super::response::{Contact, MIN_DEPTH, Particle, Response, bounce, respond};
use crate::solid::SolidMaterial;

/// How often the response of one particle is repeated. The first push may move it into a second field, which the next iteration
/// resolves; most need one, and stop. Usually 8: with 2, cloth between belly and thigh or in a raised shoulder ends up 20 mm
/// deep, and a hand at 100 m/s, whose push back along the skin may be a metre, lets one particle in 300 through between its
/// fingers.
const RESPONSE_ITERATIONS: u32 = 8;

/// From this iteration on the thickness is reduced, so that a particle is only kept out of the skin: between two surfaces there
/// may be no room for its thickness on both sides, and keeping it from one would push it into the other.
const FIRST_REDUCED_ITERATION: u32 = 2;

/// Metres of a person kept from the skin where there is no room for more. Usually 0.001; with the full thickness the deepest
/// penetration doubles.
const REDUCED_THICKNESS: f32 = 0.001;

/// Metres of a person in the bind pose, relative to the body, less than a finger's radius: of a slower particle only where it ends up is
/// tested, and of a faster one no points nearer to each other. Usually 0.008, 1.9 m/s in the usual two sub-steps; much larger and cloth that a
/// finger meets comes out behind it, smaller and most of the paths of a walk are followed for nothing: a third of a collision's time.
pub const SLOW: f32 = 0.008;

/// Metres of a person in the bind pose, relative to the body, a thin limb's thickness: a slower particle cannot be put through one, so that in
/// reduced-thickness iterations only where it ends up is tested. 24 m/s in the usual sub-step; much smaller and particles that begin inside two fields are pushed back
/// and forth between them, larger and hands let fast ones through between their fingers.
const FAST: f32 = 0.05;

/// A contact, with its time on the path and its depth.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// Share of the path, in (0, 1].
    pub time: f32,
    /// Metres.
    pub depth: f32,
    pub contact: Contact,
    /// Of what is met; skin is as cloth is.
    pub material: SolidMaterial,
}

impl Hit {
    /// The hit where a path meets a surface of that material at `time`, if its depth counts.
    pub fn at(
        time: f32,
        contact: Contact,
        predicted: Vec3,
        thickness: f32,
        material: SolidMaterial,
    ) -> Option<Self> {
        let depth = contact.depth_of(predicted, thickness);
        (depth > MIN_DEPTH).then_some(Self {
            time,
            depth,
            contact,
            material,
        })
    }

    /// Of two contacts the one that decides; the earlier field at a tie.
    pub fn first(self, other: Self) -> Self {
        if (other.time, other.depth) < (self.time, self.depth) {
            other
        } else {
            self
        }
    }
}

/// What an iteration looks for contacts with.
#[derive(Clone, Copy, Debug)]
pub struct Iteration {
    /// Where the path begins and ends, world space.
    pub from: Vec3,
    pub predicted: Vec3,
    /// Metres to be kept from the skin.
    pub thickness: f32,
    /// Of the body against a person.
    pub size: f32,
    /// Whether that is less than the particle's own.
    pub is_reduced: bool,
}

impl Iteration {
    /// Whether the path is tested, or only its end. `path`: from its start to its end relative to the body, in metres of the bind pose; `slow`:
    /// what of it is tested anyway where there is room for the thickness, [`SLOW`] for bodies and 0 for solids, which may be thin.
    pub fn follows_path(&self, path: Vec3, slow: f32) -> bool {
        let fast = if self.is_reduced { FAST } else { slow } * self.size;
        path.length_squared() >= fast * fast
    }

    /// How many points of a path are tested, of at most `most`: no two nearer to each other than what is tested at its end alone.
    pub fn samples_of_path(&self, path: Vec3, slow: f32, most: u32) -> u32 {
        match self.follows_path(path, slow) {
            true => ((path.length() / (slow * self.size)).ceil() as u32).clamp(1, most),
            false => 1,
        }
    }
}

/// The thickness kept where there is no room for more, on a body of that size.
pub fn reduced(thickness: f32, size: f32) -> f32 {
    thickness.min(REDUCED_THICKNESS * size)
}

/// Puts a particle outside, iteration by iteration, until `first_hit` finds no contact.
///
/// A penetration that existed when the sub-step began moves its current position too, so that resolving a penetration gives it no speed. Nor
/// does being pushed to and fro between surfaces that face each other.
pub fn resolve_contacts(
    particle: Particle,
    response: &Response,
    first_hit: impl Fn(Iteration) -> Option<Hit>,
) -> Particle {
    let Particle {
        mut current,
        mut predicted,
    } = particle;
    let from = current;
    let (mut last, mut is_pinched): (Option<Contact>, bool) = (None, false);
    for iteration in 0..RESPONSE_ITERATIONS {
        let is_first = iteration == 0;
        let is_reduced = iteration >= FIRST_REDUCED_ITERATION;
        let thickness = if is_reduced {
            reduced(response.thickness, response.size)
        } else {
            response.thickness
        };
        let iteration = Iteration {
            from,
            predicted,
            thickness,
            size: response.size,
            is_reduced,
        };
        let Some(hit) = first_hit(iteration) else {
            break;
        };
        // Between surfaces that face each other.
        is_pinched |= last.is_some_and(|last| last.normal.dot(hit.contact.normal) < 0.0);
        last = Some(hit.contact);
        let lacked = hit.contact.depth_of(hit.contact.co_moving, thickness);
        current += hit.contact.normal * lacked.clamp(0.0, hit.depth);
        let answer = Response {
            friction: hit.material.friction_with(response.friction),
            ..*response
        };
        // A particle bounces once in a sub-step, off what it meets first.
        let restitution = match is_first {
            true => hit.material.restitution,
            false => 0.0,
        };
        let [out, back] = bounce(&hit.contact, predicted, hit.depth, thickness, restitution);
        current += hit.contact.normal * back;
        predicted = respond(&hit.contact, predicted, hit.depth, &answer) + hit.contact.normal * out;
    }
    if let (true, Some(last)) = (is_pinched, last) {
        // It goes along with what has pushed it last.
        current = from + (predicted - last.co_moving);
    }
    Particle { current, predicted }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::FrictionModel;

    /// Where a particle ends up that is pinched between a floor and a ceiling, on a body of that size.
    fn pinched(size: f32) -> Particle {
        let response = Response {
            thickness: 0.005 * size,
            size,
            friction: 0.0,
            model: FrictionModel::Coulomb,
        };
        let gap = 0.004 * size;
        let start = Particle {
            current: Vec3::Y * 0.001 * size,
            predicted: Vec3::NEG_Y * 0.002 * size,
        };
        resolve_contacts(start, &response, |iteration| {
            let wall = |normal: Vec3, point: Vec3| {
                let contact = Contact {
                    normal,
                    point,
                    co_moving: iteration.from,
                };
                let skin = SolidMaterial::default();
                Hit::at(1.0, contact, iteration.predicted, iteration.thickness, skin)
            };
            let walls = [wall(Vec3::Y, Vec3::ZERO), wall(Vec3::NEG_Y, gap * Vec3::Y)];
            walls.into_iter().flatten().reduce(Hit::first)
        })
    }

    #[test]
    fn between_the_limbs_of_the_small_and_the_large_there_is_room_in_proportion() {
        let person = pinched(1.0).predicted.y;
        assert!((0.001..0.003).contains(&person), "{person} m");
        for size in [0.12, 5.7] {
            let other = pinched(size).predicted.y;
            assert!((other / size - person).abs() < 1e-5, "{other} m at {size}");
        }
    }

    #[test]
    fn what_counts_as_fast_is_in_proportion() {
        for size in [0.12, 1.0, 5.7] {
            let follows = |path: f32, slow, is_reduced| {
                let iteration = Iteration {
                    from: Vec3::ZERO,
                    predicted: Vec3::ZERO,
                    thickness: 0.001 * size,
                    size,
                    is_reduced,
                };
                iteration.follows_path(Vec3::X * path * size, slow)
            };
            assert!(follows(0.055, SLOW, true) && !follows(0.045, SLOW, true));
            assert!(follows(0.0085, SLOW, false) && !follows(0.0075, SLOW, false));
            assert!(follows(1e-6, 0.0, false), "solids may be thin");
        }
    }
}
