//! Garments worn over each other.
//!
//! The outer garment keeps as far from the skin as the inner one was made, and a little more. Where cloth does not meet cloth, the inner one is
//! held close to where it was made wherever another covers it. What hangs wide over others, as a coat does, keeps off by what lies nearest
//! beneath, and holds that to its skinned place.

use std::collections::BTreeSet;

use glam::Vec3;

use super::garment::{Garment, LOOSE, Layered};
#[cfg(feature = "authoring")]
use super::motion::grade;
use crate::avatar::SkinMesh;
use crate::math::triangle_tree::TriangleTree;

/// Metres of a person: an outer garment covers the inner one where they were made no further apart. Usually 0.04 to 0.08; larger holds
/// flared cloth that nothing covers.
const REACH: f32 = 0.05;

/// Metres of a person: what hangs over another garment, rather than lies on it, was made no further off. Usually 0.1 to 0.2; less, and
/// trousers come through a coat that their wearer walks into.
#[cfg(feature = "authoring")]
const HANGING_REACH: f32 = 0.16;

/// Metres of a person between what hangs and what it hangs over, which moves. Usually 0.01 to 0.03; more makes a coat stout.
#[cfg(feature = "authoring")]
const HANGING_GAP: f32 = 0.018;

/// Metres of a person that what something hangs over moves from its skinned place at most, where cloth does not meet cloth. Usually 0.01, less than
/// [`HANGING_GAP`]; more, and its folds come through. Limbs tear what is held so close: see `cloth.md`, "What a coat holds".
#[cfg(feature = "authoring")]
const HELD_WITHIN: f32 = 0.01;

/// Metres of a person that cloth which hangs over another, close enough to have a backstop, moves from its skinned place at most, where cloth
/// does not meet cloth. Usually 0.03; with 0.05 it gets past its backstops, and sleeves beneath show through raised ones.
#[cfg(feature = "authoring")]
const HANGS_WITHIN: f32 = 0.03;

/// The same where cloth meets cloth. Usually 0.06; with 0.03 the coat is stretched half as much again, with no limit it slips off limbs.
#[cfg(feature = "authoring")]
const SWINGS_WITHIN: f32 = 0.06;

/// By how much what hangs free beside that may swing further, per metre of cloth between them. Usually 0.5; without such a limit edges between both are
/// up to 1.35 times as long as they were made in calm motion, not 1.24, and with 0.25 edges of a man's coat 1.9 times.
#[cfg(feature = "authoring")]
const SWINGS_FURTHER: f32 = 0.5;

/// Metres of a person between two layers. Usually 0.01 to 0.02; with 0.006 trousers come through a top's hem at each stride, with more the top gets
/// no further out of their way and stands off.
const GAP: f32 = 0.014;

/// The same between a coat and what it hangs over where cloth meets cloth: what contacts keep. Usually 0.003; with more they push against each other.
#[cfg(feature = "authoring")]
const CONTACT_GAP: f32 = 0.003;

/// Prepares garments of one body, innermost first, to be worn together.
pub fn layer(garments: &mut [Garment], skin: &SkinMesh) {
    if garments.len() < 2 {
        return;
    }
    let size = skin.size();
    let skin = TriangleTree::new(&skin.positions, &skin.triangles);
    for outer_ix in 1..garments.len() {
        let (inner, outer) = garments.split_at_mut(outer_ix);
        for inner in inner {
            cover(inner, &mut outer[0], &skin, size);
        }
    }
    // The others' become backstops where they get some.
    let constrained = |garment: &&mut Garment| !garment.motion.is_empty();
    (garments.iter_mut().filter(constrained)).for_each(leave_to_contacts);
}

/// Has a garment keep its clearances where cloth does not meet cloth alone: where it does, contacts keep it off what is beneath, and a thickness would
/// keep it as far from every limb.
pub(super) fn leave_to_contacts(garment: &mut Garment) {
    for (clearance, particle_ix) in garment.clearances.iter_mut().zip(0..) {
        let clearance = std::mem::take(clearance);
        if clearance > 0.0 {
            let layered = garment.layered.entry(particle_ix).or_insert(Layered::FREE);
            layered.clearance = layered.clearance.max(clearance);
        }
    }
}

