//! The collision response that all techniques share: the CPU twin of `glsl/shared/response.glsl`.
//!
//! Techniques differ in how they find a [`Contact`]; the response of the particle is computed here.

use super::FrictionModel;
use glam::Vec3;

/// How a surface answers a particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response {
    /// Metres kept between particle and skin: ε, usually 0.002 to 0.01. 0 lets cloth and skin flicker in each other.
    pub thickness: f32,
    /// How large the body is against a person: what is given in metres for people counts as often.
    pub size: f32,
    /// Coefficient of friction: 0 slides, 0.3 to 0.6 is usual for cloth on skin.
    pub friction: f32,
    pub model: FrictionModel,
}

/// Metres. A particle that is less deep counts as outside: what is left of an earlier push is rounding, and would hide the depth in
/// another field. Usual coordinates of some metres round by 5e-7; gravity pushes 4e-5 in a short sub-step.
pub const MIN_DEPTH: f32 = 5e-6;

/// Metres. What comes into a surface by less in a sub-step lies on it, and does not bounce: without this cloth at rest would hop. Usually
/// 0.001, 0.24 m/s in the usual sub-step; gravity alone comes in by 0.0002.
const MIN_BOUNCE: f32 = 0.001;

/// A particle between prediction and the end of its sub-step, in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Particle {
    pub current: Vec3,
    pub predicted: Vec3,
}

/// Where a particle meets a surface, in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Unit length, out of the body.
    pub normal: Vec3,
    /// A point of the surface.
    pub point: Vec3,
    /// Where the particle would be had it moved rigidly with the body during this step.
    pub co_moving: Vec3,
}

impl Contact {
    /// How far `position` is from being `thickness` outside, metres.
    pub fn depth_of(&self, position: Vec3, thickness: f32) -> f32 {
        thickness - self.normal.dot(position - self.point)
    }

    /// The part of a way that runs along the surface.
    fn along(&self, motion: Vec3) -> Vec3 {
        motion - self.normal * self.normal.dot(motion)
    }
}

/// Moves a predicted position outside, `depth` metres along the normal, and takes friction's share off its motion
/// along the surface: the paper's equation 11.
pub fn respond(contact: &Contact, predicted: Vec3, depth: f32, response: &Response) -> Vec3 {
    predicted + contact.normal * depth - slip_of(contact, predicted, depth, response)
}

/// The motion along the surface that friction takes away.
pub fn slip_of(contact: &Contact, predicted: Vec3, depth: f32, response: &Response) -> Vec3 {
    match response.model {
        FrictionModel::Coulomb => coulomb_slip(contact, predicted, depth, response.friction),
        FrictionModel::Paper => paper_slip(contact, predicted, depth, response.friction),
        FrictionModel::Simple => contact.along(predicted - contact.co_moving) * response.friction,
        FrictionModel::Enhanced => enhanced_slip(contact, predicted, response.friction),
    }
}

/// What is left of the friction that a contact may exert, metres: in a sub-step's last solve it yet holds what lies there. None by the models
/// that take a share of the motion, whatever presses.
pub fn unused_friction(contact: &Contact, predicted: Vec3, depth: f32, response: &Response) -> f32 {
    match response.model {
        FrictionModel::Paper | FrictionModel::Simple => 0.0,
        FrictionModel::Coulomb | FrictionModel::Enhanced => {
            let used = slip_of(contact, predicted, depth, response).length();
            (response.friction * depth - used).max(0.0)
        }
    }
}

/// What a bounce adds along the normal, metres: to the predicted position, which lies on the surface by then, and to the current one. The
/// part of the way behind the surface is thrown back, scaled (Fuhrmann, Sobottka and Gross, section 4.2), and the speed with it.
///
/// `predicted`: before the response.
pub fn bounce(
    contact: &Contact,
    predicted: Vec3,
    depth: f32,
    thickness: f32,
    restitution: f32,
) -> [f32; 2] {
    let above = -contact.depth_of(contact.co_moving, thickness);
    let into = contact.normal.dot(contact.co_moving - predicted);
    if restitution <= 0.0 || into < MIN_BOUNCE {
        return [0.0; 2];
    }
    let moved_in = depth - (-above).clamp(0.0, depth);
    [
        restitution * moved_in,
        -(1.0 + restitution) * above.max(0.0),
    ]
}

