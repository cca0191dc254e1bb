//! Particles shot at a limb that comes towards them: what the GPU stops, against the twin and against the exact mesh.

use std::sync::Arc;

use glam::{Mat4, Vec3};
use radial_fields::avatar::{Avatar, builtin};
use radial_fields::cloth::{ClothSettings, GarmentSettings};
use radial_fields::collide::radial::fit::FitSettings;
use radial_fields::collide::radial::study::tunnelling::{LIMB_SHARE, Outcome, Range};
use radial_fields::collide::radial::twin::collide::PathTest;
use radial_fields::collide::{CollideSettings, Detection};
use radial_fields::engine::Device;
use radial_fields::pose::Palette;
use radial_fields::{BodyDef, GarmentDef, WorldDef};

use crate::figures::{loose, moved};
use crate::fixture::{Rig, STEP_SECONDS, with_device};

const SHOT_COUNT: usize = 300;
/// Metres per second: a walking limb, a thrown ball, the fastest that is asked for.
const SPEEDS: [f32; 3] = [1.0, 20.0, 100.0];
/// Shots that may end otherwise than the twin's: both find the same patch but for those that pass by a border of two.
const OTHER_SHARE: f32 = 0.02;

const TESTS: [PathTest; 4] = [sampled(1), sampled(4), sampled(16), MARCH];

const MARCH: PathTest = PathTest {
    detection: Detection::March,
    samples: 4,
};

const fn sampled(samples: u32) -> PathTest {
    PathTest {
        detection: Detection::Samples,
        samples,
    }
}

/// Frictionless and without thickness, as in the study.
const BARE: GarmentSettings = GarmentSettings {
    compliance: [0.0; 4],
    density: 0.15,
    strain_limit: 0.0,
    damping: 0.0,
    drag: 0.0,
    friction: 0.0,
    thickness: 0.0,
    tethered: 0,
    motion_scale: 1.0,
};

/// A volley of one speed on the GPU.
struct Gallery<'a> {
    rig: Rig,
    avatar: &'a Avatar,
    range: &'a Range,
    starts: Vec<Vec3>,
    /// Metres of relative motion in a step.
    step: f32,
}

impl<'a> Gallery<'a> {
    fn new(device: &Arc<Device>, avatar: &'a Avatar, range: &'a Range, speed: f32) -> Self {
        let step = speed * STEP_SECONDS;
        let starts = range.volley(SHOT_COUNT, step);
        let bodies = [BodyDef::new(avatar)];
        let garments = [GarmentDef {
            garment: &loose(starts.clone()),
            body_ix: 0,
            settings: BARE,
        }];
        let def = WorldDef {
            bodies: &bodies,
            garments: &garments,
            ..WorldDef::default()
        };
        Self {
            rig: Rig::new(device, &def),
            avatar,
            range,
            starts,
            step,
        }
    }

    /// How each shot ends.
    fn shoot(&mut self, test: PathTest) -> Vec<Outcome> {
        let bind = Palette::bind(&self.avatar.skeleton);
        let limb_displacement = self.range.heading * self.step * LIMB_SHARE;
        let own_displacement = self.range.heading * self.step - limb_displacement;
        let settings = self.rig.world.settings_mut();
        settings.collide = CollideSettings {
            detection: test.detection,
            path_samples: test.samples,
            ..CollideSettings::default()
        };
        settings.cloth = ClothSettings {
            sub_steps: 1,
            iterations: 0,
            gravity: Vec3::ZERO,
            ..ClothSettings::default()
        };
        self.rig.step(&[&bind], true);
        let mut outcomes = vec![None; self.starts.len()];
        let mut before = self.starts.clone();
        for step_ix in 1..=Range::step_count(self.step) {
            // The first step gives the particles their speed, which they keep.
            self.rig.world.settings_mut().cloth.gravity = if step_ix == 1 {
                own_displacement / (STEP_SECONDS * STEP_SECONDS)
            } else {
                Vec3::ZERO
            };
            let gone = limb_displacement * step_ix as f32;
            let palette = moved(self.avatar, &bind, Mat4::from_translation(-gone));
            self.rig.step(&[&palette], false);
            let contacts = self.rig.cloth(|world| world.cloth().contacts());
            let after: Vec<_> = self.rig.particles().iter().map(|p| *p + gone).collect();
            for (ix, outcome) in outcomes.iter_mut().enumerate() {
                let was_pushed = contacts[ix].w > 0.0;
                *outcome = outcome.or_else(|| self.range.judge(before[ix], after[ix], was_pushed));
            }
            before = after;
        }
        let ended = outcomes.into_iter();
        ended
            .map(|outcome| outcome.unwrap_or(Outcome::GotThrough))
            .collect()
    }
}

/// The twin's outcomes against the GPU's; the share that differ.
fn compare(found: &[Outcome], expected: &[Outcome]) -> Result<f32, String> {
    let pairs = found.iter().zip(expected);
    let share = pairs.filter(|(a, b)| a != b).count() as f32 / found.len() as f32;
    if share <= OTHER_SHARE {
        Ok(share)
    } else {
        Err(format!("{share} end otherwise than with the twin"))
    }
}

fn stopped_share(outcomes: &[Outcome]) -> f32 {
    let stopped = outcomes.iter().filter(|o| **o == Outcome::Stopped);
    stopped.count() as f32 / outcomes.len() as f32
}

#[test]
fn nothing_gets_past_the_march_and_samples_let_through_what_their_twins_do() {
    with_device(|device| {
        let avatar = builtin::load_mannequin();
        for joint_name in ["lowerarm_l", "index_02_l"] {
            let range = Range::new(&avatar, &FitSettings::default(), joint_name)
                .expect("the mannequin has arms");
            for speed in SPEEDS {
                let mut gallery = Gallery::new(device, &avatar, &range, speed);
                for test in TESTS {
                    let found = gallery.shoot(test);
                    let starts = gallery.starts.iter();
                    let expected: Vec<_> = starts
                        .map(|&start| range.shoot(start, gallery.step, test))
                        .collect();
                    let share = compare(&found, &expected)
                        .unwrap_or_else(|error| panic!("{joint_name}, {speed} m/s: {error}"));
                    let stopped = stopped_share(&found);
                    println!(
                        "{joint_name} {speed:>5} m/s {test:?}: {stopped:.3} stopped, {share:.3} otherwise"
                    );
                    if test.detection == Detection::March {
                        assert_eq!(stopped, 1.0, "{joint_name} at {speed} m/s");
                    }
                }
            }
        }
    });
}

#[test]
fn shots_that_end_otherwise_are_seen() {
    let stopped = [Outcome::Stopped; 100];
    let mut other = stopped;
    assert_eq!(compare(&other, &stopped), Ok(0.0));
    other[..3].fill(Outcome::GotThrough);
    assert!(compare(&other, &stopped).is_err());
}
