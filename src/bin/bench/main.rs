//! The bench: tables, plots and proofs of what the viewer shows.

mod accuracy;
mod cli;
mod tunnelling;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};

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
        Ok(Some(Verdict::Sound)) => ExitCode::SUCCESS,
        Ok(Some(Verdict::Faulty)) => ExitCode::from(EXIT_FAULT),
        Ok(None) => {
            eprint!("{}", Cli::command().render_help());
            ExitCode::from(EXIT_USAGE)
        }
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::from(EXIT_USAGE)
        }
    }
}

/// None when no work was asked for.
fn run(cli: &Cli) -> anyhow::Result<Option<Verdict>> {
    match &cli.command {
        Some(Command::Accuracy(flags)) => accuracy::run(flags).map(Some),
        Some(Command::Tunnelling(flags)) => tunnelling::run(flags).map(Some),
        None => Ok(None),
    }
}

/// One line for a wrong flag; help and version as they are.
fn refuse_flags(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        print!("{error}");
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let cause = text
        .lines()
        .next()
        .unwrap_or_default()
        .trim_start_matches("error: ");
    eprintln!("bench: {cause}; see bench --help");
    ExitCode::from(EXIT_USAGE)
}
