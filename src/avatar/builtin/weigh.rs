//! Shares the skin out among the joints.
//!
//! All skin starts at the root. At each joint a smooth ramp across a plane decides how much goes on to it; where a
//! limb could catch a neighbour's skin that lies beyond its plane, the sculpture says whose skin it is.

use super::rig::{FINGERS, Joints};
use super::sculpture::{Limb, Sculpture};
use super::shape::smooth_step;
use crate::avatar::MAX_INFLUENCES;
use glam::Vec3;

/// Influences a vertex keeps. Four is what most engines skin with.
const KEPT_INFLUENCES: usize = 4;

/// Half the width of the ramp at each kind of joint, metres: about three quarters of the limb's radius there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ramps {
    pub spine: f32,
    pub neck: f32,
    pub head: f32,
    pub clavicle: f32,
    pub shoulder: f32,
    pub elbow: f32,
    pub wrist: f32,
    pub knuckle: f32,
    pub hip: f32,
    pub knee: f32,
    pub ankle: f32,
    pub ball: f32,
    /// Across the middle plane, between the two thighs.
    pub crotch: f32,
    /// Between arm and trunk.
    pub armpit: f32,
}

/// Passes skin from a joint's parent to the joint.
struct Split {
    name: String,
    point: Vec3,
    normal: Vec3,
    ramp: f32,
    gate: Gate,
}

/// Whose skin may pass a split.
enum Gate {
    All,
    /// The arm too, wherever it is: it hangs lower than the joint it comes from.
    AndArms,
    /// The arm and nothing else.
    Arm,
    /// Head and neck and nothing else.
    Head,
    /// Not the head: ears reach out over the shoulder.
    Shoulder,
    /// What is on this side of the middle plane and no arm.
    Thigh {
        ramp: f32,
    },
    /// Skin nearer to one limb than to others.
    Nearer {
        limb: Limb,
        than: Vec<Limb>,
        ramp: f32,
    },
}

/// How a figure's skin is shared out.
pub(super) struct Weigher<'a> {
    figure: &'a Sculpture,
    parents: Vec<Option<usize>>,
    /// For each joint, the split that feeds it and whether it is on the right.
    splits: Vec<Option<(usize, bool)>>,
    rules: Vec<Split>,
    armpit_ramp: f32,
    neck_ramp: f32,
}

/// A vertex, seen from one side of the body as if that were the left.
struct Place {
    position: Vec3,
    /// How much of the skin here is this side's arm's, and the other's.
    arms: [f32; 2],
    /// How much of it is the head's or the neck's.
    head: f32,
}

impl<'a> Weigher<'a> {
    /// `head_normal` points from the neck into the head, across the line from the chin to the nape.
    pub fn new(figure: &'a Sculpture, joints: &Joints, ramps: &Ramps, head_normal: Vec3) -> Self {
        let rules = rules(joints, ramps, head_normal);
        let tree = joints.tree();
        let rule_of = |name: &str| {
            let right = name.ends_with("_r");
            let base = name
                .strip_suffix("_r")
                .or(name.strip_suffix("_l"))
                .unwrap_or(name);
            rules
                .iter()
                .position(|rule| rule.name == base)
                .map(|rule_ix| (rule_ix, right))
        };
        let splits = tree.iter().map(|joint| rule_of(&joint.name)).collect();
        let parents = tree.iter().map(|joint| joint.parent).collect();
        Self {
            figure,
            parents,
            splits,
            rules,
            armpit_ramp: ramps.armpit,
            neck_ramp: ramps.neck,
        }
    }

    fn head_share(&self, p: Vec3) -> f32 {
        let body = self
            .figure
            .limb_distance(p, Limb::Trunk)
            .min(self.figure.limb_distance(p, Limb::Arm));
        smooth_step(
            -self.neck_ramp,
            self.neck_ramp,
            body - self.figure.limb_distance(p, Limb::Head),
        )
    }

    fn arm_share(&self, p: Vec3) -> f32 {
        let trunk = self
            .figure
            .limb_distance(p, Limb::Trunk)
            .min(self.figure.limb_distance(p, Limb::Leg));
        let fingers = (0..FINGERS.len()).map(Limb::Finger);
        let arm = fingers
            .chain([Limb::Arm, Limb::Palm])
            .map(|limb| self.figure.limb_distance(p, limb));
        smooth_step(
            -self.armpit_ramp,
            self.armpit_ramp,
            trunk - arm.fold(f32::MAX, f32::min),
        )
    }

