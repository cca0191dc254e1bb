//! The field as shaders read it, against its twin.

use std::sync::Arc;

use glam::{UVec3, Vec3, Vec4, Vec4Swizzles};
use radial_fields::engine::{Device, Immediate};
use radial_fields::gpu::{Buffer, BufferDesc, Memory, Uploads};
use radial_fields::solid::fill::fill;
use radial_fields::solid::gpu::FieldQuery;
use radial_fields::solid::{FieldHeader, Grid, SignRule, SolidField, SolidFields};

use super::solids::Shape;
use crate::figures::Dice;
use crate::fixture::{replace_shaders, with_device};

/// Metres and parts of one by which an answer may differ from the twin's: f32 in another order.
const TOLERANCE: f32 = 2e-6;

/// Answers of the GPU: gradient and distance.
fn asked(
    device: &Arc<Device>,
    fields: &[&SolidField],
    field_ix: u32,
    points: &[Vec3],
) -> Vec<Vec4> {
    let mut immediate = Immediate::new(device).expect("there is room");
    replace_shaders(immediate.gpu());
    let mut uploads = Uploads::new(immediate.gpu());
    let on_device = SolidFields::upload(&mut uploads, fields).expect("there is room");
    let points_on_device = uploads.buffer("points", points).expect("there is room");
    let desc = BufferDesc {
        label: "answers",
        bytes: 16 * points.len() as u64,
        memory: Memory::Device,
    };
    let answers = Buffer::new(immediate.gpu(), &desc).expect("there is room");
    let query = FieldQuery::new(immediate.gpu()).expect("the driver takes the shader");
    immediate.upload(uploads).expect("the device is not lost");
    let count = points.len() as u32;
    let run = immediate.run(|recorder| {
        query.record(
            recorder,
            &on_device,
            field_ix,
            &points_on_device,
            &answers,
            count,
        );
    });
    run.expect("the device is not lost");
    immediate
        .read(&answers, points.len())
        .expect("the device is not lost")
}

fn agree(found: Vec4, field: &SolidField, point: Vec3) -> Result<(), String> {
    let expected = field.sample(point);
    let same = match expected {
        None => found.is_nan_mask().all(),
        Some(sample) => {
            (found.w - sample.distance).abs() <= TOLERANCE
                && found.xyz().distance(sample.gradient) <= 100.0 * TOLERANCE
        }
    };
    match same {
        true => Ok(()),
        false => Err(format!("{point}: {found}, not {expected:?}")),
    }
}

/// Points in, on and round two fields that share their buffers.
pub fn of_two_fields(device: &Arc<Device>) -> Result<(), String> {
    let torus = Shape::torus(0.3, 0.1, UVec3::new(40, 20, 0)).mesh();
    let spike = Shape::spike().mesh();
    let field = |mesh, cell_size| {
        let grid = Grid::over(mesh, cell_size).expect("the grid fits");
        fill(mesh, grid, SignRule::Pseudonormal)
    };
    let fields = [field(&spike, 0.02), field(&torus, 0.0125)];
    let mut dice = Dice::new(3);
    let mut points: Vec<Vec3> = (0..4000).map(|_| 0.6 * dice.point()).collect();
    points.extend([
        Vec3::splat(f32::NAN),
        Vec3::splat(f32::INFINITY),
        Vec3::splat(1e30),
    ]);
    for (field, ix) in fields.iter().zip(0..) {
        let answers = asked(device, &[&fields[0], &fields[1]], ix, &points);
        for (&found, &point) in answers.iter().zip(&points) {
            agree(found, field, point)?;
        }
    }
    Ok(())
}

#[test]
fn a_field_is_read_as_its_twin_reads_it() {
    with_device(|device| assert_eq!(of_two_fields(device), Ok(())));
}

#[test]
fn a_wrong_answer_is_seen() {
    let mesh = Shape::cuboid(Vec3::splat(-0.1), Vec3::splat(0.1)).mesh();
    let grid = Grid::over(&mesh, 0.02).expect("the grid fits");
    let field = fill(&mesh, grid, SignRule::Pseudonormal);
    let point = Vec3::new(0.11, 0.02, 0.01);
    let right = field.sample(point).expect("it is in the grid");
    let right = right.gradient.extend(right.distance);
    assert_eq!(agree(right, &field, point), Ok(()));
    for wrong in [
        right + Vec4::W * 1e-5,
        right + Vec4::X * 1e-3,
        Vec4::splat(f32::NAN),
    ] {
        assert!(agree(wrong, &field, point).is_err(), "{wrong}");
    }
}

#[test]
fn headers_lie_as_shaders_have_them() {
    use std::mem::offset_of;
    let of = |layout: &&radial_fields::gpu::StructLayout| layout.name == "SolidField";
    let shader = &radial_fields::gpu::shaders::SOLID_QUERY_COMP;
    let layout = shader.structs.iter().find(of).expect("it reads fields");
    let mirrored = [
        ("low", offset_of!(FieldHeader, low)),
        ("cell_size", offset_of!(FieldHeader, cell_size)),
        ("bricks", offset_of!(FieldHeader, bricks)),
        ("first_brick", offset_of!(FieldHeader, first_brick)),
        ("first_corner", offset_of!(FieldHeader, first_corner)),
        ("first_sample", offset_of!(FieldHeader, first_sample)),
    ];
    assert_eq!(layout.members, mirrored.map(|(name, at)| (name, at as u32)));
    assert_eq!(size_of::<FieldHeader>(), 40);
}
