//! The tree of the two techniques that search eight children at once: the binary tree by clusters, flattened to up to eight children per
//! node, all leaves on one level.

use super::cluster::{Cluster, Clusters, Parts, cluster, room_looked_into};
use super::{BoxTree, Branch};
use crate::collide::skin_triangles::BindSkin;
use crate::math::Bounds;

/// Children of a node: the paper's 8.
pub const CHILDREN: usize = 8;
/// Triangles a leaf holds. Usually 8; fewer makes more jobs, more makes each of them longer.
pub const LEAF_TRIANGLES: u32 = 8;

/// As many are tested at once by the threads of glsl/wide_bvh/collide.comp that share a particle.
const _: () = assert!(CHILDREN <= 8 && LEAF_TRIANGLES <= 8);

/// Part of its places that a tree may fill before it gets another level: in a full one clusters have to be torn apart to fit.
const MAX_FILLED: f64 = 0.6;

/// Levels that no tree exceeds. The largest body that a device holds, of less than 2³¹ triangles, has 11; five more join 32,768 bodies.
/// Usual ones, of up to 157,000 triangles, have 6, and 4096 of them 10 in all. The stack of glsl/bvh/respond.comp has
/// room for so many.
pub const MAX_LEVELS: usize = 16;

/// A tree that sorts the skin's triangles.
pub fn build(skin: &mut BindSkin) -> BoxTree {
    let Clusters { all, roots } = cluster(skin);
    let triangle_counts = roots.iter().map(|&root| all[root as usize].triangle_count);
    let height_of_bodies = height_for(triangle_counts.max().unwrap_or(0));
    let root = Group {
        clusters: &all,
        height: height_of_bodies + height_over(roots.len()),
        height_of_bodies,
        roots,
    };
    let (tree, order) = BoxTree::of(root);
    assert!(
        tree.levels.len() <= MAX_LEVELS,
        "{} levels",
        tree.levels.len()
    );
    skin.reorder(&order);
    tree
}

/// Levels above the roots of so many bodies.
fn height_over(body_count: usize) -> u32 {
    let mut height = 0;
    while CHILDREN.pow(height) < body_count {
        height += 1;
    }
    height
}

/// Levels above the leaves of a body's tree.
fn height_for(triangle_count: u32) -> u32 {
    let mut height = 0;
    while f64::from(capacity(height)) * MAX_FILLED < f64::from(triangle_count) {
        height += 1;
    }
    height
}

/// Triangles that fit below a node of that height.
fn capacity(height: u32) -> u32 {
    LEAF_TRIANGLES.saturating_mul((CHILDREN as u32).saturating_pow(height))
}

/// Parts among which pairs are sought; with more it takes too long, and they are cut where it fits.
const MAX_PARTS: usize = 4 * CHILDREN;

/// The clusters below one node: usually one, but a cluster too small for its own slot joins a neighbour; above the bodies' trees one a body.
struct Group<'a> {
    clusters: &'a [Cluster],
    roots: Vec<u32>,
    height: u32,
    /// That of the bodies' roots: all are alike, so that all leaves are on one level.
    height_of_bodies: u32,
}

