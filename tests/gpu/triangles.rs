//! The techniques that find each particle's nearest triangle, on the GPU: against the twin that looks at every triangle, and
//! against an oracle that shares nothing with them.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3, Vec4};
use radial_fields::avatar::{Avatar, builtin};
use radial_fields::cloth::garment::Garment;
use radial_fields::cloth::twin::{Inputs, Twin};
use radial_fields::cloth::{ClothSettings, GarmentSettings, SubStepTiming};
use radial_fields::collide::response::{FrictionModel, Response};
use radial_fields::collide::skin_triangles::SkinTopology;
use radial_fields::collide::spatial_hash::SpatialHashDef;
use radial_fields::collide::triangle_contact::{MovingSkin, Particle};
use radial_fields::collide::{CollideSettings, Technique};
use radial_fields::engine::Device;
use radial_fields::math::triangle_tree::TriangleTree;
use radial_fields::oracle::{Frame, Oracle, Tolerances};
use radial_fields::pose::Palette;
use radial_fields::skin::twin::bake;
use radial_fields::{BodyDef, GarmentDef, World, WorldDef};

use crate::compare::{explained, points_agree};
use crate::figures::{Dice, bent, column, hang, in_clip, loose, sheet};
use crate::fixture::{Rig, STEP_SECONDS, twin_of, with_device, xyz};

pub const TECHNIQUES: [Technique; 3] = [Technique::SpatialHash, Technique::Bvh, Technique::Lbvh];

/// Metres: a tenth of a millimetre, a fiftieth of the usual thickness.
const TOLERANCE: f32 = 1e-4;
/// Metres by which the GPU may see the skin moved: some roundings of world coordinates. Where two triangles are equally near,
/// this decides which of them pushes.
const NUDGE: f32 = 3e-6;
/// Share of the particles for which [`NUDGE`] may decide.
const EXCUSED_SHARE: f32 = 0.02;
/// Metres by which test points lie beside the vertices' normals.
const BESIDE: f32 = 2e-3;
/// Sub-steps of a step.
const SUB_STEPS: u32 = 2;

/// Small, and with cells that hold few triangles.
pub const SMALL_TABLE: SpatialHashDef = SpatialHashDef {
    cell_size: 0.006,
    entry_count: 400_009,
};

/// Where a particle was and is: what collision writes.
type State = [Vec3; 2];

/// Particles that nothing holds, falling fast.
struct Cloud {
    rig: Rig,
    twin: Twin,
    cloth: ClothSettings,
    garment: GarmentSettings,
}

impl Cloud {
    fn new(device: &Arc<Device>, technique: Technique, avatar: &Avatar, garment: &Garment) -> Self {
        let cloth = ClothSettings {
            sub_steps: SUB_STEPS,
            passes: 0,
            gravity: Vec3::new(60.0, -150.0, 90.0),
            ..ClothSettings::default()
        };
        let settings = GarmentSettings {
            drag: 0.0,
            ..GarmentSettings::default()
        };
        let def = WorldDef {
            bodies: &[BodyDef::new(avatar)],
            garments: &[GarmentDef {
                garment,
                body_ix: 0,
                settings,
            }],
            cloth,
            technique,
            spatial_hash: SMALL_TABLE,
            ..WorldDef::default()
        };
        Self {
            rig: Rig::new(device, &def),
            twin: twin_of(garment, avatar.skin.positions.len() as u32),
            cloth,
            garment: settings,
        }
    }

    fn state(&mut self) -> [Vec<Vec4>; 2] {
        [
            self.rig.current(),
            self.rig.cloth(|world| world.cloth().positions()),
        ]
    }

