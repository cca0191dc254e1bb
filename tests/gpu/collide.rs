//! Collision on the GPU against `collide::radial::twin::collide`, on the GPU's own cells.

use std::sync::Arc;

use glam::{Mat4, Vec3, Vec4};
use radial_fields::avatar::{Avatar, builtin};
use radial_fields::cloth::twin::{Inputs, Twin};
use radial_fields::cloth::{ClothSettings, GarmentSettings, SubStepTiming};
use radial_fields::collide::radial::field::FieldSet;
use radial_fields::collide::radial::fit::{FitSettings, fit};
use radial_fields::collide::radial::twin::collide::{MovingFields, Particle, PathTest, collide};
use radial_fields::collide::response::{self, Response};
use radial_fields::collide::{CollideSettings, Detection, FieldTransform, FrictionModel};
use radial_fields::engine::Device;
use radial_fields::pose::Palette;
use radial_fields::skin::twin::bake;
use radial_fields::{BodyDef, GarmentDef, WorldDef};

use crate::compare::explained;
use crate::figures::{Dice, bent, column, in_clip, loose};
use crate::fixture::{Rig, STEP_SECONDS, twin_of, with_device, xyz};
use crate::update::with_caps;

/// Metres: a tenth of a millimetre, a fiftieth of the usual thickness.
const TOLERANCE: f32 = 1e-4;
/// Metres by which the GPU may see a field moved: some roundings of world coordinates. Where two fields hold a particle
/// equally deep, or a patch ends, this decides which of them pushes it.
const NUDGE: f32 = 3e-6;
/// Ways in which the fields are moved: enough that of two which tie each wins in one of them.
const NUDGE_COUNT: u64 = 10;
/// Share of the particles for which [`NUDGE`] may decide.
const EXCUSED_SHARE: f32 = 0.02;

/// Where a particle was and is: what collision writes.
type State = [Vec3; 2];

/// Loose particles round a body, on the GPU and as twins.
struct Cloud {
    rig: Rig,
    twin: Twin,
    set: FieldSet,
    cloth: ClothSettings,
    response: Response,
    path: PathTest,
    garment: GarmentSettings,
    before: Option<Palette>,
}

impl Cloud {
    fn new(
        device: &Arc<Device>,
        avatar: &Avatar,
        points: Vec<Vec3>,
        collide: CollideSettings,
    ) -> Self {
        let cloth = ClothSettings {
            sub_steps: 2,
            passes: 0,
            gravity: Vec3::new(90.0, -200.0, 150.0),
            ..ClothSettings::default()
        };
        let settings = GarmentSettings {
            drag: 0.0,
            ..GarmentSettings::default()
        };
        let mut garment = loose(points);
        garment.clearances = (0..garment.mesh.positions.len()).map(clearance).collect();
        let bodies = [BodyDef {
            avatar,
            fit: FitSettings::default(),
        }];
        let garments = [GarmentDef {
            garment: &garment,
            body_ix: 0,
            settings,
        }];
        let def = WorldDef {
            bodies: &bodies,
            garments: &garments,
            cloth,
            collide,
            ..WorldDef::default()
        };
        Self {
            rig: Rig::new(device, &def),
            twin: twin_of(&garment, avatar.skin.positions.len() as u32),
            set: fit(avatar, &FitSettings::default()),
            cloth,
            response: Response {
                thickness: settings.thickness,
                friction: settings.friction,
                model: match collide.friction_model {
                    FrictionModel::Coulomb => response::FrictionModel::Coulomb,
                    FrictionModel::Paper => response::FrictionModel::Paper,
                },
            },
            path: PathTest {
                detection: collide.detection,
                samples: collide.path_samples,
            },
            garment: settings,
            before: None,
        }
    }

    fn state(&mut self) -> [Vec<Vec4>; 2] {
        [
            self.rig.current(),
            self.rig.cloth(|world| world.cloth().positions()),
        ]
    }

    /// Steps the GPU; returns what it made of the particles and what the twin would have made, exactly and with fields
    /// moved by [`NUDGE`].
    fn step(&mut self, palette: &Palette, teleported: bool) -> (Vec<State>, Vec<Vec<State>>) {
        let start = self.state();
        self.rig.step(&[palette], teleported);
        let targets = self.rig.skin();
        let cells = with_caps(&self.set, self.rig.cells());
        let moments = self.moments(palette, teleported);
        let candidates = (0..=NUDGE_COUNT)
            .map(|seed| {
                let moments = nudged(&moments, self.set.fields.len(), seed);
                self.twin.restore([&start[0], &start[1], &start[0]]);
                self.step_twin(&targets, &cells, &moments, teleported)
            })
            .collect();
        self.before = Some(palette.clone());
        let [current, predicted] = self.state();
        let found = xyz(&current).into_iter().zip(xyz(&predicted));
        (found.map(|(a, b)| [a, b]).collect(), candidates)
    }

