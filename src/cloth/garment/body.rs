//! The skin that garments are made on, in tailor space.

use crate::avatar::Avatar;
use glam::Vec3;
use rayon::prelude::*;

use super::GarmentError;
use super::humanoid::{Humanoid, Part, Side};
use crate::math::connected::connected;
use crate::math::solid_angle::INSIDE_WINDING;
use crate::math::triangle_tree::TriangleTree;
use crate::math::weld::sites;
use crate::pose::Palette;

/// A body whose largest piece has at least this part of the skin is of one piece, whatever it has besides: shoes, buttons. Usually 0.9
/// and more for people, a third for toys.
const ONE_PIECE: f32 = 0.6;

/// Of a piece's skin, how much is trunk and how much limbs at least where it goes on from one to the other. Usually 0.1: the lower half of a person has
/// a fifth of it on the hips, the leg of a toy nothing but what of its top moves with them.
const BOTH: f32 = 0.1;

/// A triangle is sampled with at most this many steps along a side: skin in the wrong units must not fill the memory.
const MAX_STEPS: usize = 16;

/// How a garment sees a part of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Covered, as part of the trunk of the garment.
    Trunk,
    /// Covered by the left sleeve or leg: kept apart from the trunk and from the other side.
    LeftTube,
    RightTube,
    /// Not covered, and the garment keeps away from it.
    Avoided,
    /// Not covered, and next to what is: its distance means nothing to the garment.
    Ignored,
}

/// A body with a query structure over all of it.
pub(super) struct Body<'a> {
    pub avatar: &'a Avatar,
    pub humanoid: Humanoid,
    /// Metres, tailor space, by vertex of the skin.
    pub positions: Vec<Vec3>,
    /// The part that moves each triangle most.
    pub parts: Vec<(Part, Side)>,
    /// All of the skin.
    pub tree: TriangleTree,
    /// Whether a triangle lies within another part of the body, where it is not visible: where limbs of several closed pieces
    /// reach into each other.
    is_buried: Vec<bool>,
    /// The skin that is not buried.
    pub outer: TriangleTree,
    /// Whether trunk and limbs are several closed pieces instead of one skin.
    pub is_of_pieces: bool,
    /// Of the clips that clothes are cut for; empty for none.
    pub poses: Vec<Palette>,
}

impl<'a> Body<'a> {
    pub fn new(avatar: &'a Avatar, humanoid: Humanoid) -> Self {
        let turn = humanoid.tailor_from_bind;
        let positions: Vec<Vec3> = avatar
            .skin
            .positions
            .iter()
            .map(|&position| turn * position)
            .collect();
        let parts: Vec<(Part, Side)> = avatar
            .skin
            .triangles
            .iter()
            .map(|&triangle| part_of_triangle(avatar, &humanoid, triangle))
            .collect();
        let triangles = &avatar.skin.triangles;
        let tree = TriangleTree::new(&positions, triangles);
        let lift = LIFT * humanoid.scale;
        let is_buried = triangles.par_iter().map(|triangle| {
            let corners = triangle.map(|ix| positions[ix as usize]);
            is_buried(&tree, corners, lift)
        });
        let is_buried: Vec<bool> = is_buried.collect();
        let outer = TriangleTree::new(&positions, &only(triangles, |ix| !is_buried[ix]));
        let is_of_pieces = is_of_pieces(avatar, &parts);
        Self {
            avatar,
            humanoid,
            positions,
            parts,
            tree,
            is_buried,
            outer,
            is_of_pieces,
            poses: Vec::new(),
        }
    }

    /// # Errors
    /// [`GarmentError::NoSurface`] when trunk or legs have no skin.
    pub fn check_covered(&self) -> Result<(), GarmentError> {
        for (part, place) in [
            (Part::Torso, "trunk"),
            (Part::Thigh, "thighs"),
            (Part::Calf, "calves"),
        ] {
            if !self.parts.iter().any(|&(other, _)| other == part) {
                return Err(GarmentError::NoSurface {
                    avatar: self.avatar.name.clone(),
                    place,
                });
            }
        }
        Ok(())
    }

