//! The CPU twin of the table: which triangles each entry lists. The search has no twin: it must find what
//! [looking at every triangle](crate::collide::triangle_contact) does.

use glam::{IVec3, Vec2, Vec3, Vec3Swizzles};

use super::SpatialHashDef;
use crate::collide::skin_triangles::SkinTopology;

/// Cells this far on either side of the origin hash without wrapping round at zero.
const ORIGIN: i32 = 4096;

/// A filled table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The triangles of each entry, in order, at most a list's; one twice where two of its cells share the entry.
    pub lists: Vec<Vec<u32>>,
    /// Listings that found no room.
    pub overflow_count: usize,
}

/// The entry that a cell falls into.
pub fn entry_of(def: &SpatialHashDef, cell: IVec3) -> u32 {
    let at = (cell + ORIGIN).as_uvec3();
    let in_layer = at.y.wrapping_add(def.column().wrapping_mul(at.z));
    at.x.wrapping_add(def.row().wrapping_mul(in_layer)) % def.entry_count
}

/// Lists the triangles of a skin at `positions`, in world space. A cell counts as touched when its cube, widened by
/// `margin` metres on every side, meets the triangle.
pub fn fill(
    def: &SpatialHashDef,
    topology: &SkinTopology,
    positions: &[Vec3],
    margin: f32,
) -> Table {
    let mut lists = vec![Vec::new(); def.entry_count as usize];
    each_listing(def, topology, positions, margin, |entry, triangle_ix| {
        lists[entry as usize].push(triangle_ix);
    });
    let room = 2 * def.half_list() as usize;
    let overflow_count = lists
        .iter()
        .map(|list| list.len().saturating_sub(room))
        .sum();
    for list in &mut lists {
        list.truncate(room);
    }
    Table {
        lists,
        overflow_count,
    }
}

/// Triangles that fall into the fullest entry: with lists as long, none is lost.
pub fn longest_list(def: &SpatialHashDef, topology: &SkinTopology, positions: &[Vec3]) -> u32 {
    let mut counts = vec![0; def.entry_count as usize];
    each_listing(def, topology, positions, 0.0, |entry, _| {
        counts[entry as usize] += 1;
    });
    counts.into_iter().max().unwrap_or(0)
}

/// Entry and triangle of every listing, triangle by triangle.
fn each_listing(
    def: &SpatialHashDef,
    topology: &SkinTopology,
    positions: &[Vec3],
    margin: f32,
    mut listed: impl FnMut(u32, u32),
) {
    for (triangle_ix, triangle) in topology.triangles.iter().enumerate() {
        let corners = triangle.vertices.map(|ix| positions[ix as usize]);
        for cell in touched_cells(def.cell_size, corners, margin) {
            listed(entry_of(def, cell), triangle_ix as u32);
        }
    }
}

/// The cells whose cubes, widened by `margin`, meet a triangle.
///
/// Source: Schwarz and Seidel, "Fast parallel surface and solid voxelization on GPUs", 2010, section 3.1.
pub fn touched_cells(cell_size: f32, corners: [Vec3; 3], margin: f32) -> Vec<IVec3> {
    let [a, b, c] = corners;
    let cell_at = |p: Vec3| (p / cell_size).floor().as_ivec3();
    let first = cell_at(a.min(b).min(c) - margin);
    let last = cell_at(a.max(b).max(c) + margin);
    let size = Vec3::splat(cell_size + 2.0 * margin);
    let prism = Prism::new(corners, size);
    let rows = (first.z..=last.z).flat_map(|z| (first.y..=last.y).map(move |y| (y, z)));
    let cells = rows.flat_map(|(y, z)| (first.x..=last.x).map(move |x| IVec3::new(x, y, z)));
    cells
        .filter(|cell| prism.meets(cell.as_vec3() * cell_size - margin))
        .collect()
}

/// A triangle's plane and its shadows along the axes, each moved so that a cube's lowest corner can be tested.
struct Prism {
    normal: Vec3,
    ahead: f32,
    behind: f32,
    shadows: [Shadow; 3],
}

/// Inward normals of a triangle's edges, and how far inside a cube's lowest corner may be short of lying.
struct Shadow([(Vec2, f32); 3]);

