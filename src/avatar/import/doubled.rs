//! Skin that exists twice: each triangle once more the other way round, for programs that draw fronts alone.
//!
//! Nothing is within such a skin: whatever one side encloses the other takes out again.

use std::collections::HashSet;

use crate::avatar::Avatar;
use crate::math::weld::sites;

/// From this part of its triangles on, backs are taken for a second side of the whole skin: half of a doubled one are. Usually 0.25: hair in cards with
/// backs of their own stays as it is.
const DOUBLED: f64 = 0.25;

/// Sets aside the second side of a doubled skin, which is drawn and no part of the body. Returns how many triangles that is.
pub(super) fn set_backs_aside(avatar: &mut Avatar) -> u32 {
    let skin = &avatar.skin;
    let of_vertex = sites(&skin.positions).of_vertex;
    let mut seen = HashSet::with_capacity(skin.triangles.len());
    let is_back: Vec<bool> = skin
        .triangles
        .iter()
        .map(|corners| {
            let [a, b, c] = corners.map(|vertex| of_vertex[vertex as usize]);
            seen.insert(from_least([a, b, c]));
            seen.contains(&from_least([a, c, b])) && a != b && b != c && c != a
        })
        .collect();
    let count = is_back.iter().filter(|&&is_back| is_back).count();
    if (count as f64) < DOUBLED * is_back.len() as f64 {
        return 0;
    }
    avatar.set_aside(|ix| is_back[ix]);
    count as u32
}

/// The corners in the same direction, beginning with the least.
fn from_least([a, b, c]: [u32; 3]) -> [u32; 3] {
    let turns = [[a, b, c], [b, c, a], [c, a, b]];
    turns.into_iter().min().unwrap_or([a, b, c])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::builtin::load_mannequin;

    #[test]
    fn of_a_doubled_skin_the_second_side_is_drawn_and_no_body() {
        let single = load_mannequin();
        let mut doubled = single.clone();
        // Of vertices of their own, in another order, as exporters leave them.
        let count = doubled.skin.positions.len() as u32;
        let skin = &mut doubled.skin;
        skin.positions.extend_from_within(..);
        skin.normals.extend_from_within(..);
        skin.uvs.extend_from_within(..);
        skin.joints.extend_from_within(..);
        skin.weights.extend_from_within(..);
        let backs = single.skin.triangles.iter().rev();
        skin.triangles
            .extend(backs.map(|&[a, b, c]| [c + count, b + count, a + count]));
        doubled.parts.clear();
        let expected = single.skin.triangles.len() as u32;
        assert_eq!(set_backs_aside(&mut doubled), expected);
        assert_eq!(doubled.skin.triangles, single.skin.triangles);
        assert_eq!(doubled.ornaments.len() as u32, expected);
    }

    #[test]
    fn a_skin_with_some_cards_stays_as_it_is() {
        let single = load_mannequin();
        let mut with_cards = single.clone();
        let backs = single.skin.triangles.iter().take(100);
        with_cards
            .skin
            .triangles
            .extend(backs.map(|&[a, b, c]| [b, a, c]));
        assert_eq!(set_backs_aside(&mut with_cards), 0);
        assert!(with_cards.ornaments.is_empty());
    }
}
