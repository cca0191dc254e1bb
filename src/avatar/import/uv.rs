//! Which texture coordinates the base colour takes, and where they lie on its texture.

use glam::Vec2;
use gltf::json::mesh::Primitive;

use super::accessor::Reader;

/// A set of texture coordinates and how `KHR_texture_transform` moves it; quantised files scale all of theirs by it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct UvMap {
    /// TEXCOORD_ of this number.
    pub set: u32,
    offset: Vec2,
    /// Radians, counter-clockwise seen with v down.
    rotation: f32,
    scale: Vec2,
}

impl UvMap {
    pub fn of(reader: &Reader, primitive: &Primitive) -> Self {
        let material = primitive
            .material
            .and_then(|material| reader.root.materials.get(material.value()));
        let texture = material
            .and_then(|material| material.pbr_metallic_roughness.base_color_texture.as_ref());
        let set = texture.map_or(0, |texture| texture.tex_coord);
        let transform =
            texture.and_then(|texture| texture.extensions.as_ref()?.texture_transform.as_ref());
        transform.map_or(
            Self {
                set,
                offset: Vec2::ZERO,
                rotation: 0.0,
                scale: Vec2::ONE,
            },
            |transform| Self {
                set: transform.tex_coord.unwrap_or(set),
                offset: Vec2::from(transform.offset.0),
                rotation: transform.rotation.0,
                scale: Vec2::from(transform.scale.0),
            },
        )
    }

    /// Scaled first, then turned, then moved. What is plain stays as it is to the bit.
    pub fn place(&self, uv: Vec2) -> Vec2 {
        let scaled = uv * self.scale;
        let (sin, cos) = self.rotation.sin_cos();
        let turned = Vec2::new(
            cos * scaled.x + sin * scaled.y,
            cos * scaled.y - sin * scaled.x,
        );
        turned + self.offset
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_is_the_specification_s() {
        let map = UvMap {
            set: 0,
            offset: Vec2::new(0.0, 1.0),
            rotation: std::f32::consts::FRAC_PI_2,
            scale: Vec2::splat(0.5),
        };
        // The specification's example: a texture turned by a quarter about its corner and halved.
        assert!(map.place(Vec2::X).abs_diff_eq(Vec2::new(0.0, 0.5), 1e-6));
        assert!(map.place(Vec2::Y).abs_diff_eq(Vec2::new(0.5, 1.0), 1e-6));
    }
}
