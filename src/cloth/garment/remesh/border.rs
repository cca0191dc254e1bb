//! Corners of a surface's border.

use glam::Vec3;

use super::super::surface::Surface;

/// A border that turns by more than this within a short way has a corner there, radians. Hems are cut from a grid:
/// below about 40° their ripples would count, above 70° the tips of slits would be smoothed away.
const CORNER_TURN: f32 = 0.9;
/// The short way: this many typical border edges to either side.
const REACH_EDGES: f32 = 3.0;

/// A border of fewer edges than this has four corners in any case, as far from each other: with three vertices relaxing puts all of them in one place.
const SHORT_BORDER: f32 = 8.0;
const SHORT_BORDER_CORNERS: usize = 4;

/// Marks the vertices where the border turns sharply, and those that hold borders of few edges open once these are so long, metres.
pub(super) fn corners(surface: &Surface, edge_length: f32) -> Vec<bool> {
    let mut is_corner = vec![false; surface.positions.len()];
    for border in surface.border_loops() {
        let places: Vec<Vec3> = border
            .iter()
            .map(|&ix| surface.positions[ix as usize])
            .collect();
        let turns = turns(&places);
        let reach = reach_count(&places);
        for (ix, &turn) in turns.iter().enumerate() {
            let count = turns.len();
            let around = (0..=2 * reach).map(|step| (ix + count + step - reach) % count);
            // Of two equal turns within reach the first on the loop is the corner.
            let is_peak = around
                .filter(|&other| other != ix)
                .all(|other| (turns[other], ix) < (turn, other));
            is_corner[border[ix] as usize] |= turn > CORNER_TURN && is_peak;
        }
        if perimeter(&places) < SHORT_BORDER * edge_length {
            for corner in 0..SHORT_BORDER_CORNERS {
                let ix = corner * border.len() / SHORT_BORDER_CORNERS;
                is_corner[border[ix] as usize] = true;
            }
        }
    }
    is_corner
}

fn perimeter(places: &[Vec3]) -> f32 {
    let next = places.iter().cycle().skip(1);
    let sides = places.iter().zip(next);
    sides.map(|(from, to)| from.distance(*to)).sum()
}

fn reach_count(places: &[Vec3]) -> usize {
    (REACH_EDGES as usize).min(places.len() / 2)
}

/// How much each loop turns about each of its vertices, over the reach, radians.
fn turns(places: &[Vec3]) -> Vec<f32> {
    let count = places.len();
    let reach = reach_count(places);
    let turn = |ix: usize| {
        let before = places[ix] - places[(ix + count - reach) % count];
        let after = places[(ix + reach) % count] - places[ix];
        before.angle_between(after)
    };
    (0..count)
        .map(turn)
        .map(|turn| if turn.is_finite() { turn } else { 0.0 })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::remesh;
    use super::*;

    /// A square of cloth with a hole of few edges, once particles are dealt out, stays open there.
    #[test]
    fn a_hole_of_few_edges_keeps_four_corners_and_its_length() {
        const SIDE: u32 = 41;
        let at = |ix: u32| 0.01 * Vec3::new((ix % SIDE) as f32, 0.0, (ix / SIDE) as f32);
        let positions: Vec<_> = (0..SIDE * SIDE).map(at).collect();
        let middle = at(SIDE * SIDE / 2);
        let is_kept = |corners: &[u32; 3]| {
            let mean = corners.map(at).iter().sum::<Vec3>() / 3.0;
            mean.distance(middle) > 0.018
        };
        let cells = (0..SIDE * (SIDE - 1)).filter(|ix| ix % SIDE + 1 < SIDE);
        let triangles = cells.flat_map(|ix| {
            let (right, below) = (ix + 1, ix + SIDE);
            [[ix, below, right], [right, below, below + 1]]
        });
        let surface = Surface {
            positions,
            triangles: triangles.filter(is_kept).collect(),
        };
        for count in [60, 100, 300] {
            let loops = |surface: &Surface| {
                let place = |ix: u32| surface.positions[ix as usize];
                let length = |border: Vec<u32>| {
                    perimeter(&border.into_iter().map(place).collect::<Vec<_>>())
                };
                let borders = surface.border_loops().into_iter();
                let mut lengths: Vec<f32> = borders.map(length).collect();
                lengths.sort_by(f32::total_cmp);
                lengths
            };
            let (before, after) = (loops(&surface), loops(&remesh(&surface, count)));
            assert_eq!(after.len(), 2, "{count}: {after:?}");
            assert!(
                after[0] > 0.5 * before[0],
                "{count}: {after:?} of {before:?}"
            );
        }
    }
}