impl Group<'_> {
    fn count(&self) -> u32 {
        self.roots.iter().map(|&root| self.count_of(root)).sum()
    }

    fn count_of(&self, cluster_ix: u32) -> u32 {
        self.clusters[cluster_ix as usize].triangle_count
    }

    fn bounds(&self) -> Bounds {
        let bounds = |&root: &u32| self.clusters[root as usize].bounds;
        self.roots
            .iter()
            .map(bounds)
            .fold(Bounds::EMPTY, Bounds::union)
    }

    fn below(&self, roots: Vec<u32>) -> Self {
        Self {
            clusters: self.clusters,
            roots,
            height: self.height - 1,
            ..*self
        }
    }

    /// Up to eight ranges of about as many bodies, in the order in which the world lists them.
    fn bodies(&self) -> Vec<Self> {
        let length = self.roots.len().div_ceil(CHILDREN);
        let runs = self.roots.chunks(length);
        runs.map(|run| self.below(run.to_vec())).collect()
    }

    /// Halves the largest of the clusters; false when all are single triangles.
    fn halve_largest(&self, parts: &mut Vec<u32>) -> bool {
        let key = |&place: &usize| (self.count_of(parts[place]), usize::MAX - place);
        let Some(largest) = (0..parts.len()).max_by_key(key) else {
            return false;
        };
        match self.clusters[parts[largest] as usize].parts {
            Parts::Clusters(halves) => {
                parts.splice(largest..=largest, halves);
                true
            }
            Parts::Triangle(_) => false,
        }
    }

    /// The clusters halved until there are eight worth a place, and none that is too large for one.
    fn parts(&self) -> Vec<u32> {
        let mut parts = self.roots.clone();
        loop {
            let largest = parts.iter().map(|&part| self.count_of(part)).max();
            let is_too_large = largest > Some(capacity(self.height - 1));
            let is_worth_it = parts.len() < CHILDREN && largest > Some(LEAF_TRIANGLES);
            if !(is_too_large || is_worth_it) || !self.halve_largest(&mut parts) {
                return parts;
            }
        }
    }

    /// Merges the closest groups until eight are left; `None` when those left cannot be merged.
    fn joined(&self, parts: &[u32]) -> Option<Vec<Self>> {
        let mut groups: Vec<_> = parts.iter().map(|&part| self.below(vec![part])).collect();
        while groups.len() > CHILDREN {
            let (keep, join) = cheapest_pair(&groups, capacity(self.height - 1))?;
            let joined = groups.remove(join);
            groups[keep].roots.extend(joined.roots);
        }
        Some(groups)
    }

    /// Eight ranges of about equal length, regardless of clusters.
    fn cut(&self) -> Vec<Self> {
        let leaves = self.leaves();
        let length = leaves.len().div_ceil(CHILDREN);
        leaves
            .chunks(length)
            .map(|run| self.below(run.to_vec()))
            .collect()
    }

    /// The single triangles, as clusters, in the order of their clusters.
    fn leaves(&self) -> Vec<u32> {
        let mut waiting: Vec<u32> = self.roots.iter().rev().copied().collect();
        let mut leaves = Vec::new();
        while let Some(cluster_ix) = waiting.pop() {
            match self.clusters[cluster_ix as usize].parts {
                Parts::Triangle(_) => leaves.push(cluster_ix),
                Parts::Clusters([first, second]) => waiting.extend([second, first]),
            }
        }
        leaves
    }
}

/// The two groups whose union is looked into least, of those that fit one place; the later second.
fn cheapest_pair(groups: &[Group], capacity: u32) -> Option<(usize, usize)> {
    let pairs = (0..groups.len()).flat_map(|a| (a + 1..groups.len()).map(move |b| (a, b)));
    let fitting = pairs.filter(|&(a, b)| groups[a].count() + groups[b].count() <= capacity);
    let cost =
        |(a, b): (usize, usize)| room_looked_into(groups[a].bounds().union(groups[b].bounds()));
    fitting.min_by(|&a, &b| cost(a).total_cmp(&cost(b)))
}

