//! Split vertices made one particle.

use std::collections::HashSet;

use glam::Vec3;

use crate::avatar::{MAX_INFLUENCES, SkinMesh};
use crate::math::weld::{Sites, sites};

/// A mesh whose vertices at one place are one.
pub(super) struct Welded {
    pub mesh: SkinMesh,
    pub sites: Sites,
}

/// Makes one vertex of those at exactly one place: with the first one's place and texture coordinates, the mean normal and the mean
/// weights. Triangles that end without area, and those that lie on another one as the back of double-sided cloth does, are left out.
pub(super) fn weld(mesh: &SkinMesh) -> Welded {
    let sites = sites(&mesh.positions);
    let mut first = vec![usize::MAX; sites.count];
    let mut normals = vec![Vec3::ZERO; sites.count];
    let mut members = vec![Vec::new(); sites.count];
    for (vertex_ix, &site) in sites.of_vertex.iter().enumerate() {
        let site = site as usize;
        first[site] = first[site].min(vertex_ix);
        normals[site] += mesh.normals[vertex_ix];
        members[site].push(vertex_ix);
    }
    let (joints, weights) = members
        .iter()
        .map(|of_site| mean_influences(mesh, of_site))
        .unzip();
    let kept = first.iter().zip(&normals);
    let mesh = SkinMesh {
        positions: first.iter().map(|&ix| mesh.positions[ix]).collect(),
        normals: kept
            .map(
                |(&ix, sum)| match members[sites.of_vertex[ix] as usize].len() {
                    1 => mesh.normals[ix],
                    _ => sum.normalize_or(mesh.normals[ix]),
                },
            )
            .collect(),
        uvs: first.iter().map(|&ix| mesh.uvs[ix]).collect(),
        joints,
        weights,
        triangles: welded_triangles(mesh, &sites),
    };
    Welded { mesh, sites }
}

fn welded_triangles(mesh: &SkinMesh, sites: &Sites) -> Vec<[u32; 3]> {
    // Only asked whether it knows a triangle, never walked.
    let mut known = HashSet::with_capacity(mesh.triangles.len());
    let triangles = mesh.triangles.iter();
    let welded = triangles.map(|triangle| triangle.map(|ix| sites.of_vertex[ix as usize]));
    welded
        .filter(|&[a, b, c]| {
            let mut corners = [a, b, c];
            corners.sort_unstable();
            a != b && b != c && c != a && known.insert(corners)
        })
        .collect()
}

fn mean_influences(
    mesh: &SkinMesh,
    members: &[usize],
) -> ([u16; MAX_INFLUENCES], [f32; MAX_INFLUENCES]) {
    let of = |ix: usize| (mesh.joints[ix], mesh.weights[ix]);
    let first = of(members[0]);
    if members.iter().all(|&ix| of(ix) == first) {
        return first;
    }
    let mut sums: Vec<(u16, f32)> = Vec::new();
    for &ix in members {
        for (&joint_ix, &weight) in mesh.joints[ix].iter().zip(&mesh.weights[ix]) {
            match sums.iter_mut().find(|(known, _)| *known == joint_ix) {
                Some((_, sum)) => *sum += weight,
                None => sums.push((joint_ix, weight)),
            }
        }
    }
    sums.retain(|(_, sum)| *sum > 0.0);
    sums.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    sums.truncate(MAX_INFLUENCES);
    let total: f32 = sums.iter().map(|(_, sum)| sum).sum();
    let (mut joints, mut weights) = ([0; MAX_INFLUENCES], [0.0; MAX_INFLUENCES]);
    for (slot, (joint_ix, sum)) in sums.into_iter().enumerate() {
        (joints[slot], weights[slot]) = (joint_ix, sum / total);
    }
    (joints, weights)
}
