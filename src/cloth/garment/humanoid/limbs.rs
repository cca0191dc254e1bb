//! Picks the three joints of each limb out of the tree.

use crate::avatar::SkinMesh;
use glam::Vec3;

use super::joints::JointTree;
use super::names::LimbKind;
use super::{Part, Side};

/// The joints of a limb.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain {
    /// Shoulder or hip.
    pub root: usize,
    /// Elbow or knee.
    pub mid: usize,
    /// Wrist or ankle; none where the skeleton has no joint there.
    pub end: Option<usize>,
    /// Where wrist or ankle is, bind space, metres.
    pub end_place: Vec3,
}

impl Chain {
    fn of(tree: &JointTree, [root, mid, end]: [usize; 3]) -> Self {
        Self {
            root,
            mid,
            end: Some(end),
            end_place: tree.positions[end],
        }
    }

    /// Each joint that the limb has, with what it moves.
    pub fn parts(&self, kind: LimbKind) -> impl Iterator<Item = (usize, Part)> {
        let joints = [Some(self.root), Some(self.mid), self.end];
        let parts = joints.into_iter().zip(parts_of(kind));
        parts.filter_map(|(joint_ix, part)| Some((joint_ix?, part)))
    }
}

pub(super) fn parts_of(kind: LimbKind) -> [Part; 3] {
    match kind {
        LimbKind::Arm => [Part::UpperArm, Part::LowerArm, Part::Hand],
        LimbKind::Leg => [Part::Thigh, Part::Calf, Part::Foot],
    }
}

/// Both limbs of a kind, left then right: by part names, else by limb names and proportions, else by the tree alone.
pub(super) fn pair(tree: &JointTree, skin: &SkinMesh, kind: LimbKind) -> Option<[Chain; 2]> {
    let both = |find: &dyn Fn(Side) -> Option<Chain>| Some([find(Side::Left)?, find(Side::Right)?]);
    both(&|side| by_part_names(tree, skin, kind, side))
        .or_else(|| both(&|side| Some(Chain::of(tree, by_limb_names(tree, kind, side)?))))
        .or_else(|| Some(by_shape(tree, kind)?.map(|chain| Chain::of(tree, chain))))
}

