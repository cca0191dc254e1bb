//! Tests: what a cell holds lies on the skin that its ray leaves the body through, also where the axis has run out of the body.

use super::shapes::field;
use crate::avatar::Avatar;
use crate::avatar::builtin::load_mannequin;
use crate::collide::radial::cell::Rank;
use crate::collide::radial::field::{EMPTY, FieldSet, FieldTriangle};
use crate::collide::radial::fit::{FitSettings, fit};
use crate::collide::radial::study::{Coverage, coverage, judge};
use crate::collide::radial::update::{fields_from_world, ray_slack, update};
use crate::math::closest::on_triangle;
use crate::math::cylinder::point;
use crate::math::triangle_tree::TriangleTree;
use crate::pose::{Palette, Pose};
use crate::skin::bake::bake;
use glam::{Mat4, Vec3};
use rayon::prelude::*;

/// The cells of a field round the z axis, of 64 columns and 20 rows over 0.2 m.
fn cells_of(positions: &[Vec3], triangles: &[[u32; 3]], rank: Rank) -> Vec<f32> {
    let triangles = triangles.iter().map(|&vertices| FieldTriangle {
        vertices,
        field_ix: 0,
        rank,
    });
    let set = FieldSet {
        fields: vec![field(64, 20, 0.0, 0.2)],
        triangles: triangles.collect(),
        cell_count: 64 * 20,
        ..FieldSet::default()
    };
    let frames = fields_from_world(&set, &[Mat4::IDENTITY]);
    update(&set, positions, &frames)
}

/// Corners of a tube round an axis `aside` of the field's, 4 cm wide, and its triangles, seen from outside counter-clockwise.
fn tube_aside(aside: Vec3) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    const SIDES: u32 = 32;
    let corner = |ix: u32| {
        let height = if ix < SIDES { -0.05 } else { 0.25 };
        aside + point(ix as f32 / SIDES as f32, 0.04, height)
    };
    let side = |a: u32| {
        let b = (a + 1) % SIDES;
        [[a, b, b + SIDES], [a, b + SIDES, a + SIDES]]
    };
    let positions = (0..2 * SIDES).map(corner).collect();
    (positions, (0..SIDES).flat_map(side).collect())
}

#[test]
fn a_limb_beside_the_axis_is_not_held_across_the_air_before_it() {
    let (positions, triangles) = tube_aside(Vec3::X * 0.1);
    let beside = cells_of(&positions, &triangles, Rank::Shared);
    assert!(beside.iter().all(|&cell| cell == EMPTY));
    // The axis within it, if only just.
    let (positions, triangles) = tube_aside(Vec3::X * 0.039);
    let within = cells_of(&positions, &triangles, Rank::Shared);
    assert!(within.iter().all(|&cell| (0.0..0.0791).contains(&cell)));
}

#[test]
fn a_triangle_round_the_axis_is_drawn_where_rays_meet_it() {
    let corners = [
        Vec3::new(-0.1, -0.1, 0.1),
        Vec3::new(0.2, -0.1, 0.1),
        Vec3::new(0.0, 0.2, 0.15),
    ];
    let cells = cells_of(&corners, &[[0, 1, 2], [0, 2, 1]], Rank::Own);
    let drawn: Vec<_> = (0..64 * 20).filter(|&ix| cells[ix] != EMPTY).collect();
    assert!(drawn.len() > 64, "{} cells", drawn.len());
    let triangle = corners.map(|corner| corner.as_dvec3());
    for ix in drawn {
        let (revolution, z) = ((ix % 64) as f32 + 0.5, (ix / 64) as f32 + 0.5);
        let at = point(revolution / 64.0, cells[ix], z / 20.0 * 0.2).as_dvec3();
        let apart = on_triangle(at, triangle).distance(at);
        assert!(
            apart < f64::from(1.5 * ray_slack(Rank::Own)),
            "{apart} m beside the triangle"
        );
    }
}

/// Cells of a posed character that hold skin, and how many stand more than 8 mm outside all of its skin.
fn stand_off(avatar: &Avatar, set: &FieldSet, palette: &Palette, skin: &[Vec3]) -> [usize; 2] {
    let tree = TriangleTree::new(skin, &avatar.skin.triangles);
    let frames = fields_from_world(set, &palette.world_from_bone);
    let cells = update(set, skin, &frames);
    let places = set.fields.iter().zip(&frames).flat_map(|(field, frame)| {
        let world_from_field = frame.inverse();
        let rows = (0..field.height).filter(|&row| !field.is_cap(row));
        let drawn = rows.flat_map(|row| (0..field.width).map(move |col| (row, col)));
        let cells = &cells;
        drawn.filter_map(move |(row, col)| {
            let distance = cells[(field.cell_offset + row * field.width + col) as usize];
            let revolution = (col as f32 + 0.5) / field.width as f32;
            let z = (row as f32 + 0.5) / field.height as f32;
            let at = world_from_field.transform_point3(point(revolution, distance, z));
            (distance != EMPTY).then_some(at.as_dvec3())
        })
    });
    let places: Vec<_> = places.collect();
    let is_off =
        |&&at: &&glam::DVec3| tree.nearest_point(at, 0.008).is_none() && !tree.contains(at);
    [
        places.len(),
        places.par_iter().filter(|at| is_off(at)).count(),
    ]
}

#[test]
fn in_motion_hardly_a_cell_stands_off_the_skin_and_hardly_any_air_is_held() {
    let avatar = load_mannequin();
    let set = fit(&avatar, &FitSettings::default());
    let (mut places, mut off, mut covered) = (0, 0, Coverage::default());
    for pose_ix in 0..6 {
        let seconds = avatar.clips[0].duration * (pose_ix as f32 + 0.5) / 6.0;
        let pose = Pose::sample(&avatar.clips[0], &avatar.skeleton, seconds);
        let palette = Palette::new(&avatar.skeleton, &pose, Mat4::IDENTITY);
        let skin = bake(&avatar.skin, &palette).positions;
        let found = stand_off(&avatar, &set, &palette, &skin);
        (places, off) = (places + found[0], off + found[1]);
        let judged = judge(&set, &avatar.skin, &skin, &palette.world_from_bone, 4000);
        covered = covered.and(coverage(&judged, avatar.skeleton.joints.len()).0);
    }
    println!("{off} of {places} cells stand off; {covered:?}");
    assert!(off * 5000 < places, "{off} of {places} cells");
    assert!(covered.false_fraction() < 2e-3, "{covered:?}");
    assert!(covered.missed_fraction() < 0.02, "{covered:?}");
}
