//! One instant of a plan as joint rotations: the trunk from the posture, limbs from the posture or by inverse kinematics
//! from what they stand on, and the pelvis put so that the centre of mass is where the plan puts it.

use super::contact::{Between, FootPlace, FootState, HandContact, HandState};
use super::curve::{min_jerk, smoothstep};
use super::limb::{Limb, ease_between};
use super::posture::Posture;
use super::rig::{CHEST, HEAD, LEFT, NECK, Placed, Pose, RIGHT, Rig, below, sign};
use super::score::Plan;
use glam::{Quat, Vec3};

/// Seconds from the bind pose to the plan's postures.
const BIND_BLEND: f32 = 0.65;
/// Seconds over which a limb turns from what it stood on to what the posture says.
const RELEASE: f32 = 0.18;
/// Seconds that a hand stays bent back after it left the floor, and before it comes down: straight down from the wrist,
/// fingers would go through the floor.
const HAND_LAG: f32 = 0.06;
/// Seconds in which a limb let go loses the motion it had.
const COAST: f32 = 0.03;
/// Moving the pelvis moves the legs, which moves the centre of mass back by about a quarter: the error falls to
/// 0.25^12 of a step, far below a micrometre.
const COM_ITERATION_COUNT: usize = 12;
/// The farthest a head turns against the chest, radians.
const GAZE_LIMIT: f32 = 0.9;
/// How far a shoulder girdle rises with an arm straight up, radians.
const SHRUG: f32 = 0.40;

/// A limb's rotations where a hold begins and ends.
#[derive(Clone, Copy, Debug)]
struct Edge {
    on: Moving,
    off: Moving,
}

/// A limb on the move.
#[derive(Clone, Copy, Debug)]
struct Moving {
    locals: [Quat; 4],
    /// Radians per second.
    rates: [Vec3; 4],
}

impl Moving {
    /// Where the limb is `dt` seconds later, or earlier, if its motion dies away with distance in time: a foot that has
    /// just pushed off goes on stretching.
    fn coasting(&self, dt: f32) -> [Quat; 4] {
        let effective = COAST * (1.0 - (-dt.abs() / COAST).exp()) * dt.signum();
        std::array::from_fn(|i| Quat::from_scaled_axis(self.rates[i] * effective) * self.locals[i])
    }
}

/// Rotations of limbs at the ends of their holds, which they come from and go to while free.
#[derive(Clone, Debug, Default)]
pub(super) struct Edges {
    feet: [Vec<Edge>; 2],
    hands: [Vec<Edge>; 2],
}

/// 0 in the bind pose at time 0, 1 once the plan's postures are reached.
pub(super) fn begun(t: f32) -> f32 {
    min_jerk(t / BIND_BLEND)
}

/// Solves instants of one plan.
pub(super) struct Solver<'a> {
    pub(super) rig: &'a Rig,
    pub(super) plan: &'a Plan,
    pub(super) edges: Edges,
}

impl<'a> Solver<'a> {
    pub(super) fn new(rig: &'a Rig, plan: &'a Plan) -> Self {
        Self {
            rig,
            plan,
            edges: Edges::default(),
        }
    }

    /// Solves the ends of all holds, each with what is known of the others. Once more makes them agree.
    pub(super) fn find_edges(&mut self, drop_at: &impl Fn(f32) -> f32) {
        let mut found = Edges::default();
        for side in [LEFT, RIGHT] {
            for contact in self.plan.feet[side].contacts() {
                let legs = |t: f32| self.pose(t, drop_at(t)).legs[side];
                let (on, off) = (contact.on.max(0.0), contact.off.min(self.plan.duration));
                found.feet[side].push(edge(legs, on, off));
            }
            for contact in &self.plan.hands[side].0 {
                let arms = |t: f32| self.pose(t, drop_at(t)).arms[side];
                found.hands[side].push(edge(arms, contact.on, contact.off));
            }
        }
        self.edges = found;
    }

