//! What a garment's surface carries besides its particles: how the weave runs, and how far the hem is.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};

use crate::avatar::SkinMesh;
use crate::cloth::garment::Garment;

/// `ClothSurface` of glsl/render/cloth.vert.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct ClothSurface {
    /// Metres along the weave.
    pub at: Vec2,
    /// Metres to the nearest border along the cloth, at most [`FARTHEST_HEM`].
    pub hem: f32,
    /// Metres, bind space.
    pub rest: Vec3,
    /// Of its texture.
    pub uv: Vec2,
}

/// `SkinSurface` of glsl/render/body.vert.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct SkinSurface {
    /// Metres, bind space.
    pub rest: Vec3,
    pub uv: Vec2,
    /// 1 where a garment covers it as made, else 0.
    pub covered: f32,
}

/// Metres; nothing is drawn further from a border.
const FARTHEST_HEM: f32 = 0.06;

/// One value per particle of a garment, or a drawn vertex where it has those.
pub fn cloth_surface(garment: &Garment) -> Vec<ClothSurface> {
    let mesh = &garment.mesh;
    let hems = hem_distances(mesh);
    let Some(drawn) = &garment.drawn else {
        let weave = weave_coordinates(mesh);
        return (0..mesh.positions.len())
            .map(|ix| ClothSurface {
                at: weave[ix],
                hem: hems[ix],
                rest: mesh.positions[ix],
                uv: mesh.uvs[ix],
            })
            .collect();
    };
    let rest = |&particle_ix: &u32| mesh.positions[particle_ix as usize];
    let as_drawn = SkinMesh {
        positions: drawn.particles.iter().map(rest).collect(),
        uvs: drawn.uvs.clone(),
        triangles: drawn.triangles.clone(),
        ..SkinMesh::default()
    };
    let weave = weave_coordinates(&as_drawn);
    let vertices = drawn.particles.iter().enumerate();
    vertices
        .map(|(ix, &particle_ix)| ClothSurface {
            at: weave[ix],
            hem: hems[particle_ix as usize],
            rest: as_drawn.positions[ix],
            uv: drawn.uvs[ix],
        })
        .collect()
}

/// One value per vertex of a body; `covered` has as many.
pub fn skin_surface(mesh: &SkinMesh, covered: &[f32]) -> Vec<SkinSurface> {
    let vertices = mesh.positions.iter().zip(&mesh.uvs).zip(covered);
    vertices
        .map(|((&rest, &uv), &covered)| SkinSurface { rest, uv, covered })
        .collect()
}

/// Texture coordinates scaled to metres, or for a mesh without them, metres round and along the body's upright axis.
fn weave_coordinates(mesh: &SkinMesh) -> Vec<Vec2> {
    match metres_per_uv(mesh) {
        Some(scale) => mesh.uvs.iter().map(|&uv| uv * scale).collect(),
        None => unrolled(mesh),
    }
}

fn metres_per_uv(mesh: &SkinMesh) -> Option<f32> {
    let (mut area, mut uv_area) = (0.0, 0.0);
    for &triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|vertex| mesh.positions[vertex as usize]);
        let [ta, tb, tc] = triangle.map(|vertex| mesh.uvs[vertex as usize]);
        area += (b - a).cross(c - a).length();
        uv_area += (tb - ta).perp_dot(tc - ta).abs();
    }
    let scale = (area / uv_area).sqrt();
    scale.is_normal().then_some(scale)
}

fn unrolled(mesh: &SkinMesh) -> Vec<Vec2> {
    let count = mesh.positions.len().max(1) as f32;
    let centre = mesh.positions.iter().sum::<Vec3>() / count;
    let across = |p: &Vec3| Vec2::new(p.x - centre.x, p.z - centre.z);
    let radius = mesh
        .positions
        .iter()
        .map(|p| across(p).length())
        .sum::<f32>()
        / count;
    let unroll = |p: &Vec3| Vec2::new(across(p).to_angle() * radius, p.y);
    mesh.positions.iter().map(unroll).collect()
}

