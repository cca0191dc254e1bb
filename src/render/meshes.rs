//! The constant data of bodies and garments: triangles, surfaces, colours and textures, for the whole world at once.

use std::ops::Range;

use super::covered::covered;
use super::solids::SolidMeshes;
use super::surface::{ClothSurface, SkinSurface, cloth_surface, skin_surface};
use super::{RenderError, texture};
use crate::World;
use crate::avatar::{Avatar, Part};
use crate::cloth::garment::Garment;
use crate::gpu::{Buffer, Image, Uploads};

/// A draw of bodies or garments: triangles of one material.
pub struct DrawnPart {
    /// Of all bodies' corners, or of all garments'.
    pub corners: Range<u32>,
    /// Linear RGBA.
    pub base_colour: [f32; 4],
    /// Index into [`Meshes::textures`].
    pub texture_ix: usize,
    /// Opacity below which nothing is drawn.
    pub alpha_cutoff: f32,
}

/// All of a world's meshes.
pub struct Meshes {
    /// Three vertices per triangle, counted over the world's skinned vertices.
    pub body_triangles: Buffer,
    pub body_corner_count: u32,
    pub skin_surface: Buffer,
    pub parts: Vec<DrawnPart>,
    /// The first one is white.
    pub textures: Vec<Image>,
    /// Three particles per triangle, counted over the world's particles.
    pub cloth_triangles: Buffer,
    pub cloth_corner_count: u32,
    /// Three drawn vertices per triangle, beside its three particles.
    pub cloth_vertices: Buffer,
    /// One a drawn vertex.
    pub cloth_surface: Buffer,
    pub cloth_parts: Vec<DrawnPart>,
    pub solids: SolidMeshes,
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
        let body = BodyLists::gather(world, bodies, garments)?;
        let cloth = ClothLists::gather(world, bodies, garments)?;
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
            cloth_vertices: uploads.buffer("render.cloth_vertices", &cloth.vertices)?,
            cloth_surface: uploads.buffer("render.cloth_surface", &cloth.surface)?,
            cloth_parts: cloth.parts,
            solids: SolidMeshes::new(world, uploads)?,
        })
    }

    /// Device memory of the buffers.
    pub fn bytes(&self) -> u64 {
        let buffers = [
            &self.body_triangles,
            &self.skin_surface,
            &self.cloth_triangles,
            &self.cloth_vertices,
            &self.cloth_surface,
        ];
        let own: u64 = buffers.iter().map(|buffer| buffer.bytes()).sum();
        own + self.solids.bytes()
    }
}

#[derive(Default)]
struct BodyLists {
    corners: Vec<u32>,
    surface: Vec<SkinSurface>,
    parts: Vec<DrawnPart>,
}

impl BodyLists {
    fn gather(
        world: &World,
        bodies: &[&Avatar],
        garments: &[&Garment],
    ) -> Result<Self, RenderError> {
        check_count("bodies", bodies.len(), world.body_count())?;
        let mut lists = Self::default();
        let first_textures = first_textures(bodies);
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
            lists.add(avatar, vertices.start, first_textures[body_ix]);
        }
        Ok(lists)
    }

    fn add(&mut self, avatar: &Avatar, first_vertex: u32, first_texture: usize) {
        let first_corner = self.corners.len() as u32;
        for part in &avatar.parts {
            self.parts
                .push(DrawnPart::of(part, first_corner, first_texture));
        }
        let triangles = avatar.drawn_triangles();
        let corners = triangles.as_flattened().iter();
        self.corners
            .extend(corners.map(|vertex| vertex + first_vertex));
    }
}

impl DrawnPart {
    fn of(part: &Part, first_corner: u32, first_texture: usize) -> Self {
        let Range { start, end } = part.triangles;
        Self {
            corners: first_corner + 3 * start..first_corner + 3 * end,
            base_colour: part.base_colour,
            texture_ix: part.texture_ix.map_or(0, |ix| first_texture + ix),
            alpha_cutoff: part.alpha_cutoff,
        }
    }
}

/// One per body: where its textures begin. The very first texture is the white one.
fn first_textures(bodies: &[&Avatar]) -> Vec<usize> {
    let mut next = 1;
    let firsts = bodies.iter().map(|avatar| {
        let first = next;
        next += avatar.textures.len();
        first
    });
    firsts.collect()
}

#[derive(Default)]
struct ClothLists {
    corners: Vec<u32>,
    vertices: Vec<u32>,
    surface: Vec<ClothSurface>,
    parts: Vec<DrawnPart>,
}

impl ClothLists {
    fn gather(
        world: &World,
        bodies: &[&Avatar],
        garments: &[&Garment],
    ) -> Result<Self, RenderError> {
        check_count("garments", garments.len(), world.garment_count())?;
        let first_textures = first_textures(bodies);
        let mut lists = Self::default();
        for (garment_ix, garment) in garments.iter().enumerate() {
            let particles = world.garment_particles(garment_ix);
            check_count("particles", garment.mesh.positions.len(), particles.len())?;
            let body_ix = world.garment_body(garment_ix);
            let texture_count = bodies[body_ix].textures.len();
            let drawn = garment.drawn.as_ref();
            if drawn.is_some_and(|drawn| !drawn.is_sound(particles.len(), texture_count)) {
                return Err(RenderError::BrokenGarment { garment_ix });
            }
            lists.add(garment, particles.start, first_textures[body_ix]);
        }
        Ok(lists)
    }

    fn add(&mut self, garment: &Garment, first_particle: u32, first_texture: usize) {
        let first_corner = self.corners.len() as u32;
        let first_vertex = self.surface.len() as u32;
        let drawn = garment.drawn.as_ref();
        let triangles = drawn.map_or(&garment.mesh.triangles, |drawn| &drawn.triangles);
        for &vertex in triangles.as_flattened() {
            let particle = drawn.map_or(vertex, |drawn| drawn.particles[vertex as usize]);
            self.corners.push(first_particle + particle);
            self.vertices.push(first_vertex + vertex);
        }
        self.surface.extend(cloth_surface(garment));
        let whole = [Part {
            triangles: 0..triangles.len() as u32,
            base_colour: garment.base_colour,
            texture_ix: None,
            alpha_cutoff: 0.0,
        }];
        let own = drawn.map_or(&[][..], |drawn| &drawn.parts);
        let parts = if own.is_empty() { &whole } else { own };
        let of_part = |part| DrawnPart::of(part, first_corner, first_texture);
        self.parts.extend(parts.iter().map(of_part));
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
