//! Meshes that fields are made of.

use glam::{UVec3, Vec3};
use radial_fields::solid::SolidMesh;

/// Positions and triangles.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

impl Shape {
    /// A torus round the y axis, its tube of the second radius.
    pub fn torus(radius: f32, tube: f32, segments: UVec3) -> Self {
        let (around, across) = (segments.x, segments.y);
        let angle = |ix: u32, count: u32| std::f32::consts::TAU * ix as f32 / count as f32;
        let mut shape = Self::default();
        for i in 0..around {
            let (sin, cos) = angle(i, around).sin_cos();
            for k in 0..across {
                let (up, out) = angle(k, across).sin_cos();
                let out = radius + tube * out;
                shape
                    .positions
                    .push(Vec3::new(cos * out, tube * up, sin * out));
            }
        }
        for i in 0..around {
            for k in 0..across {
                let at = |di: u32, dk: u32| (i + di) % around * across + (k + dk) % across;
                shape.triangles.push([at(0, 0), at(0, 1), at(1, 1)]);
                shape.triangles.push([at(0, 0), at(1, 1), at(1, 0)]);
            }
        }
        shape
    }

    /// A box of twelve triangles.
    pub fn cuboid(low: Vec3, high: Vec3) -> Self {
        let corner = |ix: u32| {
            let side = |bit: u32| (ix >> bit & 1) as f32;
            low + (high - low) * Vec3::new(side(0), side(1), side(2))
        };
        let quads = [
            [0, 4, 6, 2],
            [1, 3, 7, 5],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 2, 3, 1],
            [4, 5, 7, 6],
        ];
        let halves = |&[a, b, c, d]: &[u32; 4]| [[a, b, c], [a, c, d]];
        Self {
            positions: (0..8).map(corner).collect(),
            triangles: quads.iter().flat_map(halves).collect(),
        }
    }

    /// A thin spike on a square, whose faces meet at acute angles.
    pub fn spike() -> Self {
        let base = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let mut positions: Vec<Vec3> = base
            .iter()
            .map(|&[x, z]| 0.1 * Vec3::new(x, 0.0, z))
            .collect();
        positions.push(Vec3::Y * 0.6);
        Self {
            positions,
            triangles: vec![
                [0, 1, 2],
                [0, 2, 3],
                [1, 0, 4],
                [2, 1, 4],
                [3, 2, 4],
                [0, 3, 4],
            ],
        }
    }

    /// Both as one.
    pub fn with(mut self, other: Self) -> Self {
        let first = self.positions.len() as u32;
        self.positions.extend(other.positions);
        self.triangles
            .extend(other.triangles.iter().map(|t| t.map(|ix| ix + first)));
        self
    }

    pub fn mesh(&self) -> SolidMesh {
        SolidMesh::new(&self.positions, &self.triangles).expect("it is a mesh")
    }
}
