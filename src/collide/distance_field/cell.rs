//! The key that a cell keeps when several triangles are written into it; `glsl/distance_field/cell.glsl` is its twin.
//!
//! A cell is one word and the update an atomic minimum, so the order in which triangles come does not matter. The distance's
//! bits order like integers because it is never negative; shifted up by one, over their sign bit, they leave the lowest bit to
//! say on which side the cell lies, and lose nothing. Of equally near triangles that disagree, the one that sees it outside stays.

/// The key of a cell that no skin is near: the value of the clear.
pub const EMPTY_KEY: u32 = u32::MAX;

/// The key for skin at `distance` metres, not negative. The smallest key stays.
pub fn key(distance: f32, is_inside: bool) -> u32 {
    distance.to_bits() << 1 | u32::from(is_inside)
}

/// Metres to the skin, negative inside; none in an empty cell.
pub fn signed_distance(key: u32) -> Option<f32> {
    let distance = f32::from_bits(key >> 1);
    let is_inside = key & 1 == 1;
    (key != EMPTY_KEY).then_some(if is_inside { -distance } else { distance })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_the_shaders_example() {
        assert_eq!(key(0.05, false), 0x7A99_999A);
        assert_eq!(key(0.05, true), 0x7A99_999B);
    }

    #[test]
    fn distances_come_back_with_every_bit() {
        for metres in [0.0, 1e-30, 0.013, 0.05, 1.0, 3.7, 1e6] {
            assert_eq!(signed_distance(key(metres, false)), Some(metres));
            assert_eq!(signed_distance(key(metres, true)), Some(-metres));
        }
        assert_eq!(signed_distance(EMPTY_KEY), None);
    }

    #[test]
    fn the_nearest_skin_goes_first_on_either_side() {
        let ordered = [
            key(0.0, false),
            key(0.0, true),
            key(1e-30, false),
            key(0.013, true),
            key(0.05, false),
            key(0.05, true),
            key(1e6, false),
            EMPTY_KEY,
        ];
        assert!(ordered.is_sorted_by(|a, b| a < b), "{ordered:x?}");
    }
}
