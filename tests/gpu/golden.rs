//! Reference results that were inspected and found right: a few small pictures, and what the fields held.
//!
//! Tolerances leave room for other devices' rasterisers, not for mistakes. After a change that is meant to be seen, run with
//! `RADIAL_FIELDS_WRITE_GOLDEN=1`, look at what changed in tests/gpu/golden, and commit it.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use ash::vk;
use glam::Vec3;
use image::RgbaImage;
use radial_fields::avatar::{Avatar, builtin};
use radial_fields::cloth::garment::Garment;
use radial_fields::collide::radial::fit::{FitSettings, fit};
use radial_fields::engine::{Device, Frames, Offscreen};
use radial_fields::gpu::{Buffer, BufferDesc, Memory};
use radial_fields::math::Bounds;
use radial_fields::pose::Palette;
use radial_fields::render::{
    Camera, KeyLight, RenderInput, Renderer, RendererDesc, Target, ViewOptions,
};
use radial_fields::scenes::Outfit;
use radial_fields::skin::bake::bake;
use radial_fields::{
    BodyDef, BodyStep, FrameInput, GarmentDef, HostBones, StepInput, Technique, WorldDef,
};

use crate::figures::in_clip;
use crate::fixture::{Rig, STEP_SECONDS, with_device};

pub const EXTENT: vk::Extent2D = vk::Extent2D {
    width: 112,
    height: 144,
};
/// Steps until the clothes hang and are moved.
const STEP_COUNT: usize = 24;
/// Of the clip when they are over: in the middle of a stride.
const SHOWN_SECONDS: f32 = 1.1;
const PARTICLE_COUNT: usize = 900;
/// Of 255: what rounding and other places of the samples in a pixel come to, away from edges.
const SAME_VALUE: u8 = 20;
/// Part of the figure's pixels that lie on an edge, where devices may differ by all of a value.
const EDGE_PART: f64 = 0.04;
/// The same from near: the figure is larger, and so few of its pixels lie on edges that lines a pixel wide are seen.
const CLOSE_EDGE_PART: f64 = 0.012;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/gpu/golden")
}

fn is_writing() -> bool {
    std::env::var_os("RADIAL_FIELDS_WRITE_GOLDEN").is_some()
}

/// A character and what it wears: usually the mannequin, dressed and walking.
pub struct Scene {
    pub avatar: Avatar,
    pub garments: Vec<Garment>,
}

impl Scene {
    fn new() -> Self {
        let avatar = builtin::load_mannequin();
        Self {
            garments: Outfit::TrousersAndTop
                .make(&avatar, PARTICLE_COUNT)
                .expect("it is a humanoid"),
            avatar,
        }
    }

    fn rig(&self, device: &Arc<Device>, technique: Technique) -> Rig {
        let garments = self.garments.iter();
        let garments: Vec<_> = garments
            .map(|garment| GarmentDef::new(garment, 0))
            .collect();
        let def = WorldDef {
            bodies: &[BodyDef::new(&self.avatar)],
            garments: &garments,
            technique,
            ..WorldDef::default()
        };
        let mut rig = Rig::new(device, &def);
        for step in 0..STEP_COUNT {
            let left = (STEP_COUNT - 1 - step) as f32 * STEP_SECONDS;
            let pose = self.pose(SHOWN_SECONDS - left);
            rig.step(&[&pose], step == 0);
        }
        rig
    }

    fn pose(&self, seconds: f32) -> Palette {
        in_clip(&self.avatar, 0, seconds)
    }

    /// A camera so near that the edges of the cloth are told apart, `up` metres above the middle of the body.
    fn close_camera(&self, up: f32) -> Camera {
        let camera = self.camera();
        Camera {
            target: camera.target + up * Vec3::Y,
            distance: 0.22 * camera.distance,
            ..camera
        }
    }

    /// A camera before the body.
    fn camera(&self) -> Camera {
        let body = bake(&self.avatar.skin, &self.pose(SHOWN_SECONDS)).positions;
        let bounds = body.iter().fold(Bounds::EMPTY, |bounds, &at| {
            bounds.union(Bounds::of_ball(at, 0.0))
        });
        let mut camera = Camera::default();
        camera.frame(bounds, EXTENT.width as f32 / EXTENT.height as f32);
        camera
    }