    /// Steps the GPU; returns what it made of the particles and what the twin would have made, exactly and with the skin moved
    /// by [`NUDGE`].
    fn step(&mut self, palette: &Palette, teleported: bool) -> (Vec<State>, Vec<Vec<State>>) {
        // Before the first step the buffers hold whatever was there.
        let start = if teleported {
            let zeros = vec![Vec4::ZERO; self.twin.current.len()];
            [zeros.clone(), zeros]
        } else {
            self.state()
        };
        self.rig.step(&[palette], teleported);
        let after = self.rig.skin();
        let vertex_count = after.len();
        let before: Vec<Vec3> = self
            .rig
            .read(vertex_count, |world| world.skin().previous_positions());
        let topology = topology_of(&self.rig.world).clone();
        let mut dice = Dice::new(3);
        let candidates = (0..4)
            .map(|ix| {
                let nudge = if ix == 0 {
                    Vec3::ZERO
                } else {
                    NUDGE * dice.point()
                };
                self.twin.restore([&start[0], &start[1], &start[0]]);
                self.step_twin(&topology, [&before, &after], nudge, teleported)
            })
            .collect();
        let [current, predicted] = self.state();
        let found = xyz(&current).into_iter().zip(xyz(&predicted));
        (found.map(|(a, b)| [a, b]).collect(), candidates)
    }

    fn step_twin(
        &mut self,
        topology: &SkinTopology,
        [before, after]: [&[Vec3]; 2],
        nudge: Vec3,
        teleported: bool,
    ) -> Vec<State> {
        let skin_at = |part: f32| -> Vec<Vec3> {
            let pairs = before.iter().zip(after);
            pairs
                .map(|(&before, &after)| before.lerp(after, part) + nudge)
                .collect()
        };
        let seconds = STEP_SECONDS / SUB_STEPS as f32;
        for ix in 0..SUB_STEPS {
            self.twin.predict(&Inputs {
                settings: &self.cloth,
                garments: &[self.garment],
                targets: after,
                previous_targets: after,
                timing: SubStepTiming {
                    seconds,
                    last_seconds: seconds,
                    target_time: 1.0,
                    teleported: teleported && ix == 0,
                    grab: None,
                },
            });
            let [begins, ends] = [ix, ix + 1].map(|ix| skin_at(ix as f32 / SUB_STEPS as f32));
            let skin = MovingSkin {
                topology,
                before: &begins,
                after: &ends,
            };
            self.collide_twin(&skin);
        }
        let states = self.twin.current.iter().zip(&self.twin.predicted);
        states
            .map(|(&current, &predicted)| [current, predicted])
            .collect()
    }

    fn collide_twin(&mut self, skin: &MovingSkin) {
        let response = Response {
            thickness: self.garment.thickness,
            friction: self.garment.friction,
            model: FrictionModel::Coulomb,
        };
        let reach = CollideSettings::default().reach;
        let states = self.twin.current.iter_mut().zip(&mut self.twin.predicted);
        for (current, predicted) in states {
            let particle = Particle {
                current: *current,
                predicted: *predicted,
            };
            let collided = skin.collide(particle, reach, &response);
            (*current, *predicted) = (collided.current, collided.predicted);
        }
    }
}

/// The triangles in the order of the world's technique.
fn topology_of(world: &World) -> &SkinTopology {
    let collider = world.collider();
    let hash = collider.spatial_hash().map(|hash| hash.topology());
    hash.or_else(|| collider.boxes().map(|(_, _, topology)| topology))
        .expect("the technique tests triangles")
}

/// The share of the particles whose end [`NUDGE`] decides: on any device, no more can be excused.
fn fragile_share(candidates: &[Vec<State>]) -> f32 {
    let own = &candidates[0];
    let is_fragile = |ix: &usize| {
        let states = candidates.iter().map(|states| states[*ix]);
        states.into_iter().any(|state| !is_same(state, own[*ix]))
    };
    (0..own.len()).filter(is_fragile).count() as f32 / own.len() as f32
}

fn is_same(a: State, b: State) -> bool {
    a[0].distance(b[0]) <= TOLERANCE && a[1].distance(b[1]) <= TOLERANCE
}

/// The share of the particles that are excused by [`NUDGE`].
fn compare(found: &[State], candidates: &[Vec<State>]) -> Result<f32, String> {
    let excused_count = explained(found, candidates, |a, b, _| is_same(a, b))?;
    Ok(excused_count as f32 / found.len() as f32)
}

