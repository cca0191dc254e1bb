//! A unit vector in one number that any float holds exactly: the twin of glsl/shared/direction.glsl.

use glam::{Vec2, Vec3};

const STEPS: f32 = 4095.0;

/// Twelve bits for each coordinate of the octahedral projection, plus one: from 1 to 2²⁴. 0 is left for no direction.
pub fn pack_direction(direction: Vec3) -> f32 {
    let at = direction.truncate() / direction.abs().element_sum();
    let at = if direction.z < 0.0 { folded(at) } else { at };
    let steps = ((0.5 * at + 0.5).clamp(Vec2::ZERO, Vec2::ONE) * STEPS + 0.5).floor();
    steps.y * 4096.0 + steps.x + 1.0
}

/// What [`pack_direction`] packed, off by up to 0.06 degrees.
pub fn unpack_direction(packed: f32) -> Vec3 {
    let rows = ((packed - 1.0) / 4096.0).floor();
    let at = Vec2::new(packed - 1.0 - rows * 4096.0, rows) / STEPS * 2.0 - 1.0;
    let z = 1.0 - at.x.abs() - at.y.abs();
    let at = if z < 0.0 { folded(at) } else { at };
    at.extend(z).normalize()
}

/// The lower half of the octahedron is folded over the edges of the upper one.
fn folded(at: Vec2) -> Vec2 {
    let side = |value: f32| if value < 0.0 { -1.0 } else { 1.0 };
    Vec2::new(
        (1.0 - at.y.abs()) * side(at.x),
        (1.0 - at.x.abs()) * side(at.y),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_survive_packing() {
        let angles =
            (0..40).flat_map(|i| (0..20).map(move |j| (i as f32 * 0.157, j as f32 * 0.157)));
        let poles = [
            Vec3::X,
            Vec3::Y,
            Vec3::Z,
            Vec3::NEG_X,
            Vec3::NEG_Y,
            Vec3::NEG_Z,
        ];
        let round = angles.map(|(turn, fall): (f32, f32)| {
            Vec3::new(turn.cos() * fall.sin(), turn.sin() * fall.sin(), fall.cos())
        });
        for direction in round.chain(poles) {
            let packed = pack_direction(direction);
            assert!((1.0..=16_777_216.0).contains(&packed) && packed.fract() == 0.0);
            let degrees = unpack_direction(packed)
                .angle_between(direction)
                .to_degrees();
            assert!(degrees < 0.06, "{direction}: {degrees} degrees off");
        }
    }

    #[test]
    fn the_documented_example() {
        assert_eq!(pack_direction(Vec3::Y), 16_775_169.0);
    }
}
