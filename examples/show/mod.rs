//! What the hosts in Rust show: a character in a skirt, and a friend who comes along in trousers and a top, goes, and comes
//! back in a cape. Nothing here knows how it is drawn.

use std::ops::Range;
use std::path::PathBuf;

use radial_fields::avatar::builtin;
use radial_fields::cloth::garment::make;
use radial_fields::glam::camera::rh::proj::directx::perspective;
use radial_fields::glam::camera::rh::view::look_at_mat4;
use radial_fields::glam::{Mat4, Vec3};
use radial_fields::pose::bind_pose;
use radial_fields::{
    Avatar, BodyDef, Garment, GarmentDef, GarmentKind, Host, Palette, Pose, World, WorldDef,
    WorldError,
};

/// Seconds of a simulation step.
pub const STEP_SECONDS: f32 = 1.0 / 60.0;
/// Seconds from the pose the clothes were made in to the first of the clip.
const EASE_IN: f32 = 1.0;
/// Metres from the character to the friend.
const ASIDE: f32 = 1.1;
/// Where in the wardrobe garments are.
const SKIRT: usize = 0;
const TROUSERS_AND_TOP: [usize; 2] = [1, 2];
const CAPE: [usize; 1] = [3];

#[derive(clap::Parser)]
pub struct Arguments {
    #[arg(long, default_value_t = 120)]
    pub frames: u32,
    /// Where the picture of the last frame goes.
    #[arg(long)]
    pub out: PathBuf,
    /// Listen to Vulkan's validation, and fail when it says anything.
    #[arg(long)]
    pub validate: bool,
}

/// Triangles of one colour. `first_vertex` is added to their indices.
pub struct Part {
    pub indices: Range<u32>,
    pub first_vertex: u32,
    pub colour: [f32; 4],
}

pub struct Show {
    avatar: Avatar,
    wardrobe: Vec<Garment>,
    /// Which of the wardrobe the world's garments are.
    worn: Vec<usize>,
    frames: u32,
}

impl Show {
    pub fn new(frames: u32) -> Result<Self, Box<dyn std::error::Error>> {
        let avatar = builtin::load_mannequin();
        let mut wardrobe = make(GarmentKind::Skirt, &avatar, 1500)?;
        wardrobe.extend(make(GarmentKind::TrousersAndTop, &avatar, 2500)?);
        wardrobe.extend(make(GarmentKind::Cape, &avatar, 1000)?);
        Ok(Self {
            avatar,
            wardrobe,
            worn: vec![SKIRT],
            frames,
        })
    }

    /// A character in a skirt.
    ///
    /// # Safety
    /// As of [`World::new`].
    pub unsafe fn world(&self, host: &Host) -> Result<World, WorldError> {
        let def = WorldDef {
            bodies: &[BodyDef::new(&self.avatar)],
            garments: &[GarmentDef::new(&self.wardrobe[SKIRT], 0)],
            ..WorldDef::default()
        };
        // SAFETY: guaranteed by the caller.
        unsafe { World::new(host, &def) }
    }

    /// The friend comes and goes.
    pub fn change(&mut self, world: &mut World, frame_ix: u32) -> Result<(), WorldError> {
        let quarter = self.frames / 4;
        if frame_ix == quarter {
            self.befriend(world, &TROUSERS_AND_TOP)?;
        } else if frame_ix == 2 * quarter {
            world.edit(|contents| contents.remove_body(1))?;
            self.worn.truncate(1);
        } else if frame_ix == 3 * quarter {
            self.befriend(world, &CAPE)?;
        }
        Ok(())
    }

    fn befriend(&mut self, world: &mut World, outfit: &[usize]) -> Result<(), WorldError> {
        world.edit(|contents| {
            let body_ix = contents.add_body(&BodyDef::new(&self.avatar))?;
            for &garment_ix in outfit {
                contents.add_garment(&GarmentDef::new(&self.wardrobe[garment_ix], body_ix))?;
            }
            Ok(())
        })?;
        self.worn.extend_from_slice(outfit);
        Ok(())
    }

    /// Where the bones of both are: out of the pose the clothes were made in, then through the character's own clip.
    pub fn palettes(&self, frame_ix: u32) -> [Palette; 2] {
        let (seconds, skeleton) = (frame_ix as f32 * STEP_SECONDS, &self.avatar.skeleton);
        let pose = Pose::sample(
            &self.avatar.clips[0],
            skeleton,
            (seconds - EASE_IN).max(0.0),
        );
        let pose = Pose::blend(&bind_pose(skeleton), &pose, (seconds / EASE_IN).min(1.0));
        [0.0, ASIDE].map(|x| Palette::new(skeleton, &pose, Mat4::from_translation(x * Vec3::X)))
    }

    /// Triangles of the skin and of the whole wardrobe, one after the other.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let garments = self.wardrobe.iter().map(|garment| &garment.mesh);
        let meshes = std::iter::once(&self.avatar.skin).chain(garments);
        meshes
            .flat_map(|mesh| mesh.triangles.iter().copied())
            .collect()
    }

    /// What is drawn of the world's skin.
    pub fn skin(&self, world: &World) -> Vec<Part> {
        let parts = |body_ix| {
            self.avatar.parts.iter().map(move |part| Part {
                indices: 3 * part.triangles.start..3 * part.triangles.end,
                first_vertex: world.body_vertices(body_ix).start,
                colour: part.base_colour,
            })
        };
        (0..world.body_count()).flat_map(parts).collect()
    }

    /// What is drawn of the world's cloth.
    pub fn cloth(&self, world: &World) -> Vec<Part> {
        let part = |(garment_ix, &which): (usize, &usize)| {
            let before = self.wardrobe[..which].iter().map(|garment| &garment.mesh);
            let before = std::iter::once(&self.avatar.skin).chain(before);
            let first: usize = before.map(|mesh| mesh.triangles.len()).sum();
            let garment = &self.wardrobe[which];
            let end = first + garment.mesh.triangles.len();
            Part {
                indices: 3 * first as u32..3 * end as u32,
                first_vertex: world.garment_particles(garment_ix).start,
                colour: garment.base_colour,
            }
        };
        self.worn.iter().enumerate().map(part).collect()
    }
}

/// A camera that goes along, for a picture of 4 by 5.
pub fn clip_from_world(world: &World) -> Mat4 {
    let bounds = world.body_bounds();
    let at = bounds.map_or(Vec3::Y, |bounds| bounds.centre());
    let view = look_at_mat4(at + Vec3::new(1.6, 0.9, 5.2), at, Vec3::Y);
    perspective(0.6, 0.8, 0.1, 20.0) * view
}
