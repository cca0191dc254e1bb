//! Where the lines of a grid pass through a mesh: which samples are inside by parity and by turns, along each axis.
//!
//! Source: Nooruddin and Turk, "Simplification and Repair of Polygonal Models Using Volumetric Techniques", 2003: parity along a
//! line, here with the number of turns beside it, which differs where a mesh is open, turned or overlaps itself.

use glam::{DVec2, DVec3, UVec3};
use rayon::prelude::*;

/// What a line passed through before a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passed {
    /// The number of crossings is odd.
    pub is_odd: bool,
    /// How often the mesh turns round the sample, as the line sees it: 1 inside of a closed mesh.
    pub turns: i32,
}

/// All crossings of a mesh with the lines of samples along x, y and z.
#[derive(Debug)]
pub(super) struct Crossings {
    axes: [Lines; 3],
}

/// The crossings of the lines along one axis.
#[derive(Debug)]
struct Lines {
    /// Samples along the first of the two other axes.
    row: u32,
    /// Where each line's crossings begin, and where the last one's end.
    firsts: Vec<u32>,
    /// Sorted by depth.
    crossings: Vec<Crossing>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Crossing {
    /// Cells along the line.
    depth: f64,
    /// Turns behind it.
    turns: i32,
}

impl Crossings {
    /// Those of triangles in cells with a grid of so many samples.
    pub fn of(triangles: &[[DVec3; 3]], samples: UVec3) -> Self {
        let axes: Vec<_> = (0..3)
            .into_par_iter()
            .map(|axis| Lines::of(triangles, samples, axis))
            .collect();
        let [x, y, z] = <[Lines; 3]>::try_from(axes).expect("there are three axes");
        Self { axes: [x, y, z] }
    }

    /// What each axis's line passes through before it comes to a sample.
    pub fn before(&self, sample: UVec3) -> [Passed; 3] {
        std::array::from_fn(|axis| self.axes[axis].before(sample, axis))
    }
}

impl Lines {
    fn of(triangles: &[[DVec3; 3]], samples: UVec3, axis: usize) -> Self {
        let [row, column] = [1, 2].map(|step| samples[(axis + step) % 3]);
        let mut counts = vec![0_u32; (row * column) as usize + 1];
        for triangle in triangles {
            visit_crossings(triangle, [row, column], axis, |line_ix, _| {
                counts[line_ix] += 1;
            });
        }
        let firsts = exclusive_sums(counts);
        let mut next = firsts.clone();
        let mut crossings = vec![Crossing::default(); firsts.last().copied().unwrap_or(0) as usize];
        for triangle in triangles {
            visit_crossings(triangle, [row, column], axis, |line_ix, crossing| {
                crossings[next[line_ix] as usize] = crossing;
                next[line_ix] += 1;
            });
        }
        for ends in firsts.windows(2) {
            sort_line(&mut crossings[ends[0] as usize..ends[1] as usize]);
        }
        Self {
            row,
            firsts,
            crossings,
        }
    }

