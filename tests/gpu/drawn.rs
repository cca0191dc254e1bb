//! What is drawn beside bare triangles: cut-outs, and garments whose texture has seams.

use glam::{Mat4, Vec2, Vec3};
use image::RgbaImage;
use radial_fields::avatar::{Avatar, Part, Texture};
use radial_fields::cloth::garment::{Drawn, Garment};
use radial_fields::math::Bounds;
use radial_fields::pose::Palette;
use radial_fields::render::{Camera, ViewOptions};
use radial_fields::{BodyDef, GarmentDef, WorldDef};

use crate::figures::{block, sheet};
use crate::fixture::{Rig, with_device};
use crate::golden::{EXTENT, Scene, whole};

/// A picture of a scene that has been put up and not moved, on nothing.
fn picture(scene: &Scene, view: ViewOptions) -> RgbaImage {
    let on_nothing = ViewOptions {
        show_ground: false,
        ..view
    };
    picture_of(scene, on_nothing)
}

fn picture_of(scene: &Scene, view: ViewOptions) -> RgbaImage {
    let mut drawn = None;
    with_device(|device| {
        let garments = scene.garments.iter();
        let garments: Vec<_> = garments
            .map(|garment| GarmentDef::new(garment, 0))
            .collect();
        let def = WorldDef {
            bodies: &[BodyDef::new(&scene.avatar)],
            garments: &garments,
            ..WorldDef::default()
        };
        let mut rig = Rig::new(device, &def);
        rig.step(&[&Palette::bind(&scene.avatar.skeleton)], true);
        let mut camera = Camera::default();
        let body = Bounds::of_ball(0.6 * Vec3::Y, 0.8);
        camera.frame(body, EXTENT.width as f32 / EXTENT.height as f32);
        drawn = Some(scene.draw(device, &rig, view, &[(whole(), camera)]));
    });
    drawn.expect("the device drew it")
}

fn bare() -> ViewOptions {
    ViewOptions {
        show_body: false,
        show_cloth: false,
        ..ViewOptions::default()
    }
}

fn block_of(base_colour: [f32; 4], alpha_cutoff: f32) -> Avatar {
    let mut avatar = block();
    avatar.parts = vec![Part {
        triangles: 0..avatar.skin.triangles.len() as u32,
        base_colour,
        texture_ix: None,
        alpha_cutoff,
    }];
    avatar
}

#[test]
fn what_is_cut_out_is_not_drawn() {
    let scene = |alpha: f32, cutoff: f32| Scene {
        avatar: block_of([0.9, 0.1, 0.1, alpha], cutoff),
        garments: Vec::new(),
    };
    let nothing = picture(&scene(0.2, 0.5), bare());
    let differs = |other: &RgbaImage| {
        let pairs = nothing.pixels().zip(other.pixels());
        pairs.filter(|(a, b)| a != b).count()
    };
    let cut_out = picture(&scene(0.2, 0.5), ViewOptions::default());
    assert_eq!(differs(&cut_out), 0);
    for (alpha, cutoff) in [(0.2, 0.0), (0.6, 0.5)] {
        let shown = picture(&scene(alpha, cutoff), ViewOptions::default());
        assert!(differs(&shown) > 1000, "{}", differs(&shown));
    }
}

#[test]
fn what_is_cut_out_casts_no_shadow() {
    let on_ground = |alpha: f32, cutoff: f32| Scene {
        avatar: block_of([0.9, 0.1, 0.1, alpha], cutoff),
        garments: Vec::new(),
    };
    let ground = ViewOptions {
        show_ground: true,
        ..ViewOptions::default()
    };
    let nothing = ViewOptions {
        show_body: false,
        ..ground
    };
    let nothing = picture_of(&on_ground(0.2, 0.5), nothing);
    let differs = |other: &RgbaImage| {
        let pairs = nothing.pixels().zip(other.pixels());
        pairs.filter(|(a, b)| a != b).count()
    };
    let cut_out = picture_of(&on_ground(0.2, 0.5), ground);
    assert_eq!(differs(&cut_out), 0);
    let shown = picture_of(&on_ground(0.6, 0.5), ground);
    assert!(differs(&shown) > 1000, "{}", differs(&shown));
}

