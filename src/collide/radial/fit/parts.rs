//! Additional fields for skin that a joint's first field cannot hold.
//!
//! One axis sees one star-shaped limb. Characters made of many shells attach more to a joint: a helmet with horns on a head, a sword
//! on a hand, a bag on a back. So the points under the outer skin that no field holds in the bind pose are looked for, gathered by
//! connected component, and each group gets an axis and a field like a limb, the largest first.
//!
//! Bodies of a single shell get none: the points that their fields miss belong to folds, where more fields would hold air.

use super::body::Body;
use super::limb::{Facet, Limb};
use super::probe::{DEPTH_CELLS, Drawn, PROBED_FACETS, above};
use super::{FitSettings, Fitted, fit_limb};
use rayon::prelude::*;

/// Fields that a joint gets besides its first, at most. Usually 1 to 3 are used; a cuirass with pouches has more.
const MAX_PARTS: usize = 8;

/// Share of a joint's stake that may stay unheld before it gets another field. Usually 0.01; 0 makes fields for rounding.
const BARE_SHARE: f32 = 0.01;

/// What is not held is worth a field from this many cells of area on. With 1, every corner gets one.
const MIN_CELLS: f32 = 6.0;

/// The least that a part's field scores on its own skin, 1 at best. Usually 0.3; lower lays fields that hold little but air.
const MIN_SCORE: f32 = 0.3;

/// Adds fields for the skin that the joints' first fields leave uncovered. `first` has one entry per joint.
pub fn complete(body: &Body, settings: &FitSettings, first: Vec<Option<Fitted>>) -> Vec<Fitted> {
    if !body.is_layered() {
        return first.into_iter().flatten().collect();
    }
    let drawn: Vec<_> = first
        .par_iter()
        .map(|fitted| Some(draw(body, fitted.as_ref()?)))
        .collect();
    let more: Vec<_> = (0..first.len())
        .into_par_iter()
        .map(|joint_ix| parts(body, settings, joint_ix, &drawn))
        .collect();
    let both = first.into_iter().zip(more);
    both.flat_map(|(first, more)| first.into_iter().chain(more))
        .collect()
}

/// A field attached to its joint, in the bind pose.
fn draw(body: &Body, fitted: &Fitted) -> Drawn {
    let joint = &body.avatar.skeleton.joints[fitted.field.joint_ix as usize];
    let bind_from_field = joint.bone_from_bind.inverse() * fitted.field.bone_from_field;
    Drawn::new(fitted, body, bind_from_field.inverse())
}

/// The fields that a joint gets besides its first.
fn parts(
    body: &Body,
    settings: &FitSettings,
    joint_ix: usize,
    drawn: &[Option<Drawn>],
) -> Vec<Fitted> {
    let limb = Limb::new(body, joint_ix, settings);
    let near: Vec<_> = drawn
        .iter()
        .enumerate()
        .filter(|(other, _)| body.kinship.are_near(joint_ix as u32, *other as u32))
        .filter_map(|(_, drawn)| drawn.as_ref())
        .collect();
    let sample = limb.sample(limb.judged(PROBED_FACETS));
    let bare: f32 = sample
        .iter()
        .filter(|f| is_bare(&limb, f, &near, &[]))
        .map(|f| f.stake)
        .sum();
    if bare <= BARE_SHARE * sample.iter().map(|f| f.stake).sum::<f32>() {
        return Vec::new();
    }
    let mut bare: Vec<_> = limb
        .facets
        .iter()
        .filter(|f| is_bare(&limb, f, &near, &[]))
        .copied()
        .collect();
    let (mut parts, mut held) = (Vec::new(), Vec::new());
    while parts.len() < MAX_PARTS
        && let Some(patch) = take_largest(body, settings, &mut bare)
    {
        let part = limb.part(with_neighbours(&limb, &patch));
        let Some((score, fitted)) = fit_limb(&part, settings) else {
            continue;
        };
        if score < MIN_SCORE {
            continue;
        }
        let fitted = fitted.on_bone(body.avatar);
        held.push(draw(body, &fitted));
        bare.retain(|facet| is_bare(&limb, facet, &near, &held));
        parts.push(fitted);
    }
    parts
}

/// Whether a facet is the joint's own, has body below and nothing above, and no field holds what is below.
fn is_bare(limb: &Limb, facet: &Facet, near: &[&Drawn], more: &[Drawn]) -> bool {
    let depth = DEPTH_CELLS * limb.cell_size;
    let mut fields = near.iter().copied().chain(more);
    limb.owns(facet.triangle)
        && !fields.any(|drawn| drawn.holds(above(facet, -depth)))
        && limb.is_inside(facet, -depth)
        && !limb.is_inside(facet, depth)
}

/// Removes and returns the group with the largest stake, if it is worth a field.
fn take_largest(body: &Body, settings: &FitSettings, bare: &mut Vec<Facet>) -> Option<Vec<Facet>> {
    let triangles: Vec<_> = bare.iter().map(|f| f.triangle).collect();
    let stake = |group: &Vec<usize>| group.iter().map(|&ix| bare[ix].stake).sum::<f32>();
    let groups = body.shells.groups_of(&triangles).into_iter();
    let largest = groups.rev().max_by(|a, b| stake(a).total_cmp(&stake(b)))?;
    if stake(&largest) < MIN_CELLS * settings.cell_size * settings.cell_size {
        return None;
    }
    let taken = largest.iter().map(|&ix| bare[ix]).collect();
    let mut left = largest.into_iter().peekable();
    let mut ix = 0;
    bare.retain(|_| {
        let is_taken = left.next_if_eq(&ix).is_some();
        ix += 1;
        !is_taken
    });
    Some(taken)
}

