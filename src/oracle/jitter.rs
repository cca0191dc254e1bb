//! How much particles tremble from frame to frame, apart from where they go.

use glam::{DVec3, Vec3};

/// Length of the third difference of white noise of length 1: the root of 1 + 9 + 9 + 1.
const NOISE_GAIN: f64 = 4.472_135_954_999_579;

/// Takes particles frame by frame.
///
/// A frame's jitter is the root mean square over the particles of x₀ − 3x₁ + 3x₂ − x₃, over [`NOISE_GAIN`], where x₀ is
/// where a particle is and x₁ to x₃ where it was in the three frames before. Of noise that differs from frame to frame this
/// is its own size; of a smooth motion, whose acceleration changes little in three frames, next to nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Jitter {
    /// Particles of up to three frames, newest first.
    history: Vec<Vec<Vec3>>,
    /// Metres, one per frame.
    by_frame: Vec<f64>,
}

impl Jitter {
    /// Frames come one after another; another number of particles begins anew.
    pub(super) fn add_frame(&mut self, particles: &[Vec3]) {
        self.history.retain(|frame| frame.len() == particles.len());
        if let [one, two, three] = self.history.as_slice() {
            let third_difference = |ix: usize| {
                let [x0, x1, x2, x3]: [DVec3; 4] =
                    [particles[ix], one[ix], two[ix], three[ix]].map(|x| x.as_dvec3());
                (x0 - x3 - 3.0 * (x1 - x2)).length_squared()
            };
            let sum: f64 = (0..particles.len()).map(third_difference).sum();
            self.by_frame
                .push((sum / particles.len().max(1) as f64).sqrt() / NOISE_GAIN);
        }
        self.history.truncate(2);
        self.history.insert(0, particles.to_vec());
    }

    /// Metres: the median over the frames, so that a teleport says nothing. None before the fourth frame.
    pub(super) fn median(&self) -> Option<f64> {
        let mut sorted = self.by_frame.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jitter_of(frames: impl Iterator<Item = Vec3>) -> Option<f64> {
        let mut jitter = Jitter::default();
        frames.for_each(|position| jitter.add_frame(&[position; 5]));
        jitter.median()
    }

    #[test]
    fn smooth_motion_has_none_and_trembling_its_own_size() {
        let thrown = |ix: i32| {
            Vec3::new(
                0.05 * ix as f32,
                0.03 * ix as f32 - 1e-3 * (ix * ix) as f32,
                0.0,
            )
        };
        let smooth = jitter_of((0..30).map(thrown)).expect("enough frames");
        assert!(smooth < 1e-7, "{smooth}");
        // Noise of 1 mm that goes back and forth: the most that noise of its size can do.
        let trembling = |ix: i32| thrown(ix) + Vec3::Y * if ix % 2 == 0 { 1e-3 } else { -1e-3 };
        let found = jitter_of((0..30).map(trembling)).expect("enough frames");
        assert!((found / (8e-3 / NOISE_GAIN) - 1.0).abs() < 1e-3, "{found}");
    }

    #[test]
    fn a_single_jump_counts_for_nothing_and_three_frames_are_not_enough() {
        let jumps = (0..30).map(|ix| if ix < 12 { Vec3::ZERO } else { Vec3::ONE });
        assert_eq!(jitter_of(jumps), Some(0.0));
        assert_eq!(jitter_of((0..3).map(|_| Vec3::ZERO)), None);
    }
}
