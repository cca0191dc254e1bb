//! Tests: the cylinder that is tried first leaves out no surface, in any pose and for any orientation of the world's axes.

use super::collide::{MovingFields, Particle, PathTest, collide, radius};
use super::shapes::Shape;
use crate::avatar::Avatar;
use crate::avatar::builtin::load_mannequin;
use crate::collide::Detection;
use crate::collide::FrictionModel;
use crate::collide::radial::cell::{EMPTY_KEY, Rank, key};
use crate::collide::radial::field::{EMPTY, FieldSet};
use crate::collide::radial::fit::{FitSettings, fit};
use crate::collide::radial::update::{empty_loose_rows, fields_from_world, update};
use crate::collide::response::Response;
use crate::math::triangle_tree::TriangleTree;
use crate::pose::{Palette, Pose};
use crate::skin::bake::bake;
use glam::{Mat4, Quat, Vec3};
use rayon::prelude::*;
use std::f32::consts::FRAC_PI_2;

const PATH: PathTest = PathTest {
    detection: Detection::Samples,
    samples: 4,
};

const RESPONSE: Response = Response {
    thickness: 0.005,
    size: 1.0,
    friction: 0.0,
    model: FrictionModel::Coulomb,
};

/// A particle at rest, its penetration resolved.
fn resolve_penetration(fields: &MovingFields, at: Vec3) -> Vec3 {
    let particle = Particle {
        current: at,
        predicted: at,
    };
    collide(fields, particle, PATH, &RESPONSE).predicted
}

#[test]
fn skin_that_a_pose_brings_far_from_the_axis_is_met() {
    // Twice as far as the fit would have bounded it.
    let shape = Shape::tube(96, 0.0);
    let bulges = Vec3::new(3.0, 3.0, 1.0);
    let positions: Vec<_> = shape.positions.iter().map(|&p| p * bulges).collect();
    for rotation in [Quat::IDENTITY, Quat::from_rotation_y(FRAC_PI_2)] {
        let place = Mat4::from_quat(rotation);
        let positions: Vec<_> = positions.iter().map(|&p| rotation * p).collect();
        let frames = fields_from_world(&shape.set, &[place]);
        let cells = update(&shape.set, &positions, &frames);
        assert!((radius(&shape.set.fields[0], &cells) - 0.3).abs() < 1e-3);
        let fields = MovingFields::new(&shape.set, &cells, &frames, &frames);
        for inside in [0.16, 0.25, 0.29, 0.302] {
            let end = resolve_penetration(&fields, rotation * Vec3::new(inside, 0.0, 0.1));
            let distance = (rotation.inverse() * end).truncate().length();
            assert!((distance - 0.305).abs() < 1e-3, "{inside}: {distance}");
        }
    }
}

#[test]
fn a_field_without_skin_has_no_radius() {
    let field = &Shape::tube(8, 0.0).set.fields[0];
    let mut cells = vec![EMPTY; field.cell_count() as usize];
    assert!(radius(field, &cells) < -1.0);
    cells[7] = 0.02;
    assert_eq!(radius(field, &cells), 0.02);
}

