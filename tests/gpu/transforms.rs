//! Where the fields are during a step: the GPU's transforms against their twin's, on bones that a body seldom has.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use radial_fields::avatar::Avatar;
use radial_fields::cloth::{ClothSettings, MAX_SUB_STEPS};
use radial_fields::collide::{FieldTransform, append_sub_step_transforms};
use radial_fields::engine::Device;
use radial_fields::math::AffineRows;
use radial_fields::pose::Palette;
use radial_fields::{BodyDef, FrameInput, Technique, WorldDef};

use crate::figures::{Dice, column};
use crate::fixture::{Rig, STEP_SECONDS, with_device};

/// Of the largest number of a matrix: a few roundings.
const TOLERANCE: f32 = 2e-6;
const JOINTS: usize = 12;

/// A body, and a device that steps it.
struct Odd {
    avatar: Avatar,
    rig: Rig,
    sub_steps: u32,
    before: Vec<Mat4>,
}

impl Odd {
    fn new(device: &Arc<Device>, technique: Technique, sub_steps: u32) -> Self {
        let avatar = column(JOINTS);
        let def = WorldDef {
            bodies: &[BodyDef::new(&avatar)],
            cloth: ClothSettings {
                sub_steps,
                ..ClothSettings::default()
            },
            technique,
            ..WorldDef::default()
        };
        Self {
            rig: Rig::new(device, &def),
            avatar,
            sub_steps,
            before: Vec::new(),
        }
    }

    /// Steps the body to these bones. Its skin stays where it is.
    fn step(&mut self, bones: &[Mat4], teleported: bool) {
        let mut palette = Palette::bind(&self.avatar.skeleton);
        palette.world_from_bone = bones.to_vec();
        self.rig.step(&[&palette], teleported);
    }

    fn found(&mut self) -> Vec<FieldTransform> {
        let count = self.rig.world.attachments().count() * (self.sub_steps + 1);
        self.rig
            .read(count as usize, |world| world.attachments().transforms())
    }

    fn expected(&self, before: &[Mat4], after: &[Mat4]) -> Vec<FieldTransform> {
        let attachments = self.rig.world.collider().bone_attachments();
        let frames: Vec<_> = before.iter().copied().zip(after.iter().copied()).collect();
        let mut transforms = Vec::new();
        append_sub_step_transforms(&attachments, &frames, self.sub_steps, &mut transforms);
        transforms
    }

    /// Steps, and compares.
    fn agrees(&mut self, bones: &[Mat4], teleported: bool) -> Result<(), String> {
        let before = match teleported || self.before.is_empty() {
            true => bones.to_vec(),
            false => self.before.clone(),
        };
        self.step(bones, teleported);
        self.before = bones.to_vec();
        compare(&self.found(), &self.expected(&before, bones))
    }
}

fn largest(rows: &AffineRows) -> f32 {
    let all = rows.rows.iter().flat_map(|row| row.to_array());
    all.fold(0.0, |most, number| most.max(number.abs()))
}

fn furthest(a: &AffineRows, b: &AffineRows) -> f32 {
    let differences = a
        .rows
        .iter()
        .zip(&b.rows)
        .flat_map(|(a, b)| (*a - *b).to_array());
    // A NaN is as far as can be.
    differences.fold(0.0, |most, number| match number.abs() <= f32::MAX {
        true => most.max(number.abs()),
        false => f32::MAX,
    })
}

fn compare(found: &[FieldTransform], expected: &[FieldTransform]) -> Result<(), String> {
    assert_eq!(found.len(), expected.len());
    for (ix, (found, expected)) in found.iter().zip(expected).enumerate() {
        let (size, inverse_size) = (
            largest(&expected.world_from_field),
            largest(&expected.field_from_world),
        );
        // What a rounding of the one does to the other.
        let worth = TOLERANCE * size.max(1.0) * inverse_size;
        let place = furthest(&found.world_from_field, &expected.world_from_field);
        if place > TOLERANCE * size.max(1.0) {
            return Err(format!("transform {ix} is {place} off, of {size}"));
        }
        let inverse = furthest(&found.field_from_world, &expected.field_from_world);
        if inverse > worth * inverse_size {
            return Err(format!(
                "the inverse of transform {ix} is {inverse} off, of {inverse_size}"
            ));
        }
        let scale = (found.max_scale - expected.max_scale).abs();
        if !(scale <= 2.0 * worth * expected.max_scale.max(1.0)) {
            let (found, expected) = (found.max_scale, expected.max_scale);
            return Err(format!(
                "the scale of transform {ix} is {found}, not {expected}"
            ));
        }
    }
    Ok(())
}

fn rotation(dice: &mut Dice) -> Quat {
    let axis = dice.point().normalize_or(Vec3::X);
    Quat::from_axis_angle(axis, 3.1 * dice.number())
}