/// A patch and the skin of the same joint that touches it, so that the field has no gap to the others at its border.
fn with_neighbours(limb: &Limb, patch: &[Facet]) -> Vec<Facet> {
    let weld = |v: u32| limb.body.shells.welded[v as usize];
    let mut vertices: Vec<u32> = patch.iter().flat_map(|f| f.triangle.map(weld)).collect();
    vertices.sort_unstable();
    let touches = |f: &&Facet| {
        f.triangle
            .iter()
            .any(|&v| vertices.binary_search(&weld(v)).is_ok())
    };
    limb.facets.iter().filter(touches).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::{Avatar, Joint, MAX_INFLUENCES, Node, Skeleton, SkinMesh, Transform};
    use crate::collide::radial::field::FieldSet;
    use crate::collide::radial::fit::fit;
    use crate::collide::radial::surface::Patch;
    use crate::collide::radial::update::{fields_from_world, update};
    use crate::math::test_meshes::TestMesh;
    use glam::{Mat4, Vec3};

    /// Shells, each rigid with a joint at the origin.
    fn rigid(shells: Vec<(u16, TestMesh)>) -> Avatar {
        let joint_count = shells
            .iter()
            .map(|(joint_ix, _)| joint_ix + 1)
            .max()
            .unwrap_or(0);
        let nodes = (0..usize::from(joint_count)).map(|ix| Node {
            name: String::new(),
            parent: ix.checked_sub(1),
            rest: Transform::IDENTITY,
        });
        let joints = (0..usize::from(joint_count)).map(|node_ix| Joint {
            node_ix,
            bone_from_bind: Mat4::IDENTITY,
        });
        let skeleton = Skeleton {
            nodes: nodes.collect(),
            joints: joints.collect(),
        };
        let (mut skin, mut weights) = (SkinMesh::default(), [0.0; MAX_INFLUENCES]);
        weights[0] = 1.0;
        for (joint_ix, shell) in shells {
            let first = skin.positions.len() as u32;
            let moved = shell
                .triangles
                .iter()
                .map(|triangle| triangle.map(|v| v + first));
            skin.triangles.extend(moved);
            let count = shell.positions.len();
            skin.joints
                .extend(vec![[joint_ix, 0, 0, 0, 0, 0, 0, 0]; count]);
            skin.weights.extend(vec![weights; count]);
            skin.normals.extend(vec![Vec3::Y; count]);
            skin.positions.extend(shell.positions);
        }
        Avatar {
            skeleton,
            skin,
            ..Avatar::default()
        }
    }

    /// Which of some points some field holds.
    fn held(avatar: &Avatar, points: &[Vec3]) -> Vec<bool> {
        held_by(&fit(avatar, &FitSettings::default()), avatar, points)
    }

    fn held_by(set: &FieldSet, avatar: &Avatar, points: &[Vec3]) -> Vec<bool> {
        let bones = vec![Mat4::IDENTITY; avatar.skeleton.joints.len()];
        let frames = fields_from_world(set, &bones);
        let cells = update(set, &avatar.skin.positions, &frames);
        let holds = |point: Vec3| {
            set.fields.iter().zip(&frames).any(|(field, frame)| {
                let pos_in_field = frame.transform_point3(point);
                Patch::at(field, &cells, pos_in_field)
                    .is_some_and(|patch| patch.height(pos_in_field, *frame) < 0.0)
            })
        };
        points.iter().map(|&point| holds(point)).collect()
    }

    #[test]
    fn what_stands_off_a_limb_gets_fields_of_its_own() {
        // A ball with two bars beside it, as a head with horns.
        let bar =
            |x: f32| TestMesh::cuboid(Vec3::new(x, 0.1, -0.02), Vec3::new(x + 0.05, 0.4, 0.02));
        let head = TestMesh::sphere(Vec3::ZERO, 0.15, 24, 36);
        let horned = rigid(vec![(0, head), (0, bar(0.2)), (0, bar(-0.25))]);
        let inside = [0.225, -0.225].map(|x| [0.15, 0.25, 0.35].map(|y| Vec3::new(x, y, 0.0)));
        let points = [inside.concat(), vec![Vec3::new(0.05, 0.05, 0.0)]].concat();
        assert_eq!(held(&horned, &points), [true; 7]);
        let mut alone = FitSettings::default();
        alone.rules.parts = false;
        let without = held_by(&fit(&horned, &alone), &horned, &points);
        // The lowest point of one bar is in the ball's own field.
        assert_eq!(without[1..6], [false; 5], "without the rule");
        let outside = [Vec3::new(0.0, 0.3, 0.0), Vec3::new(0.3, 0.3, 0.0)];
        assert_eq!(held(&horned, &outside), [false; 2]);
    }

    #[test]
    fn what_lies_within_a_shell_does_not_end_it() {
        // A ball within a ball, on joints of their own, as a head in a wide helmet.
        let ball = |radius| TestMesh::sphere(Vec3::ZERO, radius, 24, 36);
        let helmet = rigid(vec![(0, ball(0.25)), (1, ball(0.1))]);
        let points = [0.05, 0.15, 0.23].map(|x| Vec3::new(x, 0.02, 0.01));
        assert_eq!(held(&helmet, &points), [true; 3]);
        assert_eq!(held(&helmet, &[Vec3::X * 0.28]), [false]);
    }
}