/// The base of the neck and the head; the same joint twice when there is but one.
pub(super) fn neck_and_head(tree: &JointTree, arms: &[Chain; 2]) -> Option<(usize, usize)> {
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
            let chest = tree.common_ancestor(arms[0].root, arms[1].root)?;
            let is_arm = |ix: usize| {
                arms.iter()
                    .any(|arm| tree.common_ancestor(arm.root, ix) == Some(ix))
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

/// Each part hangs under the one before it; rigs that put foot or hand elsewhere, for inverse kinematics, are met by place.
fn by_part_names(tree: &JointTree, skin: &SkinMesh, kind: LimbKind, side: Side) -> Option<Chain> {
    let parts = parts_of(kind);
    let is_named = |ix: usize, part: Part| {
        tree.meanings[ix].part == Some(part) && tree.meanings[ix].side == Some(side)
    };
    let under =
        |part: Part, top: usize| tree.shallowest(|ix| is_named(ix, part) && tree.is_under(ix, top));
    let [root, mid] = match tree.shallowest(|ix| is_named(ix, parts[0])) {
        Some(root) => [root, under(parts[1], root)?],
        None => {
            let named = tree.shallowest(|ix| is_named(ix, parts[1]))?;
            unnamed_root(tree, named, under(parts[1], named), under(parts[2], named))?
        }
    };
    let below = tree.shallowest(|ix| is_named(ix, parts[2]) && tree.is_under(ix, mid));
    if let Some(end) = below {
        return Some(Chain::of(tree, [root, mid, end]));
    }
    let tip = tip_of(tree, skin, root, mid)?;
    let is_at_tip = |ix: usize| {
        let reach = tree.positions[mid].distance(tip);
        tree.moves_skin[ix] && tree.positions[ix].distance(tip) <= NEAR_TIP * reach
    };
    let apart = tree.shallowest(|ix| is_named(ix, parts[2]) && is_at_tip(ix));
    Some(Chain {
        root,
        mid,
        end: apart,
        end_place: apart.map_or(tip, |end| tree.positions[end]),
    })
}

/// Of the way along the joints of an upper limb, how much the straight way is at least.
const IN_A_ROW: f32 = 0.97;

/// Root and middle of a limb whose root has no telling name: `leg` over `knee`, or what the `knee` hangs under, on the same side.
/// `end`: of the lower limb.
fn unnamed_root(
    tree: &JointTree,
    named: usize,
    below: Option<usize>,
    end: Option<usize>,
) -> Option<[usize; 2]> {
    if let Some(mid) = below.filter(|&ix| !tree.meanings[ix].is_control) {
        return Some([named, mid]);
    }
    let is_same_side = |ix: &usize| tree.meanings[*ix].side == tree.meanings[named].side;
    let parent = tree.parents[named].filter(is_same_side)?;
    let length = |a: usize, b: usize| tree.positions[a].distance(tree.positions[b]);
    let Some(lower) = end.map(|end| length(named, end)) else {
        return Some([parent, named]);
    };
    // Rigs that bend a limb in several joints have the upper limb's in a row: the one that makes it as long as the lower.
    let mut path = 0.0;
    let mut below = named;
    let above = std::iter::successors(Some(parent), |&ix| tree.parents[ix].filter(is_same_side));
    let in_a_row = above.take_while(|&ix| {
        path += length(ix, below);
        below = ix;
        length(ix, named) >= IN_A_ROW * path
    });
    let difference = |ix: usize| (length(ix, named) - lower).abs();
    let root = in_a_row.min_by(|&a, &b| difference(a).total_cmp(&difference(b)))?;
    Some([root, named])
}

/// Joints under the lower limb that are of hand or foot by name, beside the one that ends it: palms, thumbs, toes.
pub(super) fn digits(tree: &JointTree, chain: &Chain, tip: Part) -> impl Iterator<Item = usize> {
    (0..tree.len()).filter(move |&ix| {
        let meaning = tree.meanings[ix];
        tree.is_under(ix, chain.mid) && (meaning.is_digit || meaning.part == Some(tip))
    })
}

/// How far from the end of the lower limb's skin a foot or hand that hangs elsewhere may be, as a part of that limb's length.
/// Usual: 0 to 0.4, as skin overlaps. Beyond 1 it could be that of the other side.
const NEAR_TIP: f32 = 0.6;

/// Where the skin of the lower limb ends, on the straight line on which the upper limb leads to it or its own joints lie. None
/// where it has none.
fn tip_of(tree: &JointTree, skin: &SkinMesh, root: usize, mid: usize) -> Option<Vec3> {
    let from = tree.positions[mid];
    let is_lower = |joint_ix: u16| {
        let joint_ix = usize::from(joint_ix);
        joint_ix == mid || tree.is_under(joint_ix, mid)
    };
    let strongest = skin.positions.iter().zip(&skin.joints);
    let lower: Vec<Vec3> = strongest
        .filter(|(_, joints)| is_lower(joints[0]))
        .map(|(&position, _)| position)
        .collect();
    let mean = lower.iter().sum::<Vec3>() / lower.len().max(1) as f32;
    let upper = from - tree.positions[root];
    // Skin that bulges to one side of a short limb says less about its direction than the limb above.
    let along = (mean - from).normalize_or_zero() + 0.5 * upper.normalize_or_zero();
    let along = along.try_normalize()?;
    let reach = lower.iter().map(|&position| (position - from).dot(along));
    let reach = reach.fold(0.0, f32::max);
    (reach > 0.0).then(|| from + reach * along)
}

fn by_limb_names(tree: &JointTree, kind: LimbKind, side: Side) -> Option<[usize; 3]> {
    let mut chain: Vec<usize> = (0..tree.len())
        .filter(|&ix| {
            let meaning = tree.meanings[ix];
            tree.is_body(ix) && meaning.limb == Some(kind) && meaning.side == Some(side)
        })
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
            _ if !tree.is_leaf(ix) || !tree.ends_skin(ix) => f32::NEG_INFINITY,
            _ if sideways <= 0.01 * height => f32::NEG_INFINITY,
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
