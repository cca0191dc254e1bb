//! Rigid things in a scene.

use std::f32::consts::TAU;

use glam::{Mat4, Vec3};

use crate::solid::SolidShape;
use crate::world::{SolidDef, SolidStep};

/// A solid that stands, or goes round the world's vertical axis.
#[derive(Clone, Debug)]
pub struct Prop {
    pub shape: SolidShape,
    /// At the beginning.
    pub world_from_solid: Mat4,
    pub turns_per_second: f32,
}

impl Prop {
    fn standing(shape: SolidShape, at: Vec3) -> Self {
        Self {
            shape,
            world_from_solid: Mat4::from_translation(at),
            turns_per_second: 0.0,
        }
    }

    /// As a world takes it.
    pub fn def(&self) -> SolidDef {
        SolidDef {
            shape: self.shape.clone(),
            world_from_solid: self.world_from_solid,
        }
    }

    /// Where it is so many seconds after the beginning.
    pub fn step(&self, seconds: f32) -> SolidStep {
        let turn = Mat4::from_rotation_y(TAU * self.turns_per_second * seconds);
        SolidStep::moved(turn * self.world_from_solid)
    }
}

/// A ball that goes round somebody at the height of the knees, and a low table beside.
pub(super) fn ball_and_table() -> Vec<Prop> {
    let ball = Prop {
        turns_per_second: 0.2,
        ..Prop::standing(
            SolidShape::Sphere { radius: 0.12 },
            Vec3::new(0.0, 0.55, 0.34),
        )
    };
    let table = SolidShape::cuboid(Vec3::new(0.5, 0.04, 0.5));
    vec![ball, Prop::standing(table, Vec3::new(-0.5, 0.62, 0.0))]
}
