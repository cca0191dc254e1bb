//! Armholes of tops without sleeves.

use glam::{Mat3, Vec3};

use super::super::body::{Body, is_within};
use super::super::humanoid::{Limb, Part, Side};
use super::{PlaceFn, fit};
use crate::math::triangle_tree::TriangleTree;

/// Cloth keeps this far from arms, metres of a person.
const GAP: f32 = 0.03;
/// Arms are lowered until they are this near to hanging straight down, radians. Usually 0.7: thick trunks keep a toy's arms from
/// hanging. With 0.3 all of the flank is cut away.
const HANGING: f32 = 0.7;
/// Radians from one place of the arm that is looked at to the next: nearer together than arms are thick.
const STEP: f32 = 0.1;

/// Cuts the cloth away that an arm goes through on its way from the bind pose until it hangs.
pub(super) fn armhole<'a>(body: &Body, arm_ix: usize) -> PlaceFn<'a, f32> {
    let arm = body.humanoid.arms[arm_ix];
    let tree = body.closed_tree_of(|(part, side)| {
        side as usize == arm_ix && part.is_arm() && part != Part::Hand
    });
    let gap = GAP * body.humanoid.scale;
    let keep = fit::CLEARANCE * body.humanoid.scale + gap;
    let backwards: Vec<Mat3> = lowered(&arm).map(|turn| turn.transpose()).collect();
    Box::new(move |point| {
        let depths = backwards.iter().map(|turn| {
            let point = arm.root + *turn * (point - arm.root);
            let away = tree.nearest_point(point.as_dvec3(), f64::from(2.0 * keep));
            let away = away.map_or(2.0 * keep, |nearest| nearest.distance as f32);
            keep - if is_within(&tree, point) { -away } else { away }
        });
        depths.fold(f32::NEG_INFINITY, f32::max)
    })
}

/// The part of an arm's skin, without the hand, that is in the trunk when the arm hangs.
pub(super) fn sunk_part(body: &Body, torso: &TriangleTree, side: Side) -> f32 {
    let arm = body.humanoid.arms[side as usize];
    let Some(hanging) = lowered(&arm).last() else {
        return 0.0;
    };
    let (mut sunk, mut whole) = (0.0, 0.0);
    for [a, b, c] in
        body.triangles(|(part, at)| at == side && matches!(part, Part::UpperArm | Part::LowerArm))
    {
        let area = (b - a).cross(c - a).length();
        let middle = arm.root + hanging * ((a + b + c) / 3.0 - arm.root);
        whole += area;
        if is_within(torso, middle) {
            sunk += area;
        }
    }
    sunk / f32::max(whole, f32::MIN_POSITIVE)
}

/// The rotations of an arm about its shoulder from where it is until it hangs, the first one none. Tailor space.
fn lowered(arm: &Limb) -> impl Iterator<Item = Mat3> {
    let along = (arm.end - arm.root).normalize_or(Vec3::NEG_Y);
    let axis = along.cross(Vec3::NEG_Y).normalize_or(Vec3::Z);
    let most = (along.angle_between(Vec3::NEG_Y) - HANGING).max(0.0);
    let count = (most / STEP).ceil() as usize;
    (0..=count).map(move |ix| Mat3::from_axis_angle(axis, most * ix as f32 / count.max(1) as f32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_are_lowered_to_the_side_and_no_further() {
        let arm = Limb {
            root: Vec3::new(0.2, 1.0, 0.0),
            mid: Vec3::new(0.5, 1.0, 0.0),
            end: Vec3::new(0.8, 1.0, 0.0),
        };
        let places: Vec<Vec3> = lowered(&arm).map(|turn| turn * Vec3::X).collect();
        assert_eq!(places[0], Vec3::X);
        let last = places[places.len() - 1];
        assert!((last - Vec3::new(HANGING.sin(), -HANGING.cos(), 0.0)).length() < 1e-5);
        assert!(places.windows(2).all(|pair| pair[1].y < pair[0].y));
        let hanging = Limb {
            end: arm.root - Vec3::Y,
            ..arm
        };
        assert_eq!(lowered(&hanging).count(), 1);
    }
}
