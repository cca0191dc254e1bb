//! Base colours and their textures.

use std::collections::BTreeMap;
use std::io::Cursor;

use gltf::json::material::AlphaMode;
use gltf::json::validation::Checked;
use gltf::json::{Image, Index, Material, Value};
use image::{ImageReader, Limits};

use super::accessor::Reader;
use super::container::Files;
use super::mesh::Run;
use crate::avatar::{Part, Texture};

/// The longest side of a texture, in pixels. Characters use 512 to 8,192.
const TEXTURE_SIDE_LIMIT: u32 = 16_384;
/// The most pixels of all textures together: four of 8,192 × 8,192, 1 GiB.
const PIXELS_LIMIT: u64 = 4 << 26;

/// Textures met so far.
#[derive(Default)]
pub(super) struct Materials {
    pub textures: Vec<Texture>,
    /// Images that could not be read.
    pub unread: u32,
    /// For each image of the file met so far, its texture.
    known: BTreeMap<usize, Option<usize>>,
    pixel_count: u64,
}

impl Materials {
    /// Parts of consecutive runs of triangles; neighbours of one material become one part.
    pub fn parts(&mut self, reader: &Reader, files: &mut Files, runs: &[Run]) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        let mut first = 0;
        for same in runs.chunk_by(|a, b| a.material_ix == b.material_ix) {
            let end = first
                + same
                    .iter()
                    .map(|run| run.triangle_count as u32)
                    .sum::<u32>();
            if end > first {
                let material = same[0]
                    .material_ix
                    .and_then(|ix| reader.root.materials.get(ix));
                parts.push(self.part(reader, files, material, first..end));
            }
            first = end;
        }
        parts
    }

    /// A material that does not exist, or a colour that is not finite, is white.
    fn part(
        &mut self,
        reader: &Reader,
        files: &mut Files,
        material: Option<&Material>,
        triangles: std::ops::Range<u32>,
    ) -> Part {
        let base = material.map(|material| &material.pbr_metallic_roughness);
        let colour = base
            .map(|base| base.base_color_factor.0)
            .filter(|colour| colour.iter().all(|c| c.is_finite()));
        let texture = base.and_then(|base| base.base_color_texture.as_ref());
        let texture_ix = texture.and_then(|info| {
            let image = reader.root.textures.get(info.index.value()).map(image_of);
            self.texture(reader, files, image)
        });
        Part {
            triangles,
            base_colour: colour.unwrap_or([1.0; 4]),
            texture_ix,
            alpha_cutoff: material.map_or(0.0, alpha_cutoff),
        }
    }

    fn texture(
        &mut self,
        reader: &Reader,
        files: &mut Files,
        image: Option<Index<Image>>,
    ) -> Option<usize> {
        let image_ix = image.map_or(usize::MAX, |image| image.value());
        if let Some(&texture_ix) = self.known.get(&image_ix) {
            return texture_ix;
        }
        let pixels_left = PIXELS_LIMIT - self.pixel_count;
        let texture = reader
            .root
            .images
            .get(image_ix)
            .and_then(|image| decode(reader, files, image, pixels_left));
        let texture_ix = texture.map(|texture| {
            self.pixel_count += u64::from(texture.width) * u64::from(texture.height);
            self.textures.push(texture);
            self.textures.len() - 1
        });
        self.unread += u32::from(texture_ix.is_none());
        self.known.insert(image_ix, texture_ix);
        texture_ix
    }
}

/// From which opacity on a material is drawn. What blends is drawn where it is opaque by half: nothing here is sorted by depth.
fn alpha_cutoff(material: &Material) -> f32 {
    const HALF: f32 = 0.5;
    match material.alpha_mode {
        Checked::Valid(AlphaMode::Mask) => {
            let given = material.alpha_cutoff.map_or(HALF, |cutoff| cutoff.0);
            if given.is_finite() { given } else { HALF }
        }
        Checked::Valid(AlphaMode::Blend) => HALF,
        Checked::Valid(AlphaMode::Opaque) | Checked::Invalid => 0.0,
    }
}

/// The image of a texture: the WebP that stands in an extension, else the usual one.
fn image_of(texture: &gltf::json::Texture) -> Index<Image> {
    let extensions = texture.extensions.as_ref();
    let webp = extensions.and_then(|all| all.others.get("EXT_texture_webp")?.get("source"));
    let webp = webp
        .and_then(Value::as_u64)
        .and_then(|ix| u32::try_from(ix).ok());
    webp.map_or(texture.source, Index::new)
}

/// A JPEG, PNG or WebP from a buffer view, a data URI or a file. None if it cannot be had.
fn decode(reader: &Reader, files: &mut Files, image: &Image, pixels_left: u64) -> Option<Texture> {
    let bytes = match (&image.uri, image.buffer_view) {
        (Some(uri), _) => files.fetch(uri).ok()?,
        (None, Some(view)) => reader.view(view)?.to_vec(),
        (None, None) => return None,
    };
    let guess = || {
        ImageReader::new(Cursor::new(&bytes))
            .with_guessed_format()
            .ok()
    };
    let (width, height) = guess()?.into_dimensions().ok()?;
    if width == 0 || height == 0 || u64::from(width) * u64::from(height) > pixels_left {
        return None;
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(TEXTURE_SIDE_LIMIT);
    limits.max_image_height = Some(TEXTURE_SIDE_LIMIT);
    let mut decoder = guess()?;
    decoder.limits(limits);
    let rgba = decoder.decode().ok()?.into_rgba8();
    Some(Texture {
        width,
        height,
        rgba: rgba.into_raw(),
    })
}
