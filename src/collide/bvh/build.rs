//! Flattens the binary tree: up to eight children a node, all leaves on one level.

use std::ops::Range;

use super::cluster::{Cluster, Parts, cluster};
use crate::collide::box_tree::{BoxTree, Branch};
use crate::collide::skin_triangles::BindSkin;

/// Children of a node: the paper's 8. The shaders count on at most 32.
pub const CHILDREN: usize = 8;
/// Triangles a leaf holds. Usually 8; fewer makes more jobs, more makes each of them longer.
pub const LEAF_TRIANGLES: u32 = 8;
/// Part of its places that a tree may fill before it gets another level: a full one has to be cut where it fits instead of
/// where clusters end.
const MOST_FILLED: f64 = 0.6;

/// A tree that sorts the skin's triangles.
pub fn build(skin: &mut BindSkin) -> BoxTree {
    let clusters = cluster(skin);
    let Some(root) = clusters.len().checked_sub(1) else {
        return BoxTree::of(Group::empty());
    };
    let (order, starts) = depth_first(&clusters);
    skin.reorder(&order);
    let height = height_for(skin.triangles.len());
    BoxTree::of(Group {
        clusters: &clusters,
        starts: &starts,
        range: 0..order.len() as u32,
        root: Some(root as u32),
        height,
    })
}

/// Levels above the leaves.
fn height_for(triangle_count: usize) -> u32 {
    let mut height = 0;
    while f64::from(room(height)) * MOST_FILLED < triangle_count as f64 {
        height += 1;
    }
    height
}

/// Triangles that fit below a node of that height.
fn room(height: u32) -> u32 {
    LEAF_TRIANGLES.saturating_mul((CHILDREN as u32).saturating_pow(height))
}

/// The triangles as they come in the tree, and where each cluster's begin.
fn depth_first(clusters: &[Cluster]) -> (Vec<u32>, Vec<u32>) {
    let (mut order, mut starts) = (Vec::new(), vec![0; clusters.len()]);
    let mut waiting = vec![clusters.len() as u32 - 1];
    while let Some(cluster_ix) = waiting.pop() {
        starts[cluster_ix as usize] = order.len() as u32;
        match clusters[cluster_ix as usize].parts {
            Parts::Triangle(triangle_ix) => order.push(triangle_ix),
            Parts::Clusters([first, second]) => waiting.extend([second, first]),
        }
    }
    (order, starts)
}

/// Triangles below one node: a cluster, or a run of them cut without regard to clusters.
struct Group<'a> {
    clusters: &'a [Cluster],
    starts: &'a [u32],
    range: Range<u32>,
    root: Option<u32>,
    height: u32,
}

impl Group<'_> {
    fn empty() -> Self {
        Self {
            clusters: &[],
            starts: &[],
            range: 0..0,
            root: None,
            height: 0,
        }
    }

    fn child(&self, range: Range<u32>, root: Option<u32>) -> Self {
        Self {
            range,
            root,
            height: self.height - 1,
            ..*self
        }
    }

    /// The clusters a cluster comes to when the largest is halved until there are eight; none larger than fits.
    fn by_clusters(&self, root: u32) -> Option<Vec<Self>> {
        let count = |&ix: &u32| self.clusters[ix as usize].triangle_count;
        let mut parts = vec![root];
        while parts.len() < CHILDREN {
            let largest = (0..parts.len())
                .max_by_key(|&place| (count(&parts[place]), parts.len() - place))?;
            match self.clusters[parts[largest] as usize].parts {
                Parts::Clusters(halves) if count(&parts[largest]) > LEAF_TRIANGLES => {
                    parts.splice(largest..=largest, halves);
                }
                _ => break,
            }
        }
        let fits = parts
            .iter()
            .all(|part| count(part) <= room(self.height - 1));
        fits.then(|| parts.iter().map(|&part| self.below(part)).collect())
    }

    fn below(&self, cluster_ix: u32) -> Self {
        let start = self.starts[cluster_ix as usize];
        let count = self.clusters[cluster_ix as usize].triangle_count;
        self.child(start..start + count, Some(cluster_ix))
    }

    /// Eight runs of about equal length.
    fn by_count(&self) -> Vec<Self> {
        let length = (self.range.len() as u32).div_ceil(CHILDREN as u32).max(1);
        let starts = self.range.clone().step_by(length as usize);
        starts
            .map(|start| self.child(start..(start + length).min(self.range.end), None))
            .collect()
    }
}

