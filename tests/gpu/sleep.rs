//! Sleep: cloth at rest stays as it lies, and whatever stirs it wakes it in the same step.

use std::f32::consts::FRAC_PI_2;
use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use radial_fields::avatar::{Avatar, builtin};
use radial_fields::cloth::garment::{GarmentKind, make};
use radial_fields::cloth::{ClothSettings, Detail, GarmentSettings, GpuGarment, Grab, Sleep};
use radial_fields::collide::FrictionModel;
use radial_fields::engine::Device;
use radial_fields::gpu::Buffer;
use radial_fields::pose::{Palette, Pose, bind_pose};
use radial_fields::solid::SolidShape;
use radial_fields::{
    BodyDef, BodyStep, FrameInput, GarmentDef, SolidDef, SolidStep, StepInput, Technique, World,
    WorldDef,
};

use crate::figures::{bent, block, sheet};
use crate::fixture::{Rig, STEP_SECONDS, with_device};

const SLEEP: Sleep = Sleep {
    speed: 0.2,
    motion: 0.01,
    seconds: 0.075,
};
/// Metres from one character to the next.
const APART: f32 = 3.0;
/// Of trousers and top, of which each character wears the trousers.
const PARTICLES: usize = 500;
/// Steps within which they come to rest.
const SETTLED: usize = 200;

/// Characters that stand side by side on a half-space, each in trousers, and a ball.
struct Scene {
    avatar: Avatar,
    rig: Rig,
    /// Where each character stands.
    places: Vec<Mat4>,
    ball: SolidStep,
    /// Of all characters.
    pose: Pose,
    grab: Option<Grab>,
    detail: Detail,
    teleported: bool,
}

impl Scene {
    fn new(device: &Arc<Device>, technique: Technique, count: usize) -> Self {
        let avatar = builtin::load_mannequin();
        let clothes = make(GarmentKind::TrousersAndTop, &avatar, PARTICLES).expect("a person");
        let trousers = &clothes[0];
        let ball = Mat4::from_translation(Vec3::new(0.0, 1.0, 2.0 * APART));
        let def = WorldDef {
            bodies: &vec![BodyDef::new(&avatar); count],
            garments: &(0..count)
                .map(|body_ix| GarmentDef::new(trousers, body_ix))
                .collect::<Vec<_>>(),
            solids: &[
                SolidDef::new(SolidShape::Sphere { radius: 0.2 }, ball),
                SolidDef::new(SolidShape::HalfSpace, Mat4::IDENTITY),
            ],
            cloth: ClothSettings {
                sub_steps: 4,
                sleep: Some(SLEEP),
                ..ClothSettings::default()
            },
            technique,
            ..WorldDef::default()
        };
        Self {
            rig: Rig::new(device, &def),
            places: (0..count)
                .map(|ix| Mat4::from_translation(Vec3::X * APART * ix as f32))
                .collect(),
            pose: bind_pose(&avatar.skeleton),
            ball: SolidStep::moved(ball),
            grab: None,
            detail: Detail::Full,
            teleported: true,
            avatar,
        }
    }

    /// One that has fallen asleep.
    fn asleep(device: &Arc<Device>, count: usize) -> Result<Self, String> {
        let mut scene = Self::new(device, Technique::RadialCompute, count);
        match (0..SETTLED).any(|_| !scene.step().contains(&false)) {
            true => Ok(scene),
            false => Err(format!("not all fall asleep: {:?}", scene.who_sleeps())),
        }
    }

    /// A step; who sleeps in it.
    fn step(&mut self) -> Vec<bool> {
        self.frame();
        self.who_sleeps()
    }

    fn frame(&mut self) {
        let skeleton = &self.avatar.skeleton;
        let palettes: Vec<_> = (self.places.iter())
            .map(|&place| Palette::new(skeleton, &self.pose, place))
            .collect();
        let bodies: Vec<_> = (palettes.iter())
            .map(|palette| BodyStep {
                teleported: self.teleported,
                detail: self.detail,
                ..BodyStep::moved(palette)
            })
            .collect();
        let step = StepInput {
            bodies: &bodies,
            solids: &[self.ball, SolidStep::moved(Mat4::IDENTITY)],
            grab: self.grab,
        };
        self.rig.frame(&FrameInput {
            steps: &[step],
            step_seconds: STEP_SECONDS,
        });
        self.teleported = false;
    }

    fn who_sleeps(&mut self) -> Vec<bool> {
        let count = self.rig.world.garment_count();
        let garments: Vec<GpuGarment> = self.rig.read(count, of_last_step);
        garments
            .iter()
            .map(|garment| garment.is_asleep != 0)
            .collect()
    }

    fn wakes(&mut self, change: impl FnOnce(&mut Self)) -> bool {
        change(self);
        self.step() == [false]
    }
}

fn ball_at(place: Vec3) -> SolidStep {
    SolidStep::moved(Mat4::from_translation(place))
}

fn of_last_step(world: &World) -> &Buffer {
    world.garments_of_last_step().expect("cloth may sleep")
}

