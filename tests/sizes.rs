//! Characters of many joints and triangles.

#[path = "support/millipede.rs"]
mod millipede;

use std::time::Instant;

use millipede::millipede;
use radial_fields::avatar::Avatar;
use radial_fields::collide::radial::fit::{FitSettings, fit};

/// Seconds of the quicker of two fits.
fn fit_seconds(avatar: &Avatar) -> f64 {
    let once = || {
        let began = Instant::now();
        let set = fit(avatar, &FitSettings::default());
        assert!(set.fields.len() >= avatar.skeleton.joints.len() * 9 / 10);
        began.elapsed().as_secs_f64()
    };
    once().min(once())
}

/// Four times the joints and triangles may take ten times as long, no more: twice and a half what is in proportion, for a busy
/// machine. Comparing joints with joints would take sixty-four times.
#[test]
fn fitting_takes_time_in_proportion_to_joints_and_triangles() {
    let small = fit_seconds(&millipede(90, 9_000));
    let large = fit_seconds(&millipede(360, 36_000));
    assert!(large < 10.0 * small, "{small:.2} s, then {large:.2} s");
}