    /// The pose at `t`, its centre of mass lowered by `drop` metres.
    pub(super) fn pose(&self, t: f32, drop: f32) -> Pose {
        let posture = self.plan.postures.sample(t);
        let begun = begun(t);
        let mut pose = self.trunk(&posture, begun);
        let target = Vec3::from_array(self.plan.com.sample(t)) - Vec3::Y * drop;
        for _ in 0..COM_ITERATION_COUNT {
            let body = self.rig.place(&pose);
            for side in [LEFT, RIGHT] {
                pose.legs[side] = self.leg(side, t, &posture, body.core[0], begun);
                pose.arms[side] = self.arm(side, t, &posture, body.core[CHEST], begun);
            }
            pose.pelvis += target - self.rig.centre_of_mass(&self.rig.place(&pose));
        }
        pose
    }

    /// How far the body must come down for what stands on the floor to be within comfortable reach, metres.
    pub(super) fn shortfall(&self, t: f32, pose: &Pose) -> f32 {
        let body = self.rig.place(pose);
        let begun = begun(t);
        let lowering = |from: Vec3, to: Vec3, limb: &Limb| {
            let reach = limb.comfortable_reach(begun);
            let offset = from - to;
            let level = (offset.x * offset.x + offset.z * offset.z).min(0.99 * reach * reach);
            offset.y - (reach * reach - level).sqrt()
        };
        let mut shortfall = 0.0_f32;
        for side in [LEFT, RIGHT] {
            if let FootState::Planted(place) = self.plan.feet[side].state(t) {
                shortfall = shortfall.max(lowering(
                    body.legs[side][0].pos,
                    place.ankle,
                    &self.rig.leg_limbs[side],
                ));
            }
            if let HandState::Planted(contact) = self.plan.hands[side].state(t) {
                shortfall = shortfall.max(lowering(
                    body.arms[side][1].pos,
                    contact.wrist,
                    &self.rig.arm_limbs[side],
                ));
            }
        }
        shortfall
    }

    fn trunk(&self, p: &Posture, begun: f32) -> Pose {
        let mut pose = self.rig.bind_pose();
        pose.core[0] = Quat::from_rotation_y(p.yaw)
            * Quat::from_rotation_x(p.tumble)
            * Quat::from_rotation_y(p.twist)
            * Quat::from_rotation_z(p.roll)
            * Quat::from_rotation_x(p.lean)
            * Quat::from_rotation_y(p.turn);
        for (i, share) in [(1, 0.3), (2, 0.35), (CHEST, 0.35)] {
            pose.core[i] = Quat::from_rotation_y(share * p.spine_twist)
                * Quat::from_rotation_z(share * p.spine_side)
                * Quat::from_rotation_x(share * p.spine_bend);
        }
        let chest = pose.core[..=CHEST]
            .iter()
            .fold(Quat::IDENTITY, |above, local| above * *local);
        let (neck, head) = neck_and_head(p, chest);
        (pose.core[NECK], pose.core[HEAD]) = (neck, head);
        pose.grip = p.grip * begun;
        for local in &mut pose.core {
            *local = Quat::IDENTITY.slerp(*local, begun);
        }
        pose
    }

    fn leg(&self, side: usize, t: f32, posture: &Posture, pelvis: Placed, begun: f32) -> [Quat; 4] {
        match self.plan.feet[side].state(t) {
            FootState::Planted(place) => self.standing_leg(side, &place, pelvis, begun),
            FootState::Swinging(mut place) => {
                let toe = Quat::from_rotation_x(place.toe);
                let depth = self.plan.feet[side]
                    .shape
                    .depth(place.ankle, place.rotation(), toe);
                place.ankle.y += depth.max(0.0);
                self.standing_leg(side, &place, pelvis, begun)
            }
            FootState::Free(between) => {
                let leg = posture.legs[side];
                let r = self.rig.leg_limbs[side].at_angles(leg.angles(), sign(side));
                let free = [
                    r.upper,
                    r.hinge,
                    Quat::from_rotation_x(leg.point),
                    Quat::IDENTITY,
                ];
                let mut locals = settle(free, between, &self.edges.feet[side], 0.0);
                locals[1] = self.rig.leg_limbs[side].not_overextended(locals[1], begun);
                self.above_floor(side, locals, pelvis, begun)
            }
        }
    }

