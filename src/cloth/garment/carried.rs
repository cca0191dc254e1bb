//! What a character holds, wears over itself or has hanging on it: pieces of its mesh that are no body.
//!
//! A sword goes through the belly in half of its clips, a cape lies where a shirt's back belongs, a helmet's rim goes through the
//! shoulders when the head turns. No cloth can be right there, so such pieces are told from the body by where they are and set
//! aside: they are drawn, clothes are neither made round them nor held out of them.

use glam::Vec3;

use super::body::{is_within, only, part_of_triangle};
use super::humanoid::{Humanoid, Limb, Part};
use crate::avatar::Avatar;
use crate::math::connected::connected;
use crate::math::triangle_tree::TriangleTree;
use crate::math::weld::sites;

/// A piece on trunk or limbs that reaches further from the body than this is set aside, metres of a person. Usually 0.1: belts and
/// pouches remain and clothes go over them. With less, knee pads are set aside too.
const STANDS_OFF: f32 = 0.1;
/// What is in a hand is held if it reaches this many times the forearm's length from the wrist. Hands and claws stay below 1.3.
const HELD: f32 = 1.5;
/// A piece on the head that hangs lower than this beneath the base of the neck lies over the shoulders, metres of a person.
const OVERHANG: f32 = 0.05;
/// Points on a bone at which it is looked for in a piece.
const BONE_POINTS: usize = 16;
/// A bone is within a piece that winds round it this often: an open sleeve of armour winds less than once.
const WOUND: f64 = 0.3;

/// The pieces of a character's mesh that are no body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    /// One per triangle of the skin.
    pub is_carried: Vec<bool>,
    /// Names of the joints they hang on, each once, in the order of the mesh.
    pub joints: Vec<String>,
}

/// Finds what a humanoid carries; `None` where it carries nothing, or is no humanoid.
///
/// Pieces are what hangs together by triangles, so what is part of a body's only mesh is body.
pub fn carried(avatar: &Avatar) -> Option<Carried> {
    let humanoid = Humanoid::find(avatar).ok()?;
    let pieces = Pieces::new(avatar, &humanoid);
    if pieces.list.len() < 2 {
        return None;
    }
    let mut is_carried = vec![false; avatar.skin.triangles.len()];
    let mut joints: Vec<String> = Vec::new();
    for piece in pieces.carried() {
        for &ix in &piece.triangles {
            is_carried[ix] = true;
        }
        let node_ix = avatar.skeleton.joints[usize::from(piece.joint_ix)].node_ix;
        let name = &avatar.skeleton.nodes[node_ix].name;
        if !joints.contains(name) {
            joints.push(name.clone());
        }
    }
    (!joints.is_empty()).then_some(Carried { is_carried, joints })
}

/// Triangles that hang together.
struct Piece {
    triangles: Vec<usize>,
    /// The part that moves all of it; `None` for what several move.
    part: Option<Part>,
    /// 0 left, 1 right.
    side: usize,
    /// The joint that moves its first vertex most, and whether that moves all others most too.
    joint_ix: u16,
    is_rigid: bool,
    min: Vec3,
    max: Vec3,
}

struct Pieces<'a> {
    humanoid: &'a Humanoid,
    /// Tailor space.
    positions: Vec<Vec3>,
    triangles: &'a [[u32; 3]],
    list: Vec<Piece>,
}

impl<'a> Pieces<'a> {
    fn new(avatar: &'a Avatar, humanoid: &'a Humanoid) -> Self {
        let turn = humanoid.tailor_from_bind;
        let positions = avatar.skin.positions.iter().map(|&at| turn * at);
        let mut pieces = Self {
            humanoid,
            positions: positions.collect(),
            triangles: &avatar.skin.triangles,
            list: Vec::new(),
        };
        let groups = connected(pieces.triangles, &sites(&avatar.skin.positions).of_vertex);
        let list = groups.into_iter().map(|group| pieces.piece(avatar, group));
        pieces.list = list.collect();
        pieces
    }

