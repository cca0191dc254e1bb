//! Rigid things in a scene.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};

use super::furniture::BESIDE;
use crate::avatar::{Avatar, NamedSolid, SolidForm};
use crate::math::triangle_tree::TriangleTree;
use crate::oracle::solids::JudgedShape;
use crate::pose::Palette;
use crate::solid::fill::fill;
use crate::solid::study::bust;
use crate::solid::{
    Grid, GridError, SignRule, SolidMaterial, SolidMesh, SolidMeshError, SolidShape,
};
use crate::world::{SolidDef, SolidStep};

/// A solid that stands, or moves.
#[derive(Clone, Debug)]
pub struct Prop {
    pub shape: SolidShape,
    /// At the beginning, the character at the origin; of one that rides, in its bone's space.
    pub world_from_solid: Mat4,
    pub material: SolidMaterial,
    pub motion: PropMotion,
    /// What its field was made of, if it is sampled: to be judged by.
    pub mesh: Option<Arc<SolidMesh>>,
}

/// How a solid moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PropMotion {
    Stands,
    /// Round the first character wherever that walks.
    Orbits {
        turns_per_second: f32,
    },
    /// With a bone of the first character.
    Rides {
        joint_ix: usize,
    },
    /// About an axis through a place, so far and back, evenly begun and ended.
    Swings {
        about: Vec3,
        axis: Vec3,
        radians: f32,
        seconds: f32,
    },
    /// So far and back, evenly begun and ended.
    Slides {
        by: Vec3,
        seconds: f32,
    },
}

/// Why what a file brings along cannot be met.
#[derive(Debug, thiserror::Error)]
pub enum PropError {
    #[error("{name}: {fault}")]
    Mesh { name: String, fault: SolidMeshError },
    #[error("{name}: {fault}")]
    Grid { name: String, fault: GridError },
}

/// Cells along the longest side of a mesh that a file brings along, usually a hundred: of a chair, 1 cm.
const CELLS: f32 = 100.0;
/// Metres: a cell is no smaller than this, a third of what cloth keeps off.
const LEAST_CELL: f32 = 0.0015;

impl Prop {
    pub(super) fn standing(shape: SolidShape, at: Vec3) -> Self {
        Self {
            shape,
            world_from_solid: Mat4::from_translation(at),
            material: SolidMaterial::default(),
            motion: PropMotion::Stands,
            mesh: None,
        }
    }

    /// A mesh that stands there, as a field.
    pub(super) fn sampled(
        positions: &[Vec3],
        triangles: &[[u32; 3]],
        name: &str,
        at: Vec3,
        cell: Option<f32>,
    ) -> Result<Self, PropError> {
        let name = || name.to_owned();
        let mesh = SolidMesh::new(positions, triangles).map_err(|fault| PropError::Mesh {
            name: name(),
            fault,
        })?;
        let usual = (mesh.bounds().size().max_element() / CELLS).max(LEAST_CELL);
        let cell = cell.unwrap_or(usual);
        let grid = Grid::over(&mesh, cell).map_err(|fault| PropError::Grid {
            name: name(),
            fault,
        })?;
        let field = fill(&mesh, grid, SignRule::for_mesh(&mesh));
        Ok(Self {
            mesh: Some(Arc::new(mesh)),
            ..Self::standing(SolidShape::Field(field.into()), at)
        })
    }

    /// A bust as high as a table, and what it stands on. `edge`: metres, of its triangles; `cell`: of its field's.
    ///
    /// # Panics
    /// When cells are so small that the field has no room, below about a millimetre.
    pub fn bust(edge: f32, cell: f32) -> Vec<Self> {
        let mesh = bust(edge);
        let (height, name) = (0.85, "the bust");
        let at = BESIDE + height * Vec3::Y;
        let bust = Self::sampled(&mesh.positions, &mesh.triangles, name, at, Some(cell));
        let stand = SolidShape::cuboid(Vec3::new(0.36, height, 0.26));
        let bust = bust.expect("the bust is a mesh, and its field has room");
        // Of unglazed clay: cloth of the usual kind stays on it up to 38 degrees.
        let clay = SolidMaterial::with_friction(1.6);
        vec![
            Self {
                material: clay,
                ..bust
            },
            Self::standing(stand, BESIDE + 0.5 * height * Vec3::Y),
        ]
    }

    /// Judges by what it is, and not by its field.
    pub(super) fn judged(&self) -> Option<JudgedShape> {
        let wide = |length: f32| f64::from(length);
        Some(match self.shape {
            SolidShape::HalfSpace => JudgedShape::HalfSpace,
            SolidShape::Sphere { radius } => JudgedShape::Sphere {
                radius: wide(radius),
            },
            SolidShape::Capsule {
                half_length,
                radius,
            } => JudgedShape::Capsule {
                half_length: wide(half_length),
                radius: wide(radius),
            },
            SolidShape::Box { half_size } => JudgedShape::Box {
                half_size: half_size.as_dvec3(),
            },
            SolidShape::Torus {
                radius,
                tube_radius,
            } => JudgedShape::Torus {
                radius: wide(radius),
                tube_radius: wide(tube_radius),
            },
            SolidShape::Field(_) => {
                let mesh = self.mesh.as_ref()?;
                let tree = TriangleTree::new(mesh.positions(), mesh.triangles());
                JudgedShape::Mesh(Box::new(tree))
            }
        })
    }

