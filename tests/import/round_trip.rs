//! Avatars written and read again, and what keeps a broken one from being believed.

use glam::{Mat4, Quat, Vec2, Vec3};
use radial_fields::avatar::{
    Avatar, Clip, Interpolation, Joint, NamedSkin, Node, Part, Skeleton, SkinMesh, Texture, Track,
    TrackValues, Transform, to_glb,
};

use crate::import;

/// Something of everything that an avatar can hold.
fn full_avatar() -> Avatar {
    let node = |name: &str, parent, rest| Node {
        name: name.into(),
        parent,
        rest,
    };
    let bent = Transform {
        translation: Vec3::Y,
        rotation: Quat::from_rotation_z(0.3),
        scale: Vec3::new(1.0, 2.0, 1.0),
    };
    let nodes = vec![
        node("root", None, Transform::IDENTITY),
        node("a", Some(0), bent),
        node("b", Some(1), bent),
    ];
    let world_from_b = bent.to_mat4() * bent.to_mat4();
    let joint = |node_ix, bone: Mat4| Joint {
        node_ix,
        bone_from_bind: bone.inverse(),
    };
    let skin = strip_of_skin();
    let garment = cape_of(&skin);
    let texture = Texture {
        width: 1,
        height: 2,
        rgba: vec![255, 0, 0, 255, 1, 2, 3, 4],
    };
    let track = |interpolation, values| Track {
        node_ix: 1,
        interpolation,
        times: vec![0.0, 1.5],
        values,
    };
    let tracks = vec![
        track(
            Interpolation::Step,
            TrackValues::Translation(vec![Vec3::X, Vec3::Y]),
        ),
        track(
            Interpolation::Linear,
            TrackValues::Rotation(vec![Quat::IDENTITY, Quat::from_rotation_x(1.0)]),
        ),
        track(Interpolation::Cubic, TrackValues::Scale(vec![Vec3::ONE; 6])),
    ];
    Avatar {
        name: "everything".into(),
        skeleton: Skeleton {
            nodes,
            joints: vec![joint(1, bent.to_mat4()), joint(2, world_from_b)],
        },
        skin,
        parts: two_parts(),
        textures: vec![texture],
        clips: vec![Clip {
            name: "wave".into(),
            duration: 1.5,
            tracks,
        }],
        garments: vec![garment],
        ..Avatar::default()
    }
}

fn cape_of(skin: &SkinMesh) -> NamedSkin {
    NamedSkin {
        motion: Vec::new(),
        name: "cape".into(),
        mesh: SkinMesh {
            uvs: vec![Vec2::ZERO; 4],
            ..skin.clone()
        },
        parts: vec![Part {
            triangles: 0..2,
            base_colour: [0.25, 0.5, 0.75, 1.0],
            texture_ix: Some(0),
            alpha_cutoff: 0.0,
        }],
    }
}

fn two_parts() -> Vec<Part> {
    vec![
        Part {
            triangles: 0..1,
            base_colour: [0.5, 0.25, 1.0, 1.0],
            texture_ix: Some(0),
            alpha_cutoff: 0.25,
        },
        Part {
            triangles: 1..2,
            base_colour: [1.0; 4],
            texture_ix: None,
            alpha_cutoff: 0.0,
        },
    ]
}

fn strip_of_skin() -> SkinMesh {
    SkinMesh {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)],
        normals: vec![Vec3::Z; 4],
        uvs: vec![Vec2::ZERO, Vec2::X, Vec2::Y, Vec2::ONE],
        joints: vec![[0, 1, 0, 0, 0, 0, 0, 0]; 4],
        weights: vec![[0.7, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]; 4],
        triangles: vec![[0, 1, 2], [2, 1, 3]],
    }
}

#[test]
fn a_round_trip_keeps_everything() {
    let avatar = full_avatar();
    avatar.validate().unwrap();
    let glb = to_glb(&avatar);
    assert_eq!(glb, to_glb(&avatar), "the same bytes each time");
    let again = import(&glb);
    // Weights are rounded to 16 bits; all else is exact, which the debug form shows to the last digit.
    let mut expected = avatar;
    for (found, mesh) in [&again.skin, &again.garments[0].mesh].into_iter().zip(
        std::iter::once(&mut expected.skin).chain(
            expected
                .garments
                .iter_mut()
                .map(|garment| &mut garment.mesh),
        ),
    ) {
        for (found, expected) in found
            .weights
            .iter()
            .flatten()
            .zip(mesh.weights.iter().flatten())
        {
            assert!((found - expected).abs() < 2e-5);
        }
        mesh.weights = found.weights.clone();
    }
    assert_eq!(format!("{again:#?}"), format!("{expected:#?}"));
    assert_eq!(to_glb(&again), glb);
}

#[test]
fn a_round_trip_keeps_eight_influences_and_many_joints() {
    let mut avatar = full_avatar();
    let joint = avatar.skeleton.joints[1].clone();
    avatar.skeleton.joints = (0..300)
        .map(|ix| Joint {
            bone_from_bind: Mat4::from_translation(Vec3::X * ix as f32),
            ..joint.clone()
        })
        .collect();
    avatar.skin.joints[3] = [299, 298, 256, 255, 4, 3, 2, 1];
    avatar.skin.weights[3] = [0.2, 0.15, 0.15, 0.1, 0.1, 0.1, 0.1, 0.1];
    avatar.validate().unwrap();
    let again = import(&to_glb(&avatar));
    assert_eq!(again.skin.joints, avatar.skin.joints);
    for (found, expected) in again.skin.weights[3].iter().zip(avatar.skin.weights[3]) {
        assert!((found - expected).abs() < 2e-5);
    }
}

#[test]
fn a_broken_avatar_does_not_validate() {
    type Break = fn(&mut Avatar);
    let breaks: [(Break, &str); 12] = [
        (|a| a.skin.positions[0].x = f32::NAN, "position"),
        (|a| a.skin.normals[0] *= 2.0, "normal"),
        (|a| a.skin.uvs[0].x = f32::INFINITY, "texture coordinate"),
        (|a| a.skin.joints[0][0] = 2, "joint"),
        (|a| a.skin.weights[0][0] = 0.6, "sum"),
        (|a| a.skin.weights[0].reverse(), "sorted"),
        (|a| a.skin.triangles[0][0] = 4, "vertex"),
        (|a| a.parts[1].triangles.end = 1, "cover"),
        (|a| a.skeleton.nodes[1].parent = Some(1), "parent"),
        (|a| a.clips[0].tracks[0].times[1] = 0.0, "increase"),
        (|a| a.garments[0].mesh.uvs.clear(), "length"),
        (|a| a.textures[0].width = 2, "size"),
    ];
    for (break_it, word) in breaks {
        let mut avatar = full_avatar();
        break_it(&mut avatar);
        let fault = avatar.validate().unwrap_err().to_string();
        assert!(fault.contains(word), "{fault:?} does not mention {word:?}");
    }
}
