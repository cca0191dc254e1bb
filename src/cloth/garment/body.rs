//! The skin that garments are made on, in tailor space.

use crate::avatar::Avatar;
use glam::Vec3;

use super::GarmentError;
use super::humanoid::{Humanoid, Part, Side};
use super::tree::TriangleTree;

/// A triangle is sampled with at most this many steps along a side: skin in the wrong units must not fill the memory.
const MOST_STEPS: usize = 16;

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
    pub tree: TriangleTree,
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
        let parts = avatar
            .skin
            .triangles
            .iter()
            .map(|&triangle| part_of_triangle(avatar, &humanoid, triangle))
            .collect();
        let tree = TriangleTree::new(&positions, &avatar.skin.triangles, |_| true);
        Self {
            avatar,
            humanoid,
            positions,
            parts,
            tree,
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

    /// The triangles that `chosen` accepts, as a tree of their own.
    pub fn tree_of(&self, chosen: impl Fn((Part, Side)) -> bool) -> TriangleTree {
        TriangleTree::new(&self.positions, &self.avatar.skin.triangles, |ix| {
            chosen(self.parts[ix])
        })
    }

    pub fn is_inside(&self, point: Vec3) -> bool {
        self.tree.winding_number(point) > 0.5
    }

    /// Points on the chosen parts of the skin, no two neighbours farther apart than `spacing`.
    pub fn samples(&self, spacing: f32, chosen: impl Fn((Part, Side)) -> bool) -> Vec<Vec3> {
        let triangles = self
            .avatar
            .skin
            .triangles
            .iter()
            .zip(&self.parts)
            .filter(|(_, part)| chosen(**part));
        let corners = triangles.map(|(triangle, _)| triangle.map(|ix| self.positions[ix as usize]));
        let mut samples = Vec::new();
        for [a, b, c] in corners {
            let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
            let steps = ((longest / spacing).ceil() as usize).clamp(1, MOST_STEPS);
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

fn part_of_triangle(avatar: &Avatar, humanoid: &Humanoid, triangle: [u32; 3]) -> (Part, Side) {
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