    /// The rigid things that the character's file brings along.
    ///
    /// # Errors
    /// When no field can be made of a mesh.
    pub fn brought_by(avatar: &Avatar) -> Result<Vec<Self>, PropError> {
        avatar.solids.iter().map(Self::of).collect()
    }

    fn of(solid: &NamedSolid) -> Result<Self, PropError> {
        let standing = |shape| Ok(Self::standing(shape, Vec3::ZERO));
        let plain = match solid.form {
            SolidForm::HalfSpace => standing(SolidShape::HalfSpace),
            SolidForm::Sphere { radius } => standing(SolidShape::Sphere { radius }),
            SolidForm::Capsule {
                half_length,
                radius,
            } => standing(SolidShape::Capsule {
                half_length,
                radius,
            }),
            SolidForm::Box { half_size } => standing(SolidShape::Box { half_size }),
            SolidForm::Mesh {
                ref positions,
                ref triangles,
            } => Self::sampled(positions, triangles, &solid.name, Vec3::ZERO, None),
        }?;
        Ok(Self {
            world_from_solid: solid.frame_from_solid,
            material: SolidMaterial {
                friction: solid.friction,
                restitution: solid.restitution,
            },
            motion: match solid.joint_ix {
                Some(joint_ix) => PropMotion::Rides { joint_ix },
                None => PropMotion::Stands,
            },
            ..plain
        })
    }

    /// As a world takes it; `palette`: of the first character.
    pub fn def(&self, palette: &Palette) -> SolidDef {
        SolidDef {
            material: self.material,
            ..SolidDef::new(self.shape.clone(), self.place(0.0, Vec3::ZERO, palette))
        }
    }

    /// Where it is so many seconds after the beginning; `on_ground`: below the first character, whose bones `palette` has.
    pub fn step(&self, seconds: f32, on_ground: Vec3, palette: &Palette) -> SolidStep {
        SolidStep::moved(self.place(seconds, on_ground, palette))
    }

    fn place(&self, seconds: f32, on_ground: Vec3, palette: &Palette) -> Mat4 {
        let there_and_back = |period: f32| 0.5 - 0.5 * (TAU * seconds / period).cos();
        let moved = match self.motion {
            PropMotion::Stands => Mat4::IDENTITY,
            PropMotion::Orbits { turns_per_second } => {
                let turned = Mat4::from_rotation_y(TAU * turns_per_second * seconds);
                Mat4::from_translation(on_ground) * turned
            }
            PropMotion::Rides { joint_ix } => palette.world_from_bone[joint_ix],
            PropMotion::Swings {
                about,
                axis,
                radians,
                seconds,
            } => {
                let turn = Quat::from_axis_angle(axis, radians * there_and_back(seconds));
                Mat4::from_translation(about)
                    * Mat4::from_quat(turn)
                    * Mat4::from_translation(-about)
            }
            PropMotion::Slides { by, seconds } => {
                Mat4::from_translation(by * there_and_back(seconds))
            }
        };
        moved * self.world_from_solid
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brought(form: SolidForm, joint_ix: Option<usize>) -> Result<Vec<Prop>, PropError> {
        Prop::brought_by(&Avatar {
            solids: vec![NamedSolid {
                name: "chair".to_owned(),
                joint_ix,
                frame_from_solid: Mat4::from_translation(Vec3::Y),
                form,
                friction: Some(0.3),
                restitution: 0.1,
            }],
            ..Avatar::default()
        })
    }

    #[test]
    fn what_a_file_brings_along_is_met_as_it_is_and_judged_by_its_mesh() {
        let ball = &brought(SolidForm::Sphere { radius: 0.2 }, Some(3)).expect("a ball")[0];
        assert_eq!(ball.motion, PropMotion::Rides { joint_ix: 3 });
        let (friction, restitution) = (Some(0.3), 0.1);
        assert_eq!(
            (ball.material.friction, ball.material.restitution),
            (friction, restitution)
        );
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].to_vec();
        let mesh = |triangles| SolidForm::Mesh {
            positions: corners.clone(),
            triangles,
        };
        let closed = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let chair = &brought(mesh(closed), None).expect("a mesh")[0];
        assert_eq!(chair.motion, PropMotion::Stands);
        let near = chair
            .shape
            .sample(Vec3::new(0.2, -0.01, 0.2))
            .expect("it is near");
        assert!((near.distance - 0.01).abs() < 1e-3, "{near:?}");
        assert!(matches!(chair.judged(), Some(JudgedShape::Mesh(_))));
        let refused = brought(mesh(vec![[0, 0, 1]]), None).expect_err("it has no area");
        assert!(
            refused.to_string().starts_with("chair: none of"),
            "{refused}"
        );
    }
}
