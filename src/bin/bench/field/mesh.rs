//! The meshes that are measured: files, and one of our own.

use std::path::Path;

use anyhow::Context as _;
use glam::Vec3;
use radial_fields::avatar::import::{ImportOptions, load};
use radial_fields::avatar::makehuman::obj::BaseMesh;
use radial_fields::solid::SolidMesh;
use radial_fields::solid::study::bust;

use crate::cli::{BuiltinMesh, FieldFlags};

/// Metres of an edge of the bust: about as many triangles as the paper's, 293,000.
const BUST_EDGE: f32 = 0.003;

/// A checked mesh with its name.
pub struct NamedMesh {
    pub name: String,
    pub mesh: SolidMesh,
}

impl NamedMesh {
    /// All that the flags name.
    pub fn load_all(flags: &FieldFlags) -> anyhow::Result<Vec<Self>> {
        let mut meshes = Vec::new();
        for file in &flags.mesh {
            let name = file
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let (positions, triangles) = read(file)?;
            meshes.push(Self::new(name, positions, &triangles, flags.longest)?);
        }
        let builtin = flags
            .builtin
            .or(flags.mesh.is_empty().then_some(BuiltinMesh::Bust));
        if let Some(BuiltinMesh::Bust) = builtin {
            let bust = bust(BUST_EDGE);
            meshes.push(Self::new(
                "bust".to_owned(),
                bust.positions,
                &bust.triangles,
                None,
            )?);
        }
        Ok(meshes)
    }

    fn new(
        name: String,
        mut positions: Vec<Vec3>,
        triangles: &[[u32; 3]],
        longest: Option<f32>,
    ) -> anyhow::Result<Self> {
        let check =
            |positions: &[Vec3]| SolidMesh::new(positions, triangles).with_context(|| name.clone());
        let mut mesh = check(&positions)?;
        if let Some(longest) = longest {
            let scale = longest / mesh.bounds().size().max_element();
            positions.iter_mut().for_each(|position| *position *= scale);
            mesh = check(&positions)?;
        }
        Ok(Self { name, mesh })
    }

    /// Its size and faults in words.
    pub fn description(&self) -> String {
        let (mesh, faults) = (&self.mesh, self.mesh.faults());
        let size = mesh.bounds().size();
        let closed = if faults.is_closed() {
            "closed"
        } else {
            "not closed"
        };
        format!(
            "{}: {} triangles, {:.3} x {:.3} x {:.3} m, {closed} ({} border, {} crowded, {} turned and {} folded edges, {} flat triangles)",
            self.name,
            mesh.triangles().len(),
            size.x,
            size.y,
            size.z,
            faults.border_edges,
            faults.crowded_edges,
            faults.turned_edges,
            faults.folded_edges,
            faults.flat_triangles,
        )
    }
}

type Mesh = (Vec<Vec3>, Vec<[u32; 3]>);

/// A glTF character in its bind pose, or Wavefront OBJ.
fn read(file: &Path) -> anyhow::Result<Mesh> {
    let is_obj = file
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("obj"));
    if !is_obj {
        let avatar = load(file, &ImportOptions::default())?;
        return Ok((avatar.skin.positions, avatar.skin.triangles));
    }
    let name = file.display().to_string();
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("{name} cannot be read: give a readable .obj or .glb file"))?;
    let mesh = BaseMesh::parse_named(&name, &text)?;
    let fan = |face: &Vec<u32>| {
        let corners = face.windows(2).skip(1).map(|pair| [pair[0], pair[1]]);
        corners.map(|[b, c]| [face[0], b, c]).collect::<Vec<_>>()
    };
    let triangles = mesh.groups.values().flatten().flat_map(fan).collect();
    Ok((mesh.positions, triangles))
}
