//! Garments that came with the character.

use crate::avatar::{Avatar, NamedSkin};
use glam::Vec3;

use super::surface::Surface;
use super::weld::{Welded, weld};
use super::{Attachment, Drawn, FIRM, Garment};
use crate::cloth::MotionConstraint;
use crate::math::triangle_tree::TriangleTree;
use crate::math::weld::Sites;

/// A border counts as worn tightly when it lies within this times the tightest border's distance from the skin.
const TIGHT_RATIO: f32 = 1.5;
const BASE_COLOUR: [f32; 4] = [0.35, 0.35, 0.42, 1.0];

/// Takes a mesh as the garment that it is, and holds it along the border that a wearer would hold it by.
///
/// That border is the highest of those that fit the skin tightly: the waistband of a skirt, the collar of a shirt.
/// A mesh without a border is held nowhere. Vertices that share a place are one particle: files split them where texture
/// coordinates jump. [`Garment::drawn`] keeps them, with materials and textures.
pub fn from_named_skin(skin: &NamedSkin, avatar: &Avatar) -> Garment {
    let Welded { mesh, sites } = weld(&skin.mesh);
    let surface = Surface {
        positions: mesh.positions.clone(),
        triangles: mesh.triangles.clone(),
    };
    let body = TriangleTree::new(&avatar.skin.positions, &avatar.skin.triangles);
    let loops: Vec<BorderLoop> = surface
        .border_loops()
        .into_iter()
        .map(|particles| BorderLoop::new(particles, &surface, &body))
        .collect();
    let tightest = loops
        .iter()
        .map(|border| border.distance)
        .fold(f32::INFINITY, f32::min);
    let tight = loops
        .iter()
        .filter(|border| border.distance <= TIGHT_RATIO * tightest);
    let held = tight
        .max_by(|a, b| a.height.total_cmp(&b.height))
        .map_or(&[][..], |border| &border.particles);
    let mut held = held.to_vec();
    held.sort_unstable();
    let attachments = held
        .into_iter()
        .map(|particle_ix| Attachment {
            particle_ix,
            compliance: FIRM,
        })
        .collect();
    Garment {
        name: skin.name.clone(),
        mesh,
        attachments,
        rest_positions: Vec::new(),
        clearances: Vec::new(),
        layered: Default::default(),
        motion: motion_of(skin, &sites),
        drawn: drawn_of(skin, &sites),
        base_colour: BASE_COLOUR,
    }
}

/// What the file says of it, nothing where it says nothing; of vertices at one place the one that is held nearest counts.
fn motion_of(skin: &NamedSkin, sites: &Sites) -> Vec<MotionConstraint> {
    if skin.motion.is_empty() {
        return Vec::new();
    }
    let mut motion = vec![MotionConstraint::default(); sites.count];
    let mut is_known = vec![false; sites.count];
    for (lengths, &site) in skin.motion.iter().zip(&sites.of_vertex) {
        let [max_distance, backstop_distance, backstop_radius] = *lengths;
        let known = &mut motion[site as usize];
        if !is_known[site as usize] || max_distance < known.max_distance {
            *known = MotionConstraint {
                max_distance,
                backstop_distance,
                backstop_radius,
            };
        }
        is_known[site as usize] = true;
    }
    motion
}

/// None where particles and colour are all that there is to draw.
fn drawn_of(skin: &NamedSkin, sites: &Sites) -> Option<Drawn> {
    let is_split = sites.count < sites.of_vertex.len();
    (is_split || !skin.parts.is_empty()).then(|| Drawn {
        particles: sites.of_vertex.clone(),
        uvs: skin.mesh.uvs.clone(),
        triangles: skin.mesh.triangles.clone(),
        parts: skin.parts.clone(),
    })
}

struct BorderLoop {
    particles: Vec<u32>,
    /// Mean distance from the skin, metres.
    distance: f32,
    /// Mean height, metres.
    height: f32,
}

impl BorderLoop {
    fn new(particles: Vec<u32>, surface: &Surface, body: &TriangleTree) -> Self {
        let mean = |value: &dyn Fn(Vec3) -> f32| {
            particles
                .iter()
                .map(|&ix| value(surface.positions[ix as usize]))
                .sum::<f32>()
                / particles.len() as f32
        };
        let distance = mean(&|position| {
            body.nearest_point(position.as_dvec3(), f64::INFINITY)
                .map_or(0.0, |nearest| nearest.distance as f32)
        });
        let height = mean(&|position| position.y);
        Self {
            particles,
            distance,
            height,
        }
    }
}
