//! Particles that nothing holds, falling fast round a body: on the GPU, and as the twin that each technique collides with.
//!
//! GPU and twin round differently, and where two surfaces hold a particle equally deep that decides which of them pushes it. So a
//! twin gives several answers: its own, and those to a body moved by as little as [`NUDGE`].

use std::sync::Arc;

use glam::{Mat4, Vec3, Vec4};
use radial_fields::avatar::Avatar;
use radial_fields::cloth::garment::Garment;
use radial_fields::cloth::twin::{Inputs, Timing, Twin};
use radial_fields::cloth::{ClothSettings, GarmentSettings};
use radial_fields::collide::FieldTransform;
use radial_fields::collide::FrictionModel;
use radial_fields::collide::response::Response;
use radial_fields::engine::Device;
use radial_fields::pose::Palette;
use radial_fields::skin::bake::bake;
use radial_fields::{BodyDef, GarmentDef, WorldDef};

use crate::figures::Dice;
use crate::fixture::{Rig, STEP_SECONDS, twin_of, xyz};

/// Metres: a tenth of a millimetre, a fiftieth of the usual thickness.
pub const TOLERANCE: f32 = 1e-4;
/// Metres by which the GPU may see a body moved: the roundings of world coordinates, added up. In eight iterations of the response it
/// comes up often that this decides.
pub const NUDGE: f32 = 3e-6;
/// Share of the particles for which [`NUDGE`] may decide.
pub const EXCUSED_SHARE: f32 = 0.02;
/// Metres within which an excused particle must be of one of the places that its twin may be at: what a field's patch beside the
/// right one does to a deep particle.
const EXCUSED_DISTANCE: f32 = 0.03;
/// Sub-steps of a step: with a collision in every second, one is for a single sub-step and one for two.
pub const SUB_STEPS: u32 = 3;

/// Where a particle was and is: what collision writes.
pub type State = [Vec3; 2];

/// The particles of one garment, of which no constraint is solved.
pub struct Falling {
    pub rig: Rig,
    twin: Twin,
    cloth: ClothSettings,
    pub garment: GarmentSettings,
    /// How its particles answer, with Coulomb's friction.
    pub response: Response,
    /// Sub-steps from one collision to the next.
    stride: u32,
    /// It has not been stepped yet.
    starts: bool,
}

/// A step that the GPU has made, and what its twin must know to make it.
pub struct Stepped {
    start: [Vec<Vec4>; 2],
    /// World-space positions of all skinned vertices at its end.
    pub skin: Vec<Vec3>,
    /// Their normals.
    skin_normals: Vec<Vec3>,
    /// Transforms of what the technique has on bones, as the GPU has them.
    pub transforms: Vec<FieldTransform>,
    teleported: bool,
}

impl Falling {
    /// `base`: how the world collides.
    pub fn new(device: &Arc<Device>, avatar: &Avatar, garment: &Garment, base: WorldDef) -> Self {
        Self::on(device, BodyDef::new(avatar), garment, base)
    }

    /// As [`Falling::new`], round a body whose fields may be laid otherwise than usual.
    pub fn on(device: &Arc<Device>, body: BodyDef, garment: &Garment, base: WorldDef) -> Self {
        let settings = GarmentSettings {
            drag: 0.0,
            ..GarmentSettings::default()
        };
        let cloth = ClothSettings {
            sub_steps: SUB_STEPS,
            iterations: 0,
            gravity: Vec3::new(90.0, -200.0, 150.0),
            ..ClothSettings::default()
        };
        let def = WorldDef {
            bodies: &[body],
            garments: &[GarmentDef {
                settings,
                ..GarmentDef::new(garment, 0)
            }],
            cloth,
            ..base
        };
        Self {
            rig: Rig::new(device, &def),
            twin: twin_of(
                garment,
                body.avatar.skin.positions.len() as u32,
                body.avatar.size(),
            ),
            cloth,
            response: Response {
                thickness: settings.thickness,
                size: body.avatar.size(),
                friction: settings.friction,
                model: FrictionModel::Coulomb,
            },
            garment: settings,
            stride: def.collide.stride,
            starts: true,
        }
    }

    /// Metres per second squared, from the next step on.
    pub fn set_gravity(&mut self, gravity: Vec3) {
        self.cloth.gravity = gravity;
        self.rig.world.settings_mut().cloth = self.cloth;
    }

    pub fn particle_count(&self) -> usize {
        self.twin.predicted.len()
    }

