//! What counts as the same, and proof that a difference is seen.

use glam::Vec3;

/// Whether every point lies within `tolerance` of its twin; else where the first does not.
pub fn points_agree(found: &[Vec3], expected: &[Vec3], tolerance: f32) -> Result<(), String> {
    if found.len() != expected.len() {
        return Err(format!("{} points, not {}", found.len(), expected.len()));
    }
    // Written so that a NaN differs.
    let differs = |(_, (a, b)): &(usize, (&Vec3, &Vec3))| !(a.distance(**b) <= tolerance);
    let mut pairs = found.iter().zip(expected).enumerate();
    match pairs.find(differs) {
        Some((ix, (a, b))) => Err(format!(
            "point {ix} is {a}, not {b}: {} apart, at most {tolerance}",
            a.distance(*b)
        )),
        None => Ok(()),
    }
}

/// The same, where so many points may lie within another, wider tolerance: those at which rounding decides.
pub fn points_agree_but(
    count: usize,
    wider: f32,
    found: &[Vec3],
    expected: &[Vec3],
    tolerance: f32,
) -> Result<(), String> {
    points_agree(found, expected, wider)?;
    let differs = |(a, b): &(&Vec3, &Vec3)| a.distance(**b) > tolerance;
    match found.iter().zip(expected).filter(differs).count() {
        differing if differing > count => points_agree(found, expected, tolerance),
        _ => Ok(()),
    }
}

/// The largest distance between points and their twins.
pub fn largest_distance(found: &[Vec3], expected: &[Vec3]) -> f32 {
    let distances = found.iter().zip(expected).map(|(a, b)| a.distance(*b));
    distances.fold(0.0, f32::max)
}

/// Whether each value agrees with one of its candidates: the first list is the twin's own answer, the others are its
/// answers to inputs moved by as little as the GPU may round them. Returns how many values needed one of the others.
///
/// `agrees(found, candidate, is_own)`.
pub fn explained<T: Copy + std::fmt::Debug>(
    found: &[T],
    candidates: &[Vec<T>],
    agrees: impl Fn(T, T, bool) -> bool,
) -> Result<usize, String> {
    let mut excused_count = 0;
    for (ix, &value) in found.iter().enumerate() {
        let mut answers = candidates.iter().map(|list| list[ix]).enumerate();
        match answers.position(|(list_ix, answer)| agrees(value, answer, list_ix == 0)) {
            Some(list_ix) => excused_count += usize::from(list_ix > 0),
            None => {
                let answers: Vec<_> = candidates.iter().map(|list| list[ix]).collect();
                return Err(format!("value {ix} is {value:?}, the twin has {answers:?}"));
            }
        }
    }
    Ok(excused_count)
}

#[test]
fn a_single_wrong_or_missing_point_is_seen() {
    let points: Vec<_> = (0..100).map(|i| Vec3::splat(i as f32)).collect();
    assert!(points_agree(&points, &points, 1e-5).is_ok());
    for wrong in [2e-5, f32::NAN, f32::INFINITY] {
        let mut damaged = points.clone();
        damaged[77].y += wrong;
        assert!(points_agree(&damaged, &points, 1e-5).is_err(), "{wrong}");
    }
    assert!(points_agree(&points[1..], &points, 1e-5).is_err());
}
