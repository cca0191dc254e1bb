//! What a cell keeps when several triangles are drawn into it; `glsl/radial/cell.glsl` is its twin.
//!
//! A cell is one word and the update an atomic minimum, so the order in which triangles come does not matter: whatever
//! should stay has the smallest key. The two highest bits rank the skin, the rest is the distance, whose bits order like
//! integers because it is never negative; its last bit is given up, 1 part in 4 million.
//!
//! The paper keeps the nearest skin. Where limbs bend, skin folds and lies in the flesh of the next limb, and the nearest
//! is then not where the body ends; so skin that is the joint's own goes before skin it shares, and of its own the
//! furthest stays.

use super::field::EMPTY;

/// Whose skin a triangle is, seen from a field's joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum Rank {
    /// The joint moves it more than all others together. Seen from the axis it is the outside of the limb in the bind
    /// pose, so the furthest of it ends the limb in any other pose.
    Own = 0,
    /// The joint moves it too. The nearest counts, where there is none of its own.
    Shared = 1,
    /// The joint hardly moves it, but its axis sees it when joints bend. The nearest counts, where there is no other.
    Borrowed = 2,
}

/// The key of a cell without skin: what the clear leaves.
pub const EMPTY_KEY: u32 = u32::MAX;

/// Bits of the distance.
const DISTANCE_MASK: u32 = (1 << 30) - 1;

/// The key for skin at `distance` metres from the axis, not negative. The smallest key stays.
pub fn key(rank: Rank, distance: f32) -> u32 {
    let bits = distance.to_bits() >> 1;
    let ordered = if rank == Rank::Own {
        DISTANCE_MASK - bits
    } else {
        bits
    };
    (rank as u32) << 30 | ordered
}

/// Metres from the axis to the skin, or [`EMPTY`].
pub fn distance(key: u32) -> f32 {
    if key == EMPTY_KEY {
        return EMPTY;
    }
    let ordered = key & DISTANCE_MASK;
    let bits = if key == ordered {
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
    fn distances_come_back_but_for_their_last_bit() {
        for metres in [0.0, 1e-30, 0.013, 0.05, 0.1, 1.0, 3.7, 1e6] {
            for rank in [Rank::Own, Rank::Shared, Rank::Borrowed] {
                let back = distance(key(rank, metres));
                assert!(
                    (back - metres).abs() <= metres * 2.4e-7,
                    "{rank:?} {metres}: {back}"
                );
            }
        }
        assert_eq!(distance(EMPTY_KEY), EMPTY);
    }

    #[test]
    fn own_skin_goes_before_shared_and_shared_before_borrowed() {
        let ordered = [
            key(Rank::Own, 2.0),
            key(Rank::Own, 0.05),
            key(Rank::Own, 0.0),
            key(Rank::Shared, 0.0),
            key(Rank::Shared, 0.05),
            key(Rank::Shared, 2.0),
            key(Rank::Borrowed, 0.05),
            key(Rank::Borrowed, 1e6),
            EMPTY_KEY,
        ];
        assert!(ordered.is_sorted_by(|a, b| a < b), "{ordered:x?}");
    }
}
