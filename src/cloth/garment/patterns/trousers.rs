use glam::Vec3;
use std::sync::Arc;

use super::super::FIRM;
use super::super::body::Body;
use super::super::canvas::Canvas;
use super::super::field::{smooth_min, smooth_step};
use super::super::humanoid::{Limb, Part, Side};
use super::super::moved;
use super::super::tube::Tube;
use super::{Pattern, RING_STEP, SAMPLE_SPACING, around, bounds, plumb_line, trousers_role};

/// Height of the waistband on the trunk.
const WAIST: f32 = 0.17;
/// Where trousers begin that nothing holds: no higher than people are widest, or they would hang on their hips.
const HIPS: f32 = -0.02;
/// Where the legs end on the lower legs, at the lowest and at the highest. Usually 0.86, a hand's breadth above the ankle: a hem at 0.93
/// is caught by the heel of a pointed foot.
const HEM: f32 = 0.86;
const HIGHEST_HEM: f32 = 0.4;
/// By how much a hem is raised at a time.
const HEM_STEP: f32 = 0.02;
/// More of a hem than this must not lie in the foot: boots of toys reach up to the knee.
const HEM_IN_FOOT: f32 = 0.1;
/// Metres from skin to cloth for a person of 1.75 m: at the waistband, and from the seat down.
const WAIST_EASE: f32 = 0.012;
const EASE: f32 = 0.02;
const LEG_EASE: f32 = 0.024;
/// How much narrower than the hull of both legs the seat is at the crotch, metres.
const CROTCH_TUCK: f32 = 0.05;
/// A leg narrows by at most this many metres per metre: 0 is a flared cut, 0.1 a narrow one.
const LEG_TAPER: f32 = 0.035;

/// Where the tubes round the legs begin, of their length; on a body of pieces at the hip joint, which nothing else may cover.
const LEG_TOP: f32 = 0.15;
/// On a body of pieces a leg widens by at most this many metres per metre: legs are cut straight over rods and joints thinner than a
/// leg, which coarse cloth that lies close round them would let through.
const LEG_FLARE: f32 = 0.1;

/// Where trousers begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rise {
    /// At the waist, where a band holds them.
    Waist,
    /// At the hips, as wide as those; nothing holds them.
    Hips,
}

impl Rise {
    /// Metres.
    fn y(self, body: &Body) -> f32 {
        body.humanoid.trunk_y(match self {
            Self::Waist => WAIST,
            Self::Hips => HIPS,
        })
    }

    /// Metres from skin to cloth at the upper edge, for a person of 1.75 m.
    fn ease(self) -> f32 {
        match self {
            Self::Waist => WAIST_EASE,
            Self::Hips => EASE,
        }
    }
}

/// Height of the waistband, metres.
pub(super) fn waist_y(body: &Body) -> f32 {
    Rise::Waist.y(body)
}

/// Long trousers with straight legs.
pub(super) fn pattern<'a>(body: &Body, rise: Rise) -> Pattern<'a> {
    let humanoid = &body.humanoid;
    let scale = humanoid.scale;
    let waist_y = rise.y(body);
    let legs = [Side::Left, Side::Right].map(|side| leg(body, side));
    let hem = hem(body, &legs);
    let hem_y = humanoid
        .legs
        .iter()
        .map(|leg| leg.along_lower(hem).y)
        .fold(f32::INFINITY, f32::min);
    let is_covered =
        |(part, _): (Part, Side)| matches!(part, Part::Torso | Part::Thigh | Part::Calf);
    let seat = seat(body, waist_y, rise.ease());
    let bounds = bounds(body, hem_y..waist_y, 0.06 * scale, is_covered);
    let (min, max) = around(bounds, &[&seat, &legs[0], &legs[1]], humanoid);
    let mut canvas = Canvas::new(body, min, max, trousers_role);
    if body.is_of_pieces {
        canvas.fill_notches();
    }
    let canvas = Arc::new(canvas);
    let ease = |y: f32| {
        scale
            * (EASE
                + (rise.ease() - EASE)
                    * smooth_step(waist_y - 0.12 * scale, waist_y - 0.02 * scale, y))
    };
    let blend = 0.03 * scale;
    let volume = canvas.draw(|ix, point| {
        let cloth = smooth_min(
            canvas.offset(ix, ease(point.y)),
            seat.capped_distance(point),
            blend,
        );
        legs.iter().fold(cloth, |cloth, leg| {
            smooth_min(cloth, leg.distance(point), blend)
        })
    });

    let (mid_x, leg_places) = (humanoid.mid_x(), humanoid.legs);
    Pattern {
        name: "trousers",
        volume,
        cuts: vec![
            Box::new(move |point| point.y - waist_y),
            Box::new(move |point| {
                let leg = &leg_places[usize::from(point.x < mid_x)];
                // More level than square to the leg: a hem across a slanting calf would reach down over the foot.
                let down =
                    ((leg.end - leg.mid).normalize_or(Vec3::NEG_Y) + 2.0 * Vec3::NEG_Y).normalize();
                (point - leg.along_lower(hem)).dot(down)
            }),
        ],
        held: Box::new(move |point| {
            (rise == Rise::Waist && point.y > waist_y - 0.03 * scale).then_some(FIRM)
        }),
        covered: body.tree_of(is_covered),
        weight_radius: 0.03 * scale,
        is_cut_by_arms: rise == Rise::Waist,
        room_at_arms: moved::KEPT_OFF * scale,
        base_colour: [0.05, 0.08, 0.16, 1.0],
    }
}

