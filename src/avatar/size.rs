//! How large a character is: what is meant for a person is made in proportion for others.

use glam::Vec3;

use super::{Avatar, SkinMesh};

/// Metres. What is given in metres for people (cells, thickness, clearances) is meant for one of this height.
pub const PERSON_HEIGHT: f32 = 1.75;

/// Metres of grown people: for all of them the same cells and clearances are right.
const GROWN: std::ops::RangeInclusive<f32> = 1.4..=2.2;

/// What lies or crawls is as long as it would be high if it stood; what has wings or arms spread is about as wide as high. So a
/// character counts as at least this part of its longest side in height.
const MIN_HEIGHT: f32 = 0.5;

impl Avatar {
    /// How large the character is against a person, in the bind pose: 1 for all who are from 1.4 to 2.2 m tall, height over 1.75 m
    /// for others. 1 for one without skin.
    pub fn size(&self) -> f32 {
        self.skin.size()
    }
}

impl SkinMesh {
    /// [`Avatar::size`] of the body that this is the skin of. What the body carries does not count.
    pub fn size(&self) -> f32 {
        let extent = self.extent();
        let height = extent.y.max(MIN_HEIGHT * extent.max_element());
        match height {
            height if GROWN.contains(&height) => 1.0,
            height if height > 0.0 && height.is_finite() => height / PERSON_HEIGHT,
            _ => 1.0,
        }
    }

    /// Sides of the box round the triangles, or round the vertices where there are no triangles, metres; 0 without any.
    pub(super) fn extent(&self) -> Vec3 {
        let bounds = |places: &mut dyn Iterator<Item = Vec3>| {
            let first = places.next()?;
            let grown = |(low, high): (Vec3, Vec3), at| (low.min(at), high.max(at));
            Some(places.fold((first, first), grown))
        };
        let corners = self.triangles.as_flattened().iter();
        let mut corners = corners.map(|&ix| self.positions[ix as usize]);
        bounds(&mut corners)
            .or_else(|| bounds(&mut self.positions.iter().copied()))
            .map_or(Vec3::ZERO, |(low, high)| high - low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size_of(sides: Vec3) -> f32 {
        let skin = SkinMesh {
            positions: vec![Vec3::splat(3.0), sides + Vec3::splat(3.0)],
            ..SkinMesh::default()
        };
        skin.size()
    }

    #[test]
    fn people_are_one_size_and_others_are_in_proportion() {
        for height in [1.45, 1.75, 2.15] {
            assert_eq!(size_of(Vec3::new(1.5, height, 0.3)), 1.0);
        }
        assert!((size_of(Vec3::new(0.1, 0.21, 0.05)) - 0.12).abs() < 1e-6);
        assert!((size_of(Vec3::new(5.0, 17.5, 3.0)) - 10.0).abs() < 1e-5);
        // A snake of 7 m counts as one of 3.5.
        assert!((size_of(Vec3::new(0.2, 0.2, 7.0)) - 2.0).abs() < 1e-5);
        assert_eq!(size_of(Vec3::ZERO), 1.0);
        assert_eq!(SkinMesh::default().size(), 1.0);
    }
}
