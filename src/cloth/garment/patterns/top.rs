use crate::math::triangle_tree::TriangleTree;
use glam::Vec3;
use std::sync::Arc;

use super::super::body::{Body, is_within};
use super::super::canvas::Canvas;
use super::super::field::smooth_min;
use super::super::humanoid::{Limb, Part, Side};
use super::super::tube::Tube;
use super::super::{FIRM, LOOSE};
use super::neckline::Neckline;
use super::{
    Pattern, RING_STEP, SAMPLE_SPACING, around, bounds, coat_role, collar_y, head_cut, plumb_line,
    trousers, tube_end,
};

/// Height of the hem on the trunk.
const HEM: f32 = -0.03;
/// Where the sleeves end on the upper arms.
const SLEEVE_END: f32 = 0.75;
/// And how far at least from where the arms leave the trunk, but not over the elbows.
const SLEEVE_COVER: f32 = 0.5;
const ELBOW: f32 = 0.97;
/// Points of an upper arm at which it is looked whether it is still in the trunk.
const ARM_STEPS: usize = 32;
/// Metres from skin to cloth for a person of 1.75 m.
const EASE: f32 = 0.011;
const CHEST_EASE: f32 = 0.02;
const SLEEVE_EASE: f32 = 0.018;
/// The cloth hangs from the chest and narrows by at most this many metres per metre.
const TAPER: f32 = 0.10;
const SLEEVE_TAPER: f32 = 0.12;
/// Between the top and the trousers beneath it, metres.
const OVER_TROUSERS: f32 = 0.014;

/// A top with short sleeves, worn over the trousers.
pub(super) fn pattern<'a>(body: &Body, trousers: &Pattern) -> Pattern<'a> {
    let humanoid = &body.humanoid;
    let scale = humanoid.scale;
    let hem_y = humanoid.trunk_y(HEM);
    let neckline = Neckline::new(body, 0.01 * scale, 0.55);
    let is_covered = |(part, _): (Part, Side)| {
        matches!(
            part,
            Part::Torso | Part::Neck | Part::Thigh | Part::UpperArm | Part::LowerArm
        )
    };
    let (min, max) = bounds(body, hem_y..collar_y(body), 0.06 * scale, |(part, side)| {
        is_covered((part, side)) && part != Part::LowerArm
    });
    let trunk = trunk(body, hem_y);
    let (min, max) = around((min, max), &[&trunk], humanoid);
    let canvas = Arc::new(Canvas::new(body, min, max, coat_role));
    let sleeves = [Side::Left, Side::Right].map(|side| sleeve(body, side, SLEEVE_EASE));
    let waist_y = trousers::waist_y(body);
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
        let trousers = trousers.volume.sample(point).max(point.y - waist_y);
        smooth_min(cloth, trousers - OVER_TROUSERS * scale, 0.5 * blend)
    });

    let mut cuts: Vec<super::PlaceFn<f32>> = vec![
        Box::new(move |point| hem_y - point.y),
        Box::new(move |point| neckline.side(point)),
        head_cut(body),
    ];
    let torso = body.closed_tree_of(|(part, _)| part == Part::Torso);
    for (ix, arm) in humanoid.arms.iter().enumerate() {
        let along = (arm.mid - arm.root).normalize_or(Vec3::X);
        let end = arm.along_upper(sleeve_end(&torso, arm));
        cuts.push(tube_end(canvas.clone(), ix, end, along));
    }
    let shoulder_y = humanoid.shoulder_y();
    Pattern {
        name: "top",
        volume,
        cuts,
        held: Box::new(move |point| hold_on_shoulders(&neckline, shoulder_y, scale, point)),
        covered: body.tree_of(is_covered),
        weight_radius: 0.03 * scale,
        base_colour: [0.55, 0.12, 0.08, 1.0],
    }
}

/// Firmly at the collar, loosely on top of the shoulders.
pub(super) fn hold_on_shoulders(
    neckline: &Neckline,
    shoulder_y: f32,
    scale: f32,
    point: Vec3,
) -> Option<f32> {
    if neckline.is_collar(point, 0.025 * scale) {
        return Some(FIRM);
    }
    (point.y > shoulder_y + 0.02 * scale).then_some(LOOSE)
}

/// Where a sleeve ends on the upper arm: far enough out of the trunk, in which a toy's arms may begin deep.
fn sleeve_end(torso: &TriangleTree, arm: &Limb) -> f32 {
    let steps = (0..=ARM_STEPS).map(|step| step as f32 / ARM_STEPS as f32);
    let within = steps.take_while(|&at| is_within(torso, arm.along_upper(at)));
    let exit = within.last().unwrap_or(0.0);
    SLEEVE_END.max((exit + SLEEVE_COVER).min(ELBOW))
}

/// Round the trunk, hanging from the chest.
fn trunk(body: &Body, hem_y: f32) -> Tube {
    let scale = body.humanoid.scale;
    let samples = body.samples(SAMPLE_SPACING * scale, |(part, _)| {
        matches!(part, Part::Torso | Part::Thigh)
    });
    let top_y = body.humanoid.shoulder_y();
    let length = top_y - hem_y + 0.05 * scale;
    Tube::wrap(
        plumb_line(body, top_y, hem_y),
        &samples,
        0.08 * scale..length,
        RING_STEP * scale,
    )
    .smoothed(4)
    .hung(|_| TAPER)
    .smoothed(2)
    .eased(|_| CHEST_EASE * scale)
}

/// Round one arm, from below the shoulder joint to the wrist.
pub(super) fn sleeve(body: &Body, side: Side, ease: f32) -> Tube {
    let scale = body.humanoid.scale;
    let arm = &body.humanoid.arms[side as usize];
    let samples = body.samples(SAMPLE_SPACING * scale, |(part, at)| {
        at == side && matches!(part, Part::UpperArm | Part::LowerArm)
    });
    let upper = arm.root.distance(arm.mid);
    let length = upper + arm.mid.distance(arm.end);
    Tube::wrap(
        vec![arm.root, arm.mid, arm.end],
        &samples,
        0.3 * upper..length,
        RING_STEP * scale,
    )
    .smoothed(4)
    .hung(|_| SLEEVE_TAPER)
    .smoothed(2)
    .eased(|_| ease * scale)
}