/// Where both legs end on the lower legs: low, and clear of feet that begin higher than a person's.
fn hem(body: &Body, tubes: &[Tube; 2]) -> f32 {
    let in_foot = |hem: f32, (leg, tube): (&Limb, &Tube)| {
        let offset = leg.root.distance(leg.mid) + hem * leg.mid.distance(leg.end);
        let places: Vec<Vec3> = tube.ring(offset).collect();
        let inside = places.iter().filter(|&&at| body.is_inside(at)).count();
        inside as f32 > HEM_IN_FOOT * places.len() as f32
    };
    let legs = || body.humanoid.legs.iter().zip(tubes);
    let steps = ((HEM - HIGHEST_HEM) / HEM_STEP) as usize;
    let mut hems = (0..=steps).map(|step| HEM - HEM_STEP * step as f32);
    hems.find(|&hem| !legs().any(|leg| in_foot(hem, leg)))
        .unwrap_or(HEM)
}

/// Round hips and seat, from above the waist to just below the crotch.
fn seat(body: &Body, waist_y: f32, waist_ease: f32) -> Tube {
    let scale = body.humanoid.scale;
    let samples = body.samples(SAMPLE_SPACING * scale, |(part, _)| {
        matches!(part, Part::Torso | Part::Thigh)
    });
    let top_y = waist_y + 0.05 * scale;
    let depth = top_y - body.crotch_y() + 0.01 * scale;
    let below_waist = |offset: f32| smooth_step(0.07 * scale, 0.17 * scale, offset);
    // Drawn in towards the crotch, where a full hull would end in a ledge between the legs.
    let at_crotch = |offset: f32| smooth_step(depth - 0.12 * scale, depth, offset);
    Tube::wrap(
        plumb_line(body, top_y, top_y - depth),
        &samples,
        0.0..depth,
        RING_STEP * scale,
    )
    .smoothed(3)
    .eased(|offset| {
        scale
            * (waist_ease + (EASE - waist_ease) * below_waist(offset)
                - CROTCH_TUCK * at_crotch(offset))
    })
}

/// Round one leg, from below the hip joint to the foot.
fn leg(body: &Body, side: Side) -> Tube {
    let scale = body.humanoid.scale;
    let leg = &body.humanoid.legs[side as usize];
    let samples = body.samples(SAMPLE_SPACING * scale, |(part, at)| {
        at == side && matches!(part, Part::Thigh | Part::Calf)
    });
    let length = leg.root.distance(leg.mid) + leg.mid.distance(leg.end);
    let from = if body.is_of_pieces { 0.0 } else { LEG_TOP };
    let tube = Tube::wrap(
        vec![leg.root, leg.mid, leg.end],
        &samples,
        from * length..length,
        RING_STEP * scale,
    )
    .smoothed(4)
    .hung(|_| LEG_TAPER);
    let straight = if body.is_of_pieces {
        tube.straight(LEG_FLARE)
    } else {
        tube
    };
    straight.smoothed(2).eased(|_| LEG_EASE * scale)
}