impl Branch for Group<'_> {
    fn children(&self) -> Vec<Self> {
        if self.height == 0 {
            return Vec::new();
        }
        if self.range.len() as u32 <= LEAF_TRIANGLES {
            return vec![self.child(self.range.clone(), self.root)];
        }
        self.root
            .and_then(|root| self.by_clusters(root))
            .unwrap_or_else(|| self.by_count())
    }

    fn triangles(&self) -> Range<u32> {
        self.range.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::box_tree::LEAF;
    use crate::collide::box_tree::tests::{assert_sound, scattered};
    use crate::math::Bounds;

    #[test]
    fn every_triangle_is_in_one_leaf_and_all_leaves_on_one_level() {
        for count in [0, 1, 8, 9, 300, 5000] {
            let mut skin = scattered(count, 1.0);
            let tree = build(&mut skin);
            assert_sound(&tree, &skin, CHILDREN as u32, LEAF_TRIANGLES);
            let leaves = tree.levels.last().expect("there is a root").clone();
            let is_leaf = |ix: u32| tree.nodes[ix as usize].count & LEAF != 0;
            assert!((0..tree.nodes.len() as u32).all(|ix| is_leaf(ix) == leaves.contains(&ix)));
        }
    }

    #[test]
    fn a_lopsided_tree_is_cut_where_it_fits() {
        // Clusters within clusters: halving the largest leaves one that is too large for its place.
        let mut skin = scattered(600, 1.0);
        let centre = skin.positions[0];
        for (ix, position) in skin.positions.iter_mut().enumerate() {
            *position = centre + (*position - centre) * 0.97f32.powi(ix as i32 / 3);
        }
        let tree = build(&mut skin);
        assert_sound(&tree, &skin, CHILDREN as u32, LEAF_TRIANGLES);
    }

    /// The surface of all boxes that a ball is likely to meet, against that of cutting the curve into eights.
    #[test]
    fn clusters_make_tighter_boxes_than_cuts() {
        let avatar = crate::avatar::builtin::load_mannequin();
        let body = crate::collide::ColliderBody {
            avatar: &avatar,
            fit: Default::default(),
            first_vertex: 0,
            first_joint: 0,
        };
        let surface = |skin: &BindSkin, tree: &mut BoxTree| -> f64 {
            let topology = crate::collide::skin_triangles::SkinTopology::of(skin);
            tree.refit(&topology, &skin.positions, &skin.positions);
            let of_node = |node: &crate::collide::box_tree::BoxNode| {
                let size = Bounds {
                    low: node.low,
                    high: node.high,
                }
                .widened(0.01)
                .size();
                f64::from(size.x * size.y + size.y * size.z + size.z * size.x)
            };
            tree.nodes.iter().map(of_node).sum()
        };
        let mut clustered = BindSkin::of(&[body]);
        let mut tree = build(&mut clustered);
        let by_clusters = surface(&clustered, &mut tree);
        let mut cut = BindSkin::of(&[body]);
        let mut keyed: Vec<_> = crate::collide::box_tree::morton_codes(&cut)
            .into_iter()
            .zip(0u32..)
            .collect();
        keyed.sort_unstable();
        cut.reorder(&keyed.iter().map(|&(_, ix)| ix).collect::<Vec<_>>());
        let mut plain = BoxTree::of(Group {
            clusters: &[],
            starts: &[],
            range: 0..cut.triangles.len() as u32,
            root: None,
            height: height_for(cut.triangles.len()),
        });
        let by_cuts = surface(&cut, &mut plain);
        println!("{by_clusters} m2 by clusters, {by_cuts} m2 by cuts");
        assert!(by_clusters < by_cuts);
    }
}
