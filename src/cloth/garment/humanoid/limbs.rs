//! Picks the three joints of each limb out of the tree.

use glam::Vec3;

use super::joints::JointTree;
use super::names::LimbKind;
use super::{Part, Side};

/// Both limbs of a kind, left then right: by part names, else by limb names and proportions, else by the tree alone.
pub(super) fn pair(tree: &JointTree, kind: LimbKind) -> Option<[[usize; 3]; 2]> {
    let by_parts = || {
        Some([
            by_part_names(tree, kind, Side::Left)?,
            by_part_names(tree, kind, Side::Right)?,
        ])
    };
    let by_limbs = || {
        Some([
            by_limb_names(tree, kind, Side::Left)?,
            by_limb_names(tree, kind, Side::Right)?,
        ])
    };
    by_parts()
        .or_else(by_limbs)
        .or_else(|| by_shape(tree, kind))
}

/// The base of the neck and the head; the same joint twice when there is but one.
pub(super) fn neck_and_head(tree: &JointTree, arms: &[[usize; 3]; 2]) -> Option<(usize, usize)> {
    let named = |part| tree.shallowest(|ix| tree.meanings[ix].part == Some(part));
    let neck = named(Part::Neck);
    let head = named(Part::Head);
    match (neck, head) {
        (Some(neck), Some(head)) => Some((neck, head)),
        (Some(neck), None) => Some((
            neck,
            tree.shallowest(|ix| tree.parents[ix] == Some(neck))
                .unwrap_or(neck),
        )),
        (None, Some(head)) => Some((head, head)),
        (None, None) => {
            let chest = tree.common_ancestor(arms[0][0], arms[1][0])?;
            let is_arm = |ix: usize| {
                arms.iter()
                    .any(|arm| tree.common_ancestor(arm[0], ix) == Some(ix))
            };
            let neck = tree.shallowest(|ix| tree.parents[ix] == Some(chest) && !is_arm(ix))?;
            Some((
                neck,
                tree.shallowest(|ix| tree.parents[ix] == Some(neck))
                    .unwrap_or(neck),
            ))
        }
    }
}

fn by_part_names(tree: &JointTree, kind: LimbKind, side: Side) -> Option<[usize; 3]> {
    let parts = match kind {
        LimbKind::Arm => [Part::UpperArm, Part::LowerArm, Part::Hand],
        LimbKind::Leg => [Part::Thigh, Part::Calf, Part::Foot],
    };
    let named = |part| {
        tree.shallowest(|ix| {
            tree.meanings[ix].part == Some(part) && tree.meanings[ix].side == Some(side)
        })
    };
    let chain = [named(parts[0])?, named(parts[1])?, named(parts[2])?];
    let descends = chain
        .windows(2)
        .all(|pair| tree.common_ancestor(pair[0], pair[1]) == Some(pair[0]));
    descends.then_some(chain)
}

fn by_limb_names(tree: &JointTree, kind: LimbKind, side: Side) -> Option<[usize; 3]> {
    let mut chain: Vec<usize> = (0..tree.len())
        .filter(|&ix| tree.meanings[ix].limb == Some(kind) && tree.meanings[ix].side == Some(side))
        .collect();
    chain.sort_by_key(|&ix| tree.depths[ix]);
    best_triple(tree, &chain)
}

/// Arms and legs of a tree whose names say nothing: +Y must be up and +X the character's left.
fn by_shape(tree: &JointTree, kind: LimbKind) -> Option<[[usize; 3]; 2]> {
    let (low, high) = tree.positions.iter().fold(
        (Vec3::INFINITY, Vec3::NEG_INFINITY),
        |(low, high), &position| (low.min(position), high.max(position)),
    );
    let height = high.y - low.y;
    let mid_x = 0.5 * (low.x + high.x);
    let reach = |ix: usize, sign: f32| {
        let from_low = tree.positions[ix] - Vec3::new(mid_x, low.y, 0.0);
        let sideways = sign * from_low.x;
        match kind {
            _ if !tree.is_leaf(ix) || sideways <= 0.01 * height => f32::NEG_INFINITY,
            LimbKind::Arm if from_low.y > 0.3 * height => sideways,
            LimbKind::Leg if from_low.y < 0.2 * height => sideways,
            _ => f32::NEG_INFINITY,
        }
    };
    let tip = |sign: f32| {
        let best = (0..tree.len()).max_by(|&a, &b| reach(a, sign).total_cmp(&reach(b, sign)))?;
        reach(best, sign).is_finite().then_some(best)
    };
    let (left, right) = (tip(1.0)?, tip(-1.0)?);
    let top = tree.common_ancestor(left, right);
    Some([
        best_triple(tree, &tree.chain(top, left))?,
        best_triple(tree, &tree.chain(top, right))?,
    ])
}

/// The three joints of a chain that look most like root, middle and end of a limb: two straight bones, long and of
/// about the same length. Collar bones, twist joints, feet and fingers make worse triples.
fn best_triple(tree: &JointTree, chain: &[usize]) -> Option<[usize; 3]> {
    let place = |ix: usize| tree.positions[chain[ix]];
    let bone = |from: usize, to: usize| {
        let path: f32 = (from..to).map(|ix| place(ix).distance(place(ix + 1))).sum();
        let straight = place(from).distance(place(to));
        (
            straight,
            if path > 0.0 {
                (straight / path).powi(2)
            } else {
                0.0
            },
        )
    };
    let score = |[root, mid, end]: [usize; 3]| {
        let (upper, upper_straightness) = bone(root, mid);
        let (lower, lower_straightness) = bone(mid, end);
        let balance = (upper.min(lower) / upper.max(lower).max(f32::MIN_POSITIVE)).powf(1.5);
        (upper + lower) * balance * upper_straightness * lower_straightness
    };
    let count = chain.len();
    let triples = (0..count).flat_map(|root| {
        (root + 1..count).flat_map(move |mid| (mid + 1..count).map(move |end| [root, mid, end]))
    });
    let best = triples.max_by(|&a, &b| score(a).total_cmp(&score(b)))?;
    Some(best.map(|ix| chain[ix]))
}
