//! What a rigid solid looks like: the twin of `glsl/shared/solids.glsl`.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use super::{FieldHeader, FieldSample, SolidField, SolidMaterial};
use crate::math::Bounds;

/// The shape of a rigid solid in its own space, metres.
#[derive(Clone, Debug)]
pub enum SolidShape {
    /// Everything below y = 0: ground, or a wall when turned.
    HalfSpace,
    /// Round the origin.
    Sphere { radius: f32 },
    /// Round the part of the y axis from `-half_length` to `half_length`.
    Capsule { half_length: f32, radius: f32 },
    /// Round the origin, its sides along the axes.
    Box { half_size: Vec3 },
    /// Round the y axis; `tube_radius` is less than `radius`.
    Torus { radius: f32, tube_radius: f32 },
    /// Any mesh. Solids of one mesh share its field.
    Field(Arc<SolidField>),
}

/// Why a shape is none.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ShapeError {
    #[error("a length of {length} m: lengths are finite and above 0")]
    BadLength { length: f32 },
    #[error(
        "a torus with a tube of {tube_radius} m round {radius} m has no hole: make the tube thinner"
    )]
    NoHole { radius: f32, tube_radius: f32 },
}

/// `Solid` of glsl/shared/solids.glsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct GpuSolid {
    pub kind: u32,
    pub size: [f32; 3],
    pub field: FieldHeader,
    pub friction: f32,
    pub restitution: f32,
}

impl SolidShape {
    /// A cube or a slab.
    pub fn cuboid(size: Vec3) -> Self {
        Self::Box {
            half_size: 0.5 * size,
        }
    }

    /// Whether there is a solid of that shape.
    ///
    /// # Errors
    /// With the length that is no length.
    pub fn check(&self) -> Result<(), ShapeError> {
        if let Self::Torus {
            radius,
            tube_radius,
        } = *self
            && tube_radius >= radius
        {
            return Err(ShapeError::NoHole {
                radius,
                tube_radius,
            });
        }
        let lengths = self.lengths();
        let bad = lengths.iter().find(|length| !is_length(**length));
        bad.map_or(Ok(()), |&length| Err(ShapeError::BadLength { length }))
    }

    /// The lengths that it has.
    fn lengths(&self) -> Vec<f32> {
        match *self {
            Self::HalfSpace | Self::Field(_) => Vec::new(),
            Self::Sphere { radius } => vec![radius],
            Self::Capsule {
                half_length,
                radius,
            } => vec![half_length, radius],
            Self::Box { half_size } => half_size.to_array().to_vec(),
            Self::Torus {
                radius,
                tube_radius,
            } => vec![radius, tube_radius],
        }
    }

    /// As shaders read it; `header`: of its field.
    pub(crate) fn to_gpu(&self, header: FieldHeader, material: SolidMaterial) -> GpuSolid {
        let mut size = [0.0; 3];
        let lengths = self.lengths();
        size[..lengths.len()].copy_from_slice(&lengths);
        GpuSolid {
            kind: self.kind(),
            size,
            field: header,
            friction: material.friction_word(),
            restitution: material.restitution,
        }
    }

    fn kind(&self) -> u32 {
        match self {
            Self::HalfSpace => 0,
            Self::Sphere { .. } => 1,
            Self::Capsule { .. } => 2,
            Self::Box { .. } => 3,
            Self::Torus { .. } => 4,
            Self::Field(_) => 5,
        }
    }

    /// Round it, in its space; endless for a half-space.
    pub fn bounds(&self) -> Bounds {
        let reach = match *self {
            Self::HalfSpace => Vec3::INFINITY,
            Self::Sphere { radius } => Vec3::splat(radius),
            Self::Capsule {
                half_length,
                radius,
            } => Vec3::new(radius, half_length + radius, radius),
            Self::Box { half_size } => half_size,
            Self::Torus {
                radius,
                tube_radius,
            } => Vec3::new(radius + tube_radius, tube_radius, radius + tube_radius),
            Self::Field(ref field) => {
                let size = field.grid.cells().as_vec3() * field.grid.cell_size;
                return Bounds {
                    low: field.grid.low,
                    high: field.grid.low + size,
                };
            }
        };
        Bounds {
            low: -reach,
            high: reach,
        }
    }

