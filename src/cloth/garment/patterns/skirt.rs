use glam::Vec3;

use super::super::FIRM;
use super::super::body::{Body, Role};
use super::super::canvas::Canvas;
use super::super::field::{smooth_min, smooth_step};
use super::super::humanoid::{Part, Side};
use super::super::moved;
use super::super::tube::Tube;
use super::{Pattern, RING_STEP, SAMPLE_SPACING, bounds, plumb_line};

/// Height of the waistband on the trunk, and of the hem on the lower legs.
const WAIST: f32 = 0.24;
const HEM: f32 = 0.03;
/// Metres from skin to cloth for a person of 1.75 m.
const EASE: f32 = 0.009;
/// The skirt widens by this many metres per metre below the waist.
const FLARE: f32 = 0.36;
/// Folds round the skirt, and how deep they are at the hem, metres.
const FOLD_COUNT: u32 = 12;
const FOLD_DEPTH: f32 = 0.035;

/// Height of its waistband, metres.
pub(super) fn waist_y(body: &Body) -> f32 {
    body.humanoid.trunk_y(WAIST)
}

/// A wide skirt from the waist to the knees.
pub(super) fn pattern<'a>(body: &Body) -> Pattern<'a> {
    let humanoid = &body.humanoid;
    let scale = humanoid.scale;
    let (waist_y, hem_y) = (waist_y(body), humanoid.lower_leg_y(HEM));
    let is_covered = |(part, _): (Part, Side)| part == Part::Torso || part.is_leg();
    let (min, max) = bounds(body, hem_y..waist_y, 0.05 * scale, is_covered);
    let flare = FLARE * (waist_y - hem_y) + FOLD_DEPTH * scale;
    let sideways = Vec3::new(flare, 0.0, flare);
    let canvas = Canvas::new(body, min - sideways, max + sideways, |part, _| match part {
        part if is_covered((part, Side::Left)) => Role::Trunk,
        part if part.is_arm() => Role::Avoided,
        _ => Role::Ignored,
    });
    let tube = tube(body, waist_y, hem_y);
    let volume = canvas.draw(|ix, point| {
        smooth_min(
            canvas.offset(ix, EASE * scale),
            tube.distance(point),
            0.02 * scale,
        )
    });
    Pattern {
        name: "skirt",
        volume,
        cuts: vec![
            Box::new(move |point| point.y - waist_y),
            Box::new(move |point| hem_y - point.y),
        ],
        held: Box::new(move |point| (point.y > waist_y - 0.03 * scale).then_some(FIRM)),
        covered: body.tree_of(is_covered),
        weight_radius: 0.08 * scale,
        is_cut_by_arms: false,
        room_at_arms: moved::KEPT_OFF * scale,
        base_colour: [0.10, 0.25, 0.22, 1.0],
    }
}

fn tube(body: &Body, waist_y: f32, hem_y: f32) -> Tube {
    let scale = body.humanoid.scale;
    let samples = body.samples(SAMPLE_SPACING * scale, |(part, _)| {
        matches!(part, Part::Torso | Part::Thigh | Part::Calf)
    });
    let above = 0.05 * scale;
    let length = waist_y - hem_y + 2.0 * above;
    Tube::wrap(
        plumb_line(body, waist_y + above, hem_y),
        &samples,
        0.0..length,
        RING_STEP * scale,
    )
    .smoothed(4)
    .hung(|offset| {
        if offset < 2.0 * above {
            1.0
        } else {
            -FLARE * smooth_step(above, 4.0 * above, offset)
        }
    })
    .smoothed(2)
    .eased(|_| EASE * scale)
    .folded(FOLD_COUNT, |offset| {
        FOLD_DEPTH * scale * smooth_step(2.0 * above, length, offset)
    })
}
