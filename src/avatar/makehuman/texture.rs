//! The pictures on hair, brows and eyes: strands that come from a whorl and end unevenly on the skin, irises, the shadows of lids.

use super::paint::{Landmarks, colour};
use super::surface::Region;
use crate::avatar::Texture;
use glam::{Vec2, Vec3};
use rayon::prelude::*;
use std::f32::consts::TAU;

/// Where the pictures stand in the list that [`pictures`] returns.
pub fn picture_of(region: Region) -> Option<usize> {
    [Region::EyeWhite, Region::Brow, Region::Hair]
        .iter()
        .position(|&pictured| pictured == region)
}

/// Texels along the edges of the pictures of an eye, a brow and the hair: half a millimetre or less each.
const EYE: [u32; 2] = [256, 256];
const BROW: [u32; 2] = [256, 128];
const HAIR: [u32; 2] = [512, 512];
/// Times round the hair's picture that colours spread over its outline, so that smaller copies of it have none of another.
const SPREAD: usize = 16;

/// Relative to the eyeball's radius: a young adult's iris and pupil in daylight.
const IRIS: f32 = 0.46;
const PUPIL: f32 = 0.19;

/// Of a person of 1.75 m, metres from the middle of an eye: the part of the face that a brow's picture is of.
const BROW_CORNER: Vec2 = Vec2::new(-0.030, 0.046);
const BROW_SIZE: Vec2 = Vec2::new(0.072, 0.036);

/// Angle from the whorl at the edge of the hair's picture, radians: a nape is 2.2 off.
const EDGE: f32 = 2.75;

/// Hair in its picture's place.
struct Strand {
    /// From the whorl, radians.
    angle: f32,
    /// Single hairs, locks and tufts: 0 to 1.
    fine: f32,
    lock: f32,
    tuft: f32,
}

impl Landmarks {
    /// Where a point of the eyes, brows or scalp is in its region's picture.
    pub fn place_in_picture(&self, region: Region, p: Vec3) -> Vec2 {
        match region {
            Region::EyeWhite => {
                let eye = &self.eyes[usize::from(p.x < 0.0)];
                0.5 + 0.5 * Vec2::new(p.x - eye.centre.x, eye.centre.y - p.y) / eye.radius
            }
            Region::Brow => {
                let eye = self.eyes[0].centre;
                let side = Vec2::new(p.x.abs() - eye.x, p.y - eye.y) / self.unit() - BROW_CORNER;
                side * Vec2::new(1.0, -1.0) / BROW_SIZE
            }
            _ => {
                let from_middle = self.off_middle_of_head(p);
                let angle = from_middle.y.clamp(-1.0, 1.0).acos();
                let round = Vec2::new(from_middle.x, from_middle.z).normalize_or_zero();
                0.5 + 0.5 * round * (angle / EDGE)
            }
        }
    }

    /// A direction whose +Y leads to the whorl.
    fn off_middle_of_head(&self, p: Vec3) -> Vec3 {
        let middle = Vec3::new(0.0, self.eyes[0].centre.y + 0.03 * self.unit(), self.head.z);
        let whorl = Vec3::new(0.0, 0.92, -0.39);
        let ahead = Vec3::X.cross(whorl);
        let to = (p - middle).normalize_or(Vec3::Y);
        Vec3::new(to.x, to.dot(whorl), to.dot(ahead))
    }

    /// The tufts that hair stands off in, 0 to 1.
    pub fn tuft(&self, p: Vec3) -> f32 {
        strand(self.place_in_picture(Region::Hair, p)).tuft
    }
}

/// The pictures, in the order of [`picture_of`]. `scalp`: the triangles of the hair, with each corner's place in the picture and its
/// metres over the hairline.
pub fn pictures(landmarks: &Landmarks, scalp: &[[(Vec2, f32); 3]]) -> Vec<Texture> {
    let over_line = spread(rasterised(scalp));
    vec![
        picture(EYE, |at, _| eye(2.0 * at - 1.0)),
        picture(BROW, |at, _| brow(landmarks, at)),
        picture(HAIR, |at, ix| hair(landmarks, at, over_line[ix])),
    ]
}