/// Shortest ways along edges to a border, cut off at [`FARTHEST_HEM`].
pub(super) fn hem_distances(mesh: &SkinMesh) -> Vec<f32> {
    let edges = counted_edges(mesh);
    let neighbours = neighbours(mesh.positions.len(), &edges);
    let mut distances = vec![FARTHEST_HEM; mesh.positions.len()];
    let mut queue = BinaryHeap::new();
    for ([a, b], count) in edges {
        if count == 1 {
            queue.extend([Reverse((0, a)), Reverse((0, b))]);
        }
    }
    while let Some(Reverse((bits, vertex))) = queue.pop() {
        let distance = f32::from_bits(bits);
        let known = &mut distances[vertex as usize];
        if distance >= *known {
            continue;
        }
        *known = distance;
        for &other in &neighbours[vertex as usize] {
            let edge = mesh.positions[vertex as usize].distance(mesh.positions[other as usize]);
            // Bits of floats that are not negative order like the floats.
            queue.push(Reverse(((distance + edge).to_bits(), other)));
        }
    }
    distances
}

/// Every edge once, lower vertex first, with how many triangles share it.
fn counted_edges(mesh: &SkinMesh) -> Vec<([u32; 2], u32)> {
    let of_triangle = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
    let mut edges: Vec<_> = mesh.triangles.iter().flat_map(of_triangle).collect();
    for edge in &mut edges {
        edge.sort_unstable();
    }
    edges.sort_unstable();
    edges
        .chunk_by(|a, b| a == b)
        .map(|same| (same[0], same.len() as u32))
        .collect()
}

fn neighbours(vertex_count: usize, edges: &[([u32; 2], u32)]) -> Vec<Vec<u32>> {
    let mut neighbours = vec![Vec::new(); vertex_count];
    for &([a, b], _) in edges {
        neighbours[a as usize].push(b);
        neighbours[b as usize].push(a);
    }
    neighbours
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A flat sheet of `n` by `n` squares, `step` metres each, with or without texture coordinates.
    fn sheet(n: u32, step: f32, uv_scale: f32) -> SkinMesh {
        let mut mesh = SkinMesh::default();
        for y in 0..=n {
            for x in 0..=n {
                mesh.positions
                    .push(Vec3::new(x as f32, y as f32, 0.0) * step);
                mesh.uvs.push(Vec2::new(x as f32, y as f32) * uv_scale);
            }
        }
        for y in 0..n {
            for x in 0..n {
                let a = y * (n + 1) + x;
                mesh.triangles.push([a, a + 1, a + n + 2]);
                mesh.triangles.push([a, a + n + 2, a + n + 1]);
            }
        }
        mesh
    }

    #[test]
    fn the_hem_is_as_far_as_the_rows_are() {
        let hems = hem_distances(&sheet(8, 0.01, 0.0));
        assert_eq!(hems[0], 0.0);
        assert!((hems[2 * 9 + 4] - 0.02).abs() < 1e-6);
        assert!((hems[4 * 9 + 4] - 0.04).abs() < 1e-6);
    }

    #[test]
    fn far_from_a_border_the_distance_is_cut_off() {
        assert_eq!(
            hem_distances(&sheet(20, 0.01, 0.0))[10 * 21 + 10],
            FARTHEST_HEM
        );
    }

    #[test]
    fn texture_coordinates_become_metres() {
        let weave = weave_coordinates(&sheet(4, 0.02, 0.25));
        assert!(weave[24].abs_diff_eq(Vec2::splat(0.08), 1e-5));
    }

    #[test]
    fn without_texture_coordinates_height_stays_height() {
        let weave = weave_coordinates(&sheet(4, 0.02, 0.0));
        assert!((weave[24].y - weave[0].y - 0.08).abs() < 1e-6);
    }

    #[test]
    fn a_mesh_without_triangles_has_no_trouble() {
        let mesh = SkinMesh {
            positions: vec![Vec3::ONE],
            uvs: vec![Vec2::ZERO],
            ..SkinMesh::default()
        };
        assert_eq!(weave_coordinates(&mesh).len(), 1);
        assert_eq!(hem_distances(&mesh).len(), 1);
        assert!(weave_coordinates(&SkinMesh::default()).is_empty());
    }
}
