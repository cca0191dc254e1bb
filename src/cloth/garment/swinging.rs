//! A person of one piece whose arms a clip swings into the body, or beside it.

use crate::avatar::{Avatar, Clip, Interpolation, Track, TrackValues};
use crate::math::triangle_tree::TriangleTree;
use crate::pose::{Palette, Pose};
use crate::skin::bake::bake;
use glam::{DVec3, Mat4, Quat};

use super::figure::capsule_person;
use super::*;

/// The person with a clip that swings its arms between two angles, radians towards the body.
fn swinging(from: f32, to: f32) -> Avatar {
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
    let usual = make(GarmentKind::TrousersAndTop, &person, 1297).expect("a humanoid");
    let cut = make_for_clips(GarmentKind::TrousersAndTop, &person, &[0], 1297).expect("a humanoid");
    let (before, after) = (buried(&person, &usual), buried(&person, &cut));
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
    let usual = make(GarmentKind::TrousersAndTop, &person, 1297).expect("a humanoid");
    let cut = make_for_clips(GarmentKind::TrousersAndTop, &person, &[0], 1297).expect("a humanoid");
    for (usual, cut) in usual.iter().zip(&cut) {
        assert_eq!(usual.mesh.positions, cut.mesh.positions);
        assert_eq!(usual.attachments, cut.attachments);
    }
}
