//! The bench: tables, plots and proofs of what the viewer shows.

mod accuracy;
mod cli;
mod comparison;
mod csv;
mod diff;
mod plan;
mod plot;
mod results;
mod speed_up;
mod staging;
mod table;
mod trial;
mod tunnelling;

use std::process::ExitCode;

use clap::Parser as _;

use cli::{Cli, Command};

/// What a user can get wrong ends with this.
const EXIT_USAGE: u8 = 2;
/// The run itself found a fault: a figure beyond its bound, or validation spoke up.
const EXIT_FAULT: u8 = 1;

/// What a run that came to its end found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Sound,
    Faulty,
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse_flags(&error),
    };
    match run(&cli) {
        Ok(Verdict::Sound) => ExitCode::SUCCESS,
        Ok(Verdict::Faulty) => ExitCode::from(EXIT_FAULT),
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::from(EXIT_USAGE)
        }
    }
}

fn run(cli: &Cli) -> anyhow::Result<Verdict> {
    match &cli.command {
        Some(Command::Accuracy(flags)) => accuracy::run(flags),
        Some(Command::Tunnelling(flags)) => tunnelling::run(flags),
        Some(Command::Diff(flags)) => diff::run(flags),
        None => comparison::run(&cli.comparison),
    }
}

/// One line for a wrong flag; help and version as they are.
fn refuse_flags(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        print!("{error}");
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    // What is wrong, without the usage below it.
    let said = text.lines().take_while(|line| !line.trim().is_empty());
    let said: Vec<&str> = said.map(str::trim).collect();
    let cause = said.join(" ");
    let cause = cause.trim_start_matches("error: ");
    eprintln!("bench: {cause}; see bench --help");
    ExitCode::from(EXIT_USAGE)
}
