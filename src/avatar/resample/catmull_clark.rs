//! One step of Catmull-Clark subdivision (Catmull and Clark 1978), boundaries as cubic curves.

use super::Stencil;
use std::collections::HashMap;

/// A mesh refined once: every face of n corners becomes n quads.
pub struct Refinement {
    /// The new vertices: first the moved old ones, then one per face, then one per edge.
    pub stencils: Vec<Stencil>,
    /// Wound like the face each comes from.
    pub quads: Vec<[u32; 4]>,
    /// The old face each quad comes from.
    pub parents: Vec<u32>,
}

/// Refines a polygon mesh of `vertex_count` vertices. Edges of more than two faces are not supported: the mesh must be
/// a manifold, with or without boundary. A vertex of no face stays where it is.
pub fn catmull_clark(faces: &[Vec<u32>], vertex_count: usize) -> Refinement {
    let edges = Edges::of(faces);
    let first_face_point = vertex_count as u32;
    let first_edge_point = first_face_point + faces.len() as u32;
    let mut stencils = vertex_stencils(faces, &edges, vertex_count);
    stencils.extend(faces.iter().map(|face| mean(face)));
    stencils.extend(
        edges
            .ends
            .iter()
            .zip(&edges.faces)
            .map(|(ends, of)| edge_stencil(*ends, of, faces)),
    );
    let mut quads = Vec::new();
    let mut parents = Vec::new();
    for (face_ix, face) in faces.iter().enumerate() {
        for corner in 0..face.len() {
            let [before, here, after] =
                [corner + face.len() - 1, corner, corner + 1].map(|at| face[at % face.len()]);
            let edge_point = |a, b| first_edge_point + edges.index[&key(a, b)];
            quads.push([
                here,
                edge_point(here, after),
                first_face_point + face_ix as u32,
                edge_point(before, here),
            ]);
            parents.push(face_ix as u32);
        }
    }
    Refinement {
        stencils: stencils.into_iter().map(merged).collect(),
        quads,
        parents,
    }
}

/// Every edge once, numbered in the order the faces meet them.
struct Edges {
    index: HashMap<(u32, u32), u32>,
    ends: Vec<(u32, u32)>,
    /// The faces of each edge: one on a boundary, else two.
    faces: Vec<Vec<u32>>,
}

impl Edges {
    fn of(faces: &[Vec<u32>]) -> Self {
        let mut edges = Self {
            index: HashMap::new(),
            ends: Vec::new(),
            faces: Vec::new(),
        };
        for (face_ix, face) in faces.iter().enumerate() {
            for (at, &a) in face.iter().enumerate() {
                edges.insert(key(a, face[(at + 1) % face.len()]), face_ix as u32);
            }
        }
        edges
    }

    fn insert(&mut self, ends: (u32, u32), face_ix: u32) {
        let edge_ix = *self.index.entry(ends).or_insert_with(|| {
            self.ends.push(ends);
            self.faces.push(Vec::new());
            self.ends.len() as u32 - 1
        });
        self.faces[edge_ix as usize].push(face_ix);
    }
}

