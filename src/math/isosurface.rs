//! Triangulates where a sampled field crosses zero: marching tetrahedra, six to a cell, which always gives a manifold.

use glam::Vec3;
use std::collections::BTreeMap;

/// The six tetrahedra of a cell, as corner numbers (bit 0 is x, bit 1 y, bit 2 z), all round the diagonal 0 to 7.
const TETRAHEDRA: [[usize; 4]; 6] = [
    [0, 1, 3, 7],
    [0, 3, 2, 7],
    [0, 2, 6, 7],
    [0, 6, 4, 7],
    [0, 4, 5, 7],
    [0, 5, 1, 7],
];

/// A zero surface, facing where the field grows. Vertices are shared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Isosurface {
    pub positions: Vec<Vec3>,
    /// Counter-clockwise seen from where the field is positive.
    pub triangles: Vec<[u32; 3]>,
}

/// Triangulates a field cell by cell. Samples are called by numbers of the caller's.
pub struct Extractor<Value, Position> {
    value: Value,
    position: Position,
    crossing_margin: f32,
    surface: Isosurface,
    /// Vertex on the edge between two samples.
    crossings: BTreeMap<(usize, usize), u32>,
}

impl<Value: Fn(usize) -> f32, Position: Fn(usize) -> Vec3> Extractor<Value, Position> {
    /// Begins with nothing. `value` and `position` are those of a sample.
    ///
    /// Crossings keep `crossing_margin` of an edge's length away from its ends: nearer ones make needle triangles. 0 leaves them
    /// where they are, usual 0.05; at 0.5 all lie in the middle.
    pub fn new(value: Value, position: Position, crossing_margin: f32) -> Self {
        Self {
            value,
            position,
            crossing_margin,
            surface: Isosurface::default(),
            crossings: BTreeMap::new(),
        }
    }

    /// Adds what lies in a cell with these samples at its corners: bit 0 of a corner's number is x, bit 1 y, bit 2 z.
    pub fn add_cell(&mut self, corners: [usize; 8]) {
        let below = corners.map(|ix| (self.value)(ix) < 0.0);
        if below == [below[0]; 8] {
            return;
        }
        for tetrahedron in TETRAHEDRA {
            self.add_tetrahedron(tetrahedron.map(|corner| corners[corner]));
        }
    }

    /// What was found.
    pub fn finish(self) -> Isosurface {
        self.surface
    }

    fn add_tetrahedron(&mut self, corners: [usize; 4]) {
        let (inside, outside): (Vec<usize>, Vec<usize>) =
            corners.into_iter().partition(|&ix| (self.value)(ix) < 0.0);
        let outwards = self.centre(&outside) - self.centre(&inside);
        match (inside[..].len(), &inside[..], &outside[..]) {
            (1, &[a], &[b, c, d]) => self.add_triangle([(a, b), (a, c), (a, d)], outwards),
            (3, &[a, b, c], &[d]) => self.add_triangle([(a, d), (b, d), (c, d)], outwards),
            (2, &[a, b], &[c, d]) => {
                self.add_triangle([(a, c), (a, d), (b, d)], outwards);
                self.add_triangle([(a, c), (b, d), (b, c)], outwards);
            }
            _ => {}
        }
    }

    fn centre(&self, samples: &[usize]) -> Vec3 {
        let sum: Vec3 = samples.iter().map(|&ix| (self.position)(ix)).sum();
        sum / samples.len().max(1) as f32
    }

    fn add_triangle(&mut self, edges: [(usize, usize); 3], outwards: Vec3) {
        let mut triangle = edges.map(|(inside, outside)| self.crossing(inside, outside));
        let [a, b, c] = triangle.map(|ix| self.surface.positions[ix as usize]);
        if (b - a).cross(c - a).dot(outwards) < 0.0 {
            triangle.swap(1, 2);
        }
        self.surface.triangles.push(triangle);
    }

    fn crossing(&mut self, inside: usize, outside: usize) -> u32 {
        let key = (inside.min(outside), inside.max(outside));
        if let Some(&vertex_ix) = self.crossings.get(&key) {
            return vertex_ix;
        }
        let (low, high) = ((self.value)(inside), (self.value)(outside));
        let margin = self.crossing_margin;
        let part = (low / (low - high)).clamp(margin, 1.0 - margin);
        let position = (self.position)(inside).lerp((self.position)(outside), part);
        let vertex_ix = self.surface.positions.len() as u32;
        self.surface.positions.push(position);
        self.crossings.insert(key, vertex_ix);
        vertex_ix
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_is_closed_and_as_large_as_it_should_be() {
        let side = 12_usize;
        let position = |ix: usize| {
            let at = [ix % side, ix / side % side, ix / (side * side)];
            Vec3::from(at.map(|along| along as f32)) - 5.5
        };
        let mut extractor = Extractor::new(|ix| position(ix).length() - 4.0, position, 0.0);
        for cell in 0..side.pow(3) {
            let is_last = |stride: usize| cell / stride % side + 1 == side;
            if !(is_last(1) || is_last(side) || is_last(side * side)) {
                let offset =
                    |bit: usize| (bit & 1) + (bit >> 1 & 1) * side + (bit >> 2) * side * side;
                extractor.add_cell(std::array::from_fn(|corner| cell + offset(corner)));
            }
        }
        let ball = extractor.finish();
        let corners = |t: &[u32; 3]| t.map(|ix| ball.positions[ix as usize]);
        let volume = |[a, b, c]: [Vec3; 3]| a.cross(b).dot(c) / 6.0;
        let whole: f32 = ball.triangles.iter().map(|t| volume(corners(t))).sum();
        assert!((whole / 268.08 - 1.0).abs() < 0.05, "{whole}");
        // Euler: no handle, no hole.
        assert_eq!(
            ball.positions.len() + ball.triangles.len(),
            3 * ball.triangles.len() / 2 + 2
        );
    }
}
