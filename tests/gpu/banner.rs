//! Cloth that a rig and its twin step side by side.

use std::sync::Arc;

use glam::{Vec3, Vec4};
use radial_fields::avatar::Avatar;
use radial_fields::cloth::garment::Garment;
use radial_fields::cloth::twin::{Inputs, Timing, Twin};
use radial_fields::cloth::{ClothSettings, GarmentSettings, Grab};
use radial_fields::engine::Device;
use radial_fields::math::direction::unpack_friction;
use radial_fields::pose::Palette;
use radial_fields::{BodyDef, GarmentDef, SolidDef, WorldDef};

use crate::compare::{largest_distance, points_agree};
use crate::figures::column;
use crate::fixture::{Rig, STEP_SECONDS, twin_of, xyz};

/// Metres. A step's iterations add up a few hundred roundings of coordinates of 2 m, and stiff constraints pass them on.
pub const POSITION_TOLERANCE: f32 = 3e-5;
/// Two such errors over the 3 cm between particles.
pub const NORMAL_TOLERANCE: f32 = 2e-3;

/// Cloth far above the body that carries it, or on it.
pub struct Banner {
    pub avatar: Avatar,
    rig: Rig,
    pub twin: Twin,
    cloth: ClothSettings,
    garment: GarmentSettings,
    has_started: bool,
    /// Particles that were astray in some step.
    pub astray: Vec<bool>,
    /// Those of them that came home.
    pub came_home: Vec<bool>,
    /// Particles that a step's last solve found in contact.
    pub in_contact: usize,
    /// Those that it found with friction left.
    pub held: usize,
    /// Particles that limiting strain has moved, and those of them that it would have moved further than it may.
    pub shortened: usize,
    pub held_back: usize,
}

/// Skin where a step ends and begins, and its normals.
struct Skin {
    targets: Vec<Vec3>,
    previous_targets: Vec<Vec3>,
    target_normals: Vec<Vec3>,
}

impl Banner {
    pub fn new(
        device: &Arc<Device>,
        garment: &Garment,
        settings: GarmentSettings,
        cloth: ClothSettings,
    ) -> Self {
        Self::among(device, garment, settings, cloth, &[])
    }

    /// With solids about.
    pub fn among(
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
    pub fn step(
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
                self.collide(Collision::End)?;
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
        let snapshots: Vec<Vec4> = self.rig.read(6 * count, |world| {
            world.last_collision().expect("it is kept")
        });
        let (before, behind) = snapshots[2 * which as usize * count..][..2 * count].split_at(count);
        points_agree(&xyz(before), &self.twin.predicted, POSITION_TOLERANCE)
            .map_err(|error| format!("before collision {which:?}: {error}"))?;
        // It shifts where particles were, too, where it has moved them.
        let current = xyz(&self.rig.current());
        let moved =
            |i| [0, 2, 4].map(|k| snapshots[k * count + i] != snapshots[(k + 1) * count + i]);
        for ix in (0..count).filter(|&ix| moved(ix) == [false; 3]) {
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
    End = 2,
}

/// What the GPU made of the particles.
#[derive(Clone)]
pub struct Found {
    pub is_astray: Vec<bool>,
    pub predicted: Vec<Vec3>,
    pub shown: Vec<Vec3>,
    pub normals: Vec<Vec3>,
}

impl Found {
    pub fn compare(&self, twin: &Twin) -> Result<(), String> {
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
