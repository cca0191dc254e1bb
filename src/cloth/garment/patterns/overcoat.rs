use glam::Vec3;
use std::sync::Arc;

use super::super::GarmentError;
use super::super::body::Body;
use super::super::canvas::Canvas;
use super::super::field::{Field, smooth_min};
use super::super::humanoid::{Part, Side};
use super::super::moved;
use super::super::tube::Tube;
use super::armhole::armhole;
use super::arms::{self, Arms, Worn};
use super::neckline::Neckline;
use super::top::{ROOM_AT_ARMS, hold_on_shoulders, sleeve};
use super::{
    Pattern, RING_STEP, SAMPLE_SPACING, around, bounds, collar_y, head_cut, over, plumb_line,
    tube_end,
};
use crate::math::triangle_tree::TriangleTree;

/// Where the hem is on the lower legs, and the sleeves' on the lower arms.
const HEM: f32 = 0.3;
const SLEEVE_END: f32 = 0.92;
/// Metres from skin to cloth for a person of 1.75 m: room for a top and trousers beneath.
const EASE: f32 = 0.022;
const TRUNK_EASE: f32 = 0.034;
const SLEEVE_EASE: f32 = 0.028;
/// Metres of a person from what is worn beneath to the coat.
const OVER_OTHERS: f32 = 0.012;
/// From chest to waist the coat narrows by at most this many metres per metre; from the hips it widens by this.
const TAPER: f32 = 0.2;
const FLARE: f32 = 0.16;
/// Height on the trunk from which it flares.
const WAIST: f32 = 0.2;
/// Half width of the open front where it is narrowest, metres: one narrower than the grid would break up into holes.
const GAP: f32 = 0.022;
/// The front opens by this on either side, metres per metre, below where it is narrowest, and above, into the lapels.
const SLANT: f32 = 0.035;
const LAPEL: f32 = 0.4;
/// Without sleeves it is closed above instead, by this: between armholes and lapels too little of the front would be left to hold it.
const CLOSING: f32 = -0.4;
/// Height on the trunk where it is narrowest.
const LAPEL_END: f32 = 0.55;

/// A long coat, open from collar to hem, and what is cut by it: where sleeves would be in the trunk it has none, and is open below the waist alone.
pub(super) fn cut<'a>(body: &Body) -> Result<Worn<'a>, GarmentError> {
    arms::cut(body, |_: &TriangleTree, arms| pattern(body, &[], arms))
}

/// The same over the volumes of what is worn `beneath` it, which does so about arms.
pub(super) fn cut_over<'a>(
    body: &Body,
    beneath: &[&Field],
    arms: Arms,
) -> Result<Worn<'a>, GarmentError> {
    arms::cut_over(arms, body, |_: &TriangleTree, arms| {
        pattern(body, beneath, arms)
    })
}

fn pattern<'a>(body: &Body, beneath: &[&Field], arms: Arms) -> Pattern<'a> {
    let humanoid = &body.humanoid;
    let scale = humanoid.scale;
    let hem_y = humanoid.lower_leg_y(HEM);
    let neckline = Neckline::new(body, 0.015 * scale, 0.4);
    let is_covered =
        |(part, _): (Part, Side)| !matches!(part, Part::Head | Part::Hand | Part::Foot);
    let is_followed = |place: (Part, Side)| is_covered(place) && arms.follows(place.0);
    let (min, max) = bounds(body, hem_y..collar_y(body), 0.07 * scale, is_followed);
    let flare = FLARE * (humanoid.trunk_y(WAIST) - hem_y);
    let (min, max) = (min - flare * Vec3::Z, max + flare * Vec3::Z);
    let trunk = trunk(body, hem_y);
    let (min, max) = match arms {
        Arms::Sleeves => (min, max),
        // Without arms its hem may lean out of the body's box.
        Arms::Holes | Arms::Bare => around((min, max), &[&trunk], humanoid),
    };
    let canvas = Arc::new(Canvas::new(body, min, max, arms.role()));
    let sides = [Side::Left, Side::Right].into_iter();
    let sides = sides.filter(|_| arms == Arms::Sleeves);
    let sleeves: Vec<Tube> = sides.map(|side| sleeve(body, side, SLEEVE_EASE)).collect();
    let blend = 0.03 * scale;
    let volume = canvas.draw(|ix, point| {
        let cloth = smooth_min(
            canvas.offset(ix, EASE * scale),
            trunk.distance(point),
            blend,
        );
        let cloth = sleeves.iter().fold(cloth, |cloth, sleeve| {
            smooth_min(cloth, sleeve.distance(point), blend)
        });
        over(cloth, beneath, point, OVER_OTHERS * scale, 0.5 * blend)
    });

    let (mid_x, mid_z) = (humanoid.mid_x(), humanoid.legs[0].root.z);
    let gap = GAP * scale;
    let lapel_y = humanoid.trunk_y(LAPEL_END);
    let lapel = match arms {
        Arms::Sleeves => LAPEL,
        Arms::Holes | Arms::Bare => CLOSING,
    };
    let mut cuts: Vec<super::PlaceFn<f32>> = vec![
        Box::new(move |point| hem_y - point.y),
        Box::new(move |point| neckline.side(point)),
        head_cut(body),
        Box::new(move |point| {
            let above = point.y - lapel_y;
            let slant = if above > 0.0 { lapel } else { -SLANT };
            let half_width = gap + slant * above;
            (half_width - (point.x - mid_x).abs()).min(point.z - mid_z)
        }),
    ];
    cuts.extend((0..2).filter_map(|ix| match arms {
        Arms::Sleeves => Some(cuff(body, &canvas, ix)),
        Arms::Holes => Some(armhole(body, ix)),
        Arms::Bare => None,
    }));
    let shoulder_y = humanoid.shoulder_y();
    Pattern {
        name: "overcoat",
        volume,
        cuts,
        held: Box::new(move |point| hold_on_shoulders(&neckline, shoulder_y, scale, point)),
        covered: body.tree_of(is_followed),
        weight_radius: 0.05 * scale,
        is_cut_by_arms: arms == Arms::Bare,
        room_at_arms: scale
            * match arms {
                Arms::Sleeves => moved::KEPT_OFF,
                Arms::Holes | Arms::Bare => ROOM_AT_ARMS,
            },
        base_colour: [0.22, 0.16, 0.10, 1.0],
    }
}

/// Cuts a sleeve off.
fn cuff<'a>(body: &Body, canvas: &Arc<Canvas>, arm_ix: usize) -> super::PlaceFn<'a, f32> {
    let arm = &body.humanoid.arms[arm_ix];
    let along = (arm.end - arm.mid).normalize_or(Vec3::X);
    tube_end(canvas.clone(), arm_ix, arm.along_lower(SLEEVE_END), along)
}

/// Round trunk and both legs.
fn trunk(body: &Body, hem_y: f32) -> Tube {
    let scale = body.humanoid.scale;
    let samples = body.samples(SAMPLE_SPACING * scale, |(part, _)| {
        matches!(part, Part::Torso | Part::Thigh | Part::Calf)
    });
    let top_y = body.humanoid.shoulder_y();
    let length = top_y - hem_y + 0.05 * scale;
    let waist = top_y - body.humanoid.trunk_y(WAIST);
    Tube::wrap(
        plumb_line(body, top_y, hem_y),
        &samples,
        0.08 * scale..length,
        RING_STEP * scale,
    )
    .smoothed(4)
    .hung(|offset| if offset < waist { TAPER } else { -FLARE })
    .smoothed(4)
    .eased(|_| TRUNK_EASE * scale)
}
