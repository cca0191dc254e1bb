//! Cloth that meets cloth: nothing is missed, nothing goes through, and what has comes out again.

use std::sync::Arc;

use glam::{DVec3, Mat4, Quat, Vec3};
use radial_fields::cloth::contacts::twin::Lists;
use radial_fields::cloth::contacts::{CROSSING_WORDS, ClothSurface, MAX_NEAR, NEAR_WORDS, NOTHING};
use radial_fields::cloth::garment::Garment;
use radial_fields::cloth::twin::{Inputs, Twin};
use radial_fields::cloth::{
    ClothSettings, GarmentSettings, Ground, MotionConstraint, SubStepTiming,
};
use radial_fields::engine::Device;
use radial_fields::math::closest;
use radial_fields::pose::Palette;
use radial_fields::scenes::Outfit;
use radial_fields::{BodyDef, GarmentDef, WorldDef};

use crate::compare::points_agree;
use crate::figures::{Dice, column, hang, join, loose, moved, sheet};
use crate::fixture::{Rig, STEP_SECONDS, twin_of, with_device, xyz};

/// Garments of one body that stands out of their reach, on the ground.
struct Pile {
    rig: Rig,
    palette: Palette,
    body_vertices: u32,
    triangles: Vec<[u32; 3]>,
    has_started: bool,
}

impl Pile {
    fn new(device: &Arc<Device>, garments: &[Garment], cloth_contacts: bool) -> Self {
        let cloth = ClothSettings {
            ground: Some(Ground::level(0.0)),
            ..ClothSettings::default()
        };
        Self::with(device, garments, cloth_contacts, cloth)
    }

    fn with(
        device: &Arc<Device>,
        garments: &[Garment],
        cloth_contacts: bool,
        cloth: ClothSettings,
    ) -> Self {
        let mut avatar = column(1);
        let palette = Palette::bind(&avatar.skeleton);
        avatar
            .skin
            .positions
            .iter_mut()
            .for_each(|at| *at += 20.0 * Vec3::X);
        let defs: Vec<_> = garments
            .iter()
            .map(|each| GarmentDef::new(each, 0))
            .collect();
        let def = WorldDef {
            bodies: &[BodyDef::new(&avatar)],
            garments: &defs,
            cloth_contacts,
            cloth,
            ..WorldDef::default()
        };
        Self {
            rig: Rig::new(device, &def),
            palette,
            body_vertices: avatar.skin.positions.len() as u32,
            triangles: join(garments).mesh.triangles,
            has_started: false,
        }
    }

    fn step(&mut self) -> Vec<Vec3> {
        self.rig.step(&[&self.palette], !self.has_started);
        self.has_started = true;
        self.rig.particles()
    }

    /// What the last step listed: pairs that are near, and crossings.
    fn lists(&mut self, surface: &ClothSurface) -> [Vec<u32>; 2] {
        let (particles, edges) = (surface.vertices.len(), surface.edges.len());
        let near = self.rig.read((particles + edges) * NEAR_WORDS, |world| {
            world.cloth_contacts().expect("cloth meets cloth").near()
        });
        let crossings = self.rig.read(edges * CROSSING_WORDS, |world| {
            world
                .cloth_contacts()
                .expect("cloth meets cloth")
                .crossings()
        });
        [near, crossings]
    }

    /// A step of one sub-step without solves.
    fn step_twin(
        &mut self,
        twin: &mut Twin,
        settings: &ClothSettings,
        surface: &ClothSurface,
        lists: Lists,
    ) {
        let targets = self.rig.skin();
        let inputs = Inputs {
            settings,
            garments: &[GarmentSettings::default()],
            previous_targets: &targets,
            target_normals: &self.rig.skin_normals(),
            targets: &targets,
            timing: SubStepTiming {
                seconds: STEP_SECONDS,
                last_seconds: STEP_SECONDS,
                time_before: 0.0,
                target_time: 1.0,
                grab: None,
            },
            starts: false,
        };
        twin.predict(&inputs);
        twin.meet_cloth(&inputs, surface, lists);
    }

    fn crossings(&self, positions: &[Vec3]) -> usize {
        crossings(positions, &self.triangles)
    }
}