    /// One picture a camera, drawn onto the same target one after the other.
    pub fn draw(
        &self,
        device: &Arc<Device>,
        rig: &Rig,
        view: ViewOptions,
        shots: &[(vk::Rect2D, Camera)],
    ) -> RgbaImage {
        let desc = RendererDesc {
            colour_format: Offscreen::FORMAT,
            samples: vk::SampleCountFlags::TYPE_4,
            frames_in_flight: 1,
            timestamp_valid_bits: 0,
        };
        let mut frames = Frames::new(device, 1).expect("there is room for frames");
        let mut offscreen = Offscreen::new(rig.world.gpu(), EXTENT).expect("there is room");
        let mut renderers: Vec<_> = shots
            .iter()
            .map(|_| {
                let garments: Vec<_> = self.garments.iter().collect();
                let renderer = Renderer::new(&rig.world, &desc, &[&self.avatar], &garments);
                let mut renderer = renderer.expect("the world is of these");
                renderer.resize(EXTENT).expect("it has pixels");
                renderer
            })
            .collect();
        let target = offscreen.view();
        let pixels = offscreen.render(device, &mut frames, |cmd| {
            for (renderer, &(area, camera)) in renderers.iter_mut().zip(shots) {
                let input = RenderInput {
                    camera,
                    key_light: KeyLight::default(),
                    alpha: 1.0,
                    view,
                    target: Target { view: target, area },
                };
                // SAFETY: the offscreen hands out a recording command buffer of this device, and the target is its own.
                unsafe { renderer.record(cmd, &rig.world, &input) }
                    .expect("there is memory for sets");
            }
        });
        let pixels = pixels.expect("the device is not lost");
        RgbaImage::from_raw(EXTENT.width, EXTENT.height, pixels).expect("it is whole")
    }
}

pub fn whole() -> vk::Rect2D {
    EXTENT.into()
}

fn differ(a: &image::Rgba<u8>, b: &image::Rgba<u8>) -> bool {
    a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > SAME_VALUE)
}

fn count_different(a: &RgbaImage, b: &RgbaImage) -> usize {
    let pairs = a.pixels().zip(b.pixels());
    pairs.filter(|(a, b)| differ(a, b)).count()
}

/// Whether two pictures show the same figure before the same `empty` stage.
fn compare(
    found: &RgbaImage,
    expected: &RgbaImage,
    empty: &RgbaImage,
    edge_part: f64,
) -> Result<(), String> {
    if found.dimensions() != expected.dimensions() {
        return Err(format!("{:?} pixels", found.dimensions()));
    }
    let figure = count_different(expected, empty).max(1);
    let part = count_different(found, expected) as f64 / figure as f64;
    if part > edge_part {
        return Err(format!(
            "{:.1} % as many pixels differ as the figure has",
            100.0 * part
        ));
    }
    Ok(())
}

