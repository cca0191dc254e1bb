//! Where the errors sit: the skin from the front and from behind, coloured by its distance to the fields.

use anyhow::anyhow;
use glam::{Vec2, Vec3};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use radial_fields::math::Bounds;
use radial_fields::math::raster::cover;

use super::plot::register;

/// Pixels.
const HEIGHT: i32 = 900;
const MARGIN: i32 = 20;
const SCALE_BAR: i32 = 12;
/// Of a line of text, and of its letters.
const LINE: i32 = 28;
const LETTERS: i32 = 17;
/// What lies above the figures, and below.
const HEAD: i32 = MARGIN + LINE;
const FOOT: i32 = 2 * MARGIN + SCALE_BAR + LINE;

/// Metres from which on everything is red.
const WORST: f64 = 0.01;

const BACKGROUND: [u8; 3] = [24, 26, 30];

/// Colours from none to [`WORST`].
const COLOURS: [[f32; 3]; 5] = [
    [40.0, 70.0, 140.0],
    [60.0, 150.0, 160.0],
    [230.0, 220.0, 110.0],
    [235.0, 130.0, 50.0],
    [200.0, 30.0, 40.0],
];

struct Canvas {
    width: i32,
    pixels: Vec<[u8; 3]>,
    depths: Vec<f32>,
}

/// A skin, and how far each of its triangles is off, in metres.
pub struct Figure<'a> {
    pub positions: &'a [Vec3],
    pub triangles: &'a [[u32; 3]],
    pub errors: &'a [f64],
}

/// Draws the figure twice, over a bar from 0 to 10 mm.
pub fn draw(title: &str, figure: &Figure) -> anyhow::Result<image::DynamicImage> {
    let mut canvas = figure.drawn();
    canvas.draw_bar();
    canvas
        .finish(title)
        .map_err(|error| anyhow!("the picture of the errors: {error}"))
}

impl Figure<'_> {
    fn drawn(&self) -> Canvas {
        let Self {
            positions,
            triangles,
            errors,
        } = *self;
        let bounds = positions
            .iter()
            .fold(Bounds::EMPTY, |sum, &p| sum.union(Bounds::of_ball(p, 0.0)));
        let size = bounds.high - bounds.low;
        let scale = (HEIGHT - HEAD - FOOT) as f32 / size.y.max(1e-3);
        let half = (size.x * scale) as i32 + 2 * MARGIN;
        let mut canvas = Canvas::new(2 * half);
        for (side, turn) in [(0, 1.0), (1, -1.0)] {
            for (triangle, &error) in triangles.iter().zip(errors) {
                let corners = triangle.map(|v| positions[v as usize]);
                let place = |p: Vec3| {
                    let x = if turn > 0.0 {
                        p.x - bounds.low.x
                    } else {
                        bounds.high.x - p.x
                    };
                    Vec2::new(
                        x * scale + (side * half + MARGIN) as f32,
                        (bounds.high.y - p.y) * scale + HEAD as f32,
                    )
                };
                let depth = turn * corners.iter().map(|p| p.z).sum::<f32>() / 3.0;
                let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
                let light = 0.55 + 0.45 * (turn * normal.normalize_or_zero().z).max(0.0);
                canvas.fill(corners.map(place), depth, colour(error, light));
            }
        }
        canvas
    }
}

fn colour(error: f64, light: f32) -> [u8; 3] {
    let at = (error / WORST).clamp(0.0, 1.0) as f32 * (COLOURS.len() - 1) as f32;
    let below = (at as usize).min(COLOURS.len() - 2);
    let share = at - below as f32;
    [0, 1, 2].map(|channel| {
        let mixed = COLOURS[below][channel] * (1.0 - share) + COLOURS[below + 1][channel] * share;
        (mixed * light) as u8
    })
}

impl Canvas {
    fn new(width: i32) -> Self {
        let count = (width * HEIGHT) as usize;
        Self {
            width,
            pixels: vec![BACKGROUND; count],
            depths: vec![f32::NEG_INFINITY; count],
        }
    }

    fn fill(&mut self, corners: [Vec2; 3], depth: f32, colour: [u8; 3]) {
        let width = self.width;
        cover(corners, width, HEIGHT, |x, y| {
            let ix = (y * width + x) as usize;
            if depth > self.depths[ix] {
                self.depths[ix] = depth;
                self.pixels[ix] = colour;
            }
        });
    }

    fn draw_bar(&mut self) {
        let length = self.width - 2 * MARGIN;
        for x in 0..length {
            let shown = colour(WORST * f64::from(x) / f64::from(length), 1.0);
            let bottom = HEIGHT - MARGIN - LINE;
            for y in bottom - SCALE_BAR..bottom {
                self.pixels[(y * self.width + MARGIN + x) as usize] = shown;
            }
        }
    }

    /// Writes what it shows beside it.
    fn finish(self, title: &str) -> Result<image::DynamicImage, Box<dyn std::error::Error>> {
        register()?;
        let size = (self.width as u32, HEIGHT as u32);
        let mut bytes: Vec<u8> = self.pixels.into_iter().flatten().collect();
        let root = BitMapBackend::with_buffer(&mut bytes, size).into_drawing_area();
        let write = |text: &str, x: i32, y: i32, side: HPos| {
            let style = ("sans-serif", LETTERS)
                .into_font()
                .color(&WHITE)
                .pos(Pos::new(side, VPos::Center));
            root.draw(&Text::new(text.to_owned(), (x, y), style))
        };
        let below = HEIGHT - MARGIN - LINE / 2;
        let worst = format!("{} mm and more", WORST * 1e3);
        write(title, MARGIN, MARGIN + LINE / 2, HPos::Left)?;
        write("0", MARGIN, below, HPos::Left)?;
        write(
            &format!("{}", WORST * 5e2),
            self.width / 2,
            below,
            HPos::Center,
        )?;
        write(&worst, self.width - MARGIN, below, HPos::Right)?;
        root.present()?;
        drop(root);
        let picture = image::RgbImage::from_raw(size.0, size.1, bytes);
        Ok(picture.ok_or("it has the wrong size")?.into())
    }
}
