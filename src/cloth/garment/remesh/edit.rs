//! Edits of the mesh: split, collapse, flip. Each call is one pass of edits that do not touch each other.

use glam::Vec3;

use super::super::surface::Edge;
use super::sheet::{Fans, Sheet, double_area_normal, opposite};

/// An edit may turn a triangle by at most the angle with this cosine (about 45°); more folds the surface.
const MIN_TURN_COSINE: f32 = 0.7;
/// A collapse may stretch an edge to this many times the longest allowed.
const COLLAPSED_EDGE_RATIO: f32 = 1.75;

/// Splits up to `most` of the edges longer than `length`, the longest first, and returns how many it split.
pub(super) fn split_longer(sheet: &mut Sheet, length: f32, most: usize) -> usize {
    let mut edges: Vec<(f32, Edge)> = sheet
        .edges()
        .into_iter()
        .map(|edge| (sheet.length(&edge), edge))
        .collect();
    edges.retain(|&(edge_length, _)| edge_length > length);
    edges.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.ends.cmp(&b.1.ends)));
    let mut touched = vec![false; sheet.triangles.len()];
    let mut split_count = 0;
    for (_, edge) in edges {
        let mut sides = edge.triangles.iter().flatten();
        if split_count == most || sides.any(|&triangle_ix| touched[triangle_ix as usize]) {
            continue;
        }
        edge.triangles
            .iter()
            .flatten()
            .for_each(|&triangle_ix| touched[triangle_ix as usize] = true);
        split(sheet, &edge);
        split_count += 1;
    }
    split_count
}

fn split(sheet: &mut Sheet, edge: &Edge) {
    let [from, to] = edge.ends;
    let middle_ix = sheet.positions.len() as u32;
    let middle = 0.5 * (sheet.positions[from as usize] + sheet.positions[to as usize]);
    sheet.positions.push(middle);
    sheet.on_border.push(edge.is_border());
    sheet.pinned.push(false);
    for &triangle_ix in edge.triangles.iter().flatten() {
        let triangle = sheet.triangles[triangle_ix as usize];
        let replace = |old: u32| triangle.map(|ix| if ix == old { middle_ix } else { ix });
        sheet.triangles[triangle_ix as usize] = replace(to);
        sheet.triangles.push(replace(from));
    }
}

/// Collapses up to `most` of the edges shorter than `length`, the shortest first, and returns how many it collapsed.
pub(super) fn collapse_shorter(sheet: &mut Sheet, length: f32, most: usize) -> usize {
    let mut edges: Vec<(f32, Edge)> = sheet
        .edges()
        .into_iter()
        .map(|edge| (sheet.length(&edge), edge))
        .collect();
    edges.retain(|&(edge_length, _)| edge_length < length);
    edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.ends.cmp(&b.1.ends)));
    let fans = sheet.fans();
    let mut pass = CollapsePass {
        touched: vec![false; sheet.positions.len()],
        removed: vec![false; sheet.positions.len()],
        longest: if length.is_finite() {
            COLLAPSED_EDGE_RATIO * length
        } else {
            f32::INFINITY
        },
    };
    let mut collapsed_count = 0;
    for (_, edge) in edges {
        if collapsed_count == most {
            break;
        }
        collapsed_count += usize::from(pass.try_collapse(sheet, &fans, &edge));
    }
    sheet
        .triangles
        .retain(|[a, b, c]| a != b && b != c && c != a);
    sheet.remove(&pass.removed);
    collapsed_count
}

struct CollapsePass {
    /// Vertices whose surroundings were changed in this pass.
    touched: Vec<bool>,
    removed: Vec<bool>,
    longest: f32,
}

impl CollapsePass {
    fn try_collapse(&mut self, sheet: &mut Sheet, fans: &Fans, edge: &Edge) -> bool {
        let [a, b] = edge.ends;
        if self.touched[a as usize] || self.touched[b as usize] {
            return false;
        }
        let Some((kept, lost, place)) = collapse_goal(sheet, edge) else {
            return false;
        };
        let (around_kept, around_lost) =
            (sheet.neighbours(fans, kept), sheet.neighbours(fans, lost));
        let shared = around_kept
            .iter()
            .filter(|ix| around_lost.binary_search(ix).is_ok())
            .count();
        // The link condition: anything else would pinch the surface or close a loop.
        if shared != edge.triangles.iter().flatten().count() {
            return false;
        }
        let is_short = |&ix: &u32| sheet.positions[ix as usize].distance(place) <= self.longest;
        if !around_lost.iter().chain(&around_kept).all(is_short)
            || !keeps_facing(sheet, fans, edge, place)
        {
            return false;
        }
        for &triangle_ix in fans.around(lost) {
            let triangle = &mut sheet.triangles[triangle_ix as usize];
            triangle
                .iter_mut()
                .filter(|ix| **ix == lost)
                .for_each(|ix| *ix = kept);
        }
        sheet.positions[kept as usize] = place;
        self.removed[lost as usize] = true;
        around_lost
            .iter()
            .chain(&around_kept)
            .for_each(|&ix| self.touched[ix as usize] = true);
        true
    }
}

