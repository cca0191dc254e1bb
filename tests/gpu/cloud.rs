//! Collision on the GPU against its twins, on the GPU's own cells: particles round a body, as both see them.

use std::cell::Cell;
use std::sync::Arc;

use glam::{Mat4, Vec3};
use radial_fields::avatar::Avatar;
use radial_fields::cloth::constraints::{ConstraintGraph, Kind};
use radial_fields::cloth::garment::Garment;
use radial_fields::cloth::twin::Twin;
use radial_fields::collide::CollideSettings;
use radial_fields::collide::radial::field::FieldSet;
use radial_fields::collide::radial::twin::collide::{MovingFields, PathTest, collide};
use radial_fields::collide::radial::twin::edges::correct_by_edges;
use radial_fields::collide::response::{Particle, Response};
use radial_fields::collide::solids::twin::MovingSolid;
use radial_fields::collide::solids::twin::edges::{Face, correct_by_triangles};
use radial_fields::engine::Device;
use radial_fields::pose::Palette;
use radial_fields::{BodyDef, SolidDef, SolidStep, WorldDef};

use crate::falling::{Falling, State, compare};
use crate::fitted::fields_of;
use crate::update::with_caps;

/// Ways in which the fields are moved: enough that of two which tie each wins in one of them.
const NUDGE_COUNT: u64 = 10;

/// Particles round a body of fields.
pub struct Cloud {
    falling: Falling,
    set: Arc<FieldSet>,
    solids: Vec<SolidDef>,
    response: Response,
    path: PathTest,
    /// Of each particle along its edges and round its triangles; none if edges are left alone.
    surroundings: Option<Vec<Around>>,
}

/// A particle's neighbours.
struct Around {
    /// Along its edges.
    neighbours: Vec<usize>,
    /// Its triangles, the corners of each in ascending order.
    faces: Vec<[usize; 3]>,
}

impl Cloud {
    pub fn new(
        device: &Arc<Device>,
        avatar: &Avatar,
        garment: Garment,
        collide: CollideSettings,
    ) -> Self {
        Self::on(device, BodyDef::new(avatar), garment, collide, Vec::new())
    }

    /// As [`Cloud::new`], round a body whose fields may be laid otherwise than usual, with rigid solids about.
    pub fn on(
        device: &Arc<Device>,
        body: BodyDef,
        mut garment: Garment,
        collide: CollideSettings,
        solids: Vec<SolidDef>,
    ) -> Self {
        garment.clearances = (0..garment.mesh.positions.len()).map(clearance).collect();
        let base = WorldDef {
            collide,
            solids: &solids,
            ..WorldDef::default()
        };
        let falling = Falling::on(device, body, &garment, base);
        Self {
            set: fields_of(&body),
            response: Response {
                model: collide.friction_model,
                ..falling.response
            },
            path: PathTest {
                detection: collide.detection,
                samples: collide.path_samples,
            },
            surroundings: collide.edge_midpoints.then(|| surroundings(&garment)),
            falling,
            solids,
        }
    }

    /// Compares a step with its twin's; how many particles were pushed.
    pub fn compare_step(&mut self, palette: &Palette) -> Result<usize, String> {
        let (found, candidates) = self.step(palette);
        compare(&found, &candidates)?;
        Ok(self.falling.pushed_count())
    }

    /// Moves the solids in the next step.
    pub fn move_solids(&mut self, places: impl IntoIterator<Item = Mat4>) {
        self.falling.rig.solids = places.into_iter().map(SolidStep::moved).collect();
    }

    /// Metres per second squared, from the next step on.
    pub fn set_gravity(&mut self, gravity: Vec3) {
        self.falling.set_gravity(gravity);
    }

    /// Steps the GPU; returns what it made of the particles and what the twin would have made, exactly and with fields moved.
    fn step(&mut self, palette: &Palette) -> (Vec<State>, Vec<Vec<State>>) {
        let stepped = self.falling.step(palette);
        let cells = with_caps(&self.set, self.falling.rig.cells());
        let field_count = self.set.fields.len();
        let attached_count = field_count + self.solids.len();
        let candidates = (0..=NUDGE_COUNT).map(|seed| {
            let (collisions, count) = (Cell::new(0), self.falling.collision_count());
            let (set, solids) = (&*self.set, &self.solids);
            let step = |[begin, last, end]: [&[Mat4]; 3], twin: &mut Twin| {
                collisions.set(collisions.get() + 1);
                let is_last = collisions.get() == count;
                if let (Some(surroundings), true) = (&self.surroundings, is_last) {
                    let fields = moving(set, solids, &cells, [last, end]);
                    collide_edges_twin(twin, &fields, surroundings, self.response);
                }
                let fields = moving(set, solids, &cells, [begin, end]);
                collide_twin(twin, &fields, self.path, &self.response);
            };
            self.falling
                .step_twin_on_bones(&stepped, attached_count, seed, step)
        });
        let candidates = candidates.collect();
        (self.falling.found(), candidates)
    }
}

