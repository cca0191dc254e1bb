//! What cloth may meet in a step is found: against every pair of two clouds of triangles, in `f64`.

use std::sync::Arc;

use glam::{DVec3, Mat4, Quat, Vec3};
use radial_fields::cloth::contacts::{
    ClothSurface, INDEX, MAX_NEAR, NEAR_WORDS, NOTHING, first_edge_list,
};
use radial_fields::cloth::garment::Garment;
use radial_fields::cloth::{ClothSettings, GarmentSettings, MotionConstraint};
use radial_fields::engine::Device;
use radial_fields::math::closest;
use radial_fields::pose::Palette;
use radial_fields::{BodyDef, GarmentDef, WorldDef};

use crate::cloth_contacts::goes_through;
use crate::figures::{Dice, column, loose, moved};
use crate::fixture::{Rig, STEP_SECONDS, with_device, xyz};

/// Two clouds of triangles, each as rigid as the bone that moves it, and before them triangles that are far from both and from each other.
pub struct Clouds {
    pub rig: Rig,
    palette: Palette,
    avatar: radial_fields::avatar::Avatar,
    pub surface: ClothSurface,
    /// The first particle of the clouds.
    first: u32,
    dice: Dice,
    /// Of each particle where it is before a bone moves it, and which cloud's does.
    rest: Vec<(Vec3, usize)>,
    places: [Mat4; 2],
    /// Of clouds that swell and shrink by turns, and do nothing else: the steps so far.
    swelling: Option<u32>,
    /// Metres per step.
    fastest: f32,
}

/// Metres, each way, of slivers whose balls nearly all overlap.
const SLIVERS: f32 = 0.15;

/// Metres per step: 20 m/s.
const FASTEST: f32 = 20.0 * STEP_SECONDS;

/// Particles of a cloud.
const PARTICLES: u32 = 240;

/// Triangles of two centimetres round those middles, that go where their bone goes; or slivers of so many metres each way.
fn cloud(middles: impl Iterator<Item = Vec3>, length: f32, dice: &mut Dice) -> Garment {
    let corners = middles.flat_map(|middle| {
        let along = length * dice.point().normalize();
        [-1.0, 0.0, 1.0].map(|share| middle + share * along + 0.02 * dice.point())
    });
    let mut garment = loose(corners.collect::<Vec<_>>());
    let fixed = MotionConstraint {
        max_distance: 0.0,
        ..MotionConstraint::default()
    };
    garment.motion = vec![fixed; garment.mesh.positions.len()];
    garment
}