impl Branch for Group<'_> {
    fn children(&self) -> Vec<Self> {
        if self.height == 0 {
            return Vec::new();
        }
        if self.height > self.height_of_bodies {
            return self.bodies();
        }
        if self.count() <= LEAF_TRIANGLES {
            return vec![self.below(self.roots.clone())];
        }
        // Finer parts fit where coarse ones do not.
        let mut parts = self.parts();
        while parts.len() <= MAX_PARTS {
            if let Some(groups) = self.joined(&parts) {
                return groups;
            }
            if !self.halve_largest(&mut parts) {
                break;
            }
        }
        self.cut()
    }

    fn triangles(&self) -> Vec<u32> {
        let triangle = |&leaf: &u32| match self.clusters[leaf as usize].parts {
            Parts::Triangle(triangle_ix) => Some(triangle_ix),
            Parts::Clusters(_) => None,
        };
        self.leaves().iter().filter_map(triangle).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::builtin;
    use crate::collide::ColliderBody;
    use crate::collide::box_tree::tests::{assert_bodies_apart, assert_sound, crowd, scattered};
    use crate::collide::box_tree::{BoxNode, LEAF, place_keys};
    use crate::collide::skin_triangles::SkinTopology;

    #[test]
    fn every_triangle_is_in_one_leaf_and_all_leaves_on_one_level() {
        for count in [0, 1, 8, 9, 300, 5000] {
            let mut skin = scattered(count, 1.0);
            let tree = build(&mut skin);
            assert_sound(&tree, &skin, CHILDREN as u32, LEAF_TRIANGLES);
            assert_leaves_level(&tree);
        }
    }

    fn assert_leaves_level(tree: &BoxTree) {
        let leaves = tree.levels.last().expect("there is a root").clone();
        let is_leaf = |ix: u32| tree.nodes[ix as usize].count & LEAF != 0;
        assert!((0..tree.nodes.len() as u32).all(|ix| is_leaf(ix) == leaves.contains(&ix)));
    }

    #[test]
    fn bodies_have_trees_of_their_own() {
        for (body_count, large, level_count) in [(2, 9, 3), (8, 1, 6), (9, 0, 7), (4096, 4000, 9)] {
            let mut skin = crowd(body_count, 5, large, 5000);
            let tree = build(&mut skin);
            assert_sound(&tree, &skin, CHILDREN as u32, LEAF_TRIANGLES);
            assert_bodies_apart(&tree, &skin);
            assert_leaves_level(&tree);
            assert_eq!(tree.levels.len(), level_count, "{body_count} bodies");
        }
    }

    #[test]
    fn no_world_that_a_device_holds_has_a_deeper_tree() {
        let levels = |bodies, triangles| height_over(bodies) + height_for(triangles) + 1;
        assert_eq!(levels(1 << 15, 1 << 31), MAX_LEVELS as u32);
        assert_eq!(levels(1 << 12, 1 << 17), 10);
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

    /// A tree that cuts its triangles into eights without looking.
    struct Cut {
        range: std::ops::Range<u32>,
        height: u32,
    }

    impl Branch for Cut {
        fn children(&self) -> Vec<Self> {
            if self.height == 0 {
                return Vec::new();
            }
            let length = (self.range.len() as u32).div_ceil(CHILDREN as u32).max(1);
            let starts = self.range.clone().step_by(length as usize);
            let cut = |start: u32| Self {
                range: start..(start + length).min(self.range.end),
                height: self.height - 1,
            };
            starts.map(cut).collect()
        }

        fn triangles(&self) -> Vec<u32> {
            self.range.clone().collect()
        }
    }

    /// The volume of all boxes widened by the search radius, which is how many particles look into them, against that of cutting the
    /// curve into eights.
    #[test]
    fn clusters_make_tighter_boxes_than_cuts() {
        let avatar = builtin::load_mannequin();
        let body = ColliderBody {
            avatar: &avatar,
            fit: Default::default(),
            fields: &std::sync::OnceLock::new(),
            first_vertex: 0,
            first_joint: 0,
        };
        let room_of = |skin: &BindSkin, tree: &mut BoxTree| -> f64 {
            let topology = SkinTopology::of(skin);
            tree.refit(&topology, &skin.positions, &skin.positions);
            let of_node = |node: &BoxNode| {
                let (low, high) = (node.low, node.high);
                f64::from(room_looked_into(Bounds { low, high }))
            };
            tree.nodes.iter().map(of_node).sum()
        };
        let mut clustered = BindSkin::of(&[body]);
        let mut tree = build(&mut clustered);
        let by_clusters = room_of(&clustered, &mut tree);
        let mut cut = BindSkin::of(&[body]);
        let mut keyed: Vec<_> = place_keys(&cut).into_iter().zip(0u32..).collect();
        keyed.sort_unstable();
        cut.reorder(&keyed.iter().map(|&(_, ix)| ix).collect::<Vec<_>>());
        let (mut plain, _) = BoxTree::of(Cut {
            range: 0..cut.triangles.len() as u32,
            height: height_for(cut.triangles.len() as u32),
        });
        let by_cuts = room_of(&cut, &mut plain);
        println!("{by_clusters} m3 by clusters, {by_cuts} m3 by cuts");
        assert!(by_clusters < by_cuts);
    }
}
