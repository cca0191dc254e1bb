//! The meshes that are measured: files, and one of our own.

use std::f32::consts::TAU;
use std::path::Path;

use anyhow::Context as _;
use glam::Vec3;
use radial_fields::avatar::import::{ImportOptions, load};
use radial_fields::avatar::makehuman::obj::BaseMesh;
use radial_fields::math::isosurface::Isosurface;
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
        let made = builtin.map(|builtin| match builtin {
            BuiltinMesh::Bust => ("bust", bust(BUST_EDGE)),
            BuiltinMesh::Ring => ("ring", ring()),
        });
        if let Some((name, made)) = made {
            let name = name.to_owned();
            meshes.push(Self::new(name, made.positions, &made.triangles, None)?);
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
            "{}: {} triangles, {:.3} x {:.3} x {:.3} m, {closed} ({} border, {} crowded, {} turned, {} folded and {} creased edges, {} flat triangles)",
            self.name,
            mesh.triangles().len(),
            size.x,
            size.y,
            size.z,
            faults.border_edges,
            faults.crowded_edges,
            faults.turned_edges,
            faults.folded_edges,
            faults.creased_edges,
            faults.flat_triangles,
        )
    }
}

/// Round the y axis, 40 cm wide, of two million triangles.
fn ring() -> Isosurface {
    let (segments, rows) = (2000, 500);
    let angle = |ix: u32, count: u32| TAU * ix as f32 / count as f32;
    let place = |ix: u32| {
        let ((sin, cos), (up, out)) = (
            angle(ix / rows, segments).sin_cos(),
            angle(ix % rows, rows).sin_cos(),
        );
        let from_axis = 0.15 + 0.05 * out;
        Vec3::new(cos * from_axis, 0.05 * up, sin * from_axis)
    };
    let quad = |ix: u32| {
        let at = |segment: u32, row: u32| {
            (ix / rows + segment) % segments * rows + (ix % rows + row) % rows
        };
        [
            [at(0, 0), at(0, 1), at(1, 1)],
            [at(0, 0), at(1, 1), at(1, 0)],
        ]
    };
    Isosurface {
        positions: (0..segments * rows).map(place).collect(),
        triangles: (0..segments * rows).flat_map(quad).collect(),
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
