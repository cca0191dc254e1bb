//! The one vocabulary of the frame's stages: debug labels, timestamps, overlay rows, trace events and CSV columns.

use serde::Serialize;

/// A timed and labelled part of the frame, in the order they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Stage {
    /// Copies of constant data, in the first frame and after an edit.
    Upload,
    /// Skin, garment targets and fields follow the bones.
    Bake,
    /// The collision structure is emptied.
    CollideClear,
    /// The collision structure is filled from this frame's skin.
    CollideUpdate,
    /// Particles move by inertia, gravity and wind.
    ClothPredict,
    /// Constraints are projected; at a step's end edges that are too long are shortened.
    ClothSolve,
    /// Cloth is kept apart from cloth.
    ClothContact,
    /// Particles are tested against the body and their contacts resolved.
    Collide,
    /// Velocities and normals of the finished step.
    ClothFinish,
    /// The scene from the light.
    Shadow,
    /// The scene from the camera.
    Draw,
    /// Panels over the picture.
    Overlay,
}

impl Stage {
    /// Every stage, in order.
    pub const ALL: [Self; 12] = [
        Self::Upload,
        Self::Bake,
        Self::CollideClear,
        Self::CollideUpdate,
        Self::ClothPredict,
        Self::ClothSolve,
        Self::ClothContact,
        Self::Collide,
        Self::ClothFinish,
        Self::Shadow,
        Self::Draw,
        Self::Overlay,
    ];

    /// How many stages there are.
    pub const COUNT: usize = Self::ALL.len();

    /// The name in labels, tables and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Upload => "upload",
            Self::Bake => "bake",
            Self::CollideClear => "collide_clear",
            Self::CollideUpdate => "collide_update",
            Self::ClothPredict => "cloth_predict",
            Self::ClothSolve => "cloth_solve",
            Self::ClothContact => "cloth_contact",
            Self::Collide => "collide",
            Self::ClothFinish => "cloth_finish",
            Self::Shadow => "shadow",
            Self::Draw => "draw",
            Self::Overlay => "overlay",
        }
    }

    /// The same name for the driver.
    pub const fn label(self) -> &'static std::ffi::CStr {
        match self {
            Self::Upload => c"upload",
            Self::Bake => c"bake",
            Self::CollideClear => c"collide_clear",
            Self::CollideUpdate => c"collide_update",
            Self::ClothPredict => c"cloth_predict",
            Self::ClothSolve => c"cloth_solve",
            Self::ClothContact => c"cloth_contact",
            Self::Collide => c"collide",
            Self::ClothFinish => c"cloth_finish",
            Self::Shadow => c"shadow",
            Self::Draw => c"draw",
            Self::Overlay => c"overlay",
        }
    }

    /// Whether the stage belongs to the simulation, which may run several times or not at all in a frame.
    pub const fn is_simulation(self) -> bool {
        (self as u8) <= Self::ClothFinish as u8
    }

    /// Position in [`Stage::ALL`].
    pub const fn ix(self) -> usize {
        self as usize
    }
}
