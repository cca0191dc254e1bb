//! Cloth that passes through cloth.

use glam::DVec3;
use rayon::prelude::*;

use super::crossing::triangles_cross;
use crate::math::triangle_tree::TriangleTree;

/// How many of a garment's triangles pass through another of its own that shares no corner with it.
pub(super) fn self_crossings(cloth: &TriangleTree) -> usize {
    let crossed: Vec<(usize, usize)> = (0..cloth.triangle_count())
        .into_par_iter()
        .flat_map_iter(|one| {
            let vertices = cloth.vertices(one);
            let is_apart = |other: usize| {
                other > one && !cloth.vertices(other).iter().any(|ix| vertices.contains(ix))
            };
            crossed_by(cloth, cloth.corners(one), is_apart)
                .into_iter()
                .map(move |other| (one, other))
        })
        .collect();
    let mut marks = vec![false; cloth.triangle_count()];
    for (one, other) in crossed {
        marks[one] = true;
        marks[other] = true;
    }
    marks.into_iter().filter(|&mark| mark).count()
}

/// How many triangles of a garment pass through one of another garment.
pub(super) fn crossings_with(cloth: &TriangleTree, others: &[&TriangleTree]) -> usize {
    (0..cloth.triangle_count())
        .into_par_iter()
        .filter(|&ix| {
            let triangle = cloth.corners(ix);
            others
                .iter()
                .any(|other| !crossed_by(other, triangle, |_| true).is_empty())
        })
        .count()
}

/// The triangles that one passes through, of those that `counts`.
fn crossed_by(
    tree: &TriangleTree,
    triangle: [DVec3; 3],
    counts: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let [a, b, c] = triangle;
    let mut found = Vec::new();
    tree.visit_meeting(a.min(b).min(c), a.max(b).max(c), |ix| {
        if counts(ix) && triangles_cross(triangle, tree.corners(ix)) {
            found.push(ix);
        }
    });
    found
}