fn key(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

fn mean(vertices: &[u32]) -> Stencil {
    vertices
        .iter()
        .map(|&ix| (ix, 1.0 / vertices.len() as f32))
        .collect()
}

/// The mean of the edge's ends and its two face points; on a boundary the midpoint.
fn edge_stencil((a, b): (u32, u32), edge_faces: &[u32], faces: &[Vec<u32>]) -> Stencil {
    let [first, second] = edge_faces else {
        return vec![(a, 0.5), (b, 0.5)];
    };
    let mut stencil = vec![(a, 0.25), (b, 0.25)];
    for face_ix in [first, second] {
        stencil.extend(scaled(&mean(&faces[*face_ix as usize]), 0.25));
    }
    stencil
}

/// Where the old vertices go: (F + 2 E + (n − 3) V) / n inside, (A + 6 V + B) / 8 on a boundary.
fn vertex_stencils(faces: &[Vec<u32>], edges: &Edges, vertex_count: usize) -> Vec<Stencil> {
    let mut faces_of = vec![Vec::new(); vertex_count];
    let mut edges_of = vec![Vec::new(); vertex_count];
    for (face_ix, face) in faces.iter().enumerate() {
        face.iter()
            .for_each(|&ix| faces_of[ix as usize].push(face_ix));
    }
    for (edge_ix, &(a, b)) in edges.ends.iter().enumerate() {
        edges_of[a as usize].push(edge_ix);
        edges_of[b as usize].push(edge_ix);
    }
    let other = |edge_ix: usize, ix: u32| {
        let (a, b) = edges.ends[edge_ix];
        if a == ix { b } else { a }
    };
    (0..vertex_count as u32)
        .map(|ix| {
            let (own_faces, own_edges) = (&faces_of[ix as usize], &edges_of[ix as usize]);
            let borders: Vec<usize> = own_edges
                .iter()
                .copied()
                .filter(|&edge_ix| edges.faces[edge_ix].len() == 1)
                .collect();
            if let [a, b] = borders[..] {
                return vec![(other(a, ix), 0.125), (ix, 0.75), (other(b, ix), 0.125)];
            }
            if own_faces.is_empty() || !borders.is_empty() {
                return vec![(ix, 1.0)];
            }
            let valence = own_faces.len() as f32;
            let mut stencil = vec![(ix, (valence - 3.0) / valence)];
            for &face_ix in own_faces {
                stencil.extend(scaled(&mean(&faces[face_ix]), 1.0 / (valence * valence)));
            }
            for &edge_ix in own_edges {
                let share = 1.0 / (valence * valence);
                stencil.extend([(ix, share), (other(edge_ix, ix), share)]);
            }
            stencil
        })
        .collect()
}

fn scaled(stencil: &[(u32, f32)], factor: f32) -> impl Iterator<Item = (u32, f32)> {
    stencil
        .iter()
        .map(move |&(ix, weight)| (ix, weight * factor))
}

/// The stencil with each vertex once, by index: shorter, and its sum does not depend on how it was gathered.
fn merged(mut stencil: Stencil) -> Stencil {
    stencil.sort_by_key(|&(ix, _)| ix);
    let mut merged: Stencil = Vec::with_capacity(stencil.len());
    for (ix, weight) in stencil {
        match merged.last_mut() {
            Some(last) if last.0 == ix => last.1 += weight,
            _ => merged.push((ix, weight)),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::super::blend_points;
    use super::*;
    use crate::math::test_meshes::{CUBOID_FACES, TestMesh};
    use glam::Vec3;

    fn cube() -> (Vec<Vec<u32>>, Vec<Vec3>) {
        let cube = TestMesh::cuboid(Vec3::NEG_ONE, Vec3::ONE);
        (
            CUBOID_FACES.map(|face| face.to_vec()).to_vec(),
            cube.positions,
        )
    }

    #[test]
    fn a_cube_moves_as_the_rule_says() {
        let (faces, corners) = cube();
        let refined = catmull_clark(&faces, 8);
        let points = blend_points(&refined.stencils, &corners);
        assert_eq!((refined.quads.len(), points.len()), (24, 26));
        assert!(
            (points[7] - Vec3::splat(5.0 / 9.0)).length() < 1e-6,
            "{}",
            points[7]
        );
        for stencil in &refined.stencils {
            assert!((stencil.iter().map(|entry| entry.1).sum::<f32>() - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn a_closed_mesh_stays_closed() {
        let (faces, _) = cube();
        let refined = catmull_clark(&faces, 8);
        let directed: std::collections::HashSet<(u32, u32)> = refined
            .quads
            .iter()
            .flat_map(|quad| (0..4).map(|at| (quad[at], quad[(at + 1) % 4])))
            .collect();
        assert_eq!(directed.len(), 96);
        assert!(directed.iter().all(|&(a, b)| directed.contains(&(b, a))));
    }

    #[test]
    fn the_boundary_of_one_quad_becomes_a_curve() {
        let refined = catmull_clark(&[vec![0, 1, 2, 3]], 4);
        assert_eq!(refined.quads.len(), 4);
        assert_eq!(refined.stencils[0], vec![(0, 0.75), (1, 0.125), (3, 0.125)]);
    }
}
