//! Cloth that lies about or falls, made for what cloth does to cloth.

use std::f32::consts::{FRAC_PI_2, TAU};

use glam::{Quat, Vec2, Vec3};

use super::furniture::BESIDE;
use crate::cloth::garment::{Garment, level_sheet};

/// Metres over the ground from which a tablecloth comes down.
const TABLECLOTH_HEIGHT: f32 = 1.4;
/// Metres: it hangs down to the knees from a bust of a table's height.
const TABLECLOTH_WIDTH: f32 = 1.2;

/// A square cloth beside the character.
pub(super) fn tablecloth(particle_count: usize) -> Garment {
    let middle = BESIDE + TABLECLOTH_HEIGHT * Vec3::Y;
    let size = Vec2::splat(TABLECLOTH_WIDTH);
    level_sheet("tablecloth", middle, size, particle_count)
}

/// Metres along a sheet of a pile.
const SHEET_WIDTH: f32 = 0.5;
/// Metres that they lie off the middle, at most.
const SHEET_ASIDE: f32 = 0.06;

/// Sheets before they fall.
#[derive(Clone, Copy)]
pub(super) struct Pile {
    /// Metres from the ground to the lowest, and from each to the next.
    pub height: f32,
    pub gap: f32,
    pub sheet_count: usize,
}

/// Square sheets above each other beside the character, each turned by a golden angle further than the one beneath, the
/// lowest first.
pub(super) fn pile(desc: Pile, particle_count: usize) -> Vec<Garment> {
    let Pile {
        height,
        gap,
        sheet_count,
    } = desc;
    let golden = TAU * 0.381_966;
    let sheet = |ix: usize| {
        let turn = Quat::from_rotation_y(golden * ix as f32);
        let aside = SHEET_ASIDE * (turn * Vec3::X);
        let middle = BESIDE + aside + (height + gap * ix as f32) * Vec3::Y;
        let name = format!("sheet {}", ix + 1);
        let size = Vec2::splat(SHEET_WIDTH);
        let mut sheet = level_sheet(&name, middle, size, particle_count / sheet_count);
        turn_about(&mut sheet, middle, turn);
        sheet.base_colour = HUES[ix % HUES.len()];
        sheet
    };
    (0..sheet_count).map(sheet).collect()
}

/// Linear RGBA of sheets that lie on each other.
const HUES: [[f32; 4]; 5] = [
    [0.60, 0.58, 0.52, 1.0],
    [0.10, 0.25, 0.32, 1.0],
    [0.55, 0.22, 0.08, 1.0],
    [0.12, 0.28, 0.14, 1.0],
    [0.45, 0.33, 0.07, 1.0],
];

/// Metres of a ribbon, and how much it leans, radians: upright, it would stand.
const RIBBON_LENGTH: f32 = 1.6;
const RIBBON_WIDTH: f32 = 0.06;
const RIBBON_LEAN: f32 = 0.05;

/// A long ribbon that comes down end first beside the character and folds on itself.
pub(super) fn ribbon(particle_count: usize) -> Garment {
    let middle = BESIDE + (0.5 * RIBBON_LENGTH + 0.02) * Vec3::Y;
    let size = Vec2::new(RIBBON_WIDTH, RIBBON_LENGTH);
    let mut ribbon = level_sheet("ribbon", middle, size, particle_count);
    turn_about(
        &mut ribbon,
        middle,
        Quat::from_rotation_x(FRAC_PI_2 + RIBBON_LEAN),
    );
    ribbon.base_colour = HUES[2];
    ribbon
}

/// Turns cloth about a place.
fn turn_about(garment: &mut Garment, middle: Vec3, turn: Quat) {
    for at in &mut garment.mesh.positions {
        *at = middle + turn * (*at - middle);
    }
    for normal in &mut garment.mesh.normals {
        *normal = turn * *normal;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_of_a_pile_lie_above_each_other_and_none_in_another() {
        let desc = Pile {
            height: 0.1,
            gap: 0.02,
            sheet_count: 50,
        };
        let pile = pile(desc, 20_000);
        assert_eq!(pile.len(), 50);
        let height = |garment: &Garment| garment.mesh.positions[0].y;
        assert!(pile.windows(2).all(|pair| {
            let [below, above] = [&pair[0], &pair[1]].map(height);
            (above - below - desc.gap).abs() < 1e-4
        }));
        let particles: usize = pile.iter().map(|sheet| sheet.mesh.positions.len()).sum();
        assert!((19_000..21_000).contains(&particles), "{particles}");
    }

    #[test]
    fn a_ribbon_stands_on_the_ground_nearly_upright() {
        let ribbon = ribbon(1500);
        let heights = ribbon.mesh.positions.iter().map(|at| at.y);
        let [low, high] = [f32::min, f32::max].map(|pick| heights.clone().reduce(pick));
        assert!((0.0..0.04).contains(&low.expect("it has particles")));
        assert!(high.expect("it has particles") > 0.95 * RIBBON_LENGTH);
    }
}
