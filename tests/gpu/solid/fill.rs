//! What the GPU's fillers write, against the CPU's in f64.

use std::sync::Arc;

use glam::{UVec3, Vec3};
use radial_fields::engine::{Device, Immediate};
use radial_fields::gpu::Uploads;
use radial_fields::solid::fill::Filler;
use radial_fields::solid::gpu::{Envelope, FieldFill, FillMethod, FillPipelines, FillSettings};
use radial_fields::solid::{Grid, SignRule, SolidField, SolidFields};

use super::solids::Shape;
use crate::fixture::{replace_shaders, with_device};

const METHODS: [FillMethod; 2] = [FillMethod::Search, FillMethod::Splat(Envelope::Ball)];

/// Samples and searches of a slice: small, so that a fill takes several.
const BUDGET: u64 = 400_000;

/// Steps of the stored distance by which a sample may differ: half a step of each side's rounding, and what f32 adds.
const QUANTA: i32 = 1;

/// Parts of a corner's distance and of a cell by which the distance may differ.
const CORNER_TOLERANCE: f32 = 2e-6;

/// Of a million samples, how many may lie on another side or hold a distance where the twin's is beyond the band: those that are
/// as near to two triangles as to the tolerance, or as far as the band's end.
const EXCUSED_PER_MILLION: usize = 20;

fn filler(shape: &Shape, cell_size: f32, rule: SignRule) -> Filler {
    let mesh = shape.mesh();
    let grid = Grid::over(&mesh, cell_size).expect("the grid fits");
    Filler::new(&mesh, grid, rule)
}

/// The field as the GPU fills it, behind another in the same buffer; and in how many slices.
pub fn filled(
    device: &Arc<Device>,
    filler: &Filler,
    settings: FillSettings,
) -> (SolidField, usize) {
    let mut immediate = Immediate::new(device).expect("there is room");
    replace_shaders(immediate.gpu());
    let mut uploads = Uploads::new(immediate.gpu());
    let mut field = filler.unfilled();
    let fields = SolidFields::upload(&mut uploads, &[&field, &field]).expect("there is room");
    let header = fields.header(1);
    let gpu = immediate.gpu().clone();
    let mut fill =
        FieldFill::new(&gpu, &mut uploads, filler, header, settings).expect("there is room");
    let pipelines = FillPipelines::new(&gpu).expect("the driver takes the shaders");
    immediate.upload(uploads).expect("the device is not lost");
    let mut slice_count = 0;
    while !fill.is_done() {
        let before = fill.progress();
        let run =
            immediate.run(|recorder| fill.record_slice(recorder, &pipelines, &fields, BUDGET));
        run.expect("the device is not lost");
        assert!(fill.progress() > before);
        slice_count += 1;
    }
    let count = field.words.len();
    let words: Vec<u32> = immediate
        .read(fields.words(), 2 * count)
        .expect("the device is not lost");
    assert!(
        words[..count] == field.words,
        "another field was written to"
    );
    field.words = words[count..].to_vec();
    (field, slice_count)
}

/// Samples that differ by more than their tolerance may at most be the excused share.
fn agree(found: &SolidField, expected: &SolidField) -> Result<(), String> {
    let header = expected.header();
    let (corners, samples) = (header.first_corner as usize, header.first_sample as usize);
    if found.words[..corners] != expected.words[..corners] {
        return Err("another layout".to_owned());
    }
    for ix in corners..samples {
        let [a, b] = [found, expected].map(|field| f32::from_bits(field.words[ix]));
        // Written so that a NaN differs.
        if !((a - b).abs() <= CORNER_TOLERANCE * (b.abs() + found.grid.cell_size)) {
            return Err(format!("corner {} is {a}, not {b}", ix - corners));
        }
    }
    let halves = |word: u32| [word as u16 as i16, (word >> 16) as u16 as i16].map(i32::from);
    let mut differing = Vec::new();
    for ix in samples..expected.words.len() {
        for (a, b) in halves(found.words[ix])
            .into_iter()
            .zip(halves(expected.words[ix]))
        {
            if (a - b).abs() > QUANTA {
                differing.push((ix - samples, a, b));
            }
        }
    }
    let sample_count = 2 * (expected.words.len() - samples);
    match differing.len() * 1_000_000 <= EXCUSED_PER_MILLION * sample_count {
        true => Ok(()),
        false => Err(format!(
            "{} of {sample_count} samples, first {:?}",
            differing.len(),
            differing[0]
        )),
    }
}

fn fills_as_its_twin(device: &Arc<Device>, filler: &Filler) -> Result<(), String> {
    let expected = filler.fill();
    for method in METHODS {
        let (found, slice_count) = filled(device, filler, FillSettings::new(method));
        agree(&found, &expected).map_err(|error| format!("{method:?}: {error}"))?;
        println!(
            "{method:?}: {} bricks in {slice_count} slices",
            found.brick_count()
        );
    }
    Ok(())
}

/// A closed mesh with acute edges, by its neighbours' normals.
pub fn of_a_spike(device: &Arc<Device>) -> Result<(), String> {
    fills_as_its_twin(
        device,
        &filler(&Shape::spike(), 0.02, SignRule::Pseudonormal),
    )
}

