//! Textures with their smaller copies.

use std::sync::Arc;

use ash::vk;

use crate::avatar::Texture;
use crate::gpu::{Gpu, GpuError, Image, ImageDesc, Uploads};

/// An image of a texture, all its mip levels filled by the next recorded upload.
///
/// # Errors
/// When memory runs out.
pub fn upload(
    gpu: &Arc<Gpu>,
    uploads: &mut Uploads,
    label: &str,
    texture: &Texture,
) -> Result<Image, GpuError> {
    let largest = gpu.limits.max_image_dimension2_d;
    let mut levels = mip_levels(texture);
    // A texture that the device cannot hold starts at the first level it can.
    levels.retain(|level| level.width.max(level.height) <= largest);
    let extent = vk::Extent2D {
        width: levels[0].width,
        height: levels[0].height,
    };
    let desc = ImageDesc {
        label,
        extent,
        format: vk::Format::R8G8B8A8_SRGB,
        usage: vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::TRANSFER_DST,
        samples: vk::SampleCountFlags::TYPE_1,
        aspect: vk::ImageAspectFlags::COLOR,
    };
    let image = Image::with_mips(gpu, &desc, levels.len() as u32)?;
    let texels: Vec<_> = levels.into_iter().map(|level| level.rgba).collect();
    uploads.stage_image(&image, &texels)?;
    Ok(image)
}

/// One white texel, for parts that have a colour and no texture.
pub fn white() -> Texture {
    Texture {
        width: 1,
        height: 1,
        rgba: vec![255; 4],
    }
}

/// The texture and its halves down to one texel, averaged as light.
fn mip_levels(texture: &Texture) -> Vec<Texture> {
    let mut levels = vec![texture.clone()];
    while let Some(last) = levels.last()
        && last.width.max(last.height) > 1
    {
        let half = halved(last);
        levels.push(half);
    }
    levels
}

fn halved(texture: &Texture) -> Texture {
    let (width, height) = ((texture.width / 2).max(1), (texture.height / 2).max(1));
    let mut rgba = Vec::with_capacity(4 * (width * height) as usize);
    for y in 0..height {
        for x in 0..width {
            let columns = [2 * x, (2 * x + 1).min(texture.width - 1)];
            let rows = [2 * y, (2 * y + 1).min(texture.height - 1)];
            rgba.extend(mean_texel(texture, columns, rows));
        }
    }
    Texture {
        width,
        height,
        rgba,
    }
}

fn mean_texel(texture: &Texture, columns: [u32; 2], rows: [u32; 2]) -> [u8; 4] {
    let texel = |channel: usize, x: u32, y: u32| {
        texture.rgba[4 * (y * texture.width + x) as usize + channel]
    };
    let places = rows.map(|y| columns.map(|x| (x, y)));
    std::array::from_fn(|channel| {
        let values = places.as_flattened().iter();
        if channel == 3 {
            let sum: u32 = values.map(|&(x, y)| u32::from(texel(channel, x, y))).sum();
            return (sum / 4) as u8;
        }
        let light: f32 = values
            .map(|&(x, y)| linear_from_srgb(texel(channel, x, y)))
            .sum();
        srgb_from_linear(light / 4.0)
    })
}

fn linear_from_srgb(value: u8) -> f32 {
    let value = f32::from(value) / 255.0;
    if value <= 0.04045 {
        value / 12.92
    } else {
        ((value + 0.055) / 1.055).powf(2.4)
    }
}

fn srgb_from_linear(light: f32) -> u8 {
    let value = if light <= 0.003_130_8 {
        light * 12.92
    } else {
        1.055 * light.powf(1.0 / 2.4) - 0.055
    };
    (value * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_halve_down_to_one_texel() {
        let texture = Texture {
            width: 5,
            height: 2,
            rgba: vec![77; 40],
        };
        let sizes: Vec<_> = mip_levels(&texture)
            .iter()
            .map(|l| (l.width, l.height, l.rgba.len()))
            .collect();
        assert_eq!(sizes, [(5, 2, 40), (2, 1, 8), (1, 1, 4)]);
    }

    #[test]
    fn one_colour_stays_and_black_and_white_mix_as_light() {
        for value in [0, 1, 77, 200, 255] {
            assert_eq!(srgb_from_linear(linear_from_srgb(value)), value);
        }
        let checker = Texture {
            width: 2,
            height: 1,
            rgba: vec![0, 0, 0, 255, 255, 255, 255, 255],
        };
        assert_eq!(halved(&checker).rgba, [188, 188, 188, 255]);
    }
}