/// `paint`: linear colour by place, from 0 to 1, and by the texel's index.
fn picture([width, height]: [u32; 2], paint: impl Fn(Vec2, usize) -> Vec3 + Sync) -> Texture {
    let texel = |ix: usize| {
        let (x, y) = (ix as u32 % width, ix as u32 / width);
        let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) / Vec2::new(width as f32, height as f32);
        let [r, g, b] = paint(at, ix).to_array().map(srgb);
        [r, g, b, 255]
    };
    let texels: Vec<_> = (0..(width * height) as usize)
        .into_par_iter()
        .map(texel)
        .collect();
    Texture {
        width,
        height,
        rgba: texels.into_flattened(),
    }
}

fn srgb(linear: f32) -> u8 {
    let linear = linear.clamp(0.0, 1.0);
    let encoded = match linear <= 0.003_130_8 {
        true => 12.92 * linear,
        false => 1.055 * linear.powf(1.0 / 2.4) - 0.055,
    };
    (255.0 * encoded).round() as u8
}

/// What the triangles hold at each texel of the hair's picture that they cover.
fn rasterised(triangles: &[[(Vec2, f32); 3]]) -> Vec<Option<f32>> {
    let size = Vec2::new(HAIR[0] as f32, HAIR[1] as f32);
    let mut texels = vec![None; (HAIR[0] * HAIR[1]) as usize];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|(place, _)| place * size - 0.5);
        let twice_area = (b - a).perp_dot(c - a);
        let low = a.min(b).min(c).ceil().max(Vec2::ZERO).as_uvec2();
        let high = a.max(b).max(c).floor().clamp(Vec2::ZERO, size - 1.0);
        let high = high.as_uvec2();
        for (y, x) in (low.y..=high.y).flat_map(|y| (low.x..=high.x).map(move |x| (y, x))) {
            let at = Vec2::new(x as f32, y as f32);
            let shares = [(b, c), (c, a), (a, b)].map(|(from, to)| {
                let part = (to - from).perp_dot(at - from) / twice_area;
                if part.is_finite() { part } else { -1.0 }
            });
            if shares.iter().all(|&share| share >= -1e-3) {
                let values = triangle.iter().zip(shares);
                let value = values.map(|((_, value), share)| value * share).sum();
                texels[(y * HAIR[0] + x) as usize] = Some(value);
            }
        }
    }
    texels
}

/// Lets what is known spread; far from it there is no hair.
fn spread(mut texels: Vec<Option<f32>>) -> Vec<f32> {
    let width = HAIR[0] as usize;
    for _ in 0..SPREAD {
        let before = texels.clone();
        for (ix, texel) in texels.iter_mut().enumerate().filter(|(_, t)| t.is_none()) {
            let around = [
                ix.wrapping_sub(1),
                ix + 1,
                ix.wrapping_sub(width),
                ix + width,
            ];
            *texel = around
                .iter()
                .find_map(|&ix| before.get(ix).copied().flatten());
        }
    }
    let known = |texel: Option<f32>| texel.unwrap_or(-1.0);
    texels.into_iter().map(known).collect()
}

fn strand(at: Vec2) -> Strand {
    let off = 2.0 * at - 1.0;
    let (far, turns) = (off.length(), off.y.atan2(off.x) / TAU + 0.5);
    // Hair goes round as it goes outwards, and no two locks as much as each other.
    let turns = turns + 0.06 * far + 0.03 * (noise(turns, 2.5 * far, 14) - 0.5);
    let turns = turns.rem_euclid(1.0);
    Strand {
        angle: far * EDGE,
        fine: noise(turns, 9.0 * far, 420),
        lock: noise(turns, 6.0 * far, 130),
        tuft: noise(turns, 3.0 * far, 34),
    }
}

/// `over_line`: metres over the hairline.
fn hair(landmarks: &Landmarks, at: Vec2, over_line: f32) -> Vec3 {
    let strand = strand(at);
    let shade = 0.35 + 0.55 * strand.lock + 0.45 * strand.fine + 0.5 * (strand.tuft - 0.5);
    // Where hair turns away from a light above, it shines in a band.
    let band = (-((strand.angle - 0.85) / 0.22).powi(2)).exp() * strand.lock * strand.fine;
    let own = of(Region::Hair, landmarks) * (shade.max(0.1) + 2.2 * band);
    let lighter = Vec3::new(0.085, 0.050, 0.030);
    let own = own.lerp(lighter, 0.35 * strand.fine.powi(4));
    let ragged = 0.011 * (strand.lock - 0.5) + 0.011 * (strand.fine - 0.5);
    let over_line = over_line / landmarks.unit();
    let grown = step((over_line + ragged) / 0.006) * (0.72 + 0.28 * step(over_line / 0.03));
    of(Region::Skin, landmarks).lerp(own, grown)
}

