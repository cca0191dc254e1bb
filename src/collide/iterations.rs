//! The response iterations of the techniques whose fields are attached to bones: the twin of `glsl/shared/iterations.glsl`.

use glam::Vec3;

use super::response::{Contact, Particle, Response, respond};

/// How often the response of one particle is repeated. The first push may move it into a second field, which the next iteration
/// resolves; most need one, and stop. Usually 8: with 2, cloth between belly and thigh or in a raised shoulder ends up 20 mm
/// deep, and a hand at 100 m/s, whose push back along the skin may be a metre, lets one particle in 300 through between its
/// fingers.
const RESPONSE_ITERATIONS: u32 = 8;

/// From this iteration on the thickness is reduced, so that a particle is only kept out of the skin: between two surfaces there
/// may be no room for its thickness on both sides, and keeping it from one would push it into the other.
const FIRST_REDUCED_ITERATION: u32 = 2;

/// Metres kept from the skin where there is no room for more. Usually 0.001; with the full thickness the deepest
/// penetration doubles.
pub const REDUCED_THICKNESS: f32 = 0.001;

/// Metres of the bind pose relative to the body, a thin limb's thickness: a slower particle cannot be put through one, so that in reduced-thickness iterations
/// only where it ends up is tested. 12 m/s in the usual sub-step; much smaller and particles that begin inside two fields are pushed back
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
}

impl Hit {
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
    /// Whether that is less than the particle's own.
    pub is_reduced: bool,
}

impl Iteration {
    /// Whether the path is tested, or only its end. `path`: from its start to its end relative to the body, in metres of the bind pose.
    pub fn follows_path(&self, path: Vec3) -> bool {
        !self.is_reduced || path.length_squared() >= FAST * FAST
    }
}

/// Puts a particle outside, iteration by iteration, until `first_hit` finds no contact.
///
/// A penetration that existed when the sub-step began moves its current position too, so that resolving a penetration gives it no speed.
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
    for iteration in 0..RESPONSE_ITERATIONS {
        let is_reduced = iteration >= FIRST_REDUCED_ITERATION;
        let thickness = if is_reduced {
            response.thickness.min(REDUCED_THICKNESS)
        } else {
            response.thickness
        };
        let iteration = Iteration {
            from,
            predicted,
            thickness,
            is_reduced,
        };
        let Some(hit) = first_hit(iteration) else {
            break;
        };
        let lacked = hit.contact.depth_of(hit.contact.co_moving, thickness);
        current += hit.contact.normal * lacked.clamp(0.0, hit.depth);
        predicted = respond(&hit.contact, predicted, hit.depth, response);
    }
    Particle { current, predicted }
}
