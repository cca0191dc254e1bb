//! What every [`Avatar`] promises, checked: the importer's last step, and a test of every generator.

use glam::Vec3;

use super::{Avatar, Clip, Interpolation, Part, Skeleton, SkinMesh, Track, TrackValues};

/// How far the weights of a vertex may be from summing to one. Single precision rounding gives about 1e-7.
const WEIGHT_SUM_TOLERANCE: f32 = 1e-4;
/// How far a normal or a rotation may be from unit length.
const UNIT_TOLERANCE: f32 = 1e-3;

/// The first broken promise found in an [`Avatar`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct Invalid {
    /// The mesh, node, joint or clip.
    pub place: String,
    /// What is wrong with it.
    pub fault: &'static str,
}

impl Avatar {
    /// Checks everything that later stages rely on: indices in range, floats finite, normals and rotations of unit
    /// length, weights sorted and summing to one, parents before children, parts covering the triangles in order,
    /// keys increasing. Costs one pass over the data.
    pub fn validate(&self) -> Result<(), Invalid> {
        self.skeleton.validate()?;
        let joint_count = self.skeleton.joints.len();
        self.skin.validate(joint_count).map_err(at("body"))?;
        for garment in &self.garments {
            let (mesh, parts) = (&garment.mesh, &garment.parts);
            mesh.validate(joint_count)
                .and_then(|()| match parts.is_empty() {
                    true => Ok(()),
                    false => validate_parts(parts, mesh.triangles.len(), self.textures.len()),
                })
                .map_err(at(&format!("garment {:?}", garment.name)))?;
        }
        let vertex_count = self.skin.positions.len();
        let mut corners = self.ornaments.as_flattened().iter();
        ensure(
            corners.all(|&ix| (ix as usize) < vertex_count),
            "a triangle names a vertex that does not exist",
        )
        .map_err(at("ornaments"))?;
        let drawn_count = self.skin.triangles.len() + self.ornaments.len();
        validate_parts(&self.parts, drawn_count, self.textures.len()).map_err(at("parts"))?;
        for (ix, texture) in self.textures.iter().enumerate() {
            let bytes = 4 * texture.width as usize * texture.height as usize;
            ensure(
                bytes > 0 && texture.rgba.len() == bytes,
                "its bytes do not match its size",
            )
            .map_err(at(&format!("texture {ix}")))?;
        }
        for clip in &self.clips {
            clip.validate(self.skeleton.nodes.len())
                .map_err(at(&format!("clip {:?}", clip.name)))?;
        }
        Ok(())
    }

    /// Height of the body in the bind pose, in metres; 0 without vertices.
    pub fn bind_height(&self) -> f32 {
        self.skin.extent().y
    }
}

impl Skeleton {
    fn validate(&self) -> Result<(), Invalid> {
        for (ix, node) in self.nodes.iter().enumerate() {
            let rest = &node.rest;
            ensure(
                node.parent.is_none_or(|parent| parent < ix),
                "its parent does not come before it",
            )
            .and_then(|()| {
                ensure(
                    rest.translation.is_finite() && rest.scale.is_finite(),
                    "not finite",
                )
            })
            .and_then(|()| {
                ensure(
                    is_unit(rest.rotation.length()),
                    "its rotation is not of unit length",
                )
            })
            .map_err(at(&format!("node {ix} {:?}", node.name)))?;
        }
        ensure(
            self.joints.len() <= usize::from(u16::MAX),
            "more than 65,535",
        )
        .map_err(at("joints"))?;
        for (ix, joint) in self.joints.iter().enumerate() {
            ensure(joint.node_ix < self.nodes.len(), "its node does not exist")
                .and_then(|()| {
                    ensure(
                        joint.bone_from_bind.is_finite(),
                        "its bind matrix is not finite",
                    )
                })
                .map_err(at(&format!("joint {ix}")))?;
        }
        Ok(())
    }
}

impl SkinMesh {
    fn validate(&self, joint_count: usize) -> Result<(), &'static str> {
        let count = self.positions.len();
        let lengths = [
            self.normals.len(),
            self.uvs.len(),
            self.joints.len(),
            self.weights.len(),
        ];
        ensure(
            lengths.iter().all(|&length| length == count),
            "per-vertex lists differ in length",
        )?;
        ensure(
            self.positions.iter().all(|position| position.is_finite()),
            "a position is not finite",
        )?;
        ensure(
            self.normals.iter().all(|normal| is_unit(normal.length())),
            "a normal is not of unit length",
        )?;
        ensure(
            self.uvs.iter().all(|uv| uv.is_finite()),
            "a texture coordinate is not finite",
        )?;
        let joints_exist = self
            .joints
            .iter()
            .flatten()
            .all(|&joint_ix| usize::from(joint_ix) < joint_count);
        ensure(
            joints_exist,
            "a vertex refers to a joint that does not exist",
        )?;
        self.weights.iter().try_for_each(validate_weights)?;
        let vertices_exist = self
            .triangles
            .iter()
            .flatten()
            .all(|&vertex_ix| (vertex_ix as usize) < count);
        ensure(
            vertices_exist,
            "a triangle refers to a vertex that does not exist",
        )
    }

    /// Triangles without area, exactly or by rounding: their fields would divide by it.
    #[cfg(feature = "import")]
    pub(super) fn zero_area_triangle_count(&self) -> usize {
        self.triangles
            .iter()
            .filter(|triangle| area_vector(&self.positions, **triangle) == Vec3::ZERO)
            .count()
    }
}

