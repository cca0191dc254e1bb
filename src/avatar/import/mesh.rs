//! One mesh node of a file as a [`SkinMesh`].

use glam::{Mat4, Vec2, Vec3};
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::Checked;
use gltf::json::{Index, Mesh, accessor::Accessor};

use super::accessor::Reader;
use super::morph::Morphs;
use super::triangles::assemble;
use super::uv::UvMap;
use super::{DRACO, ImportFault};
use crate::avatar::{MAX_INFLUENCES, SkinMesh};

/// Numbers kept for one vertex: position, normal, texture coordinates, joints and weights.
const NUMBERS_PER_VERTEX: usize = 3 + 3 + 2 + 2 * MAX_INFLUENCES;
/// What a primitive counts for beside its arrays: the limit stops files that use empty ones by the billion.
const NUMBERS_PER_PRIMITIVE: usize = 256;

/// How the vertices of a mesh follow the skeleton.
pub(super) enum Following<'a> {
    /// By the file's weights; the skeleton's joint for each joint of the skin.
    Weights(&'a [u16]),
    /// All with one joint.
    Joint(u16),
}

/// A mesh as one node has it.
pub(super) struct MeshNode<'a> {
    pub mesh: &'a Mesh,
    /// The node's.
    pub name: &'a str,
    /// One a morph target; what is missing counts as 0.
    pub morph_weights: &'a [f32],
}

/// Triangles that share a material, in order.
pub(super) struct Run {
    /// Index into the file's materials.
    pub material_ix: Option<usize>,
    pub triangle_count: usize,
}

/// What one mesh node holds.
#[derive(Default)]
pub(super) struct LoadedMesh {
    /// In the space it is stored in; normals may be zero or not finite.
    pub mesh: SkinMesh,
    pub runs: Vec<Run>,
    pub zero_weight_vertices: u32,
    /// [`NamedSkin::motion`](crate::avatar::NamedSkin::motion), one per vertex.
    pub motion: Vec<[f32; 3]>,
}

/// The vertex attributes of motion constraints, and what stands for one that is left out or is no length.
const MOTION: [(&str, f32); 3] = [
    ("MAX_DISTANCE", f32::INFINITY),
    ("BACKSTOP_DISTANCE", 0.0),
    ("BACKSTOP_RADIUS", 0.0),
];

/// Reads the triangles of a mesh; points and lines are skipped, as are primitives without positions.
pub(super) fn read(
    reader: &Reader,
    node: &MeshNode,
    following: &Following,
) -> Result<LoadedMesh, ImportFault> {
    let mut loaded = LoadedMesh::default();
    let mut previous: Option<VertexRange> = None;
    for primitive in &node.mesh.primitives {
        reader.charge(1, NUMBERS_PER_PRIMITIVE)?;
        let Some(positions) =
            attribute(primitive, Semantic::Positions).filter(|_| has_triangles(primitive))
        else {
            continue;
        };
        check_compression(reader, primitive, positions)?;
        let source = Source {
            reader,
            primitive,
            name: node.name,
            uv_map: UvMap::of(reader, primitive),
            morphs: Morphs::of(primitive, node.morph_weights),
            following,
        };
        // Primitives that share their vertices (one mesh, several materials) keep sharing them.
        let range = match previous.take().filter(|range| range.is_of(&source)) {
            Some(range) => range,
            None => source.append_vertices(positions, &mut loaded)?,
        };
        let triangles = source.triangles(&range)?;
        let material_ix = primitive.material.map(|material| material.value());
        loaded.runs.push(Run {
            material_ix,
            triangle_count: triangles.len(),
        });
        loaded.mesh.triangles.extend(triangles);
        previous = Some(range);
    }
    loaded.drop_unused_vertices();
    Ok(loaded)
}

impl LoadedMesh {
    /// What no triangle uses means nothing, and would be a particle, or widen what the camera looks at.
    fn drop_unused_vertices(&mut self) {
        let mut is_used = vec![false; self.mesh.positions.len()];
        for &vertex_ix in self.mesh.triangles.as_flattened() {
            is_used[vertex_ix as usize] = true;
        }
        if is_used.iter().all(|is_used| *is_used) {
            return;
        }
        let mut count = 0;
        let places: Vec<u32> = is_used
            .iter()
            .map(|is_used| {
                count += u32::from(*is_used);
                count.saturating_sub(1)
            })
            .collect();
        for vertex_ix in self.mesh.triangles.as_flattened_mut() {
            *vertex_ix = places[*vertex_ix as usize];
        }
        let mesh = &mut self.mesh;
        keep(&mut mesh.positions, &is_used);
        keep(&mut mesh.normals, &is_used);
        keep(&mut mesh.uvs, &is_used);
        keep(&mut mesh.joints, &is_used);
        keep(&mut mesh.weights, &is_used);
        keep(&mut self.motion, &is_used);
    }

