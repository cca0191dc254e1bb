//! What was set before, to go back to.

use crate::setup::Setup;

/// The most changes that can be taken back.
const MAX_CHANGES: usize = 200;

/// Setups, one a change, in the order in which they were.
#[derive(Default)]
pub struct Past {
    setups: Vec<Setup>,
    /// Of them, the one that is shown.
    at: usize,
    /// Something may be other than in the newest.
    is_touched: bool,
}

impl Past {
    /// Something was changed or loaded.
    pub fn touch(&mut self) {
        self.is_touched = true;
    }

    /// Whether there may be something to take.
    pub fn is_touched(&self) -> bool {
        self.is_touched
    }

    /// Takes what is shown now, if it is other than before; what was taken back is gone then.
    pub fn take(&mut self, setup: Setup) {
        self.is_touched = false;
        if self.setups.get(self.at) == Some(&setup) {
            return;
        }
        self.setups.truncate(self.at + 1);
        self.setups.push(setup);
        if self.setups.len() > MAX_CHANGES {
            self.setups.remove(0);
        }
        self.at = self.setups.len() - 1;
    }

    pub fn can_undo(&self) -> bool {
        self.at > 0
    }

    pub fn can_redo(&self) -> bool {
        self.at + 1 < self.setups.len()
    }

    /// What was before, if there was something.
    pub fn undo(&mut self) -> Option<Setup> {
        self.at = self.at.checked_sub(1)?;
        self.setups.get(self.at).cloned()
    }

    /// What came after, if it was taken back.
    pub fn redo(&mut self) -> Option<Setup> {
        let setup = self.setups.get(self.at + 1).cloned()?;
        self.at += 1;
        Some(setup)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use crate::setup::Tuned;
    use clap::Parser as _;

    fn setup(clip: &str) -> Setup {
        Setup::of(
            &Cli::parse_from(["viewer", "--clip", clip]),
            Tuned::default(),
        )
    }

    #[test]
    fn changes_are_taken_back_one_by_one_and_done_again() {
        let mut past = Past::default();
        for clip in ["walk", "run", "run", "jump"] {
            past.take(setup(clip));
        }
        assert!(past.can_undo() && !past.can_redo());
        assert_eq!(
            past.undo(),
            Some(setup("run")),
            "twice the same is no change"
        );
        assert_eq!(past.undo(), Some(setup("walk")));
        assert_eq!(past.undo(), None);
        assert_eq!(past.redo(), Some(setup("run")));
        past.take(setup("dance"));
        assert_eq!(
            past.redo(),
            None,
            "another change ends what could be done again"
        );
        assert_eq!(past.undo(), Some(setup("run")));
    }

    #[test]
    fn it_does_not_grow_without_end() {
        let mut past = Past::default();
        for ix in 0..3 * MAX_CHANGES {
            past.take(setup(&ix.to_string()));
        }
        assert_eq!(past.setups.len(), MAX_CHANGES);
        assert!(past.can_undo());
    }
}
