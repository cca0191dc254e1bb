//! What a garment is drawn with where that is more than its particles.

use glam::Vec2;

use crate::avatar::Part;

/// Vertices to draw. Files split vertices where texture coordinates jump; the cloth is simulated as one piece, and each drawn vertex
/// goes where its particle goes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawn {
    /// One a drawn vertex: the particle that it follows.
    pub particles: Vec<u32>,
    /// One a drawn vertex.
    pub uvs: Vec<Vec2>,
    /// Of drawn vertices, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Ranges of these triangles that share a material, with textures of the avatar's; empty for the garment's own colour.
    pub parts: Vec<Part>,
}

impl Drawn {
    /// Whether every index is in range, for a garment of so many particles and an avatar of so many textures.
    pub fn is_sound(&self, particle_count: usize, texture_count: usize) -> bool {
        let vertex_count = self.particles.len();
        let end = |part: &Part| part.triangles.end as usize;
        self.uvs.len() == vertex_count
            && self
                .particles
                .iter()
                .all(|&ix| (ix as usize) < particle_count)
            && self
                .triangles
                .as_flattened()
                .iter()
                .all(|&ix| (ix as usize) < vertex_count)
            && self.parts.iter().all(|part| {
                part.triangles.start <= part.triangles.end
                    && end(part) <= self.triangles.len()
                    && part.texture_ix.is_none_or(|ix| ix < texture_count)
            })
    }
}
