use crate::math::triangle_tree::TriangleTree;
use glam::Vec3;
use std::sync::Arc;

use super::super::body::{Body, is_within};
use super::super::canvas::Canvas;
use super::super::field::{Field, smooth_min};
use super::super::humanoid::{Limb, Part, Side};
use super::super::tube::Tube;
use super::super::{FIRM, GarmentError, LOOSE};
use super::armhole::armhole;
use super::arms::{self, Arms, Worn};
use super::neckline::Neckline;
use super::{
    Pattern, RING_STEP, SAMPLE_SPACING, around, bounds, collar_y, head_cut, plumb_line, tube_end,
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
/// Arms and head of a body of pieces that come nearer to a top than this when a clip moves them cut it, metres for a person of 1.75 m.
/// Usually 0.04, about as far as cloth may slide there: with 0.007 the upper edges of arms go through what is left round them.
pub(super) const ROOM_AT_ARMS: f32 = 0.04;
/// Metres from skin to cloth for a person of 1.75 m.
const EASE: f32 = 0.011;
const CHEST_EASE: f32 = 0.02;
const SLEEVE_EASE: f32 = 0.018;
/// The cloth hangs from the chest and narrows by at most this many metres per metre.
const TAPER: f32 = 0.10;
const SLEEVE_TAPER: f32 = 0.12;
/// Between the top and the trousers or the skirt beneath it, metres.
const OVER_TROUSERS: f32 = 0.014;

/// A top worn over trousers or a skirt, whose waist is so high, and what is cut by it: with short sleeves, or with wide armholes where the arms are sunk into the trunk.
/// Where nothing is left between armholes and collar, the collar holds its front and its back.
pub(super) fn cut<'a>(body: &Body, beneath: (&Pattern, f32)) -> Result<Worn<'a>, GarmentError> {
    arms::cut(body, |torso: &TriangleTree, arms| {
        pattern(body, beneath, torso, arms)
    })
}

fn pattern<'a>(
    body: &Body,
    beneath: (&Pattern, f32),
    torso: &TriangleTree,
    arms: Arms,
) -> Pattern<'a> {
    let has_sleeves = arms == Arms::Sleeves;
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
    let canvas = Arc::new(Canvas::new(body, min, max, arms.role()));
    let sides = [Side::Left, Side::Right]
        .into_iter()
        .filter(|_| has_sleeves);
    let sleeves: Vec<Tube> = sides.map(|side| sleeve(body, side, SLEEVE_EASE)).collect();
    let volume = volume(&canvas, &trunk, &sleeves, beneath);
    let torso_cuts: [super::PlaceFn<f32>; 3] = [
        Box::new(move |point| hem_y - point.y),
        Box::new(move |point| neckline.side(point)),
        head_cut(body),
    ];
    let arm_cuts = (0..2).filter_map(|ix| match arms {
        Arms::Sleeves => Some(cuff(body, &canvas, torso, ix)),
        Arms::Holes => Some(armhole(body, ix)),
        Arms::Bare => None,
    });
    let cuts = torso_cuts.into_iter().chain(arm_cuts).collect();
    let is_followed = |place: (Part, Side)| is_covered(place) && arms.follows(place.0);
    let shoulder_y = humanoid.shoulder_y();
    Pattern {
        name: "top",
        volume,
        cuts,
        held: Box::new(move |point| hold_on_shoulders(&neckline, shoulder_y, scale, point)),
        covered: body.tree_of(is_followed),
        weight_radius: 0.03 * scale,
        is_cut_by_arms: arms == Arms::Bare,
        room_at_arms: ROOM_AT_ARMS * scale,
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

/// Trunk, sleeves, and what covers what is worn beneath below its waist.
fn volume(
    canvas: &Canvas,
    trunk: &Tube,
    sleeves: &[Tube],
    (beneath, waist_y): (&Pattern, f32),
) -> Field {
    let scale = canvas.scale;
    let blend = 0.03 * scale;
    canvas.draw(|ix, point| {
        let cloth = smooth_min(
            canvas.offset(ix, EASE * scale),
            trunk.distance(point),
            blend,
        );
        let cloth = sleeves.iter().fold(cloth, |cloth, sleeve| {
            smooth_min(cloth, sleeve.distance(point), blend)
        });
        let beneath = beneath.volume.sample(point).max(point.y - waist_y);
        smooth_min(cloth, beneath - OVER_TROUSERS * scale, 0.5 * blend)
    })
}

/// Cuts a sleeve off.
fn cuff<'a>(
    body: &Body,
    canvas: &Arc<Canvas>,
    torso: &TriangleTree,
    arm_ix: usize,
) -> super::PlaceFn<'a, f32> {
    let arm = &body.humanoid.arms[arm_ix];
    let along = (arm.mid - arm.root).normalize_or(Vec3::X);
    let end = arm.along_upper(sleeve_end(torso, arm));
    tube_end(canvas.clone(), arm_ix, end, along)
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
