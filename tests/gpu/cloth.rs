//! The cloth step on the GPU against `cloth::twin`.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3, Vec4};
use radial_fields::avatar::Avatar;
use radial_fields::cloth::garment::{Attachment, Garment};
use radial_fields::cloth::twin::{Inputs, Timing, Twin};
use radial_fields::cloth::{
    ClothSettings, GarmentSettings, Grab, Ground, Material, MotionConstraint,
};
use radial_fields::engine::Device;
use radial_fields::math::direction::unpack_friction;
use radial_fields::pose::Palette;
use radial_fields::{BodyDef, GarmentDef, SolidDef, SolidShape, WorldDef};

use crate::compare::{largest_distance, points_agree};
use crate::figures::{Dice, bent, column, fan, hang, join, sheet};
use crate::fixture::{Rig, STEP_SECONDS, twin_of, with_device, xyz};

/// Metres. A step's iterations add up a few hundred roundings of coordinates of 2 m, and stiff constraints pass them on.
const POSITION_TOLERANCE: f32 = 3e-5;
/// Two such errors over the 3 cm between particles.
const NORMAL_TOLERANCE: f32 = 2e-3;

const SETTINGS: ClothSettings = ClothSettings {
    sub_steps: 2,
    iterations: 3,
    sweeps: 3,
    end_strain_limit: Some(0.02),
    gravity: Vec3::new(0.0, -9.81, 0.0),
    wind: Vec3::new(2.0, 0.5, 1.0),
    ground: None,
    sleep: None,
};

/// Cloth far above the body that carries it, or on it.
struct Banner {
    avatar: Avatar,
    rig: Rig,
    twin: Twin,
    cloth: ClothSettings,
    garment: GarmentSettings,
    has_started: bool,
    /// Particles that were astray in some step.
    astray: Vec<bool>,
    /// Those of them that came home.
    came_home: Vec<bool>,
    /// Particles that a step's last solve found in contact.
    in_contact: usize,
    /// Those that it found with friction left.
    held: usize,
    /// Particles that limiting strain has moved, and those of them that it would have moved further than it may.
    shortened: usize,
    held_back: usize,
}

/// Skin where a step ends and begins, and its normals.
struct Skin {
    targets: Vec<Vec3>,
    previous_targets: Vec<Vec3>,
    target_normals: Vec<Vec3>,
}

impl Banner {
    fn new(
        device: &Arc<Device>,
        garment: &Garment,
        settings: GarmentSettings,
        cloth: ClothSettings,
    ) -> Self {
        Self::among(device, garment, settings, cloth, &[])
    }

    /// With solids about.
    fn among(
        device: &Arc<Device>,
        garment: &Garment,
        settings: GarmentSettings,
        cloth: ClothSettings,
        solids: &[SolidDef],
    ) -> Self {
        let avatar = column(2);
        let bodies = [BodyDef::new(&avatar)];
        let garments = [GarmentDef {
            garment,
            body_ix: 0,
            settings,
        }];
        let def = WorldDef {
            bodies: &bodies,
            garments: &garments,
            solids,
            cloth,
            ..WorldDef::default()
        };
        let mut rig = Rig::new(device, &def);
        rig.world
            .keep_last_collision(true)
            .expect("there is room for it");
        Self {
            rig,
            twin: twin_of(garment, avatar.skin.positions.len() as u32, avatar.size()),
            cloth,
            garment: settings,
            avatar,
            has_started: false,
            astray: vec![false; garment.mesh.positions.len()],
            came_home: vec![false; garment.mesh.positions.len()],
            in_contact: 0,
            held: 0,
            shortened: 0,
            held_back: 0,
        }
    }

    /// Current and predicted positions and normals. Before the first frame there is nothing to read.
    fn state(&mut self) -> [Vec<Vec4>; 3] {
        if !self.has_started {
            return [(); 3].map(|()| vec![Vec4::ZERO; self.twin.shown.len()]);
        }
        [
            self.rig.current(),
            self.rig.cloth(|world| world.cloth().predicted()),
            self.rig.cloth(|world| world.cloth().normals()),
        ]
    }