    /// Steps the GPU; the first step puts the body there.
    pub fn step(&mut self, palette: &Palette) -> Stepped {
        let teleported = std::mem::take(&mut self.starts);
        // Before the first frame there is nothing to read.
        let nothing = vec![Vec4::ZERO; self.particle_count()];
        let start = match teleported {
            true => [nothing.clone(), nothing],
            false => self.buffers(),
        };
        self.rig.step(&[palette], teleported);
        Stepped {
            start,
            skin: self.rig.skin(),
            skin_normals: self.rig.skin_normals(),
            transforms: self.transforms(),
            teleported,
        }
    }

    /// tests/gpu/transforms.rs compares them with theirs.
    fn transforms(&mut self) -> Vec<FieldTransform> {
        let count = self.rig.world.attachments().count() * (SUB_STEPS + 1);
        self.rig
            .read(count as usize, |world| world.attachments().transforms())
    }

    fn buffers(&mut self) -> [Vec<Vec4>; 2] {
        [
            self.rig.current(),
            self.rig.cloth(|world| world.cloth().predicted()),
        ]
    }

    /// What the GPU made of the particles.
    pub fn found(&mut self) -> Vec<State> {
        let [current, predicted] = self.buffers();
        let states = xyz(&current).into_iter().zip(xyz(&predicted));
        states.map(|(a, b)| [a, b]).collect()
    }

    /// How many particles were pushed in the newest step.
    pub fn pushed_count(&mut self) -> usize {
        let contacts = self.rig.cloth(|world| world.cloth().contacts());
        contacts.iter().filter(|contact| contact.w > 0.0).count()
    }

    /// How many collisions a step has.
    pub fn collision_count(&self) -> u32 {
        SUB_STEPS.div_ceil(self.stride)
    }

    /// The twin's result for the particles; `collide` gets of each collision the boundaries of sub-steps at which what it is
    /// for begins, at which its own sub-step does, and at which that ends.
    pub fn step_twin(
        &mut self,
        stepped: &Stepped,
        mut collide: impl FnMut([usize; 3], &mut Twin),
    ) -> Vec<State> {
        let [current, predicted] = &stepped.start;
        self.twin.restore([current, predicted, current]);
        let mut begin = 0;
        for ix in 0..SUB_STEPS {
            self.predict_twin(stepped, ix, ix == begin);
            if (SUB_STEPS - 1 - ix).is_multiple_of(self.stride) {
                self.twin.since = ix + 1 - begin;
                collide([begin, ix, ix + 1].map(|ix| ix as usize), &mut self.twin);
                begin = ix + 1;
            }
        }
        let states = self.twin.current.iter().zip(&self.twin.predicted);
        states.map(|(&a, &b)| [a, b]).collect()
    }

    fn predict_twin(&mut self, stepped: &Stepped, ix: u32, begins_path: bool) {
        let seconds = STEP_SECONDS / SUB_STEPS as f32;
        self.twin.predict(&Inputs {
            settings: &self.cloth,
            garments: &[self.garment],
            targets: &stepped.skin,
            previous_targets: &stepped.skin,
            target_normals: &stepped.skin_normals,
            timing: Timing {
                seconds,
                last_seconds: seconds,
                bend_seconds: seconds,
                time_before: 1.0,
                target_time: 1.0,
                begins_path,
                grab: None,
            },
            starts: stepped.teleported && ix == 0,
        });
    }
}

impl Falling {
    /// The twin's result for the particles where the technique has `field_count` fields or grids attached to bones, moved as
    /// [`nudged`] by `seed`; `collide` gets their transforms from the world at those boundaries.
    pub fn step_twin_on_bones(
        &mut self,
        stepped: &Stepped,
        field_count: usize,
        seed: u64,
        mut collide: impl FnMut([&[Mat4]; 3], &mut Twin),
    ) -> Vec<State> {
        let from_world = nudged(&stepped.transforms, field_count, seed);
        self.step_twin(stepped, |boundaries, twin| {
            let at = |boundary: usize| &from_world[boundary * field_count..][..field_count];
            collide(boundaries.map(at), twin);
        })
    }
}

/// Field from world at every boundary between sub-steps, each field moved by up to [`NUDGE`]; not at all for seed 0.
fn nudged(transforms: &[FieldTransform], field_count: usize, seed: u64) -> Vec<Mat4> {
    let mut dice = Dice::new(seed);
    let reach = if seed == 0 { 0.0 } else { NUDGE };
    let nudges: Vec<_> = (0..field_count).map(|_| reach * dice.point()).collect();
    let move_one = |(ix, transform): (usize, &FieldTransform)| {
        transform.field_from_world.to_mat4() * Mat4::from_translation(nudges[ix % field_count])
    };
    transforms.iter().enumerate().map(move_one).collect()
}

