//! Normals of faces, edges and vertices whose side of the mesh is right everywhere round a closed one.
//!
//! Source: Bærentzen and Aanæs, "Signed distance computation using the angle weighted pseudonormal", 2005.

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::SolidMesh;
use crate::math::closest::Feature;

/// The normals of a mesh's edges and vertices, of unit length; zero where faces cancel. Those of faces are cheap to make anew.
#[derive(Clone, Debug, PartialEq)]
pub struct Pseudonormals {
    /// One a vertex: of the faces round it, each weighed by its angle there.
    pub vertices: Vec<Vec3>,
    /// Three a triangle, of its edges from each corner to the next: of all the faces at the edge.
    pub edges: Vec<[Vec3; 3]>,
}

impl Pseudonormals {
    /// The normals of a mesh.
    pub fn of(mesh: &SolidMesh) -> Self {
        let faces: Vec<DVec3> = mesh
            .triangles()
            .par_iter()
            .map(|&t| unit_normal(corners_of(mesh, t)))
            .collect();
        Self {
            vertices: vertex_normals(mesh, &faces),
            edges: edge_normals(mesh, &faces),
        }
    }

    /// Which way is out where a triangle's feature is nearest; `face` is the triangle's own.
    pub fn at(
        &self,
        triangle_ix: usize,
        triangle: [u32; 3],
        feature: Feature,
        face: DVec3,
    ) -> DVec3 {
        match feature {
            Feature::Face => face,
            Feature::Edge(edge) => self.edges[triangle_ix][edge].as_dvec3(),
            Feature::Corner(corner) => self.vertices[triangle[corner] as usize].as_dvec3(),
        }
    }
}

fn corners_of(mesh: &SolidMesh, triangle: [u32; 3]) -> [DVec3; 3] {
    triangle.map(|ix| mesh.positions()[ix as usize].as_dvec3())
}

/// Of unit length; zero without an area.
pub(super) fn unit_normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a).normalize_or_zero()
}

fn vertex_normals(mesh: &SolidMesh, faces: &[DVec3]) -> Vec<Vec3> {
    let mut sums = vec![DVec3::ZERO; mesh.positions().len()];
    for (&triangle, &face) in mesh.triangles().iter().zip(faces) {
        let corners = corners_of(mesh, triangle);
        for corner in 0..3 {
            let edge = |to: usize| corners[to % 3] - corners[corner];
            let angle = edge(corner + 1).angle_between(edge(corner + 2));
            sums[triangle[corner] as usize] += face * angle;
        }
    }
    let unit = |sum: &DVec3| sum.normalize_or_zero().as_vec3();
    sums.iter().map(unit).collect()
}

fn edge_normals(mesh: &SolidMesh, faces: &[DVec3]) -> Vec<[Vec3; 3]> {
    let mut normals = vec![[Vec3::ZERO; 3]; mesh.triangles().len()];
    for sides in mesh.edges() {
        let sum: DVec3 = sides.iter().map(|side| faces[side.triangle_ix()]).sum();
        for side in sides {
            normals[side.triangle_ix()][side.corner()] = sum.normalize_or_zero().as_vec3();
        }
    }
    normals
}
