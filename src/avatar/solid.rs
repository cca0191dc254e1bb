//! Rigid things that a file brings along: furniture, what somebody carries.

use glam::{Mat4, Vec3};

/// A rigid thing, as the file has it. Cloth meets it once it is among a world's solids.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedSolid {
    /// Its node's.
    pub name: String,
    /// Index into [`Skeleton::joints`](super::Skeleton::joints) of the bone that it rides with; none: it stands.
    pub joint_ix: Option<usize>,
    /// From its space to that bone's, or to the world. May scale, evenly, where bones do.
    pub frame_from_solid: Mat4,
    pub form: SolidForm,
    /// Coefficient of friction; none where the file says nothing.
    pub friction: Option<f32>,
    /// Part of the speed into it with which things bounce off, 0 to 1.
    pub restitution: f32,
}

/// A shape in its own space, metres, round the origin.
#[derive(Clone, Debug, PartialEq)]
pub enum SolidForm {
    /// Everything below y = 0.
    HalfSpace,
    Sphere {
        radius: f32,
    },
    /// Along y; from the middle to the middle of an end's ball.
    Capsule {
        half_length: f32,
        radius: f32,
    },
    Box {
        half_size: Vec3,
    },
    Mesh {
        positions: Vec<Vec3>,
        /// Counter-clockwise seen from outside.
        triangles: Vec<[u32; 3]>,
    },
}

impl SolidForm {
    /// Makes it `factor` times as large.
    #[cfg(feature = "import")]
    pub(super) fn rescale(&mut self, factor: f32) {
        match self {
            Self::HalfSpace => {}
            Self::Sphere { radius } => *radius *= factor,
            Self::Capsule {
                half_length,
                radius,
            } => {
                *half_length *= factor;
                *radius *= factor;
            }
            Self::Box { half_size } => *half_size *= factor,
            Self::Mesh { positions, .. } => positions.iter_mut().for_each(|p| *p *= factor),
        }
    }
}