/// Points within `most` metres of the skin, on both sides of it, for the body of `palette`, in the bind space of joint 0; and
/// some far from everything. They lie a little beside the vertices' normals: on them, inside, two faces are equally near, and
/// rounding, which devices do differently, would decide between two right answers.
fn points_round(avatar: &Avatar, palette: &Palette, count: usize, most: f32) -> Vec<Vec3> {
    points_beside(BESIDE, avatar, palette, count, most)
}

fn points_beside(
    beside: f32,
    avatar: &Avatar,
    palette: &Palette,
    count: usize,
    most: f32,
) -> Vec<Vec3> {
    let (baked, mut dice) = (bake(&avatar.skin, palette), Dice::new(7));
    let every = baked.positions.len() as f32 / count as f32;
    let near = (0..count).map(|ix| {
        let vertex_ix = (ix as f32 * every) as usize;
        let depth = baked.normals[vertex_ix] * most * dice.number();
        baked.positions[vertex_ix] + depth + beside * dice.point()
    });
    let far = [Vec3::splat(1e4), Vec3::new(0.0, -1e3, 0.0), Vec3::ZERO];
    let bind_from_world = palette.world_from_bind[0].inverse();
    near.chain(far)
        .map(|point| bind_from_world.transform_point3(point))
        .collect()
}

fn assert_collides_as_its_twin(
    device: &Arc<Device>,
    avatar: &Avatar,
    palettes: &[Palette],
    count: usize,
) {
    let garment = loose(points_round(avatar, &palettes[0], count, 0.03));
    for technique in TECHNIQUES {
        let mut cloud = Cloud::new(device, technique, avatar, &garment);
        let mut pushed_count = 0;
        for (ix, palette) in palettes.iter().enumerate() {
            let (found, candidates) = cloud.step(palette, ix == 0);
            let share = compare(&found, &candidates)
                .unwrap_or_else(|error| panic!("{technique:?}, step {ix}: {error}"));
            let contacts = cloud.rig.cloth(|world| world.cloth().contacts());
            pushed_count += contacts.iter().filter(|contact| contact.w > 0.0).count();
            let fragile = fragile_share(&candidates);
            println!(
                "{technique:?}, step {ix}: {pushed_count} pushed so far, {share} excused of {fragile} that rounding decides"
            );
            assert!(share < EXCUSED_SHARE, "{technique:?}, step {ix}: {share}");
            assert!(
                fragile < EXCUSED_SHARE,
                "step {ix}: rounding decides {fragile}"
            );
        }
        assert!(
            pushed_count > count / 2,
            "{pushed_count} pushes of {count} particles prove little"
        );
        if technique == Technique::Bvh {
            assert_eq!(lost(&mut cloud.rig), 0, "jobs found no room");
        }
    }
}

/// Particles round a column that bends, against their twin: what shaders with a mistake in them must not pass.
fn round_a_column(device: &Arc<Device>, technique: Technique) -> Result<(), String> {
    let avatar = column(3);
    let turned = |turn: f32| bent(&avatar, Quat::from_rotation_z(turn), Mat4::IDENTITY);
    let palettes = [0.0, 0.05, 0.1].map(turned);
    let garment = loose(points_round(&avatar, &palettes[0], 301, 0.03));
    let mut cloud = Cloud::new(device, technique, &avatar, &garment);
    for (ix, palette) in palettes.iter().enumerate() {
        let (found, candidates) = cloud.step(palette, ix == 0);
        let share = compare(&found, &candidates).map_err(|error| format!("step {ix}: {error}"))?;
        if share >= EXCUSED_SHARE {
            return Err(format!("step {ix}: {share} are elsewhere"));
        }
    }
    Ok(())
}

pub fn hash_round_a_column(device: &Arc<Device>) -> Result<(), String> {
    round_a_column(device, Technique::SpatialHash)
}

