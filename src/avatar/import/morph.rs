//! Morph targets: shapes blended into a mesh, at the weights that the file gives them.

use gltf::json::animation::Property;
use gltf::json::mesh::Primitive;
use gltf::json::validation::Checked;
use gltf::json::{Index, Root, accessor::Accessor};

use super::ImportFault;
use super::accessor::Reader;

/// The targets of a primitive that count, with their weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Morphs {
    targets: Vec<Target>,
}

#[derive(Clone, Debug, PartialEq)]
struct Target {
    weight: f32,
    positions: Option<Index<Accessor>>,
    normals: Option<Index<Accessor>>,
}

impl Morphs {
    /// Weights of 0, and those that are not finite, leave their target out.
    pub fn of(primitive: &Primitive, weights: &[f32]) -> Self {
        let targets = primitive.targets.iter().flatten().zip(weights);
        let counted = targets.filter(|(_, weight)| weight.is_finite() && **weight != 0.0);
        let target = |(target, &weight): (&gltf::json::mesh::MorphTarget, &f32)| Target {
            weight,
            positions: target.positions,
            normals: target.normals,
        };
        Self {
            targets: counted.map(target).collect(),
        }
    }

    pub fn move_positions(
        &self,
        reader: &Reader,
        positions: &mut [[f32; 3]],
    ) -> Result<(), ImportFault> {
        self.add(reader, positions, |target| target.positions)
    }

    /// They are made unit length later, with all others.
    pub fn move_normals(
        &self,
        reader: &Reader,
        normals: &mut [[f32; 3]],
    ) -> Result<(), ImportFault> {
        self.add(reader, normals, |target| target.normals)
    }

    /// A target of fewer vertices than the mesh moves those it has.
    fn add(
        &self,
        reader: &Reader,
        values: &mut [[f32; 3]],
        of: fn(&Target) -> Option<Index<Accessor>>,
    ) -> Result<(), ImportFault> {
        for target in &self.targets {
            let Some(accessor) = of(target) else {
                continue;
            };
            for (value, by) in values.iter_mut().zip(reader.floats::<3>(accessor)?) {
                for (value, by) in value.iter_mut().zip(by) {
                    *value += target.weight * by;
                }
            }
        }
        Ok(())
    }
}

/// How many tracks move morph targets: they are left out, and the targets stand still.
pub(super) fn animated_count(root: &Root) -> u32 {
    let channels = root.animations.iter().flat_map(|clip| &clip.channels);
    let is_morph =
        |path: &Checked<Property>| matches!(path, Checked::Valid(Property::MorphTargetWeights));
    channels
        .filter(|channel| is_morph(&channel.target.path))
        .count() as u32
}
