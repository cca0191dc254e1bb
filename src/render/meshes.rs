//! The constant data of bodies and garments: triangles, surfaces, colours and textures, for the whole world at once.

use std::ops::Range;

use glam::{Quat, Vec3};

use super::covered::covered;
use super::solids::SolidMeshes;
use super::surface::{ClothSurface, SkinSurface, cloth_surface, skin_surface};
use super::{RenderError, texture};
use crate::World;
use crate::avatar::{Avatar, Part};
use crate::cloth::garment::Garment;
use crate::gpu::{Buffer, Image, Uploads};
use crate::solid::SolidMesh;

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

impl DrawnPart {
    /// Whether some of it may not be drawn.
    pub fn has_holes(&self) -> bool {
        self.alpha_cutoff > 0.0
    }
}

/// A draw of garments.
pub struct ClothPart {
    pub part: DrawnPart,
    /// Of all garments' edges on borders.
    pub rims: Range<u32>,
    pub garment_ix: usize,
}

/// All of a world's meshes.
pub struct Meshes {
    /// Three vertices per triangle, counted over the world's skinned vertices.
    pub body_triangles: Buffer,
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
    /// The corner that each edge on a border begins at, counted over the triangles' corners.
    pub cloth_rims: Buffer,
    pub cloth_parts: Vec<ClothPart>,
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
        sources: &[Option<&SolidMesh>],
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
            body_triangles: uploads.buffer("render.body_triangles", &body.corners)?,
            skin_surface: uploads.buffer("render.skin_surface", &body.surface)?,
            parts: body.parts,
            textures,
            cloth_corner_count: cloth.corners.len() as u32,
            cloth_triangles: uploads.buffer("render.cloth_triangles", &cloth.corners)?,
            cloth_vertices: uploads.buffer("render.cloth_vertices", &cloth.vertices)?,
            cloth_surface: uploads.buffer("render.cloth_surface", &cloth.surface)?,
            cloth_rims: uploads.buffer("render.cloth_rims", &cloth.rims)?,
            cloth_parts: cloth.parts,
            solids: SolidMeshes::new(world, uploads, sources)?,
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
            &self.cloth_rims,
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
    rims: Vec<u32>,
    parts: Vec<ClothPart>,
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
            lists.add(
                garment_ix,
                garment,
                particles.start,
                body_ix,
                first_textures[body_ix],
            );
        }
        Ok(lists)
    }

    fn add(
        &mut self,
        garment_ix: usize,
        garment: &Garment,
        first_particle: u32,
        body_ix: usize,
        first_texture: usize,
    ) {
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
            base_colour: dyed(garment.base_colour, body_ix),
            texture_ix: None,
            alpha_cutoff: 0.0,
        }];
        let own = drawn.map_or(&[][..], |drawn| &drawn.parts);
        let parts = if own.is_empty() { &whole } else { own };
        let corners = &self.corners[first_corner as usize..];
        let rims = border_corners(corners);
        for part in parts {
            let part = DrawnPart::of(part, first_corner, first_texture);
            let first = self.rims.len() as u32;
            let rims = rims.iter().map(|corner| corner + first_corner);
            self.rims
                .extend(rims.filter(|corner| part.corners.contains(corner)));
            self.parts.push(ClothPart {
                part,
                rims: first..self.rims.len() as u32,
                garment_ix,
            });
        }
    }
}

/// The corner of each triangle from which an edge on a border goes to the next; three particles a triangle.
fn border_corners(corners: &[u32]) -> Vec<u32> {
    let mut edges: Vec<([u32; 2], u32)> = Vec::with_capacity(corners.len());
    for (triangle_ix, triangle) in corners.chunks_exact(3).enumerate() {
        for side in 0..3 {
            let (a, b) = (triangle[side], triangle[(side + 1) % 3]);
            edges.push(([a.min(b), a.max(b)], (3 * triangle_ix + side) as u32));
        }
    }
    edges.sort_unstable();
    let alone = edges.chunk_by(|one, other| one.0 == other.0);
    let mut borders: Vec<u32> = alone
        .filter(|same| same.len() == 1)
        .map(|same| same[0].1)
        .collect();
    borders.sort_unstable();
    borders
}

/// Radians of hue from one character to the next: the golden angle, after which none is like another for long.
const DYE_STEP: f32 = 2.399_963;
/// Part of a fabric's chroma that its other dyes have, from 0, grey, to 1. Usually 0.55: a red turned to green or violet as it is
/// shouts.
const DYE_CHROMA: f32 = 0.55;

/// What the clothes of one of several characters are dyed: the first wears them as they are. Linear RGBA.
fn dyed([red, green, blue, opacity]: [f32; 4], body_ix: usize) -> [f32; 4] {
    let colour = Vec3::new(red, green, blue);
    let grey = Vec3::splat(colour.element_sum() / 3.0);
    let turned = Quat::from_axis_angle(Vec3::ONE.normalize(), DYE_STEP * body_ix as f32);
    // Some light, some dark: every third as made.
    let lightness = [1.0, 1.7, 0.6][body_ix % 3];
    let dye = lightness * (grey + DYE_CHROMA * (turned * (colour - grey)));
    let [red, green, blue] = dye.clamp(Vec3::splat(0.02), Vec3::splat(0.8)).to_array();
    match body_ix {
        0 => [colour.x, colour.y, colour.z, opacity],
        _ => [red, green, blue, opacity],
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_of_one_triangle_are_the_border() {
        // Two triangles with one edge in common, and one alone.
        let corners = [0, 1, 2, 2, 1, 3, 7, 8, 9];
        assert_eq!(border_corners(&corners), [0, 2, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn neighbours_wear_other_colours_and_the_first_its_own() {
        let colour = [0.55, 0.12, 0.08, 1.0];
        assert_eq!(dyed(colour, 0), colour);
        let all: Vec<_> = (0..16).map(|ix| dyed(colour, ix)).collect();
        for (ix, one) in all.iter().enumerate() {
            assert!(one.iter().all(|part| (0.0..=1.0).contains(part)), "{one:?}");
            let apart = |other: &[f32; 4]| {
                let pairs = one.iter().zip(other);
                pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
            };
            assert!(all[..ix].iter().all(|other| apart(other) > 0.01), "{ix}");
        }
    }
}