    /// Joints and weights of one vertex, strongest first.
    pub fn weigh(&self, p: Vec3) -> ([u16; MAX_INFLUENCES], [f32; MAX_INFLUENCES]) {
        let mirrored = Vec3::new(-p.x, p.y, p.z);
        let arms = [self.arm_share(p), self.arm_share(mirrored)];
        let head = self.head_share(Vec3::new(p.x.abs(), p.y, p.z));
        let left = Place {
            position: p,
            arms,
            head,
        };
        let right = Place {
            position: mirrored,
            arms: [arms[1], arms[0]],
            head,
        };
        let mut asked: Vec<f32> = self
            .splits
            .iter()
            .map(|split| match split {
                Some((rule, is_right)) => {
                    self.share(&self.rules[*rule], if *is_right { &right } else { &left })
                }
                None => 1.0,
            })
            .collect();
        self.settle_siblings(&mut asked);
        // Parents come first, so each joint's portion is known before its children take theirs.
        let mut weights = vec![0.0; asked.len()];
        let mut portion = asked;
        for joint in 0..portion.len() {
            if let Some(parent) = self.parents[joint] {
                portion[joint] *= portion[parent];
                weights[parent] -= portion[joint];
            }
            weights[joint] += portion[joint];
        }
        strongest(&weights)
    }

    fn share(&self, rule: &Split, place: &Place) -> f32 {
        let p = place.position;
        let beyond = smooth_step(-rule.ramp, rule.ramp, (p - rule.point).dot(rule.normal));
        let [arm, other_arm] = place.arms;
        match &rule.gate {
            Gate::All => beyond,
            Gate::AndArms => beyond.max(arm).max(other_arm),
            Gate::Arm => beyond * arm,
            Gate::Head => beyond * place.head,
            Gate::Shoulder => (beyond * (1.0 - place.head)).max(arm),
            Gate::Thigh { ramp } => beyond * smooth_step(-ramp, *ramp, p.x) * (1.0 - arm),
            Gate::Nearer { .. } if beyond == 0.0 => 0.0,
            Gate::Nearer { limb, than, ramp } => {
                let own = self.figure.limb_distance(p, *limb);
                let others = than
                    .iter()
                    .map(|&other| self.figure.limb_distance(p, other));
                beyond * smooth_step(-ramp, *ramp, others.fold(f32::MAX, f32::min) - own)
            }
        }
    }

    /// Children may not take more than their parent has.
    fn settle_siblings(&self, asked: &mut [f32]) {
        let mut sums = vec![0.0; asked.len()];
        for (joint, parent) in self.parents.iter().enumerate() {
            if let Some(parent) = parent {
                sums[*parent] += asked[joint];
            }
        }
        for (joint, parent) in self.parents.iter().enumerate() {
            if let Some(parent) = parent {
                asked[joint] /= sums[*parent].max(1.0);
            }
        }
    }
}

/// Weights no further apart than this are equal but for rounding.
const TIE: f32 = 1e-5;

/// The influences that are kept, strongest first, summing to one.
fn strongest(weights: &[f32]) -> ([u16; MAX_INFLUENCES], [f32; MAX_INFLUENCES]) {
    let mut order: Vec<usize> = (0..weights.len())
        .filter(|&joint| weights[joint] > 1e-3)
        .collect();
    order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
    // On the middle plane left and right weigh the same: both stay or both go.
    if let Some(&dropped) = order.get(KEPT_INFLUENCES) {
        order.truncate(KEPT_INFLUENCES);
        let is_tied = |joint: usize| weights[joint] - weights[dropped] < TIE;
        if !is_tied(order[0]) {
            order.retain(|&joint| !is_tied(joint));
        }
    }
    let sum: f32 = order.iter().map(|&joint| weights[joint]).sum();
    let mut kept = ([0; MAX_INFLUENCES], [0.0; MAX_INFLUENCES]);
    for (slot, &joint) in order.iter().enumerate() {
        kept.0[slot] = joint as u16;
        kept.1[slot] = weights[joint] / sum;
    }
    kept
}