    fn skin(&mut self) -> Skin {
        let targets = self.rig.skin();
        Skin {
            previous_targets: self
                .rig
                .read(targets.len(), |world| world.skin().previous_positions()),
            target_normals: self.rig.skin_normals(),
            targets,
        }
    }

    /// Steps both from the GPU's state, so that errors of one step do not add to the next one's.
    fn step(
        &mut self,
        palette: &Palette,
        teleported: bool,
        grab: Option<Grab>,
    ) -> Result<(), String> {
        let start = self.state();
        self.has_started = true;
        self.rig.step_grabbing(&[palette], teleported, grab);
        let skin = self.skin();
        self.twin.restore([&start[0], &start[1], &start[2]]);
        self.step_twin(&skin, teleported, grab)?;
        for (ix, is_astray) in self.twin.is_astray.iter().enumerate() {
            self.came_home[ix] |= self.astray[ix] && !is_astray;
            self.astray[ix] |= is_astray;
        }
        let found = Found {
            is_astray: self.rig.current().iter().map(|p| p.w != 0.0).collect(),
            predicted: xyz(&self.rig.cloth(|world| world.cloth().predicted())),
            shown: self.rig.particles(),
            normals: xyz(&self.rig.cloth(|world| world.cloth().normals())),
        };
        println!(
            "{} m, normals {}",
            largest_distance(&found.predicted, &self.twin.predicted),
            largest_distance(&found.normals, &self.twin.normals)
        );
        found.compare(&self.twin)
    }

    fn step_twin(
        &mut self,
        skin: &Skin,
        teleported: bool,
        grab: Option<Grab>,
    ) -> Result<(), String> {
        let cloth = self.cloth;
        let seconds = STEP_SECONDS / cloth.sub_steps as f32;
        let part = |ix: u32| ix as f32 / cloth.sub_steps as f32;
        let garments = [self.garment];
        let mut inputs = Inputs {
            settings: &cloth,
            garments: &garments,
            targets: &skin.targets,
            previous_targets: &skin.previous_targets,
            target_normals: &skin.target_normals,
            timing: Timing {
                seconds,
                last_seconds: seconds,
                bend_seconds: 0.0,
                time_before: 0.0,
                target_time: 0.0,
                begins_path: false,
                grab,
            },
            starts: false,
        };
        for ix in 0..cloth.sub_steps {
            inputs.timing.time_before = part(ix);
            inputs.timing.target_time = part(ix + 1);
            inputs.timing.bend_seconds = Timing::since_bend(seconds, ix, cloth.sub_steps);
            inputs.starts = teleported && ix == 0;
            self.twin.predict(&inputs);
            let last = cloth.iterations.saturating_sub(1);
            (0..last).for_each(|iteration_ix| self.twin.solve(&inputs, iteration_ix));
            let is_last = ix + 1 == cloth.sub_steps;
            if is_last {
                self.collide(Collision::OfSubStep)?;
            }
            (last..cloth.iterations)
                .for_each(|iteration_ix| self.twin.solve(&inputs, iteration_ix));
            if is_last && cloth.iterations > 0 {
                self.collide(Collision::Final)?;
                self.limit_strain(&inputs);
            }
        }
        self.twin.finish(&inputs);
        Ok(())
    }

    fn limit_strain(&mut self, inputs: &Inputs) {
        let before = self.twin.predicted.clone();
        let limit = self.cloth.end_strain_limit.expect("it is set");
        self.held_back += self.twin.limit_strain(inputs, limit);
        let places = before.iter().zip(&self.twin.predicted);
        self.shortened += places.filter(|(before, after)| before != after).count();
    }

