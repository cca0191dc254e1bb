//! The skin a joint moves.

use crate::avatar::{Avatar, SkinMesh};
use glam::Vec3;

/// The triangles of one joint, in the order of the mesh.
pub struct Owned<'a> {
    pub mesh: &'a SkinMesh,
    pub facets: Vec<OwnedFacet>,
    joint_ix: usize,
}

/// One triangle in the bind pose.
#[derive(Clone, Copy, Debug)]
pub struct OwnedFacet {
    pub triangle: [u32; 3],
    pub centre: Vec3,
    /// Unit length.
    pub normal: Vec3,
    /// Area in square metres times the mean weight of the corners: what the joint has to lose here.
    pub stake: f32,
}

impl<'a> Owned<'a> {
    /// Triangles with a corner of weight `threshold` or more; those without area are left out.
    pub fn of_joint(avatar: &'a Avatar, joint_ix: usize, threshold: f32) -> Self {
        let mut owned = Self { mesh: &avatar.skin, facets: Vec::new(), joint_ix };
        let facets = avatar.skin.triangles.iter().filter_map(|&triangle| owned.facet(triangle, threshold));
        owned.facets = facets.collect();
        owned
    }

    fn facet(&self, triangle: [u32; 3], threshold: f32) -> Option<OwnedFacet> {
        let weights = triangle.map(|v| self.weight(v));
        if weights.iter().all(|&w| w < threshold) {
            return None;
        }
        let [a, b, c] = triangle.map(|v| self.mesh.positions[v as usize]);
        let doubled = (b - a).cross(c - a);
        let normal = doubled.try_normalize()?;
        let stake = doubled.length() * 0.5 * weights.iter().sum::<f32>() / 3.0;
        Some(OwnedFacet { triangle, centre: (a + b + c) / 3.0, normal, stake })
    }

    fn weight(&self, vertex: u32) -> f32 {
        let vertex = vertex as usize;
        let influences = self.mesh.joints[vertex].iter().zip(self.mesh.weights[vertex]);
        influences.filter(|(joint, _)| **joint as usize == self.joint_ix).map(|(_, weight)| weight).sum()
    }

    /// The mean weight of a triangle's corners on this joint.
    pub fn mean_weight(&self, triangle: [u32; 3]) -> f32 {
        triangle.map(|v| self.weight(v)).iter().sum::<f32>() / 3.0
    }

    /// At most about `count` facets, evenly spread over the list.
    pub fn sample(&self, count: usize) -> Vec<OwnedFacet> {
        let step = self.facets.len().div_ceil(count).max(1);
        self.facets.iter().step_by(step).copied().collect()
    }
}
