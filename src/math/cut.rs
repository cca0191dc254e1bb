//! Cutting a triangle mesh along the zero line of a function given at its vertices.

use std::collections::{BTreeMap, HashMap};

/// A new vertex on the edge from `a` to `b`, at `a + t (b − a)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgePoint {
    pub a: u32,
    pub b: u32,
    pub t: f32,
}

/// A mesh cut in two along a line; no triangle lies on both sides.
pub struct Cut {
    /// Old vertices that slide onto the line: `a` moves to the point.
    pub moved: Vec<EdgePoint>,
    /// Vertices that follow the old ones, on the line.
    pub points: Vec<EdgePoint>,
    pub triangles: Vec<[u32; 3]>,
    /// The old triangle each comes from.
    pub parents: Vec<u32>,
    /// Whether each triangle lies where the function is positive.
    pub inside: Vec<bool>,
}

/// Cuts `triangles` where `level`, one value per vertex, changes sign. Closed meshes stay closed.
///
/// A vertex nearer to a crossing than `snap`, a share of the edge, slides onto the line. Usually 0.1 to 0.3: less leaves slivers, more
/// distorts the mesh along the line.
pub fn cut(triangles: &[[u32; 3]], level: &[f32], snap: f32) -> Cut {
    let (level, moved) = snapped(triangles, level, snap);
    let mut cutter = Cutter {
        level: &level,
        index: HashMap::new(),
        points: Vec::new(),
    };
    let mut result = Cut {
        moved,
        points: Vec::new(),
        triangles: Vec::new(),
        parents: Vec::new(),
        inside: Vec::new(),
    };
    for (parent, &triangle) in triangles.iter().enumerate() {
        for (piece, inside) in cutter.pieces(triangle) {
            result.triangles.push(piece);
            result.parents.push(parent as u32);
            result.inside.push(inside);
        }
    }
    result.points = cutter.points;
    result
}

/// The levels with those at vertices beside the line set to zero, and where on the line those vertices go: along the
/// edge that the line crosses nearest to them.
fn snapped(triangles: &[[u32; 3]], level: &[f32], snap: f32) -> (Vec<f32>, Vec<EdgePoint>) {
    let mut nearest: BTreeMap<u32, EdgePoint> = BTreeMap::new();
    for triangle in triangles {
        for at in 0..3 {
            let ends = (triangle[at], triangle[(at + 1) % 3]);
            for (a, b) in [ends, (ends.1, ends.0)] {
                let (at_a, at_b) = (level[a as usize], level[b as usize]);
                let t = at_a / (at_a - at_b);
                let is_nearest = nearest.get(&a).is_none_or(|best| (t, b) < (best.t, best.b));
                if at_a * at_b < 0.0 && t < snap && is_nearest {
                    nearest.insert(a, EdgePoint { a, b, t });
                }
            }
        }
    }
    let mut snapped = level.to_vec();
    nearest.keys().for_each(|&ix| snapped[ix as usize] = 0.0);
    (snapped, nearest.into_values().collect())
}

struct Cutter<'a> {
    level: &'a [f32],
    index: HashMap<(u32, u32), u32>,
    points: Vec<EdgePoint>,
}

impl Cutter<'_> {
    /// The parts of one triangle, wound like it, each with the side it lies on.
    fn pieces(&mut self, triangle: [u32; 3]) -> Vec<([u32; 3], bool)> {
        let sides = triangle.map(|ix| self.side(ix));
        let (any_in, any_out) = (sides.contains(&1), sides.contains(&-1));
        if !(any_in && any_out) {
            return vec![(triangle, any_in)];
        }
        if let Some(on) = sides.iter().position(|&side| side == 0) {
            let [a, b, c] = rotated(triangle, on);
            let middle = self.point(b, c);
            return vec![
                ([a, b, middle], self.side(b) > 0),
                ([a, middle, c], self.side(c) > 0),
            ];
        }
        let lone =
            (0..3).find(|&at| sides[at] != sides[(at + 1) % 3] && sides[at] != sides[(at + 2) % 3]);
        let [a, b, c] = rotated(
            triangle,
            lone.expect("two of three signs are equal, the third differs"),
        );
        let (ab, ac) = (self.point(a, b), self.point(a, c));
        let inside = self.side(a) > 0;
        vec![
            ([a, ab, ac], inside),
            ([ab, b, c], !inside),
            ([ab, c, ac], !inside),
        ]
    }

    fn side(&self, ix: u32) -> i32 {
        let level = self.level[ix as usize];
        if level > 0.0 {
            1
        } else {
            -i32::from(level < 0.0)
        }
    }

    /// The vertex where the line crosses an edge, the same from both its triangles.
    fn point(&mut self, a: u32, b: u32) -> u32 {
        let (a, b) = (a.min(b), a.max(b));
        let (points, level) = (&mut self.points, self.level);
        *self.index.entry((a, b)).or_insert_with(|| {
            let (at_a, at_b) = (level[a as usize], level[b as usize]);
            points.push(EdgePoint {
                a,
                b,
                t: at_a / (at_a - at_b),
            });
            (level.len() + points.len() - 1) as u32
        })
    }
}

fn rotated(triangle: [u32; 3], first: usize) -> [u32; 3] {
    [
        triangle[first],
        triangle[(first + 1) % 3],
        triangle[(first + 2) % 3],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SNAP: f32 = 0.25;

    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

    #[test]
    fn a_cut_tetrahedron_stays_closed() {
        let result = cut(&TETRAHEDRON, &[1.0, -1.0, -1.0, 0.6], SNAP);
        assert_eq!(result.points.len(), 4);
        let mut edges: Vec<(u32, u32)> = result
            .triangles
            .iter()
            .flat_map(|t| (0..3).map(|at| (t[at], t[(at + 1) % 3])))
            .collect();
        edges.sort_unstable();
        let unique = edges.len();
        edges.dedup();
        assert_eq!(edges.len(), unique);
        assert!(
            edges
                .iter()
                .all(|&(a, b)| edges.binary_search(&(b, a)).is_ok())
        );
    }

    #[test]
    fn a_line_through_a_corner_makes_two_pieces() {
        let result = cut(&[[0, 1, 2]], &[0.0, 1.0, -1.0], SNAP);
        assert_eq!(result.triangles, vec![[0, 1, 3], [0, 3, 2]]);
        assert_eq!(result.inside, vec![true, false]);
        assert_eq!(result.points, vec![EdgePoint { a: 1, b: 2, t: 0.5 }]);
    }

    #[test]
    fn a_line_beside_a_vertex_snaps_to_it() {
        let result = cut(&[[0, 1, 2]], &[0.01, -1.0, -1.0], SNAP);
        assert_eq!(
            (result.triangles, result.inside),
            (vec![[0, 1, 2]], vec![false])
        );
        assert_eq!(result.moved.len(), 1);
        assert!(result.moved[0].a == 0 && (result.moved[0].t - 0.01 / 1.01).abs() < 1e-6);
    }
}
