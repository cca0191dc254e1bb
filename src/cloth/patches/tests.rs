use std::collections::BTreeSet;
use std::f32::consts::TAU;

use glam::{Vec2, Vec3};
use proptest::prelude::*;

use super::*;
use crate::avatar::SkinMesh;
use crate::cloth::garment::Garment;

fn graph(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> ConstraintGraph {
    ConstraintGraph::build(&Garment {
        name: String::new(),
        mesh: SkinMesh {
            positions,
            triangles,
            ..SkinMesh::default()
        },
        attachments: Vec::new(),
        rest_positions: Vec::new(),
        clearances: Vec::new(),
        layered: Default::default(),
        motion: Vec::new(),
        drawn: None,
        base_colour: [1.0; 4],
    })
}

/// A sheet of `columns` × `rows` particles; as a tube, its sides are sewn together.
fn sheet(columns: u32, rows: u32, is_tube: bool) -> ConstraintGraph {
    let at = |ix: u32| Vec3::new((ix % columns) as f32, (ix / columns) as f32, 0.0) * 0.02;
    let across = if is_tube { columns } else { columns - 1 };
    let quads = (0..rows - 1).flat_map(|row| (0..across).map(move |column| (row, column)));
    let triangles = quads.flat_map(|(row, column)| {
        let [a, b] = [column, (column + 1) % columns].map(|column| row * columns + column);
        [[a, b, b + columns], [a, b + columns, a + columns]]
    });
    graph((0..columns * rows).map(at).collect(), triangles.collect())
}

/// So many triangles round particle 0.
fn fan(spokes: u32) -> ConstraintGraph {
    let rim =
        (0..spokes).map(|ix| Vec2::from_angle(ix as f32 * TAU / spokes as f32).extend(0.0) * 0.1);
    let triangles = (0..spokes).map(|ix| [0, 1 + ix, 1 + (ix + 1) % spokes]);
    let positions = std::iter::once(Vec3::ZERO).chain(rim).collect();
    graph(positions, triangles.collect())
}

/// What holds for the patches of every garment.
fn check(graph: &ConstraintGraph, patches: &[Patch]) {
    let owned = patches.iter().flat_map(|patch| {
        let own = &patch.particles[..patch.owned];
        own.iter().copied()
    });
    let mut owned: Vec<u32> = owned.collect();
    owned.sort_unstable();
    let all: Vec<_> = (0..graph.areas.len() as u32).collect();
    assert_eq!(owned, all, "each particle is owned once");
    for patch in patches {
        check_sizes(patch);
        check_constraints(graph, patch);
        check_colours(patch);
    }
}

fn check_sizes(patch: &Patch) {
    assert!((1..=MAX_OWNED).contains(&patch.owned));
    assert!(patch.owned <= patch.free && patch.free <= patch.particles.len());
    assert!(patch.particles.len() <= MAX_PARTICLES);
    let ends = [
        &patch.stretch_ends,
        &patch.bend_ends,
        &patch.long_range_ends,
    ];
    assert!(ends.iter().all(|ends| ends.len() <= MAX_COLOURS));
    let distinct: BTreeSet<_> = patch.particles.iter().collect();
    assert_eq!(distinct.len(), patch.particles.len());
    let end = patch.colours().last().map_or(0, |colour| colour.end);
    assert_eq!(end, patch.constraints.len());
}

fn check_constraints(graph: &ConstraintGraph, patch: &Patch) {
    for PatchConstraint { ends, constraint } in &patch.constraints {
        let [a, b] = ends.map(usize::from);
        assert!(a < patch.free && b != a);
        assert!(b < patch.free || constraint.kind != Kind::LongRange);
        assert_eq!(patch.particles[b], constraint.other_ix);
        assert!(graph.of(patch.particles[a]).contains(constraint));
    }
}

fn check_colours(patch: &Patch) {
    for (colour_ix, colour) in patch.colours().enumerate() {
        assert!((1..=COLOUR_SIZE).contains(&colour.len()));
        let mut seen = BTreeSet::new();
        for PatchConstraint { ends, constraint } in &patch.constraints[colour] {
            assert!(
                ends.iter().all(|end| seen.insert(*end)),
                "two of one colour share a particle"
            );
            let bend = patch.stretch_ends.len();
            let long_range = bend + patch.bend_ends.len();
            let kind = match colour_ix {
                ix if ix < bend => Kind::Stretch,
                ix if ix < long_range => Kind::Bend,
                _ => Kind::LongRange,
            };
            assert_eq!(constraint.kind, kind);
        }
    }
}

/// Constraints of a particle that its patch has, but for those of long range, by what is at the other end; each once.
fn of_owned(patch: &Patch, particle_ix: u32) -> BTreeSet<u32> {
    let mut others = BTreeSet::new();
    for PatchConstraint { ends, constraint } in &patch.constraints {
        if constraint.kind == Kind::LongRange {
            continue;
        }
        let [a, b] = ends.map(|end| patch.particles[usize::from(end)]);
        let other = match particle_ix {
            one if one == a => b,
            one if one == b => a,
            _ => continue,
        };
        assert!(
            others.insert(other),
            "{particle_ix} to {other} stands twice"
        );
    }
    others
}

/// Constraints of a particle in the whole garment, but for those of long range, by what is at the other end.
fn of_any(graph: &ConstraintGraph, particle_ix: u32) -> BTreeSet<u32> {
    let constraints = graph.of(particle_ix).iter();
    let short = constraints.filter(|constraint| constraint.kind != Kind::LongRange);
    short.map(|constraint| constraint.other_ix).collect()
}

/// Every constraint of an owned particle is in its patch, but for those of `crowded` particles and of long range.
fn check_whole(graph: &ConstraintGraph, patches: &[Patch], crowded: &[u32]) {
    for patch in patches {
        for &particle_ix in &patch.particles[..patch.owned] {
            let all = of_any(graph, particle_ix);
            let found = of_owned(patch, particle_ix);
            assert!(found.is_subset(&all));
            assert!(found == all || crowded.contains(&particle_ix));
        }
    }
}

#[test]
fn a_sheet_is_cut_into_few_patches() {
    let graph = sheet(40, 30, false);
    let patches = Patch::cut(&graph);
    check(&graph, &patches);
    check_whole(&graph, &patches, &[]);
    // 1,200 particles halved until no part has more than 128.
    assert_eq!(patches.len(), 16);
}

/// Each colour is a wait for all of a workgroup. Coloured first come, first served, no patch has as few.
#[test]
fn most_patches_of_even_cloth_have_as_many_colours_as_a_particle_has_constraints() {
    let patches = Patch::cut(&sheet(60, 60, true));
    let has_few = |patch: &&Patch| {
        let ends = [
            &patch.stretch_ends,
            &patch.bend_ends,
            &patch.long_range_ends,
        ];
        ends.iter()
            .zip([6, 6, 4])
            .all(|(ends, few)| ends.len() <= few)
    };
    let few = patches.iter().filter(has_few).count();
    assert!(3 * few >= 2 * patches.len(), "{few} of {}", patches.len());
}

#[test]
fn a_patch_moves_two_rings_round_its_own_and_sees_one_more() {
    let graph = sheet(60, 60, false);
    for patch in Patch::cut(&graph) {
        let mut ring: BTreeSet<u32> = patch.particles[..patch.owned].iter().copied().collect();
        for _ in 0..2 {
            let grown = ring.iter().flat_map(|&ix| {
                let edges = graph.of(ix).iter().filter(|c| c.kind == Kind::Stretch);
                edges.map(|edge| edge.other_ix)
            });
            let grown: Vec<_> = grown.collect();
            ring.extend(grown);
        }
        let free: BTreeSet<u32> = patch.particles[..patch.free].iter().copied().collect();
        assert_eq!(free, ring);
        // Whatever pulls at one that is moved is there.
        for &ix in &free {
            let others = of_any(&graph, ix);
            assert!(others.into_iter().all(|ix| patch.particles.contains(&ix)));
        }
    }
}

#[test]
fn a_patch_has_the_long_range_constraints_of_what_it_moves() {
    let graph = sheet(60, 60, false);
    for patch in Patch::cut(&graph) {
        let free: BTreeSet<u32> = patch.particles[..patch.free].iter().copied().collect();
        let of_free = free.iter().flat_map(|&ix| {
            let constraints = graph.of(ix).iter();
            constraints.filter(|c| c.kind == Kind::LongRange && free.contains(&c.other_ix))
        });
        let first = patch.constraints.iter();
        let count = first.filter(|c| c.constraint.kind == Kind::LongRange);
        // Each is listed at both of its ends.
        assert_eq!(2 * count.count(), of_free.count());
    }
}

#[test]
fn a_garment_of_loose_pieces_and_single_particles_is_cut() {
    let piece = |first: u32| [[first, first + 1, first + 2], [first, first + 2, first + 3]];
    let at = |ix: u32| Vec3::new((ix / 4) as f32, (ix % 2) as f32 * 0.1, (ix / 2 % 2) as f32);
    // The last 50 particles are in no triangle.
    let graph = graph(
        (0..850).map(at).collect(),
        (0..200).flat_map(|ix| piece(4 * ix)).collect(),
    );
    let patches = Patch::cut(&graph);
    check(&graph, &patches);
    check_whole(&graph, &patches, &[]);
    assert!(patches.len() <= 32, "{} patches", patches.len());
}

#[test]
fn a_particle_with_more_neighbours_than_colours_does_without_some() {
    for spokes in [12, 40, 700] {
        let graph = fan(spokes);
        let patches = Patch::cut(&graph);
        check(&graph, &patches);
        let crowded: Vec<_> = match spokes as usize {
            few if few <= MAX_COLOURS => Vec::new(),
            some if some < MAX_PARTICLES => vec![0],
            // A patch sees no more than so many of the middle's neighbours, with which each shares constraints.
            _ => (0..=spokes).collect(),
        };
        check_whole(&graph, &patches, &crowded);
        let of_middle = patches
            .iter()
            .find(|patch| patch.particles[..patch.owned].contains(&0));
        let held = of_owned(of_middle.expect("it is owned"), 0).len();
        assert_eq!(held, MAX_COLOURS.min(spokes as usize));
    }
}

#[test]
fn a_single_particle_is_a_patch() {
    let one = graph(vec![Vec3::X], Vec::new());
    let patches = Patch::cut(&one);
    check(&one, &patches);
    assert_eq!(patches.len(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn tubes_of_any_size_are_cut(columns in 3u32..40, rows in 2u32..40, is_tube: bool) {
        let graph = sheet(columns, rows, is_tube);
        let patches = Patch::cut(&graph);
        check(&graph, &patches);
        check_whole(&graph, &patches, &[]);
        prop_assert_eq!(&patches, &Patch::cut(&graph));
    }

    /// Triangles between any particles: no cloth, but nothing may break.
    #[test]
    fn triangles_at_random_are_cut(corners in prop::collection::vec((0u32..150, 0u32..150, 0u32..150), 1..200)) {
        let at = |ix: u32| Vec3::new(ix as f32, (ix * ix % 17) as f32, 0.0);
        let graph = graph((0..150).map(at).collect(), corners.into_iter().map(|(a, b, c)| [a, b, c]).collect());
        check(&graph, &Patch::cut(&graph));
    }
}