#[test]
fn rows_that_hardly_any_skin_joins_to_the_joints_own_are_emptied() {
    // Rows of the joint's own skin, of other skin all round, and with skin in so many of eight sectors.
    const OWN: usize = 9;
    let cut = |rows: &[usize]| -> Vec<bool> {
        let mut field = Shape::tube(16, 0.0).set.fields[0].clone();
        (field.width, field.height) = (16, rows.len() as u32);
        let cell = |sectors: usize, column: usize| match (sectors, column) {
            (OWN, _) => key(Rank::Own, 0.1),
            (_, column) if column < 2 * sectors => key(Rank::Shared, 0.1),
            _ => EMPTY_KEY,
        };
        let cells = |&sectors: &usize| (0..16).map(move |column| cell(sectors, column));
        let mut keys: Vec<_> = rows.iter().flat_map(cells).collect();
        empty_loose_rows(&field, &mut keys);
        let is_empty = |keys: &[u32]| keys.iter().all(|&key| key == EMPTY_KEY);
        keys.chunks(16).map(is_empty).collect()
    };
    let emptied = |rows: &[usize]| -> Vec<usize> {
        let cut = cut(rows);
        (0..rows.len()).filter(|&row| cut[row]).collect()
    };
    let none: [usize; 0] = [];
    assert_eq!(emptied(&[8, 3, OWN, OWN, 8, 3, 8]), none);
    assert_eq!(emptied(&[8, 2, OWN, 8, OWN, 4, 2, 8]), [0, 1, 6, 7]);
    assert_eq!(
        emptied(&[OWN, 0, OWN, 0]),
        [1, 3],
        "what was empty stays so"
    );
    assert_eq!(
        emptied(&[8, 2, 8]),
        none,
        "nothing says which is the joint's"
    );
}

/// What becomes of points round a body: of the points inside the share that stays there, and of those outside the share that is
/// pushed.
fn shares(avatar: &Avatar, set: &FieldSet, seconds: f32, heading: Quat) -> [f64; 2] {
    let pose = Pose::sample(&avatar.clips[0], &avatar.skeleton, seconds);
    let palette = Palette::new(&avatar.skeleton, &pose, Mat4::from_quat(heading));
    let skin = bake(&avatar.skin, &palette).positions;
    let tree = TriangleTree::new(&skin, &avatar.skin.triangles);
    let frames = fields_from_world(set, &palette.world_from_bone);
    let cells = update(set, &skin, &frames);
    let fields = MovingFields::new(set, &cells, &frames, &frames);
    let ends = points_round(avatar, &skin).into_par_iter().map(|at| {
        let (end, was_inside) = (
            resolve_penetration(&fields, at),
            tree.contains(at.as_dvec3()),
        );
        let is_wrong = match was_inside {
            true => tree.contains(end.as_dvec3()),
            false => end != at,
        };
        (was_inside, is_wrong)
    });
    let ends: Vec<_> = ends.collect();
    [true, false].map(|inside| {
        let side = ends.iter().filter(|end| end.0 == inside);
        side.clone().filter(|end| end.1).count() as f64 / side.count() as f64
    })
}

/// 1 cm below and 2 cm above every fourth triangle.
fn points_round(avatar: &Avatar, skin: &[Vec3]) -> Vec<Vec3> {
    let corners = avatar.skin.triangles.iter().step_by(4);
    let corners = corners.map(|triangle| triangle.map(|vertex| skin[vertex as usize]));
    corners
        .flat_map(|[a, b, c]| {
            let normal = (b - a).cross(c - a).normalize_or_zero();
            [-0.01, 0.02].map(|height| (a + b + c) / 3.0 + normal * height)
        })
        .collect()
}

#[test]
fn wherever_a_character_heads_and_lying_down_the_shares_are_the_same() {
    let avatar = load_mannequin();
    let set = fit(&avatar, &FitSettings::default());
    for seconds in [0.3, 7.5] {
        let upright = shares(&avatar, &set, seconds, Quat::IDENTITY);
        let mut headings: Vec<_> = [1.0, 2.0, 3.0]
            .map(|quarters| Quat::from_rotation_y(quarters * FRAC_PI_2))
            .to_vec();
        headings.extend([
            Quat::from_rotation_x(FRAC_PI_2),
            Quat::from_rotation_z(FRAC_PI_2),
        ]);
        for heading in headings {
            let found = shares(&avatar, &set, seconds, heading);
            // Rounding decides for a particle on an edge between two patches.
            let apart = (0..2).map(|ix| (found[ix] - upright[ix]).abs());
            let most = apart.fold(0.0, f64::max);
            assert!(most < 1e-3, "{heading}: {found:?}, upright {upright:?}");
        }
    }
}