impl Prism {
    fn new(corners: [Vec3; 3], size: Vec3) -> Self {
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a);
        let furthest = Vec3::select(normal.cmpgt(Vec3::ZERO), size, Vec3::ZERO);
        Self {
            normal,
            ahead: normal.dot(furthest - a),
            behind: normal.dot(size - furthest - a),
            shadows: [
                Shadow::new(corners.map(|p| p.yz()), normal.x, size.x),
                Shadow::new(corners.map(|p| p.zx()), normal.y, size.x),
                Shadow::new(corners.map(|p| p.xy()), normal.z, size.x),
            ],
        }
    }

    fn meets(&self, low: Vec3) -> bool {
        let height = self.normal.dot(low);
        (height + self.ahead) * (height + self.behind) <= 0.0
            && self.shadows[0].meets(low.yz())
            && self.shadows[1].meets(low.zx())
            && self.shadows[2].meets(low.xy())
    }
}

impl Shadow {
    fn new(corners: [Vec2; 3], facing: f32, size: f32) -> Self {
        let winding = if facing < 0.0 { -1.0 } else { 1.0 };
        Self(std::array::from_fn(|i| {
            let normal = (corners[(i + 1) % 3] - corners[i]).perp() * winding;
            let widest = size * (normal.x.max(0.0) + normal.y.max(0.0));
            (normal, widest - normal.dot(corners[i]))
        }))
    }

    fn meets(&self, low: Vec2) -> bool {
        self.0
            .iter()
            .all(|(normal, offset)| normal.dot(low) + offset >= 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::closest::on_triangle;

    const CELL: f32 = 0.01;

    fn corners(seed: u32) -> [Vec3; 3] {
        let number = |i: u32| ((seed * 31 + i) as f32 * 12.9898).sin() * 0.04;
        std::array::from_fn(|corner| {
            let i = 3 * corner as u32;
            Vec3::new(number(i), number(i + 1), number(i + 2))
        })
    }

    /// A triangle comes within half a cell's diagonal of a touched cell's middle, and a cell whose middle it comes within
    /// half a cell of is touched.
    #[test]
    fn touched_cells_are_those_the_triangle_meets() {
        for seed in 0..200 {
            let corners = corners(seed);
            let touched = touched_cells(CELL, corners, 0.0);
            for z in -6..6 {
                for y in -6..6 {
                    for x in -6..6 {
                        let cell = IVec3::new(x, y, z);
                        let middle = (cell.as_vec3() + 0.5) * CELL;
                        let nearest = on_triangle(middle.as_dvec3(), corners.map(|p| p.as_dvec3()));
                        let from_middle = (nearest.as_vec3() - middle).abs();
                        // The nearest point of the triangle lies in the cell: surely touched.
                        if from_middle.max_element() < 0.5 * CELL - 1e-6 {
                            assert!(touched.contains(&cell), "{seed}: {cell} lacks");
                        }
                        if from_middle.length() > 0.5 * CELL * 3f32.sqrt() + 1e-6 {
                            assert!(!touched.contains(&cell), "{seed}: {cell} is too many");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn no_path_of_cells_leads_through_a_wall() {
        // A slanted wall across a block of cells: flood fill from one side, over faces, edges and corners, must not
        // reach the other.
        let (a, b) = (
            Vec3::new(-0.213, -0.2141, -0.1897),
            Vec3::new(0.2031, -0.1903, -0.2017),
        );
        let (c, d) = (
            Vec3::new(0.1933, 0.2309, 0.2071),
            Vec3::new(-0.2057, 0.2123, 0.1931),
        );
        let wall = [[a, b, c], [a, c, d]];
        let touched: Vec<_> = wall
            .iter()
            .flat_map(|&corners| touched_cells(CELL, corners, 0.0))
            .collect();
        let is_wall = |cell: IVec3| touched.contains(&cell);
        let mut reached = vec![IVec3::new(0, 5, -5)];
        let mut at = 0;
        while at < reached.len() {
            let cell = reached[at];
            at += 1;
            for offset in 0..27 {
                let next = cell + IVec3::new(offset % 3 - 1, offset / 3 % 3 - 1, offset / 9 - 1);
                let is_near = next.abs().max_element() <= 6;
                if is_near && !is_wall(next) && !reached.contains(&next) {
                    reached.push(next);
                }
            }
        }
        assert!(reached.len() > 100 && !reached.contains(&IVec3::new(0, -5, 5)));
    }

    #[test]
    fn neighbours_have_entries_of_their_own() {
        let def = SpatialHashDef::default();
        let mut entries: Vec<_> = (0..8000)
            .map(|i| IVec3::new(i % 20 - 10, i / 20 % 20 - 10, i / 400 - 10))
            .map(|cell| entry_of(&def, cell))
            .collect();
        entries.sort_unstable();
        entries.dedup();
        assert_eq!(entries.len(), 8000);
    }
}
