//! Whether anything gets through: particles shot at a limb that comes towards them, judged by the exact mesh.

use crate::avatar::Avatar;
use crate::collide::FrictionModel;
use crate::collide::radial::field::FieldSet;
use crate::collide::radial::fit::{FitSettings, fit};
use crate::collide::radial::twin::collide::{MovingFields, Particle, PathTest, collide};
use crate::collide::radial::update::{fields_from_world, update};
use crate::collide::response::Response;
use crate::math::triangle_tree::TriangleTree;
use crate::pose::Palette;
use glam::{DVec3, Mat4, Vec3};
use rayon::prelude::*;

/// Share of the relative speed that the limb has; the rest is the particle's, which the solver holds below 40 m/s.
pub const LIMB_SHARE: f32 = 0.6;

/// Metres below the skin that a path must come, halfway between where it goes in and out, to go through: as for the
/// oracle, less is the rounding of 1 cm cells. What merely grazes a limb is no shot at it.
const MIN_DEPTH: f64 = 0.002;

/// Metres before and behind the limb's axis where a shot begins and ends.
const CLEARANCE: f32 = 0.15;

/// Frictionless, and without a thickness that would make the limb easier to meet.
const RESPONSE: Response = Response {
    thickness: 0.0,
    size: 1.0,
    friction: 0.0,
    model: FrictionModel::Coulomb,
};

/// A limb of a character in its bind pose, to be shot at.
pub struct Range {
    tree: TriangleTree,
    set: FieldSet,
    cells: Vec<f32>,
    fields_from_world: Vec<Mat4>,
    /// Of the limb's field.
    world_from_field: Mat4,
    radius: f32,
    /// Unit length, across the limb's axis and as far back as that goes.
    pub heading: Vec3,
}

/// How a shot ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Stopped,
    GotThrough,
}

impl Range {
    /// None if no field is attached to a joint of that name.
    pub fn new(avatar: &Avatar, settings: &FitSettings, joint_name: &str) -> Option<Self> {
        let skeleton = &avatar.skeleton;
        let named = |joint_ix: u32| {
            skeleton.nodes[skeleton.joints[joint_ix as usize].node_ix].name == joint_name
        };
        let set = fit(avatar, settings);
        let field = set.fields.iter().find(|field| named(field.joint_ix))?;
        let bones = Palette::bind(skeleton).world_from_bone;
        let world_from_field = bones[field.joint_ix as usize] * field.bone_from_field;
        let axis = world_from_field.z_axis.truncate().normalize();
        let radius = field.radius;
        let fields_from_world = fields_from_world(&set, &bones);
        Some(Self {
            tree: TriangleTree::new(&avatar.skin.positions, &avatar.skin.triangles),
            cells: update(&set, &avatar.skin.positions, &fields_from_world),
            set,
            fields_from_world,
            world_from_field,
            radius,
            heading: Vec3::NEG_Z
                .reject_from_normalized(axis)
                .normalize_or(Vec3::NEG_Y),
        })
    }

    /// Starts of `count` shots along [`Range::heading`] which all go through the body, at the middle half of the limb, at
    /// any height across it, and at any part of a step of `step` metres before it. The same every time.
    pub fn volley(&self, count: usize, step: f32) -> Vec<Vec3> {
        let axis = self.world_from_field.z_axis.truncate();
        let aside = axis.cross(self.heading).normalize();
        let start = |ix: usize| {
            let [along, across, phase] = super::coverage::spread(ix).map(|part| part as f32);
            let aim = self.world_from_field.w_axis.truncate()
                + axis * (0.25 + 0.5 * along)
                + aside * self.radius * (2.0 * across - 1.0);
            aim - self.heading * (CLEARANCE + phase * step)
        };
        let goes_through = |&start: &Vec3| {
            self.goes_through(start, start + self.heading * (2.0 * CLEARANCE + step))
        };
        (0..).map(start).filter(goes_through).take(count).collect()
    }

    /// Steps of `step` metres after which every shot is behind the limb.
    pub fn step_count(step: f32) -> u32 {
        (2.0 * CLEARANCE / step).ceil() as u32 + 1
    }