fn load(name: &str) -> RgbaImage {
    let file = folder().join(format!("{name}.png"));
    let read = image::open(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    read.into_rgba8()
}

/// Holds a picture against the golden one of that name.
fn assert_golden(name: &str, found: &RgbaImage, empty: &RgbaImage, edge_part: f64) {
    if is_writing() {
        let file = folder().join(format!("{name}.png"));
        found.save(&file).expect("the folder is there");
        return;
    }
    if let Err(fault) = compare(found, &load(name), empty, edge_part) {
        let seen = std::env::temp_dir().join(format!("radial_fields_{name}.png"));
        found.save(&seen).expect("it can be written");
        panic!("{name}: {fault}; what was drawn is in {}", seen.display());
    }
}

fn named(view: &str) -> ViewOptions {
    ViewOptions::named(view).expect("there is such a view")
}

/// What is there without the figure.
fn empty() -> ViewOptions {
    ViewOptions {
        show_body: false,
        show_cloth: false,
        ..ViewOptions::default()
    }
}

#[test]
fn pictures_are_those_that_were_looked_at() {
    with_device(|device| {
        let scene = Scene::new();
        let rig = scene.rig(device, Technique::Radial);
        let whole_figure = [(whole(), scene.camera())];
        let chest = [(whole(), scene.close_camera(0.3))];
        let legs = [(whole(), scene.close_camera(-0.25))];
        let views = [
            ("lit", &whole_figure, EDGE_PART),
            ("fields", &whole_figure, EDGE_PART),
            ("cylinders", &whole_figure, EDGE_PART),
            ("wireframe", &chest, CLOSE_EDGE_PART),
            ("contacts", &legs, CLOSE_EDGE_PART),
            ("penetration", &legs, CLOSE_EDGE_PART),
        ];
        for (name, shot, edge_part) in views {
            let empty = scene.draw(device, &rig, empty(), shot);
            let picture = scene.draw(device, &rig, named(name), shot);
            assert_golden(name, &picture, &empty, edge_part);
            // It is no other picture under this name; of one device, so that no pixel may differ by chance.
            let lit = scene.draw(device, &rig, named("lit"), shot);
            let shown = count_different(&picture, &lit);
            assert!(
                name == "lit" || shown > 100,
                "{name} shows nothing more than a picture does: {shown} pixels"
            );
        }
        drop(rig);
        let rig = scene.rig(device, Technique::Lbvh);
        let empty = scene.draw(device, &rig, empty(), &whole_figure);
        let picture = scene.draw(device, &rig, named("structure"), &whole_figure);
        assert_golden("structure", &picture, &empty, EDGE_PART);
    });
}

#[test]
fn the_comparer_sees_a_pixels_shift_another_light_and_a_lost_head() {
    with_device(|device| {
        let scene = Scene::new();
        let rig = scene.rig(device, Technique::Radial);
        let empty = scene.draw(device, &rig, empty(), &[(whole(), scene.camera())]);
        drop(rig);
        let golden = load("lit");
        assert_eq!(compare(&golden, &golden, &empty, EDGE_PART), Ok(()));
        let at = |x: u32, y: u32| *golden.get_pixel(x, y);
        let last = EXTENT.width - 1;
        let shifted =
            RgbaImage::from_fn(EXTENT.width, EXTENT.height, |x, y| at((x + 1).min(last), y));
        let mut darker = golden.clone();
        for pixel in darker.pixels_mut() {
            pixel.0 = pixel.0.map(|value| value - value / 4);
        }
        let headless = RgbaImage::from_fn(EXTENT.width, EXTENT.height, |x, y| {
            let is_above = y < EXTENT.height / 4;
            if is_above {
                *empty.get_pixel(x, y)
            } else {
                at(x, y)
            }
        });
        for wrong in [shifted, darker, headless] {
            assert!(compare(&wrong, &golden, &empty, EDGE_PART).is_err());
        }
    });
}

#[test]
fn two_pictures_share_a_target_each_in_its_half() {
    with_device(|device| {
        let scene = Scene::new();
        let rig = scene.rig(device, Technique::Radial);
        let half = |x: i32| vk::Rect2D {
            offset: vk::Offset2D { x, y: 0 },
            extent: vk::Extent2D {
                width: EXTENT.width / 2,
                ..EXTENT
            },
        };
        let right = EXTENT.width.cast_signed() / 2;
        let shots = [0, right].map(|x| (half(x), scene.camera()));
        let both = scene.draw(device, &rig, named("lit"), &shots);
        let crop = |picture: &RgbaImage, x: u32| {
            image::imageops::crop_imm(picture, x, 0, EXTENT.width / 2, EXTENT.height).to_image()
        };
        let [first, second] = [0, EXTENT.width / 2].map(|x| crop(&both, x));
        let alone = scene.draw(device, &rig, named("lit"), &shots[..1]);
        let nobody = scene.draw(device, &rig, empty(), &shots[..1]);
        assert_eq!(
            compare(&second, &first, &crop(&nobody, 0), EDGE_PART),
            Ok(())
        );
        let same = crop(&alone, 0) == first;
        assert!(same, "the second picture changed the first");
    });
}

/// The CPU knows no box round such a body, for which lights and shadows are laid.
#[test]
fn who_is_moved_by_bones_in_a_buffer_of_the_hosts_is_drawn_all_the_same() {
    with_device(|device| {
        let scene = Scene::new();
        let mut rig = scene.rig(device, Technique::RadialCompute);
        let shot = [(whole(), scene.camera())];
        let empty = scene.draw(device, &rig, empty(), &shot);
        let expected = scene.draw(device, &rig, named("lit"), &shot);
        let bones = scene.pose(SHOWN_SECONDS).world_from_bone;
        let desc = BufferDesc {
            label: "the host's bones",
            bytes: size_of_val(&bones[..]) as u64,
            memory: Memory::Shared,
        };
        let mut buffer = Buffer::new(rig.world.gpu(), &desc).expect("there is room");
        buffer.write(0, &bones);
        let bones = HostBones {
            buffer: buffer.handle(),
            offset: 0,
            bytes: desc.bytes,
            stride: 64,
        };
        rig.frame(&FrameInput {
            steps: &[StepInput {
                bodies: &[BodyStep::moved(bones)],
                ..Default::default()
            }],
            step_seconds: STEP_SECONDS,
        });
        assert_eq!(rig.world.body_bounds(), None);
        let found = scene.draw(device, &rig, named("lit"), &shot);
        let [drawn, figure] = [&found, &expected].map(|picture| count_different(picture, &empty));
        println!("{drawn} pixels, {figure} with bones that the CPU knows");
        assert!(10 * drawn > 9 * figure);
    });
}

/// What a field holds, in few numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Digest {
    filled: u32,
    /// Of the filled cells, millimetres.
    mean_mm: f64,
    max_mm: f64,
}