/// What particles meet between two boundaries of sub-steps.
fn moving<'a>(
    set: &'a FieldSet,
    solids: &'a [SolidDef],
    cells: &'a [f32],
    ends: [&[Mat4]; 2],
) -> MovingFields<'a> {
    let [before, after] = ends.map(|from_world| from_world.split_at(set.fields.len()));
    let solids = solids.iter().zip(before.1.iter().zip(after.1));
    let solids = solids.map(|(solid, (before, after))| {
        MovingSolid::new(&solid.shape, *before, *after).made_of(solid.material)
    });
    MovingFields::new(set, cells, before.0, after.0).with_solids(solids.collect())
}

fn surroundings(garment: &Garment) -> Vec<Around> {
    let graph = ConstraintGraph::build(garment);
    let ends = graph.offsets.windows(2).zip(0..);
    ends.map(|(ends, particle_ix)| {
        let constraints = graph.constraints[ends[0] as usize..ends[1] as usize].iter();
        let edges = constraints.filter(|constraint| constraint.kind == Kind::Stretch);
        let faces = graph.corners_of(particle_ix).iter().map(|&[a, b]| {
            let mut corners = [particle_ix, a, b].map(|ix| ix as usize);
            corners.sort_unstable();
            corners
        });
        Around {
            neighbours: edges.map(|edge| edge.other_ix as usize).collect(),
            faces: faces.collect(),
        }
    })
    .collect()
}

/// How often edges and triangles are collided with solids at the end of a step.
const SOLID_PASSES: usize = 2;

/// Edges with fields, and then edges and triangles with solids.
fn collide_edges_twin(
    twin: &mut Twin,
    fields: &MovingFields,
    surroundings: &[Around],
    response: Response,
) {
    correct_all(twin, |ix, own, before| {
        let around = surroundings[ix].neighbours.iter();
        let neighbours = around.map(|&other_ix| before[other_ix]);
        correct_by_edges(fields, own, neighbours, &of_particle(response, ix))
    });
    for _ in 0..SOLID_PASSES {
        correct_all(twin, |ix, own, before| {
            let around = &surroundings[ix];
            let neighbours = around.neighbours.iter().map(|&other_ix| before[other_ix]);
            let faces = around.faces.iter().map(|corners| Face {
                corners: corners.map(|corner| before[corner]),
                own_place: corners
                    .iter()
                    .position(|&corner| corner == ix)
                    .expect("it is a corner"),
            });
            let response = of_particle(response, ix);
            correct_by_triangles(fields.solids(), own, neighbours, faces, &response)
        });
    }
}

/// Of each particle and all of them what becomes of it.
fn correct_all(twin: &mut Twin, correct: impl Fn(usize, Particle, &[Particle]) -> Particle) {
    let ends = twin.current.iter().zip(&twin.predicted);
    let before: Vec<_> = ends
        .map(|(&current, &predicted)| Particle { current, predicted })
        .collect();
    for (ix, &own) in before.iter().enumerate() {
        let corrected = correct(ix, own, &before);
        (twin.current[ix], twin.predicted[ix]) = (corrected.current, corrected.predicted);
    }
}

fn of_particle(response: Response, particle_ix: usize) -> Response {
    Response {
        thickness: response.thickness.max(clearance(particle_ix)),
        ..response
    }
}

fn collide_twin(twin: &mut Twin, fields: &MovingFields, path: PathTest, response: &Response) {
    twin.collide(|ix, particle| collide(fields, particle, path, &of_particle(*response, ix)));
}

/// Metres that a particle keeps from the skin whatever its garment does: every third one more than the garment.
fn clearance(particle_ix: usize) -> f32 {
    if particle_ix.is_multiple_of(3) {
        0.012
    } else {
        0.0
    }
}

/// Steps particles through the poses of a body and compares them with their twins after each.
pub fn collides_as_its_twin((cloud, palettes): &mut (Cloud, Vec<Palette>)) -> Result<(), String> {
    let mut pushed_count = 0;
    for (ix, palette) in palettes.iter().enumerate() {
        let compared = cloud.compare_step(palette);
        pushed_count += compared.map_err(|error| format!("step {ix}: {error}"))?;
    }
    let count = cloud.falling.particle_count();
    println!("{pushed_count} pushes");
    match 4 * pushed_count > count {
        true => Ok(()),
        false => Err(format!(
            "{pushed_count} pushes of {count} particles prove little"
        )),
    }
}