pub fn bvh_round_a_column(device: &Arc<Device>) -> Result<(), String> {
    round_a_column(device, Technique::Bvh)
}

pub fn lbvh_round_a_column(device: &Arc<Device>) -> Result<(), String> {
    round_a_column(device, Technique::Lbvh)
}

/// What the technique's lists had no room for.
pub fn lost(rig: &mut Rig) -> u32 {
    if rig.world.collider().lost().is_none() {
        return 0;
    }
    rig.read::<u32>(1, |world| world.collider().lost().expect("it was there"))[0]
}

#[test]
fn particles_round_a_column_collide_as_their_twins() {
    with_device(|device| {
        let avatar = column(3);
        let turned = |turn: f32| bent(&avatar, Quat::from_rotation_z(turn), Mat4::IDENTITY);
        let palettes = [0.0, 0.05, 0.1, 0.1].map(turned);
        assert_collides_as_its_twin(device, &avatar, &palettes, 301);
        for round in [hash_round_a_column, bvh_round_a_column, lbvh_round_a_column] {
            assert_eq!(round(device), Ok(()));
        }
    });
}

#[test]
fn particles_round_the_mannequin_collide_as_their_twins() {
    with_device(|device| {
        let avatar = builtin::load_mannequin();
        let palettes = [0.3, 0.32].map(|seconds| in_clip(&avatar, 0, seconds));
        assert_collides_as_its_twin(device, &avatar, &palettes, 333);
    });
}

