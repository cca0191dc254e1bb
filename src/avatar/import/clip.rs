//! Animations as clips.

use glam::{Quat, Vec3};
use gltf::json::animation::{self, Animation, Property};
use gltf::json::validation::Checked;

use super::ImportFault;
use super::accessor::Reader;
use super::tree::unit;
use crate::avatar::{Clip, Interpolation, Track, TrackValues, printable};

/// All animations that move the skeleton, in the file's order. `skeleton_node` gives the skeleton's node for each of
/// the file's; what moves other nodes, or morphs, is left out.
pub(super) fn read_all(
    reader: &Reader,
    skeleton_node: &[Option<usize>],
) -> Result<Vec<Clip>, ImportFault> {
    let node_count = skeleton_node.iter().flatten().count();
    let mut clips = Vec::new();
    for (ix, animation) in reader.root.animations.iter().enumerate() {
        let name = animation
            .name
            .as_deref()
            .map(printable)
            .unwrap_or_else(|| format!("clip {ix}"));
        let mut tracks = Vec::new();
        for channel in &animation.channels {
            let node = channel.target.node.value();
            let Some(known) = skeleton_node.get(node) else {
                return Err(in_clip(
                    &name,
                    format!("it moves node {node}, which does not exist"),
                ));
            };
            let Some(node_ix) = *known else { continue };
            let Some(track) = read_track(reader, animation, channel, node_ix)
                .map_err(|fault| in_clip(&name, fault))?
            else {
                continue;
            };
            track
                .validate(node_count)
                .map_err(|fault| in_clip(&name, fault.to_owned()))?;
            tracks.push(track);
        }
        let ends = tracks.iter().filter_map(|track| track.times.last());
        let duration = ends.fold(0.0_f32, |duration, &end| duration.max(end));
        if !tracks.is_empty() {
            clips.push(Clip {
                name,
                duration,
                tracks,
            });
        }
    }
    Ok(clips)
}

fn in_clip(name: &str, fault: String) -> ImportFault {
    ImportFault::Clip {
        clip: name.to_owned(),
        fault,
    }
}

/// None for properties that do not move a node.
fn read_track(
    reader: &Reader,
    animation: &Animation,
    channel: &animation::Channel,
    node_ix: usize,
) -> Result<Option<Track>, String> {
    let sampler_ix = channel.sampler.value();
    let sampler = animation
        .samplers
        .get(sampler_ix)
        .ok_or(format!("sampler {sampler_ix} does not exist"))?;
    let plain = |fault: ImportFault| fault.to_string().replace("; export the file again", "");
    let vectors = || -> Result<Vec<Vec3>, String> {
        Ok(reader
            .floats::<3>(sampler.output)
            .map_err(plain)?
            .into_iter()
            .map(Vec3::from)
            .collect())
    };
    let interpolation = match sampler.interpolation {
        Checked::Valid(animation::Interpolation::Step) => Interpolation::Step,
        Checked::Valid(animation::Interpolation::CubicSpline) => Interpolation::Cubic,
        Checked::Valid(animation::Interpolation::Linear) => Interpolation::Linear,
        Checked::Invalid => return Err("a sampler has an unknown interpolation".to_owned()),
    };
    let values = match channel.target.path {
        Checked::Valid(Property::Translation) => TrackValues::Translation(vectors()?),
        Checked::Valid(Property::Scale) => TrackValues::Scale(vectors()?),
        Checked::Valid(Property::Rotation) => {
            let rotations = reader
                .floats::<4>(sampler.output)
                .map_err(plain)?
                .into_iter()
                .map(Quat::from_array);
            TrackValues::Rotation(unit_keys(rotations.collect(), interpolation))
        }
        Checked::Valid(Property::MorphTargetWeights) | Checked::Invalid => return Ok(None),
    };
    let times = reader
        .floats::<1>(sampler.input)
        .map_err(plain)?
        .into_iter()
        .flatten()
        .collect();
    Ok(Some(Track {
        node_ix,
        interpolation,
        times,
        values,
    }))
}

/// Rotations of unit length; a cubic track's tangents stay as they are. What is not finite stays, to be reported.
fn unit_keys(mut rotations: Vec<Quat>, interpolation: Interpolation) -> Vec<Quat> {
    let is_key = |ix: usize| interpolation != Interpolation::Cubic || ix % 3 == 1;
    for (ix, rotation) in rotations.iter_mut().enumerate() {
        if is_key(ix) {
            *rotation = unit(*rotation).unwrap_or(*rotation);
        }
    }
    rotations
}
