//! What a patch of surface looks like from afar: its solid angle as a dipole and one term more, with a proven bound.
//!
//! Source: Barill, Dickson, Schmidt, Levin and Jacobson, "Fast Winding Numbers for Soups and Clouds", 2018. They open
//! a node by a fixed ratio of distance to size; we keep the size of the first neglected term, so that every answer
//! comes with a bound on its error.

use glam::DVec3;
use std::f64::consts::PI;

/// A patch of surface, reduced to its first moments about its own centre. Lengths in metres.
///
/// Does not hold the second moments: seen from nearer than [`Dipole::nearest_use`] the triangles must be summed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dipole {
    /// The area-weighted centroid.
    centre: DVec3,
    /// No point of the patch lies further from the centre.
    radius: f64,
    area: f64,
    /// The integral of the unit normal over the patch.
    normal: DVec3,
    /// The integral of normal ⊗ offset from the centre, symmetric part: xx, yy, zz.
    diagonal: DVec3,
    /// Likewise twice yz, zx, xy.
    off_diagonal: DVec3,
    /// The integral of the squared distance from the centre.
    spread: f64,
    /// Fourth root of three times the spread over 4π: the distance beyond the radius at which the error bound is one.
    unit_error_reach: f64,
}

/// The part of a winding number one patch adds, and how far off it may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    pub value: f64,
    pub error_bound: f64,
}

impl Dipole {
    /// The moments of one triangle. A triangle without area gives a dipole that adds nothing.
    pub(crate) fn of_triangle([a, b, c]: [DVec3; 3]) -> Self {
        let normal = (b - a).cross(c - a) * 0.5;
        let area = normal.length();
        let centre = (a + b + c) / 3.0;
        let squares = [a, b, c].map(|corner| corner.distance_squared(centre));
        let spread = area / 12.0 * squares.iter().sum::<f64>();
        Self {
            centre,
            radius: squares.iter().fold(0.0, |r: f64, &s| r.max(s)).sqrt(),
            area,
            normal,
            spread,
            unit_error_reach: unit_error_reach(spread),
            ..Self::default()
        }
    }

    /// The moments of several patches together.
    pub(crate) fn of_parts(parts: &[Self]) -> Self {
        let mut whole = Self {
            centre: common_centre(parts),
            ..Self::default()
        };
        for part in parts {
            whole.add(part);
        }
        whole.unit_error_reach = unit_error_reach(whole.spread);
        whole
    }

    /// Adds a part's moments, moved to this dipole's centre (the parallel axis theorem).
    fn add(&mut self, part: &Self) {
        let offset = part.centre - self.centre;
        let turned = DVec3::new(offset.y, offset.z, offset.x);
        let turned_normal = DVec3::new(part.normal.y, part.normal.z, part.normal.x);
        // Cyclic products y·z, z·x, x·y, both ways round.
        let twice = turned_normal * DVec3::new(offset.z, offset.x, offset.y)
            + turned * DVec3::new(part.normal.z, part.normal.x, part.normal.y);
        self.radius = self.radius.max(offset.length() + part.radius);
        self.area += part.area;
        self.normal += part.normal;
        self.diagonal += part.diagonal + part.normal * offset;
        self.off_diagonal += part.off_diagonal + twice;
        self.spread += part.spread + part.area * offset.length_squared();
    }

    /// The nearest a point may come, to the centre, for its error bound to stay within 1 / `inverse_tolerance_root`⁴.
    pub(crate) fn nearest_use(&self, inverse_tolerance_root: f64) -> f64 {
        self.radius + self.unit_error_reach * inverse_tolerance_root
    }

