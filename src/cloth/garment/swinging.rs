//! A person of one piece whose arms a clip swings into the body, or beside it.

use crate::avatar::{Avatar, Clip, Interpolation, Track, TrackValues};
use crate::math::triangle_tree::TriangleTree;
use crate::pose::{Palette, Pose};
use crate::skin::bake::bake;
use glam::{DVec3, Mat4, Quat};

use super::body::Body;
use super::drawn_in::{DrawnIn, drawn_in};
use super::dress::Weave;
use super::field::{Field, Grid};
use super::figure::capsule_person;
use super::humanoid::{Humanoid, Part, Side};
use super::isosurface::isosurface;
use super::surface::Surface;
use super::tests::worn;
use super::*;

/// The person with a clip that swings its arms between two angles, radians towards the body.
pub(crate) fn swinging(from: f32, to: f32) -> Avatar {
    let mut person = capsule_person();
    let joint = |name: &str| {
        let mut nodes = person.skeleton.nodes.iter();
        nodes
            .position(|node| node.name == name)
            .expect("it has arms")
    };
    let swing = |(name, side): (&str, f32)| Track {
        node_ix: joint(name),
        interpolation: Interpolation::Linear,
        times: vec![0.0, 1.0],
        values: TrackValues::Rotation(
            [from, to]
                .map(|angle| Quat::from_rotation_z(-side * angle))
                .to_vec(),
        ),
    };
    let tracks = [("upperarm_l", 1.0), ("upperarm_r", -1.0)]
        .map(swing)
        .to_vec();
    person.clips.push(Clip {
        name: "swing".to_owned(),
        duration: 1.0,
        tracks,
    });
    person
}

/// How many particles of each garment lie in the body in the middle of the clip.
fn buried(person: &Avatar, garments: &[Garment]) -> Vec<usize> {
    let pose = Pose::sample(&person.clips[0], &person.skeleton, 0.5);
    let palette = Palette::new(&person.skeleton, &pose, Mat4::IDENTITY);
    let skin = bake(&person.skin, &palette).positions;
    let tree = TriangleTree::new(&skin, &person.skin.triangles);
    let is_inside = |at: &DVec3| tree.contains(*at);
    let count = |garment: &Garment| {
        let places = bake(&garment.mesh, &palette).positions.into_iter();
        places.map(|at| at.as_dvec3()).filter(is_inside).count()
    };
    garments.iter().map(count).collect()
}

#[test]
fn arms_in_the_flanks_of_a_clip_take_sleeves_off_and_cut_what_they_bury() {
    let person = swinging(0.85, 0.95);
    let usual = worn(GarmentKind::TrousersAndTop);
    let cut = make_for_clips(GarmentKind::TrousersAndTop, &person, &[0], 1297).expect("a humanoid");
    let (before, after) = (buried(&person, usual), buried(&person, &cut));
    assert!(
        before[0] > 4 && before[1] > 50,
        "hands go into the hips and arms into the flanks: {before:?}"
    );
    assert_eq!(after, [0, 0], "of {before:?}");
    let reach = |garment: &Garment| {
        let places = garment.mesh.positions.iter().map(|at| at.x);
        places.fold(0.0, f32::max)
    };
    assert!(reach(&cut[1]) < 0.7 * reach(&usual[1]), "it has no sleeves");
}

#[test]
fn arms_that_stay_out_of_the_body_cut_nothing() {
    let person = swinging(-0.4, 0.3);
    let usual = worn(GarmentKind::TrousersAndTop);
    let cut = make_for_clips(GarmentKind::TrousersAndTop, &person, &[0], 1297).expect("a humanoid");
    for (usual, cut) in usual.iter().zip(&cut) {
        assert_eq!(usual.mesh.positions, cut.mesh.positions);
        assert_eq!(usual.attachments, cut.attachments);
    }
}

/// A wide trouser leg round the left thigh, what a clip makes of it, and how many points of either arms bury.
fn leg_beside(person: &Avatar) -> (Surface, DrawnIn, [usize; 2]) {
    let humanoid = Humanoid::find(person).expect("a humanoid");
    let leg = humanoid.legs[Side::Left as usize];
    let mut body = Body::new(person, humanoid);
    body.poses = moved::poses(person, &[0]);
    let grid = Grid::over(Vec3::new(-0.2, 0.3, -0.3), Vec3::new(0.4, 1.0, 0.3), 0.02);
    let wide = isosurface(&Field::from_fn(grid, |_, at| {
        let part = ((leg.root.y - at.y) / (leg.root.y - leg.mid.y)).clamp(0.1, 0.9);
        at.distance(leg.along_upper(part)) - 0.15
    }));
    let weave = Weave {
        body: &body,
        covered: &body.tree_of(|place| place == (Part::Thigh, Side::Left)),
        weight_radius: 0.03,
    };
    let drawn_in = drawn_in(&weave, &wide);
    let is_arm = |ix: usize| body.parts[ix].0.is_arm();
    let buried = [&wide, &drawn_in.surface].map(|surface| {
        let depths = moved::depths_in(&body, &weave.mesh(surface), 1, is_arm, (|_| false, 0.0));
        depths.iter().filter(|deepest| deepest[0] > 0.0).count()
    });
    (wide, drawn_in, buried)
}

#[test]
fn a_wide_leg_gives_way_to_a_hand_that_swings_beside_the_thigh_and_nowhere_else() {
    let person = swinging(0.6, 0.65);
    let (wide, drawn_in, [before, after]) = leg_beside(&person);
    assert!(before > 100, "the hand comes through {before} points");
    assert_eq!(after, 0, "of {before}");
    assert!(drawn_in.places.iter().all(|(_, is_buried)| !is_buried));
    let middle = Humanoid::find(&person).expect("a humanoid").legs[0].root.x;
    let mut pairs = wide.positions.iter().zip(&drawn_in.surface.positions);
    assert!(pairs.all(|(was, is)| was == is || was.x > middle));
}

#[test]
fn where_a_hand_goes_into_the_thigh_cloth_is_buried_all_the_same() {
    let (_, drawn_in, [_, after]) = leg_beside(&swinging(0.7, 0.75));
    let buried = drawn_in.places.iter().filter(|(_, is_buried)| *is_buried);
    let buried = buried.count();
    assert!(buried > 10 && after > 10, "{buried} places, {after} points");
}
