//! Simple bodies round the z axis of the world, each with one field, for tests.

use crate::collide::radial::cell::Rank;
use crate::collide::radial::field::{FieldDef, FieldSet, FieldTriangle};
use crate::collide::radial::rules::FieldRules;
use glam::{Mat4, Vec3};
use std::f32::consts::{PI, TAU};

/// A skin and the fields over it.
pub struct Shape {
    pub positions: Vec<Vec3>,
    pub set: FieldSet,
}

impl Shape {
    /// A surface of revolution through (radius, z) of `profile`, `segments` facets round, the first vertex `turned`
    /// turns from the x axis. The field has `width` × `height` cells and reaches over `low..high`.
    pub fn lathe(profile: &[(f32, f32)], segments: u32, turned: f32, field: FieldDef) -> Self {
        let vertex = |&(radius, z): &(f32, f32), segment: u32| {
            let (sin, cos) = ((segment as f32 / segments as f32 + turned) * TAU).sin_cos();
            Vec3::new(radius * cos, radius * sin, z)
        };
        let positions = profile
            .iter()
            .flat_map(|ring| (0..segments).map(move |segment| vertex(ring, segment)))
            .collect();
        let mut triangles = Vec::new();
        for ring in 0..profile.len() as u32 - 1 {
            for segment in 0..segments {
                let next = (segment + 1) % segments;
                let [a, b] = [segment, next].map(|s| ring * segments + s);
                let (above_a, above_b) = (a + segments, b + segments);
                triangles.extend([[a, b, above_b], [a, above_b, above_a]]);
            }
        }
        let triangles = triangles
            .into_iter()
            .map(|vertices| FieldTriangle {
                vertices,
                field_ix: 0,
                rank: Rank::Own,
            })
            .collect();
        let cell_count = field.cell_count();
        Self {
            positions,
            set: FieldSet {
                fields: vec![field],
                triangles,
                cell_count,
                ..FieldSet::default()
            },
        }
    }

    /// The same body, built at `scale` times the size.
    pub fn scaled(mut self, scale: f32) -> Self {
        let larger = Mat4::from_scale(Vec3::splat(scale));
        // 1 across the axis stays a metre.
        let across = Mat4::from_scale(Vec3::new(1.0 / scale, 1.0 / scale, 1.0));
        for position in &mut self.positions {
            *position *= scale;
        }
        for field in &mut self.set.fields {
            field.bone_from_field = larger * field.bone_from_field * across;
            field.length *= scale;
            field.radius *= scale;
        }
        self
    }

    /// A tube of radius 0.1 m and facets that do not line up with the cells, from z = 0 to 0.2, open at both ends.
    pub fn tube(segments: u32, turned: f32) -> Self {
        Self::lathe(
            &[(0.1, 0.0), (0.1, 0.11), (0.1, 0.2)],
            segments,
            turned,
            field(64, 20, 0.0, 0.2),
        )
    }

    /// A ball of radius 0.1 m round the origin; the field runs a cell past both poles and closes there.
    pub fn ball() -> Self {
        let ring = |i: u32| {
            let angle = PI * i as f32 / 48.0;
            (0.1 * angle.sin().max(0.0), -0.1 * angle.cos())
        };
        let profile: Vec<_> = (0..=48).map(ring).collect();
        let closed = FieldDef {
            first_row_is_cap: true,
            last_row_is_cap: true,
            ..field(64, 22, -0.11, 0.11)
        };
        Self::lathe(&profile, 96, 0.0, closed)
    }

    /// A flat square of skin at x = `x`, 0.2 m wide and high, that faces the side of `facing`.
    pub fn wall(x: f32, facing: f32) -> Self {
        let corner = |y: f32, z: f32| Vec3::new(x, y * facing, z);
        let positions = vec![
            corner(-0.1, 0.0),
            corner(0.1, 0.0),
            corner(0.1, 0.2),
            corner(-0.1, 0.2),
        ];
        let triangles = [[0, 1, 2], [0, 2, 3]]
            .map(|vertices| FieldTriangle {
                vertices,
                field_ix: 0,
                rank: Rank::Own,
            })
            .to_vec();
        Self {
            positions,
            set: FieldSet {
                fields: vec![field(64, 20, 0.0, 0.2)],
                triangles,
                cell_count: 64 * 20,
                ..FieldSet::default()
            },
        }
    }
}

/// An open field along the z axis of joint 0.
pub fn field(width: u32, height: u32, low: f32, high: f32) -> FieldDef {
    let length = high - low;
    let start = Mat4::from_translation(Vec3::Z * low);
    FieldDef {
        joint_ix: 0,
        bone_from_field: start * Mat4::from_scale(Vec3::new(1.0, 1.0, length)),
        length,
        width,
        height,
        cell_offset: 0,
        radius: 0.15,
        first_row_is_cap: false,
        last_row_is_cap: false,
        rules: FieldRules::SHIPPED,
    }
}
