//! The skin one joint moves.

use super::FitSettings;
use super::body::Body;
use crate::collide::radial::cell::Rank;
use crate::collide::radial::rules::FieldRules;
use glam::Vec3;

/// Widest gap, in cells, between two of a joint's own surfaces that its field bridges: the space between the fingers
/// of a hand that has one joint for all of them. Usually 2 to 4; 0 leaves such fingers nearly unprotected, more webs
/// spread fingers.
const GAP_CELLS: f32 = 4.0;

/// Joints from which on each is judged by fewer facets, so that all together take no longer. More takes longer.
const MANY_JOINTS: usize = 250;

/// The fewest facets that a joint is judged by. With fewer than 40 the choice of its axis is luck.
const FEWEST_JUDGED: usize = 60;

/// Part of a short ray by which it starts beyond its own facet.
const GRAZE_SHARE: f64 = 1e-3;

/// A gap is a joint's own if the joint moves both its walls by this share: the space between two thighs belongs to no joint.
const OWN_WEIGHT: f32 = 0.5;

/// The triangles a joint moves, in the order of the mesh.
pub struct Limb<'a> {
    pub body: &'a Body<'a>,
    pub joint_ix: usize,
    pub facets: Vec<Facet>,
    /// Metres, as the user set it.
    pub cell_size: f32,
    pub rules: FieldRules,
    /// It is some of a joint's skin, which may be as flat as a shield.
    pub is_part: bool,
}

/// One triangle in the bind pose.
#[derive(Clone, Copy, Debug)]
pub struct Facet {
    pub triangle: [u32; 3],
    pub centre: Vec3,
    /// Unit length.
    pub normal: Vec3,
    /// In how many shells of the body its front lies: 0 for what is outside, and for all of a body of one shell.
    pub over: i32,
    /// Area in square metres times the mean weight of the corners: its share in the score of an axis.
    pub stake: f32,
}

impl<'a> Limb<'a> {
    /// Triangles that the joint moves with the threshold's weight or more; those without area are left out.
    pub fn new(body: &'a Body<'a>, joint_ix: usize, settings: &FitSettings) -> Self {
        let mut limb = Self {
            body,
            joint_ix,
            facets: Vec::new(),
            cell_size: settings.cell_size,
            rules: settings.rules,
            is_part: false,
        };
        let moved = body.moved_by(joint_ix);
        limb.facets = moved
            .filter_map(|ix| limb.facet(ix, settings.weight_threshold))
            .collect();
        limb
    }

    /// Some of its skin, as a limb of its own.
    pub fn part(&self, facets: Vec<Facet>) -> Self {
        Self {
            facets,
            is_part: true,
            ..*self
        }
    }

    fn facet(&self, ix: usize, threshold: f32) -> Option<Facet> {
        let triangle = self.body.triangles[ix];
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
            over: self.body.over(ix),
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

    /// Whether the body reaches to `height` metres above a facet, below it for less than 0.
    pub fn is_inside(&self, facet: &Facet, height: f32) -> bool {
        let offset = facet.normal * height;
        if !self.body.is_layered() {
            return self.body.tree.contains((facet.centre + offset).as_dvec3());
        }
        // The winding number of many shells is expensive. The facet stores in how many it lies, and a short ray finds the next crossing.
        let start = facet.over + i32::from(height < 0.0);
        let from = facet.centre.as_dvec3() + offset.as_dvec3() * GRAZE_SHARE;
        let hit = self.body.tree.first_hit(from, offset.as_dvec3(), 1.0);
        start + hit.map_or(0, |hit| if hit.leaves { -1 } else { 1 }) > 0
    }

    /// The mean weight of a triangle's corners on this joint.
    pub fn mean_weight(&self, triangle: [u32; 3]) -> f32 {
        triangle.map(|v| self.weight(v)).iter().sum::<f32>() / 3.0
    }

    /// Whether a triangle is the joint's own rather than shared.
    pub fn owns(&self, triangle: [u32; 3]) -> bool {
        self.mean_weight(triangle) >= OWN_WEIGHT
    }

    /// Whose skin a triangle is that joins the joint's field by weight. Without [ranks](FieldRules::ranks) all is alike, and the nearest
    /// stays.
    pub fn rank(&self, triangle: [u32; 3]) -> Rank {
        if self.rules.ranks && self.owns(triangle) {
            Rank::Own
        } else {
            Rank::Shared
        }
    }

    /// Metres of empty space that the limb's field bridges.
    pub fn gap(&self) -> f32 {
        GAP_CELLS * self.cell_size
    }

    /// How many facets to score by; `most`: for bodies with few joints.
    pub fn judged(&self, most: usize) -> usize {
        let joint_count = self.body.avatar.skeleton.joints.len();
        (most * MANY_JOINTS / joint_count.max(MANY_JOINTS)).max(FEWEST_JUDGED.min(most))
    }

    /// At most about `count` facets, evenly spread over the list.
    pub fn sample(&self, count: usize) -> Vec<Facet> {
        let step = self.facets.len().div_ceil(count).max(1);
        self.facets.iter().step_by(step).copied().collect()
    }
}
