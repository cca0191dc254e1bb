//! STAND-IN until `avatar::export` is merged.
use radial_fields::avatar::{Avatar, TrackValues};
use serde_json::json;

pub fn to_glb(avatar: &Avatar) -> Vec<u8> {
    let skin = &avatar.skin;
    let mut bin: Vec<u8> = Vec::new();
    let mut views = Vec::new();
    let mut accessors: Vec<serde_json::Value> = Vec::new();
    let mut accessors_bounds = Vec::new();
    let mut add = |bytes: Vec<u8>, ty: &str, component: u32, count: usize| {
        views.push(json!({"buffer": 0, "byteOffset": bin.len(), "byteLength": bytes.len()}));
        accessors.push(json!({"bufferView": views.len() - 1, "componentType": component, "count": count, "type": ty}));
        bin.extend(bytes);
        accessors.len() - 1
    };
    let f = |v: &[f32]| v.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let n = skin.positions.len();
    let flat = |v: &[glam::Vec3]| f(&v.iter().flat_map(|p| p.to_array()).collect::<Vec<f32>>());
    let pos = add(flat(&skin.positions), "VEC3", 5126, n);
    let nor = add(flat(&skin.normals), "VEC3", 5126, n);
    let mut attributes = json!({"POSITION": pos, "NORMAL": nor});
    for half in 0..2 {
        let j: Vec<u8> = skin
            .joints
            .iter()
            .flat_map(|j| {
                j[half * 4..half * 4 + 4]
                    .iter()
                    .map(|&x| x as u8)
                    .collect::<Vec<u8>>()
            })
            .collect();
        let w: Vec<f32> = skin
            .weights
            .iter()
            .flat_map(|w| w[half * 4..half * 4 + 4].to_vec())
            .collect();
        attributes[format!("JOINTS_{half}")] = json!(add(j, "VEC4", 5121, n));
        attributes[format!("WEIGHTS_{half}")] = json!(add(f(&w), "VEC4", 5126, n));
    }
    let (mut primitives, mut materials) = (Vec::new(), Vec::new());
    for (ix, part) in avatar.parts.iter().enumerate() {
        let tris = &skin.triangles[part.triangles.start as usize..part.triangles.end as usize];
        let bytes = tris
            .iter()
            .flatten()
            .flat_map(|x| x.to_le_bytes())
            .collect();
        let indices = add(bytes, "SCALAR", 5125, tris.len() * 3);
        primitives.push(json!({"attributes": attributes, "indices": indices, "material": ix}));
        materials.push(json!({"pbrMetallicRoughness": {"baseColorFactor": part.base_colour}}));
    }
    let inverse: Vec<f32> = avatar
        .skeleton
        .joints
        .iter()
        .flat_map(|j| j.bone_from_bind.to_cols_array())
        .collect();
    let ibm = add(f(&inverse), "MAT4", 5126, avatar.skeleton.joints.len());
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    for track in avatar.clips.iter().flat_map(|clip| &clip.tracks) {
        let input = add(f(&track.times), "SCALAR", 5126, track.times.len());
        let (path, output) = match &track.values {
            TrackValues::Translation(v) => ("translation", add(flat(v), "VEC3", 5126, v.len())),
            TrackValues::Scale(v) => ("scale", add(flat(v), "VEC3", 5126, v.len())),
            TrackValues::Rotation(v) => (
                "rotation",
                add(
                    f(&v.iter().flat_map(|q| q.to_array()).collect::<Vec<f32>>()),
                    "VEC4",
                    5126,
                    v.len(),
                ),
            ),
        };
        accessors_bounds.push((input, track.times[0], *track.times.last().unwrap()));
        samplers.push(json!({"input": input, "output": output}));
        channels.push(
            json!({"sampler": samplers.len() - 1, "target": {"node": track.node_ix, "path": path}}),
        );
    }
    for (input, low, high) in accessors_bounds {
        accessors[input]["min"] = json!([low]);
        accessors[input]["max"] = json!([high]);
    }
    let (low, high) = skin
        .positions
        .iter()
        .fold((glam::Vec3::MAX, glam::Vec3::MIN), |(l, h), p| {
            (l.min(*p), h.max(*p))
        });
    accessors[pos]["min"] = json!(low.to_array());
    accessors[pos]["max"] = json!(high.to_array());
    let clip_name = avatar.clips.first().map_or("", |clip| clip.name.as_str());
    let nodes = &avatar.skeleton.nodes;
    let mut out: Vec<serde_json::Value> = nodes
        .iter()
        .enumerate()
        .map(|(ix, node)| {
            let children: Vec<usize> = (0..nodes.len())
                .filter(|&c| nodes[c].parent == Some(ix))
                .collect();
            let mut v = json!({"name": node.name, "translation": node.rest.translation.to_array()});
            if !children.is_empty() {
                v["children"] = json!(children);
            }
            v
        })
        .collect();
    out.push(json!({"name": avatar.name, "mesh": 0, "skin": 0}));
    let doc = json!({"asset": {"version": "2.0"}, "buffers": [{"byteLength": bin.len()}], "bufferViews": views, "accessors": accessors,
        "meshes": [{"primitives": primitives}], "materials": materials, "nodes": out, "scenes": [{"nodes": [0, nodes.len()]}], "scene": 0,
        "animations": [{"name": clip_name, "channels": channels, "samplers": samplers}],
        "skins": [{"joints": avatar.skeleton.joints.iter().map(|j| j.node_ix).collect::<Vec<_>>(), "inverseBindMatrices": ibm}]});
    let mut text = serde_json::to_vec(&doc).unwrap();
    while text.len() % 4 != 0 {
        text.push(b' ');
    }
    while bin.len() % 4 != 0 {
        bin.push(0);
    }
    let mut glb = b"glTF".to_vec();
    glb.extend(2u32.to_le_bytes());
    glb.extend((28 + text.len() as u32 + bin.len() as u32).to_le_bytes());
    glb.extend((text.len() as u32).to_le_bytes());
    glb.extend(b"JSON");
    glb.extend(text);
    glb.extend((bin.len() as u32).to_le_bytes());
    glb.extend(b"BIN\0");
    glb.extend(bin);
    glb
}
