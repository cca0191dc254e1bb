//! Collision on the GPU against `collide::radial::twin::collide`, on the GPU's own cells.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use radial_fields::BodyDef;
use radial_fields::avatar::{Avatar, builtin};
use radial_fields::collide::radial::FieldRules;
use radial_fields::collide::radial::fit::FitSettings;
use radial_fields::collide::{CollideSettings, Detection, FrictionModel};
use radial_fields::engine::Device;
use radial_fields::pose::Palette;

use crate::cloud::{Cloud, collides_as_its_twin};
use crate::falling::{self, in_bind_space};
use crate::figures::{Dice, bent, column, in_clip, loose};
use crate::fitted::fields_of;
use crate::fixture::with_device;

/// Points within 3 cm of the skin, on both sides of it, for the body of `palette`, in the bind space of joint 0; and
/// the worst ones: on every field's seam, at its ends, and far from everything. On an axis any way out is as good.
fn points_round(avatar: &Avatar, palette: &Palette, count: usize) -> Vec<Vec3> {
    let mut points = falling::points_round(avatar, palette, count, 0.03, 0.0);
    for field in &fields_of(&BodyDef::new(avatar)).fields {
        let world_from_field =
            palette.world_from_bone[field.joint_ix as usize] * field.bone_from_field;
        let worst = [
            Vec3::new(0.01, 0.0, 0.4),
            Vec3::new(0.01, -0.0, 0.4),
            Vec3::new(0.01, -1e-9, 0.6),
            Vec3::new(0.02, 0.01, 0.0),
            Vec3::new(0.02, 0.01, 1.0),
        ];
        points.extend(worst.map(|at| world_from_field.transform_point3(at)));
    }
    in_bind_space(palette, points)
}

fn mannequin_cloud(
    device: &Arc<Device>,
    collide: CollideSettings,
    count: usize,
) -> (Cloud, Vec<Palette>) {
    let avatar = builtin::load_mannequin();
    let palettes = [0.3, 0.32, 0.34].map(|seconds| in_clip(&avatar, 0, seconds));
    let points = points_round(&avatar, &palettes[0], count);
    assert!(!points.len().is_multiple_of(64), "no round number");
    (
        Cloud::new(device, &avatar, loose(points), collide),
        palettes.to_vec(),
    )
}

fn column_cloud(device: &Arc<Device>, collide: CollideSettings) -> (Cloud, Vec<Palette>) {
    ruled_column_cloud(device, collide, FieldRules::default())
}

fn ruled_column_cloud(
    device: &Arc<Device>,
    collide: CollideSettings,
    rules: FieldRules,
) -> (Cloud, Vec<Palette>) {
    let avatar = column(3);
    let body = BodyDef {
        fit: FitSettings {
            rules,
            ..FitSettings::default()
        },
        ..BodyDef::new(&avatar)
    };
    let turned = |turn: f32| bent(&avatar, Quat::from_rotation_z(turn), Mat4::IDENTITY);
    let palettes = [0.0, 0.05, 0.1, 0.1].map(turned);
    let points = points_round(&avatar, &palettes[0], 300);
    (
        Cloud::on(device, body, loose(points), collide, Vec::new()),
        palettes.to_vec(),
    )
}

/// A column folded over itself: its fields see limbs behind limbs.
fn folded_cloud(device: &Arc<Device>) -> (Cloud, Vec<Palette>) {
    let avatar = column(3);
    let palettes = [0.95, 1.0, 1.05, 1.05]
        .map(|turn| bent(&avatar, Quat::from_rotation_z(turn), Mat4::IDENTITY));
    let points = points_round(&avatar, &palettes[0], 600);
    (
        Cloud::new(device, &avatar, loose(points), CollideSettings::default()),
        palettes.to_vec(),
    )
}

/// A column that comes to particles a quarter of a metre away within a step.
fn swept_cloud(device: &Arc<Device>) -> (Cloud, Vec<Palette>) {
    let avatar = column(3);
    let moved = |metres: f32| {
        let place = Mat4::from_translation(Vec3::X * metres);
        bent(&avatar, Quat::from_rotation_z(0.05), place)
    };
    let palettes = [0.0, 0.25, 0.5].map(moved);
    let points = in_bind_space(
        &palettes[0],
        falling::points_round(&avatar, &palettes[1], 300, 0.03, 0.0),
    );
    (
        Cloud::new(device, &avatar, loose(points), CollideSettings::default()),
        palettes.to_vec(),
    )
}

const MARCH: CollideSettings = CollideSettings {
    stride: 2,
    detection: Detection::March,
    path_samples: 4,
    friction_model: FrictionModel::Coulomb,
    edge_midpoints: false,
    search_radius: 0.03,
};

const PAPER: CollideSettings = CollideSettings {
    detection: Detection::Samples,
    friction_model: FrictionModel::Paper,
    ..MARCH
};

/// Round a bending column, path tested by points, with Coulomb's friction.
pub fn round_a_column(device: &Arc<Device>) -> Result<(), String> {
    collides_as_its_twin(&mut column_cloud(device, CollideSettings::default()))
}

