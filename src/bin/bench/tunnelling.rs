//! `bench tunnelling`: how many particles a limb stops, by the speed at which they meet.

use anyhow::Context as _;
use radial_fields::collide::Detection;
use radial_fields::collide::radial::fit::FitSettings;
use radial_fields::collide::radial::study::tunnelling::Range;
use radial_fields::collide::radial::twin::collide::PathTest;
use radial_fields::scenes::{Character, STEP_SECONDS};
use radial_fields::{remark, say};

use crate::Verdict;
use crate::cli::TunnellingFlags;

/// The paper's detection with n = 1, 4 and 16 points of the path, and the march.
const TESTS: [(&str, PathTest); 4] = [
    ("n = 1", sampled(1)),
    ("n = 4", sampled(4)),
    ("n = 16", sampled(16)),
    (
        "march",
        PathTest {
            detection: Detection::March,
            samples: 4,
        },
    ),
];

const fn sampled(samples: u32) -> PathTest {
    PathTest {
        detection: Detection::Samples,
        samples,
    }
}

/// Prints a table per limb. Faulty if anything gets past the march.
pub fn run(flags: &TunnellingFlags) -> anyhow::Result<Verdict> {
    let Character { avatar, notes } = Character::load(&flags.avatar, None)?;
    for note in notes {
        remark!("bench: {note}");
    }
    let seconds = STEP_SECONDS / flags.sub_steps as f32;
    let mut verdict = Verdict::Sound;
    for joint_name in &flags.joints {
        let range =
            Range::new(&avatar, &FitSettings::default(), joint_name).with_context(|| {
                format!(
                    "{} has no joint {joint_name:?} with a field: give --joints",
                    avatar.name
                )
            })?;
        say!(
            "share of {} particles that {joint_name} of {} stops, in sub-steps of {:.2} ms",
            flags.shots,
            avatar.name,
            seconds * 1e3
        );
        say!(
            "{:>8}{}",
            "m/s",
            TESTS.map(|(name, _)| format!("{name:>10}")).concat()
        );
        for &speed in &flags.speeds {
            let rates =
                TESTS.map(|(_, test)| range.hit_rate(flags.shots as usize, speed * seconds, test));
            say!(
                "{speed:>8}{}",
                rates.map(|rate| format!("{rate:>10.3}")).concat()
            );
            if rates[3] < 1.0 {
                verdict = Verdict::Faulty;
            }
        }
        say!("");
    }
    Ok(verdict)
}
