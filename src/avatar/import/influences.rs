//! Which joints move each vertex of a primitive, and how much.

use gltf::json::mesh::Semantic;

use super::ImportFault;
use super::mesh::{Following, Source, attribute};
use super::weights::{FIRST_JOINT, Influences, settle};
use crate::avatar::MAX_INFLUENCES;

/// How many sets of four influences are read: JOINTS_0 to JOINTS_3. The strongest eight stay.
const INFLUENCE_SETS: u32 = 4;

impl Source<'_> {
    /// The influences of every vertex, and how many vertices had none.
    pub(super) fn influences(
        &self,
        vertex_count: usize,
    ) -> Result<(Vec<Influences>, u32), ImportFault> {
        let skin_joints = match self.following {
            Following::Weights(joints) => joints,
            Following::Joint(joint_ix) => {
                let mut influences = FIRST_JOINT;
                influences.0[0] = *joint_ix;
                return Ok((vec![influences; vertex_count], 0));
            }
        };
        let sets = self.influence_sets(vertex_count)?;
        let mut zero_weight_vertices = 0;
        let mut all = Vec::with_capacity(vertex_count);
        let mut of_vertex = Vec::with_capacity(2 * MAX_INFLUENCES);
        for vertex_ix in 0..vertex_count {
            of_vertex.clear();
            for (joints, weights) in &sets {
                for (joint, weight) in joints[vertex_ix].into_iter().zip(weights[vertex_ix]) {
                    of_vertex.push((self.skeleton_joint(skin_joints, joint, weight)?, weight));
                }
            }
            let settled = settle(&of_vertex);
            zero_weight_vertices += u32::from(settled.is_none());
            all.push(settled.unwrap_or(FIRST_JOINT));
        }
        Ok((all, zero_weight_vertices))
    }

    #[expect(
        clippy::type_complexity,
        reason = "four joints and four weights of every vertex, set by set"
    )]
    fn influence_sets(
        &self,
        vertex_count: usize,
    ) -> Result<Vec<(Vec<[u32; 4]>, Vec<[f32; 4]>)>, ImportFault> {
        let mut sets = Vec::new();
        for set in 0..INFLUENCE_SETS {
            let joints = attribute(self.primitive, Semantic::Joints(set));
            let weights = attribute(self.primitive, Semantic::Weights(set));
            let (Some(joints), Some(weights)) = (joints, weights) else {
                break;
            };
            let (joints, weights) = (
                self.reader.integers::<4>(joints)?,
                self.reader.floats::<4>(weights)?,
            );
            self.check_length("JOINTS", joints.len(), vertex_count)?;
            self.check_length("WEIGHTS", weights.len(), vertex_count)?;
            sets.push((joints, weights));
        }
        Ok(sets)
    }

    /// A joint without weight may be any number: exporters leave rubbish there.
    fn skeleton_joint(
        &self,
        skin_joints: &[u16],
        joint_ix: u32,
        weight: f32,
    ) -> Result<u16, ImportFault> {
        match skin_joints.get(joint_ix as usize) {
            Some(&joint_ix) => Ok(joint_ix),
            None if weight == 0.0 => Ok(0),
            None => {
                let joint_count = skin_joints.len();
                Err(ImportFault::JointOutOfRange {
                    mesh: self.mesh_name(),
                    joint_ix,
                    joint_count,
                })
            }
        }
    }
}
