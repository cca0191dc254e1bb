//! What says of a report which program made it, when, how and on what: without it nobody can compare two of them.

use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

use super::DeviceInfo;

/// Where a report comes from.
#[derive(Clone, Debug, Serialize)]
pub struct Identity {
    /// What kind of report it is.
    pub schema: &'static str,
    /// Grows when a key changes its meaning or goes; new keys alone leave it.
    pub schema_version: u32,
    pub crate_version: &'static str,
    /// Of the checkout that the program was built in, with `-dirty` where it holds changes; none where it lies in no checkout.
    pub commit: Option<String>,
    /// When the run began, in UTC: `2026-01-31T12:00:00Z`.
    pub date: String,
    /// As it was typed.
    pub command: String,
    pub device: DeviceInfo,
    /// Pixels of the pictures; none where none are drawn.
    pub resolution: Option<(u32, u32)>,
}

/// As it was typed, with the program by that name.
pub fn command_line(program: &str) -> String {
    std::iter::once(program.to_owned())
        .chain(
            std::env::args_os()
                .skip(1)
                .map(|argument| argument.to_string_lossy().into_owned()),
        )
        .collect::<Vec<_>>()
        .join(" ")
}

impl Identity {
    /// Of a run that begins now. `schema`: the kind of report and its version; `program`: the name in the command line.
    pub fn new(
        (schema, schema_version): (&'static str, u32),
        program: &str,
        device: &DeviceInfo,
        resolution: Option<(u32, u32)>,
    ) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "a report says when it was made; nothing is computed from it"
        )]
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            schema,
            schema_version,
            crate_version: env!("CARGO_PKG_VERSION"),
            commit: commit(),
            date: iso_date(since.map_or(0, |since| since.as_secs())),
            command: command_line(program),
            device: device.clone(),
            resolution,
        }
    }

    /// The same in lines that begin with `# `, for the head of a table.
    pub fn comment(&self) -> String {
        let DeviceInfo {
            name, driver, api, ..
        } = &self.device;
        let mut lines = vec![
            format!(
                "{} {}, radial_fields {}",
                self.schema, self.schema_version, self.crate_version
            ),
            format!("{name} ({driver}), Vulkan {api}"),
            format!("{}, {}", self.date, self.command.replace(['\n', '\r'], " ")),
        ];
        lines.extend(self.commit.iter().map(|commit| format!("commit {commit}")));
        lines.extend(
            self.resolution
                .map(|(width, height)| format!("{width}x{height} pixels")),
        );
        lines.iter().map(|line| format!("# {line}\n")).collect()
    }
}

/// Asks git, if the program lies in a checkout of this crate.
fn commit() -> Option<String> {
    let program = std::env::current_exe().ok()?;
    let folder = program.parent()?;
    let top = git(folder, &["rev-parse", "--show-toplevel"])?;
    let manifest = std::fs::read_to_string(Path::new(&top).join("Cargo.toml")).ok()?;
    let is_ours = manifest.contains(concat!("name = \"", env!("CARGO_PKG_NAME"), "\""));
    let described = [
        "describe",
        "--always",
        "--dirty",
        "--exclude=*",
        "--abbrev=40",
    ];
    git(folder, &described).filter(|_| is_ours)
}

fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}

/// Of seconds since 1970, in the Gregorian calendar (H. Hinnant, "chrono-compatible low-level date algorithms", `civil_from_days`).
fn iso_date(seconds: u64) -> String {
    /// From the first of March of the year 0, where an era of 400 years begins, to 1970.
    const DAYS_BEFORE: u64 = 719_468;
    const DAYS_OF_ERA: u64 = 146_097;
    let (day, second) = (seconds / 86_400 + DAYS_BEFORE, seconds % 86_400);
    let (era, day) = (day / DAYS_OF_ERA, day % DAYS_OF_ERA);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = 400 * era + year + u64::from(month <= 2);
    let (hour, minute) = (second / 3600, second / 60 % 60);
    format!(
        "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{:02}Z",
        second % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_over_leap_years_and_centuries() {
        let known = [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_164_800, "2024-02-29T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ];
        for (seconds, date) in known {
            assert_eq!(iso_date(seconds), date);
        }
    }

    #[test]
    fn a_head_says_all_that_is_known() {
        let device = DeviceInfo {
            name: "chip".to_owned(),
            driver: "driver 1".to_owned(),
            is_gpu: true,
            api: "1.3.0".to_owned(),
            vendor_id: 1,
            device_id: 2,
        };
        let identity = Identity {
            commit: Some("abc-dirty".to_owned()),
            ..Identity::new(("report", 3), "program", &device, Some((8, 4)))
        };
        let head = identity.comment();
        for word in [
            "report 3",
            env!("CARGO_PKG_VERSION"),
            "chip (driver 1)",
            "Vulkan 1.3.0",
            "program",
            "abc-dirty",
            "8x4",
        ] {
            assert!(head.contains(word), "{head} lacks {word}");
        }
        assert!(head.lines().all(|line| line.starts_with("# ")), "{head}");
    }
}
