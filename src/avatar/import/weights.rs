//! Influences as files have them made into the eight the engine uses.

use crate::avatar::MAX_INFLUENCES;

/// Joints and weights of one vertex, strongest first, summing to one.
pub(super) type Influences = ([u16; MAX_INFLUENCES], [f32; MAX_INFLUENCES]);

/// All on the first joint: for vertices that no joint moves.
pub(super) const FIRST_JOINT: Influences = ([0; MAX_INFLUENCES], {
    let mut weights = [0.0; MAX_INFLUENCES];
    weights[0] = 1.0;
    weights
});

/// Adds up the weights of each joint, keeps the eight strongest and makes them sum to one. Weights that are negative
/// or not finite count as zero. None if nothing is left. Of equal weights the joint that comes first wins.
pub(super) fn settle(influences: &[(u16, f32)]) -> Option<Influences> {
    let mut merged: Vec<(u16, f64)> = Vec::with_capacity(influences.len());
    for &(joint_ix, weight) in influences
        .iter()
        .filter(|(_, weight)| weight.is_finite() && *weight > 0.0)
    {
        match merged.iter_mut().find(|(known, _)| *known == joint_ix) {
            Some((_, sum)) => *sum += f64::from(weight),
            None => merged.push((joint_ix, f64::from(weight))),
        }
    }
    merged.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    merged.truncate(MAX_INFLUENCES);
    let sum: f64 = merged.iter().map(|(_, weight)| weight).sum();
    if merged.is_empty() {
        return None;
    }
    let mut settled = ([0; MAX_INFLUENCES], [0.0; MAX_INFLUENCES]);
    for (slot, (joint_ix, weight)) in merged.into_iter().enumerate() {
        settled.0[slot] = joint_ix;
        settled.1[slot] = (weight / sum) as f32;
    }
    Some(settled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_and_normalises() {
        let (joints, weights) = settle(&[(3, 1.0), (5, 3.0)]).unwrap();
        assert_eq!(
            (joints[..3].to_vec(), weights[..3].to_vec()),
            (vec![5, 3, 0], vec![0.75, 0.25, 0.0])
        );
    }

    #[test]
    fn ignores_what_is_no_weight() {
        let rubbish = [(1, f32::NAN), (2, f32::INFINITY), (3, -1.0), (4, 0.0)];
        assert_eq!(settle(&rubbish), None);
        let (joints, weights) = settle(&[rubbish.as_slice(), &[(9, 1e-20)]].concat()).unwrap();
        assert_eq!((joints[0], weights[0], weights[1]), (9, 1.0, 0.0));
    }

    #[test]
    fn adds_up_a_joint_named_twice() {
        let (joints, weights) = settle(&[(1, 0.3), (2, 0.4), (1, 0.3)]).unwrap();
        assert_eq!((joints[0], joints[1]), (1, 2));
        assert!((weights[0] - 0.6).abs() < 1e-6);
    }

    #[test]
    fn keeps_the_eight_strongest_of_many() {
        let many: Vec<_> = (0..12).map(|ix| (ix, f32::from(ix) + 1.0)).collect();
        let (joints, weights) = settle(&many).unwrap();
        assert_eq!(joints, [11, 10, 9, 8, 7, 6, 5, 4]);
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn largest_floats_do_not_overflow() {
        let (_, weights) = settle(&[(0, f32::MAX), (1, f32::MAX)]).unwrap();
        assert_eq!(weights[..2], [0.5, 0.5]);
    }
}
