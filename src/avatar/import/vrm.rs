//! What a VRM says of its bones: which node is which part of a person, whatever its author called it.

use gltf::json::{Root, Value};

/// The extension's names: of version 0 and of version 1.
const NAMES: [&str; 2] = ["VRM", "VRMC_vrm"];

/// Whether a file is a VRM.
pub(super) fn is_vrm(root: &Root) -> bool {
    let used = &root.extensions_used;
    used.iter().any(|name| NAMES.contains(&name.as_str()))
}

/// Nodes with the names of the person's bones that they are (`leftUpperLeg`), in no order. What does not make sense is left out.
pub(super) fn bones(root: &Root) -> Vec<(usize, String)> {
    let others = root.extensions.as_ref().map(|all| &all.others);
    let extension = others.and_then(|others| NAMES.iter().find_map(|name| others.get(*name)));
    let bones = extension.and_then(|vrm| vrm.get("humanoid")?.get("humanBones"));
    let node_of = |bone: &Value| usize::try_from(bone.get("node")?.as_u64()?).ok();
    match bones {
        // Version 0 lists them, version 1 has one field per bone.
        Some(Value::Array(bones)) => bones
            .iter()
            .filter_map(|bone| Some((node_of(bone)?, bone.get("bone")?.as_str()?.to_owned())))
            .collect(),
        Some(Value::Object(bones)) => bones
            .iter()
            .filter_map(|(name, bone)| Some((node_of(bone)?, name.clone())))
            .collect(),
        _ => Vec::new(),
    }
}
