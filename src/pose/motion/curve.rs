//! Cubic curves through keys, and the easing steps that blends are made of.

/// From 0 to 1 with zero slope at both ends; clamped outside.
pub(super) fn smoothstep(u: f32) -> f32 {
    let u = u.clamp(0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}

/// From 0 to 1 with zero slope and zero acceleration at both ends (the minimum-jerk path); clamped outside.
pub(super) fn min_jerk(u: f32) -> f32 {
    let u = u.clamp(0.0, 1.0);
    u * u * u * (10.0 + u * (6.0 * u - 15.0))
}

/// A piecewise cubic Hermite curve of `N` channels: continuous in value and slope, constant before its first and after
/// its last key.
#[derive(Clone, Debug)]
pub(super) struct Curve<const N: usize> {
    times: Vec<f32>,
    values: Vec<[f32; N]>,
    slopes: Vec<[f32; N]>,
}

impl<const N: usize> Curve<N> {
    /// A curve that never leaves the range of the two keys it is between (Fritsch and Butland 1984): key poses don't
    /// overshoot, and a turning point is always a key. Ends are flat.
    pub(super) fn without_overshoot(keys: Vec<(f32, [f32; N])>) -> Self {
        Self::with_slopes(keys, |before, after, h0, h1| {
            if before * after <= 0.0 {
                return 0.0;
            }
            let (w0, w1) = (2.0 * h1 + h0, h1 + 2.0 * h0);
            (w0 + w1) / (w0 / before + w1 / after)
        })
    }

    /// A rounder curve (Catmull and Rom, for uneven times): the slope at a key is that of the parabola through it and its
    /// neighbours. Ends are flat.
    pub(super) fn rounded(keys: Vec<(f32, [f32; N])>) -> Self {
        Self::with_slopes(keys, |before, after, h0, h1| {
            (before * h1 + after * h0) / (h0 + h1)
        })
    }

    fn with_slopes(keys: Vec<(f32, [f32; N])>, slope: impl Fn(f32, f32, f32, f32) -> f32) -> Self {
        assert!(!keys.is_empty(), "a curve needs a key");
        assert!(
            keys.windows(2).all(|k| k[0].0 < k[1].0),
            "key times increase"
        );
        let (times, values): (Vec<f32>, Vec<[f32; N]>) = keys.into_iter().unzip();
        let mut slopes = vec![[0.0; N]; times.len()];
        for k in 1..times.len().saturating_sub(1) {
            let (h0, h1) = (times[k] - times[k - 1], times[k + 1] - times[k]);
            for (c, out) in slopes[k].iter_mut().enumerate() {
                let before = (values[k][c] - values[k - 1][c]) / h0;
                let after = (values[k + 1][c] - values[k][c]) / h1;
                *out = slope(before, after, h0, h1);
            }
        }
        Self {
            times,
            values,
            slopes,
        }
    }

    /// Sets the slope at one key, for a curve that joins on to other motion.
    pub(super) fn set_slope(&mut self, key_ix: usize, slope: [f32; N]) {
        self.slopes[key_ix] = slope;
    }

    /// Sets the slope at the last key.
    pub(super) fn set_last_slope(&mut self, slope: [f32; N]) {
        let last_ix = self.slopes.len() - 1;
        self.slopes[last_ix] = slope;
    }

    pub(super) fn sample(&self, t: f32) -> [f32; N] {
        let after_ix = self.times.partition_point(|&key| key <= t);
        if after_ix == 0 {
            return self.values[0];
        }
        if after_ix == self.times.len() {
            return self.values[after_ix - 1];
        }
        let (i, j) = (after_ix - 1, after_ix);
        let h = self.times[j] - self.times[i];
        let u = (t - self.times[i]) / h;
        let (u2, u3) = (u * u, u * u * u);
        std::array::from_fn(|c| {
            (2.0 * u3 - 3.0 * u2 + 1.0) * self.values[i][c]
                + (u3 - 2.0 * u2 + u) * h * self.slopes[i][c]
                + (3.0 * u2 - 2.0 * u3) * self.values[j][c]
                + (u3 - u2) * h * self.slopes[j][c]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_passes_through_its_keys_and_stays_between_them() {
        let keys = vec![(0.0, [0.0]), (0.5, [2.0]), (0.7, [2.1]), (2.0, [-1.0])];
        let curve = Curve::without_overshoot(keys.clone());
        for (t, value) in &keys {
            assert_eq!(curve.sample(*t), *value);
        }
        for i in 0..=200 {
            let v = curve.sample(i as f32 * 0.01)[0];
            assert!((-1.0..=2.1).contains(&v), "{v}");
        }
    }

    #[test]
    fn a_curve_has_no_kinks() {
        let curve = Curve::rounded(vec![
            (0.0, [0.0]),
            (0.3, [1.0]),
            (1.0, [-2.0]),
            (1.1, [0.0]),
        ]);
        let slope = |t: f32| (curve.sample(t + 1e-3)[0] - curve.sample(t)[0]) / 1e-3;
        for key in [0.3, 1.0] {
            assert!(
                (slope(key) - slope(key - 1e-3)).abs() < 0.5,
                "slope jumps at {key}"
            );
        }
    }

    #[test]
    fn easing_runs_from_0_to_1() {
        for ease in [smoothstep, min_jerk] {
            assert_eq!(
                (ease(-1.0), ease(0.0), ease(0.5), ease(1.0), ease(2.0)),
                (0.0, 0.0, 0.5, 1.0, 1.0)
            );
        }
    }
}