/// What [`BESIDE`] is for, and proof that particles which rounding decides are seen.
#[test]
fn on_the_normals_of_vertices_rounding_decides() {
    with_device(|device| {
        let avatar = column(3);
        let palette = bent(&avatar, Quat::IDENTITY, Mat4::IDENTITY);
        let share_of = |beside: f32| {
            let garment = loose(points_beside(beside, &avatar, &palette, 301, 0.03));
            let mut cloud = Cloud::new(device, Technique::Lbvh, &avatar, &garment);
            fragile_share(&cloud.step(&palette, true).1)
        };
        let (on, off) = (share_of(0.0), share_of(BESIDE));
        println!("{on} on the normals, {off} beside them");
        assert!(on > 0.1 && off < EXCUSED_SHARE, "{on}, {off}");
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

/// Shares of particles that end deeper than a tenth of a millimetre inside by the generalised winding number, of those that
/// begin up to `most` metres inside; and how many began there.
pub fn left_inside(
    device: &Arc<Device>,
    technique: Technique,
    settings: CollideSettings,
    most: f32,
) -> (f32, usize) {
    let avatar = builtin::load_mannequin();
    let palette = in_clip(&avatar, 0, 0.6);
    let body = bake(&avatar.skin, &palette).positions;
    let tree = TriangleTree::new(&body, &avatar.skin.triangles);
    let is_inside = |point: Vec3| tree.contains(point.as_dvec3());
    let world_from_bind = palette.world_from_bind[0];
    let points: Vec<_> = points_round(&avatar, &palette, 600, most)
        .into_iter()
        .filter(|&point| is_inside(world_from_bind.transform_point3(point)))
        .collect();
    let garment = loose(points.clone());
    let def = WorldDef {
        bodies: &[BodyDef::new(&avatar)],
        garments: &[GarmentDef::new(&garment, 0)],
        cloth: ClothSettings {
            gravity: Vec3::ZERO,
            passes: 0,
            ..ClothSettings::default()
        },
        collide: settings,
        technique,
        spatial_hash: SMALL_TABLE,
    };
    let mut rig = Rig::new(device, &def);
    rig.step(&[&palette], true);
    rig.step(&[&palette], false);
    let tolerances = Tolerances {
        inside_depth: 1e-4,
        false_contact_distance: 0.1,
    };
    let mut oracle =
        Oracle::new(&body, &avatar.skin.triangles, tolerances).expect("the body is whole");
    let judged = oracle.measure(&Frame {
        body_positions: &body,
        particles: &rig.particles(),
        before_collision: None,
        clearances: &[],
    });
    judged.expect("the particles are finite");
    (oracle.quality().inside_fraction as f32, points.len())
}

#[test]
fn particles_that_began_inside_end_outside() {
    with_device(|device| {
        for technique in TECHNIQUES {
            let (share, count) = left_inside(device, technique, CollideSettings::default(), 0.02);
            println!("{technique:?}: {share} of {count} left inside");
            // Where limbs overlap, the way out of one may lead into another.
            assert!(
                count > 200 && share < 0.02,
                "{technique:?}: {share} of {count}"
            );
        }
    });
}

#[test]
fn without_reach_particles_are_left_inside_and_the_oracle_sees_it() {
    with_device(|device| {
        let settings = CollideSettings {
            reach: 1e-3,
            ..CollideSettings::default()
        };
        for technique in TECHNIQUES {
            let (share, _) = left_inside(device, technique, settings, 0.02);
            assert!(share > 0.5, "{technique:?}: only {share} left inside");
        }
    });
}

#[test]
fn the_same_input_gives_the_same_bits() {
    with_device(|device| {
        let avatar = column(3);
        let garment = hang(sheet(23, 19, 0.02, Vec3::Y * 0.85), 23);
        let run = |technique| {
            let def = WorldDef {
                bodies: &[BodyDef::new(&avatar)],
                garments: &[GarmentDef::new(&garment, 0)],
                technique,
                // Full lists must not depend on the order of arrival either.
                spatial_hash: SpatialHashDef {
                    cell_size: 0.03,
                    entry_count: 499,
                },
                ..WorldDef::default()
            };
            let mut rig = Rig::new(device, &def);
            for ix in 0..40 {
                let turn = Quat::from_rotation_z(0.01 * ix as f32);
                rig.step(&[&bent(&avatar, turn, Mat4::IDENTITY)], ix == 0);
            }
            let particles = rig
                .particles()
                .iter()
                .map(|p| p.to_array().map(f32::to_bits))
                .collect::<Vec<_>>();
            (particles, lost(&mut rig))
        };
        for technique in Technique::ALL {
            let (first, second) = (run(technique), run(technique));
            assert_eq!(first, second, "{technique:?}");
            assert_eq!(
                first.1 > 0,
                technique == Technique::SpatialHash,
                "{technique:?}"
            );
        }
    });
}

/// Where the particles of a sheet over a column are after the poses, each put there, and some steps in the last one.
fn after_poses(device: &Arc<Device>, technique: Technique, poses: &[Palette]) -> Vec<Vec3> {
    let avatar = column(3);
    let garment = sheet(13, 11, 0.03, Vec3::Y * 0.81);
    let def = WorldDef {
        bodies: &[BodyDef::new(&avatar)],
        garments: &[GarmentDef::new(&garment, 0)],
        technique,
        spatial_hash: SMALL_TABLE,
        ..WorldDef::default()
    };
    let mut rig = Rig::new(device, &def);
    for pose in poses {
        rig.step(&[pose], true);
    }
    for _ in 0..5 {
        rig.step(&[&poses[poses.len() - 1]], false);
    }
    rig.particles()
}

#[test]
fn broken_poses_do_no_lasting_harm() {
    with_device(|device| {
        let avatar = column(3);
        let posed = |place| bent(&avatar, Quat::IDENTITY, place);
        let good = posed(Mat4::IDENTITY);
        let broken = [
            Mat4::ZERO,
            Mat4::from_scale(Vec3::splat(1e6)),
            Mat4::IDENTITY * f32::NAN,
        ];
        for technique in Technique::ALL {
            let expected = after_poses(device, technique, std::slice::from_ref(&good));
            assert!(expected.iter().all(|point| point.is_finite()));
            for place in broken {
                let found = after_poses(device, technique, &[posed(place), good.clone()]);
                // The cloth remembers huge coordinates by some roundings.
                points_agree(&found, &expected, 1e-3)
                    .unwrap_or_else(|error| panic!("{technique:?} after {place}: {error}"));
            }
        }
    });
}
