//! Corners of a surface's border.

use glam::Vec3;

use super::super::surface::Surface;

/// A border that turns by more than this within a short way has a corner there, radians. Hems are cut from a grid:
/// below about 40° their ripples would count, above 70° the tips of slits would be smoothed away.
const CORNER_TURN: f32 = 0.9;
/// The short way: this many typical border edges to either side.
const REACH_EDGES: f32 = 3.0;

/// Marks the vertices where the border turns sharply.
pub(super) fn corners(surface: &Surface) -> Vec<bool> {
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
    }
    is_corner
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
