//! Small glTF files built in code.

#![allow(dead_code, reason = "each test binary uses its own part")]

pub mod survival;

use std::fmt::Write as _;

/// A file in the making: arrays and their accessors; nodes, meshes and the rest are written as JSON by the test.
#[derive(Default)]
pub struct TinyGltf {
    pub bytes: Vec<u8>,
    views: Vec<String>,
    accessors: Vec<String>,
}

impl TinyGltf {
    /// Adds floats; `kind` is SCALAR, VEC3 and so on. Returns the accessor's index.
    pub fn floats(&mut self, kind: &str, values: &[f32]) -> usize {
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.array(&bytes, kind, 5126, values.len() / width(kind), "")
    }

    /// Adds bytes, as vectors of `kind`.
    pub fn u8s(&mut self, kind: &str, values: &[u8]) -> usize {
        self.array(values, kind, 5121, values.len() / width(kind), "")
    }

    /// Adds 16-bit integers, as vectors of `kind`.
    pub fn u16s(&mut self, kind: &str, values: &[u16]) -> usize {
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.array(&bytes, kind, 5123, values.len() / width(kind), "")
    }

    /// Adds 32-bit integers, as vectors of `kind`.
    pub fn u32s(&mut self, kind: &str, values: &[u32]) -> usize {
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.array(&bytes, kind, 5125, values.len() / width(kind), "")
    }

    /// Adds a view of `bytes` and an accessor on it; `more` is further JSON of the accessor, with its leading comma.
    pub fn array(
        &mut self,
        bytes: &[u8],
        kind: &str,
        component: u32,
        count: usize,
        more: &str,
    ) -> usize {
        let view = self.view(bytes, "");
        self.accessor(&format!(
            r#"{{"bufferView":{view},"componentType":{component},"count":{count},"type":"{kind}"{more}}}"#
        ))
    }

    /// Adds a view; `more` is further JSON of it, with its leading comma.
    pub fn view(&mut self, bytes: &[u8], more: &str) -> usize {
        let (offset, length) = (self.bytes.len(), bytes.len());
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(format!(
            r#"{{"buffer":0,"byteOffset":{offset},"byteLength":{length}{more}}}"#
        ));
        self.views.len() - 1
    }

    /// Adds an accessor given as JSON.
    pub fn accessor(&mut self, json: &str) -> usize {
        self.accessors.push(json.to_owned());
        self.accessors.len() - 1
    }

