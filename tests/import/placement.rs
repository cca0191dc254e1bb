//! Where meshes stand, which joints they follow, and which are cloth.

use radial_fields::pose::{Palette, Pose};

use crate::support::{Sketch, identity_with_y};
use crate::{FIGURE, assert_near, import, positions_at_rest};

#[test]
fn joints_under_turned_and_scaled_stands_come_out_upright() {
    // Z up, in centimetres, under a stand that sets both right: as many exporters write.
    let mut sketch = Sketch::new();
    let positions = sketch
        .gltf
        .floats("VEC3", &[0.0, 0.0, 0.0, 100.0, 0.0, 0.0, 0.0, 0.0, 200.0]);
    sketch.set("POSITION", positions);
    let mut knee = identity_with_y(0.0);
    knee[14] = -100.0;
    let binds = sketch
        .gltf
        .floats("MAT4", &[identity_with_y(0.0), knee].concat());
    sketch.skin = format!(r#","inverseBindMatrices":{binds}"#);
    sketch.nodes[2] = r#"{"name":"knee","translation":[0,0,100]}"#.into();
    sketch.nodes.push(
        r#"{"name":"stand","children":[1,0],"rotation":[-0.70710677,0,0,0.70710677],"scale":[0.01,0.01,0.01]}"#.into(),
    );
    let upright = import(&sketch.glb());
    assert_eq!(upright.skeleton.nodes[0].name, "stand");
    assert_eq!(upright.skeleton.nodes[1].parent, Some(0));
    assert_near(&upright.skin.positions, &FIGURE);
    assert_near(&positions_at_rest(&upright), &FIGURE);
    assert_eq!(upright.skin.triangles, [[0, 1, 2]]);
    // Resting in another pose than it is bound in, the figure is still bound upright.
    sketch.nodes[1] =
        r#"{"name":"hip","children":[2],"rotation":[0,0,0.1736482,0.9848077]}"#.into();
    sketch.nodes[2] =
        r#"{"name":"knee","translation":[0,0,100],"rotation":[0.1736482,0,0,0.9848077]}"#.into();
    assert_near(&import(&sketch.glb()).skin.positions, &FIGURE);
}

#[test]
fn several_skins_share_their_joints() {
    let mut sketch = Sketch::new();
    // The same figure again, stored one metre higher, its own inverse bind matrices undoing that.
    let raised = [0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 3.0, 0.0];
    let positions = sketch.gltf.floats("VEC3", &raised);
    let binds = sketch.gltf.floats(
        "MAT4",
        &[identity_with_y(-2.0), identity_with_y(-1.0)].concat(),
    );
    let first = sketch.primitive();
    sketch.set("POSITION", positions);
    sketch
        .nodes
        .push(r#"{"name":"double","mesh":1,"skin":1}"#.into());
    let body = format!(
        r#""nodes":[{}],"meshes":[{{"primitives":[{first}]}},{{"primitives":[{}]}}],
        "skins":[{{"joints":[1,2]{}}},{{"joints":[2,1],"inverseBindMatrices":{binds}}}]"#,
        sketch.nodes.join(","),
        sketch.primitive(),
        sketch.skin
    );
    let avatar = import(&sketch.gltf.glb(&body));
    assert_eq!(avatar.skeleton.joints.len(), 2);
    assert_near(&avatar.skin.positions, &[FIGURE, FIGURE].concat());
    assert_eq!(avatar.skin.triangles, [[0, 1, 2], [3, 4, 5]]);
    assert_eq!((avatar.skin.joints[3][0], avatar.skin.joints[5][0]), (1, 0));
    assert_near(&positions_at_rest(&avatar), &[FIGURE, FIGURE].concat());
}

#[test]
fn meshes_on_joints_ride_along_and_scenery_stays_out() {
    let mut sketch = Sketch::new();
    sketch.nodes[2] = r#"{"name":"knee","translation":[0,1,0],"children":[3]}"#.into();
    sketch
        .nodes
        .push(r#"{"name":"hat","mesh":0,"translation":[0,1,0]}"#.into());
    sketch.nodes.push(r#"{"name":"house","mesh":0}"#.into());
    let avatar = import(&sketch.glb());
    assert_eq!(avatar.skin.joints[3][0], 1);
    assert_near(
        &avatar.skin.positions[3..],
        &FIGURE.map(|[x, y, z]| [x, y + 2.0, z]),
    );
    assert_eq!(
        (avatar.skin.triangles.len(), avatar.tolerated.skipped_meshes),
        (2, 1)
    );
}

#[test]
fn only_the_scene_is_shown() {
    let mut sketch = Sketch::new();
    sketch
        .nodes
        .push(r#"{"name":"double","mesh":0,"skin":0}"#.into());
    sketch.more = r#","scenes":[{"nodes":[3]},{"nodes":[0,1],"name":"Bob"}],"scene":1"#.into();
    let avatar = import(&sketch.glb());
    assert_eq!(
        (avatar.skin.positions.len(), avatar.name.as_str()),
        (3, "Bob")
    );
}

#[test]
fn cloth_becomes_a_garment() {
    let mut sketch = Sketch::new();
    sketch
        .nodes
        .push(r#"{"name":"cape","mesh":0,"skin":0,"extras":{"cloth":true}}"#.into());
    sketch
        .nodes
        .push(r#"{"name":"scarf","mesh":0,"translation":[0,0,0.1],"extras":{"cloth":1}}"#.into());
    sketch
        .nodes
        .push(r#"{"name":"twin","mesh":0,"skin":0,"extras":{"cloth":false}}"#.into());
    let avatar = import(&sketch.glb());
    let names: Vec<&str> = avatar
        .garments
        .iter()
        .map(|garment| garment.name.as_str())
        .collect();
    assert_eq!(names, ["cape", "scarf"]);
    assert_eq!(avatar.skin.triangles.len(), 2);
    assert_eq!(avatar.garments[0].mesh.joints[2][0], 1);
    let scarf = &avatar.garments[1].mesh;
    assert_eq!(
        [scarf.joints[0][0], scarf.joints[1][0], scarf.joints[2][0]],
        [0, 0, 1]
    );
    assert_near(&scarf.positions, &FIGURE.map(|[x, y, z]| [x, y, z + 0.1]));
}

#[test]
fn unskinned_cloth_lies_on_the_resting_body() {
    let mut sketch = Sketch::new();
    // The knee rests one metre further along x than it was bound: the garment is made for that.
    sketch.nodes[2] = r#"{"name":"knee","translation":[1,1,0]}"#.into();
    sketch
        .nodes
        .push(r#"{"name":"scarf","mesh":1,"extras":{"cloth":true}}"#.into());
    let positions = sketch
        .gltf
        .floats("VEC3", &[1.0, 2.0, 0.1, 1.1, 2.0, 0.1, 1.0, 2.1, 0.1]);
    let body = sketch.body().replace(
        r#"}],"skins""#,
        &format!(r#"}},{{"primitives":[{{"attributes":{{"POSITION":{positions}}}}}]}}],"skins""#),
    );
    let avatar = import(&sketch.gltf.glb(&body));
    assert_near(
        &avatar.garments[0].mesh.positions,
        &[[0.0, 2.0, 0.1], [0.1, 2.0, 0.1], [0.0, 2.1, 0.1]],
    );
    assert!(
        avatar.garments[0]
            .mesh
            .joints
            .iter()
            .all(|joints| joints[0] == 1)
    );
}

#[test]
fn a_collapsed_joint_is_counted() {
    let mut sketch = Sketch::new();
    sketch.nodes[2] = r#"{"name":"knee","translation":[0,1,0],"scale":[0,0,0]}"#.into();
    let avatar = import(&sketch.glb());
    assert_eq!(avatar.tolerated.collapsed_joints, 1);
    assert!(
        positions_at_rest(&avatar)
            .iter()
            .all(|position| position.is_finite())
    );
}

#[test]
fn characters_far_from_the_origin_are_brought_to_it() {
    let mut sketch = Sketch::new();
    sketch
        .nodes
        .push(r#"{"name":"stand","children":[1,0],"translation":[5000,0,-3000]}"#.into());
    let avatar = import(&sketch.glb());
    assert_eq!(avatar.tolerated.moved_metres, 5831);
    for places in [&avatar.skin.positions, &positions_at_rest(&avatar)] {
        for (place, expected) in places.iter().zip(FIGURE) {
            assert!(place.abs_diff_eq(expected.into(), 1e-6), "{place}");
        }
    }
    sketch.nodes[3] = r#"{"name":"stand","children":[1,0],"translation":[10,0,-5]}"#.into();
    let near = import(&sketch.glb());
    assert_eq!(near.tolerated.moved_metres, 0);
    assert_eq!(
        positions_at_rest(&near)[0],
        glam::Vec3::new(10.0, 0.0, -5.0)
    );
}

#[test]
fn clips_of_a_character_far_from_the_origin_stay_with_it() {
    let mut sketch = Sketch::new();
    let times = sketch.gltf.floats("SCALAR", &[0.0, 1.0]);
    let places = [5000.0, 0.0, 0.0, 5000.0, 0.0, 2.0];
    let output = sketch.gltf.floats("VEC3", &places);
    sketch.nodes[1] = r#"{"name":"hip","children":[2],"translation":[5000,0,0]}"#.into();
    sketch.animate("translation", "LINEAR", times, output);
    sketch.more = sketch.more.replace(r#""node":2"#, r#""node":1"#);
    let avatar = import(&sketch.glb());
    let pose = Pose::sample(&avatar.clips[0], &avatar.skeleton, 1.0);
    let palette = Palette::new(&avatar.skeleton, &pose, glam::Mat4::IDENTITY);
    let hip = palette.world_from_bone[0].w_axis.truncate();
    assert!(hip.abs_diff_eq(glam::Vec3::Z * 2.0, 1e-5), "{hip}");
}
