//! Rigid things in a scene.

use std::f32::consts::TAU;

use glam::{Mat4, Vec3};

use crate::solid::SolidShape;
use crate::world::{SolidDef, SolidStep};

/// A solid that stands, or goes round the first character wherever that walks.
#[derive(Clone, Debug)]
pub struct Prop {
    pub shape: SolidShape,
    /// At the beginning, the character at the origin.
    pub world_from_solid: Mat4,
    /// Round the character; none: it stands.
    pub turns_per_second: Option<f32>,
}

impl Prop {
    fn standing(shape: SolidShape, at: Vec3) -> Self {
        Self {
            shape,
            world_from_solid: Mat4::from_translation(at),
            turns_per_second: None,
        }
    }

    /// As a world takes it.
    pub fn def(&self) -> SolidDef {
        SolidDef {
            shape: self.shape.clone(),
            world_from_solid: self.world_from_solid,
        }
    }

    /// Where it is so many seconds after the beginning; `on_ground`: below the first character.
    pub fn step(&self, seconds: f32, on_ground: Vec3) -> SolidStep {
        let moved = self.turns_per_second.map_or(Mat4::IDENTITY, |turns| {
            Mat4::from_translation(on_ground) * Mat4::from_rotation_y(TAU * turns * seconds)
        });
        SolidStep::moved(moved * self.world_from_solid)
    }
}

/// A ball that goes round somebody above the knees, and a low table beside.
pub(super) fn ball_and_table() -> Vec<Prop> {
    let ball = Prop {
        turns_per_second: Some(0.2),
        ..Prop::standing(
            SolidShape::Sphere { radius: 0.12 },
            Vec3::new(0.0, 0.55, 0.34),
        )
    };
    let table = SolidShape::cuboid(Vec3::new(0.5, 0.04, 0.5));
    vec![ball, Prop::standing(table, Vec3::new(-0.9, 0.42, 0.4))]
}
