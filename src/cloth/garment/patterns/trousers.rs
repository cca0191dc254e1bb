use glam::Vec3;
use std::sync::Arc;

use super::super::body::Body;
use super::super::canvas::Canvas;
use super::super::drawn_in::drawn_in;
use super::super::field::{smooth_min, smooth_step};
use super::super::humanoid::{Humanoid, Limb, Part, Side};
use super::super::tube::Tube;
use super::super::{FIRM, GarmentError};
use super::{Cloth, Pattern, RING_STEP, SAMPLE_SPACING, around, bounds, plumb_line, trousers_role};

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

/// Rings of a leg, thigh and calf, in which it is looked for what clips bury.
const RING_COUNT: usize = 20;
/// A leg ends above the first ring of which more than this part is buried, usually 0.15: a ring has some twenty particles, and an arm that
/// rests beside the leg buries two of them; ...
const RING_BURIED: f32 = 0.15;
/// ... but not above this one, the middle of the thigh: what is left of trousers covers the seat.
const HIGHEST_RING: usize = 5;

/// Arms of a body of pieces that come nearer than this when a clip moves them cut trousers, metres for a person of 1.75 m. Usually 0.02:
/// room for the trousers and for a top over them; with 0.007 what is left is pinched.
const ROOM_AT_ARMS: f32 = 0.02;

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

/// Trousers from the waist, and what is cut by them. On a body of pieces they give way to arms, and end above what those bury of a leg
/// all the same: a hole there would leave its back alone.
pub(super) fn cut<'a>(body: &Body) -> Result<(Pattern<'a>, Cloth), GarmentError> {
    let trousers = pattern(body, Rise::Waist);
    let mut whole = trousers.whole(body)?;
    if body.is_of_pieces && !body.poses.is_empty() {
        let drawn_in = drawn_in(&trousers.weave(body), &whole);
        whole = match hem_above_buried(&body.humanoid, &drawn_in.places) {
            Some(hem) => (drawn_in.surface)
                .clipped(hem_cut(&body.humanoid, hem))
                .without_pinches()
                .largest_piece(),
            None => drawn_in.surface,
        };
    }
    let cloth = trousers.trim(body, whole);
    Ok((trousers, cloth))
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

    Pattern {
        name: "trousers",
        volume,
        cuts: vec![
            Box::new(move |point| point.y - waist_y),
            hem_cut(&body.humanoid, 1.0 + hem),
        ],
        held: Box::new(move |point| {
            (rise == Rise::Waist && point.y > waist_y - 0.03 * scale).then_some(FIRM)
        }),
        covered: body.tree_of(is_covered),
        weight_radius: 0.03 * scale,
        is_cut_by_arms: rise == Rise::Waist,
        room_at_arms: ROOM_AT_ARMS * scale,
        base_colour: [0.05, 0.08, 0.16, 1.0],
    }
}

/// Ends both legs at a part of them, of 0 to 2.
fn hem_cut<'a>(humanoid: &Humanoid, part: f32) -> super::PlaceFn<'a, f32> {
    let ends = humanoid.legs.map(|leg| {
        let along = match part < 1.0 {
            true => leg.mid - leg.root,
            false => leg.end - leg.mid,
        };
        // More level than square to the leg: a hem across a slanting calf would reach down over the foot.
        let down = (along.normalize_or(Vec3::NEG_Y) + 2.0 * Vec3::NEG_Y).normalize();
        (leg.along(part), down)
    });
    let mid_x = humanoid.mid_x();
    Box::new(move |point| {
        let (end, down) = ends[usize::from(point.x < mid_x)];
        (point - end).dot(down)
    })
}

/// The part of the legs, of 0 to 2, above what clips bury of either; `None` where that is little.
fn hem_above_buried(humanoid: &Humanoid, places: &[(Vec3, bool)]) -> Option<f32> {
    let mut rings = [[(0, 0); RING_COUNT]; 2];
    for &(at, is_buried) in places {
        let side = usize::from(at.x < humanoid.mid_x());
        let part = 0.5 * humanoid.legs[side].part_at(at);
        let ring_ix = ((part * RING_COUNT as f32) as usize).min(RING_COUNT - 1);
        let (buried, whole) = &mut rings[side][ring_ix];
        (*buried, *whole) = (*buried + u32::from(is_buried), *whole + 1);
    }
    let is_buried = |ix: usize| {
        let mut sides = rings.iter().map(|rings| rings[ix]);
        sides.any(|(buried, whole)| buried as f32 > RING_BURIED * whole as f32)
    };
    let first = (HIGHEST_RING..RING_COUNT).find(|&ix| is_buried(ix))?;
    Some(2.0 * first as f32 / RING_COUNT as f32)
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

#[cfg(test)]
mod tests {
    use super::super::super::figure::capsule_person;
    use super::*;

    #[test]
    fn trousers_end_above_what_is_buried_of_either_leg_and_never_above_the_middle_of_the_thigh() {
        let humanoid = Humanoid::find(&capsule_person()).expect("a humanoid");
        let hem = |buried: std::ops::Range<f32>, each: usize| {
            let places = (0..1000).map(|ix| {
                let part = 0.002 * ix as f32;
                let at = humanoid.legs[1].along(part);
                (at, buried.contains(&part) && ix % each == 0)
            });
            hem_above_buried(&humanoid, &places.collect::<Vec<_>>())
        };
        assert_eq!(hem(1.2..1.4, 4), Some(1.2));
        assert_eq!(hem(0.1..0.9, 4), Some(0.5));
        assert_eq!(hem(1.2..1.4, 20), None, "one in twenty is no hole");
        assert_eq!(hem(0.1..0.4, 1), None, "too high to end there");
    }
}
