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
/// A border that goes down more than this part of a garment's height is held at its top alone: a slanted waistband goes down a tenth.
const MOST_OF_HEIGHT: f32 = 0.5;
/// Part of such a border's height that is its top. Usually 0.12: a cape's goes down by a tenth of it from the neck to the shoulders.
const TOP: f32 = 0.12;
const BASE_COLOUR: [f32; 4] = [0.35, 0.35, 0.42, 1.0];

/// Takes a mesh as the garment that it is, and holds it along the border that a wearer would hold it by.
///
/// That border is the highest of those that fit the skin tightly: the waistband of a skirt, the collar of a shirt; of one that goes down to the
/// hem, as a cape's or an open coat's does, its top. Where the file says how far vertices may go, those are held that may not go at all.
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
    let mut held = top_of(held, &surface);
    let motion = motion_of(skin, &sites);
    let painted = (0..)
        .zip(&motion)
        .filter(|(_, motion)| motion.max_distance == 0.0);
    let painted: Vec<u32> = painted.map(|(particle_ix, _)| particle_ix).collect();
    if !painted.is_empty() {
        held = painted;
    }
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
        motion,
        drawn: drawn_of(skin, &sites),
        base_colour: BASE_COLOUR,
    }
}

/// Of a border that goes down more than half of a garment what is at its top, of others all.
fn top_of(border: &[u32], surface: &Surface) -> Vec<u32> {
    let height = |ix: u32| surface.positions[ix as usize].y;
    let extent = |heights: &mut dyn Iterator<Item = f32>| {
        heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| {
            (low.min(y), high.max(y))
        })
    };
    let (low, high) = extent(&mut border.iter().map(|&ix| height(ix)));
    let whole = extent(&mut surface.positions.iter().map(|at| at.y));
    if high - low <= MOST_OF_HEIGHT * (whole.1 - whole.0) {
        return border.to_vec();
    }
    let least = high - TOP * (high - low);
    border
        .iter()
        .copied()
        .filter(|&ix| height(ix) >= least)
        .collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::SkinMesh;
    use crate::cloth::garment::figure::capsule_person;

    /// A cape: a sheet of 11 by 21 vertices behind the back, from 1.4 m down to 0.4.
    fn cape() -> NamedSkin {
        let at = |ix: u32| {
            Vec3::new(
                0.05 * (ix % 11) as f32 - 0.25,
                1.4 - 0.05 * (ix / 11) as f32,
                -0.2,
            )
        };
        let corners = (0..20).flat_map(|row| (0..10).map(move |column| 11 * row + column));
        let mut weights = [0.0; crate::avatar::MAX_INFLUENCES];
        weights[0] = 1.0;
        NamedSkin {
            name: "cape".to_owned(),
            mesh: SkinMesh {
                positions: (0..11 * 21).map(at).collect(),
                normals: vec![Vec3::NEG_Z; 11 * 21],
                uvs: vec![glam::Vec2::ZERO; 11 * 21],
                joints: vec![[0; crate::avatar::MAX_INFLUENCES]; 11 * 21],
                weights: vec![weights; 11 * 21],
                triangles: corners
                    .flat_map(|ix| [[ix, ix + 1, ix + 11], [ix + 1, ix + 12, ix + 11]])
                    .collect(),
            },
            motion: Vec::new(),
            parts: Vec::new(),
        }
    }

    fn held(skin: &NamedSkin) -> Vec<Vec3> {
        let garment = from_named_skin(skin, &capsule_person());
        let at = |held: &Attachment| garment.mesh.positions[held.particle_ix as usize];
        garment.attachments.iter().map(at).collect()
    }

    #[test]
    fn what_hangs_is_held_at_its_top_and_not_round_its_hem() {
        let held = held(&cape());
        assert!(
            held.len() >= 11 && held.iter().all(|at| at.y > 1.25),
            "{held:?}"
        );
    }

    #[test]
    fn what_a_file_says_may_not_move_is_held_and_nothing_else() {
        let mut cape = cape();
        cape.motion = vec![[0.5, 0.0, 0.0]; 11 * 21];
        cape.motion[3][0] = 0.0;
        cape.motion[7][0] = 0.0;
        let found = held(&cape);
        assert_eq!(found, [cape.mesh.positions[3], cape.mesh.positions[7]]);
    }
}
