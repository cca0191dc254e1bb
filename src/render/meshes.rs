//! What of bodies and garments never changes: triangles, surfaces, colours and textures, for the whole world at once.

use std::ops::Range;

use super::covered::covered;
use super::surface::{ClothSurface, SkinSurface, cloth_surface, skin_surface};
use super::{RenderError, texture};
use crate::World;
use crate::avatar::Avatar;
use crate::cloth::garment::Garment;
use crate::gpu::{Buffer, Image, Uploads};

/// A draw of the body: triangles of one material.
pub struct BodyPart {
    /// Of the bodies' corners.
    pub corners: Range<u32>,
    /// Linear RGBA.
    pub base_colour: [f32; 4],
    /// Index into [`Meshes::textures`].
    pub texture_ix: usize,
}

/// All of a world's meshes.
pub struct Meshes {
    /// Three vertices a triangle, counted over the world's skinned vertices.
    pub body_triangles: Buffer,
    pub body_corner_count: u32,
    pub skin_surface: Buffer,
    pub parts: Vec<BodyPart>,
    /// The first one is white.
    pub textures: Vec<Image>,
    /// Three particles a triangle, counted over the world's particles.
    pub cloth_triangles: Buffer,
    pub cloth_corner_count: u32,
    pub cloth_surface: Buffer,
    /// One a garment.
    pub garment_colours: Buffer,
}

impl Meshes {
    /// Stages everything for the next recorded upload.
    ///
    /// # Errors
    /// When memory runs out, or the bodies and garments are not the world's.
    pub fn new(
        world: &World,
        uploads: &mut Uploads,
        bodies: &[&Avatar],
        garments: &[&Garment],
    ) -> Result<Self, RenderError> {
        let cloth = ClothLists::gather(world, garments)?;
        let body = BodyLists::gather(world, bodies, garments)?;
        let colours: Vec<_> = garments.iter().map(|garment| garment.base_colour).collect();
        let mut textures = vec![texture::upload(
            world.gpu(),
            uploads,
            "render.white",
            &texture::white(),
        )?];
        let all = bodies.iter().flat_map(|avatar| &avatar.textures);
        for (texture_ix, source) in all.enumerate() {
            let label = format!("render.textures[{texture_ix}]");
            textures.push(texture::upload(world.gpu(), uploads, &label, source)?);
        }
        Ok(Self {
            body_corner_count: body.corners.len() as u32,
            body_triangles: uploads.buffer("render.body_triangles", &body.corners)?,
            skin_surface: uploads.buffer("render.skin_surface", &body.surface)?,
            parts: body.parts,
            textures,
            cloth_corner_count: cloth.corners.len() as u32,
            cloth_triangles: uploads.buffer("render.cloth_triangles", &cloth.corners)?,
            cloth_surface: uploads.buffer("render.cloth_surface", &cloth.surface)?,
            garment_colours: uploads.buffer("render.garment_colours", &colours)?,
        })
    }

    /// Device memory of the buffers.
    pub fn bytes(&self) -> u64 {
        let buffers = [
            &self.body_triangles,
            &self.skin_surface,
            &self.cloth_triangles,
            &self.cloth_surface,
            &self.garment_colours,
        ];
        buffers.iter().map(|buffer| buffer.bytes()).sum()
    }
}

#[derive(Default)]
struct BodyLists {
    corners: Vec<u32>,
    surface: Vec<SkinSurface>,
    parts: Vec<BodyPart>,
}

impl BodyLists {
    fn gather(
        world: &World,
        bodies: &[&Avatar],
        garments: &[&Garment],
    ) -> Result<Self, RenderError> {
        check_count("bodies", bodies.len(), world.body_count())?;
        let mut lists = Self::default();
        // The first texture is the white one.
        let mut first_texture = 1;
        for (body_ix, avatar) in bodies.iter().enumerate() {
            let vertices = world.body_vertices(body_ix);
            check_count("vertices", avatar.skin.positions.len(), vertices.len())?;
            let worn = garments.iter().enumerate();
            let worn: Vec<_> = worn
                .filter(|&(garment_ix, _)| world.garment_body(garment_ix) == body_ix)
                .map(|(_, &garment)| garment)
                .collect();
            let surface = skin_surface(&avatar.skin, &covered(avatar, &worn));
            lists.surface.extend(surface);
            lists.add(avatar, vertices.start, first_texture);
            first_texture += avatar.textures.len();
        }
        Ok(lists)
    }

    fn add(&mut self, avatar: &Avatar, first_vertex: u32, first_texture: usize) {
        let first_corner = self.corners.len() as u32;
        for part in &avatar.parts {
            self.parts.push(BodyPart {
                corners: first_corner + 3 * part.triangles.start
                    ..first_corner + 3 * part.triangles.end,
                base_colour: part.base_colour,
                texture_ix: part.texture_ix.map_or(0, |ix| first_texture + ix),
            });
        }
        let corners = avatar.skin.triangles.as_flattened().iter();
        self.corners
            .extend(corners.map(|vertex| vertex + first_vertex));
    }
}

#[derive(Default)]
struct ClothLists {
    corners: Vec<u32>,
    surface: Vec<ClothSurface>,
}

impl ClothLists {
    fn gather(world: &World, garments: &[&Garment]) -> Result<Self, RenderError> {
        check_count("garments", garments.len(), world.garment_count())?;
        let mut lists = Self::default();
        for (garment_ix, garment) in garments.iter().enumerate() {
            let particles = world.garment_particles(garment_ix);
            check_count("particles", garment.mesh.positions.len(), particles.len())?;
            let corners = garment.mesh.triangles.as_flattened().iter();
            lists
                .corners
                .extend(corners.map(|particle| particle + particles.start));
            lists
                .surface
                .extend(cloth_surface(&garment.mesh, garment_ix as u32));
        }
        Ok(lists)
    }
}

fn check_count(what: &'static str, given: usize, expected: usize) -> Result<(), RenderError> {
    if given == expected {
        Ok(())
    } else {
        Err(RenderError::NotTheWorlds {
            what,
            given,
            expected,
        })
    }
}