/// Which vertex stays, which goes and where the one that stays is put; None where the edge must not collapse.
fn collapse_goal(sheet: &Sheet, edge: &Edge) -> Option<(u32, u32, Vec3)> {
    let [a, b] = edge.ends;
    let rank =
        |ix: u32| u8::from(sheet.on_border[ix as usize]) + u8::from(sheet.pinned[ix as usize]);
    let place = |ix: u32| sheet.positions[ix as usize];
    let crosses_sheet = rank(a) > 0 && rank(b) > 0 && !edge.is_border();
    match rank(a).cmp(&rank(b)) {
        _ if crosses_sheet || (rank(a) == 2 && rank(b) == 2) => None,
        std::cmp::Ordering::Greater => Some((a, b, place(a))),
        std::cmp::Ordering::Less => Some((b, a, place(b))),
        std::cmp::Ordering::Equal => Some((a, b, 0.5 * (place(a) + place(b)))),
    }
}

/// Whether the triangles round an edge keep facing the same way when both its ends move to `place`.
fn keeps_facing(sheet: &Sheet, fans: &Fans, edge: &Edge, place: Vec3) -> bool {
    edge.ends
        .iter()
        .flat_map(|&end| fans.around(end))
        .all(|&triangle_ix| {
            let triangle = sheet.triangles[triangle_ix as usize];
            if edge.ends.iter().all(|end| triangle.contains(end)) {
                return true;
            }
            let before = double_area_normal(sheet.corners(triangle));
            let moved = triangle.map(|ix| {
                if edge.ends.contains(&ix) {
                    place
                } else {
                    sheet.positions[ix as usize]
                }
            });
            let after = double_area_normal(moved);
            before.dot(after) >= MIN_TURN_COSINE * before.length() * after.length()
                && after.length_squared() > 0.0
        })
}

/// Flips edges where that brings the number of edges at vertices nearer to 6 (4 at the border).
pub(super) fn flip_for_valence(sheet: &mut Sheet) {
    let mut valences = vec![0i32; sheet.positions.len()];
    sheet
        .edges()
        .iter()
        .for_each(|edge| edge.ends.iter().for_each(|&ix| valences[ix as usize] += 1));
    let goal = |sheet: &Sheet, ix: u32| if sheet.on_border[ix as usize] { 4 } else { 6 };
    flip_where(sheet, |sheet, ends, tips| {
        let off = |ix: u32, change: i32| (valences[ix as usize] + change - goal(sheet, ix)).pow(2);
        let before: i32 = ends.iter().chain(&tips).map(|&ix| off(ix, 0)).sum();
        let after: i32 = ends.iter().map(|&ix| off(ix, -1)).sum::<i32>()
            + tips.iter().map(|&ix| off(ix, 1)).sum::<i32>();
        let is_better = after < before;
        if is_better {
            ends.iter().for_each(|&ix| valences[ix as usize] -= 1);
            tips.iter().for_each(|&ix| valences[ix as usize] += 1);
        }
        is_better
    });
}

/// Flips edges whose opposite angles sum to more than a half turn (the Delaunay rule).
pub(super) fn flip_for_shape(sheet: &mut Sheet) {
    flip_where(sheet, |sheet, ends, tips| {
        let place = |ix: u32| sheet.positions[ix as usize];
        let angle =
            |tip: u32| (place(ends[0]) - place(tip)).angle_between(place(ends[1]) - place(tip));
        angle(tips[0]) + angle(tips[1]) > std::f32::consts::PI + 0.05
    });
}

/// Flips the inner edges that `wanted` (given ends and opposite tips) asks for, where the surface allows it.
fn flip_where(sheet: &mut Sheet, mut wanted: impl FnMut(&Sheet, [u32; 2], [u32; 2]) -> bool) {
    let fans = sheet.fans();
    let mut touched = vec![false; sheet.positions.len()];
    for edge in sheet.edges() {
        let [Some(first), Some(second)] = edge.triangles else {
            continue;
        };
        let triangles = [first, second].map(|ix| sheet.triangles[ix as usize]);
        let (Some(tip), Some(other_tip)) = (
            opposite(triangles[0], edge.ends),
            opposite(triangles[1], edge.ends),
        ) else {
            continue;
        };
        let corners = [edge.ends[0], edge.ends[1], tip, other_tip];
        if corners.iter().any(|&ix| touched[ix as usize])
            || sheet.neighbours(&fans, tip).contains(&other_tip)
        {
            continue;
        }
        let Some(flipped) = flipped(sheet, &edge, triangles, [tip, other_tip]) else {
            continue;
        };
        if wanted(sheet, edge.ends, [tip, other_tip]) {
            sheet.triangles[first as usize] = flipped[0];
            sheet.triangles[second as usize] = flipped[1];
            corners.iter().for_each(|&ix| touched[ix as usize] = true);
        }
    }
}

/// The two triangles after a flip; None where they would fold over or lose their area.
fn flipped(
    sheet: &Sheet,
    edge: &Edge,
    triangles: [[u32; 3]; 2],
    tips: [u32; 2],
) -> Option<[[u32; 3]; 2]> {
    let with_tip = |triangle: [u32; 3], from: u32, tip: u32| {
        triangle.map(|ix| if ix == from { tip } else { ix })
    };
    let new = [
        with_tip(triangles[0], edge.ends[1], tips[1]),
        with_tip(triangles[1], edge.ends[0], tips[0]),
    ];
    let before: Vec3 = triangles
        .iter()
        .map(|&triangle| double_area_normal(sheet.corners(triangle)))
        .sum();
    let facing = new.iter().all(|&triangle| {
        let normal = double_area_normal(sheet.corners(triangle));
        normal.dot(before) > MIN_TURN_COSINE * normal.length() * before.length()
            && normal.length_squared() > 0.0
    });
    facing.then_some(new)
}
