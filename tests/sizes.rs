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

/// Bent as a whole, as once, the longer one rolls up into a knot, in which its axes see less of its own skin.
#[test]
fn a_longer_creature_gets_the_same_fields_a_joint() {
    let settings = FitSettings {
        cell_size: 0.03,
        ..FitSettings::default()
    };
    let triangles_a_joint = |joint_count| {
        let avatar = millipede(joint_count, 20 * joint_count);
        let set = fit(&avatar, &settings);
        set.triangles.len() as f32 / avatar.skeleton.joints.len() as f32
    };
    let (short, long) = (triangles_a_joint(90), triangles_a_joint(540));
    assert!((long / short - 1.0).abs() < 0.02, "{short} and {long}");
}