fn brow(landmarks: &Landmarks, at: Vec2) -> Vec3 {
    let side = at * BROW_SIZE * Vec2::new(1.0, -1.0) + BROW_CORNER;
    // Hairs lean outwards, the more the further out they are.
    let lean = (side.x + 0.02) * 14.0;
    let fine = noise(
        (side.x * 9.0 - side.y * (4.0 + 5.0 * lean)).rem_euclid(1.0),
        side.y * 90.0,
        110,
    );
    let within = landmarks.brow_level(side) + 0.0016 * (fine - 0.62);
    let grown = 0.85 * step(within / 0.0018 + 0.2) * (0.55 + 0.45 * fine);
    of(Region::Skin, landmarks).lerp(of(Region::Brow, landmarks), grown)
}

/// `at`: from the middle of the gaze, +Y down, the eyeball's radius is 1.
fn eye(at: Vec2) -> Vec3 {
    let (far, turns) = (at.length(), at.y.atan2(at.x) / TAU + 0.5);
    let white =
        Vec3::new(0.62, 0.56, 0.52).lerp(Vec3::new(0.50, 0.33, 0.28), step((far - 0.45) / 0.5));
    let fibre = 0.6 * noise(turns, 4.0 * far, 90) + 0.4 * noise(turns, 7.0 * far, 210);
    let near = step((far - PUPIL) / 0.10);
    let iris = Vec3::new(0.135, 0.072, 0.030).lerp(Vec3::new(0.062, 0.033, 0.016), near);
    // Light that comes in above leaves the iris brighter below.
    let iris = iris * (0.45 + 1.1 * fibre) * (1.0 + 0.5 * at.y / IRIS);
    let rim = step((far - IRIS + 0.085) / 0.075);
    let iris = iris.lerp(Vec3::new(0.010, 0.007, 0.006), 0.85 * rim);
    let iris = iris.lerp(Vec3::splat(0.003), 1.0 - step((far - PUPIL + 0.015) / 0.03));
    let eye = iris.lerp(white, step((far - IRIS + 0.015) / 0.04));
    // The lids' shadow, the upper one's most.
    let shaded = 0.62 * step((-at.y - 0.08) / 0.42) + 0.35 * step((far - 0.5) / 0.5);
    let eye = eye * (1.0 - shaded.min(0.8));
    let glint = |middle: Vec2, radius: f32| 1.0 - step((at.distance(middle) - radius) / 0.04);
    let glints = glint(Vec2::new(0.13, -0.15), 0.055) + 0.25 * glint(Vec2::new(-0.15, 0.17), 0.05);
    eye.lerp(Vec3::ONE, glints.min(1.0))
}

fn of(region: Region, landmarks: &Landmarks) -> Vec3 {
    let [r, g, b, _] = colour(region, landmarks.gender);
    Vec3::new(r, g, b)
}

/// 0 below 0, 1 above 1, level at both.
fn step(at: f32) -> f32 {
    let at = at.clamp(0.0, 1.0);
    at * at * (3.0 - 2.0 * at)
}

/// Smooth noise, from 0 to 1, of `count` values round a turn and one at each whole number of `along`.
fn noise(turns: f32, along: f32, count: u32) -> f32 {
    let (x, y) = (turns * count as f32, along + 64.0);
    let [at_x, at_y] = [x, y].map(|value| step(value.fract()));
    let value = |dx: u32, dy: u32| hashed((x as u32 + dx) % count, y as u32 + dy, count);
    let row = |dy: u32| value(0, dy) + (value(1, dy) - value(0, dy)) * at_x;
    row(0) + (row(1) - row(0)) * at_y
}

fn hashed(x: u32, y: u32, seed: u32) -> f32 {
    let mut bits =
        x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77) ^ seed.wrapping_mul(0xC2B2_AE3D);
    bits = (bits ^ bits >> 15).wrapping_mul(0x2C1B_3C6D);
    bits = (bits ^ bits >> 12).wrapping_mul(0x297A_2D39);
    (bits ^ bits >> 15) as f32 / u32::MAX as f32
}
