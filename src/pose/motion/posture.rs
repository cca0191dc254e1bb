//! A key pose: the angles an animator would name, all zero in an upright stand with limbs hanging straight.

use super::curve::{Curve, smoothstep};
use super::limb::LimbAngles;
use bytemuck::{Pod, Zeroable};

/// Radians by which an arm raised overhead turns about its length, its front outward, as people's do. Without, flexing alone twists the
/// shoulder by 2.4 against the bind pose, and linear blend skinning draws it together to a point.
const OUTWARD: f32 = 1.5;

/// How many numbers make a posture.
pub(super) const CHANNEL_COUNT: usize = size_of::<Posture>() / size_of::<f32>();

/// Angles of the whole body, radians. The pelvis turns by `yaw`, then `tumble`, `twist`, `roll`, `lean`, `turn`, each in
/// the frame the ones before it left.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct Posture {
    /// The way the character travels; 0 is +Z, positive turns left.
    pub(super) yaw: f32,
    /// Head over heels in the direction of travel; runs on past 2π in a row of tumbles.
    pub(super) tumble: f32,
    /// About the body's length, positive turns left.
    pub(super) twist: f32,
    /// Sideways, positive leans right.
    pub(super) roll: f32,
    /// Forward.
    pub(super) lean: f32,
    /// The pelvis alone, about the body's length: what the hips do in a step.
    pub(super) turn: f32,
    /// The spine as a whole, forward, right and to the left.
    pub(super) spine_bend: f32,
    pub(super) spine_side: f32,
    pub(super) spine_twist: f32,
    /// Neck and head together, forward.
    pub(super) nod: f32,
    /// 1 keeps the head level and looking where the character faces, 0 leaves it to the spine.
    pub(super) gaze: f32,
    /// Curl of every finger joint.
    pub(super) grip: f32,
    pub(super) arms: [Arm; 2],
    /// Used while a foot is off the floor and follows no path of its own.
    pub(super) legs: [Leg; 2],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct Arm {
    pub(super) flex: f32,
    pub(super) abduct: f32,
    pub(super) twist: f32,
    pub(super) elbow: f32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct Leg {
    pub(super) flex: f32,
    pub(super) abduct: f32,
    pub(super) knee: f32,
    /// Positive points the toes.
    pub(super) point: f32,
}

impl Arm {
    pub(super) const fn new(flex: f32, abduct: f32, twist: f32, elbow: f32) -> Self {
        Self {
            flex,
            abduct,
            twist,
            elbow,
        }
    }

    pub(super) fn angles(self) -> LimbAngles {
        LimbAngles {
            flex: self.flex,
            abduct: self.abduct,
            twist: self.twist + OUTWARD * smoothstep((self.flex - 0.9) / 1.7),
            bend: self.elbow,
        }
    }
}

impl Leg {
    pub(super) const fn new(flex: f32, abduct: f32, knee: f32, point: f32) -> Self {
        Self {
            flex,
            abduct,
            knee,
            point,
        }
    }

    pub(super) fn angles(self) -> LimbAngles {
        LimbAngles {
            flex: self.flex,
            abduct: self.abduct,
            twist: 0.0,
            bend: self.knee,
        }
    }
}

impl Posture {
    /// The same, with no limb bent further than it folds.
    pub(super) fn folded_within(mut self, fold: &Fold) -> Self {
        for leg in &mut self.legs {
            leg.flex = leg.flex.min(fold.hip);
            leg.knee = leg.knee.min(fold.knee);
            leg.point = leg.point.min(fold.ankle);
        }
        for arm in &mut self.arms {
            arm.elbow = arm.elbow.min(fold.elbow);
            arm.flex = arm.flex.min(fold.shoulder);
        }
        self
    }

    /// The angles of a relaxed stand.
    pub(super) fn relaxed(arm_abduct: f32) -> Self {
        let arm = Arm::new(0.04, arm_abduct, 0.0, 0.32);
        Self {
            gaze: 1.0,
            grip: 0.32,
            arms: [arm; 2],
            legs: [Leg::new(0.0, 0.05, 0.05, 0.0); 2],
            ..Self::default()
        }
    }
}

/// How far limbs fold before their flesh would be inside what they fold against, radians. Skinning by linear blend makes
/// it less than people can: it flattens what bends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fold {
    hip: f32,
    knee: f32,
    elbow: f32,
    /// How far arms are raised.
    shoulder: f32,
    /// How far toes point: long feet of short legs would go through the floor.
    ankle: f32,
}

impl Fold {
    /// An adult's: beyond, thighs are inside the belly, and calves inside thighs outside the hollow of the knee.
    pub(super) const PEOPLE: Self = Self {
        hip: 1.45,
        knee: 1.72,
        elbow: 1.40,
        shoulder: 2.65,
        ankle: 0.9,
    };
    /// Where limbs are as thick as half their length.
    pub(super) const STOUT: Self = Self {
        hip: 1.05,
        knee: 1.10,
        elbow: 1.30,
        shoulder: 1.9,
        ankle: -0.1,
    };

    /// Between two, `part` in 0..=1.
    pub(super) fn toward(self, other: Self, part: f32) -> Self {
        let mix = |a: f32, b: f32| a + part * (b - a);
        Self {
            hip: mix(self.hip, other.hip),
            knee: mix(self.knee, other.knee),
            elbow: mix(self.elbow, other.elbow),
            shoulder: mix(self.shoulder, other.shoulder),
            ankle: mix(self.ankle, other.ankle),
        }
    }
}

/// Postures over time.
pub(super) struct PostureTrack(Curve<CHANNEL_COUNT>);

impl PostureTrack {
    /// Key times, seconds, must increase.
    pub(super) fn new(keys: Vec<(f32, Posture)>) -> Self {
        let channels = |(t, posture): (f32, Posture)| {
            (t, bytemuck::cast::<Posture, [f32; CHANNEL_COUNT]>(posture))
        };
        Self(Curve::without_overshoot(
            keys.into_iter().map(channels).collect(),
        ))
    }

    pub(super) fn sample(&self, t: f32) -> Posture {
        bytemuck::cast(self.0.sample(t))
    }
}