    /// Collision is the business of other tests: the twin takes over what the GPU's did. Of several sub-steps' only the last is
    /// known, so cloth that touches the body has one.
    fn collide(&mut self, which: Collision) -> Result<(), String> {
        let count = self.twin.shown.len();
        let snapshots: Vec<Vec4> = self.rig.read(4 * count, |world| {
            world.last_collision().expect("it is kept")
        });
        let (before, behind) = snapshots[2 * which as usize * count..][..2 * count].split_at(count);
        points_agree(&xyz(before), &self.twin.predicted, POSITION_TOLERANCE)
            .map_err(|error| format!("before collision {which:?}: {error}"))?;
        // It shifts where particles were, too, where it has moved them.
        let current = xyz(&self.rig.current());
        let moved = |i| [0, 2].map(|k| snapshots[k * count + i] != snapshots[(k + 1) * count + i]);
        for ix in (0..count).filter(|&ix| moved(ix) == [false; 2]) {
            let apart = current[ix].distance(self.twin.current[ix]);
            if apart.is_nan() || apart > POSITION_TOLERANCE {
                return Err(format!("particle {ix} began {apart} m from there"));
            }
        }
        self.twin.current = current;
        self.twin.predicted = xyz(behind);
        self.twin.contacts = behind.iter().map(|place| place.w).collect();
        let left = behind.iter().map(|place| unpack_friction(place.w));
        self.held += left.filter(|metres| *metres > 1e-6).count();
        self.in_contact += behind.iter().filter(|place| place.w != 0.0).count();
        Ok(())
    }
}

/// A collision of a step's last sub-step.
#[derive(Clone, Copy, Debug)]
enum Collision {
    OfSubStep = 0,
    Final = 1,
}

/// What the GPU made of the particles.
#[derive(Clone)]
struct Found {
    is_astray: Vec<bool>,
    predicted: Vec<Vec3>,
    shown: Vec<Vec3>,
    normals: Vec<Vec3>,
}

impl Found {
    fn compare(&self, twin: &Twin) -> Result<(), String> {
        if self.is_astray != twin.is_astray {
            return Err("others are astray".to_owned());
        }
        points_agree(&self.predicted, &twin.predicted, POSITION_TOLERANCE)?;
        points_agree(&self.shown, &twin.shown, POSITION_TOLERANCE)
            .map_err(|error| format!("shown: {error}"))?;
        points_agree(&self.normals, &twin.normals, NORMAL_TOLERANCE)
            .map_err(|error| format!("normals: {error}"))
    }
}

/// What a hand does in a step.
type Hand = fn(u32) -> Option<Grab>;

/// The body swings, the wind blows, and a hand may take the cloth for a while.
/// Where the body stands in a step.
fn turned(step_ix: u32) -> Mat4 {
    Mat4::from_rotation_z(0.02 * step_ix as f32)
}

fn moves_as_its_twin(banner: &mut Banner, steps: u32, hand: Hand) -> Result<(), String> {
    for ix in 0..steps {
        let palette = bent(&banner.avatar, Quat::IDENTITY, turned(ix));
        banner
            .step(&palette, ix == 0, hand(ix))
            .map_err(|error| format!("step {ix}: {error}"))?;
    }
    Ok(())
}

/// Takes a particle of the middle for three steps.
fn tug(step_ix: u32) -> Option<Grab> {
    (5..8).contains(&step_ix).then_some(Grab {
        particle_ix: 100,
        target: Vec3::new(0.1, 1.9, 0.3),
        radius: 0.0,
    })
}

/// A sheet that hangs by two corners, far above the body that carries them.
fn flag() -> Garment {
    hang(sheet(13, 11, 0.03, Vec3::new(0.0, 2.0, 0.0)), 13)
}

fn fell(banner: &Banner) -> Result<(), String> {
    let shown = &banner.twin.shown;
    let fell = shown.iter().filter(|position| position.y < 1.95).count();
    match 4 * fell > shown.len() {
        true => Ok(()),
        false => Err("too little moves to prove much".to_owned()),
    }
}