    /// The signed distance to its surface at a point in its space, and the unit direction in which that grows; none where a field does not
    /// reach, or has no way out.
    pub fn sample(&self, at: Vec3) -> Option<FieldSample> {
        Some(match *self {
            Self::HalfSpace => FieldSample {
                distance: at.y,
                gradient: Vec3::Y,
            },
            Self::Sphere { radius } => distance_from(at, radius),
            Self::Capsule {
                half_length,
                radius,
            } => {
                let on_axis = Vec3::Y * at.y.clamp(-half_length, half_length);
                distance_from(at - on_axis, radius)
            }
            Self::Box { half_size } => distance_to_box(half_size, at),
            Self::Torus {
                radius,
                tube_radius,
            } => {
                let across = Vec3::new(at.x, 0.0, at.z);
                let outward = across.try_normalize().unwrap_or(Vec3::X);
                distance_from(at - outward * radius, tube_radius)
            }
            Self::Field(ref field) => {
                let FieldSample { distance, gradient } = field.sample(at)?;
                FieldSample {
                    distance,
                    gradient: gradient.try_normalize()?,
                }
            }
        })
    }
}

fn is_length(length: f32) -> bool {
    length > 0.0 && length.is_finite()
}

/// From a point of a solid's skeleton.
fn distance_from(apart: Vec3, radius: f32) -> FieldSample {
    FieldSample {
        distance: apart.length() - radius,
        gradient: apart.try_normalize().unwrap_or(Vec3::Y),
    }
}

fn distance_to_box(half_size: Vec3, at: Vec3) -> FieldSample {
    let beyond = at.abs() - half_size;
    let side = Vec3::from(at.to_array().map(|x| if x < 0.0 { -1.0 } else { 1.0 }));
    let outside = beyond.max(Vec3::ZERO);
    if outside != Vec3::ZERO {
        return FieldSample {
            distance: outside.length(),
            gradient: (side * outside).normalize(),
        };
    }
    let axis = beyond.max_position();
    FieldSample {
        distance: beyond[axis],
        gradient: Vec3::AXES[axis] * side,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes() -> Vec<SolidShape> {
        vec![
            SolidShape::HalfSpace,
            SolidShape::Sphere { radius: 0.3 },
            SolidShape::Capsule {
                half_length: 0.4,
                radius: 0.1,
            },
            SolidShape::cuboid(Vec3::new(0.5, 0.2, 0.8)),
            SolidShape::Torus {
                radius: 0.3,
                tube_radius: 0.1,
            },
        ]
    }

    fn points() -> impl Iterator<Item = Vec3> {
        (0..400).map(|ix| {
            let part = |prime: u32| (ix * prime % 997) as f32 / 997.0 - 0.5;
            1.4 * Vec3::new(part(113), part(211), part(307))
        })
    }

    #[test]
    fn a_step_along_the_gradient_ends_on_the_surface() {
        for (shape, at) in shapes()
            .iter()
            .flat_map(|shape| points().map(move |at| (shape, at)))
        {
            let FieldSample { distance, gradient } = shape.sample(at).expect("known everywhere");
            assert!((gradient.length() - 1.0).abs() < 1e-5);
            let there = shape
                .sample(at - gradient * distance)
                .expect("known everywhere");
            assert!(there.distance.abs() < 1e-5, "{shape:?} at {at}: {there:?}");
        }
    }

    #[test]
    fn the_distance_changes_by_no_more_than_the_way() {
        for shape in shapes() {
            for (a, b) in points().zip(points().skip(1)) {
                let [from, to] = [a, b].map(|at| shape.sample(at).expect("known").distance);
                assert!(
                    (from - to).abs() <= a.distance(b) + 1e-5,
                    "{shape:?}: {a} to {b}"
                );
            }
        }
    }

    #[test]
    fn what_is_inside_is_within_the_bounds() {
        for (shape, at) in shapes()
            .iter()
            .flat_map(|shape| points().map(move |at| (shape, at)))
        {
            if shape.sample(at).is_some_and(|sample| sample.distance < 0.0) {
                assert!(shape.bounds().contains(at), "{shape:?} at {at}");
            }
        }
    }

    #[test]
    fn lengths_that_are_none_are_refused() {
        for length in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert!(SolidShape::Sphere { radius: length }.check().is_err());
            assert!(
                SolidShape::cuboid(Vec3::new(1.0, length, 1.0))
                    .check()
                    .is_err()
            );
        }
        let torus = |tube_radius| SolidShape::Torus {
            radius: 0.1,
            tube_radius,
        };
        assert!(torus(0.05).check().is_ok() && torus(0.1).check().is_err());
    }
}