    fn piece(&self, avatar: &Avatar, triangles: Vec<usize>) -> Piece {
        let place = |&ix: &usize| part_of_triangle(avatar, self.humanoid, self.triangles[ix]);
        let (part, side) = place(&triangles[0]);
        let joint_of = |vertex: u32| avatar.skin.joints[vertex as usize][0];
        let joint_ix = joint_of(self.triangles[triangles[0]][0]);
        let mut vertices = triangles.iter().flat_map(|&ix| self.triangles[ix]);
        let (min, max) = self
            .corners(&triangles)
            .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(min, max), at| {
                (min.min(at), max.max(at))
            });
        Piece {
            part: triangles
                .iter()
                .all(|ix| place(ix).0 == part)
                .then_some(part),
            side: side as usize,
            joint_ix,
            is_rigid: vertices.all(|vertex| joint_of(vertex) == joint_ix),
            triangles,
            min,
            max,
        }
    }

    fn corners(&self, triangles: &[usize]) -> impl Iterator<Item = Vec3> {
        let corners = triangles.iter().flat_map(|&ix| self.triangles[ix]);
        corners.map(|vertex| self.positions[vertex as usize])
    }

    fn carried(&self) -> impl Iterator<Item = &Piece> {
        let hanging: Vec<bool> = self.list.iter().map(|piece| self.may_hang(piece)).collect();
        let body = self.list.iter().zip(&hanging).filter(|(_, hangs)| !**hangs);
        let mut is_body = vec![false; self.triangles.len()];
        for &ix in body.clone().flat_map(|(piece, _)| &piece.triangles) {
            is_body[ix] = true;
        }
        let tree = TriangleTree::new(&self.positions, &only(self.triangles, |ix| is_body[ix]));
        let has_head = body.clone().any(|(piece, _)| match piece.part {
            Some(part) => is_head(part),
            None => piece.max.y > self.humanoid.neck.y,
        });
        let is_carried = move |piece: &Piece| match piece.part {
            Some(part) if is_head(part) => has_head,
            Some(Part::Hand) => true,
            _ => self.stands_off(piece, &tree),
        };
        let hanging = self.list.iter().zip(hanging).filter(|(_, hangs)| *hangs);
        hanging
            .map(|(piece, _)| piece)
            .filter(move |piece| is_carried(piece))
    }

    /// Whether a piece may be something that the body carries, by itself.
    fn may_hang(&self, piece: &Piece) -> bool {
        match piece.part {
            None | Some(Part::Foot) => false,
            Some(part) if is_head(part) => {
                piece.min.y < self.humanoid.neck.y - OVERHANG * self.humanoid.scale
            }
            Some(Part::Hand) => self.is_held(piece),
            Some(part) => !self.holds_bone(piece, part),
        }
    }

    /// Long things, and what rides on the joint of one: guards, pommels, spikes.
    fn is_held(&self, piece: &Piece) -> bool {
        let arm = &self.humanoid.arms[piece.side];
        let reach = HELD * arm.mid.distance(arm.end);
        let is_long = |piece: &Piece| {
            let mut corners = self.corners(&piece.triangles);
            corners.any(|at| at.distance(arm.end) > reach)
        };
        let rides_on = |other: &Piece| {
            other.is_rigid && other.joint_ix == piece.joint_ix && other.part == piece.part
        };
        is_long(piece)
            || (piece.is_rigid
                && self
                    .list
                    .iter()
                    .any(|other| rides_on(other) && is_long(other)))
    }

    /// Whether a bone of its part goes through a piece, as through a limb or its armour.
    fn holds_bone(&self, piece: &Piece, part: Part) -> bool {
        let inside = |at: &Vec3| at.cmpge(piece.min).all() && at.cmple(piece.max).all();
        let points = bones(self.humanoid, part, piece.side).into_iter();
        let mut points = points
            .flat_map(|(from, to)| {
                (0..=BONE_POINTS).map(move |ix| from.lerp(to, ix as f32 / BONE_POINTS as f32))
            })
            .filter(inside)
            .peekable();
        if points.peek().is_none() {
            return false;
        }
        let triangles: Vec<_> = piece
            .triangles
            .iter()
            .map(|&ix| self.triangles[ix])
            .collect();
        let tree = TriangleTree::new(&self.positions, &triangles);
        points.any(|at| tree.winding(at.as_dvec3(), 0.0).number.abs() > WOUND)
    }

    fn stands_off(&self, piece: &Piece, body: &TriangleTree) -> bool {
        let limit = f64::from(STANDS_OFF * self.humanoid.scale);
        let mut corners = self.corners(&piece.triangles);
        let is_near = |at: Vec3| body.nearest_point(at.as_dvec3(), limit).is_some();
        body.triangle_count() > 0 && corners.any(|at| !is_near(at) && !is_within(body, at))
    }
}

fn is_head(part: Part) -> bool {
    matches!(part, Part::Head | Part::Neck)
}

/// The straight lines that run through the skin of a part.
fn bones(humanoid: &Humanoid, part: Part, side: usize) -> Vec<(Vec3, Vec3)> {
    let upper = |limb: &Limb| (limb.root, limb.mid);
    let lower = |limb: &Limb| (limb.mid, limb.end);
    match part {
        Part::UpperArm => vec![upper(&humanoid.arms[side])],
        Part::LowerArm => vec![lower(&humanoid.arms[side])],
        Part::Thigh => vec![upper(&humanoid.legs[side])],
        Part::Calf => vec![lower(&humanoid.legs[side])],
        _ => {
            let hips = 0.5 * (humanoid.legs[0].root + humanoid.legs[1].root);
            let roots = [humanoid.arms, humanoid.legs].into_iter().flatten();
            let chest = humanoid.neck;
            let to_limbs = roots.map(|limb| {
                let is_leg = limb.root.distance(hips) < limb.root.distance(chest);
                (if is_leg { hips } else { chest }, limb.root)
            });
            std::iter::once((hips, chest)).chain(to_limbs).collect()
        }
    }
}
