//! What the importer makes of the many ways in which files store a character, and the way back out.

#![expect(
    clippy::unwrap_used,
    reason = "a test's own files are sound; a panic fails the test"
)]

mod file;
mod looks;
mod packed;
mod placement;
mod round_trip;
mod solids;
#[path = "../support/mod.rs"]
mod support;
mod vertices;

use glam::{Mat4, Vec3};
use radial_fields::avatar::{Avatar, ImportOptions, from_slice};
use radial_fields::pose::{Palette, Pose};
use radial_fields::skin::bake::bake;

fn import(glb: &[u8]) -> Avatar {
    from_slice(glb, &ImportOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Where the vertices stand at rest, which no choice of bind space may change.
fn positions_at_rest(avatar: &Avatar) -> Vec<Vec3> {
    let palette = Palette::new(
        &avatar.skeleton,
        &Pose::rest(&avatar.skeleton),
        Mat4::IDENTITY,
    );
    bake(&avatar.skin, &palette).positions
}

fn assert_near(found: &[Vec3], expected: &[[f32; 3]]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            found.abs_diff_eq(Vec3::from(*expected), 1e-4),
            "{found} is not {expected:?}"
        );
    }
}

/// The figure of [`support::Sketch`].
const FIGURE: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