impl Clouds {
    pub fn new(device: &Arc<Device>, far_count: u32, length: f32) -> Self {
        let mut dice = Dice::new(11);
        let far = (0..far_count).map(|ix| Vec3::new((ix % 100) as f32, 100.0, (ix / 100) as f32));
        let far = (far_count > 0).then(|| (cloud(far, 0.0, &mut dice), 0));
        let near = [0, 1].map(|body_ix| {
            let middles: Vec<_> = (0..PARTICLES / 3).map(|_| 0.25 * dice.point()).collect();
            (cloud(middles.into_iter(), length, &mut dice), body_ix)
        });
        let garments: Vec<(Garment, usize)> = far.into_iter().chain(near).collect();
        let mut surface = ClothSurface::default();
        let mut rest = Vec::new();
        for (garment, body_ix) in &garments {
            surface.add(garment, *body_ix as u32);
            rest.extend(garment.mesh.positions.iter().map(|at| (*at, *body_ix)));
        }
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
        let defs = garments.iter().map(|(garment, body_ix)| GarmentDef {
            garment,
            body_ix: *body_ix,
            settings,
        });
        let defs: Vec<_> = defs.collect();
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
            surface,
            rest,
            first: 3 * far_count,
            dice,
            places: [Mat4::IDENTITY; 2],
            swelling: None,
            fastest: FASTEST,
        }
    }

    /// Of slow slivers, of which few meet and many cross.
    pub fn of_slivers(device: &Arc<Device>) -> Self {
        Self {
            fastest: 0.05 * FASTEST,
            ..Self::new(device, 0, SLIVERS)
        }
    }

    /// Of clouds whose triangles grow and shrink, so that their corners go different ways.
    fn that_swell(device: &Arc<Device>) -> Self {
        Self {
            swelling: Some(0),
            ..Self::new(device, 0, SLIVERS)
        }
    }

    pub fn step(&mut self, starts: bool) {
        match &mut self.swelling {
            Some(steps) => {
                *steps += 1;
                let swollen = 0.9 * (*steps as f32).sin();
                self.places =
                    [1.5 + swollen, 1.5 - swollen].map(|size| Mat4::from_scale(Vec3::splat(size)));
            }
            None => self.go_somewhere(),
        }
        let palettes = self
            .places
            .map(|place| moved(&self.avatar, &self.palette, place));
        self.rig.step(&[&palettes[0], &palettes[1]], starts);
    }

    fn go_somewhere(&mut self) {
        for place in &mut self.places {
            let shift = self.fastest * self.dice.number() * self.dice.point().normalize();
            let turn = Quat::from_scaled_axis(0.3 * self.dice.point());
            // Back to where they can meet.
            let home = -0.5 * place.w_axis.truncate();
            *place = Mat4::from_translation(shift + home) * Mat4::from_quat(turn) * *place;
        }
    }

    /// Where particles began the last step and where its only sub-step would have taken them.
    fn paths(&mut self, before: &[Vec3]) -> Vec<[DVec3; 2]> {
        let current = xyz(&self.rig.current());
        let paths = current.iter().zip(before);
        paths
            .map(|(at, motion)| [at.as_dvec3(), (*at + *motion).as_dvec3()])
            .collect()
    }

    /// Where the bones have moved the particles, and where motion constraints so put them when the next step begins.
    pub fn places(&self) -> Vec<DVec3> {
        let placed = |&(at, body_ix): &(Vec3, usize)| self.places[body_ix].transform_point3(at);
        self.rest.iter().map(placed).map(Vec3::as_dvec3).collect()
    }

    /// What each edge crossed when the last step began.
    pub fn crossings(&mut self) -> Vec<u32> {
        let words = self.surface.edges.len() * NEAR_WORDS;
        self.rig.read(words, |world| {
            world
                .cloth_contacts()
                .expect("cloth meets cloth")
                .crossings()
        })
    }

    /// What each vertex and edge might meet in the last step.
    pub fn near(&mut self, particle_count: usize) -> Vec<u32> {
        let words = (first_edge_list(particle_count) + self.surface.edges.len()) * NEAR_WORDS;
        self.rig.read(words, |world| {
            world.cloth_contacts().expect("cloth meets cloth").near()
        })
    }

    /// Whose edges and triangles the GPU takes for crossed; slivers may be, by the rounding of `f32`, where they are not.
    fn excuse_crossed(&mut self, excused: &mut [bool]) {
        let lists = self.crossings();
        for (edge, list) in self.surface.edges.iter().zip(lists.chunks(NEAR_WORDS)) {
            for id in &list[1..=list[0] as usize] {
                // A mistake in a shader may list what is not there.
                let corners = self.surface.triangles.get((id & INDEX) as usize);
                for ix in corners.into_iter().flatten().chain(&edge.ends) {
                    if let Some(excused) = excused.get_mut(*ix as usize) {
                        *excused = true;
                    }
                }
            }
        }
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

/// What tells which triangles a full list of a vertex keeps, metres: at the nearest of three times of the step, and a third of it by how near
/// they are when it begins (`SOONER` of glsl/cloth/contact_sides.glsl).
fn rank_of_triangle(vertex: Path, corners: [Path; 3]) -> f64 {
    let distances = [0.0, 0.5, 1.0].map(|time| {
        let p = at_time(vertex, time);
        closest::on_triangle(p, corners.map(|at| at_time(at, time))).distance(p)
    });
    let least = distances.into_iter().fold(f64::MAX, f64::min);
    0.7 * least + 0.3 * distances[0]
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

#[test]
fn nothing_is_missed_whose_corners_go_different_ways() {
    with_device(|device| of_swelling_clouds(device).expect("all are found"));
}

#[test]
fn nothing_is_missed_in_a_large_world() {
    with_device(|device| of_a_large_world(device).expect("all are found"));
}

#[test]
fn nothing_is_missed_where_more_may_meet_than_there_is_room_for() {
    with_device(|device| of_slivers(device).expect("all are found"));
}

/// What the oracle has compared.
#[derive(Debug, Default)]
struct Compared {
    triangles: usize,
    edges: usize,
    full_lists: usize,
    /// Of vertices with several triangles, the nearest first or not.
    ordered_lists: usize,
    disordered_lists: usize,
}

impl Compared {
    /// Whether it was more than so many pairs with triangles and with edges, and fewer full lists than that.
    fn more_than(&self, pairs: usize, edges: usize, full_lists: usize) -> Result<(), String> {
        match self.triangles > pairs && self.edges > edges && self.full_lists < full_lists {
            true => Ok(()),
            false => Err(format!("{self:?}")),
        }
    }

    /// Whether the nearest came first, in many lists.
    fn in_order(self) -> Result<Self, String> {
        match self.ordered_lists > 100 && self.disordered_lists == 0 {
            true => Ok(self),
            false => Err(format!("{self:?}")),
        }
    }
}

/// Of two rigid clouds that fly through each other at up to 20 m/s, against every vertex with every triangle and every edge with every
/// edge in `f64`; the nearest triangles come first, so that they stay where a list is full.
pub fn of_clouds(device: &Arc<Device>) -> Result<(), String> {
    let mut clouds = Clouds::new(device, 0, 0.0);
    compare(&mut clouds, 24)?
        .in_order()?
        .more_than(100, 100, 400)
}

/// The same of slivers that swell to four times their size and shrink again.
pub fn of_swelling_clouds(device: &Arc<Device>) -> Result<(), String> {
    let mut clouds = Clouds::that_swell(device);
    compare(&mut clouds, 36)?.more_than(50, 100, 8000)
}

/// The same where edges have several regions of 32 blocks of 32 tiles of 32: the clouds' lie in the second.
pub fn of_a_large_world(device: &Arc<Device>) -> Result<(), String> {
    let mut clouds = Clouds::new(device, 11_000, 0.0);
    assert!(clouds.surface.edges.len() > 32 * 32 * 32);
    compare(&mut clouds, 2)?.more_than(10, 10, usize::MAX)
}

/// The same with slow slivers, whose balls nearly all overlap, and of which few meet: more pairs than there is room for.
pub fn of_slivers(device: &Arc<Device>) -> Result<(), String> {
    let mut clouds = Clouds::of_slivers(device);
    compare(&mut clouds, 24)?.more_than(50, 100, 1000)
}

/// Over so many steps.
fn compare(clouds: &mut Clouds, steps: usize) -> Result<Compared, String> {
    clouds.step(true);
    let mut compared = Compared::default();
    for step in 0..steps {
        let motion = clouds.motion();
        let before = clouds.rig.current();
        clouds.step(false);
        let paths = clouds.paths(&motion);
        let lists = clouds.near(paths.len());
        let after = clouds.rig.current();
        // What contacts have pushed too far goes home through everything.
        let is_astray = before.iter().chain(&after).map(|at| at.w != 0.0);
        let is_astray: Vec<bool> = is_astray.collect();
        let (before, after) = is_astray.split_at(paths.len());
        let mut excused: Vec<bool> = before.iter().zip(after).map(|(a, b)| a | b).collect();
        clouds.excuse_crossed(&mut excused);
        missed(clouds, &paths, &excused, &lists, &mut compared)
            .map_err(|missed| format!("step {step}: {missed}"))?;
    }
    Ok(compared)
}

/// What the lists of a step ought to have and have not; full ones are passed over.
fn missed(
    clouds: &Clouds,
    paths: &[Path],
    excused: &[bool],
    lists: &[u32],
    compared: &mut Compared,
) -> Result<(), String> {
    let reach = 0.999 * f64::from(GarmentSettings::default().thickness);
    let starts: Vec<Vec3> = paths.iter().map(|path| path[0].as_vec3()).collect();
    let (surface, first) = (&clouds.surface, clouds.first);
    let is_near = |ix: u32| ix != NOTHING && ix >= first;
    let of_clouds = surface
        .triangles
        .iter()
        .filter(|corners| is_near(corners[0]));
    let mut apart = tangled(&starts, &of_clouds.copied().collect::<Vec<_>>());
    for (apart, is_excused) in apart.iter_mut().zip(excused) {
        *apart |= is_excused;
    }
    let is_apart = |ixs: &[u32]| ixs.iter().any(|&ix| apart[ix as usize]);
    let is_first = |ix: u32| ix < first + PARTICLES;
    let is_of_other = |a: u32, b: u32| is_near(a) && is_near(b) && is_first(a) != is_first(b);
    let path = |ix: u32| paths[ix as usize];
    for (list_ix, list) in lists.chunks(NEAR_WORDS).enumerate() {
        let listed: Vec<_> = list[1..=list[0] as usize]
            .iter()
            .map(|id| id & 0x7FFF_FFFF)
            .collect();
        if list_ix < paths.len() && is_near(list_ix as u32) && listed.len() > 1 {
            let corners = listed.iter().map(|&ix| surface.triangles[ix as usize]);
            let ranks = corners.map(|corners| rank_of_triangle(paths[list_ix], corners.map(path)));
            let ranks: Vec<f64> = ranks.collect();
            match ranks.windows(2).all(|pair| pair[0] < pair[1] + 1e-5) {
                true => compared.ordered_lists += 1,
                false => compared.disordered_lists += 1,
            }
        }
        if listed.len() == MAX_NEAR {
            compared.full_lists += 1;
            continue;
        }
        if let Some(edge_ix) = list_ix.checked_sub(first_edge_list(paths.len())) {
            let ends = surface.edges[edge_ix].ends;
            if !is_near(ends[0]) {
                continue;
            }
            for (other_ix, other) in surface.edges.iter().enumerate().skip(edge_ix + 1) {
                if !is_of_other(ends[0], other.ends[0]) || is_apart(&ends) || is_apart(&other.ends)
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
        if list_ix >= paths.len() || !is_near(list_ix as u32) {
            continue;
        }
        for (triangle_ix, corners) in surface.triangles.iter().enumerate() {
            if !is_of_other(list_ix as u32, corners[0]) || apart[list_ix] || is_apart(corners) {
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
