//! Skinning weights as a matrix: one row per vertex, one column per joint.

use super::MakeHumanError;
use crate::avatar::{MAX_INFLUENCES, Skeleton};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The rig's weight file.
#[derive(Clone, Debug, Deserialize)]
pub struct WeightFile {
    /// For each bone its (vertex, weight) pairs.
    pub weights: BTreeMap<String, Vec<(u32, f32)>>,
}

impl WeightFile {
    /// The rows of the first `vertex_count` vertices, columns in the skeleton's order; the rest of the base mesh is
    /// helper geometry. Rows are not normalised.
    ///
    /// # Errors
    /// [`MakeHumanError::NoBone`] when a weight refers to a bone that the skeleton lacks.
    pub fn rows(
        &self,
        skeleton: &Skeleton,
        vertex_count: usize,
    ) -> Result<Vec<f32>, MakeHumanError> {
        let joint_count = skeleton.joints.len();
        let mut rows = vec![0.0; vertex_count * joint_count];
        for (name, pairs) in &self.weights {
            let column = column_of(skeleton, name)
                .ok_or_else(|| MakeHumanError::NoBone { name: name.clone() })?;
            for &(ix, weight) in pairs.iter().filter(|pair| (pair.0 as usize) < vertex_count) {
                rows[ix as usize * joint_count + column] += weight.max(0.0);
            }
        }
        Ok(rows)
    }
}

/// The index of a joint by its node's name.
pub fn column_of(skeleton: &Skeleton, name: &str) -> Option<usize> {
    skeleton
        .joints
        .iter()
        .position(|joint| skeleton.nodes[joint.node_ix].name == name)
}

/// Moves each row towards the mean of its neighbours' by `share`, `rounds` times: wrists and shoulders bend over a
/// longer stretch and twist without collapsing.
pub fn smooth(
    rows: &[f32],
    joint_count: usize,
    neighbours: &[Vec<u32>],
    share: &[f32],
    rounds: usize,
) -> Vec<f32> {
    let mut rows = rows.to_vec();
    for _ in 0..rounds {
        let before = rows.clone();
        for (ix, row) in rows.chunks_exact_mut(joint_count).enumerate() {
            let (own, around) = (&neighbours[ix], share[ix]);
            if own.is_empty() || around == 0.0 {
                continue;
            }
            row.iter_mut().for_each(|value| *value *= 1.0 - around);
            for &other in own {
                let from = &before[other as usize * joint_count..][..joint_count];
                row.iter_mut()
                    .zip(from)
                    .for_each(|(value, from)| *value += around * from / own.len() as f32);
            }
        }
    }
    rows
}

/// One vertex's influences.
pub type Influences = ([u16; MAX_INFLUENCES], [f32; MAX_INFLUENCES]);

/// The strongest influences of a row, strongest first, summing to one; ties go to the lower joint. A row of zeros goes
/// to joint 0.
pub fn strongest(row: &[f32]) -> Influences {
    let mut order: Vec<usize> = (0..row.len()).filter(|&ix| row[ix] > 0.0).collect();
    order.sort_by(|&a, &b| row[b].total_cmp(&row[a]).then(a.cmp(&b)));
    order.truncate(MAX_INFLUENCES);
    let sum: f32 = order.iter().map(|&ix| row[ix]).sum();
    let (mut joints, mut weights) = ([0; MAX_INFLUENCES], [0.0; MAX_INFLUENCES]);
    for (at, &ix) in order.iter().enumerate() {
        (joints[at], weights[at]) = (ix as u16, row[ix] / sum);
    }
    if order.is_empty() {
        weights[0] = 1.0;
    }
    (joints, weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_influences_sum_to_one() {
        let row: Vec<f32> = (0..12).map(|ix| [0.0, 0.25, 0.5, 0.125][ix % 4]).collect();
        let (joints, weights) = strongest(&row);
        assert_eq!(joints, [2, 6, 10, 1, 5, 9, 3, 7]);
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(weights.is_sorted_by(|a, b| a >= b));
    }

    #[test]
    fn a_row_of_zeros_follows_the_first_joint() {
        assert_eq!(
            strongest(&[0.0; 5]),
            ([0; 8], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
        );
    }

    #[test]
    fn smoothing_keeps_sums_and_leaves_the_rest_alone() {
        let rows = [1.0, 0.0, 0.0, 1.0, 1.0, 0.0];
        let neighbours = [vec![1], vec![0, 2], vec![1]];
        let smoothed = smooth(&rows, 2, &neighbours, &[0.0, 0.5, 0.5], 1);
        assert_eq!(smoothed, [1.0, 0.0, 0.5, 0.5, 0.5, 0.5]);
    }
}