/// A banner of stiff cloth.
pub fn stiff(device: &Arc<Device>) -> Result<(), String> {
    let mut banner = Banner::new(device, &flag(), GarmentSettings::default(), SETTINGS);
    moves_as_its_twin(&mut banner, 15, tug)?;
    fell(&banner)
}

#[test]
fn a_banner_moves_as_its_twin() {
    with_device(|device| assert_eq!(stiff(device), Ok(())));
}

/// Knitted cloth that gives along both threads and stiffly bends, held by springs, with no tethers.
pub fn soft(device: &Arc<Device>) -> Result<(), String> {
    let mut garment = flag();
    garment.attachments = [(0, 0.0), (12, 2e-2), (70, 0.5), (142, 5.0)]
        .map(|(particle_ix, compliance)| Attachment {
            particle_ix,
            compliance,
        })
        .to_vec();
    let settings = GarmentSettings {
        compliance: [5e-2, 1e-1, 1.0, 1e4],
        drag: 5.0,
        tethered: 0,
        ..GarmentSettings::of(Material::Jersey)
    };
    let mut banner = Banner::new(device, &garment, settings, SETTINGS);
    moves_as_its_twin(&mut banner, 10, tug)
}

#[test]
fn soft_cloth_on_springs_moves_as_its_twin() {
    with_device(|device| assert_eq!(soft(device), Ok(())));
}

/// Several patches: a sheet, two loose pieces beside it, one of them held by nothing, and a fan of 40 triangles round one particle.
pub fn pieces(device: &Arc<Device>) -> Result<(), String> {
    let high = Vec3::new(0.0, 2.0, 0.0);
    let mut garment = join(&[
        hang(sheet(17, 14, 0.03, high), 17),
        hang(sheet(4, 3, 0.05, high + Vec3::X), 4),
        fan(40, 0.25, high - Vec3::X),
        sheet(3, 3, 0.02, high + Vec3::Z),
    ]);
    // Of the fan, a particle on its rim.
    garment.attachments.push(Attachment {
        particle_ix: 17 * 14 + 12 + 7,
        compliance: 0.0,
    });
    let mut banner = Banner::new(device, &garment, GarmentSettings::default(), SETTINGS);
    moves_as_its_twin(&mut banner, 8, tug)?;
    fell(&banner)
}

#[test]
fn a_banner_of_many_patches_and_pieces_moves_as_its_twin() {
    with_device(|device| assert_eq!(pieces(device), Ok(())));
}

/// The flag with motion constraints: each particle its own, below it a ball that it falls on.
fn constrained_flag() -> Garment {
    let mut garment = flag();
    let mut dice = Dice::new(5);
    let mut between = |low: f32, high: f32| low + (high - low) * 0.5 * (dice.number() + 1.0);
    let count = garment.mesh.positions.len();
    let constraint = |ix: usize| MotionConstraint {
        max_distance: if ix.is_multiple_of(7) {
            0.0
        } else {
            between(0.01, 0.2)
        },
        backstop_distance: between(0.0, 0.02),
        backstop_radius: if ix.is_multiple_of(3) {
            0.0
        } else {
            between(0.01, 0.05)
        },
    };
    garment.motion = (0..count).map(constraint).collect();
    garment
}