    /// The outer triangles that `chosen` accepts, as a tree of their own.
    pub fn tree_of(&self, chosen: impl Fn((Part, Side)) -> bool) -> TriangleTree {
        let is_chosen = |ix: usize| !self.is_buried[ix] && chosen(self.parts[ix]);
        TriangleTree::new(
            &self.positions,
            &only(&self.avatar.skin.triangles, is_chosen),
        )
    }

    /// All triangles that `chosen` accepts, as a tree of their own: closed pieces stay closed.
    pub fn closed_tree_of(&self, chosen: impl Fn((Part, Side)) -> bool) -> TriangleTree {
        let is_chosen = |ix: usize| chosen(self.parts[ix]);
        TriangleTree::new(
            &self.positions,
            &only(&self.avatar.skin.triangles, is_chosen),
        )
    }

    /// The corners of the outer triangles that `chosen` accepts.
    pub fn triangles(
        &self,
        chosen: impl Fn((Part, Side)) -> bool,
    ) -> impl Iterator<Item = [Vec3; 3]> {
        let triangles = self.avatar.skin.triangles.iter().enumerate();
        let chosen =
            triangles.filter(move |&(ix, _)| !self.is_buried[ix] && chosen(self.parts[ix]));
        chosen.map(|(_, triangle)| triangle.map(|ix| self.positions[ix as usize]))
    }

    pub fn is_inside(&self, point: Vec3) -> bool {
        is_within(&self.tree, point)
    }

    /// Points on the chosen parts of the outer skin, no two neighbours farther apart than `spacing`.
    pub fn samples(&self, spacing: f32, chosen: impl Fn((Part, Side)) -> bool) -> Vec<Vec3> {
        let mut samples = Vec::new();
        for [a, b, c] in self.triangles(chosen) {
            let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
            let steps = ((longest / spacing).ceil() as usize).clamp(1, MAX_STEPS);
            for i in 0..=steps {
                for j in 0..=steps - i {
                    samples.push(
                        a + (b - a) * (i as f32 / steps as f32)
                            + (c - a) * (j as f32 / steps as f32),
                    );
                }
            }
        }
        samples
    }

    /// Height of the crotch: the lowest point of the body in the plane of symmetry.
    pub fn crotch_y(&self) -> f32 {
        let humanoid = &self.humanoid;
        let hip_y = humanoid.hip_y();
        let step = 0.01 * humanoid.scale;
        let z = 0.5 * (humanoid.legs[0].root.z + humanoid.legs[1].root.z);
        let lowest = humanoid
            .trunk_y(-0.35)
            .max(0.5 * (hip_y + humanoid.lower_leg_y(0.0)));
        let holds_body = |y: f32| {
            (-8..=8).any(|row| {
                self.is_inside(Vec3::new(humanoid.mid_x(), y, z + 2.0 * row as f32 * step))
            })
        };
        let heights = (0..).map(|row| hip_y - row as f32 * step);
        heights
            .take_while(|&y| y > lowest)
            .take_while(|&y| holds_body(y))
            .last()
            .unwrap_or(hip_y - 8.0 * step)
    }
}

/// What each patch of skin that counts as a dipole may add to a winding number's error. 0.06 takes a patch for one from about twice
/// its radius on, and keeps numbers within 1 %, which matters on the very skin alone; with the exact answer of
/// [`TriangleTree::contains`] a character of many pieces takes four times as long to dress.
const PATCH_TOLERANCE: f64 = 0.06;

/// Whether a point lies within what a tree holds.
pub(super) fn is_within(tree: &TriangleTree, point: Vec3) -> bool {
    tree.winding(point.as_dvec3(), PATCH_TOLERANCE).number >= INSIDE_WINDING
}

/// Whether neither a piece that hangs together has most of the skin of trunk and limbs, nor pieces that go on from trunk to limbs: upper and
/// lower half of a body in two meshes are one skin with a seam.
fn is_of_pieces(avatar: &Avatar, parts: &[(Part, Side)]) -> bool {
    let skin = &avatar.skin;
    let area = |ix: usize| {
        let [a, b, c] = skin.triangles[ix].map(|vertex| skin.positions[vertex as usize]);
        (b - a).cross(c - a).length()
    };
    let (mut whole, mut largest, mut joined) = (0.0, 0.0f32, 0.0);
    for piece in connected(&skin.triangles, &sites(&skin.positions).of_vertex) {
        let (mut trunk, mut limbs) = (0.0, 0.0);
        for ix in piece {
            match parts[ix].0 {
                Part::Head | Part::Neck => {}
                Part::Torso => trunk += area(ix),
                _ => limbs += area(ix),
            }
        }
        let sum = trunk + limbs;
        whole += sum;
        largest = largest.max(sum);
        if trunk.min(limbs) > BOTH * sum {
            joined += sum;
        }
    }
    largest.max(joined) < ONE_PIECE * whole
}

