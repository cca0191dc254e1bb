//! The tree as a list of nodes for a GPU.

use super::TriangleTree;
use bytemuck::{Pod, Zeroable};
use glam::Vec3;

/// A node as shaders read it, 32 bytes in scalar layout. A node's left child follows it, its right one is the left one's `next`.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct FlatNode {
    /// The box, never smaller than the tree's own.
    pub low: Vec3,
    /// The first node that is not under this one.
    pub next: u32,
    pub high: Vec3,
    /// Of a leaf its first triangle in the tree's order times 8, plus how many it has; 0 of all others.
    pub triangles: u32,
}

/// Part of a coordinate by which boxes are wider than they are, for rounding to f32: two units in the last place.
const BOX_SLACK: f32 = 2.4e-7;

impl TriangleTree {
    /// All nodes, parents first.
    pub fn flat_nodes(&self) -> Vec<FlatNode> {
        let nodes = self.nodes.iter().zip(&self.bounds).enumerate();
        let flat = nodes.map(|(ix, (node, bounds))| {
            let (low, high) = (bounds.min.as_vec3(), bounds.max.as_vec3());
            let is_leaf = node.next == ix + 1;
            let run = node.triangles.start * 8 + node.triangles.len();
            FlatNode {
                low: low - low.abs() * BOX_SLACK,
                next: node.next as u32,
                high: high + high.abs() * BOX_SLACK,
                triangles: if is_leaf { run as u32 } else { 0 },
            }
        });
        flat.collect()
    }

    /// Where each triangle of the tree's order stands in the list that the tree was made of.
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::test_meshes::TestMesh;

    #[test]
    fn leaves_hold_every_triangle_once_within_their_boxes() {
        let mesh = TestMesh::sphere(Vec3::ONE, 0.5, 10, 15);
        let nodes = TriangleTree::new(&mesh.positions, &mesh.triangles);
        let (flat, numbers) = (nodes.flat_nodes(), nodes.numbers());
        let mut held = vec![0; mesh.triangles.len()];
        for (ix, node) in flat.iter().enumerate() {
            let (first, count) = (node.triangles as usize / 8, node.triangles as usize % 8);
            assert_eq!(count > 0, node.next as usize == ix + 1);
            for &number in &numbers[first..first + count] {
                held[number as usize] += 1;
                for vertex_ix in mesh.triangles[number as usize] {
                    let at = mesh.positions[vertex_ix as usize];
                    assert!(node.low.cmple(at).all() && at.cmple(node.high).all());
                }
            }
        }
        assert_eq!(held, vec![1; mesh.triangles.len()]);
        assert_eq!(flat[0].next as usize, flat.len());
    }
}
