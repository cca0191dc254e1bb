//! Pictures of a run as one moving picture.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use anyhow::Context as _;
use image::codecs::gif::{GifEncoder, Repeat};
use image::imageops::{FilterType, resize};
use image::{Delay, Frame, RgbaImage};
use radial_fields::scenes::STEP_SECONDS;

/// How much is given up for speed when 256 colours are chosen, 1 to 30. Usually 10, the encoder's own; 30 is four times as fast and shows
/// bands in soft shadows.
const HASTE: i32 = 10;

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
        let mut encoder = GifEncoder::new_with_speed(bytes.clone(), HASTE);
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
        let delay = Delay::from_numer_denom_ms((self.frame_ms * 1e3).round() as u32, 1000);
        let frame = Frame::from_parts(picture, 0, 0, delay);
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
