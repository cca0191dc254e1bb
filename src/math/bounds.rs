//! Boxes along the axes.

use glam::{Mat4, Vec3};

/// The smallest box along the axes round some points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    pub low: Vec3,
    pub high: Vec3,
}

impl Bounds {
    /// Holds nothing; grows with [`Bounds::union`].
    pub const EMPTY: Self = Self {
        low: Vec3::INFINITY,
        high: Vec3::NEG_INFINITY,
    };

    /// The box round a ball.
    pub fn of_ball(centre: Vec3, radius: f32) -> Self {
        Self {
            low: centre - radius,
            high: centre + radius,
        }
    }

    /// The box round both.
    pub fn union(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// The box round this one after an affine map.
    pub fn transformed(self, map: Mat4) -> Self {
        let centre = map.transform_point3(self.centre());
        let half = 0.5 * self.size();
        let reach = map.x_axis.truncate().abs() * half.x
            + map.y_axis.truncate().abs() * half.y
            + map.z_axis.truncate().abs() * half.z;
        Self {
            low: centre - reach,
            high: centre + reach,
        }
    }

    /// Wider by `margin` on every side.
    pub fn widened(self, margin: f32) -> Self {
        Self {
            low: self.low - margin,
            high: self.high + margin,
        }
    }

    /// Its eight corners.
    pub fn corners(self) -> [Vec3; 8] {
        std::array::from_fn(|corner| {
            let pick = |axis: usize| [self.low, self.high][corner >> axis & 1][axis];
            Vec3::new(pick(0), pick(1), pick(2))
        })
    }

    /// Whether a point is in it, or on its border.
    pub fn contains(self, point: Vec3) -> bool {
        point.cmpge(self.low).all() && point.cmple(self.high).all()
    }

    /// The middle of the box.
    pub fn centre(self) -> Vec3 {
        0.5 * (self.low + self.high)
    }

    /// Its edges' lengths.
    pub fn size(self) -> Vec3 {
        self.high - self.low
    }

    /// Whether it holds something, and all of it is finite.
    pub fn is_some(self) -> bool {
        self.low.is_finite() && self.high.is_finite() && self.low.cmple(self.high).all()
    }
}
