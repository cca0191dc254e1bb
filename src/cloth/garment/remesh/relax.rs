//! Moves vertices along the surface towards the middle of their neighbours.

use crate::math::triangle_tree::TriangleTree;
use glam::Vec3;
use rayon::prelude::*;

use super::super::surface::{Edge, Surface};
use super::sheet::{Sheet, double_area_normal};

/// How far a vertex goes towards its goal in one pass; 1 can overshoot.
const DAMPING: f32 = 0.7;

/// The surface as it came in, for vertices to be put back on.
pub(super) struct Original {
    tree: TriangleTree,
    /// The border's segments, as triangles without area.
    border: TriangleTree,
}

impl Original {
    pub fn new(surface: &Surface) -> Self {
        let border_edges: Vec<[u32; 3]> = surface
            .edges()
            .iter()
            .filter(|edge| Edge::is_border(edge))
            .map(|edge| [edge.ends[0], edge.ends[1], edge.ends[1]])
            .collect();
        Self {
            tree: TriangleTree::new(&surface.positions, &surface.triangles),
            border: TriangleTree::new(&surface.positions, &border_edges),
        }
    }

    fn put_back(&self, position: Vec3, on_border: bool) -> Vec3 {
        let tree = if on_border { &self.border } else { &self.tree };
        tree.nearest_point(position.as_dvec3(), f64::INFINITY)
            .map_or(position, |nearest| nearest.point.as_vec3())
    }
}

/// One pass over all vertices.
pub(super) fn relax(sheet: &mut Sheet, original: &Original) {
    let border_neighbours = border_neighbours(sheet);
    let fans = sheet.fans();
    let moved = (0..sheet.positions.len() as u32)
        .into_par_iter()
        .map(|vertex_ix| {
            let position = sheet.positions[vertex_ix as usize];
            if sheet.pinned[vertex_ix as usize] {
                return position;
            }
            if sheet.on_border[vertex_ix as usize] {
                let [Some(before), Some(after)] = border_neighbours[vertex_ix as usize] else {
                    return position;
                };
                // Three that are each other's neighbours would all come to lie in one place.
                if border_neighbours[before as usize].contains(&Some(after)) {
                    return position;
                }
                let middle =
                    0.5 * (sheet.positions[before as usize] + sheet.positions[after as usize]);
                return original.put_back(position.lerp(middle, DAMPING), true);
            }
            original.put_back(
                position + DAMPING * pull(sheet, fans.around(vertex_ix), position),
                false,
            )
        });
    sheet.positions = moved.collect();
}

/// The way to the area-weighted middle of the triangles round a vertex, without its part across the surface.
fn pull(sheet: &Sheet, fan: &[u32], position: Vec3) -> Vec3 {
    let (mut normal, mut sum, mut total) = (Vec3::ZERO, Vec3::ZERO, 0.0);
    for &triangle_ix in fan {
        let corners = sheet.corners(sheet.triangles[triangle_ix as usize]);
        let area_normal = double_area_normal(corners);
        let area = area_normal.length();
        normal += area_normal;
        sum += area * (corners[0] + corners[1] + corners[2]) / 3.0;
        total += area;
    }
    if total <= 0.0 {
        return Vec3::ZERO;
    }
    // The fan's middle lies a third short of the neighbours' middle, seen from the vertex.
    let step = 1.5 * (sum / total - position);
    let normal = normal.normalize_or_zero();
    step - step.dot(normal) * normal
}

fn border_neighbours(sheet: &Sheet) -> Vec<[Option<u32>; 2]> {
    let mut neighbours = vec![[None; 2]; sheet.positions.len()];
    for edge in sheet.edges().iter().filter(|edge| Edge::is_border(edge)) {
        for (at, other) in [(edge.ends[0], edge.ends[1]), (edge.ends[1], edge.ends[0])] {
            let slots: &mut [Option<u32>; 2] = &mut neighbours[at as usize];
            let free = usize::from(slots[0].is_some());
            slots[free] = Some(other);
        }
    }
    neighbours
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cloth of squares in halves, without one of them.
    #[test]
    fn a_hole_of_three_vertices_stays_open() {
        const SIDE: u32 = 8;
        let at = |ix: u32| Vec3::new((ix % SIDE) as f32, 0.0, (ix / SIDE) as f32);
        let cells = (0..SIDE * (SIDE - 1)).filter(|ix| ix % SIDE + 1 < SIDE);
        let triangles = cells.flat_map(|ix| {
            let (right, below) = (ix + 1, ix + SIDE);
            [[ix, below, right], [right, below, below + 1]]
        });
        let hole = [SIDE * 3 + 3, SIDE * 4 + 3, SIDE * 3 + 4];
        let surface = Surface {
            positions: (0..SIDE * SIDE).map(at).collect(),
            triangles: triangles.filter(|corners| *corners != hole).collect(),
        };
        let (original, mut sheet) = (Original::new(&surface), Sheet::new(&surface));
        sheet.pinned.fill(false);
        for _ in 0..20 {
            relax(&mut sheet, &original);
        }
        let [a, b, c] = sheet.corners(hole);
        assert!(a.distance(b).min(b.distance(c)).min(c.distance(a)) > 0.9);
    }
}
