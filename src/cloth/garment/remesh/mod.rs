//! Turns a surface into one of even, nearly equilateral triangles with a given number of vertices.
//!
//! The classic loop of splitting long edges, collapsing short ones, flipping towards even valence and relaxing along
//! the surface (Botsch and Kobbelt 2004). Borders stay borders, and their corners stay where they are.

mod border;
mod edit;
mod relax;
mod sheet;

use super::surface::Surface;
use relax::Original;
use sheet::Sheet;

/// Rounds of the loop; the vertex count settles within 2 % after about 5, the shapes after about 8.
const ROUND_COUNT: usize = 9;
/// Edges longer than this times the target are split, ...
const SPLIT_RATIO: f32 = 4.0 / 3.0;
/// ... and shorter ones than this are collapsed. The two must be a factor of about 5/3 apart, or edits undo each other.
const COLLAPSE_RATIO: f32 = 4.0 / 5.0;
/// Passes over the mesh that one kind of edit gets in one round, at most.
const EDIT_PASSES: usize = 24;
/// Half the area of a square over that of an equilateral triangle: a vertex of an even mesh owns `0.866 edge²`.
const AREA_PER_VERTEX: f32 = 0.866;

/// Remeshes to exactly `vertex_count` vertices, or as near as the surface allows.
pub(super) fn remesh(surface: &Surface, vertex_count: usize) -> Surface {
    let original = Original::new(surface);
    let mut sheet = Sheet::new(surface);
    let mut edge_length = (surface.area() / (AREA_PER_VERTEX * vertex_count as f32)).sqrt();
    for round in 0..ROUND_COUNT {
        repeat(|| edit::split_longer(&mut sheet, SPLIT_RATIO * edge_length, usize::MAX));
        repeat(|| edit::collapse_shorter(&mut sheet, COLLAPSE_RATIO * edge_length, usize::MAX));
        improve(&mut sheet, &original, 2);
        if round > 0 {
            edge_length *= (sheet.positions.len() as f32 / vertex_count as f32)
                .sqrt()
                .clamp(0.7, 1.4);
        }
    }
    match_count(&mut sheet, &original, vertex_count);
    sheet.into_surface()
}

fn repeat(mut edit_pass: impl FnMut() -> usize) {
    (0..EDIT_PASSES).take_while(|_| edit_pass() > 0).count();
}

fn improve(sheet: &mut Sheet, original: &Original, passes: usize) {
    for _ in 0..passes {
        edit::flip_for_valence(sheet);
        relax::relax(sheet, original);
    }
}

/// Adds or removes the last few vertices where edges are longest or shortest.
fn match_count(sheet: &mut Sheet, original: &Original, vertex_count: usize) {
    for _ in 0..EDIT_PASSES {
        let count = sheet.positions.len();
        let edited = match count.cmp(&vertex_count) {
            std::cmp::Ordering::Less => {
                edit::split_longer(sheet, 0.0, (vertex_count - count).min(count / 20 + 1))
            }
            std::cmp::Ordering::Equal => break,
            std::cmp::Ordering::Greater => edit::collapse_shorter(
                sheet,
                f32::INFINITY,
                (count - vertex_count).min(count / 20 + 1),
            ),
        };
        if edited == 0 {
            break;
        }
        improve(sheet, original, 1);
    }
    improve(sheet, original, 4);
    edit::flip_for_shape(sheet);
    relax::relax(sheet, original);
    edit::flip_for_shape(sheet);
}