/// Metres from where each particle was to where it is, less `shift`, at most.
fn farthest(before: &[Vec3], after: &[Vec3], shift: Vec3) -> f32 {
    let pairs = before.iter().zip(after);
    pairs
        .map(|(a, b)| (*b - *a - shift).length())
        .fold(0.0, f32::max)
}

#[test]
fn cloth_at_rest_sleeps_and_stays_as_it_lies() {
    with_device(|device| {
        let mut scene = Scene::asleep(device, 1).expect("it falls asleep");
        let before = scene.rig.particles();
        for _ in 0..10 {
            assert_eq!(scene.step(), [true]);
        }
        assert!(scene.rig.particles() == before);
    });
}

#[test]
fn asleep_it_goes_along_with_small_motions_and_wakes_before_they_add_up() {
    with_device(|device| small_motions(device).expect("it goes along"));
}

/// A character that is moved by two millimetres at a time.
pub fn small_motions(device: &Arc<Device>) -> Result<(), String> {
    const SHIFT: Vec3 = Vec3::new(0.0, 0.0, 2e-3);
    let mut scene = Scene::asleep(device, 1)?;
    let before = scene.rig.particles();
    let mut steps = 0;
    loop {
        scene.places[0] = Mat4::from_translation(SHIFT) * scene.places[0];
        if scene.step() == [false] {
            break;
        }
        steps += 1;
        let off = farthest(&before, &scene.rig.particles(), SHIFT * steps as f32);
        if off > 1e-5 {
            return Err(format!("{off} m off after {steps} steps"));
        }
        if steps > 10 {
            return Err("it never wakes".to_owned());
        }
    }
    match steps {
        4 | 5 => Ok(()),
        _ => Err(format!("it wakes after {steps} steps of 2 mm")),
    }
}

#[test]
fn what_moves_nearby_wakes_it_at_once_and_what_moves_elsewhere_does_not() {
    with_device(|device| neighbours(device).expect("it wakes"));
}

/// A ball and another character that come nearer.
pub fn neighbours(device: &Arc<Device>) -> Result<(), String> {
    let expect = |found: Vec<bool>, expected: [bool; 2], what: &str| match found == expected {
        true => Ok(()),
        false => Err(format!("{what}: {found:?}")),
    };
    let mut scene = Scene::asleep(device, 2)?;
    scene.ball = ball_at(Vec3::new(0.0, 1.0, 1.5 * APART));
    expect(scene.step(), [true; 2], "a ball far away")?;
    scene.ball = ball_at(Vec3::new(0.0, 1.2, 0.3));
    expect(scene.step(), [false, true], "a ball that comes in one step")?;
    let rests = (0..SETTLED).any(|_| scene.step() == [true; 2]);
    expect(vec![rests; 2], [true; 2], "the ball rests where it is")?;
    scene.ball = SolidStep {
        teleported: true,
        ..ball_at(Vec3::Y * 100.0)
    };
    expect(scene.step(), [false, true], "the ball is gone")?;
    scene.ball.teleported = false;
    let rests = (0..SETTLED).any(|_| scene.step() == [true; 2]);
    expect(vec![rests; 2], [true; 2], "without the ball")?;
    scene.places[1] = Mat4::from_translation(Vec3::X * (APART - 0.1));
    expect(scene.step(), [true, false], "a neighbour that takes a step")?;
    scene.places[1] = Mat4::from_translation(Vec3::X * 0.5);
    expect(scene.step(), [false; 2], "a neighbour that comes close")
}

#[test]
fn a_limb_of_its_own_wakes_it() {
    with_device(|device| {
        let mut scene = Scene::asleep(device, 1).expect("it falls asleep");
        let clip = &scene.avatar.clips[0];
        let moved = Pose::sample(clip, &scene.avatar.skeleton, 1.0);
        let before = scene.rig.particles();
        assert!(scene.wakes(|scene| scene.pose = moved));
        assert!(farthest(&before, &scene.rig.particles(), Vec3::ZERO) > 0.01);
    });
}

#[test]
fn what_the_host_changes_wakes_it() {
    with_device(|device| host_changes(device).expect("it wakes"));
}

/// Every change that a host may make.
pub fn host_changes(device: &Arc<Device>) -> Result<(), String> {
    let mut scene = Scene::asleep(device, 1)?;
    let changes: [(&str, fn(&mut Scene)); 7] = [
        ("wind", |scene| {
            scene.rig.world.settings_mut().cloth.wind = Vec3::X * 0.01;
        }),
        ("its material", |scene| {
            scene.rig.world.settings_mut().garments[0].damping = 1.0;
        }),
        ("the friction law", |scene| {
            scene.rig.world.settings_mut().collide.friction_model = FrictionModel::Simple;
        }),
        ("cloth that meets cloth", |scene| {
            let meets = scene.rig.world.set_cloth_contacts(true);
            meets.expect("there is memory");
        }),
        ("a hand", |scene| {
            scene.grab = Some(Grab {
                particle_ix: 7,
                target: Vec3::new(0.5, 1.5, 0.5),
                radius: 0.1,
            });
        }),
        ("a teleport", |scene| scene.teleported = true),
        ("following the skin", |scene| scene.detail = Detail::Skinned),
    ];
    for (what, change) in changes {
        (scene.grab, scene.detail) = (None, Detail::Full);
        if !(0..SETTLED).any(|_| scene.step() == [true]) {
            return Err(format!("it does not fall asleep before {what}"));
        }
        if !scene.wakes(change) {
            return Err(format!("{what} does not wake it"));
        }
    }
    Ok(())
}