    fn standing_leg(
        &self,
        side: usize,
        place: &FootPlace,
        pelvis: Placed,
        begun: f32,
    ) -> [Quat; 4] {
        let (core, leg) = (self.rig.core[0], self.rig.legs[side]);
        let hip = pelvis.pos + pelvis.rotation * (leg[0].pos_in_bind - core.pos_in_bind);
        let pelvis_from_world = pelvis.rotation.inverse();
        // A knee points between where the hips and where the foot point.
        let limb = &self.rig.leg_limbs[side];
        let foot_axis = Quat::from_rotation_y(place.yaw) * limb.axis();
        let axis = pelvis_from_world * foot_axis + limb.axis();
        let r = limb.reach(
            pelvis_from_world * (place.ankle - hip),
            axis,
            limb.comfortable_reach(begun),
        );
        let calf = pelvis.rotation * r.upper * r.hinge;
        [
            r.upper,
            r.hinge,
            calf.inverse() * place.rotation(),
            Quat::from_rotation_x(place.toe),
        ]
    }

    /// A leg in the air, drawn up as far as it takes to keep the foot out of the floor.
    fn above_floor(&self, side: usize, locals: [Quat; 4], pelvis: Placed, begun: f32) -> [Quat; 4] {
        let joints = &self.rig.legs[side];
        let [hip, _, at, _] = below(pelvis, self.rig.core[0], joints, &locals);
        let depth = self.plan.feet[side]
            .shape
            .depth(at.pos, at.rotation, locals[3]);
        if depth <= 0.0 {
            return locals;
        }
        let limb = &self.rig.leg_limbs[side];
        let target = pelvis.rotation.inverse() * (at.pos + depth * Vec3::Y - hip.pos);
        let r = limb.reach(
            target,
            locals[0] * limb.axis(),
            limb.comfortable_reach(begun),
        );
        let calf = pelvis.rotation * r.upper * r.hinge;
        [r.upper, r.hinge, calf.inverse() * at.rotation, locals[3]]
    }

    fn arm(&self, side: usize, t: f32, posture: &Posture, chest: Placed, begun: f32) -> [Quat; 4] {
        let angles = posture.arms[side].angles();
        let limb = &self.rig.arm_limbs[side];
        let raised = (angles.flex.cos() * angles.abduct.cos())
            .clamp(-1.0, 1.0)
            .acos();
        let clavicle = Quat::from_rotation_z(sign(side) * SHRUG * smoothstep((raised - 0.9) / 2.0));
        match self.plan.hands[side].state(t) {
            HandState::Planted(contact) => {
                let axis = limb.axis_at(angles, sign(side));
                self.planted_arm(side, &contact, chest, clavicle, axis)
            }
            HandState::Free(between) => {
                let r = limb.at_angles(angles, sign(side));
                let free = [
                    clavicle,
                    clavicle.inverse() * r.upper,
                    r.hinge,
                    Quat::IDENTITY,
                ];
                let free = free.map(|local| Quat::IDENTITY.slerp(local, begun));
                let mut locals = settle(free, between, &self.edges.hands[side], HAND_LAG);
                locals[2] = limb.not_overextended(locals[2], begun);
                self.hand_above_floor(side, locals, chest)
            }
        }
    }

    /// An arm in the air, drawn up as far as it takes to keep the hand out of the floor.
    fn hand_above_floor(&self, side: usize, locals: [Quat; 4], chest: Placed) -> [Quat; 4] {
        let joints = &self.rig.arms[side];
        let [girdle, shoulder_turned, _, hand] =
            below(chest, self.rig.core[CHEST], joints, &locals);
        let fingertips = hand.pos + hand.rotation * (2.2 * self.rig.knuckles[side]);
        let flat = self.rig.wrist_height();
        let depth = (0.9 * flat - hand.pos.y).max(0.3 * flat - fingertips.y);
        if depth <= 0.0 {
            return locals;
        }
        let limb = &self.rig.arm_limbs[side];
        let girdle_from_world = girdle.rotation.inverse();
        let target = girdle_from_world * (hand.pos + depth * Vec3::Y - shoulder_turned.pos);
        let r = limb.reach(target, locals[1] * limb.axis(), limb.comfortable_reach(1.0));
        let forearm = girdle.rotation * r.upper * r.hinge;
        [
            locals[0],
            r.upper,
            r.hinge,
            forearm.inverse() * hand.rotation,
        ]
    }