/// Twice the area of a triangle, along its normal.
#[cfg(feature = "import")]
pub(super) fn area_vector(positions: &[Vec3], triangle: [u32; 3]) -> Vec3 {
    let [a, b, c] = triangle.map(|vertex_ix| positions[vertex_ix as usize]);
    (b - a).cross(c - a)
}

pub(crate) fn validate_weights(weights: &[f32; super::MAX_INFLUENCES]) -> Result<(), &'static str> {
    ensure(
        weights.iter().all(|&weight| weight >= 0.0),
        "a weight is negative or not a number",
    )?;
    ensure(
        (weights.iter().sum::<f32>() - 1.0).abs() <= WEIGHT_SUM_TOLERANCE,
        "weights do not sum to one",
    )?;
    ensure(
        weights.is_sorted_by(|a, b| a >= b),
        "weights are not sorted strongest first",
    )
}

fn validate_parts(
    parts: &[Part],
    triangle_count: usize,
    texture_count: usize,
) -> Result<(), &'static str> {
    let mut covered = 0;
    for part in parts {
        ensure(
            part.triangles.start == covered && part.triangles.end >= covered,
            "they leave a gap or overlap",
        )?;
        covered = part.triangles.end;
        ensure(
            part.base_colour.iter().all(|channel| channel.is_finite())
                && part.alpha_cutoff.is_finite(),
            "a colour is not finite",
        )?;
        ensure(
            part.texture_ix.is_none_or(|ix| ix < texture_count),
            "a texture does not exist",
        )?;
    }
    ensure(
        covered as usize == triangle_count,
        "they do not cover all triangles",
    )
}

impl Clip {
    fn validate(&self, node_count: usize) -> Result<(), &'static str> {
        ensure(
            self.duration.is_finite() && self.duration >= 0.0,
            "its duration is negative or not finite",
        )?;
        self.tracks
            .iter()
            .try_for_each(|track| track.validate(node_count))
    }
}

impl Track {
    /// Also run by the importer as soon as a track is read, to name the clip.
    pub(super) fn validate(&self, node_count: usize) -> Result<(), &'static str> {
        ensure(
            self.node_ix < node_count,
            "it moves a node that does not exist",
        )?;
        ensure(!self.times.is_empty(), "a track has no keys")?;
        ensure(
            self.times.iter().all(|time| time.is_finite()),
            "a key's time is not finite",
        )?;
        ensure(
            self.times.is_sorted_by(|a, b| a < b),
            "the times of its keys do not increase",
        )?;
        let values_per_key = if self.interpolation == Interpolation::Cubic {
            3
        } else {
            1
        };
        ensure(
            self.values.len() == self.times.len() * values_per_key,
            "a track has too few or too many values",
        )?;
        ensure(
            self.values.are_usable(),
            "a key's value is not finite, or above a million",
        )
    }
}

impl TrackValues {
    /// How many values there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Translation(values) | Self::Scale(values) => values.len(),
            Self::Rotation(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A NaN is not within anything.
    fn are_usable(&self) -> bool {
        match self {
            Self::Translation(values) | Self::Scale(values) => values
                .iter()
                .all(|value| value.abs().cmple(Vec3::splat(MAX_KEY)).all()),
            Self::Rotation(values) => values.iter().all(|value| value.is_finite()),
        }
    }
}

/// Metres or times that a key of a clip moves or scales a node by at most. Whoever is a million metres away is simulated in steps of 6 cm.
const MAX_KEY: f32 = 1e6;

fn is_unit(length: f32) -> bool {
    (length - 1.0).abs() <= UNIT_TOLERANCE
}

fn ensure(holds: bool, fault: &'static str) -> Result<(), &'static str> {
    if holds { Ok(()) } else { Err(fault) }
}

fn at(place: &str) -> impl FnOnce(&'static str) -> Invalid {
    move |fault| Invalid {
        place: place.to_owned(),
        fault,
    }
}
