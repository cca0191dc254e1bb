//! Closed meshes with a known inside, for tests.

use glam::Vec3;
use std::f32::consts::{PI, TAU};

/// The corners of a box's faces, counter-clockwise; the bits of a corner's number say on which side it is along x, y and z.
pub(crate) const CUBOID_FACES: [[u32; 4]; 6] = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
];

/// Positions and counter-clockwise triangles.
#[derive(Clone, Debug, Default)]
pub(crate) struct TestMesh {
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

impl TestMesh {
    /// A closed sphere of `2 * segment_count * (ring_count - 1)` triangles, every corner exactly on it.
    pub fn sphere(centre: Vec3, radius: f32, ring_count: u32, segment_count: u32) -> Self {
        let mut mesh = Self::default();
        mesh.positions.push(centre + Vec3::Y * radius);
        for ring in 1..ring_count {
            let (polar_sin, polar_cos) = (PI * ring as f32 / ring_count as f32).sin_cos();
            for segment in 0..segment_count {
                let (sin, cos) = (TAU * segment as f32 / segment_count as f32).sin_cos();
                mesh.positions
                    .push(centre + radius * Vec3::new(polar_sin * cos, polar_cos, polar_sin * sin));
            }
        }
        mesh.positions.push(centre - Vec3::Y * radius);
        mesh.triangles = sphere_triangles(ring_count, segment_count);
        mesh
    }

    /// A closed box of twelve triangles.
    pub fn cuboid(min: Vec3, max: Vec3) -> Self {
        let corner = |ix: u32| {
            let side = |bit: u32| (ix >> bit & 1) as f32;
            min + (max - min) * Vec3::new(side(0), side(1), side(2))
        };
        Self {
            positions: (0..8).map(corner).collect(),
            triangles: CUBOID_FACES
                .iter()
                .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
                .collect(),
        }
    }

    /// Both meshes as one, each still closed, overlapping where they do.
    pub fn with(mut self, other: Self) -> Self {
        let first = self.positions.len() as u32;
        self.positions.extend(other.positions);
        self.triangles
            .extend(other.triangles.iter().map(|t| t.map(|ix| ix + first)));
        self
    }
}

fn sphere_triangles(ring_count: u32, segment_count: u32) -> Vec<[u32; 3]> {
    let vertex = |ring: u32, segment: u32| 1 + (ring - 1) * segment_count + segment % segment_count;
    let bottom = 1 + (ring_count - 1) * segment_count;
    let mut triangles = Vec::new();
    for s in 0..segment_count {
        triangles.push([0, vertex(1, s + 1), vertex(1, s)]);
        triangles.push([
            bottom,
            vertex(ring_count - 1, s),
            vertex(ring_count - 1, s + 1),
        ]);
        for r in 1..ring_count - 1 {
            triangles.push([vertex(r, s), vertex(r, s + 1), vertex(r + 1, s)]);
            triangles.push([vertex(r + 1, s), vertex(r, s + 1), vertex(r + 1, s + 1)]);
        }
    }
    triangles
}
