//! Quadric error: the sum of squared distances to planes (Garland and Heckbert 1997).

use glam::{DMat3, DVec3};

/// x ↦ xᵀ A x + 2 b·x + c
#[derive(Clone, Copy, Debug)]
pub(super) struct Quadric {
    a: DMat3,
    b: DVec3,
    c: f64,
}

impl Quadric {
    pub const ZERO: Self = Self {
        a: DMat3::ZERO,
        b: DVec3::ZERO,
        c: 0.0,
    };

    /// `weight` times the squared distance to the plane through a point with a unit normal.
    pub fn plane(point: DVec3, normal: DVec3, weight: f64) -> Self {
        let offset = -normal.dot(point);
        let a = DMat3::from_cols(normal * normal.x, normal * normal.y, normal * normal.z) * weight;
        Self {
            a,
            b: normal * (offset * weight),
            c: offset * offset * weight,
        }
    }

    pub fn plus(self, other: Self) -> Self {
        Self {
            a: self.a + other.a,
            b: self.b + other.b,
            c: self.c + other.c,
        }
    }

    pub fn error(&self, x: DVec3) -> f64 {
        (x.dot(self.a * x) + 2.0 * self.b.dot(x) + self.c).max(0.0)
    }

    /// Where the error is least, unless that is ill-defined (a plane, a crease).
    pub fn minimum(&self) -> Option<DVec3> {
        let scale = self.a.x_axis.x + self.a.y_axis.y + self.a.z_axis.z;
        let is_sharp = self.a.determinant() > 1e-5 * scale * scale * scale;
        is_sharp.then(|| -(self.a.inverse() * self.b))
    }
}