    /// The patch's part of the winding number at `point`, if that is at least `nearest_use` from the centre.
    ///
    /// With d from the point to the centre and y from there to the surface, the kernel n·x/|x|³ is expanded about d:
    /// n·d/|d|³ + (n·y)/|d|³ − 3 (n·d)(y·d)/|d|⁵. The next derivative is at most 6/|x|⁴ in any direction (the third
    /// derivative of 1/r, largest along r), which bounds the rest by 3 |y|²/(|d| − radius)⁴.
    pub(crate) fn term(&self, point: DVec3, nearest_use: f64) -> Option<Term> {
        let d = self.centre - point;
        let distance_squared = d.length_squared();
        if distance_squared <= nearest_use * nearest_use {
            return None;
        }
        let distance = distance_squared.sqrt();
        let cube = 1.0 / (distance_squared * distance);
        let turned = DVec3::new(d.y * d.z, d.z * d.x, d.x * d.y);
        let along = self.diagonal.dot(d * d) + self.off_diagonal.dot(turned);
        let sum = self.normal.dot(d) + self.diagonal.element_sum() - 3.0 * along / distance_squared;
        let ratio = self.unit_error_reach / (distance - self.radius);
        Some(Term {
            value: sum * cube / (4.0 * PI),
            error_bound: ratio.powi(4),
        })
    }
}

fn unit_error_reach(spread: f64) -> f64 {
    (3.0 * spread / (4.0 * PI)).sqrt().sqrt()
}

/// The area-weighted centroid; the plain mean where nothing has area.
fn common_centre(parts: &[Dipole]) -> DVec3 {
    let area: f64 = parts.iter().map(|part| part.area).sum();
    if area > 0.0 {
        parts
            .iter()
            .map(|part| part.centre * part.area)
            .sum::<DVec3>()
            / area
    } else {
        parts.iter().map(|part| part.centre).sum::<DVec3>() / parts.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::super::solid_angle::winding_number;
    use super::*;

    /// A crumpled strip of triangles, none of them parallel.
    fn patch() -> Vec<[DVec3; 3]> {
        let point = |k: usize| {
            let t = k as f64;
            DVec3::new(0.1 * t, (t * 1.7).sin() * 0.2, (t * 2.3).cos() * 0.2)
        };
        (0..9).map(|k| [k, k + 1, k + 2].map(point)).collect()
    }

    #[test]
    fn the_error_stays_within_its_bound_and_falls_with_distance() {
        let parts: Vec<_> = patch().into_iter().map(Dipole::of_triangle).collect();
        let whole = Dipole::of_parts(&parts);
        let direction = DVec3::new(0.3, 0.8, -0.5).normalize();
        let mut last_error = f64::INFINITY;
        for distance in [1.2, 2.4, 4.8, 9.6] {
            let point = whole.centre + direction * distance;
            let term = whole.term(point, whole.radius).expect("outside the patch");
            let error = (term.value - winding_number(point, patch())).abs();
            assert!(error <= term.error_bound, "{error} > {}", term.error_bound);
            assert!(error < last_error / 8.0, "{error} after {last_error}");
            last_error = error;
        }
    }

    #[test]
    fn merging_in_two_steps_gives_the_same_moments() {
        let parts: Vec<_> = patch().into_iter().map(Dipole::of_triangle).collect();
        let at_once = Dipole::of_parts(&parts);
        let in_steps =
            Dipole::of_parts(&[Dipole::of_parts(&parts[..4]), Dipole::of_parts(&parts[4..])]);
        assert!(at_once.centre.distance(in_steps.centre) < 1e-15);
        assert!(at_once.diagonal.distance(in_steps.diagonal) < 1e-15);
        assert!(at_once.off_diagonal.distance(in_steps.off_diagonal) < 1e-15);
        assert!((at_once.spread - in_steps.spread).abs() < 1e-15);
    }

    #[test]
    fn a_patch_is_not_used_from_inside_its_reach() {
        let dipole = Dipole::of_triangle([DVec3::X, DVec3::Y, DVec3::Z]);
        let nearest_use = dipole.nearest_use(3.0);
        assert!(dipole.term(dipole.centre, nearest_use).is_none());
        let far = dipole.term(dipole.centre + DVec3::X * (nearest_use + 0.01), nearest_use);
        assert!(far.expect("beyond the reach").error_bound < 1.0 / 81.0);
    }
}