fn rules(joints: &Joints, ramps: &Ramps, head_normal: Vec3) -> Vec<Split> {
    let mut rules = trunk_rules(joints, ramps, head_normal);
    rules.extend(arm_rules(joints, ramps));
    rules.extend(leg_rules(joints, ramps));
    for finger in 0..FINGERS.len() {
        rules.extend(finger_rules(joints, ramps, finger));
    }
    rules
}

fn split(name: &str, point: Vec3, normal: Vec3, ramp: f32, gate: Gate) -> Split {
    Split {
        name: name.to_owned(),
        point,
        normal: normal.normalize(),
        ramp,
        gate,
    }
}

/// The normal of the plane that halves the angle of a bend.
fn bend(before: Vec3, joint: Vec3, after: Vec3) -> Vec3 {
    (joint - before).normalize() + (after - joint).normalize()
}

fn trunk_rules(j: &Joints, ramps: &Ramps, head_normal: Vec3) -> Vec<Split> {
    let [s1, s2, s3] = j.spine;
    vec![
        split(
            "spine_01",
            s1,
            bend(j.pelvis, s1, s2),
            ramps.spine,
            Gate::AndArms,
        ),
        split("spine_02", s2, bend(s1, s2, s3), ramps.spine, Gate::AndArms),
        split(
            "spine_03",
            s3,
            bend(s2, s3, j.neck),
            ramps.spine,
            Gate::AndArms,
        ),
        split(
            "neck_01",
            j.neck,
            bend(s3, j.neck, j.head),
            ramps.neck,
            Gate::Head,
        ),
        split("head", j.head, head_normal, ramps.head, Gate::All),
    ]
}

fn arm_rules(j: &Joints, ramps: &Ramps) -> Vec<Split> {
    let shoulder = j.upperarm - j.clavicle;
    // The lift keeps the flank below the shoulder with the ribs.
    let clavicle_normal = shoulder.normalize() + 0.8 * Vec3::Y;
    vec![
        split(
            "clavicle",
            j.clavicle + 0.45 * shoulder,
            clavicle_normal,
            ramps.clavicle,
            Gate::Shoulder,
        ),
        split(
            "upperarm",
            j.upperarm,
            j.lowerarm - j.upperarm,
            ramps.shoulder,
            Gate::Arm,
        ),
        split(
            "lowerarm",
            j.lowerarm,
            bend(j.upperarm, j.lowerarm, j.hand),
            ramps.elbow,
            Gate::All,
        ),
        split("hand", j.hand, j.hand - j.lowerarm, ramps.wrist, Gate::All),
    ]
}

fn leg_rules(j: &Joints, ramps: &Ramps) -> Vec<Split> {
    // The crease runs from the crotch up to the hip bone.
    let hip_normal = Vec3::new(0.6, -0.8, 0.0);
    // The heel is behind the ankle and still foot.
    let ankle_normal = Vec3::new(0.0, -0.9, 0.4);
    vec![
        split(
            "thigh",
            j.thigh,
            hip_normal,
            ramps.hip,
            Gate::Thigh { ramp: ramps.crotch },
        ),
        split(
            "calf",
            j.calf,
            bend(j.thigh, j.calf, j.foot),
            ramps.knee,
            Gate::All,
        ),
        split("foot", j.foot, ankle_normal, ramps.ankle, Gate::All),
        split("ball", j.ball, Vec3::Z, ramps.ball, Gate::All),
    ]
}

fn finger_rules(j: &Joints, ramps: &Ramps, finger: usize) -> Vec<Split> {
    let [root, middle, last, tip] = j.fingers[finger];
    let mut others: Vec<Limb> = (0..FINGERS.len())
        .filter(|&f| f != finger)
        .map(Limb::Finger)
        .collect();
    if finger == 0 {
        others.push(Limb::Palm);
    }
    let gate = Gate::Nearer {
        limb: Limb::Finger(finger),
        than: others,
        ramp: 0.6 * ramps.knuckle,
    };
    let name = |number: usize| format!("{}_{number:02}", FINGERS[finger]);
    vec![
        split(&name(1), root, middle - root, ramps.knuckle, gate),
        split(
            &name(2),
            middle,
            bend(root, middle, last),
            ramps.knuckle,
            Gate::All,
        ),
        split(
            &name(3),
            last,
            bend(middle, last, tip),
            ramps.knuckle,
            Gate::All,
        ),
    ]
}
