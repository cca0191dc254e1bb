//! What a picture is to show.

use ash::vk;
use serde::{Deserialize, Serialize};

use super::{Camera, KeyLight};

/// Everything that changes from picture to picture.
#[derive(Clone, Copy)]
pub struct RenderInput {
    pub camera: Camera,
    pub key_light: KeyLight,
    /// Part of the way from the previous step to the current one, 0 to 1: with a fixed time step, the part of a step
    /// that has passed since the last one.
    pub alpha: f32,
    pub view: ViewOptions,
    pub target: Target,
}

/// Where the picture goes.
#[derive(Clone, Copy)]
pub struct Target {
    /// Of the format that the renderer was made for, in `COLOR_ATTACHMENT_OPTIMAL` before and after.
    pub view: vk::ImageView,
    /// The part to draw in; within the extent that [`resize`](super::Renderer::resize) was given. Two renderers can share
    /// a target, each in its half.
    pub area: vk::Rect2D,
}

/// How the cloth is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClothColours {
    /// As woven and dyed.
    #[default]
    Fabric,
    /// By how deep the collision pushed it out in the last step: blue is untouched, red is
    /// [`ViewOptions::depth_of_red`].
    Penetration,
    /// By how much longer the longest edge of a triangle is than it was made: blue is its own length and less, red is
    /// [`ViewOptions::stretch_of_red`].
    Stretch,
}

/// How the body is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BodyColours {
    /// As it is.
    #[default]
    Skin,
    /// Magenta where the clothes cover it as they were made, away from their hems: what is seen of it shows through.
    Covered,
}

/// How rigid solids are coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SolidColours {
    /// A grey clay.
    #[default]
    Clay,
    /// By how far the surface of a sampled solid's field lies from the mesh that it was made of, as far as that is known: blue is on it, red
    /// is [`ViewOptions::error_of_red`]. Parts of the mesh that the surface misses by more than half a cell are drawn as well, by how
    /// far they lie from it.
    Error,
}

/// Whether and how the technique's structure is drawn: the surface of radial fields, slices through grids of distances, the occupied
/// cells of a hash table, the boxes of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShownStructure {
    #[default]
    Hidden,
    /// A heat map; of radial fields by the distance from the axis, red is the field's radius.
    ByDistance,
    /// Each radial field in its own colour; others as above.
    ByField,
}

/// What to show.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewOptions {
    pub show_body: bool,
    pub show_cloth: bool,
    pub show_ground: bool,
    pub cloth_colours: ClothColours,
    pub body_colours: BodyColours,
    pub solid_colours: SolidColours,
    /// Edges of the body's triangles.
    pub body_wireframe: bool,
    /// Edges of the simulated triangles.
    pub cloth_wireframe: bool,
    pub structure: ShownStructure,
    /// What is searched first: the cylinders of radial fields.
    pub broad_phase: bool,
    /// A line along the normal of every contact.
    pub contacts: bool,
    /// Metres of contact depth that heat maps show red. Usually as much as the cloth is thick.
    pub depth_of_red: f32,
    /// Stretch that the heat map shows red, as a part of the length: 0.25 is a quarter longer. Usually what is not to happen.
    pub stretch_of_red: f32,
    /// Cells of a field that the heat map of its errors shows red. Usually 0.25; beyond 1 a feature of the mesh is lost.
    pub error_of_red: f32,
    /// Factor on all light; usually 0.5 to 2.
    pub exposure: f32,
    /// World height of the ground, metres.
    pub ground_height: f32,
}

impl Default for ViewOptions {
    fn default() -> Self {
        Self {
            show_body: true,
            show_cloth: true,
            show_ground: true,
            cloth_colours: ClothColours::Fabric,
            body_colours: BodyColours::Skin,
            solid_colours: SolidColours::Clay,
            body_wireframe: false,
            cloth_wireframe: false,
            structure: ShownStructure::Hidden,
            broad_phase: false,
            contacts: false,
            depth_of_red: 0.006,
            stretch_of_red: 0.25,
            error_of_red: 0.25,
            exposure: 1.0,
            ground_height: 0.0,
        }
    }
}
