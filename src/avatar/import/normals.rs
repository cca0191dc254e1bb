//! Normals where a file has none.

use glam::Vec3;

use crate::avatar::SkinMesh;
use crate::avatar::validate::area_vector;
use crate::math::weld::sites;

/// Makes every normal unit length; those that are zero or not finite are rebuilt from the triangles round all
/// vertices at the same position, weighted by area, so that unwelded meshes come out smooth. A vertex without any
/// area gets +Y. Returns how many were rebuilt.
pub(super) fn settle(mesh: &mut SkinMesh) -> u32 {
    let mut missing = Vec::new();
    for (vertex_ix, normal) in mesh.normals.iter_mut().enumerate() {
        match is_unit(*normal) {
            true => {}
            false => match unit(*normal) {
                Some(unit) => *normal = unit,
                None => missing.push(vertex_ix),
            },
        }
    }
    if missing.is_empty() {
        return 0;
    }
    let (site_of_vertex, sums) = summed_areas(mesh);
    for &vertex_ix in &missing {
        mesh.normals[vertex_ix] = unit(sums[site_of_vertex[vertex_ix] as usize]).unwrap_or(Vec3::Y);
    }
    missing.len() as u32
}

/// Vertices at one position share a site; each site's sum of area vectors.
fn summed_areas(mesh: &SkinMesh) -> (Vec<u32>, Vec<Vec3>) {
    let sites = sites(&mesh.positions);
    let mut sums = vec![Vec3::ZERO; sites.count];
    for &triangle in &mesh.triangles {
        let area = area_vector(&mesh.positions, triangle);
        for vertex_ix in triangle {
            sums[sites.of_vertex[vertex_ix as usize] as usize] += area;
        }
    }
    (sites.of_vertex, sums)
}

/// Close enough to leave the file's own bits alone.
fn is_unit(normal: Vec3) -> bool {
    (normal.length_squared() - 1.0).abs() < 1e-6
}

/// None for zero and for what is not finite. In double precision: the areas of millimetre triangles square to
/// numbers that single precision cannot hold.
fn unit(normal: Vec3) -> Option<Vec3> {
    normal.as_dvec3().try_normalize().map(|unit| unit.as_vec3())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tent(scale: f32) -> SkinMesh {
        // Two unwelded triangles that meet in the edge along z, one rising, one falling.
        let corners = [
            [0., 0., 0.],
            [1., 1., 1.],
            [1., 1., 0.],
            [1., 1., 0.],
            [1., 1., 1.],
            [2., 0., 0.],
        ];
        let positions: Vec<Vec3> = corners
            .into_iter()
            .map(|corner| Vec3::from(corner) * scale)
            .collect();
        let normals = vec![Vec3::ZERO; positions.len()];
        SkinMesh {
            positions,
            normals,
            triangles: vec![[0, 1, 2], [3, 4, 5]],
            ..SkinMesh::default()
        }
    }

    #[test]
    fn unwelded_corners_share_a_smooth_normal() {
        for scale in [1.0, 1e-9] {
            let mut mesh = tent(scale);
            assert_eq!(settle(&mut mesh), 6);
            assert_eq!(mesh.normals[2], mesh.normals[3]);
            assert!(
                mesh.normals[2].abs_diff_eq(Vec3::Y, 1e-6),
                "{}",
                mesh.normals[2]
            );
            assert!(mesh.normals[0].x < -0.5);
        }
    }

    #[test]
    fn keeps_good_normals_and_replaces_bad_ones() {
        let mut mesh = tent(1.0);
        mesh.normals = vec![
            Vec3::Z,
            Vec3::X * 2.0,
            Vec3::NAN,
            Vec3::INFINITY,
            Vec3::ZERO,
            Vec3::Z,
        ];
        assert_eq!(settle(&mut mesh), 3);
        assert_eq!((mesh.normals[0], mesh.normals[1]), (Vec3::Z, Vec3::X));
        assert!(mesh.normals.iter().all(|normal| normal.is_normalized()));
    }

    #[test]
    fn no_area_still_gives_a_normal() {
        let mut mesh = tent(0.0);
        settle(&mut mesh);
        assert_eq!(mesh.normals[0], Vec3::Y);
    }
}