    /// Moves everything into another space. Mirroring turns the triangles round, so that they still face out.
    pub fn transform(&mut self, to_from_mesh: Mat4) {
        if to_from_mesh == Mat4::IDENTITY {
            return;
        }
        let (x, y, z) = (
            to_from_mesh.x_axis.truncate(),
            to_from_mesh.y_axis.truncate(),
            to_from_mesh.z_axis.truncate(),
        );
        let cofactor = glam::Mat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
        let size = x.dot(y.cross(z)).abs().cbrt();
        let lengths = self.motion.iter_mut().flatten();
        lengths.for_each(|length| *length *= size);
        let mirrors = x.dot(y.cross(z)) < 0.0;
        let facing = if mirrors { -1.0 } else { 1.0 };
        self.mesh
            .positions
            .iter_mut()
            .for_each(|position| *position = to_from_mesh.transform_point3(*position));
        self.mesh
            .normals
            .iter_mut()
            .for_each(|normal| *normal = (cofactor * *normal * facing).normalize_or_zero());
        if mirrors {
            self.mesh
                .triangles
                .iter_mut()
                .for_each(|triangle| triangle.swap(1, 2));
        }
    }
}

impl SkinMesh {
    /// Appends another mesh of the same skeleton.
    pub(super) fn append(&mut self, other: SkinMesh) {
        let first = self.positions.len() as u32;
        self.positions.extend(other.positions);
        self.normals.extend(other.normals);
        self.uvs.extend(other.uvs);
        self.joints.extend(other.joints);
        self.weights.extend(other.weights);
        self.triangles.extend(
            other
                .triangles
                .iter()
                .map(|triangle| triangle.map(|vertex_ix| vertex_ix + first)),
        );
    }
}

/// Of one value per vertex those that are used.
fn keep<T>(values: &mut Vec<T>, is_used: &[bool]) {
    let mut is_used = is_used.iter();
    values.retain(|_| is_used.next() == Some(&true));
}

/// Vertices that one or more primitives use.
struct VertexRange<'a> {
    primitive: &'a Primitive,
    uv_map: UvMap,
    morphs: Morphs,
    first: u32,
    count: usize,
}

impl VertexRange<'_> {
    fn is_of(&self, source: &Source) -> bool {
        self.primitive.attributes == source.primitive.attributes
            && self.uv_map == source.uv_map
            && self.morphs == source.morphs
    }
}

/// One primitive and all that is needed to read it.
pub(super) struct Source<'a> {
    pub(super) reader: &'a Reader<'a>,
    pub(super) primitive: &'a Primitive,
    name: &'a str,
    uv_map: UvMap,
    morphs: Morphs,
    pub(super) following: &'a Following<'a>,
}

