//! Connected components of the triangles: a body may be one shell, or many that lie over and in each other.

use crate::avatar::SkinMesh;
use crate::math::connected::{DisjointSets, connected};
use crate::math::weld::sites;

/// The shells of a skin.
pub struct Shells {
    /// For each vertex its place: exporters split vertices where texture or normals do.
    pub welded: Vec<u32>,
    pub count: usize,
}

impl Shells {
    pub fn new(skin: &SkinMesh) -> Self {
        let sites = sites(&skin.positions);
        let corners = |triangle: &[u32; 3]| triangle.map(|v| sites.of_vertex[v as usize]);
        let mut sets = DisjointSets::new(sites.count);
        for triangle in &skin.triangles {
            sets.join(corners(triangle));
        }
        let mut used: Vec<u32> = (skin.triangles.iter())
            .map(|triangle| sets.of(corners(triangle)[0]))
            .collect();
        used.sort_unstable();
        used.dedup();
        Self {
            count: used.len(),
            welded: sites.of_vertex,
        }
    }

    /// Triangles grouped into connected components: lists of places in `triangles`, in order of their first.
    pub fn groups_of(&self, triangles: &[[u32; 3]]) -> Vec<Vec<usize>> {
        connected(triangles, &self.welded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn split_vertices_are_one_shell_and_far_triangles_two() {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X, Vec3::Y, Vec3::ONE];
        let far = corners[..3].iter().map(|&p| p + 5.0 * Vec3::X);
        let skin = SkinMesh {
            positions: corners.into_iter().chain(far).collect(),
            triangles: vec![[0, 1, 2], [6, 7, 8], [3, 5, 4]],
            ..SkinMesh::default()
        };
        let shells = Shells::new(&skin);
        assert_eq!(shells.count, 2);
        assert_eq!(shells.groups_of(&skin.triangles), [vec![0, 2], vec![1]]);
        assert_eq!(shells.groups_of(&skin.triangles[1..]), [vec![0], vec![1]]);
    }
}
