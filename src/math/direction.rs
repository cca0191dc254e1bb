//! A unit vector and how much friction is left in its contact, in one float: the twin of glsl/shared/direction.glsl.

use glam::{Vec2, Vec3};

const STEPS: f32 = 4095.0;

/// The upper bits of a float are its exponent and the first three of its mantissa.
const FRICTION_SHIFT: u32 = 20;
/// Steps of friction: from 2⁻²⁷ m, which is as good as none, to under 4 m.
const LEAST_FRICTION: u32 = 100 << 3;
const MOST_FRICTION: u32 = (128 << 3) + 7;
const MANTISSA: u32 = 0x7F_FFFF;

/// Twelve bits for each coordinate of the octahedral projection, the highest of the 24 as the float's sign, the others as its mantissa;
/// its exponent says which step of `friction`, the metres of motion along the surface that the contact may yet take away, rounded down:
/// eight steps from a power of two to the next. Never 0, which is left for no contact. +Y with 0.3 mm left is −6.249237e-2.
pub fn pack_contact(direction: Vec3, friction: f32) -> f32 {
    let at = direction.truncate() / direction.abs().element_sum();
    let at = if direction.z < 0.0 { folded(at) } else { at };
    let steps = ((0.5 * at + 0.5).clamp(Vec2::ZERO, Vec2::ONE) * STEPS + 0.5).as_uvec2();
    let places = steps.y * 4096 + steps.x;
    let step = (friction.to_bits() >> FRICTION_SHIFT).clamp(LEAST_FRICTION, MOST_FRICTION);
    // From 1 to 232: neither a denormal nor infinite.
    let exponent = step - LEAST_FRICTION + 1;
    f32::from_bits(places >> 23 << 31 | exponent << 23 | places & MANTISSA)
}

/// The direction that [`pack_contact`] packed, off by up to 0.06 degrees.
pub fn unpack_direction(packed: f32) -> Vec3 {
    let bits = packed.to_bits();
    let places = bits >> 31 << 23 | bits & MANTISSA;
    let at = Vec2::new((places % 4096) as f32, (places / 4096) as f32) / STEPS * 2.0 - 1.0;
    let z = 1.0 - at.x.abs() - at.y.abs();
    let at = if z < 0.0 { folded(at) } else { at };
    at.extend(z).normalize()
}

/// The friction that [`pack_contact`] packed: at most that, and more than eight ninths of it; never less than the least.
pub fn unpack_friction(packed: f32) -> f32 {
    let exponent = packed.to_bits() >> 23 & 255;
    f32::from_bits((exponent.max(1) - 1 + LEAST_FRICTION) << FRICTION_SHIFT)
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
        for (direction, friction) in round
            .chain(poles)
            .zip([0.0, 1e-30, 3e-5, 0.7, 3.9].into_iter().cycle())
        {
            let packed = pack_contact(direction, friction);
            assert!(packed.is_normal(), "{packed}");
            let degrees = unpack_direction(packed)
                .angle_between(direction)
                .to_degrees();
            assert!(degrees < 0.06, "{direction}: {degrees} degrees off");
            let left = unpack_friction(packed);
            let is_near = left <= friction && left > 0.888 * friction;
            assert!(is_near || left == 2f32.powi(-27), "{friction}: {left}");
        }
    }

    #[test]
    fn the_documented_example() {
        let packed = pack_contact(Vec3::Y, 3e-4);
        assert_eq!(
            (packed, unpack_friction(packed)),
            (-6.249237e-2, 2.746582e-4)
        );
    }
}
