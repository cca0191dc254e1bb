use glam::Vec3;

use super::super::body::{Body, Role};
use super::super::canvas::Canvas;
use super::super::field::{Field, smooth_min, smooth_step};
use super::super::humanoid::{Part, Side};
use super::super::moved;
use super::super::tube::Tube;
use super::super::{FIRM, LOOSE};
use super::neckline::Neckline;
use super::{Pattern, RING_STEP, SAMPLE_SPACING, bounds, collar_y, head_cut, over, plumb_line};

/// Height of the hem on the lower legs.
const HEM: f32 = 0.65;
/// Metres from skin to cloth for a person of 1.75 m.
const EASE: f32 = 0.014;
/// How far past the shoulder joints the cape reaches sideways, metres.
const OVERHANG: f32 = 0.05;
/// The cape widens by this many metres per metre.
const FLARE: f32 = 0.16;
/// Folds all round (the cape has about half of them), and how deep they are at the hem, metres.
const FOLD_COUNT: u32 = 16;
const FOLD_DEPTH: f32 = 0.06;

/// Metres of a person from what is worn beneath to the cape.
const OVER_OTHERS: f32 = 0.014;

/// Metres of a person from its own tube, without folds, to what a coat beneath and folds make of it, at most. Usually 0.08; with less there are holes
/// over what stands out of the coat.
const OFF_TUBE: f32 = 0.08;

/// A cape: over the shoulders, down the back, open at the front, over the volumes of what is worn `beneath` it.
pub(super) fn pattern<'a>(body: &Body, beneath: &[&Field]) -> Pattern<'a> {
    let humanoid = &body.humanoid;
    let scale = humanoid.scale;
    let hem_y = humanoid.lower_leg_y(HEM);
    let neckline = Neckline::new(body, 0.015 * scale, 0.3);
    let is_covered = |(part, _): (Part, Side)| {
        matches!(part, Part::Torso | Part::Neck | Part::UpperArm) || part.is_leg()
    };
    let half_width = 0.5 * (humanoid.arms[0].root.x - humanoid.arms[1].root.x) + OVERHANG * scale;
    let even_tube = tube(body, hem_y, half_width);
    let length = length_of(body, hem_y);
    let tube = even_tube.clone().folded(FOLD_COUNT, |offset| {
        FOLD_DEPTH * scale * smooth_step(0.1 * length, length, offset)
    });
    let (min, max) = bounds(body, hem_y..collar_y(body), 0.05 * scale, |part| {
        part.0 == Part::Torso
    });
    let flare = FLARE * (humanoid.shoulder_y() - hem_y) + FOLD_DEPTH * scale;
    let reach = half_width + flare + 0.03 * scale;
    let min = Vec3::new(humanoid.mid_x() - reach, min.y, min.z - flare);
    let max = Vec3::new(humanoid.mid_x() + reach, max.y, max.z);
    let canvas = Canvas::new(body, min, max, |part, side| {
        match is_covered((part, side)) {
            true => Role::Trunk,
            false => Role::Ignored,
        }
    });
    let volume = canvas.draw(|ix, point| {
        let cloth = smooth_min(
            canvas.offset(ix, EASE * scale),
            tube.distance(point),
            0.02 * scale,
        );
        over(cloth, beneath, point, OVER_OTHERS * scale, 0.015 * scale)
    });

    let shoulder = 0.5 * (humanoid.arms[0].root + humanoid.arms[1].root);
    // What is beneath fills the valleys of the folds.
    let (side_tube, off_tube) = match beneath {
        [] => (tube.clone(), 0.01),
        _ => (even_tube, OFF_TUBE),
    };
    Pattern {
        name: "cape",
        volume,
        cuts: vec![
            Box::new(move |point| hem_y - point.y),
            Box::new(move |point| neckline.side(point)),
            head_cut(body),
            Box::new(move |point| side_tube.side_distance(point) - off_tube * scale),
            Box::new(move |point| {
                // Forward over the shoulders, behind the arms below them.
                let over = smooth_step(
                    shoulder.y - 0.06 * scale,
                    shoulder.y + 0.02 * scale,
                    point.y,
                );
                point.z - (shoulder.z - 0.035 * scale + 0.075 * scale * over)
            }),
        ],
        held: Box::new(move |point| {
            if neckline.is_collar(point, 0.03 * scale) {
                return Some(FIRM);
            }
            (point.y > shoulder.y + 0.01 * scale).then_some(LOOSE)
        }),
        covered: body.tree_of(is_covered),
        weight_radius: 0.08 * scale,
        is_cut_by_arms: false,
        room_at_arms: moved::KEPT_OFF * scale,
        base_colour: [0.30, 0.03, 0.05, 1.0],
    }
}

/// Round trunk and shoulders, straight down and wider, without folds.
fn tube(body: &Body, hem_y: f32, half_width: f32) -> Tube {
    let humanoid = &body.humanoid;
    let scale = humanoid.scale;
    let mut samples = body.samples(SAMPLE_SPACING * scale, |(part, _)| {
        matches!(
            part,
            Part::Torso | Part::UpperArm | Part::Thigh | Part::Calf
        )
    });
    samples.retain(|sample| (sample.x - humanoid.mid_x()).abs() < half_width);
    let top_y = humanoid.shoulder_y();
    Tube::wrap(
        plumb_line(body, top_y, hem_y),
        &samples,
        0.0..length_of(body, hem_y),
        RING_STEP * scale,
    )
    .smoothed(4)
    .hung(|_| -FLARE)
    .smoothed(6)
    .eased(|_| EASE * scale)
}

/// Metres from the shoulders to past the hem.
fn length_of(body: &Body, hem_y: f32) -> f32 {
    body.humanoid.shoulder_y() - hem_y + 0.05 * body.humanoid.scale
}