    /// The fields' transforms as the frame uploaded them.
    fn moments(&self, palette: &Palette, teleported: bool) -> Vec<FieldTransform> {
        let before = self
            .before
            .as_ref()
            .filter(|_| !teleported)
            .unwrap_or(palette);
        let pairs = before.world_from_bone.iter().zip(&palette.world_from_bone);
        let frames: Vec<_> = pairs.map(|(&before, &after)| (before, after)).collect();
        let mut moments = Vec::new();
        let collider = self.rig.world.collider();
        collider.append_moments(&frames, self.cloth.sub_steps, &mut moments);
        moments
    }

    fn step_twin(
        &mut self,
        targets: &[Vec3],
        cells: &[f32],
        from_world: &[Mat4],
        teleported: bool,
    ) -> Vec<State> {
        let field_count = self.set.fields.len();
        let seconds = STEP_SECONDS / self.cloth.sub_steps as f32;
        for ix in 0..self.cloth.sub_steps as usize {
            self.twin.predict(&Inputs {
                settings: &self.cloth,
                garments: &[self.garment],
                targets,
                previous_targets: targets,
                timing: SubStepTiming {
                    seconds,
                    last_seconds: seconds,
                    target_time: 1.0,
                    teleported: teleported && ix == 0,
                    grab: None,
                },
            });
            let fields = MovingFields {
                set: &self.set,
                cells,
                fields_from_world_before: &from_world[ix * field_count..][..field_count],
                fields_from_world_after: &from_world[(ix + 1) * field_count..][..field_count],
            };
            collide_twin(&mut self.twin, &fields, self.path, &self.response);
        }
        let states = self.twin.current.iter().zip(&self.twin.predicted);
        states
            .map(|(&current, &predicted)| [current, predicted])
            .collect()
    }
}

fn collide_twin(twin: &mut Twin, fields: &MovingFields, path: PathTest, response: &Response) {
    let states = twin.current.iter_mut().zip(&mut twin.predicted);
    for (ix, (current, predicted)) in states.enumerate() {
        let particle = Particle {
            current: *current,
            predicted: *predicted,
        };
        let response = Response {
            thickness: response.thickness.max(clearance(ix)),
            ..*response
        };
        let collided = collide(fields, particle, path, &response);
        (*current, *predicted) = (collided.current, collided.predicted);
    }
}

/// Metres that a particle keeps from the skin whatever its garment does: every third one more than the garment.
fn clearance(particle_ix: usize) -> f32 {
    if particle_ix.is_multiple_of(3) {
        0.012
    } else {
        0.0
    }
}

/// Field from world at every moment, each field moved by up to [`NUDGE`]; not at all for seed 0.
fn nudged(moments: &[FieldTransform], field_count: usize, seed: u64) -> Vec<Mat4> {
    let mut dice = Dice::new(seed);
    let reach = if seed == 0 { 0.0 } else { NUDGE };
    let nudges: Vec<_> = (0..field_count).map(|_| reach * dice.point()).collect();
    let move_one = |(ix, moment): (usize, &FieldTransform)| {
        moment.field_from_world.to_mat4() * Mat4::from_translation(nudges[ix % field_count])
    };
    moments.iter().enumerate().map(move_one).collect()
}

/// The share of the particles that are excused by [`NUDGE`].
fn compare(found: &[State], candidates: &[Vec<State>]) -> Result<f32, String> {
    let agrees = |a: State, b: State, _| {
        a[0].distance(b[0]) <= TOLERANCE && a[1].distance(b[1]) <= TOLERANCE
    };
    let excused_count = explained(found, candidates, agrees)?;
    Ok(excused_count as f32 / found.len() as f32)
}

/// Points within 3 cm of the skin, on both sides of it, for the body of `palette`, in the bind space of joint 0; and
/// the worst ones: on every field's seam, at its ends, and far from everything. On an axis any way out is as good.
fn points_round(avatar: &Avatar, palette: &Palette, count: usize) -> Vec<Vec3> {
    let (baked, mut dice) = (bake(&avatar.skin, palette), Dice::new(7));
    let every = baked.positions.len() as f32 / count as f32;
    let near = (0..count).map(|ix| {
        let vertex_ix = (ix as f32 * every) as usize;
        baked.positions[vertex_ix] + baked.normals[vertex_ix] * 0.03 * dice.number()
    });
    let mut points: Vec<_> = near.collect();
    for field in &fit(avatar, &FitSettings::default()).fields {
        let world_from_field =
            palette.world_from_bone[field.joint_ix as usize] * field.bone_from_field;
        let worst = [
            Vec3::new(0.01, 0.0, 0.4),
            Vec3::new(0.01, -0.0, 0.4),
            Vec3::new(0.01, -1e-9, 0.6),
            Vec3::new(0.02, 0.01, 0.0),
            Vec3::new(0.02, 0.01, 1.0),
        ];
        points.extend(worst.map(|at| world_from_field.transform_point3(at)));
    }
    points.extend([Vec3::splat(1e4), Vec3::new(0.0, -1e3, 0.0), Vec3::ZERO]);
    let bind_from_world = palette.world_from_bind[0].inverse();
    points
        .iter()
        .map(|&point| bind_from_world.transform_point3(point))
        .collect()
}