/// Has `outer` keep clear of `inner`, and finds which part of `inner` it covers.
fn cover(inner: &mut Garment, outer: &mut Garment, skin: &TriangleTree, size: f32) {
    let grid = Grid::new(&inner.mesh.positions, REACH * size);
    let mut covered = BTreeSet::new();
    outer.clearances.resize(outer.mesh.positions.len(), 0.0);
    for (position, clearance) in outer.mesh.positions.iter().zip(&mut outer.clearances) {
        for inner_ix in grid.near(*position) {
            let distance = distance_to(skin, inner.mesh.positions[inner_ix as usize]);
            *clearance = clearance.max(distance + GAP * size);
            covered.insert(inner_ix);
        }
    }
    for attachment in &inner.attachments {
        covered.remove(&attachment.particle_ix);
    }
    for particle_ix in covered {
        let held = inner.layered.entry(particle_ix).or_insert(Layered::FREE);
        held.compliance = LOOSE;
    }
}

/// Has a garment that hangs over others, and that [`layer`] has seen, keep further from the skin than what it hangs over, where cloth does not meet
/// cloth; where it does, nearer than that.
#[cfg(feature = "authoring")]
pub(super) fn hang_over(inner: &[Garment], outer: &mut Garment, skin: &SkinMesh) {
    let size = skin.size();
    let skin = TriangleTree::new(&skin.positions, &skin.triangles);
    let positions: Vec<Vec3> = (inner.iter())
        .flat_map(|garment| garment.mesh.positions.iter().copied())
        .collect();
    let grid = Grid::new(&positions, HANGING_REACH * size);
    outer.clearances.resize(outer.mesh.positions.len(), 0.0);
    let particles = outer.mesh.positions.iter().zip(&mut outer.clearances);
    for ((position, clearance), particle_ix) in particles.zip(0..) {
        let beneath = grid.near(*position).map(|ix| positions[ix as usize]);
        let off = |at: &Vec3| at.distance_squared(*position);
        let beneath = beneath.min_by(|a, b| off(a).total_cmp(&off(b)));
        let hanging = beneath.map_or(0.0, |at| distance_to(&skin, at) + HANGING_GAP * size);
        if clearance.max(hanging) > 0.0 {
            let layered = outer.layered.entry(particle_ix).or_insert(Layered::FREE);
            layered.clearance = clearance.max(hanging);
            *clearance = (*clearance - (GAP - CONTACT_GAP) * size).max(0.0);
        }
    }
}

/// Has what a garment hangs over stay close to its skinned place, where the other one's backstops expect it.
#[cfg(feature = "authoring")]
pub(super) fn hold_beneath(inner: &mut [Garment], outer: &mut Garment, size: f32) {
    let grid = Grid::new(&outer.mesh.positions, HANGING_REACH * size);
    for garment in inner {
        for (position, particle_ix) in garment.mesh.positions.iter().zip(0..) {
            if grid.near(*position).next().is_some() {
                let held = garment.layered.entry(particle_ix).or_insert(Layered::FREE);
                held.max_distance = HELD_WITHIN * size;
            }
        }
    }
    for (motion, particle_ix) in outer.motion.iter_mut().zip(0..) {
        if motion.backstop_radius > 0.0 {
            let layered = outer.layered.entry(particle_ix).or_insert(Layered::FREE);
            layered.max_distance = HANGS_WITHIN * size;
            motion.max_distance = motion.max_distance.min(SWINGS_WITHIN * size);
        }
    }
    grade(outer, SWINGS_FURTHER, f32::INFINITY);
}

fn distance_to(skin: &TriangleTree, position: Vec3) -> f32 {
    skin.nearest_point(position.as_dvec3(), f64::INFINITY)
        .map_or(0.0, |nearest| nearest.distance as f32)
}