    /// `axis` is the elbow's, in the chest's frame.
    fn planted_arm(
        &self,
        side: usize,
        contact: &HandContact,
        chest: Placed,
        clavicle: Quat,
        axis: Vec3,
    ) -> [Quat; 4] {
        let (core, arm) = (self.rig.core[CHEST], self.rig.arms[side]);
        let girdle = chest.rotation * clavicle;
        let shoulder = chest.pos
            + chest.rotation * (arm[0].pos_in_bind - core.pos_in_bind)
            + girdle * (arm[1].pos_in_bind - arm[0].pos_in_bind);
        let limb = &self.rig.arm_limbs[side];
        let target = girdle.inverse() * (contact.wrist - shoulder);
        let r = limb.reach(
            target,
            clavicle.inverse() * axis,
            limb.comfortable_reach(1.0),
        );
        let forearm = girdle * r.upper * r.hinge;
        let (along, palm) = self.rig.hand_axes[side];
        let hand = Quat::from_mat3(&axes(contact.fingers, Vec3::NEG_Y))
            * Quat::from_mat3(&axes(along, palm)).inverse();
        [clavicle, r.upper, r.hinge, forearm.inverse() * hand]
    }
}

fn edge(limb_at: impl Fn(f32) -> [Quat; 4], on: f32, off: f32) -> Edge {
    const DT: f32 = 0.004;
    let rates = |from: &[Quat; 4], to: &[Quat; 4]| {
        std::array::from_fn(|i| {
            let turn = to[i] * from[i].inverse();
            (if turn.w < 0.0 { -turn } else { turn }).to_scaled_axis() / DT
        })
    };
    let (first, second) = (limb_at(on), limb_at(on + DT));
    let (before_last, last) = (limb_at(off - DT), limb_at(off));
    Edge {
        on: Moving {
            locals: first,
            rates: rates(&first, &second),
        },
        off: Moving {
            locals: last,
            rates: rates(&before_last, &last),
        },
    }
}

fn axes(along: Vec3, palm: Vec3) -> glam::Mat3 {
    glam::Mat3::from_cols(along, palm, along.cross(palm))
}

/// Rotations of a free limb, given over to those of the holds it comes from and goes to; its last joint by `lag` seconds
/// nearer to the hold.
fn settle(free: [Quat; 4], between: Between, edges: &[Edge], lag: f32) -> [Quat; 4] {
    let part = |i: usize, apart: f32| if i == 3 { apart - lag } else { apart } / RELEASE;
    let mut limb = free;
    if let Some((edge, age)) = between
        .before
        .and_then(|(ix, age)| Some((edges.get(ix)?, age)))
    {
        let coasting = edge.off.coasting(age);
        limb = std::array::from_fn(|i| ease_between(coasting[i], limb[i], part(i, age)));
    }
    if let Some((edge, wait)) = between
        .after
        .and_then(|(ix, wait)| Some((edges.get(ix)?, wait)))
    {
        let coasting = edge.on.coasting(-wait);
        limb = std::array::from_fn(|i| ease_between(coasting[i], limb[i], part(i, wait)));
    }
    limb
}

/// Half of what the head turns against the chest is the neck's.
fn neck_and_head(p: &Posture, world_from_chest: Quat) -> (Quat, Quat) {
    let level = Quat::from_rotation_y(p.yaw + p.twist) * Quat::from_rotation_x(p.nod);
    let turn = (world_from_chest.inverse() * level).to_scaled_axis();
    let gazing = Quat::from_scaled_axis(0.5 * turn.clamp_length_max(GAZE_LIMIT));
    let half = Quat::from_rotation_x(0.5 * p.nod).slerp(gazing, p.gaze);
    (half, half)
}