    /// Whether a straight way relative to the body runs through it.
    pub fn goes_through(&self, from: Vec3, to: Vec3) -> bool {
        let (start, segment) = (from.as_dvec3(), (to - from).as_dvec3());
        let length = segment.length();
        if length == 0.0 {
            return false;
        }
        // Where it enters; `None` if it began inside.
        let (mut time, mut entered) = (0.0, None);
        while let Some(hit) = self
            .tree
            .first_hit(start + segment * time, segment, 1.0 - time)
        {
            time += hit.distance;
            let cuts =
                |entry: f64| hit.leaves && self.is_deep(start + segment * (entry + time) / 2.0);
            if entered.is_some_and(cuts) {
                return true;
            }
            entered = (!hit.leaves).then_some(time);
            // On, from just behind the skin.
            time += 1e-9 / length;
            if time >= 1.0 {
                break;
            }
        }
        false
    }

    /// Whether no skin is nearer to a point than [`MIN_DEPTH`].
    fn is_deep(&self, point: DVec3) -> bool {
        self.tree.nearest_point(point, MIN_DEPTH).is_none()
    }

    /// Shoots at the limb in steps of `step` metres of relative motion.
    pub fn shoot(&self, start: Vec3, step: f32, path: PathTest) -> Outcome {
        let [limb_displacement, own_displacement] =
            [LIMB_SHARE, 1.0 - LIMB_SHARE].map(|share| self.heading * step * share);
        // The limb comes against the heading: seen from it, what stands still moves along it.
        let after: Vec<_> = self
            .fields_from_world
            .iter()
            .map(|&from_world| from_world * Mat4::from_translation(limb_displacement))
            .collect();
        let fields = MovingFields::new(&self.set, &self.cells, &self.fields_from_world, &after);
        let mut current = start;
        for _ in 0..Self::step_count(step) {
            let predicted = current + own_displacement;
            let found =
                collide(&fields, Particle { current, predicted }, path, &RESPONSE).predicted;
            if let Some(outcome) =
                self.judge(current, found + limb_displacement, found != predicted)
            {
                return outcome;
            }
            current = found + limb_displacement;
        }
        Outcome::GotThrough
    }

    /// The outcome of a step from one place relative to the body to another; `None` while the particle has not met it.
    pub fn judge(&self, from: Vec3, to: Vec3, was_pushed: bool) -> Option<Outcome> {
        if self.goes_through(from, to) {
            Some(Outcome::GotThrough)
        } else {
            was_pushed.then_some(Outcome::Stopped)
        }
    }

    /// Part of `count` shots that are stopped.
    pub fn hit_rate(&self, count: usize, step: f32, path: PathTest) -> f64 {
        let stopped_count = self
            .volley(count, step)
            .into_par_iter()
            .filter(|&start| self.shoot(start, step, path) == Outcome::Stopped)
            .count();
        stopped_count as f64 / count as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::builtin::load_mannequin;
    use crate::collide::Detection;

    const MARCH: PathTest = PathTest {
        detection: Detection::March,
        samples: 4,
    };

    fn samples(samples: u32) -> PathTest {
        PathTest {
            detection: Detection::Samples,
            samples,
        }
    }

    #[test]
    fn the_march_stops_what_samples_let_through() {
        let avatar = load_mannequin();
        for joint_name in ["lowerarm_l", "index_02_l"] {
            let range =
                Range::new(&avatar, &FitSettings::default(), joint_name).expect("it has one");
            for speed in [1.0, 7.0, 30.0, 100.0] {
                let rate = range.hit_rate(150, speed / 60.0, MARCH);
                assert_eq!(rate, 1.0, "{joint_name} at {speed} m/s");
            }
            let [few, many] =
                [1, 16].map(|count| range.hit_rate(150, 100.0 / 60.0, samples(count)));
            assert!(
                few < 0.3 && few < many && many < 1.0,
                "{joint_name}: {few} {many}"
            );
        }
    }

    #[test]
    fn a_segment_goes_through_only_if_it_goes_in_and_out() {
        let range = Range::new(&load_mannequin(), &FitSettings::default(), "lowerarm_l")
            .expect("it has one");
        let start = range.volley(1, 0.1)[0];
        let places = [0.01, 0.2, 0.6].map(|distance| start + range.heading * distance);
        assert!(!range.goes_through(start, places[0]), "it ends before");
        assert!(range.goes_through(start, places[2]));
        assert!(
            !range.goes_through(places[2], places[2] + range.heading),
            "it begins behind"
        );
        assert!(!range.goes_through(start, start));
    }
}
