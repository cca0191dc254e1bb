//! Large skeletons in pieces.
//!
//! What a field may borrow when joints bend is a few bones away. A creature of a thousand joints that is bent as a whole rolls up
//! into a knot, in which every ray meets everything. So its skeleton is cut into regions, and the fields of each look at the skin of
//! their region and of what borders on it. An ordinary character is one region.

use super::body::Body;
use super::skeleton::Kinship;
use crate::collide::radial::field::FieldDef;
use crate::math::triangle_tree::TriangleTree;
use glam::Vec3;
use std::borrow::Cow;

/// Joints of a region, at least, where there are as many: more than people have, with all fingers and a face. Fewer cut people, and
/// the border of each region is examined twice; with more, chains roll up, which takes longer and shows them less than they are.
const REGION_JOINTS: usize = 128;

/// Bones from a region's joints to the furthest skin that is examined with it. At least those over which a field borrows; 2 more, so
/// that the cut edge of the skin is not next to what is examined.
const BORDER_BONES: usize = 4;

/// Fields that are processed together, and the skin they are tested against.
pub struct Region<'a> {
    /// Indices of the fields whose joints are in the region.
    pub fields: Vec<usize>,
    /// All of the body's skin, or the part near the region.
    skin: Cow<'a, TriangleTree>,
}

impl<'a> Region<'a> {
    /// Every field is in one region.
    pub fn all(body: &'a Body, fields: &[FieldDef]) -> Vec<Self> {
        let groups = body.kinship.groups(REGION_JOINTS);
        if let [_] = groups[..] {
            let fields = (0..fields.len()).collect();
            let skin = Cow::Borrowed(&body.tree);
            return vec![Self { fields, skin }];
        }
        let mut fields_of_joint = vec![Vec::new(); body.kinship.parents.len()];
        for (field_ix, field) in fields.iter().enumerate() {
            fields_of_joint[field.joint_ix as usize].push(field_ix);
        }
        let cut = |group: Vec<usize>| Self {
            skin: Cow::Owned(skin_near(body, &group)),
            fields: (group.iter())
                .flat_map(|&joint_ix| fields_of_joint[joint_ix].iter().copied())
                .collect(),
        };
        groups.into_iter().map(cut).collect()
    }

    /// Its skin, for vertices at these places.
    pub fn posed(&self, positions: &[Vec3]) -> TriangleTree {
        let mut tree = self.skin.as_ref().clone();
        tree.refit(positions);
        tree
    }
}

fn skin_near(body: &Body, group: &[usize]) -> TriangleTree {
    let is_near = body.kinship.within(group, BORDER_BONES);
    let triangles = body.triangles.iter().copied();
    let near: Vec<_> = triangles
        .filter(|triangle| is_near[body.main_joint(triangle) as usize])
        .collect();
    TriangleTree::new(&body.avatar.skin.positions, &near)
}

impl Kinship {
    /// Connected groups of joints, of `least` or more but for the last: each what hangs below a joint and is in no group
    /// yet. Joints without a parent are grouped with others.
    fn groups(&self, least: usize) -> Vec<Vec<usize>> {
        let mut below: Vec<Vec<usize>> = vec![Vec::new(); self.parents.len()];
        let (mut groups, mut left) = (Vec::new(), Vec::new());
        // The deepest first, so that parents come after their children.
        let mut order: Vec<usize> = (0..self.parents.len()).collect();
        order.sort_by_key(|&joint_ix| std::cmp::Reverse(self.depths[joint_ix]));
        for joint_ix in order {
            let mut group = std::mem::take(&mut below[joint_ix]);
            group.push(joint_ix);
            let above = self.parents[joint_ix].filter(|_| group.len() < least);
            match above {
                Some(parent) => below[parent].append(&mut group),
                None if group.len() >= least => groups.push(group),
                None => left.append(&mut group),
            }
            if left.len() >= least {
                groups.push(std::mem::take(&mut left));
            }
        }
        if !left.is_empty() || groups.is_empty() {
            groups.push(left);
        }
        groups
    }

    /// For each joint whether no more than `bones` bones lie between it and one of a group.
    fn within(&self, group: &[usize], bones: usize) -> Vec<bool> {
        let mut is_within = vec![false; self.parents.len()];
        let mut reached = group.to_vec();
        for &joint_ix in group {
            is_within[joint_ix] = true;
        }
        for _ in 0..bones {
            let mut next = Vec::new();
            for &joint_ix in &reached {
                let around = self.parents[joint_ix]
                    .iter()
                    .chain(&self.children[joint_ix]);
                for &other in around {
                    if !std::mem::replace(&mut is_within[other], true) {
                        next.push(other);
                    }
                }
            }
            reached = next;
        }
        is_within
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain, each joint but the last two with another one beside the chain.
    fn centipede(segments: usize) -> Kinship {
        let parents: Vec<_> = (0..2 * segments)
            .map(|ix| {
                if ix % 2 == 0 {
                    ix.checked_sub(2)
                } else {
                    Some(ix - 1)
                }
            })
            .collect();
        let mut depths: Vec<usize> = Vec::new();
        for parent in &parents {
            depths.push(parent.map_or(1, |parent| depths[parent] + 1));
        }
        Kinship::of_parents(parents, depths)
    }

    #[test]
    fn a_skeleton_is_cut_into_groups_of_its_joints_each_once() {
        let kinship = centipede(50);
        let groups = kinship.groups(20);
        assert_eq!(groups.len(), 5);
        for group in &groups {
            assert!((20..=22).contains(&group.len()), "{}", group.len());
            let outside = |ix: &&usize| kinship.parents[**ix].is_none_or(|p| !group.contains(&p));
            assert_eq!(group.iter().filter(outside).count(), 1, "it hangs together");
        }
        let mut all = groups.concat();
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
        assert_eq!(kinship.groups(101).len(), 1);
    }

    #[test]
    fn joints_that_hang_on_nothing_share_a_group() {
        let loose = Kinship::of_parents(vec![None; 10], vec![1; 10]);
        let sizes: Vec<_> = loose.groups(4).iter().map(Vec::len).collect();
        assert_eq!(sizes, [4, 4, 2]);
    }

    #[test]
    fn what_is_near_is_so_many_bones_away() {
        let kinship = centipede(10);
        let near = kinship.within(&[8], 2);
        let listed: Vec<_> = (0..20).filter(|&ix| near[ix]).collect();
        assert_eq!(listed, [4, 6, 7, 8, 9, 10, 11, 12]);
    }
}