#[test]
fn the_shadow_of_cloth_has_its_holes() {
    let shadow = |alpha: u8| {
        let mut avatar = block();
        avatar.textures = vec![Texture {
            width: 2,
            height: 1,
            rgba: vec![255, 0, 0, 255, 0, 0, 255, alpha],
        }];
        let mut garment = two_coloured();
        if let Some(drawn) = &mut garment.drawn {
            drawn.parts[0].alpha_cutoff = 0.5;
        }
        let scene = Scene {
            avatar,
            garments: vec![garment],
        };
        let view = |show_cloth: bool| ViewOptions {
            show_body: false,
            show_ground: true,
            show_cloth,
            ..ViewOptions::default()
        };
        let (bare, hung) = (
            picture_of(&scene, view(false)),
            picture_of(&scene, view(true)),
        );
        // What is darker and has no colour is the ground in shadow.
        let pairs = bare.pixels().zip(hung.pixels());
        let is_shadow = |(bare, hung): &(&image::Rgba<u8>, &image::Rgba<u8>)| {
            let [r, g, b] = [0, 1, 2].map(|ix| i32::from(hung[ix]));
            r + 8 < i32::from(bare[0]) && r.abs_diff(b) < 40 && 2 * g > r.max(b)
        };
        pairs.filter(is_shadow).count()
    };
    let (whole, half) = (shadow(255), shadow(0));
    assert!(whole > 150, "{whole} pixels in the shadow");
    assert!(half < whole * 17 / 20, "{half} of {whole}");
}

/// An upright sheet of cloth whose texture, red and blue, has its seam down the middle.
fn two_coloured() -> Garment {
    let mut garment = sheet(9, 9, 0.1, Vec3::ZERO);
    let upright = Mat4::from_translation(0.6 * Vec3::Y) * Mat4::from_rotation_x(1.5);
    let mesh = &mut garment.mesh;
    for position in &mut mesh.positions {
        *position = upright.transform_point3(*position);
    }
    let count = mesh.positions.len() as u32;
    let is_left = |triangle: &[u32; 3]| {
        let corners = triangle.map(|ix| mesh.positions[ix as usize].x);
        corners.iter().sum::<f32>() < 0.0
    };
    let halves = mesh.triangles.iter();
    let halves = halves.map(|triangle| match is_left(triangle) {
        true => *triangle,
        false => triangle.map(|ix| ix + count),
    });
    let uv_of = |half: f32| std::iter::repeat_n(Vec2::new(half, 0.5), count as usize);
    garment.drawn = Some(Drawn {
        particles: (0..count).chain(0..count).collect(),
        uvs: uv_of(0.25).chain(uv_of(0.75)).collect(),
        triangles: halves.collect(),
        parts: vec![Part {
            triangles: 0..mesh.triangles.len() as u32,
            base_colour: [1.0; 4],
            texture_ix: Some(0),
            alpha_cutoff: 0.0,
        }],
    });
    garment
}

#[test]
fn cloth_wears_its_texture_on_both_sides_of_a_seam() {
    let mut avatar = block();
    avatar.textures = vec![Texture {
        width: 2,
        height: 1,
        rgba: vec![255, 0, 0, 255, 0, 0, 255, 255],
    }];
    let scene = Scene {
        avatar,
        garments: vec![two_coloured()],
    };
    let view = ViewOptions {
        show_body: false,
        ..ViewOptions::default()
    };
    let picture = picture(&scene, view);
    let count = |most: usize, least: usize| {
        let pixels = picture.pixels();
        let is_it = |pixel: &&image::Rgba<u8>| {
            let [most, least] = [most, least].map(|channel| u32::from(pixel[channel]));
            most > 60 && most > 2 * least
        };
        pixels.filter(is_it).count()
    };
    let (red, blue) = (count(0, 2), count(2, 0));
    assert!(red > 100 && blue > 100, "{red} red and {blue} blue pixels");
    assert!(red.abs_diff(blue) < red.max(blue) / 2, "{red}, {blue}");
}