/// Motion constraints that hold the cloth, and a hand that takes a particle further than they let it, another behind its backstop, and a
/// third two centimetres too far, which is astray on a body of this size but would not be on a person: let go, they return to their
/// allowed places.
pub fn constrained(device: &Arc<Device>) -> Result<(), String> {
    let hand = |step_ix| match step_ix {
        3..6 => Some(Grab {
            particle_ix: 100,
            target: Vec3::new(0.1, 2.2, 0.3),
            radius: 0.0,
        }),
        16..19 => Some(Grab {
            particle_ix: 62,
            target: Vec3::new(-0.03, 1.8, -0.02),
            radius: 0.0,
        }),
        22..24 => {
            let skinned = turned(step_ix).transform_point3(flag().mesh.positions[75]);
            Some(Grab {
                particle_ix: 75,
                target: skinned + Vec3::Z * (0.8 * 0.05 + 0.02),
                radius: 0.0,
            })
        }
        _ => None,
    };
    let settings = GarmentSettings {
        motion_scale: 0.8,
        ..GarmentSettings::default()
    };
    let mut garment = constrained_flag();
    garment.motion[62] = MotionConstraint {
        max_distance: 0.5,
        backstop_distance: 0.005,
        backstop_radius: 0.04,
    };
    garment.motion[75] = MotionConstraint {
        max_distance: 0.05,
        ..MotionConstraint::default()
    };
    let mut banner = Banner::new(device, &garment, settings, SETTINGS);
    moves_as_its_twin(&mut banner, 64, hand)?;
    for particle_ix in [62, 75, 100] {
        if !banner.astray[particle_ix] {
            return Err(format!("particle {particle_ix} never went astray"));
        }
        if !banner.came_home[particle_ix] {
            return Err(format!("particle {particle_ix} has not come home"));
        }
    }
    Ok(())
}

#[test]
fn a_banner_with_motion_constraints_moves_as_its_twin() {
    with_device(|device| assert_eq!(constrained(device), Ok(())));
}

/// How far a hand with a brush of that radius draws the particles on both sides of the one that it takes, against that one, in cloth that
/// may go 2 cm from where skinning puts it. 1 is as far.
fn drawn_along(device: &Arc<Device>, radius: f32) -> Result<f32, String> {
    const TAKEN: usize = 5 * 13 + 6;
    const PULL: f32 = 0.12;
    let mut garment = sheet(13, 11, 0.03, Vec3::new(0.0, 2.0, 0.0));
    garment.motion = vec![
        MotionConstraint {
            max_distance: 0.02,
            ..MotionConstraint::default()
        };
        garment.mesh.positions.len()
    ];
    let (rest, normal) = (garment.mesh.positions.clone(), garment.mesh.normals[TAKEN]);
    let mut banner = Banner::new(device, &garment, GarmentSettings::default(), SETTINGS);
    let palette = bent(&banner.avatar, Quat::IDENTITY, Mat4::IDENTITY);
    for step_ix in 0..12 {
        let grab = (step_ix > 2).then_some(Grab {
            particle_ix: TAKEN as u32,
            target: rest[TAKEN] + PULL * normal,
            radius,
        });
        banner
            .step(&palette, step_ix == 0, grab)
            .map_err(|error| format!("radius {radius}, step {step_ix}: {error}"))?;
    }
    let gone = |ix: usize| (banner.twin.shown[ix] - rest[ix]).dot(normal) / PULL;
    Ok(0.5 * (gone(TAKEN - 1) + gone(TAKEN + 1)) / gone(TAKEN))
}

/// The brush's falloff, on the GPU as in its twin.
pub fn brushed(device: &Arc<Device>) -> Result<(), String> {
    let [needle, brush] = [drawn_along(device, 0.0)?, drawn_along(device, 0.1)?];
    if needle < 0.5 && (0.7..1.0).contains(&brush) {
        return Ok(());
    }
    Err(format!("neighbours go along by {needle} and {brush}"))
}

#[test]
fn a_hand_pulls_cloth_and_no_needle_as_its_twin_does() {
    with_device(|device| assert_eq!(brushed(device), Ok(())));
}

/// A loose sheet that falls on ground aslant.
pub fn grounded(device: &Arc<Device>) -> Result<(), String> {
    let garment = sheet(13, 11, 0.03, Vec3::new(0.0, 2.0, 0.0));
    let ground = Ground {
        normal: Vec3::new(0.3, 1.0, 0.1).normalize(),
        height: 1.85,
    };
    let cloth = ClothSettings {
        ground: Some(ground),
        ..SETTINGS
    };
    let mut banner = Banner::new(device, &garment, GarmentSettings::default(), cloth);
    moves_as_its_twin(&mut banner, 24, |_| None)?;
    let height = |place: &Vec3| ground.normal.dot(*place) - ground.height;
    let lying = banner.twin.predicted.iter().filter(|p| height(p) < 0.006);
    match lying.count() > 30 {
        true => Ok(()),
        false => Err("hardly any of it came to lie on the ground".to_owned()),
    }
}