impl<'a> Source<'a> {
    fn append_vertices(
        &self,
        positions: Index<Accessor>,
        loaded: &mut LoadedMesh,
    ) -> Result<VertexRange<'a>, ImportFault> {
        let first = loaded.mesh.positions.len();
        let mut positions = self.reader.floats::<3>(positions)?;
        let count = positions.len();
        self.reader.charge(count, NUMBERS_PER_VERTEX)?;
        self.morphs.move_positions(self.reader, &mut positions)?;
        let mesh = self.mesh_name();
        if !positions
            .iter()
            .flatten()
            .all(|coordinate| coordinate.is_finite())
        {
            return Err(ImportFault::PositionNotFinite { mesh });
        }
        let (influences, zero_weight_vertices) = self.influences(count)?;
        loaded.zero_weight_vertices += zero_weight_vertices;
        loaded.motion.extend(self.motion(count)?);
        let into = &mut loaded.mesh;
        into.positions.extend(positions.into_iter().map(Vec3::from));
        let mut normals = self.floats::<3>(Semantic::Normals, "NORMAL", count)?;
        self.morphs.move_normals(self.reader, &mut normals)?;
        into.normals.extend(normals.into_iter().map(Vec3::from));
        let uvs = self.floats::<2>(Semantic::TexCoords(self.uv_map.set), "TEXCOORD", count)?;
        into.uvs.extend(
            uvs.into_iter()
                .map(|uv| self.uv_map.place(Vec2::from(uv)))
                .map(|uv| if uv.is_finite() { uv } else { Vec2::ZERO }),
        );
        into.joints
            .extend(influences.iter().map(|(joints, _)| *joints));
        into.weights
            .extend(influences.iter().map(|(_, weights)| *weights));
        Ok(VertexRange {
            primitive: self.primitive,
            uv_map: self.uv_map,
            morphs: self.morphs.clone(),
            first: first as u32,
            count,
        })
    }

    fn motion(&self, vertex_count: usize) -> Result<Vec<[f32; 3]>, ImportFault> {
        let mut motion = vec![MOTION.map(|(_, without)| without); vertex_count];
        for (ix, (name, _)) in MOTION.into_iter().enumerate() {
            let semantic = Semantic::Extras(name.to_owned());
            if attribute(self.primitive, semantic.clone()).is_none() {
                continue;
            }
            let given = self.floats::<1>(semantic, name, vertex_count)?;
            for (motion, [length]) in motion.iter_mut().zip(given) {
                if length >= 0.0 && length.is_finite() {
                    motion[ix] = length;
                }
            }
        }
        Ok(motion)
    }

    /// An attribute's values, zeros where the primitive has none.
    fn floats<const N: usize>(
        &self,
        semantic: Semantic,
        attribute_name: &'static str,
        vertex_count: usize,
    ) -> Result<Vec<[f32; N]>, ImportFault> {
        let Some(accessor) = attribute(self.primitive, semantic) else {
            return Ok(vec![[0.0; N]; vertex_count]);
        };
        let values = self.reader.floats::<N>(accessor)?;
        self.check_length(attribute_name, values.len(), vertex_count)?;
        Ok(values)
    }

    /// The primitive's triangles, as indices into the whole loaded mesh.
    fn triangles(&self, range: &VertexRange) -> Result<Vec<[u32; 3]>, ImportFault> {
        let indices: Vec<u32> = match self.primitive.indices {
            Some(accessor) => self
                .reader
                .integers::<1>(accessor)?
                .into_iter()
                .flatten()
                .collect(),
            None => {
                self.reader.charge(range.count, 1)?;
                (0..range.count as u32).collect()
            }
        };
        if let Some(&vertex_ix) = indices
            .iter()
            .find(|&&vertex_ix| vertex_ix as usize >= range.count)
        {
            let mesh = self.mesh_name();
            return Err(ImportFault::VertexOutOfRange {
                mesh,
                vertex_ix,
                vertex_count: range.count,
            });
        }
        let mut triangles = assemble(&indices, self.primitive.mode);
        triangles
            .iter_mut()
            .flatten()
            .for_each(|vertex_ix| *vertex_ix += range.first);
        Ok(triangles)
    }

    pub(super) fn check_length(
        &self,
        attribute: &'static str,
        count: usize,
        vertex_count: usize,
    ) -> Result<(), ImportFault> {
        match count == vertex_count {
            true => Ok(()),
            false => Err(ImportFault::AttributeLength {
                mesh: self.mesh_name(),
                attribute,
                count,
                vertex_count,
            }),
        }
    }

    pub(super) fn mesh_name(&self) -> String {
        self.name.to_owned()
    }
}

pub(super) fn attribute(primitive: &Primitive, semantic: Semantic) -> Option<Index<Accessor>> {
    primitive.attributes.get(&Checked::Valid(semantic)).copied()
}

fn has_triangles(primitive: &Primitive) -> bool {
    matches!(
        primitive.mode,
        Checked::Valid(Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan)
    )
}

/// Geometry that only a Draco decoder unpacks: the accessors have no bytes of their own.
fn check_compression(
    reader: &Reader,
    primitive: &Primitive,
    positions: Index<Accessor>,
) -> Result<(), ImportFault> {
    let extensions = primitive.extensions.as_ref();
    let is_draco = extensions.is_some_and(|all| all.others.contains_key(DRACO));
    let accessor = reader.root.accessors.get(positions.value());
    let is_empty = accessor.is_some_and(|accessor| {
        accessor.buffer_view.is_none() && accessor.sparse.is_none() && accessor.count.0 > 0
    });
    match is_draco && is_empty {
        true => Err(ImportFault::UnsupportedExtension {
            name: DRACO.to_owned(),
        }),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirroring_keeps_triangles_facing_out() {
        let mesh = SkinMesh {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            normals: vec![Vec3::Z; 3],
            triangles: vec![[0, 1, 2]],
            ..SkinMesh::default()
        };
        let mut loaded = LoadedMesh {
            mesh,
            ..LoadedMesh::default()
        };
        loaded.transform(Mat4::from_scale(Vec3::new(-2.0, 1.0, 1.0)));
        let area =
            crate::avatar::validate::area_vector(&loaded.mesh.positions, loaded.mesh.triangles[0]);
        assert_eq!(
            (loaded.mesh.normals[0], area.normalize()),
            (Vec3::Z, Vec3::Z)
        );
    }
}