/// A bone of a kind: rigid, grown, uneven, sheared, mirrored, flattened each way, collapsed to a point.
fn bone(dice: &mut Dice, kind: usize) -> Mat4 {
    let scale = Vec3::new(0.7, 1.0, 1.6) + 0.3 * dice.point();
    let shape = match kind {
        0 => Mat4::IDENTITY,
        1 => Mat4::from_scale(Vec3::splat(scale.x)),
        2 => Mat4::from_scale(scale),
        3 => {
            let mut shear = Mat4::from_scale(scale);
            shear.y_axis.x += 0.5 * dice.number();
            shear.z_axis.y += 0.5 * dice.number();
            shear
        }
        4 => Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0) * scale),
        5 => Mat4::from_scale(scale.with_x(0.0)),
        6 => Mat4::from_scale(scale.with_y(0.0)),
        7 => Mat4::from_scale(scale.with_z(0.0)),
        _ => Mat4::from_scale(Vec3::ZERO),
    };
    Mat4::from_translation(dice.point()) * Mat4::from_quat(rotation(dice)) * shape
}

fn agrees(device: &Arc<Device>, technique: Technique, sub_steps: u32) -> Result<(), String> {
    let mut odd = Odd::new(device, technique, sub_steps);
    let mut dice = Dice::new(u64::from(sub_steps));
    for step in 0..10 {
        let bones: Vec<_> = (0..JOINTS)
            .map(|joint_ix| bone(&mut dice, (joint_ix + step) % 9))
            .collect();
        let agrees = odd.agrees(&bones, step == 6);
        agrees.map_err(|error| format!("step {step}, {sub_steps} sub-steps: {error}"))?;
    }
    Ok(())
}

/// In a step of the usual number of sub-steps.
pub fn of_odd_bones(device: &Arc<Device>) -> Result<(), String> {
    agrees(device, Technique::RadialCompute, 4)
}

#[test]
fn transforms_are_those_of_the_twin() {
    with_device(|device| {
        assert_eq!(of_odd_bones(device), Ok(()));
        for sub_steps in [1, MAX_SUB_STEPS] {
            assert_eq!(agrees(device, Technique::RadialCompute, sub_steps), Ok(()));
        }
        for sub_steps in [1, 4, MAX_SUB_STEPS] {
            assert_eq!(agrees(device, Technique::DistanceField, sub_steps), Ok(()));
        }
    });
}

/// Nearly half a turn goes the shorter way, and exactly half a turn one of both.
#[test]
fn half_a_turn_keeps_the_size_of_a_bone() {
    with_device(|device| {
        for degrees in [178.0_f32, 182.0] {
            let mut odd = Odd::new(device, Technique::RadialCompute, 4);
            let mut dice = Dice::new(9);
            for step in 0..4 {
                let turn = Mat4::from_rotation_z(degrees.to_radians() * step as f32);
                let bones: Vec<_> = (0..JOINTS)
                    .map(|_| Mat4::from_translation(dice.point()) * turn)
                    .collect();
                assert_eq!(odd.agrees(&bones, false), Ok(()), "{degrees} degrees");
            }
        }
        let mut odd = Odd::new(device, Technique::RadialCompute, 4);
        let mut dice = Dice::new(4);
        let before: Vec<_> = (0..JOINTS).map(|_| bone(&mut dice, 0)).collect();
        let turned = |by: f32| -> Vec<Mat4> {
            let turn = Mat4::from_rotation_y(by);
            before.iter().map(|bone| *bone * turn).collect()
        };
        odd.step(&before, false);
        odd.step(&turned(std::f32::consts::PI), false);
        let found = odd.found();
        let ways = [-1.0, 1.0].map(|way| {
            let after = turned(std::f32::consts::PI + 0.001 * way);
            odd.expected(&before, &after)
        });
        for (ix, found) in found.iter().enumerate() {
            let near = |way: &Vec<FieldTransform>| {
                furthest(&found.world_from_field, &way[ix].world_from_field) < 2e-3
            };
            assert!(ways.iter().any(near), "transform {ix}: {found:?}");
        }
    });
}

#[test]
fn frames_without_a_step_leave_the_transforms_where_they_are() {
    with_device(|device| {
        let mut odd = Odd::new(device, Technique::RadialCompute, 4);
        let mut dice = Dice::new(2);
        for _ in 0..2 {
            let bones: Vec<_> = (0..JOINTS).map(|_| bone(&mut dice, 2)).collect();
            odd.step(&bones, false);
        }
        let stepped = odd.found();
        for _ in 0..3 {
            odd.rig.frame(&FrameInput {
                steps: &[],
                step_seconds: STEP_SECONDS,
            });
        }
        let transforms = odd.rig.world.sub_step_transforms();
        let transforms = transforms.expect("there was a step");
        assert_eq!(
            (transforms.sub_steps, transforms.field_count),
            (4, odd.rig.world.attachments().count())
        );
        let bytes: &[u8] = bytemuck::cast_slice(&stepped);
        assert!(bytes == bytemuck::cast_slice::<_, u8>(&odd.found()));
    });
}