/// Pairs of an edge and a triangle that it goes through, without a common corner.
fn crossings(positions: &[Vec3], triangles: &[[u32; 3]]) -> usize {
    let at = |ix: u32| positions[ix as usize].as_dvec3();
    let mut edges: Vec<[u32; 2]> = triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let left = |corners: &[u32]| corners.iter().map(|&ix| at(ix).x).fold(f64::MAX, f64::min);
    let right = |corners: &[u32]| corners.iter().map(|&ix| at(ix).x).fold(f64::MIN, f64::max);
    let mut by_left: Vec<_> = edges.iter().map(|edge| (left(edge), *edge)).collect();
    by_left.sort_by(|a, b| a.0.total_cmp(&b.0));
    let widest = edges
        .iter()
        .map(|edge| right(edge) - left(edge))
        .fold(0.0, f64::max);
    let mut count = 0;
    for corners in triangles {
        let (from, to) = (left(corners) - widest, right(corners));
        let first = by_left.partition_point(|edge| edge.0 < from);
        let near = by_left[first..].iter().take_while(|edge| edge.0 <= to);
        let apart = near.filter(|(_, edge)| !edge.iter().any(|end| corners.contains(end)));
        count += apart
            .filter(|(_, edge)| goes_through(edge.map(at), corners.map(at)))
            .count();
    }
    count
}

