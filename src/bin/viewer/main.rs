//! The viewer: a dressed character in a window, or rendered without one.

mod cli;
mod detail;
mod flags;
mod framing;
mod gif;
mod headless;
#[cfg(not(feature = "viewer"))]
#[path = "no_panels.rs"]
mod panels;
#[cfg(feature = "viewer")]
mod panels;
mod picture;
mod preload;
mod progress;
mod props;
mod report;
mod room;
mod seen_table;
mod setup;
mod tracing;
#[cfg(feature = "viewer")]
mod window;

use std::process::ExitCode;

use radial_fields::engine::console::{self, EXIT_FAULT, EXIT_USAGE};
use radial_fields::remark;

use cli::Cli;

fn main() -> ExitCode {
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(error) => {
            let code = console::refuse_flags("viewer", &error);
            return console::end("viewer", code);
        }
    };
    console::end("viewer", run(&cli))
}

/// Returns the exit code.
fn run(cli: &Cli) -> u8 {
    let outcome = flags::check(cli).and_then(|cli| match cli.headless {
        true => headless::run(&cli),
        false => run_window(&cli),
    });
    match outcome {
        Ok(validation) if validation.errors + validation.warnings > 0 => EXIT_FAULT,
        Ok(_) => 0,
        Err(error) => {
            remark!("viewer: {error:#}");
            EXIT_USAGE
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
