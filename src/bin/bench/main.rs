//! The bench: tables, plots and proofs of what the viewer shows.

mod ablation;
mod accuracy;
mod cli;
mod comparison;
mod crowd;
mod csv;
mod diff;
mod field;
mod hash;
mod plan;
mod plot;
mod preload;
mod results;
mod runs;
mod speed_up;
mod table;
mod trial;
mod tunnelling;

use std::process::ExitCode;

use clap::Parser as _;
use radial_fields::engine::console::{self, EXIT_FAULT, EXIT_USAGE};
use radial_fields::remark;

use cli::{Cli, Command};

/// What a run that came to its end found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Sound,
    Faulty,
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

/// As it was typed.
fn command_line() -> String {
    let arguments = std::env::args_os().skip(1);
    let words = std::iter::once("bench".into()).chain(arguments);
    let words: Vec<_> = words
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    words.join(" ")
}

fn run(cli: &Cli) -> anyhow::Result<Verdict> {
    match &cli.command {
        Some(Command::Ablation(flags)) => ablation::run(flags),
        Some(Command::Accuracy(flags)) => accuracy::run(flags),
        Some(Command::Tunnelling(flags)) => tunnelling::run(flags),
        Some(Command::Crowd(flags)) => crowd::run(flags),
        Some(Command::Field(flags)) => field::run(flags),
        Some(Command::Hash(flags)) => hash::run(flags),
        Some(Command::Diff(flags)) => diff::run(flags),
        None => comparison::run(&cli.comparison),
    }
}