/// Points by where they are.
struct Grid {
    /// How far points are looked for, and how wide cells are, metres.
    reach: f32,
    /// Cell and index, sorted.
    points: Vec<([i32; 3], u32)>,
    positions: Vec<Vec3>,
}

impl Grid {
    fn new(positions: &[Vec3], reach: f32) -> Self {
        let mut points: Vec<_> = positions
            .iter()
            .zip(0..)
            .map(|(position, ix)| (cell(*position, reach), ix))
            .collect();
        points.sort_unstable();
        Self {
            reach,
            points,
            positions: positions.to_vec(),
        }
    }

    /// Points within the reach.
    fn near(&self, position: Vec3) -> impl Iterator<Item = u32> + '_ {
        let [x, y, z] = cell(position, self.reach);
        let columns = (-1..=1).flat_map(move |dx| (-1..=1).map(move |dy| [x + dx, y + dy]));
        columns.flat_map(move |[x, y]| {
            let first = self.points.partition_point(|point| point.0 < [x, y, z - 1]);
            let run = self.points[first..]
                .iter()
                .take_while(move |point| point.0 <= [x, y, z + 1]);
            run.map(|point| point.1)
                .filter(move |&ix| self.positions[ix as usize].distance(position) < self.reach)
        })
    }
}

fn cell(position: Vec3, width: f32) -> [i32; 3] {
    (position / width).floor().as_ivec3().to_array()
}

#[cfg(test)]
mod tests {
    #[cfg(feature = "authoring")]
    use std::collections::BTreeMap;

    use super::*;
    #[cfg(feature = "authoring")]
    use crate::cloth::MotionConstraint;

    /// A square of four particles at a height, two triangles.
    fn square(height: f32) -> Garment {
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        Garment {
            name: "square".to_owned(),
            mesh: SkinMesh {
                positions: corners.map(|(x, z)| Vec3::new(x, height, z)).to_vec(),
                triangles: vec![[0, 2, 1], [0, 3, 2]],
                ..SkinMesh::default()
            },
            attachments: Vec::new(),
            rest_positions: Vec::new(),
            clearances: Vec::new(),
            layered: Default::default(),
            motion: Vec::new(),
            drawn: None,
            base_colour: [1.0; 4],
        }
    }

    /// Skin beneath squares at the origin, of a person's height altogether.
    fn floor() -> SkinMesh {
        let mut skin = square(0.0).mesh;
        let sole = [Vec3::ZERO, 0.1 * Vec3::X, 0.1 * Vec3::Z].map(|at| at - 1.75 * Vec3::Y);
        skin.positions.extend(sole);
        skin.triangles.push([4, 5, 6]);
        skin
    }

    /// What one particle of an outer square keeps from skin of a character `size` times a person's height, and whether the inner
    /// square is held.
    fn layered(size: f32) -> (f32, bool) {
        let mut garments = [square(0.0), square(0.02)];
        for garment in &mut garments {
            garment.mesh.positions.iter_mut().for_each(|at| *at *= size);
        }
        let corners = [
            Vec3::new(0.0, -1.76, 0.0),
            Vec3::new(1.0, -0.01, 1.0),
            Vec3::new(0.0, -0.01, 0.0),
        ];
        let skin = SkinMesh {
            positions: corners.map(|at| at * size).to_vec(),
            triangles: vec![[0, 1, 2]],
            ..SkinMesh::default()
        };
        layer(&mut garments, &skin);
        (garments[1].clearances[0], garments[0].layered.is_empty())
    }

    #[test]
    fn layers_are_in_proportion_to_the_character() {
        let (clearance, is_free) = layered(1.0);
        assert!(clearance > GAP && !is_free);
        for size in [0.1, 10.0] {
            let (other, is_free) = layered(size);
            assert!(
                (other / size - clearance).abs() < 1e-4,
                "{other} for {clearance}"
            );
            assert!(!is_free);
        }
    }