/// Those triangles whose index is chosen.
pub(super) fn only(triangles: &[[u32; 3]], chosen: impl Fn(usize) -> bool) -> Vec<[u32; 3]> {
    let triangles = triangles.iter().enumerate();
    let chosen = triangles.filter(|&(ix, _)| chosen(ix));
    chosen.map(|(_, &triangle)| triangle).collect()
}

/// Metres of a person by which points lie above a triangle to see whether they are within another piece of the body.
const LIFT: f32 = 0.001;

/// Points of a triangle, by the weight of each corner.
const SEEN_AT: [[f32; 3]; 4] = [
    [0.34, 0.33, 0.33],
    [0.9, 0.05, 0.05],
    [0.05, 0.9, 0.05],
    [0.05, 0.05, 0.9],
];

/// Whether all of a triangle's front lies within the body.
fn is_buried(tree: &TriangleTree, [a, b, c]: [Vec3; 3], lift: f32) -> bool {
    let Some(normal) = (b - a).cross(c - a).try_normalize() else {
        return false;
    };
    let point = |[at_a, at_b, at_c]: [f32; 3]| at_a * a + at_b * b + at_c * c + lift * normal;
    SEEN_AT
        .into_iter()
        .all(|weights| is_within(tree, point(weights)))
}

pub(super) fn part_of_triangle(
    avatar: &Avatar,
    humanoid: &Humanoid,
    triangle: [u32; 3],
) -> (Part, Side) {
    let skin = &avatar.skin;
    let mut shares = [[0.0f32; 2]; Part::COUNT];
    for vertex_ix in triangle.map(|ix| ix as usize) {
        for (&joint_ix, &weight) in skin.joints[vertex_ix].iter().zip(&skin.weights[vertex_ix]) {
            let (part, side) = humanoid.part_of_joint[joint_ix as usize];
            shares[part as usize][side as usize] += weight;
        }
    }
    let mut best = (Part::Torso, Side::Left);
    for &(part, side) in &humanoid.part_of_joint {
        if shares[part as usize][side as usize] > shares[best.0 as usize][best.1 as usize] {
            best = (part, side);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloth::garment::figure::capsule_person;

    /// The person in two meshes, which end at the waist, 2 mm from each other.
    fn halved() -> Avatar {
        let mut person = capsule_person();
        let skin = &mut person.skin;
        let count = skin.positions.len() as u32;
        let lowered: Vec<Vec3> = skin
            .positions
            .iter()
            .map(|&p| p - 0.002 * Vec3::Y)
            .collect();
        skin.positions.extend(lowered);
        skin.normals.extend_from_within(..);
        skin.uvs.extend_from_within(..);
        skin.joints.extend_from_within(..);
        skin.weights.extend_from_within(..);
        for triangle in &mut skin.triangles {
            let height: f32 = triangle
                .map(|ix| skin.positions[ix as usize].y)
                .iter()
                .sum();
            if height < 3.0 * 1.08 {
                *triangle = triangle.map(|ix| ix + count);
            }
        }
        person
    }

    #[test]
    fn a_body_in_an_upper_and_a_lower_mesh_is_one_skin_with_a_seam() {
        let halved = halved();
        let humanoid = Humanoid::find(&halved).expect("it is a person");
        let body = Body::new(&halved, humanoid);
        let pieces = connected(
            &halved.skin.triangles,
            &sites(&halved.skin.positions).of_vertex,
        );
        let most = ONE_PIECE * halved.skin.triangles.len() as f32;
        assert!(pieces.iter().all(|piece| (piece.len() as f32) < most));
        assert!(!body.is_of_pieces);
    }
}