impl Digest {
    fn of(cells: &[f32]) -> Self {
        let filled: Vec<_> = cells.iter().copied().filter(|d| d.is_finite()).collect();
        let sum: f64 = filled.iter().map(|&distance| f64::from(distance)).sum();
        Self {
            filled: filled.len() as u32,
            mean_mm: 1e3 * sum / filled.len().max(1) as f64,
            max_mm: 1e3 * f64::from(filled.iter().copied().fold(0.0, f32::max)),
        }
    }

    /// Cells at the edges of triangles may go either way: a hundredth of them, and three. The mean of the others then moves by less
    /// than a third of a millimetre, and the furthest by what one of them differs from its neighbours.
    fn is_like(self, other: Self) -> bool {
        let apart = f64::from(self.filled.abs_diff(other.filled));
        apart <= 0.01 * f64::from(other.filled) + 3.0
            && (self.mean_mm - other.mean_mm).abs() < 0.3
            && (self.max_mm - other.max_mm).abs() < 5.0
    }

    fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace().skip(1);
        Some(Self {
            filled: words.next()?.parse().ok()?,
            mean_mm: words.next()?.parse().ok()?,
            max_mm: words.next()?.parse().ok()?,
        })
    }
}

#[test]
fn fields_hold_what_they_held() {
    with_device(|device| {
        let scene = Scene::new();
        let mut rig = scene.rig(device, Technique::Radial);
        let cells = rig.cells();
        let fields = fit(&scene.avatar, &FitSettings::default()).fields;
        let mut found = Vec::new();
        for field in &fields {
            let first = field.cell_offset as usize;
            let count = (field.width * field.height) as usize;
            found.push(Digest::of(&cells[first..first + count]));
        }
        let file = folder().join("fields.txt");
        if is_writing() {
            let mut text = String::from("field filled mean_mm max_mm\n");
            for (ix, digest) in found.iter().enumerate() {
                let Digest {
                    filled,
                    mean_mm,
                    max_mm,
                } = digest;
                writeln!(text, "{ix} {filled} {mean_mm:.3} {max_mm:.2}").expect("it is a string");
            }
            std::fs::write(&file, text).expect("the folder is there");
            return;
        }
        let text = std::fs::read_to_string(&file).expect("it is there");
        let expected: Vec<_> = text.lines().skip(1).filter_map(Digest::parse).collect();
        assert_eq!(found.len(), expected.len(), "fields");
        for (ix, (&found, &expected)) in found.iter().zip(&expected).enumerate() {
            assert!(
                found.is_like(expected),
                "field {ix}: {found:?}, not {expected:?}"
            );
        }
    });
}

#[test]
fn digests_differ_by_a_lost_row_and_by_a_millimetre() {
    let digest = Digest {
        filled: 600,
        mean_mm: 60.0,
        max_mm: 90.0,
    };
    assert!(digest.is_like(digest));
    let shorter = Digest {
        filled: 570,
        ..digest
    };
    let thicker = Digest {
        mean_mm: 61.0,
        ..digest
    };
    assert!(!shorter.is_like(digest) && !thicker.is_like(digest));
}
