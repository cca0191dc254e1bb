//! Weights as normalised 16-bit integers.

use crate::avatar::MAX_INFLUENCES;

/// Weights rounded so that they sum to exactly 65,535, which glTF demands: what rounding down leaves over goes to
/// the weights that lost most. Keeps them sorted. At most 1/65,535 off, half a hundredth of a millimetre on a bone
/// one metre long that turns a third of a turn.
pub(super) fn quantise(weights: &[f32; MAX_INFLUENCES]) -> [u16; MAX_INFLUENCES] {
    let sum: f64 = weights.iter().copied().map(f64::from).sum();
    let exact = weights.map(|weight| f64::from(weight) / sum * f64::from(u16::MAX));
    let mut rounded = exact.map(|weight| weight as u16);
    let mut losers: Vec<usize> = (0..MAX_INFLUENCES).collect();
    losers.sort_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()));
    let left_over =
        u32::from(u16::MAX) - rounded.iter().map(|&weight| u32::from(weight)).sum::<u32>();
    for &slot in losers.iter().take(left_over as usize) {
        rounded[slot] += 1;
    }
    rounded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_exact_and_order_stays() {
        let cases: [&[f32]; 5] = [
            &[1.0],
            &[0.5, 0.5],
            &[1.0 / 3.0; 3],
            &[1.0 / 7.0; 7],
            &[0.9999, 0.0001],
        ];
        for case in cases {
            let mut weights = [0.0; MAX_INFLUENCES];
            weights[..case.len()].copy_from_slice(case);
            let rounded = quantise(&weights);
            assert_eq!(
                rounded.iter().map(|&weight| u32::from(weight)).sum::<u32>(),
                65_535,
                "{case:?}"
            );
            assert!(rounded.is_sorted_by(|a, b| a >= b), "{rounded:?}");
            for (rounded, weight) in rounded.into_iter().zip(weights) {
                assert!((f32::from(rounded) / 65_535.0 - weight).abs() <= 1.0 / 65_535.0);
            }
        }
    }
}