fn assert_collides_as_its_twin(cloud: &mut Cloud, palettes: &[Palette]) {
    let mut all_pushed = 0;
    for (ix, palette) in palettes.iter().enumerate() {
        let (found, candidates) = cloud.step(palette, ix == 0);
        let share =
            compare(&found, &candidates).unwrap_or_else(|error| panic!("step {ix}: {error}"));
        let contacts = cloud.rig.cloth(|world| world.cloth().contacts());
        let pushed_count = contacts.iter().filter(|contact| contact.w > 0.0).count();
        all_pushed += pushed_count;
        println!("step {ix}: {pushed_count} pushed, {share} excused");
        assert!(share < EXCUSED_SHARE, "step {ix}: {share} excused");
    }
    let count = cloud.twin.predicted.len();
    assert!(
        all_pushed > count,
        "{all_pushed} pushes of {count} particles prove little"
    );
}

fn mannequin_cloud(device: &Arc<Device>, collide: CollideSettings) -> (Cloud, Vec<Palette>) {
    let avatar = builtin::load_mannequin();
    let palettes = [0.3, 0.32, 0.34].map(|seconds| in_clip(&avatar, 0, seconds));
    let points = points_round(&avatar, &palettes[0], 700);
    assert!(!points.len().is_multiple_of(64), "no round number");
    (
        Cloud::new(device, &avatar, points, collide),
        palettes.to_vec(),
    )
}

fn column_cloud(device: &Arc<Device>, collide: CollideSettings) -> (Cloud, Vec<Palette>) {
    let avatar = column(3);
    let turned = |turn: f32| bent(&avatar, glam::Quat::from_rotation_z(turn), Mat4::IDENTITY);
    let palettes = [0.0, 0.05, 0.1, 0.1].map(turned);
    let points = points_round(&avatar, &palettes[0], 300);
    (
        Cloud::new(device, &avatar, points, collide),
        palettes.to_vec(),
    )
}

const MARCH: CollideSettings = CollideSettings {
    detection: Detection::March,
    path_samples: 4,
    friction_model: FrictionModel::Coulomb,
    edge_midpoints: false,
    reach: 0.03,
};

const PAPER: CollideSettings = CollideSettings {
    detection: Detection::Samples,
    friction_model: FrictionModel::Paper,
    ..MARCH
};

#[test]
fn particles_round_the_mannequin_collide_as_their_twins() {
    with_device(|device| {
        let (mut cloud, palettes) = mannequin_cloud(device, CollideSettings::default());
        assert_collides_as_its_twin(&mut cloud, &palettes);
    });
}

#[test]
fn particles_round_a_column_collide_as_their_twins_with_the_papers_friction() {
    with_device(|device| {
        let (mut cloud, palettes) = column_cloud(device, PAPER);
        assert_collides_as_its_twin(&mut cloud, &palettes);
    });
}

#[test]
fn particles_that_march_round_the_mannequin_collide_as_their_twins() {
    with_device(|device| {
        let (mut cloud, palettes) = mannequin_cloud(device, MARCH);
        assert_collides_as_its_twin(&mut cloud, &palettes);
    });
}

/// Particles beside a column, to be shot through it.
fn volley(device: &Arc<Device>, collide: CollideSettings) -> (Cloud, Vec<Palette>) {
    let avatar = column(3);
    let palettes = vec![bent(&avatar, glam::Quat::from_rotation_z(0.1), Mat4::IDENTITY); 3];
    let mut dice = Dice::new(11);
    let points = (0..250)
        .map(|_| Vec3::new(-0.4, 0.4, 0.0) + Vec3::new(0.25, 0.4, 0.12) * dice.point())
        .collect();
    let mut cloud = Cloud::new(device, &avatar, points, collide);
    // The solver's most, 40 m/s: in a sub-step they go further than the column is thick.
    cloud.cloth.gravity = Vec3::new(8e3, 0.0, 0.0);
    cloud.rig.world.settings_mut().cloth = cloud.cloth;
    (cloud, palettes)
}

#[test]
fn particles_that_march_fast_through_a_column_collide_as_their_twins() {
    with_device(|device| {
        let (mut cloud, palettes) = volley(device, MARCH);
        assert_collides_as_its_twin(&mut cloud, &palettes);
    });
}

#[test]
fn a_wrong_particle_is_seen() {
    let expected: Vec<State> = (0..90).map(|i| [Vec3::splat(i as f32), Vec3::X]).collect();
    let candidates = [expected.clone(), expected.clone()];
    assert_eq!(compare(&expected, &candidates), Ok(0.0));
    for (place, wrong) in [(0, 2.0 * TOLERANCE), (1, 2.0 * TOLERANCE), (1, f32::NAN)] {
        let mut found = expected.clone();
        found[55][place].z += wrong;
        assert!(compare(&found, &candidates).is_err(), "{place}: {wrong}");
    }
}
