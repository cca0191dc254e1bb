//! The bench: tables, plots and proofs of what the viewer shows.

mod ablation;
mod accuracy;
mod cli;
mod comparison;
mod crowd;
mod csv;
mod detail;
mod diff;
mod field;
mod hash;
mod opened;
mod plan;
mod plot;
mod poses;
mod preload;
mod response;
mod results;
mod runs;
mod series;
mod speed_up;
mod table;
mod trial;
mod tunnelling;

use std::process::ExitCode;

use clap::Parser as _;
use radial_fields::engine::Instance;
use radial_fields::engine::console::{self, EXIT_FAULT, EXIT_USAGE};
use radial_fields::remark;

use cli::{Cli, Command};

/// What a run that came to its end found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Sound,
    Faulty,
}

impl Verdict {
    /// Says what validation said; that or unsound results make a run faulty.
    fn of(is_sound: bool, instance: &Instance) -> Self {
        let messages = instance.validation_texts();
        for text in &messages {
            remark!("bench: validation {text}");
        }
        match is_sound && messages.is_empty() {
            true => Self::Sound,
            false => Self::Faulty,
        }
    }
}

fn main() -> ExitCode {
    let outcome = match Cli::try_parse() {
        Ok(cli) => run(&cli),
        Err(error) => {
            let code = console::refuse_flags("bench", &error);
            return console::end("bench", code);
        }
    };
    let code = match outcome {
        Ok(Verdict::Sound) => 0,
        Ok(Verdict::Faulty) => EXIT_FAULT,
        Err(error) => {
            remark!("bench: {error:#}");
            EXIT_USAGE
        }
    };
    console::end("bench", code)
}

fn run(cli: &Cli) -> anyhow::Result<Verdict> {
    match &cli.command {
        Some(Command::Ablation(flags)) => ablation::run(flags),
        Some(Command::Accuracy(flags)) => accuracy::run(flags),
        Some(Command::Tunnelling(flags)) => tunnelling::run(flags),
        Some(Command::Crowd(flags)) => crowd::run(flags),
        Some(Command::Detail(flags)) => detail::run(flags),
        Some(Command::Field(flags)) => field::run(flags),
        Some(Command::Hash(flags)) => hash::run(flags),
        Some(Command::Response(flags)) => response::run(flags),
        Some(Command::Diff(flags)) => diff::run(flags),
        None => comparison::run(&cli.comparison),
    }
}
