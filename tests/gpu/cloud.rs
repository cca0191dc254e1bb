//! Collision on the GPU against its twins, on the GPU's own cells: particles round a body, as both see them.

use std::sync::Arc;

use glam::{Mat4, Vec3, Vec4};
use radial_fields::avatar::Avatar;
use radial_fields::cloth::constraints::{ConstraintGraph, Kind};
use radial_fields::cloth::garment::Garment;
use radial_fields::cloth::twin::{Inputs, Twin};
use radial_fields::cloth::{ClothSettings, GarmentSettings, SubStepTiming};
use radial_fields::collide::radial::field::FieldSet;
use radial_fields::collide::radial::fit::{FitSettings, fit};
use radial_fields::collide::radial::twin::collide::{MovingFields, Particle, PathTest, collide};
use radial_fields::collide::radial::twin::edges::put_edges_outside;
use radial_fields::collide::response::{self, Response};
use radial_fields::collide::{CollideSettings, FieldTransform, FrictionModel};
use radial_fields::engine::Device;
use radial_fields::pose::Palette;
use radial_fields::{BodyDef, GarmentDef, WorldDef};

use crate::figures::Dice;
use crate::fixture::{Rig, STEP_SECONDS, twin_of, xyz};
use crate::update::with_caps;

/// Metres: a tenth of a millimetre, a fiftieth of the usual thickness.
const TOLERANCE: f32 = 1e-4;
/// Metres by which the GPU may see a field moved: the roundings of world coordinates, added up. Where two fields hold a particle
/// equally deep, or a patch ends, this decides which of them pushes it, and in eight passes of the response that comes up often.
const NUDGE: f32 = 3e-6;
/// Ways in which the fields are moved: enough that of two which tie each wins in one of them.
const NUDGE_COUNT: u64 = 10;
/// Share of the particles for which [`NUDGE`] may decide.
const EXCUSED_SHARE: f32 = 0.02;
/// Metres within which an excused particle must be of one of the places that its twin may be at: what a field's patch beside the
/// right one does to a deep particle.
pub const EXCUSED_DISTANCE: f32 = 0.03;

/// Where a particle was and is: what collision writes.
type State = [Vec3; 2];

/// Particles round a body, on the GPU and as twins. Nothing but the body acts on them: no constraint is solved.
pub struct Cloud {
    pub rig: Rig,
    twin: Twin,
    set: FieldSet,
    pub cloth: ClothSettings,
    response: Response,
    path: PathTest,
    garment: GarmentSettings,
    /// Of each particle along its edges; none if edges are left alone.
    neighbours: Option<Vec<Vec<usize>>>,
    before: Option<Palette>,
}

impl Cloud {
    pub fn new(
        device: &Arc<Device>,
        avatar: &Avatar,
        mut garment: Garment,
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
        garment.clearances = (0..garment.mesh.positions.len()).map(clearance).collect();
        let bodies = [BodyDef::new(avatar)];
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
            neighbours: collide.edge_midpoints.then(|| neighbours(&garment)),
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
        // Before the first frame there is nothing to read.
        let nothing = vec![Vec4::ZERO; self.twin.predicted.len()];
        let start = match self.before {
            Some(_) => self.state(),
            None => [nothing.clone(), nothing],
        };
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
            if let Some(neighbours) = &self.neighbours {
                collide_edges_twin(&mut self.twin, &fields, neighbours, self.response.thickness);
            }
            collide_twin(&mut self.twin, &fields, self.path, &self.response);
        }
        let states = self.twin.current.iter().zip(&self.twin.predicted);
        states
            .map(|(&current, &predicted)| [current, predicted])
            .collect()
    }
}

