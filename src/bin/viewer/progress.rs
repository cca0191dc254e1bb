//! Where a run without a window is: a bar on a terminal, a line now and then where standard error goes elsewhere.

use std::io::{IsTerminal as _, stderr};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use radial_fields::remark;
use serde::Serialize;

/// What a run does, in the order of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The character is read.
    Load,
    /// Clothes are made to it.
    Dress,
    /// Fields are fitted, and everything is made on the device.
    Fit,
    /// The character goes into its clip's first pose, and the cloth comes to hang.
    Settle,
    /// The frames that were asked for.
    Run,
}

/// How long a phase took.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PhaseSeconds {
    pub name: Phase,
    pub seconds: f64,
}

/// How often the bar of a phase without steps moves, and how often it is looked whether a line is due.
const TICK: Duration = Duration::from_millis(250);
/// How long a phase lasts before a line names it: what is quick needs none.
const FIRST_LINE: Duration = Duration::from_secs(1);
/// From one line of a phase to the next. Usually 10 s: less fills logs, more looks like a program that hangs.
const NEXT_LINE: Duration = Duration::from_secs(10);

impl Phase {
    /// The name in lines and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Dress => "dress",
            Self::Fit => "fit",
            Self::Settle => "settle",
            Self::Run => "run",
        }
    }
}

/// Tells where a run is, from the moment it is made until it is dropped.
pub struct Progress {
    current: Arc<Mutex<Option<Current>>>,
    past: Vec<PhaseSeconds>,
    shown: Shown,
}

enum Shown {
    /// The bar of the current phase.
    Bar(Option<ProgressBar>),
    /// The thread that writes lines, and the channel that ends it when it is dropped.
    Lines(Option<Sender<()>>, Option<JoinHandle<()>>),
}

/// A phase that goes on.
struct Current {
    phase: Phase,
    began: Instant,
    /// Steps done, and how many there are; 0 if unknown.
    done: u32,
    count: u32,
    /// How long it had lasted when a line last named it.
    told: Option<Duration>,
}

impl Progress {
    /// Begins with no phase.
    pub fn new() -> Self {
        if stderr().is_terminal() {
            return Self {
                current: Arc::default(),
                past: Vec::new(),
                shown: Shown::Bar(None),
            };
        }
        Self::in_lines(|line| remark!("viewer: {line}"))
    }

    /// As where there is no terminal: hands each line to `tell`, on a thread of its own.
    fn in_lines(tell: impl Fn(&str) + Send + 'static) -> Self {
        let current = Arc::default();
        let (end, ended) = channel();
        let watched = Arc::clone(&current);
        let writer = thread::spawn(move || write_lines(&watched, &ended, tell));
        Self {
            current,
            past: Vec::new(),
            shown: Shown::Lines(Some(end), Some(writer)),
        }
    }

    /// Begins a phase of that many steps; of 0 if unknown.
    pub fn begin(&mut self, phase: Phase, count: u32) {
        self.end();
        *locked(&self.current) = Some(Current {
            phase,
            began: Instant::now(),
            done: 0,
            count,
            told: None,
        });
        if let Shown::Bar(bar) = &mut self.shown {
            *bar = Some(bar_of(phase, count));
        }
    }

    /// A step of the phase is done.
    pub fn step(&self) {
        if let Some(current) = &mut *locked(&self.current) {
            current.done += 1;
        }
        if let Shown::Bar(Some(bar)) = &self.shown {
            bar.inc(1);
        }
    }

    /// Ends the phase, if there is one. The bar goes; others may print now.
    pub fn end(&mut self) {
        let ended = locked(&self.current).take();
        self.past.extend(ended.map(|current| PhaseSeconds {
            name: current.phase,
            seconds: current.began.elapsed().as_secs_f64(),
        }));
        if let Shown::Bar(bar) = &mut self.shown
            && let Some(bar) = bar.take()
        {
            bar.finish_and_clear();
        }
    }

    /// The phases that are over.
    pub fn past(&self) -> &[PhaseSeconds] {
        &self.past
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
        if let Shown::Lines(end, writer) = &mut self.shown {
            end.take();
            if let Some(writer) = writer.take() {
                // A line less is no reason to fail.
                let _ = writer.join();
            }
        }
    }
}

fn locked(current: &Mutex<Option<Current>>) -> MutexGuard<'_, Option<Current>> {
    current.lock().unwrap_or_else(PoisonError::into_inner)
}

fn bar_of(phase: Phase, count: u32) -> ProgressBar {
    let (bar, template) = match count {
        0 => (ProgressBar::new_spinner(), "{msg:6} {spinner} {elapsed}"),
        count => (
            ProgressBar::new(u64::from(count)),
            "{msg:6} {bar:40} {pos} of {len}, {eta} left",
        ),
    };
    let style = ProgressStyle::with_template(template);
    let bar = bar
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_message(phase.name());
    bar.tick();
    bar.enable_steady_tick(TICK);
    bar
}

fn write_lines(current: &Mutex<Option<Current>>, ended: &Receiver<()>, tell: impl Fn(&str)) {
    while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
        let line = locked(current)
            .as_mut()
            .and_then(|current| current.line_at(current.began.elapsed()));
        if let Some(line) = line {
            tell(&line);
        }
    }
}

impl Current {
    /// What is to be said of a phase that has lasted so long, if anything is.
    fn line_at(&mut self, lasted: Duration) -> Option<String> {
        let due = self.told.map_or(FIRST_LINE, |told| told + NEXT_LINE);
        if lasted < due {
            return None;
        }
        self.told = Some(lasted);
        let steps = match self.count {
            0 => String::new(),
            count => format!(", {} of {count}", self.done),
        };
        Some(format!(
            "{}{steps}, {} s",
            self.phase.name(),
            lasted.as_secs()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_is_named_after_a_second_and_then_now_and_then() {
        let mut current = Current {
            phase: Phase::Settle,
            began: Instant::now(),
            done: 3,
            count: 90,
            told: None,
        };
        let mut said = Vec::new();
        for half_seconds in 0..60 {
            current.done += 1;
            said.extend(current.line_at(half_seconds * Duration::from_millis(500)));
        }
        let expected = [
            "settle, 6 of 90, 1 s",
            "settle, 26 of 90, 11 s",
            "settle, 46 of 90, 21 s",
        ];
        assert_eq!(said, expected);
    }

    #[test]
    fn a_phase_that_takes_its_time_is_told_while_it_lasts() {
        let (tell, told) = channel();
        let mut progress = Progress::in_lines(move |line| tell.send(line.to_owned()).unwrap());
        progress.begin(Phase::Load, 0);
        let patience = 20 * FIRST_LINE;
        let line = told.recv_timeout(patience).unwrap();
        assert!(line.starts_with("load, "), "{line}");
        progress.begin(Phase::Settle, 90);
        progress.step();
        let line = told.recv_timeout(patience).unwrap();
        assert!(line.starts_with("settle, 1 of 90, "), "{line}");
    }

    #[test]
    fn phases_are_kept_in_their_order() {
        let mut progress = Progress::new();
        progress.begin(Phase::Load, 0);
        progress.begin(Phase::Run, 2);
        progress.step();
        progress.end();
        let names: Vec<_> = progress.past().iter().map(|past| past.name).collect();
        assert_eq!(names, [Phase::Load, Phase::Run]);
    }
}