/// The same with the paper's friction.
pub fn with_the_papers_friction(device: &Arc<Device>) -> Result<(), String> {
    collides_as_its_twin(&mut column_cloud(device, PAPER))
}

/// The same with both frictions of Fuhrmann, Sobottka and Gross.
pub fn with_fuhrmanns_frictions(device: &Arc<Device>) -> Result<(), String> {
    for friction_model in [FrictionModel::Simple, FrictionModel::Enhanced] {
        let collide = CollideSettings {
            friction_model,
            ..PAPER
        };
        collides_as_its_twin(&mut column_cloud(device, collide))
            .map_err(|error| format!("{friction_model:?}: {error}"))?;
    }
    Ok(())
}

/// Fields and response of the paper.
pub fn by_the_paper(device: &Arc<Device>) -> Result<(), String> {
    collides_as_its_twin(&mut ruled_column_cloud(device, PAPER, FieldRules::PAPER))
}

/// Met by a column on its way.
pub fn swept(device: &Arc<Device>) -> Result<(), String> {
    collides_as_its_twin(&mut swept_cloud(device))
}

/// Shot through a column, path followed cell by cell.
pub fn marching(device: &Arc<Device>) -> Result<(), String> {
    collides_as_its_twin(&mut volley(device, MARCH))
}

/// Where a thread has several fields to test.
pub fn round_the_mannequin(device: &Arc<Device>) -> Result<(), String> {
    collides_as_its_twin(&mut mannequin_cloud(
        device,
        CollideSettings::default(),
        700,
    ))
}

#[test]
fn particles_round_the_mannequin_collide_as_their_twins() {
    with_device(|device| assert_eq!(round_the_mannequin(device), Ok(())));
}

/// So many that four threads share each of them, and those of particles that are out serve the others.
pub fn many_round_the_mannequin(device: &Arc<Device>) -> Result<(), String> {
    collides_as_its_twin(&mut mannequin_cloud(
        device,
        CollideSettings::default(),
        10_000,
    ))
}

#[test]
fn many_particles_round_the_mannequin_collide_as_their_twins() {
    with_device(|device| assert_eq!(many_round_the_mannequin(device), Ok(())));
}

#[test]
fn particles_round_a_column_collide_as_their_twins() {
    with_device(|device| assert_eq!(round_a_column(device), Ok(())));
}

#[test]
fn particles_that_a_column_comes_to_collide_as_their_twins() {
    with_device(|device| assert_eq!(swept(device), Ok(())));
}

#[test]
fn particles_in_folds_collide_as_their_twins() {
    with_device(|device| assert_eq!(collides_as_its_twin(&mut folded_cloud(device)), Ok(())));
}

#[test]
fn particles_round_a_column_collide_as_their_twins_with_the_papers_friction() {
    with_device(|device| assert_eq!(with_the_papers_friction(device), Ok(())));
}

#[test]
fn particles_round_a_column_collide_as_their_twins_with_fuhrmanns_frictions() {
    with_device(|device| assert_eq!(with_fuhrmanns_frictions(device), Ok(())));
}

#[test]
fn particles_round_the_papers_fields_collide_as_their_twins() {
    with_device(|device| assert_eq!(by_the_paper(device), Ok(())));
}

/// With edges' midpoints, whose shader reads the fields too.
#[test]
fn with_each_change_alone_particles_collide_as_their_twins() {
    with_device(|device| {
        for rule in &FieldRules::ALL {
            let (rules, collide) = (FieldRules::PAPER.with(rule), CollideSettings::default());
            let mut cloud = ruled_column_cloud(device, collide, rules);
            assert_eq!(collides_as_its_twin(&mut cloud), Ok(()), "{}", rule.name);
        }
    });
}

#[test]
fn particles_that_march_round_the_mannequin_collide_as_their_twins() {
    with_device(|device| {
        let mut cloud = mannequin_cloud(device, MARCH, 700);
        assert_eq!(collides_as_its_twin(&mut cloud), Ok(()));
    });
}

/// Particles beside a column that turns its seam to them, to be shot through it.
fn volley(device: &Arc<Device>, collide: CollideSettings) -> (Cloud, Vec<Palette>) {
    let avatar = column(3);
    let field = &fields_of(&BodyDef::new(&avatar)).fields[0];
    let seam = field.bone_from_field.x_axis.truncate().normalize();
    let place = Mat4::from_rotation_y(std::f32::consts::PI - (-seam.z).atan2(seam.x));
    let palettes = vec![bent(&avatar, Quat::from_rotation_z(0.05), place); 3];
    let mut dice = Dice::new(11);
    let points =
        (0..250).map(|_| Vec3::new(-0.4, 0.4, 0.0) + Vec3::new(0.25, 0.4, 0.1) * dice.point());
    let points = in_bind_space(&palettes[0], points.collect());
    let mut cloud = Cloud::new(device, &avatar, loose(points), collide);
    // The solver's most, 40 m/s: in a sub-step they go further than the column is thick.
    cloud.set_gravity(Vec3::new(8e3, 0.0, 0.0));
    (cloud, palettes)
}

#[test]
fn particles_that_march_fast_through_a_column_collide_as_their_twins() {
    with_device(|device| assert_eq!(marching(device), Ok(())));
}