#[test]
fn a_sheet_that_falls_on_the_ground_moves_as_its_twin() {
    with_device(|device| assert_eq!(grounded(device), Ok(())));
}

/// A sheet over the upper end of the column, which pushes it up from below while its hems pull it down.
pub fn draped(device: &Arc<Device>) -> Result<(), String> {
    let garment = sheet(13, 11, 0.03, Vec3::new(0.02, 0.81, 0.0));
    let cloth = ClothSettings {
        sub_steps: 1,
        gravity: Vec3::new(0.0, -30.0, 0.0),
        ..SETTINGS
    };
    let mut banner = Banner::new(device, &garment, GarmentSettings::default(), cloth);
    for ix in 0..20 {
        let palette = Palette::bind(&banner.avatar.skeleton);
        banner
            .step(&palette, ix == 0, None)
            .map_err(|error| format!("step {ix}: {error}"))?;
    }
    let [touched, shortened, held_back] = [banner.in_contact, banner.shortened, banner.held_back];
    match touched > 100 && shortened > 100 && held_back > 10 {
        true => Ok(()),
        false => Err(format!(
            "{touched} touched the column, {shortened} were too far apart, {held_back} by much: too few to prove much"
        )),
    }
}

#[test]
fn cloth_slides_along_what_it_meets_as_its_twin() {
    with_device(|device| assert_eq!(draped(device), Ok(())));
}

/// A sheet on a ball, whose friction holds it.
pub fn laid(device: &Arc<Device>) -> Result<(), String> {
    let garment = sheet(13, 11, 0.02, Vec3::new(0.0, 2.0, 0.0));
    let ball = SolidShape::Sphere { radius: 0.5 };
    let ball = SolidDef::new(ball, Mat4::from_translation(Vec3::new(0.0, 1.494, 0.0)));
    let cloth = ClothSettings {
        sub_steps: 1,
        ..SETTINGS
    };
    let settings = GarmentSettings {
        friction: 0.8,
        ..GarmentSettings::default()
    };
    let mut banner = Banner::among(device, &garment, settings, cloth, &[ball]);
    moves_as_its_twin(&mut banner, 20, |_| None)?;
    match banner.held > 400 {
        true => Ok(()),
        false => Err(format!("{} held: too few to prove much", banner.held)),
    }
}

#[test]
fn cloth_that_a_solid_holds_moves_as_its_twin() {
    with_device(|device| assert_eq!(laid(device), Ok(())));
}

#[test]
fn a_wrong_particle_is_seen() {
    let garment = sheet(5, 3, 0.03, Vec3::ZERO);
    let mut twin = twin_of(&garment, 0, 1.0);
    twin.predicted.clone_from(&garment.mesh.positions);
    twin.shown.clone_from(&garment.mesh.positions);
    twin.find_normals();
    let right = Found {
        is_astray: twin.is_astray.clone(),
        predicted: twin.predicted.clone(),
        shown: twin.shown.clone(),
        normals: twin.normals.clone(),
    };
    assert!(right.compare(&twin).is_ok());
    let is_seen = |spoil: fn(&mut Found)| {
        let mut wrong = right.clone();
        spoil(&mut wrong);
        assert!(wrong.compare(&twin).is_err());
    };
    is_seen(|found| found.normals[3].x += 2.0 * NORMAL_TOLERANCE);
    is_seen(|found| found.shown[14].x += 2.0 * POSITION_TOLERANCE);
    is_seen(|found| found.predicted[2].z = f32::NAN);
    is_seen(|found| found.is_astray[7] = true);
}
