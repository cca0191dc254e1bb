//! Meshes that fields are made of.

#[path = "../../src/math/test_meshes.rs"]
#[expect(dead_code, reason = "spheres are of the library's own tests")]
mod test_meshes;

use glam::{UVec3, Vec3};
use radial_fields::solid::SolidMesh;
use test_meshes::TestMesh;

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
        let TestMesh {
            positions,
            triangles,
        } = TestMesh::cuboid(low, high);
        Self {
            positions,
            triangles,
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
