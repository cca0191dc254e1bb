//! Quantiles of more values than anyone would keep.

/// Counts values in bins of one width.
#[derive(Clone, Debug)]
pub(super) struct Histogram {
    bin: f64,
    /// The last one holds all that is more.
    counts: Vec<u64>,
    total: u64,
    max: f64,
}

impl Histogram {
    /// For values from 0 to `end`, told apart by `bin`.
    pub fn new(bin: f64, end: f64) -> Self {
        Self {
            bin,
            counts: vec![0; (end / bin).ceil() as usize + 1],
            total: 0,
            max: 0.0,
        }
    }

    /// Values of 0 and more.
    pub fn extend(&mut self, values: impl IntoIterator<Item = f64>) {
        let last = self.counts.len() - 1;
        for value in values {
            let bin_ix = ((value / self.bin) as usize).min(last);
            self.counts[bin_ix] += 1;
            self.total += 1;
            self.max = self.max.max(value);
        }
    }

    /// The value that this part of the values does not exceed, rounded up to a bin; 0 without values.
    pub fn quantile(&self, part: f64) -> f64 {
        let wanted = (part * self.total as f64).ceil() as u64;
        let mut count = 0;
        let reached = self.counts.iter().position(|&in_bin| {
            count += in_bin;
            count >= wanted
        });
        let last = self.counts.len() - 1;
        match reached {
            Some(bin_ix) if bin_ix < last => ((bin_ix + 1) as f64 * self.bin).min(self.max),
            _ => self.max,
        }
    }

    /// The largest value, exactly; 0 without values.
    pub fn max(&self) -> f64 {
        self.max
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_right_to_a_bin_and_the_most_exactly() {
        let mut histogram = Histogram::new(0.01, 2.0);
        histogram.extend((0..1000).map(|k| f64::from(k) * 0.001));
        assert!((histogram.quantile(0.5) - 0.5).abs() <= 0.01 + 1e-12);
        assert!((histogram.quantile(0.95) - 0.95).abs() <= 0.01 + 1e-12);
        assert_eq!(histogram.max(), 0.999);
        histogram.extend([50.0; 100]);
        assert_eq!(histogram.quantile(0.99), 50.0, "beyond the last bin");
        assert_eq!(Histogram::new(1.0, 2.0).quantile(0.5), 0.0);
    }
}
