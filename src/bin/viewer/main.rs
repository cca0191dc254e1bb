//! The viewer: a dressed character in a window, or rendered without one.

mod cli;
mod headless;
mod picture;
mod report;
mod seen_table;
mod stage_of;
mod tracing;
#[cfg(feature = "viewer")]
mod window;

use std::process::ExitCode;

use clap::Parser;

use cli::Cli;

/// What a user can get wrong ends with this.
const EXIT_USAGE: u8 = 2;
/// The run itself found a fault: validation spoke up.
const EXIT_FAULT: u8 = 1;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse_flags(&error),
    };
    let outcome = if cli.headless {
        headless::run(&cli)
    } else {
        run_window(&cli)
    };
    match outcome {
        Ok(validation) if validation.errors + validation.warnings > 0 => ExitCode::from(EXIT_FAULT),
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("viewer: {error:#}");
            ExitCode::from(EXIT_USAGE)
        }
    }
}

#[cfg(feature = "viewer")]
fn run_window(cli: &Cli) -> anyhow::Result<radial_fields::engine::ValidationCounts> {
    window::run(cli)
}

#[cfg(not(feature = "viewer"))]
fn run_window(_: &Cli) -> anyhow::Result<radial_fields::engine::ValidationCounts> {
    anyhow::bail!("this build has no window: add --headless, or build with the feature `viewer`")
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
    eprintln!("viewer: {cause}; see viewer --help");
    ExitCode::from(EXIT_USAGE)
}