    /// The JSON of the whole file; `body` is everything but the asset and the arrays. `uri` is where the buffer is.
    pub fn json(&self, body: &str, uri: Option<&str>) -> String {
        let mut json = r#"{"asset":{"version":"2.0"}"#.to_owned();
        let uri = uri.map_or(String::new(), |uri| format!(r#","uri":"{uri}""#));
        let (length, views, accessors) = (
            self.bytes.len(),
            self.views.join(","),
            self.accessors.join(","),
        );
        write!(
            json,
            r#","buffers":[{{"byteLength":{length}{uri}}}],"bufferViews":[{views}]"#
        )
        .unwrap();
        write!(json, r#","accessors":[{accessors}],{body}}}"#).unwrap();
        json
    }

    /// The file as .glb.
    pub fn glb(&self, body: &str) -> Vec<u8> {
        glb(self.json(body, None).as_bytes(), &self.bytes)
    }
}

/// A .glb of any JSON and any binary chunk.
pub fn glb(json: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut json = json.to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let length = 12 + 8 + json.len() + 8 + bytes.len();
    let mut glb = b"glTF".to_vec();
    glb.extend([2_u32.to_le_bytes(), (length as u32).to_le_bytes()].concat());
    for (kind, chunk) in [(b"JSON", json.as_slice()), (b"BIN\0", bytes)] {
        glb.extend((chunk.len() as u32).to_le_bytes());
        glb.extend(kind);
        glb.extend(chunk);
    }
    glb
}

fn width(kind: &str) -> usize {
    match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        _ => 16,
    }
}

/// The plain character most tests start from, to be changed before it is written: two joints, `hip` at the origin
/// and `knee` one metre above, and one triangle, two metres high, whose top follows the knee.
pub struct Sketch {
    pub gltf: TinyGltf,
    /// Accessors by attribute.
    pub attributes: Vec<(&'static str, usize)>,
    pub indices: Option<usize>,
    /// JSON of the primitive, without attributes and indices, with its leading comma.
    pub primitive: String,
    /// JSON of the joints' inverse bind matrices, and of what else the skin holds.
    pub skin: String,
    /// JSON of the nodes: 0 the mesh, 1 the hip, 2 the knee, then whatever a test adds.
    pub nodes: Vec<String>,
    /// Further JSON of the file, with its leading comma.
    pub more: String,
}

impl Sketch {
    pub fn new() -> Self {
        let mut gltf = TinyGltf::default();
        let positions = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0]);
        let joints = gltf.u8s("VEC4", &[0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
        let weights = gltf.floats(
            "VEC4",
            &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
        );
        let indices = gltf.u16s("SCALAR", &[0, 1, 2]);
        let binds = gltf.floats(
            "MAT4",
            &[identity_with_y(0.0), identity_with_y(-1.0)].concat(),
        );
        Self {
            gltf,
            attributes: vec![
                ("POSITION", positions),
                ("JOINTS_0", joints),
                ("WEIGHTS_0", weights),
            ],
            indices: Some(indices),
            primitive: String::new(),
            skin: format!(r#","inverseBindMatrices":{binds}"#),
            nodes: vec![
                r#"{"name":"figure","mesh":0,"skin":0}"#.to_owned(),
                r#"{"name":"hip","children":[2]}"#.to_owned(),
                r#"{"name":"knee","translation":[0,1,0]}"#.to_owned(),
            ],
            more: String::new(),
        }
    }

    /// Puts another accessor behind an attribute.
    pub fn set(&mut self, attribute: &'static str, accessor: usize) {
        self.attributes.retain(|(name, _)| *name != attribute);
        self.attributes.push((attribute, accessor));
    }

    /// Adds an animation of the knee with one channel.
    pub fn animate(&mut self, path: &str, interpolation: &str, input: usize, output: usize) {
        write!(
            self.more,
            r#","animations":[{{"name":"nod","samplers":[{{"input":{input},"output":{output},"interpolation":"{interpolation}"}}],
            "channels":[{{"sampler":0,"target":{{"node":2,"path":"{path}"}}}}]}}]"#
        )
        .unwrap();
    }

    pub fn primitive(&self) -> String {
        let attributes: Vec<String> = self
            .attributes
            .iter()
            .map(|(name, accessor)| format!(r#""{name}":{accessor}"#))
            .collect();
        let indices = self
            .indices
            .map_or(String::new(), |indices| format!(r#","indices":{indices}"#));
        format!(
            r#"{{"attributes":{{{}}}{indices}{}}}"#,
            attributes.join(","),
            self.primitive
        )
    }

    /// Everything but the arrays.
    pub fn body(&self) -> String {
        format!(
            r#""nodes":[{}],"meshes":[{{"primitives":[{}]}}],"skins":[{{"joints":[1,2]{}}}]{}"#,
            self.nodes.join(","),
            self.primitive(),
            self.skin,
            self.more
        )
    }

    pub fn glb(&self) -> Vec<u8> {
        self.gltf.glb(&self.body())
    }
}

/// A column-major matrix that moves along y.
pub fn identity_with_y(y: f32) -> [f32; 16] {
    [
        1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, y, 0.0, 1.0,
    ]
}

/// Bytes as a data URI holds them.
pub fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let word = group
            .iter()
            .fold(0_u32, |word, &byte| word << 8 | u32::from(byte))
            << (8 * (3 - group.len()));
        for letter in 0..4 {
            let value = (word >> (18 - 6 * letter)) as usize & 63;
            text.push(if letter > group.len() {
                '='
            } else {
                LETTERS[value] as char
            });
        }
    }
    text
}
