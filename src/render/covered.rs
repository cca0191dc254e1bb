//! Which skin the clothes cover as they were made, for the view that shows where they no longer do.
//!
//! That skin is painted, and what cloth hides the picture hides too: whatever paint is seen is bare.

use glam::DVec3;

use super::surface::hem_distances;
use crate::avatar::{Avatar, PERSON_HEIGHT};
use crate::cloth::garment::Garment;
use crate::math::triangle_tree::TriangleTree;

/// Metres beneath the skin at which a look along its normal begins.
const BENEATH: f64 = 0.003;
/// Metres above the skin up to which cloth covers it, for a person of [`PERSON_HEIGHT`].
const REACH: f64 = 0.1;
/// Metres from a hem within which cloth covers nothing, because hems slide.
const HEM: f32 = 0.05;

/// One value per vertex of the body, all in bind space: 1 where one of its garments covers it, else 0.
pub fn covered(avatar: &Avatar, garments: &[&Garment]) -> Vec<f32> {
    let reach = REACH * f64::from(avatar.bind_height()) / f64::from(PERSON_HEIGHT) + BENEATH;
    let covers: Vec<_> = garments.iter().map(|garment| Cover::new(garment)).collect();
    let vertices = avatar.skin.positions.iter().zip(&avatar.skin.normals);
    let is_covered = |(position, normal): (&glam::Vec3, &glam::Vec3)| {
        let (normal, position) = (normal.as_dvec3(), position.as_dvec3());
        let origin = position - BENEATH * normal;
        covers
            .iter()
            .any(|cover| cover.is_met(origin, normal, reach))
    };
    vertices
        .map(|vertex| if is_covered(vertex) { 1.0 } else { 0.0 })
        .collect()
}

struct Cover {
    tree: TriangleTree,
    /// One per particle, metres.
    hems: Vec<f32>,
}

impl Cover {
    fn new(garment: &Garment) -> Self {
        Self {
            tree: TriangleTree::new(&garment.mesh.positions, &garment.mesh.triangles),
            hems: hem_distances(&garment.mesh),
        }
    }

    /// Whether the first cloth on the way is met from within, away from its hems.
    fn is_met(&self, origin: DVec3, direction: DVec3, reach: f64) -> bool {
        let hit = self.tree.first_hit(origin, direction, reach);
        hit.is_some_and(|hit| {
            let corners = hit.triangle.iter();
            hit.leaves && corners.fold(HEM, |hem, &ix| hem.min(self.hems[ix as usize])) >= HEM
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::builtin::load_mannequin;
    use crate::cloth::garment::{GarmentKind, make};

    #[test]
    fn trousers_cover_the_thighs_and_neither_head_nor_hands() {
        let avatar = load_mannequin();
        let garments = make(GarmentKind::TrousersAndTop, &avatar, 1500).expect("a humanoid");
        let trousers = [&garments[0]];
        let covered = covered(&avatar, &trousers);
        let height = avatar.bind_height();
        let share = |low: f32, high: f32| {
            let band = |(p, _): &(&glam::Vec3, &f32)| (low..high).contains(&(p.y / height));
            let vertices = avatar.skin.positions.iter().zip(&covered).filter(band);
            let values: Vec<f32> = vertices.map(|(_, &value)| value).collect();
            values.iter().sum::<f32>() / values.len() as f32
        };
        assert!(share(0.33, 0.40) > 0.9, "{}", share(0.33, 0.40));
        assert_eq!(share(0.75, 1.0), 0.0);
        assert_eq!(share(-0.1, 0.02), 0.0);
    }
}
