//! Characters of many joints and triangles.

#[path = "support/millipede.rs"]
mod millipede;

use millipede::millipede;
use radial_fields::collide::radial::fit::{FitSettings, fit};

/// Comparing joints with joints and triangles, as once, takes minutes for this one.
#[test]
fn a_creature_of_hundreds_of_joints_is_fitted() {
    let avatar = millipede(360, 36_000);
    let set = fit(&avatar, &FitSettings::default());
    let joint_count = avatar.skeleton.joints.len();
    assert!(set.fields.len() >= joint_count * 9 / 10);
}