    #[test]
    fn the_outer_garment_keeps_clear_of_the_inner_one() {
        let skin = floor();
        let mut garments = [square(0.01), square(0.02)];
        layer(&mut garments, &skin);
        assert_eq!(garments[0].layered.len(), 4);
        assert!(garments[0].clearances.is_empty());
        assert!(
            garments[1]
                .clearances
                .iter()
                .all(|clearance| (clearance - 0.024).abs() < 1e-5)
        );
    }

    #[cfg(feature = "authoring")]
    #[test]
    fn what_hangs_over_others_keeps_clear_of_the_nearest_of_them() {
        let skin = floor();
        let mut coat = square(0.1);
        hang_over(&[square(0.01), square(0.03)], &mut coat, &skin);
        let kept = |layered: &Layered| (layered.clearance - 0.03 - HANGING_GAP).abs() < 1e-5;
        assert_eq!(coat.layered.len(), 4);
        assert!(coat.layered.values().all(kept), "{:?}", coat.layered);
        assert_eq!(coat.clearances, [0.0; 4]);
        let mut far = square(0.3);
        hang_over(&[square(0.01)], &mut far, &skin);
        assert!(far.layered.is_empty());

        let mut garments = [square(0.01), square(0.03)];
        layer(&mut garments, &skin);
        let [inner, coat] = &mut garments;
        hang_over(std::slice::from_ref(inner), coat, &skin);
        let kept = |clearance: &f32| (clearance - 0.01 - CONTACT_GAP).abs() < 1e-5;
        assert!(coat.clearances.iter().all(kept), "{:?}", coat.clearances);
    }

    #[cfg(feature = "authoring")]
    #[test]
    fn what_something_hangs_over_stays_at_its_skinned_place_and_the_rest_is_free() {
        let (mut coat, mut inner) = (square(0.1), [square(0.01), square(0.3)]);
        coat.motion = vec![MotionConstraint::default(); 4];
        coat.motion[0].backstop_radius = 0.03;
        hold_beneath(&mut inner, &mut coat, 2.0);
        let held = Layered {
            max_distance: 2.0 * HELD_WITHIN,
            ..Layered::FREE
        };
        let all: BTreeMap<_, _> = (0..4).map(|ix| (ix, held)).collect();
        assert_eq!(inner[0].layered, all);
        assert_eq!(inner[1].layered, all);
        assert_eq!(coat.layered[&0].max_distance, 2.0 * HANGS_WITHIN);
        assert_eq!(coat.motion[0].max_distance, 2.0 * SWINGS_WITHIN);
        let side = coat.mesh.positions[0].distance(coat.mesh.positions[1]);
        let beside = 2.0 * SWINGS_WITHIN + SWINGS_FURTHER * side;
        assert!((coat.motion[1].max_distance - beside).abs() < 1e-6);

        inner[1].layered.clear();
        hold_beneath(&mut inner, &mut coat, 1.0);
        assert!(inner[1].layered.is_empty());
    }

    #[test]
    fn what_has_motion_constraints_of_its_own_keeps_clear_where_cloth_does_not_meet_cloth() {
        let mut garments = [square(0.01), square(0.03)];
        garments[1].motion = vec![MotionConstraint::default(); 4];
        layer(&mut garments, &floor());
        assert_eq!(garments[1].clearances, [0.0; 4]);
        let kept = |layered: &Layered| (layered.clearance - 0.024).abs() < 1e-5;
        assert_eq!(garments[1].layered.len(), 4);
        assert!(garments[1].layered.values().all(kept));
    }

    #[test]
    fn garments_apart_leave_each_other_alone() {
        let skin = floor();
        let mut garments = [square(0.01), square(0.2)];
        layer(&mut garments, &skin);
        assert!(garments[0].layered.is_empty());
        assert!(
            garments[1]
                .clearances
                .iter()
                .all(|&clearance| clearance == 0.0)
        );
    }
}
