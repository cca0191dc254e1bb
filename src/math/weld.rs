//! Vertices that share a place: exporters split them where texture coordinates or normals jump.

use std::collections::HashMap;

use glam::Vec3;

/// Which vertices are at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sites {
    /// One per vertex: its site, numbered in the order of the first vertex at each.
    pub of_vertex: Vec<u32>,
    /// How many there are.
    pub count: usize,
}

/// Gives vertices at exactly the same position one site. Splitting copies positions to the bit, so nothing is rounded here.
pub fn sites(positions: &[Vec3]) -> Sites {
    // The map is only asked, never walked: its order cannot reach the result. Adding 0 makes -0 and 0 one position.
    let mut known: HashMap<[u32; 3], u32> = HashMap::with_capacity(positions.len());
    let of_vertex = positions.iter().map(|position| {
        let next = known.len() as u32;
        let bits = (*position + 0.0).to_array().map(f32::to_bits);
        *known.entry(bits).or_insert(next)
    });
    let of_vertex = of_vertex.collect();
    Sites {
        of_vertex,
        count: known.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_numbered_as_they_come() {
        let (a, b) = (Vec3::new(0.0, 1.0, 2.0), Vec3::new(-0.0, 1.0, 2.0));
        let found = sites(&[a, Vec3::ONE, b, Vec3::ONE, Vec3::ZERO]);
        assert_eq!(found.of_vertex, [0, 1, 0, 1, 2]);
        assert_eq!(found.count, 3);
    }
}