#[test]
fn it_sleeps_again_after_some_time_at_rest() {
    with_device(|device| {
        let mut scene = Scene::asleep(device, 1).expect("it falls asleep");
        assert!(scene.wakes(|scene| scene.rig.world.settings_mut().garments[0].damping = 1.0));
        let awake = (0..SETTLED).take_while(|_| scene.step() == [false]).count();
        assert_eq!(awake, (SLEEP.seconds / STEP_SECONDS) as usize);
    });
}

#[test]
fn it_is_simulated_once_nothing_may_sleep_and_awake_when_it_may_again() {
    with_device(|device| {
        let mut scene = Scene::asleep(device, 1).expect("it falls asleep");
        let before = scene.rig.particles();
        let set = |scene: &mut Scene, sleep| scene.rig.world.settings_mut().cloth.sleep = sleep;
        set(&mut scene, None);
        scene.frame();
        assert!(scene.rig.world.garments_of_last_step().is_none());
        assert!(farthest(&before, &scene.rig.particles(), Vec3::ZERO) > 0.0);
        assert!(scene.wakes(|scene| set(scene, Some(SLEEP))));
    });
}

#[test]
fn cloth_that_falls_on_it_lies_on_it_and_sleeps_too() {
    with_device(|device| falls_on_sleeping(device).expect("it lies on it"));
}

/// A patch that falls on a sheet which sleeps on the side of a block.
pub fn falls_on_sleeping(device: &Arc<Device>) -> Result<(), String> {
    let avatar = block();
    let stands = Quat::from_rotation_z(-FRAC_PI_2);
    let layers = [((11, 11), 0.0), ((5, 5), 0.25)].map(|((columns, rows), above)| {
        let mut garment = sheet(columns, rows, 0.03, Vec3::ZERO);
        for position in &mut garment.mesh.positions {
            *position = stands * *position + Vec3::new(0.305 + above, 0.6, 0.0);
        }
        garment
    });
    let lower_count = layers[0].mesh.positions.len();
    let def = WorldDef {
        bodies: &[BodyDef::new(&avatar)],
        garments: &layers.each_ref().map(|garment| GarmentDef {
            settings: GarmentSettings {
                tethered: 0,
                ..GarmentSettings::default()
            },
            ..GarmentDef::new(garment, 0)
        }),
        cloth: ClothSettings {
            sleep: Some(SLEEP),
            ..ClothSettings::default()
        },
        cloth_contacts: true,
        ..WorldDef::default()
    };
    let mut rig = Rig::new(device, &def);
    let palette = bent(&avatar, stands.inverse(), Mat4::IDENTITY);
    let mut step = |teleported, damping| -> Result<_, String> {
        rig.world.settings_mut().garments[1].damping = damping;
        rig.step(&[&palette], teleported);
        let garments: Vec<GpuGarment> = rig.read(2, of_last_step);
        let mut lower = rig.particles();
        let upper = lower.split_off(lower_count);
        let highest = lower.iter().map(|at| at.y).fold(f32::MIN, f32::max);
        let lowest = upper.iter().map(|at| at.y).fold(f32::MAX, f32::min);
        match lowest > highest {
            true => Ok(([0, 1].map(|ix: usize| garments[ix].is_asleep != 0), lower)),
            false => Err(format!("{lowest} m is under {highest}")),
        }
    };
    let mut nights = vec![step(true, 0.6)?.0];
    let mut lower = Vec::new();
    for _ in 0..120 {
        let (night, below) = step(false, 0.6)?;
        nights.push(night);
        lower = below;
        if night == [true; 2] {
            break;
        }
    }
    nights.dedup();
    let expected = [[false; 2], [true, false], [false; 2]];
    if !nights.starts_with(&expected) || nights.last() != Some(&[true; 2]) {
        return Err(format!("{nights:?}"));
    }
    // Kept awake, it lies on what sleeps.
    for ix in 0..30 {
        let (night, below) = step(false, 0.5 + 0.01 * ix as f32)?;
        if night != [true, false] || below != lower {
            return Err(format!("{night:?} after {ix} steps"));
        }
    }
    Ok(())
}

#[test]
fn it_sleeps_where_fields_are_attached_to_bones_and_nowhere_else() {
    with_device(|device| {
        let mut grids = Scene::new(device, Technique::DistanceField, 1);
        assert!((0..SETTLED).any(|_| grids.step() == [true]));
        let mut tree = Scene::new(device, Technique::Bvh, 1);
        tree.frame();
        assert!(tree.rig.world.garments_of_last_step().is_none());
    });
}
