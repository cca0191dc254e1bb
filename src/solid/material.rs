//! How the surface of a rigid solid answers what touches it.

/// What a solid is made of, as cloth feels it: skin and the default are as rough as the cloth that touches them, and nothing bounces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolidMaterial {
    /// Coefficient of friction, 0 (ice) or more. Between it and cloth of another the geometric mean of both counts, as in Box2D and Jolt, so
    /// that 0 of either slides. `None`: cloth finds its own coefficient here.
    pub friction: Option<f32>,
    /// Part of the speed into the surface with which cloth bounces off: 0 stops it, usual for cloth; 1 loses nothing. What comes slower than
    /// about 0.2 m/s does not bounce.
    pub restitution: f32,
}

/// Why a material is none.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MaterialError {
    #[error("a friction of {friction}: coefficients are finite, and 0 or more")]
    BadFriction { friction: f32 },
    #[error("a restitution of {restitution}: it is from 0 to 1")]
    BadRestitution { restitution: f32 },
}

impl SolidMaterial {
    /// Of that coefficient of friction.
    pub fn with_friction(friction: f32) -> Self {
        Self {
            friction: Some(friction),
            ..Self::default()
        }
    }

    /// Whether there is such a material.
    ///
    /// # Errors
    /// With the number that is out of its range.
    pub fn check(&self) -> Result<(), MaterialError> {
        let Self {
            friction,
            restitution,
        } = *self;
        if let Some(friction) = friction.filter(|value| !(value.is_finite() && *value >= 0.0)) {
            return Err(MaterialError::BadFriction { friction });
        }
        match (0.0..=1.0).contains(&restitution) {
            true => Ok(()),
            false => Err(MaterialError::BadRestitution { restitution }),
        }
    }

    /// The coefficient between it and cloth of some coefficient.
    pub fn friction_with(&self, of_cloth: f32) -> f32 {
        self.friction
            .map_or(of_cloth, |friction| (friction * of_cloth).sqrt())
    }

    /// The coefficient as shaders read it: negative for none.
    pub(crate) fn friction_word(&self) -> f32 {
        self.friction.unwrap_or(-1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_coefficient_between_two_surfaces_is_their_geometric_mean() {
        assert_eq!(SolidMaterial::default().friction_with(0.4), 0.4);
        assert_eq!(SolidMaterial::with_friction(0.4).friction_with(0.4), 0.4);
        let between = SolidMaterial::with_friction(0.9).friction_with(0.4);
        assert!((between - 0.6).abs() < 1e-6, "{between}");
        for (solid, cloth) in [(0.0, 0.4), (0.4, 0.0)] {
            assert_eq!(
                SolidMaterial::with_friction(solid).friction_with(cloth),
                0.0
            );
        }
    }

    #[test]
    fn numbers_out_of_their_ranges_are_refused() {
        for friction in [-0.1, f32::NAN, f32::INFINITY] {
            let refused = SolidMaterial::with_friction(friction).check();
            assert!(
                matches!(refused, Err(MaterialError::BadFriction { .. })),
                "{friction}"
            );
        }
        for restitution in [-0.1, 1.1, f32::NAN] {
            let material = SolidMaterial {
                restitution,
                ..SolidMaterial::default()
            };
            let refused = material.check();
            assert!(
                matches!(refused, Err(MaterialError::BadRestitution { .. })),
                "{restitution}"
            );
        }
        let springy = SolidMaterial {
            friction: Some(0.0),
            restitution: 1.0,
        };
        assert_eq!(springy.check(), Ok(()));
    }
}