fn goes_through([p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> bool {
    let normal = (b - a).cross(c - a);
    let (before, behind) = (normal.dot(p - a), normal.dot(q - a));
    if before * behind >= 0.0 {
        return false;
    }
    let at = p.lerp(q, before / (before - behind));
    let is_left = |from: DVec3, to: DVec3| normal.dot((to - from).cross(at - from)) >= 0.0;
    is_left(a, b) && is_left(b, c) && is_left(c, a)
}

/// So many sheets above each other, none straight above the next.
fn sheets(count: u32, gap: f32) -> Vec<Garment> {
    let mut dice = Dice::new(5);
    (0..count)
        .map(|ix| {
            let aside = 0.05 * dice.point().with_y(0.0);
            let mut sheet = sheet(10, 10, 0.02, aside + Vec3::Y * (0.02 + gap * ix as f32));
            let angle = dice.number();
            for at in &mut sheet.mesh.positions {
                *at = aside.with_y(at.y) + Quat::from_rotation_y(angle) * (*at - aside).with_y(0.0);
            }
            sheet
        })
        .collect()
}

fn rms_speed(before: &[Vec3], after: &[Vec3]) -> f32 {
    let squares = before
        .iter()
        .zip(after)
        .map(|(a, b)| a.distance_squared(*b));
    (squares.sum::<f32>() / before.len() as f32).sqrt() / STEP_SECONDS
}

#[test]
fn what_contacts_do_to_the_particles_agrees_with_the_twin() {
    with_device(|device| with_the_twin(device).expect("they agree"));
}

/// Sheets that nothing holds together, some through each other, step by step from the GPU's state.
pub fn with_the_twin(device: &Arc<Device>) -> Result<(), String> {
    let mut sheets = sheets(4, 0.002);
    for at in &mut sheets[1].mesh.positions {
        at.y += 0.3 * at.x;
    }
    let garment = join(&sheets);
    let mut surface = ClothSurface::default();
    surface.add(&garment, 0);
    let cloth = ClothSettings {
        sub_steps: 1,
        iterations: 0,
        ..ClothSettings::default()
    };
    let mut pile = Pile::with(device, std::slice::from_ref(&garment), true, cloth);
    let mut twin = twin_of(&garment, pile.body_vertices, 1.0);
    pile.step();
    let (mut met, mut crossed) = (0, 0);
    for _ in 0..6 {
        let state = [
            pile.rig.current(),
            pile.rig.cloth(|world| world.cloth().predicted()),
            pile.rig.cloth(|world| world.cloth().normals()),
        ];
        pile.step();
        twin.restore([&state[0], &state[1], &state[2]]);
        let lists = pile.lists(&surface);
        let lists = Lists {
            near: &lists[0],
            crossings: &lists[1],
        };
        met += count_listed(lists.near, NEAR_WORDS);
        crossed += count_listed(lists.crossings, 4);
        pile.step_twin(&mut twin, &cloth, &surface, lists);
        let found = xyz(&pile.rig.cloth(|world| world.cloth().predicted()));
        points_agree(&found, &twin.predicted, 2e-6)?;
        points_agree(&xyz(&pile.rig.current()), &twin.current, 2e-6)?;
    }
    match met > 1000 && crossed > 50 {
        true => Ok(()),
        false => Err(format!("{met} pairs, {crossed} crossings")),
    }
}

/// How many entries lists of so many words have.
fn count_listed(words: &[u32], words_each: usize) -> u32 {
    words.chunks(words_each).map(|list| list[0]).sum()
}

/// A heap as one garment, whose sheets know no order, and garments worn over each other.
#[test]
fn sheets_that_fall_on_each_other_never_cross_and_come_to_rest() {
    with_device(|device| {
        for (garments, layers) in [(vec![join(&sheets(6, 0.03))], 6.0), (sheets(3, 0.03), 3.0)] {
            let mut pile = Pile::new(device, &garments, true);
            let mut before = pile.step();
            let mut speed = 0.0;
            for step in 0..60 {
                let after = pile.step();
                assert_eq!(pile.crossings(&after), 0, "step {step}");
                speed = rms_speed(&before, &after);
                before = after;
            }
            println!("{layers} layers: {speed} m/s at the end");
            assert!(speed < 0.004, "{speed} m/s");
            // Nearly 3 mm from one to the next.
            let least = 0.002 * (layers - 1.0);
            assert!(thickness(&before) > least, "{}", thickness(&before));
        }
    });
}

/// Whatever crosses there, nobody knows how to undo but by the outline.
#[test]
fn garments_cross_neither_themselves_nor_each_other_as_they_are_made() {
    let avatar = radial_fields::avatar::builtin::load_mannequin();
    for outfit in [Outfit::TrousersAndTop, Outfit::Overcoat, Outfit::Skirt] {
        let garments = outfit
            .make(&avatar, 2000)
            .expect("the mannequin is a humanoid");
        let all = join(&garments).mesh;
        let found = crossings(&all.positions, &all.triangles);
        println!("{}: {found} crossings", outfit.name());
        assert_eq!(found, 0, "{}", outfit.name());
    }
}

#[test]
fn without_contacts_the_same_sheets_lie_in_one_plane() {
    with_device(|device| {
        let mut pile = Pile::new(device, &sheets(4, 0.03), false);
        let last = (0..61).map(|_| pile.step()).last().expect("steps");
        assert!(thickness(&last) < 0.002, "{}", thickness(&last));
    });
}

/// Metres from the lowest particle to the highest.
fn thickness(positions: &[Vec3]) -> f32 {
    let lowest = positions.iter().map(|at| at.y).fold(f32::MAX, f32::min);
    let highest = positions.iter().map(|at| at.y).fold(f32::MIN, f32::max);
    highest - lowest
}

/// Two sheets that hang, one through the other.
fn through_each_other() -> Garment {
    let upright = |x: f32, lean: f32| {
        let mut sheet = sheet(12, 12, 0.02, Vec3::ZERO);
        let turn = Quat::from_rotation_y(lean) * Quat::from_rotation_x(1.5);
        for at in &mut sheet.mesh.positions {
            *at = Vec3::new(x, 0.6, 0.0) + turn * *at;
        }
        hang(sheet, 12)
    };
    join(&[upright(0.0, 0.0), upright(0.09, 1.2)])
}

/// One garment, so that nobody knows which belongs in front.
#[test]
fn sheets_that_start_through_each_other_come_apart() {
    with_device(|device| {
        let mut pile = Pile::new(device, &[through_each_other()], true);
        let first = pile.step();
        assert!(pile.crossings(&first) > 5, "{}", pile.crossings(&first));
        let last = (0..60).map(|_| pile.step()).last().expect("steps");
        assert_eq!(pile.crossings(&last), 0);
    });
}

/// The first is the innermost, and yet begins in front.
#[test]
fn an_outer_garment_that_starts_behind_an_inner_one_comes_to_lie_over_it() {
    with_device(|device| in_layers(device).expect("it lies over it"));
}

pub fn in_layers(device: &Arc<Device>) -> Result<(), String> {
    let garments = [0.03, 0.027].map(|height| sheet(12, 12, 0.02, height * Vec3::Y));
    let mut pile = Pile::new(device, &garments, true);
    let last = (0..61).map(|_| pile.step()).last().expect("steps");
    let (inner, outer) = last.split_at(144);
    let is_over = |(inner, outer): (&Vec3, &Vec3)| outer.y > inner.y;
    let over = inner
        .iter()
        .zip(outer)
        .filter(|&pair| is_over(pair))
        .count();
    match over > 137 {
        true => Ok(()),
        false => Err(format!("{over} of 144 lie over")),
    }
}

#[test]
fn a_heap_is_the_same_to_the_bit_whenever_it_falls() {
    with_device(|device| {
        let run = || {
            let mut pile = Pile::new(device, &[join(&sheets(5, 0.01))], true);
            (0..40).map(|_| pile.step()).last().expect("steps")
        };
        let bits = |at: Vec<Vec3>| {
            at.iter()
                .flat_map(|at| at.to_array().map(f32::to_bits))
                .collect::<Vec<_>>()
        };
        assert_eq!(bits(run()), bits(run()));
    });
}

/// Two clouds of triangles, each as rigid as the bone that moves it.
struct Clouds {
    rig: Rig,
    palette: Palette,
    avatar: radial_fields::avatar::Avatar,
    garments: [Garment; 2],
    dice: Dice,
    places: [Mat4; 2],
}

/// Metres per step: 20 m/s.
const FASTEST: f32 = 20.0 * STEP_SECONDS;

impl Clouds {
    fn new(device: &Arc<Device>) -> Self {
        let mut dice = Dice::new(11);
        let garments = [(); 2].map(|()| {
            let corners = (0..80).flat_map(|_| {
                let middle = 0.25 * dice.point();
                [(); 3].map(|()| middle + 0.02 * dice.point())
            });
            let mut garment = loose(corners.collect::<Vec<_>>());
            garment.motion = vec![
                MotionConstraint {
                    max_distance: 0.0,
                    ..MotionConstraint::default()
                };
                240
            ];
            garment
        });
        let mut avatar = column(1);
        avatar
            .skin
            .positions
            .iter_mut()
            .for_each(|at| *at += 20.0 * Vec3::X);
        let settings = GarmentSettings {
            damping: 0.0,
            drag: 0.0,
            ..GarmentSettings::default()
        };
        let defs = [0, 1].map(|ix| GarmentDef {
            garment: &garments[ix],
            body_ix: ix,
            settings,
        });
        let def = WorldDef {
            bodies: &[BodyDef::new(&avatar); 2],
            garments: &defs,
            cloth_contacts: true,
            cloth: ClothSettings {
                sub_steps: 1,
                iterations: 1,
                gravity: Vec3::ZERO,
                ..ClothSettings::default()
            },
            ..WorldDef::default()
        };
        Self {
            palette: Palette::bind(&avatar.skeleton),
            rig: Rig::new(device, &def),
            avatar,
            garments,
            dice,
            places: [Mat4::IDENTITY; 2],
        }
    }

    fn step(&mut self, starts: bool) {
        for place in &mut self.places {
            let shift = FASTEST * self.dice.number() * self.dice.point().normalize();
            let turn = Quat::from_scaled_axis(0.3 * self.dice.point());
            // Back to where they can meet.
            let home = -0.5 * place.w_axis.truncate();
            *place = Mat4::from_translation(shift + home) * Mat4::from_quat(turn) * *place;
        }
        let palettes = self
            .places
            .map(|place| moved(&self.avatar, &self.palette, place));
        self.rig.step(&[&palettes[0], &palettes[1]], starts);
    }

    /// Where particles began the last step and where its only sub-step would have taken them.
    fn paths(&mut self, before: &[Vec3]) -> Vec<[DVec3; 2]> {
        let current = xyz(&self.rig.current());
        let paths = current.iter().zip(before);
        paths
            .map(|(at, motion)| [at.as_dvec3(), (*at + *motion).as_dvec3()])
            .collect()
    }

    fn motion(&mut self) -> Vec<Vec3> {
        let current = xyz(&self.rig.current());
        let predicted = xyz(&self.rig.cloth(|world| world.cloth().predicted()));
        predicted
            .iter()
            .zip(&current)
            .map(|(to, from)| *to - *from)
            .collect()
    }
}

/// Where something is on its straight path through a step, at its beginning and end.
type Path = [DVec3; 2];

/// Whether two things on straight paths, whose `distance` is asked for at a time of the step from 0 to 1, come within a reach.
fn come_within(reach: f64, distance: impl Fn(f64) -> f64) -> bool {
    const SAMPLES: usize = 64;
    (0..=SAMPLES).any(|sample| distance(sample as f64 / SAMPLES as f64) < reach)
}

/// Whether balls round straight paths are so far apart that nothing in them comes within a reach.
fn are_far_apart<const N: usize, const M: usize>(
    one: [Path; N],
    other: [Path; M],
    reach: f64,
) -> bool {
    fn ball(paths: &[Path]) -> (DVec3, f64) {
        let ends = || paths.iter().flatten();
        let middle = ends().sum::<DVec3>() / (2 * paths.len()) as f64;
        let radius = ends().map(|at| at.distance(middle)).fold(0.0, f64::max);
        (middle, radius)
    }
    let (one, other) = (ball(&one), ball(&other));
    one.0.distance(other.0) > one.1 + other.1 + reach
}

fn at_time([from, to]: Path, time: f64) -> DVec3 {
    from.lerp(to, time)
}

/// Whether a vertex and a triangle on straight paths come within a reach.
fn meets_triangle(vertex: Path, corners: [Path; 3], reach: f64) -> bool {
    !are_far_apart([vertex], corners, reach)
        && come_within(reach, |time| {
            let p = at_time(vertex, time);
            closest::on_triangle(p, corners.map(|at| at_time(at, time))).distance(p)
        })
}

/// Whether two edges on straight paths come within a reach.
fn meets_edge(edge: [Path; 2], other: [Path; 2], reach: f64) -> bool {
    !are_far_apart(edge, other, reach)
        && come_within(reach, |time| {
            let [a, b] = [edge, other].map(|edge| edge.map(|at| at_time(at, time)));
            distance_between(a, b)
        })
}

/// Between two segments: of their lines where that is within both, else from one of their ends.
fn distance_between([a, a_end]: [DVec3; 2], [b, b_end]: [DVec3; 2]) -> f64 {
    let ends = [
        closest::on_segment(a, b, b_end).distance(a),
        closest::on_segment(a_end, b, b_end).distance(a_end),
        closest::on_segment(b, a, a_end).distance(b),
        closest::on_segment(b_end, a, a_end).distance(b_end),
    ];
    let from_ends = ends.into_iter().fold(f64::MAX, f64::min);
    let (along, other, apart) = (a_end - a, b_end - b, b - a);
    let across = along.cross(other);
    let size = across.length_squared();
    let share = |of: DVec3| apart.cross(of).dot(across) / size;
    let is_within = [share(other), share(along)]
        .iter()
        .all(|share| (0.0..=1.0).contains(share));
    match is_within {
        true => from_ends.min(apart.dot(across).abs() / size.sqrt()),
        false => from_ends,
    }
}

#[test]
fn nothing_that_comes_near_something_is_missed() {
    with_device(|device| of_clouds(device).expect("all are found"));
}

/// What the oracle has compared.
#[derive(Debug, Default)]
struct Compared {
    triangles: usize,
    edges: usize,
    full_lists: usize,
}

/// Of two rigid clouds that fly through each other at up to 20 m/s, against every vertex with every triangle and every edge with every
/// edge in `f64`.
pub fn of_clouds(device: &Arc<Device>) -> Result<(), String> {
    let mut clouds = Clouds::new(device);
    clouds.step(true);
    let mut surface = ClothSurface::default();
    for (garment, body_ix) in clouds.garments.iter().zip(0..) {
        surface.add(garment, body_ix);
    }
    let mut compared = Compared::default();
    for step in 0..12 {
        let motion = clouds.motion();
        clouds.step(false);
        let paths = clouds.paths(&motion);
        let words = (paths.len() + surface.edges.len()) * NEAR_WORDS;
        let lists: Vec<u32> = clouds.rig.read(words, |world| {
            world.cloth_contacts().expect("cloth meets cloth").near()
        });
        missed(&surface, &paths, &lists, &mut compared)
            .map_err(|missed| format!("step {step}: {missed}"))?;
    }
    let Compared {
        triangles,
        edges,
        full_lists,
    } = compared;
    match triangles > 100 && edges > 100 && full_lists < 400 {
        true => Ok(()),
        false => Err(format!("{compared:?}")),
    }
}

/// What the lists of a step ought to have and have not; full ones are passed over.
fn missed(
    surface: &ClothSurface,
    paths: &[Path],
    lists: &[u32],
    compared: &mut Compared,
) -> Result<(), String> {
    let reach = 0.999 * f64::from(GarmentSettings::default().thickness);
    let starts: Vec<Vec3> = paths.iter().map(|path| path[0].as_vec3()).collect();
    let tangled = tangled(&starts, &surface.triangles);
    let is_tangled = |ixs: &[u32]| ixs.iter().any(|&ix| tangled[ix as usize]);
    let is_of_other = |a: u32, b: u32| a != NOTHING && b != NOTHING && (a < 240) != (b < 240);
    let path = |ix: u32| paths[ix as usize];
    for (list_ix, list) in lists.chunks(NEAR_WORDS).enumerate() {
        let listed: Vec<_> = list[1..=list[0] as usize]
            .iter()
            .map(|id| id & 0x7FFF_FFFF)
            .collect();
        if listed.len() == MAX_NEAR {
            compared.full_lists += 1;
            continue;
        }
        if let Some(edge_ix) = list_ix.checked_sub(paths.len()) {
            let ends = surface.edges[edge_ix].ends;
            for (other_ix, other) in surface.edges.iter().enumerate().skip(edge_ix + 1) {
                if !is_of_other(ends[0], other.ends[0])
                    || is_tangled(&ends)
                    || is_tangled(&other.ends)
                {
                    continue;
                }
                if meets_edge(ends.map(path), other.ends.map(path), reach) {
                    compared.edges += 1;
                    if !listed.contains(&(other_ix as u32)) {
                        return Err(format!("edge {edge_ix} misses edge {other_ix}"));
                    }
                }
            }
            continue;
        }
        for (triangle_ix, corners) in surface.triangles.iter().enumerate() {
            if !is_of_other(list_ix as u32, corners[0]) || tangled[list_ix] || is_tangled(corners) {
                continue;
            }
            if meets_triangle(paths[list_ix], corners.map(path), reach) {
                compared.triangles += 1;
                if !listed.contains(&(triangle_ix as u32)) {
                    return Err(format!("vertex {list_ix} misses triangle {triangle_ix}"));
                }
            }
        }
    }
    Ok(())
}

/// Which vertices are at a crossing: of those no side is known.
fn tangled(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<bool> {
    let at = |ix: u32| positions[ix as usize].as_dvec3();
    let mut tangled = vec![false; positions.len()];
    let there = || triangles.iter().filter(|corners| corners[0] != NOTHING);
    for one in there() {
        for other in there() {
            let edges = [[0, 1], [1, 2], [2, 0]].map(|edge| edge.map(|ix: usize| one[ix]));
            for edge in edges.into_iter().filter(|_| one != other) {
                if goes_through(edge.map(at), other.map(at)) {
                    for ix in edge.into_iter().chain(*other) {
                        tangled[ix as usize] = true;
                    }
                }
            }
        }
    }
    tangled
}

/// Cloth of which nobody can say where its outside is: triangles without area, twice the same sheet in the same place, everything at one
/// point.
#[test]
fn garments_without_a_shape_stay_finite() {
    let in_line = |ix: u32| Vec3::new(0.001 * ix as f32, 0.05, 0.0);
    let flat = sheet(10, 10, 0.02, 0.04 * Vec3::Y);
    let cases = [
        loose(vec![0.1 * Vec3::Y; 150]),
        loose((0..150).map(in_line).collect()),
        join(&[flat.clone(), flat.clone()]),
        join(&[flat, loose(vec![0.04 * Vec3::Y; 90])]),
    ];
    with_device(|device| {
        for (ix, garment) in cases.iter().enumerate() {
            let mut pile = Pile::new(device, std::slice::from_ref(garment), true);
            let last = (0..3).map(|_| pile.step()).last().expect("steps");
            let furthest = last
                .iter()
                .map(|at| at.abs().max_element())
                .fold(0.0, f32::max);
            assert!(
                last.iter().all(|at| at.is_finite()) && furthest < 1.0,
                "{ix}: {furthest} m"
            );
        }
    });
}
