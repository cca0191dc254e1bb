//! The key that a cell keeps when several triangles are drawn into it; `glsl/radial/cell.glsl` is its twin.
//!
//! A cell is one word and the update an atomic minimum, so the order of the triangles does not matter: the triangle
//! to keep has the smallest key. The two highest bits rank the skin, the rest is the distance, whose bits order like
//! integers because it is never negative; its last bit is given up, and one more of skin that is not
//! the joint's own: 1 part in 2 million.
//!
//! The paper keeps the nearest skin. Where limbs bend, skin folds and lies in the flesh of the next limb, and the nearest
//! is then not where the body ends; so skin that is the joint's own goes before other skin, and of its own the furthest
//! stays.
//!
//! Bent far, an axis runs out of the body. What it then sees first is skin that faces it, and the skin behind that ends a
//! limb which the ray has come into from outside: a cell that held it would hold the air before the limb too. So skin that
//! faces the axis is kept as well, marked, and a cell whose nearest skin it is holds nothing. The joint's own skin lies round
//! its axis in every pose and needs none of this.

use serde::{Deserialize, Serialize};

use super::field::EMPTY;

/// Whose skin a triangle is, seen from a field's joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u32)]
pub enum Rank {
    /// The joint moves it more than all others together. Seen from the axis it is the outside of the limb in the bind
    /// pose, so the furthest of it ends the limb in any other pose.
    Own = 0,
    /// The joint moves it too, or its axis sees it when joints bend. The nearest counts, where there is none of its own.
    Shared = 1,
}

/// The key of a cell without skin: the value of the clear.
pub const EMPTY_KEY: u32 = u32::MAX;

/// Bits of the distance.
const DISTANCE_MASK: u32 = (1 << 30) - 1;

/// The key for skin at `distance` metres from the axis, not negative. The smallest key stays.
pub fn key(rank: Rank, distance: f32) -> u32 {
    let bits = distance.to_bits() >> 1;
    let ordered = if rank == Rank::Own {
        DISTANCE_MASK - bits
    } else {
        bits & !ENTERS
    };
    (rank as u32) << 30 | ordered
}

/// The key for skin at `distance` metres through which a ray from the axis comes into the body. Where it is the nearest, the axis
/// is outside, and the cell holds nothing.
pub fn entry_key(distance: f32) -> u32 {
    key(Rank::Shared, distance) | ENTERS
}

/// The lowest bit of skin that is not the joint's own.
const ENTERS: u32 = 1;

/// Metres from the axis to the skin, or [`EMPTY`].
pub fn distance(key: u32) -> f32 {
    if key == EMPTY_KEY {
        return EMPTY;
    }
    let ordered = key & DISTANCE_MASK;
    let is_own = key == ordered;
    if !is_own && key & ENTERS != 0 {
        return EMPTY;
    }
    let bits = if is_own {
        DISTANCE_MASK - ordered
    } else {
        ordered
    };
    f32::from_bits(bits << 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_come_back_but_for_their_last_bits() {
        for metres in [0.0, 1e-30, 0.013, 0.05, 0.1, 1.0, 3.7, 1e6] {
            for rank in [Rank::Own, Rank::Shared] {
                let back = distance(key(rank, metres));
                assert!(
                    (back - metres).abs() <= metres * 4.8e-7,
                    "{rank:?} {metres}: {back}"
                );
            }
        }
        assert_eq!(distance(EMPTY_KEY), EMPTY);
    }

    #[test]
    fn own_skin_goes_before_shared_and_the_nearer_of_that_first() {
        let ordered = [
            key(Rank::Own, 2.0),
            key(Rank::Own, 0.05),
            key(Rank::Own, 0.0),
            key(Rank::Shared, 0.0),
            key(Rank::Shared, 0.05),
            entry_key(0.05),
            key(Rank::Shared, 0.051),
            entry_key(2.0),
            key(Rank::Shared, 1e6),
            EMPTY_KEY,
        ];
        assert!(ordered.is_sorted_by(|a, b| a < b), "{ordered:x?}");
    }

    #[test]
    fn a_cell_whose_nearest_skin_faces_the_axis_holds_nothing() {
        for metres in [0.0, 0.05, 3.7] {
            assert_eq!(distance(entry_key(metres)), EMPTY);
        }
    }
}
