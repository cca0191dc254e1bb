//! Other characters in a character's file: clothes can be made for one, and for several at once they are rags between them.

use super::body::part_of_triangle;
use super::humanoid::{Humanoid, Part};
use crate::avatar::Avatar;

/// Whoever has less skin than this part of all triangles is no character. Usually 0.1; two alike have half each.
const LEAST_SHARE: f32 = 0.1;

/// For each triangle of the skin whether it is that of a character other than the one with the most; `None` where there is but one. Characters are joint trees
/// that move the skin of a whole person each.
pub fn other_characters(avatar: &Avatar) -> Option<Vec<bool>> {
    let trees = trees_of_triangles(avatar);
    let mut counts = vec![0usize; avatar.skeleton.nodes.len()];
    trees.iter().for_each(|&tree| counts[tree] += 1);
    let least = LEAST_SHARE * trees.len() as f32;
    let mut known: Vec<usize> = (0..counts.len())
        .filter(|&tree| counts[tree] as f32 > least)
        .collect();
    if known.len() < 2 {
        return None;
    }
    known.retain(|&tree| is_person(avatar, |ix| trees[ix] == tree));
    // Of equals the first.
    known.sort_by_key(|&tree| (std::cmp::Reverse(counts[tree]), tree));
    let [_, others @ ..] = &known[..] else {
        return None;
    };
    (!others.is_empty()).then(|| trees.iter().map(|tree| others.contains(tree)).collect())
}

/// The topmost joint's node above what moves each triangle's first corner most.
fn trees_of_triangles(avatar: &Avatar) -> Vec<usize> {
    let skeleton = &avatar.skeleton;
    let mut is_joint = vec![false; skeleton.nodes.len()];
    for joint in &skeleton.joints {
        is_joint[joint.node_ix] = true;
    }
    let top = |node_ix: usize| {
        let line = std::iter::successors(Some(node_ix), |&ix| skeleton.nodes[ix].parent);
        let joints = line.filter(|&ix| is_joint[ix]);
        joints.last().unwrap_or(node_ix)
    };
    let tops: Vec<usize> = (skeleton.joints.iter())
        .map(|joint| top(joint.node_ix))
        .collect();
    let skin = &avatar.skin;
    let tree = |&[corner, ..]: &[u32; 3]| tops[usize::from(skin.joints[corner as usize][0])];
    skin.triangles.iter().map(tree).collect()
}

/// Whether a part of the skin has all that a person has.
fn is_person(avatar: &Avatar, is_part: impl Fn(usize) -> bool) -> bool {
    let mut alone = Avatar {
        skeleton: avatar.skeleton.clone(),
        skin: avatar.skin.clone(),
        ..Avatar::default()
    };
    alone.set_aside(|ix| !is_part(ix));
    let Ok(humanoid) = Humanoid::find(&alone) else {
        return false;
    };
    let mut has = [false; Part::COUNT];
    for &triangle in &alone.skin.triangles {
        has[part_of_triangle(&alone, &humanoid, triangle).0 as usize] = true;
    }
    let needed = [
        Part::Torso,
        Part::Head,
        Part::UpperArm,
        Part::LowerArm,
        Part::Thigh,
        Part::Calf,
    ];
    needed.into_iter().all(|part| has[part as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::builtin::load_mannequin;
    use crate::cloth::garment::{GarmentKind, make};
    use glam::Vec3;

    /// The mannequin twice, two metres apart, each with a skeleton of its own.
    fn pair() -> Avatar {
        let mut pair = load_mannequin();
        let (nodes, joints) = (pair.skeleton.nodes.len(), pair.skeleton.joints.len());
        let other = pair.clone();
        let aside = Vec3::new(2.0, 0.0, 0.0);
        pair.skeleton
            .nodes
            .extend(other.skeleton.nodes.into_iter().map(|mut node| {
                node.parent = node.parent.map(|parent| parent + nodes);
                node
            }));
        pair.skeleton
            .joints
            .extend(other.skeleton.joints.into_iter().map(|mut joint| {
                joint.node_ix += nodes;
                joint.bone_from_bind *= glam::Mat4::from_translation(-aside);
                joint
            }));
        let (skin, vertices) = (&mut pair.skin, other.skin.positions.len() as u32);
        skin.positions
            .extend(other.skin.positions.iter().map(|&at| at + aside));
        skin.normals.extend(other.skin.normals);
        skin.uvs.extend(other.skin.uvs);
        skin.weights.extend(other.skin.weights);
        let moved = |of: [u16; crate::avatar::MAX_INFLUENCES]| of.map(|ix| ix + joints as u16);
        skin.joints.extend(other.skin.joints.into_iter().map(moved));
        let moved = |triangle: [u32; 3]| triangle.map(|ix| ix + vertices);
        skin.triangles
            .extend(other.skin.triangles.into_iter().map(moved));
        pair.parts.clear();
        pair
    }

    #[test]
    fn of_two_characters_in_a_file_the_first_is_dressed_as_if_it_were_alone() {
        let alone = load_mannequin();
        assert_eq!(other_characters(&alone), None);
        let mut pair = pair();
        let is_others = other_characters(&pair).expect("there are two");
        let count = alone.skin.triangles.len();
        assert!(is_others[..count].iter().all(|is_others| !is_others));
        assert!(is_others[count..].iter().all(|is_others| *is_others));
        pair.set_aside(|ix| is_others[ix]);
        assert_eq!(pair.skin.triangles, alone.skin.triangles);
        let [expected, found] = [&alone, &pair].map(|avatar| {
            let made = make(GarmentKind::TrousersAndTop, avatar, 600).expect("a person");
            made.iter()
                .map(|garment| garment.mesh.triangles.len())
                .collect::<Vec<_>>()
        });
        assert_eq!(found, expected);
    }
}
