//! From a surface in tailor space to a [`Garment`]: normals, texture coordinates, weights of the skin beneath.

use crate::avatar::{MAX_INFLUENCES, SkinMesh};
use crate::math::closest::barycentric;
use crate::math::triangle_tree::TriangleTree;
use glam::{Vec2, Vec3};
use rayon::prelude::*;

use super::Attachment;
use super::body::Body;
use super::surface::Surface;

/// What a surface takes from the body to become a garment's mesh.
pub(super) struct Weave<'a> {
    pub body: &'a Body<'a>,
    /// The skin that the garment follows.
    pub covered: &'a TriangleTree,
    /// Weights are averaged over about this radius, metres: more where one sheet hangs round two legs.
    pub weight_radius: f32,
}

impl Weave<'_> {
    pub fn mesh(&self, surface: &Surface) -> SkinMesh {
        let bind_from_tailor = self.body.humanoid.tailor_from_bind.transpose();
        let (joints, weights) = self.skin_weights(surface);
        SkinMesh {
            positions: surface
                .positions
                .iter()
                .map(|&position| bind_from_tailor * position)
                .collect(),
            normals: surface
                .vertex_normals()
                .into_iter()
                .map(|normal| bind_from_tailor * normal)
                .collect(),
            uvs: texture_coordinates(surface, self.body.humanoid.mid_x()),
            joints,
            weights,
            triangles: surface.triangles.clone(),
        }
    }

    fn skin_weights(
        &self,
        surface: &Surface,
    ) -> (Vec<[u16; MAX_INFLUENCES]>, Vec<[f32; MAX_INFLUENCES]>) {
        let joint_count = self.body.humanoid.part_of_joint.len();
        let mut rows: Vec<Vec<f32>> = surface
            .positions
            .par_iter()
            .map(|&position| self.weights_beneath(position, joint_count))
            .collect();
        let edges = surface.edges();
        let edge_length = edges
            .iter()
            .map(|edge| {
                surface.positions[edge.ends[0] as usize]
                    .distance(surface.positions[edge.ends[1] as usize])
            })
            .sum::<f32>()
            / edges.len().max(1) as f32;
        let passes = (self.weight_radius / edge_length.max(f32::MIN_POSITIVE))
            .powi(2)
            .ceil()
            .clamp(1.0, 60.0);
        let mut neighbours = vec![Vec::new(); rows.len()];
        for edge in &edges {
            neighbours[edge.ends[0] as usize].push(edge.ends[1]);
            neighbours[edge.ends[1] as usize].push(edge.ends[0]);
        }
        for _ in 0..passes as usize {
            rows = averaged(&rows, &neighbours);
        }
        rows.iter().map(|row| strongest(row)).unzip()
    }

    fn weights_beneath(&self, position: Vec3, joint_count: usize) -> Vec<f32> {
        let mut row = vec![0.0; joint_count];
        let nearest = self
            .covered
            .nearest_point(position.as_dvec3(), f64::INFINITY);
        let Some(nearest) = nearest else {
            return row;
        };
        let skin = &self.body.avatar.skin;
        let corners = nearest
            .triangle
            .map(|ix| self.body.positions[ix as usize].as_dvec3());
        let shares = barycentric(nearest.point, corners).as_vec3().to_array();
        for (vertex_ix, share) in nearest.triangle.into_iter().zip(shares) {
            let influences = skin.joints[vertex_ix as usize]
                .iter()
                .zip(&skin.weights[vertex_ix as usize]);
            influences.for_each(|(&joint_ix, &weight)| row[joint_ix as usize] += share * weight);
        }
        row
    }
}

fn averaged(rows: &[Vec<f32>], neighbours: &[Vec<u32>]) -> Vec<Vec<f32>> {
    let average = |(row, around): (&Vec<f32>, &Vec<u32>)| {
        let share = 0.5 / around.len().max(1) as f32;
        let mut mixed: Vec<f32> = row.iter().map(|weight| 0.5 * weight).collect();
        for &other in around {
            mixed
                .iter_mut()
                .zip(&rows[other as usize])
                .for_each(|(mixed, weight)| *mixed += share * weight);
        }
        mixed
    };
    rows.par_iter().zip(neighbours).map(average).collect()
}

/// The strongest influences of a row, summing to one.
fn strongest(row: &[f32]) -> ([u16; MAX_INFLUENCES], [f32; MAX_INFLUENCES]) {
    let mut order: Vec<usize> = (0..row.len()).filter(|&ix| row[ix] > 0.0).collect();
    order.sort_by(|&a, &b| row[b].total_cmp(&row[a]).then(a.cmp(&b)));
    order.truncate(MAX_INFLUENCES);
    let total: f32 = order.iter().map(|&ix| row[ix]).sum();
    let (mut joints, mut weights) = ([0; MAX_INFLUENCES], [0.0; MAX_INFLUENCES]);
    if total <= 0.0 {
        weights[0] = 1.0;
    }
    for (slot, ix) in order.into_iter().enumerate() {
        joints[slot] = ix as u16;
        weights[slot] = row[ix] / total;
    }
    (joints, weights)
}

/// A projection from the front, in metres: one unit is one metre of cloth, mirrored at the back.
fn texture_coordinates(surface: &Surface, mid_x: f32) -> Vec<Vec2> {
    surface
        .positions
        .iter()
        .map(|position| Vec2::new(position.x - mid_x, -position.y))
        .collect()
}

/// Attachments where `compliance` (by position) gives one.
pub(super) fn attachments(
    surface: &Surface,
    compliance: impl Fn(Vec3) -> Option<f32>,
) -> Vec<Attachment> {
    let held = surface.positions.iter().enumerate();
    held.filter_map(|(ix, &position)| {
        Some(Attachment {
            particle_ix: ix as u32,
            compliance: compliance(position)?,
        })
    })
    .collect()
}
