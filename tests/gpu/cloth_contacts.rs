//! Cloth that meets cloth: nothing goes through, and what has comes out again.

use std::cmp::Ordering;
use std::sync::Arc;

use glam::{DVec3, Mat4, Quat, Vec3};
use radial_fields::cloth::contacts::twin::Lists;
use radial_fields::cloth::contacts::{ClothSurface, INDEX, NEAR_WORDS, first_edge_list};
use radial_fields::cloth::garment::Garment;
use radial_fields::cloth::twin::{Inputs, Timing, Twin};
use radial_fields::cloth::{ClothSettings, GarmentSettings, Ground};
use radial_fields::engine::Device;
use radial_fields::pose::Palette;
use radial_fields::scenes::Outfit;
use radial_fields::{BodyDef, GarmentDef, WorldDef};

use crate::compare::points_agree_but;
use crate::figures::{Dice, bent, column, hang, join, loose, sheet};
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

    /// The body, to so many metres above where it stands.
    fn move_to(&mut self, height: f32) {
        let place = Mat4::from_translation(height * Vec3::Y);
        self.palette = bent(&column(1), Quat::IDENTITY, place);
    }

    fn step(&mut self) -> Vec<Vec3> {
        self.rig.step(&[&self.palette], !self.has_started);
        self.has_started = true;
        self.rig.particles()
    }

    /// What the last step listed: pairs that are near, and crossings.
    fn lists(&mut self, surface: &ClothSurface) -> [Vec<u32>; 2] {
        let (particles, edges) = (surface.vertices.len(), surface.edges.len());
        let lists = first_edge_list(particles) + edges;
        let near = self.rig.read(lists * NEAR_WORDS, |world| {
            world.cloth_contacts().expect("cloth meets cloth").near()
        });
        let crossings = self.rig.read(edges * NEAR_WORDS, |world| {
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
        previous_targets: &[Vec3],
        lists: Lists,
    ) {
        let targets = self.rig.skin();
        let inputs = Inputs {
            settings,
            garments: &[GarmentSettings::default()],
            previous_targets,
            target_normals: &self.rig.skin_normals(),
            targets: &targets,
            timing: Timing {
                seconds: self.rig.step_seconds,
                last_seconds: self.rig.step_seconds,
                bend_seconds: self.rig.step_seconds,
                time_before: 0.0,
                target_time: 1.0,
                begins_path: false,
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

pub fn goes_through([p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> bool {
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
    sheets_of(10, count, gap)
}

/// The same of so many cells of 2 cm each way.
fn sheets_of(cells: u32, count: u32, gap: f32) -> Vec<Garment> {
    let mut dice = Dice::new(5);
    (0..count)
        .map(|ix| {
            let aside = 0.05 * dice.point().with_y(0.0);
            let mut sheet = sheet(
                cells,
                cells,
                0.02,
                aside + Vec3::Y * (0.02 + gap * ix as f32),
            );
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
    with_device(|device| {
        with_the_twin(device).expect("they agree");
        layers_with_the_twin(device).expect("they agree");
        short_steps_with_the_twin(device).expect("they agree");
    });
}

/// Sheets that nothing holds together, some through each other, as one garment.
pub fn with_the_twin(device: &Arc<Device>) -> Result<(), String> {
    as_their_twin(device, &[join(&crossed_sheets())], STEP_SECONDS, [4, 1])
}

/// The same in the sixteenth of such a step, in which contacts push less far.
pub fn short_steps_with_the_twin(device: &Arc<Device>) -> Result<(), String> {
    let garment = join(&crossed_sheets());
    as_their_twin(device, &[garment], STEP_SECONDS / 16.0, [4, 1])
}

/// The same as layers of one body, which are pushed from deep in the wrong.
pub fn layers_with_the_twin(device: &Arc<Device>) -> Result<(), String> {
    as_their_twin(device, &crossed_sheets(), STEP_SECONDS, [16, 10])
}

fn crossed_sheets() -> Vec<Garment> {
    let mut sheets = sheets(4, 0.002);
    for at in &mut sheets[1].mesh.positions {
        at.y += 0.3 * at.x;
    }
    sheets
}

/// Whether edges belong in front of the triangles that they cross where they are of a further layer, behind those of an inner one, and on no side of
/// their own.
fn sides_are_layers(surface: &ClothSurface, crossings: &[u32]) -> Result<(), String> {
    let layer = |ix: u32| surface.vertices[ix as usize].layer;
    for (edge, list) in surface.edges.iter().zip(crossings.chunks(NEAR_WORDS)) {
        for id in &list[1..=list[0] as usize] {
            let corner = surface.triangles[(id & INDEX) as usize][0];
            let expected = match layer(edge.ends[0]).cmp(&layer(corner)) {
                Ordering::Equal => 0,
                Ordering::Greater => 1 << 30,
                Ordering::Less => 3 << 30,
            };
            if id & !INDEX != expected {
                return Err(format!(
                    "{:?} crosses {id:#x}, not {expected:#x}",
                    edge.ends
                ));
            }
        }
    }
    Ok(())
}

/// Metres that the body rises in a step, so that it matters how far it carries cloth that nothing holds to it.
const RISE: f32 = 0.002;

/// Step by step from the GPU's state. `rounded`: of so many predicted and current positions rounding may decide.
fn as_their_twin(
    device: &Arc<Device>,
    garments: &[Garment],
    step_seconds: f32,
    rounded: [usize; 2],
) -> Result<(), String> {
    let garment = join(garments);
    let mut surface = ClothSurface::default();
    for garment in garments {
        surface.add(garment, 0);
    }
    let cloth = ClothSettings {
        sub_steps: 1,
        iterations: 0,
        ..ClothSettings::default()
    };
    let mut pile = Pile::with(device, garments, true, cloth);
    pile.rig.step_seconds = step_seconds;
    let mut twin = twin_of(&garment, pile.body_vertices, 1.0);
    pile.step();
    let (mut met, mut crossed) = (0, 0);
    for step in 1..7 {
        let previous_targets = pile.rig.skin();
        pile.move_to(step as f32 * RISE);
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
        met += count_listed(lists.near);
        crossed += count_listed(lists.crossings);
        sides_are_layers(&surface, lists.crossings)?;
        pile.step_twin(&mut twin, &cloth, &surface, &previous_targets, lists);
        let found = xyz(&pile.rig.cloth(|world| world.cloth().predicted()));
        // The way out of a crossing turns fast where the cloth it crosses is nearly in line with it.
        points_agree_but(rounded[0], 1e-4, &found, &twin.predicted, 2e-6)?;
        let current = xyz(&pile.rig.current());
        points_agree_but(rounded[1], 1e-4, &current, &twin.current, 2e-6)?;
    }
    match met > 1000 && crossed > 50 {
        true => Ok(()),
        false => Err(format!("{met} pairs, {crossed} crossings")),
    }
}

/// How many entries lists have.
fn count_listed(words: &[u32]) -> u32 {
    words.chunks(NEAR_WORDS).map(|list| list[0]).sum()
}

/// A heap as one garment, whose sheets know no order, and garments worn over each other.
#[test]
fn sheets_that_fall_on_each_other_never_cross_and_come_to_rest() {
    with_device(|device| {
        let piles = [
            (vec![join(&sheets_of(7, 6, 0.03))], 6.0),
            (sheets_of(7, 3, 0.03), 3.0),
            (sheets(10, 0.01), 10.0),
        ];
        for (garments, layers) in piles {
            let mut pile = Pile::new(device, &garments, true);
            let mut before = pile.step();
            let mut speed = 0.0;
            for step in 0..100 {
                let after = pile.step();
                assert_eq!(pile.crossings(&after), 0, "step {step}");
                speed = rms_speed(&before, &after);
                before = after;
            }
            println!("{layers} layers: {speed} m/s at the end");
            assert!(speed < 0.002, "{speed} m/s");
            // Nearly 3 mm from one to the next.
            let least = 0.002 * (layers - 1.0);
            assert!(thickness(&before) > least, "{}", thickness(&before));
        }
    });
}

/// From 20 cm, so that the last sheets strike a heap at 3 m/s, further in a sub-step than sheets lie apart.
#[test]
fn sheets_that_fall_far_do_not_go_through_a_heap() {
    with_device(|device| fall_far(device).expect("nothing crosses"));
}

pub fn fall_far(device: &Arc<Device>) -> Result<(), String> {
    let mut garments = sheets_of(7, 12, 0.02);
    for at in garments
        .iter_mut()
        .flat_map(|each| &mut each.mesh.positions)
    {
        at.y += 0.2;
    }
    let mut pile = Pile::new(device, &garments, true);
    for step in 0..50 {
        let after = pile.step();
        match pile.crossings(&after) {
            0 => {}
            count => return Err(format!("step {step}: {count} crossings")),
        }
    }
    Ok(())
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
    let garments = [0.012, 0.009].map(|height| sheet(8, 8, 0.02, height * Vec3::Y));
    let mut pile = Pile::new(device, &garments, true);
    let last = (0..40).map(|_| pile.step()).last().expect("steps");
    let (inner, outer) = last.split_at(64);
    let is_over = |(inner, outer): (&Vec3, &Vec3)| outer.y > inner.y;
    let over = inner
        .iter()
        .zip(outer)
        .filter(|&pair| is_over(pair))
        .count();
    match over > 61 {
        true => Ok(()),
        false => Err(format!("{over} of 64 lie over")),
    }
}

/// A hem of the inner garment hangs out of the outer one.
#[test]
fn layers_that_begin_through_each_other_come_home() {
    with_device(|device| {
        let mut garments = [0.03, 0.028].map(|height| sheet(8, 8, 0.02, height * Vec3::Y));
        for at in &mut garments[1].mesh.positions {
            at.y += 0.25 * at.x;
        }
        let mut pile = Pile::new(device, &garments, true);
        let last = (0..60).map(|_| pile.step()).last().expect("steps");
        assert_eq!(pile.crossings(&last), 0);
        let (inner, outer) = last.split_at(64);
        let pairs = inner.iter().zip(outer);
        let over = pairs.filter(|(inner, outer)| outer.y > inner.y).count();
        assert!(over > 61, "{over} of 64 lie over");
    });
}

#[test]
fn a_heap_is_the_same_to_the_bit_whenever_it_falls() {
    with_device(|device| {
        let run = || {
            let mut pile = Pile::new(device, &[join(&sheets(4, 0.004))], true);
            (0..12).map(|_| pile.step()).last().expect("steps")
        };
        let bits = |at: Vec<Vec3>| {
            at.iter()
                .flat_map(|at| at.to_array().map(f32::to_bits))
                .collect::<Vec<_>>()
        };
        assert_eq!(bits(run()), bits(run()));
    });
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
            let last = (0..2).map(|_| pile.step()).last().expect("steps");
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