    fn before(&self, sample: UVec3, axis: usize) -> Passed {
        let line_ix = (sample[(axis + 2) % 3] * self.row + sample[(axis + 1) % 3]) as usize;
        let line =
            &self.crossings[self.firsts[line_ix] as usize..self.firsts[line_ix + 1] as usize];
        let depth = f64::from(sample[axis]);
        let count = line.partition_point(|crossing| crossing.depth < depth);
        Passed {
            is_odd: count % 2 == 1,
            turns: count.checked_sub(1).map_or(0, |last| line[last].turns),
        }
    }
}

/// Sorts a line's crossings, and adds up the turns of each with those before it.
fn sort_line(line: &mut [Crossing]) {
    line.sort_by(|a, b| a.depth.total_cmp(&b.depth).then(a.turns.cmp(&b.turns)));
    let mut turns = 0;
    for crossing in line {
        turns += crossing.turns;
        crossing.turns = turns;
    }
}

fn exclusive_sums(mut counts: Vec<u32>) -> Vec<u32> {
    let mut sum = 0;
    for count in &mut counts {
        let own = std::mem::replace(count, sum);
        sum += own;
    }
    counts
}

/// Calls `visit` with every line along an axis that passes through the triangle, and where: which way the triangle faces as its turn.
fn visit_crossings(
    triangle: &[DVec3; 3],
    [row, column]: [u32; 2],
    axis: usize,
    mut visit: impl FnMut(usize, Crossing),
) {
    let flat = triangle.map(|corner| DVec2::new(corner[(axis + 1) % 3], corner[(axis + 2) % 3]));
    let [a, b, c] = flat;
    let low = a.min(b).min(c).ceil().max(DVec2::ZERO);
    let high = a
        .max(b)
        .max(c)
        .floor()
        .min(DVec2::new(f64::from(row) - 1.0, f64::from(column) - 1.0));
    if !low.cmple(high).all() {
        return;
    }
    let (low, high) = (low.as_uvec2(), high.as_uvec2());
    for v in low.y..=high.y {
        for u in low.x..=high.x {
            let line = DVec2::new(f64::from(u), f64::from(v));
            if let Some((weights, turns)) = passed(flat, line) {
                let depths = DVec3::from(triangle.map(|corner| corner[axis]));
                let depth = weights.dot(depths) / weights.element_sum();
                visit((v * row + u) as usize, Crossing { depth, turns });
            }
        }
    }
}

/// The weights of a triangle's corners where a line passes through it, seen along the line, and 1 where it faces against the line.
///
/// A line that meets an edge or a corner is taken for one that lies beside it by next to nothing, always to the same side, so that
/// it passes through exactly one of the triangles at an edge of a closed mesh (Edelsbrunner and Mücke, "Simulation of
/// simplicity", 1990).
fn passed([a, b, c]: [DVec2; 3], line: DVec2) -> Option<(DVec3, i32)> {
    let sides = [
        side_of(b, c, line),
        side_of(c, a, line),
        side_of(a, b, line),
    ];
    let turns = sides[0].1;
    let is_passed = turns != 0 && sides.iter().all(|side| side.1 == turns);
    is_passed.then(|| (DVec3::from(sides.map(|side| side.0)), -turns))
}

/// On which side of an edge a point lies, by how much and as a sign: exactly opposite for the edge the other way round.
fn side_of(from: DVec2, to: DVec2, point: DVec2) -> (f64, i32) {
    let is_turned = (from.x, from.y) > (to.x, to.y);
    let (low, high) = if is_turned { (to, from) } else { (from, to) };
    let along = high - low;
    let area = along.perp_dot(point - low);
    // Beside the point, by next to nothing in y and by next to nothing of that in x.
    let sign = [area, along.x, -along.y].into_iter().find(|&by| by != 0.0);
    let sign = sign.map_or(0, |by| if by > 0.0 { 1 } else { -1 });
    if is_turned {
        (-area, -sign)
    } else {
        (area, sign)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::test_meshes::TestMesh;
    use glam::Vec3;

    fn corners(mesh: &TestMesh) -> Vec<[DVec3; 3]> {
        let corner = |ix: u32| mesh.positions[ix as usize].as_dvec3();
        mesh.triangles.iter().map(|t| t.map(corner)).collect()
    }

    #[test]
    fn lines_through_edges_and_corners_cross_once() {
        // Every line along an axis meets edges: corners, edges and diagonals lie on whole numbers.
        let cube = TestMesh::cuboid(Vec3::splat(2.0), Vec3::splat(6.0));
        let crossings = Crossings::of(&corners(&cube), UVec3::splat(9));
        for ix in 0..729 {
            let sample = UVec3::new(ix % 9, ix / 9 % 9, ix / 81);
            for passed in crossings.before(sample) {
                assert_eq!(i32::from(passed.is_odd), passed.turns, "{sample}");
            }
            let strictly =
                sample.cmpgt(UVec3::splat(2)).all() && sample.cmplt(UVec3::splat(6)).all();
            let beyond = sample.cmplt(UVec3::splat(2)).any() || sample.cmpgt(UVec3::splat(6)).any();
            let turns = crossings.before(sample).map(|passed| passed.turns);
            assert!(!strictly || turns == [1; 3], "{sample}: {turns:?}");
            assert!(!beyond || turns == [0; 3], "{sample}: {turns:?}");
        }
    }

    #[test]
    fn an_overlap_turns_twice_and_a_turned_mesh_the_other_way() {
        let ball = |x: f32| TestMesh::sphere(Vec3::new(x, 8.0, 8.0), 3.3, 12, 16);
        let mut both = ball(7.0).with(ball(9.0));
        let middle = UVec3::splat(8);
        let of = |mesh: &TestMesh| Crossings::of(&corners(mesh), UVec3::splat(17)).before(middle);
        for passed in of(&both) {
            assert_eq!((passed.is_odd, passed.turns), (false, 2));
        }
        both.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        assert_eq!(of(&both).map(|passed| passed.turns), [-2; 3]);
    }
}