pub fn is_same(a: State, b: State) -> bool {
    a[0].distance(b[0]) <= TOLERANCE && a[1].distance(b[1]) <= TOLERANCE
}

/// The share of the particles that are excused by [`NUDGE`]: those that differ from the twin where the twin, its body moved,
/// differs from itself.
pub fn excused_share(found: &[State], candidates: &[Vec<State>]) -> Result<f32, String> {
    let mut excused_count = 0;
    for (ix, &state) in found.iter().enumerate() {
        if !state.iter().all(|place| place.is_finite()) {
            return Err(format!("particle {ix} is {state:?}"));
        }
        let own = candidates[0][ix];
        let mut moved = candidates.iter().map(|states| states[ix]);
        if is_same(state, own) {
            continue;
        }
        if moved.all(|other| is_same(other, own)) {
            return Err(format!("particle {ix} is {state:?}, the twin's {own:?}"));
        }
        let is_near =
            |other: State| (0..2).all(|end| other[end].distance(state[end]) < EXCUSED_DISTANCE);
        if !candidates.iter().any(|states| is_near(states[ix])) {
            return Err(format!(
                "particle {ix} is {state:?}, far from all that its twin may be"
            ));
        }
        excused_count += 1;
    }
    Ok(excused_count as f32 / found.len() as f32)
}

/// As [`excused_share`], of which more than [`EXCUSED_SHARE`] is a fault too.
pub fn compare(found: &[State], candidates: &[Vec<State>]) -> Result<(), String> {
    let share = excused_share(found, candidates)?;
    println!("{} particles, {share} excused", found.len());
    match share < EXCUSED_SHARE {
        true => Ok(()),
        false => Err(format!("{share} of the particles excused")),
    }
}

/// Points within `most` metres of the skin, on both sides of it, up to `beside` metres beside the vertices' normals, for the body
/// of `palette`; and some far from everything.
pub fn points_round(
    avatar: &Avatar,
    palette: &Palette,
    count: usize,
    most: f32,
    beside: f32,
) -> Vec<Vec3> {
    let (baked, mut dice) = (bake(&avatar.skin, palette), Dice::new(7));
    let every = baked.positions.len() as f32 / count as f32;
    let near = (0..count).map(|ix| {
        let vertex_ix = (ix as f32 * every) as usize;
        let depth = baked.normals[vertex_ix] * most * dice.number();
        baked.positions[vertex_ix] + depth + beside * dice.point()
    });
    let far = [Vec3::splat(1e4), Vec3::new(0.0, -1e3, 0.0), Vec3::ZERO];
    near.chain(far).collect()
}

/// The same points in the bind space of joint 0, where garments are made.
pub fn in_bind_space(palette: &Palette, points: Vec<Vec3>) -> Vec<Vec3> {
    let bind_from_world = palette.world_from_bind[0].inverse();
    points
        .into_iter()
        .map(|point| bind_from_world.transform_point3(point))
        .collect()
}

#[test]
fn a_wrong_particle_is_seen_unless_its_twin_is_in_two_minds() {
    let expected: Vec<State> = (0..90).map(|i| [Vec3::splat(i as f32), Vec3::X]).collect();
    let mut candidates = vec![expected.clone(), expected.clone()];
    assert_eq!(excused_share(&expected, &candidates), Ok(0.0));
    for (place, wrong) in [(0, 2.0 * TOLERANCE), (1, 2.0 * TOLERANCE), (1, f32::NAN)] {
        let mut found = expected.clone();
        found[55][place].z += wrong;
        assert!(compare(&found, &candidates).is_err(), "{place}: {wrong}");
    }
    candidates[1][55][0].z += 0.01;
    let mut found = expected.clone();
    found[55][0].z += 0.02;
    assert_eq!(excused_share(&found, &candidates), Ok(1.0 / 90.0));
    for (place, wrong) in [(0, f32::NAN), (1, f32::NAN), (1, 2.0 * EXCUSED_DISTANCE)] {
        let mut found = found.clone();
        found[55][place].z += wrong;
        assert!(
            excused_share(&found, &candidates).is_err(),
            "excused at {place}: {wrong}"
        );
    }
    found[54][0].z += 0.02;
    assert!(compare(&found, &candidates).is_err());
}
