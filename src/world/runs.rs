//! Neighbours of one kind, taken together.

use std::ops::Range;

/// Calls `run` for neighbours of one kind together, in order: one dispatch instead of many.
pub(crate) fn each_run<K: PartialEq>(
    parts: impl Iterator<Item = (Range<u32>, K)>,
    mut run: impl FnMut(Range<u32>, K),
) {
    let mut open: Option<(Range<u32>, K)> = None;
    for (part, kind) in parts {
        match &mut open {
            Some((range, known)) if *known == kind && range.end == part.start => {
                range.end = part.end;
            }
            _ => {
                if let Some((range, kind)) = open.replace((part, kind)) {
                    run(range, kind);
                }
            }
        }
    }
    if let Some((range, kind)) = open {
        run(range, kind);
    }
}

#[cfg(test)]
mod tests {
    use super::each_run;

    fn runs(parts: &[(std::ops::Range<u32>, bool)]) -> Vec<(std::ops::Range<u32>, bool)> {
        let mut runs = Vec::new();
        each_run(parts.iter().cloned(), |range, kind| {
            runs.push((range, kind));
        });
        runs
    }

    #[test]
    fn neighbours_of_one_kind_run_together() {
        assert_eq!(runs(&[]), []);
        assert_eq!(runs(&[(0..3, false), (3..9, false)]), [(0..9, false)]);
        let mixed = [(0..3, false), (3..5, true), (5..9, true), (9..10, false)];
        let expected = [(0..3, false), (3..9, true), (9..10, false)];
        assert_eq!(runs(&mixed), expected);
    }

    #[test]
    fn parts_that_lie_apart_run_apart() {
        let apart = [(0..3, true), (4..5, true)];
        assert_eq!(runs(&apart), apart);
    }
}