/// The motion friction takes away: up to its share of the push out of the surface, all of it at rest.
fn coulomb_slip(contact: &Contact, predicted: Vec3, depth: f32, friction: f32) -> Vec3 {
    let slip = contact.along(predicted - contact.co_moving);
    let length = slip.length();
    if length > 0.0 {
        slip * (friction * depth / length).min(1.0)
    } else {
        Vec3::ZERO
    }
}

/// The paper's equations 7 to 10: a share of the way along the surface of the motion behind `p_true`, which is where the motion meets the
/// surface (equation 9), its beginning where it begins below, and its end where it leads out.
///
/// The motion is that relative to the moved body, from the co-moving position: the paper's `p` and `q1` lie in one field space (section
/// 6.2), and a particle at rest on a moving body must not be held back by it. The term is turned against the motion; as printed it would
/// push along. The paper has no thickness: its surface is ours, that much further out.
fn paper_slip(contact: &Contact, predicted: Vec3, depth: f32, friction: f32) -> Vec3 {
    let motion = predicted - contact.co_moving;
    let deepened = -contact.normal.dot(motion);
    let below = if deepened < 0.0 {
        0.0
    } else if deepened > depth {
        depth / deepened
    } else {
        1.0
    };
    contact.along(motion) * (friction * below)
}

