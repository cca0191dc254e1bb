//! What a program says: results on standard output ([`say!`](crate::say)), everything else on standard error
//! ([`remark!`](crate::remark)).
//!
//! Neither ends a run. A reader that has gone, as in `viewer … | head -1`, is not an error: later output is dropped, and the run's files are
//! written all the same. A standard output that takes nothing, as on a full disk, is said once, by [`end`]. Control characters are shown as
//! escapes, so that no name out of a file steers the terminal.

use std::fmt;
use std::io::{self, ErrorKind, Write as _};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use crate::avatar::printable;

/// What a user can get wrong ends with this.
pub const EXIT_USAGE: u8 = 2;
/// The run itself found a fault: a figure beyond its bound, or validation spoke up.
pub const EXIT_FAULT: u8 = 1;

/// Why standard output took no more.
static CLOSED: Mutex<Option<io::Error>> = Mutex::new(None);

/// Prints a line of results, as `println!` does.
#[macro_export]
macro_rules! say {
    ($($arguments:tt)*) => {
        $crate::engine::console::say(format_args!($($arguments)*))
    };
}

/// Prints a line beside the results, as `eprintln!` does.
#[macro_export]
macro_rules! remark {
    ($($arguments:tt)*) => {
        $crate::engine::console::remark(format_args!($($arguments)*))
    };
}

/// Prints a line of results; nothing once standard output has failed.
pub fn say(text: fmt::Arguments) {
    let mut closed = CLOSED.lock().unwrap_or_else(PoisonError::into_inner);
    if closed.is_none() {
        *closed = writeln!(io::stdout(), "{}", lines(text)).err();
    }
}

/// Prints a line beside the results. A failure of that cannot be reported.
pub fn remark(text: fmt::Arguments) {
    let _ = writeln!(io::stderr(), "{}", lines(text));
}

/// Ends a program with that code; with [`EXIT_USAGE`] and a line when its results could not be printed.
pub fn end(program: &str, code: u8) -> ExitCode {
    let mut closed = CLOSED.lock().unwrap_or_else(PoisonError::into_inner);
    let fault = closed.take().or_else(|| io::stdout().flush().err());
    match fault {
        Some(error) if error.kind() != ErrorKind::BrokenPipe => {
            remark!("{program}: cannot print the results: {error}");
            ExitCode::from(EXIT_USAGE)
        }
        _ => ExitCode::from(code),
    }
}

/// One line for wrong flags; help and version as they are. Returns the exit code.
pub fn refuse_flags(program: &str, error: &clap::Error) -> u8 {
    let text = error.to_string();
    if !error.use_stderr() {
        say!("{}", text.trim_end());
        return 0;
    }
    // What is wrong, without the usage below it.
    let said = text.lines().take_while(|line| !line.trim().is_empty());
    let said: Vec<&str> = said.map(str::trim).collect();
    let cause = said.join(" ");
    let cause = cause.trim_start_matches("error: ");
    remark!("{program}: {cause}; see {program} --help");
    EXIT_USAGE
}

/// Lines of our own stay lines; what steers a terminal does not get there.
fn lines(text: fmt::Arguments) -> String {
    let text = text.to_string();
    let lines: Vec<_> = text.split('\n').map(printable).collect();
    lines.join("\n")
}