fn neighbours(garment: &Garment) -> Vec<Vec<usize>> {
    let graph = ConstraintGraph::build(garment);
    let ends = graph.offsets.windows(2);
    ends.map(|ends| {
        let constraints = graph.constraints[ends[0] as usize..ends[1] as usize].iter();
        let edges = constraints.filter(|constraint| constraint.kind == Kind::Stretch);
        edges.map(|edge| edge.other_ix as usize).collect()
    })
    .collect()
}

fn collide_edges_twin(
    twin: &mut Twin,
    fields: &MovingFields,
    neighbours: &[Vec<usize>],
    thickness: f32,
) {
    let before = twin.predicted.clone();
    for (ix, predicted) in twin.predicted.iter_mut().enumerate() {
        let others = neighbours[ix].iter().map(|&other_ix| before[other_ix]);
        let thickness = thickness.max(clearance(ix));
        *predicted = put_edges_outside(fields, before[ix], others, thickness);
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

/// The share of the particles that are excused by [`NUDGE`]: those that differ from the twin where the twin, its fields
/// moved, differs from itself.
fn compare(found: &[State], candidates: &[Vec<State>]) -> Result<f32, String> {
    let agree =
        |a: State, b: State| a[0].distance(b[0]) <= TOLERANCE && a[1].distance(b[1]) <= TOLERANCE;
    let mut excused_count = 0;
    for (ix, &state) in found.iter().enumerate() {
        let own = candidates[0][ix];
        let mut moved = candidates.iter().map(|states| states[ix]);
        if agree(state, own) {
            continue;
        }
        if moved.all(|other| agree(other, own)) {
            return Err(format!("particle {ix} is {state:?}, the twin's {own:?}"));
        }
        let is_near = |other: State| other[0].distance(state[0]) < EXCUSED_DISTANCE;
        if !candidates.iter().any(|states| is_near(states[ix])) {
            return Err(format!(
                "particle {ix} is {state:?}, far from all that its twin may be"
            ));
        }
        excused_count += 1;
    }
    Ok(excused_count as f32 / found.len() as f32)
}

/// Steps particles through the poses of a body and compares them with their twins after each.
pub fn collides_as_its_twin((cloud, palettes): &mut (Cloud, Vec<Palette>)) -> Result<(), String> {
    let mut all_pushed = 0;
    for (ix, palette) in palettes.iter().enumerate() {
        let (found, candidates) = cloud.step(palette, ix == 0);
        let share = compare(&found, &candidates).map_err(|error| format!("step {ix}: {error}"))?;
        let contacts = cloud.rig.cloth(|world| world.cloth().contacts());
        let pushed_count = contacts.iter().filter(|contact| contact.w > 0.0).count();
        all_pushed += pushed_count;
        println!("step {ix}: {pushed_count} pushed, {share} excused");
        if share >= EXCUSED_SHARE {
            return Err(format!("step {ix}: {share} excused"));
        }
    }
    let count = cloud.twin.predicted.len();
    if 4 * all_pushed > count {
        Ok(())
    } else {
        Err(format!(
            "{all_pushed} pushes of {count} particles prove little"
        ))
    }
}

#[test]
fn a_wrong_particle_is_seen_unless_its_twin_is_in_two_minds() {
    let expected: Vec<State> = (0..90).map(|i| [Vec3::splat(i as f32), Vec3::X]).collect();
    let mut candidates = vec![expected.clone(), expected.clone()];
    assert_eq!(compare(&expected, &candidates), Ok(0.0));
    for (place, wrong) in [(0, 2.0 * TOLERANCE), (1, 2.0 * TOLERANCE), (1, f32::NAN)] {
        let mut found = expected.clone();
        found[55][place].z += wrong;
        assert!(compare(&found, &candidates).is_err(), "{place}: {wrong}");
    }
    candidates[1][55][0].z += 0.01;
    let mut found = expected.clone();
    found[55][0].z += 0.02;
    assert_eq!(compare(&found, &candidates), Ok(1.0 / 90.0));
    found[54][0].z += 0.02;
    assert!(compare(&found, &candidates).is_err());
}