/// Equations 5 and 6 of Fuhrmann, Sobottka and Gross: as much as the motion into the surface, times the coefficient, and no more than
/// all. Their equation 5 prints a minus before the maximum, which would turn the motion round; their equation 2 names the part along
/// the surface as the one across it.
fn enhanced_slip(contact: &Contact, predicted: Vec3, friction: f32) -> Vec3 {
    let motion = predicted - contact.co_moving;
    let (along, into) = (contact.along(motion), contact.normal.dot(motion).abs());
    let size = along.length();
    if size > 0.0 {
        let kept = ((size - friction * into) / size).max(0.0);
        along * (1.0 - kept)
    } else {
        Vec3::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRAVITY: f32 = 9.81;
    const STEP: f32 = 1.0 / 120.0;

    /// Metres a block slides down a slope of `degrees` in `seconds`, by position based dynamics.
    fn slide(degrees: f32, seconds: f32, response: &Response) -> f32 {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let normal = Vec3::new(sin, cos, 0.0);
        let start = normal * response.thickness;
        let (mut position, mut velocity) = (start, Vec3::ZERO);
        for _ in 0..(seconds / STEP).round() as u32 {
            let predicted = position + (velocity - Vec3::Y * GRAVITY * STEP) * STEP;
            let contact = Contact {
                normal,
                point: Vec3::ZERO,
                co_moving: position,
            };
            let depth = contact.depth_of(predicted, response.thickness);
            let next = if depth > 0.0 {
                respond(&contact, predicted, depth, response)
            } else {
                predicted
            };
            velocity = (next - position) / STEP;
            position = next;
        }
        (position - start).dot(Vec3::new(cos, -sin, 0.0))
    }

    fn coulomb(friction: f32) -> Response {
        Response {
            thickness: 0.002,
            size: 1.0,
            friction,
            model: FrictionModel::Coulomb,
        }
    }

    #[test]
    fn a_block_sticks_below_the_friction_angle() {
        // atan 0.5 = 26.57 degrees.
        for degrees in [0.0, 10.0, 26.0] {
            let slid = slide(degrees, 5.0, &coulomb(0.5));
            assert!(slid.abs() < 1e-5, "{degrees} degrees: {slid} m");
        }
    }

    #[test]
    fn a_block_slides_as_fast_as_mechanics_says_above_it() {
        for (degrees, friction) in [(30.0f32, 0.5f32), (45.0, 0.5), (45.0, 0.0)] {
            let acceleration =
                GRAVITY * (degrees.to_radians().sin() - friction * degrees.to_radians().cos());
            let expected = 0.5 * acceleration;
            let slid = slide(degrees, 1.0, &coulomb(friction));
            // The solver takes gravity's whole step at its end: half a step of velocity too far.
            assert!(
                (slid / expected - 1.0).abs() < 1.5 * STEP,
                "{degrees} degrees: {slid} m, not {expected} m"
            );
        }
    }

    #[test]
    fn the_papers_friction_opposes_the_motion_and_never_turns_it() {
        // It crosses the surface a quarter of the way along.
        let (begins, predicted) = (Vec3::new(0.0, 0.01, 0.0), Vec3::new(0.04, -0.03, 0.0));
        for friction in [0.0, 0.3, 1.0] {
            let end = respond_as_the_paper(begins, predicted, friction);
            let expected = Vec3::new(0.04 - friction * 0.03, 0.0, 0.0);
            assert!(end.distance(expected) < 1e-7, "{friction}: {end}");
        }
    }

    /// Where a particle ends that moves over a level ground, by the paper's friction.
    fn respond_as_the_paper(co_moving: Vec3, predicted: Vec3, friction: f32) -> Vec3 {
        let contact = Contact {
            normal: Vec3::Y,
            point: Vec3::ZERO,
            co_moving,
        };
        let response = Response {
            thickness: 0.0,
            size: 1.0,
            friction,
            model: FrictionModel::Paper,
        };
        respond(
            &contact,
            predicted,
            contact.depth_of(predicted, 0.0),
            &response,
        )
    }

    /// Equations 5 to 11 step by step, with unit vectors and clamps as printed; signs as their text wants them.
    fn printed(o: Vec3, n: Vec3, q: Vec3, q1: Vec3, friction: f32) -> Vec3 {
        let p = q1 - n * n.dot(q1 - o); // on the surface
        let normal_part = -n * n.dot(q1 - p);
        let way = q1 - q;
        let reach = n.dot(o - q) / n.dot(way.normalize());
        let p_true = q + way.normalize() * reach.min(way.length()).max(0.0);
        let below = q1 - p_true;
        let along = (way - n * n.dot(way)).normalize_or_zero();
        let tangential = -friction * along * (below - n * n.dot(below)).length();
        q1 + normal_part + tangential
    }

    #[test]
    fn the_papers_response_is_its_equations_wherever_the_particle_comes_from() {
        let ends = [
            (Vec3::new(0.0, 0.01, 0.0), Vec3::new(0.04, -0.03, 0.02)), // from above
            (Vec3::new(0.0, -0.01, 0.0), Vec3::new(0.03, -0.02, -0.01)), // deeper
            (Vec3::new(0.0, -0.03, 0.0), Vec3::new(0.02, -0.01, 0.0)), // on its way out
        ];
        for (begins, predicted) in ends {
            let expected = printed(Vec3::ZERO, Vec3::Y, begins, predicted, 0.4);
            let end = respond_as_the_paper(begins, predicted, 0.4);
            assert!(end.distance(expected) < 1e-7, "{begins}: {end}, {expected}");
        }
    }

    /// Equations 1 to 6 of Fuhrmann, Sobottka and Gross as printed, but for the minus before their maximum and the name of equation 2.
    fn printed_by_fuhrmann(contact: &Contact, predicted: Vec3, response: &Response) -> Vec3 {
        let (n, motion) = (contact.normal, predicted - contact.co_moving);
        let across = n * motion.dot(n);
        let along = motion - across; // (2)
        let r_n = n * contact.depth_of(predicted, response.thickness); // (1)
        let r_t = match response.model {
            FrictionModel::Simple => -response.friction * along, // (3)
            _ => {
                let (size, pressed) = (along.length(), response.friction * across.length());
                let beta = ((size - pressed) / size).max(0.0); // (5)
                (beta - 1.0) * along // (6)
            }
        };
        predicted + r_n + r_t // (4)
    }

    #[test]
    fn fuhrmanns_responses_are_their_equations() {
        let starts = [Vec3::new(0.0, 0.01, 0.0), Vec3::new(0.0, -0.001, 0.01)];
        let ends = [Vec3::new(0.04, -0.03, 0.02), Vec3::new(0.001, -0.02, 0.0)];
        for (model, ix) in [FrictionModel::Simple, FrictionModel::Enhanced]
            .into_iter()
            .flat_map(|model| (0..4).map(move |ix| (model, ix)))
        {
            let contact = Contact {
                normal: Vec3::new(0.6, 0.8, 0.0),
                point: Vec3::ZERO,
                co_moving: starts[ix % 2],
            };
            let (predicted, answer) = (
                ends[ix / 2],
                Response {
                    model,
                    ..coulomb(0.3)
                },
            );
            let depth = contact.depth_of(predicted, answer.thickness);
            let end = respond(&contact, predicted, depth, &answer);
            let expected = printed_by_fuhrmann(&contact, predicted, &answer);
            assert!(end.distance(expected) < 1e-7, "{model:?} {ix}: {end}");
        }
    }

    #[test]
    fn the_enhanced_friction_holds_and_slides_as_coulombs_does_and_the_simple_creeps() {
        let enhanced = Response {
            model: FrictionModel::Enhanced,
            ..coulomb(0.5)
        };
        for degrees in [15.0, 26.0, 30.0, 45.0] {
            let [found, expected] = [enhanced, coulomb(0.5)].map(|r| slide(degrees, 1.0, &r));
            assert!((found - expected).abs() < 1e-4, "{degrees}: {found}");
        }
        let simple = Response {
            model: FrictionModel::Simple,
            ..enhanced
        };
        // Each step takes half of the speed that there is and of what gravity adds.
        let speed = GRAVITY * 10f32.to_radians().sin() * STEP;
        let slid = slide(10.0, 2.0, &simple) - slide(10.0, 1.0, &simple);
        assert!((slid / speed - 1.0).abs() < 0.01, "{slid} m, not {speed} m");
    }

    #[test]
    fn what_falls_bounces_with_its_share_of_the_speed_and_to_its_mirrored_place() {
        let contact = Contact {
            normal: Vec3::Y,
            point: Vec3::ZERO,
            co_moving: Vec3::new(0.0, 0.01, 0.0),
        };
        let predicted = Vec3::new(0.0, -0.02, 0.0);
        for restitution in [0.3, 1.0] {
            let [out, back] = bounce(&contact, predicted, 0.02, 0.0, restitution);
            assert!((out - restitution * 0.02).abs() < 1e-7);
            let speed = out - (0.01 + back);
            assert!((speed - restitution * 0.03).abs() < 1e-7, "{speed}");
        }
        assert_eq!(bounce(&contact, predicted, 0.02, 0.0, 0.0), [0.0; 2]);
        // What lies there does not hop.
        let lying = Contact {
            co_moving: Vec3::ZERO,
            ..contact
        };
        let pressed = Vec3::new(0.0, -0.0009, 0.0);
        assert_eq!(bounce(&lying, pressed, 0.0009, 0.0, 1.0), [0.0; 2]);
    }

    #[test]
    fn the_papers_friction_does_not_hold_back_what_rides_on_a_moving_body() {
        // Gravity presses it in; along the surface it moves as the body does.
        let ride = Vec3::new(0.02, 0.0, 0.01);
        let end = respond_as_the_paper(ride, ride - Vec3::Y * 0.001, 0.5);
        assert!(end.distance(ride) < 1e-7, "{end}");
    }

    #[test]
    fn a_particle_at_rest_on_a_moving_body_rides_along() {
        let ride = Vec3::new(0.02, 0.0, 0.0);
        let contact = Contact {
            normal: Vec3::Y,
            point: ride,
            co_moving: ride,
        };
        let sunk = Vec3::new(0.0, -0.05, 0.0);
        let end = respond(&contact, sunk, contact.depth_of(sunk, 0.0), &coulomb(0.5));
        assert!(
            end.distance(ride) < 1e-7,
            "pressed hard enough to be carried: {end}"
        );
    }
}