/// By the paper's rule.
pub fn by_faces(device: &Arc<Device>) -> Result<(), String> {
    fills_as_its_twin(device, &filler(&Shape::spike(), 0.02, SignRule::Face))
}

#[test]
fn a_spikes_field_fills_as_its_twin() {
    with_device(|device| assert_eq!(of_a_spike(device), Ok(())));
}

#[test]
fn the_papers_rule_fills_as_its_twin() {
    with_device(|device| assert_eq!(by_faces(device), Ok(())));
}

#[test]
fn smooth_open_and_crossing_meshes_fill_as_their_twins() {
    let torus = Shape::torus(0.3, 0.1, UVec3::new(48, 24, 0));
    let mut open = torus.clone();
    open.triangles.drain(0..40);
    let crossing = Shape::cuboid(Vec3::splat(-0.2), Vec3::splat(0.25));
    let crossing = crossing.with(Shape::cuboid(Vec3::splat(-0.1), Vec3::new(0.4, 0.1, 0.1)));
    with_device(|device| {
        for (shape, rule) in [
            (&torus, SignRule::Pseudonormal),
            (&open, SignRule::Robust),
            (&crossing, SignRule::Robust),
        ] {
            let outcome = fills_as_its_twin(device, &filler(shape, 0.0171, rule));
            assert_eq!(outcome, Ok(()));
        }
    });
}

#[test]
fn both_fillers_write_the_same_bits_every_time() {
    with_device(|device| {
        let filler = filler(&Shape::spike(), 0.025, SignRule::Pseudonormal);
        let [searched, splatted] =
            METHODS.map(|method| filled(device, &filler, FillSettings::new(method)).0);
        assert!(searched == splatted);
        assert!(splatted == filled(device, &filler, FillSettings::new(METHODS[1])).0);
    });
}

#[test]
fn the_papers_prisms_leave_samples_beyond_edges_out() {
    with_device(|device| {
        let filler = filler(&Shape::spike(), 0.02, SignRule::Pseudonormal);
        let [prism, ball] = [Envelope::Prism, Envelope::Ball].map(|envelope| {
            let settings = FillSettings::new(FillMethod::Splat(envelope));
            filled(device, &filler, settings).0
        });
        let first = ball.header().first_sample as usize;
        let known = |field: &SolidField| {
            let halves = field.words[first..]
                .iter()
                .flat_map(|word| [*word as u16, (word >> 16) as u16]);
            halves
                .filter(|&code| (code as i16).unsigned_abs() < i16::MAX as u16)
                .count()
        };
        let (few, all) = (known(&prism), known(&ball));
        println!("{few} of {all} samples are in prisms' boxes");
        assert!(few < all && few > all / 2, "{few} of {all}");
    });
}

#[test]
fn a_wrong_sample_or_corner_is_seen() {
    let filler = filler(&Shape::spike(), 0.03, SignRule::Pseudonormal);
    let right = filler.fill();
    assert_eq!(agree(&right, &right), Ok(()));
    let header = right.header();
    let mut corner = right.clone();
    corner.words[header.first_corner as usize + 3] ^= 1 << 8;
    assert!(agree(&corner, &right).is_err());
    let mut shifted = right.clone();
    let brick = header.first_sample as usize + 256;
    shifted.words.copy_within(brick..brick + 255, brick + 1);
    assert!(agree(&shifted, &right).is_err());
}

#[test]
fn a_field_that_is_filled_in_batches_has_the_same_bits() {
    with_device(|device| {
        let filler = filler(&Shape::spike(), 0.02, SignRule::Pseudonormal);
        for method in METHODS {
            let at_once = FillSettings::new(method);
            // Room for seven bricks of fifty.
            let in_batches = FillSettings {
                scratch_bytes: 7 * 4096,
                ..at_once
            };
            let [whole, parts] =
                [at_once, in_batches].map(|settings| filled(device, &filler, settings).0);
            assert!(whole.brick_count() > 40);
            assert!(whole == parts, "{method:?}");
        }
    });
}

#[test]
fn needles_plates_single_triangles_and_meshes_far_away_fill_as_their_twins() {
    let of = |positions: &[Vec3], triangles: &[[u32; 3]]| Shape {
        positions: positions.to_vec(),
        triangles: triangles.to_vec(),
    };
    let needle = of(
        &[Vec3::ZERO, Vec3::X, Vec3::new(0.5, 1e-6, 0.0)],
        &[[0, 1, 2]],
    );
    let single = of(
        &[Vec3::ZERO, Vec3::X, Vec3::new(0.1, 0.7, 0.4)],
        &[[0, 1, 2]],
    );
    let plate = of(&[Vec3::ZERO, Vec3::X, Vec3::ONE], &[[0, 1, 2], [0, 2, 1]]);
    let mut far = Shape::torus(0.3, 0.1, UVec3::new(24, 12, 0));
    far.positions
        .iter_mut()
        .for_each(|position| *position += Vec3::new(900.0, -80.0, 4000.0));
    with_device(|device| {
        for shape in [needle, single, plate, far] {
            let rule = SignRule::for_mesh(&shape.mesh());
            let outcome = fills_as_its_twin(device, &filler(&shape, 0.03, rule));
            assert_eq!(outcome, Ok(()), "{shape:?}");
        }
    });
}
