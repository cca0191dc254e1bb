//! The skin one joint moves.

use super::FitSettings;
use super::body::Body;
use crate::collide::radial::cell::Rank;
use glam::Vec3;

/// Widest gap, in cells, between two of a joint's own surfaces that its field bridges: the space between the fingers
/// of a hand that has one joint for all of them. Usually 2 to 4; 0 leaves such fingers nearly unprotected, more webs
/// spread fingers.
const GAP_CELLS: f32 = 4.0;

/// A gap is a joint's own if the joint moves both its walls by this share: the space between two thighs is nobody's.
const OWN_WEIGHT: f32 = 0.5;

/// The triangles a joint moves, in the order of the mesh.
pub struct Limb<'a> {
    pub body: &'a Body<'a>,
    pub joint_ix: usize,
    pub facets: Vec<Facet>,
    /// Metres: what the user asked for.
    pub cell_size: f32,
}

/// One triangle in the bind pose.
#[derive(Clone, Copy, Debug)]
pub struct Facet {
    pub triangle: [u32; 3],
    pub centre: Vec3,
    /// Unit length.
    pub normal: Vec3,
    /// Area in square metres times the mean weight of the corners: what the joint has to lose here.
    pub stake: f32,
}

impl<'a> Limb<'a> {
    /// Triangles with a corner of the threshold's weight or more; those without area are left out.
    pub fn new(body: &'a Body<'a>, joint_ix: usize, settings: &FitSettings) -> Self {
        let mut limb = Self {
            body,
            joint_ix,
            facets: Vec::new(),
            cell_size: settings.cell_size,
        };
        let facets = body
            .triangles
            .iter()
            .filter_map(|&triangle| limb.facet(triangle, settings.weight_threshold));
        limb.facets = facets.collect();
        limb
    }

    fn facet(&self, triangle: [u32; 3], threshold: f32) -> Option<Facet> {
        let weights = triangle.map(|v| self.weight(v));
        if weights.iter().sum::<f32>() < 3.0 * threshold {
            return None;
        }
        let [a, b, c] = triangle.map(|v| self.position(v));
        let doubled = (b - a).cross(c - a);
        let normal = doubled.try_normalize()?;
        let stake = doubled.length() * 0.5 * weights.iter().sum::<f32>() / 3.0;
        Some(Facet {
            triangle,
            centre: (a + b + c) / 3.0,
            normal,
            stake,
        })
    }

    /// In bind space.
    pub fn position(&self, vertex: u32) -> Vec3 {
        self.body.avatar.skin.positions[vertex as usize]
    }

    fn weight(&self, vertex: u32) -> f32 {
        let (skin, vertex) = (&self.body.avatar.skin, vertex as usize);
        let influences = skin.joints[vertex].iter().zip(skin.weights[vertex]);
        influences
            .filter(|(joint, _)| **joint as usize == self.joint_ix)
            .map(|(_, weight)| weight)
            .sum()
    }

    /// The mean weight of a triangle's corners on this joint.
    pub fn mean_weight(&self, triangle: [u32; 3]) -> f32 {
        triangle.map(|v| self.weight(v)).iter().sum::<f32>() / 3.0
    }

    /// Whether a triangle is the joint's own rather than shared.
    pub fn owns(&self, triangle: [u32; 3]) -> bool {
        self.mean_weight(triangle) >= OWN_WEIGHT
    }

    /// Whose skin a triangle is that joins the joint's field by weight.
    pub fn rank(&self, triangle: [u32; 3]) -> Rank {
        if self.owns(triangle) {
            Rank::Own
        } else {
            Rank::Shared
        }
    }

    /// Metres of nothing that the limb's field bridges.
    pub fn gap(&self) -> f32 {
        GAP_CELLS * self.cell_size
    }

    /// At most about `count` facets, evenly spread over the list.
    pub fn sample(&self, count: usize) -> Vec<Facet> {
        let step = self.facets.len().div_ceil(count).max(1);
        self.facets.iter().step_by(step).copied().collect()
    }
}
