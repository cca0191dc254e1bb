//! The parts of a step, and which of them are a garment's own or end with a collision: the twin of `glsl/shared/detail.glsl`.

/// The most sub-steps of a step: room for their field transforms is taken beforehand.
pub const MAX_SUB_STEPS: u32 = 16;
/// The most solves of a sub-step, sweeps of a solve and points of a path. Usually 1,024, hundreds of times what is usual; with many more a step takes longer
/// than drivers wait for a device.
pub(crate) const MAX_REPEATS: u32 = 1024;

/// A part of a step.
#[derive(Clone, Copy, Debug)]
pub struct SubStep {
    /// Counts from 0.
    pub ix: u32,
    pub count: u32,
}

impl SubStep {
    /// Whether the step ends with it.
    pub fn is_last(self) -> bool {
        self.ix + 1 == self.count
    }

    /// The part of the step at which it ends: exactly 1 for the last.
    pub fn ends(self) -> f32 {
        (self.ix + 1) as f32 / self.count as f32
    }

    /// How many sub-steps of the step the own one of some cloth spans that ends with this one; 0: none of it ends here. The last is always
    /// the end of one, so that all cloth has arrived when it is drawn. `stride`: how many it usually takes; 0: it has none.
    pub(crate) fn own_span(self, stride: u32) -> u32 {
        if stride == 0 || !(self.count - 1 - self.ix).is_multiple_of(stride) {
            return 0;
        }
        stride.min(self.ix + 1)
    }

    /// How many sub-steps of the step a collision is for that comes in this one: those since the one before it; 0: there is none. Cloth
    /// collides once in `collision_stride` sub-steps, at least 1, or in its own, `stride` long, where those are longer.
    pub(crate) fn collision_span(self, stride: u32, collision_stride: u32) -> u32 {
        match stride {
            0 => 0,
            _ => self.own_span(stride * collision_stride.div_ceil(stride)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_step(count: u32) -> impl DoubleEndedIterator<Item = SubStep> + Clone {
        (0..count).map(move |ix| SubStep { ix, count })
    }

    #[test]
    fn own_sub_steps_make_up_the_step() {
        for count in 1..=16 {
            for stride in 1..=4 {
                let mut spans = of_step(count).map(|sub_step| sub_step.own_span(stride));
                assert_eq!(spans.clone().sum::<u32>(), count, "{stride} of {count}");
                assert_ne!(spans.next_back(), Some(0));
            }
            assert!(of_step(count).all(|sub_step| sub_step.own_span(0) == 0));
        }
    }

    #[test]
    fn collisions_come_at_ends_of_own_sub_steps_and_make_up_the_step() {
        for (count, stride) in (1..=16).flat_map(|count| [1, 2, 4].map(|stride| (count, stride))) {
            for collision_stride in 1..=6 {
                let span = |sub_step: SubStep| sub_step.collision_span(stride, collision_stride);
                assert_eq!(of_step(count).map(span).sum::<u32>(), count);
                for sub_step in of_step(count) {
                    let (span, own) = (span(sub_step), sub_step.own_span(stride));
                    assert!(span == 0 || own > 0 && span >= own, "{span} of {own}");
                    assert!(collision_stride > stride || span == own);
                }
            }
        }
        assert!(of_step(8).all(|sub_step| sub_step.collision_span(0, 2) == 0));
    }
}
