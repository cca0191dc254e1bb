//! The picture of the window as a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use ash::vk;
use radial_fields::engine::output::write_png;
use radial_fields::gpu::{Access, Buffer, BufferDesc, Gpu, GpuError, Memory, Recorder};

use super::screen::Canvas;
use super::swapchain::whole_colour;

/// A copy of a picture on its way to the host.
pub struct Screenshot {
    texels: Buffer,
    extent: vk::Extent2D,
    format: vk::Format,
    file: PathBuf,
}

const BYTES_PER_TEXEL: usize = 4;

impl Screenshot {
    /// Records the copy of a canvas in `TRANSFER_SRC_OPTIMAL`.
    pub fn record(
        gpu: &Arc<Gpu>,
        recorder: &mut Recorder,
        canvas: &Canvas,
        file: PathBuf,
    ) -> Result<Self, GpuError> {
        let vk::Extent2D { width, height } = canvas.extent;
        let texels = Buffer::new(
            gpu,
            &BufferDesc {
                label: "screenshot",
                bytes: u64::from(width) * u64::from(height) * BYTES_PER_TEXEL as u64,
                memory: Memory::Readback,
            },
        )?;
        let range = whole_colour();
        let regions = [vk::BufferImageCopy::default()
            .image_subresource(vk::ImageSubresourceLayers {
                aspect_mask: range.aspect_mask,
                mip_level: 0,
                base_array_layer: 0,
                layer_count: 1,
            })
            .image_extent(canvas.extent.into())];
        // SAFETY: the command buffer is recording; canvas and buffer live until the GPU is done.
        unsafe {
            recorder.gpu().device.cmd_copy_image_to_buffer(
                recorder.cmd(),
                canvas.image,
                vk::ImageLayout::TRANSFER_SRC_OPTIMAL,
                texels.handle(),
                &regions,
            );
        }
        recorder.barrier(&[Access::TransferWrite], &[Access::HostRead]);
        Ok(Self {
            texels,
            extent: canvas.extent,
            format: canvas.format,
            file,
        })
    }

    /// Writes the file, once the GPU is done. Returns its name.
    pub fn save(self) -> anyhow::Result<PathBuf> {
        let vk::Extent2D { width, height } = self.extent;
        let count = width as usize * height as usize;
        let texels: Vec<[u8; BYTES_PER_TEXEL]> = self.texels.read(0, count);
        let pixels = texels
            .into_iter()
            .flat_map(|texel| rgb(texel, self.format))
            .collect();
        let Some(image) = image::RgbImage::from_raw(width, height, pixels) else {
            bail!("the screenshot has no pixels");
        };
        write_png(&self.file, &image.into())?;
        Ok(self.file)
    }
}

/// The window is opaque, whatever alpha was left in it.
fn rgb([a, b, c, _]: [u8; BYTES_PER_TEXEL], format: vk::Format) -> [u8; 3] {
    match format {
        vk::Format::B8G8R8A8_UNORM | vk::Format::B8G8R8A8_SRGB => [c, b, a],
        _ => [a, b, c],
    }
}

/// The first of `radial_fields_001.png`, `radial_fields_002.png`, … (or of another `ending`) that does not exist in `folder`.
pub fn free_name(folder: &Path, ending: &str) -> anyhow::Result<PathBuf> {
    const MAX: u32 = 9999;
    let names = (1..=MAX).map(|number| folder.join(format!("radial_fields_{number:03}.{ending}")));
    names
        .into_iter()
        .find(|file| !file.exists())
        .with_context(|| {
            format!(
                "there are {MAX} files of ours in {} already: move some away",
                folder.display()
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_come_in_the_order_of_a_file() {
        assert_eq!(rgb([1, 2, 3, 4], vk::Format::B8G8R8A8_UNORM), [3, 2, 1]);
        assert_eq!(rgb([1, 2, 3, 4], vk::Format::R8G8B8A8_SRGB), [1, 2, 3]);
    }

    #[test]
    fn a_taken_name_is_not_taken_again() {
        let folder =
            std::env::temp_dir().join(format!("radial_fields_names_{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder of our own");
        let first = free_name(&folder, "png").expect("it is empty");
        std::fs::write(&first, []).expect("it can be written");
        let second = free_name(&folder, "png").expect("there is one more");
        assert_ne!(first, second);
        std::fs::remove_dir_all(&folder).expect("it is ours");
    }
}
