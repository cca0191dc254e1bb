//! Pictures of a run as one moving picture.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use anyhow::Context as _;
use image::codecs::gif::{GifEncoder, Repeat};
use image::imageops::{FilterType, resize};
use image::{Delay, DynamicImage, Frame, RgbImage, RgbaImage};
use quantette::dither::FloydSteinberg;
use quantette::{ImageRef, PaletteSize, Pipeline, QuantizeMethod};
use radial_fields::scenes::STEP_SECONDS;

/// How much of a pixel's error its neighbours take over, 0 to 1. Usually 0.5; without any, files are a quarter smaller and soft shadows have bands.
const DITHERING: f32 = 0.5;

/// Pixels: wider pictures are made smaller. More is no better with 256 colours, and larger than pages like to load.
const WIDEST: u32 = 640;

/// A GIF as it grows.
pub struct Gif {
    encoder: GifEncoder<Bytes>,
    bytes: Bytes,
    frame_ms: f32,
}

/// What the encoder, which keeps what it writes to, has written.
#[derive(Clone, Default)]
struct Bytes(Rc<RefCell<Vec<u8>>>);

impl io::Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Gif {
    /// Of pictures that are so many steps apart; shown in real time, again and again.
    pub fn new(every: u32) -> anyhow::Result<Self> {
        let bytes = Bytes::default();
        let mut encoder = GifEncoder::new(bytes.clone());
        encoder.set_repeat(Repeat::Infinite)?;
        Ok(Self {
            encoder,
            bytes,
            frame_ms: 1e3 * STEP_SECONDS * every as f32,
        })
    }

    /// Adds a picture.
    ///
    /// # Errors
    /// When it has another size than the first.
    pub fn add(&mut self, picture: RgbaImage) -> anyhow::Result<()> {
        let (width, height) = picture.dimensions();
        let picture = if width > WIDEST {
            let height = (height * WIDEST / width).max(1);
            resize(&picture, WIDEST, height, FilterType::Triangle)
        } else {
            picture
        };
        let picture = DynamicImage::from(in_few_colours(&DynamicImage::from(picture).to_rgb8())?);
        let delay = Delay::from_numer_denom_ms((self.frame_ms * 1e3).round() as u32, 1000);
        let frame = Frame::from_parts(picture.to_rgba8(), 0, 0, delay);
        self.encoder
            .encode_frame(frame)
            .context("no GIF of the pictures")
    }

    /// The file.
    pub fn finish(self) -> Vec<u8> {
        // It writes its last byte when it goes.
        drop(self.encoder);
        self.bytes.0.take()
    }
}

/// A picture in 256 colours of its own, which the encoder then keeps as they are. Its own choice samples one pixel in ten: what is small and has a colour of
/// its own, such as a face, is shown in those of clothes.
fn in_few_colours(picture: &RgbImage) -> anyhow::Result<RgbImage> {
    let dithering = FloydSteinberg::with_error_diffusion(DITHERING);
    let pipeline = Pipeline::new()
        .palette_size(PaletteSize::MAX)
        .quantize_method(QuantizeMethod::kmeans())
        .ditherer(dithering);
    let image = ImageRef::try_from(picture).context("too large a picture for a GIF")?;
    Ok(pipeline.input_image(image).output_srgb8_image().into())
}

#[cfg(test)]
mod tests {
    use image::{AnimationDecoder as _, Rgb, codecs::gif::GifDecoder};

    use super::*;

    /// Where the face is, pixels.
    const FACE: std::ops::Range<u32> = 190..206;

    /// Red and blue cloth before a grey wall in all shades, and a face of a thousandth of the pixels.
    fn cloth_and_face() -> RgbImage {
        RgbImage::from_fn(400, 400, |x, y| {
            let mixed = x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503) ^ (x * y);
            let shade = 100 + (mixed.wrapping_mul(2_246_822_519) >> 16) % 100;
            let (dye, shade) = match x {
                _ if FACE.contains(&x) && FACE.contains(&y) => ([214, 190, 168], 120 + shade / 5),
                ..150 => ([220, 80, 100], shade),
                150..300 => ([110, 150, 210], shade),
                _ => ([120, 122, 128], shade),
            };
            Rgb(dye.map(|channel| (channel * shade / 200) as u8))
        })
    }

    #[test]
    fn what_is_small_keeps_its_colour() {
        let mut gif = Gif::new(4).expect("it begins");
        let picture = cloth_and_face();
        gif.add(DynamicImage::from(picture.clone()).to_rgba8())
            .expect("it is a picture");
        let bytes = gif.finish();
        let decoder = GifDecoder::new(io::Cursor::new(bytes)).expect("it is a GIF");
        let frames = decoder.into_frames().collect_frames().expect("it is whole");
        let shown = DynamicImage::from(frames[0].buffer().clone()).to_rgb8();
        let off = |x, y| -> [u8; 3] {
            let (before, after) = (picture.get_pixel(x, y), shown.get_pixel(x, y));
            [0, 1, 2].map(|ix| before[ix].abs_diff(after[ix]))
        };
        let pixels = FACE.flat_map(|x| FACE.map(move |y| (x, y)));
        let worst = pixels.flat_map(|(x, y)| off(x, y)).max();
        assert!(worst <= Some(16), "{worst:?}");
    }
}
