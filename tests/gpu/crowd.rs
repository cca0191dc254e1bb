//! Several bodies in one world: whoever else is there, a character's cloth does the same, to the bit.

use std::sync::Arc;

use glam::{Mat4, Vec3};
use radial_fields::avatar::{Avatar, builtin};
use radial_fields::cloth::ClothSettings;
use radial_fields::cloth::garment::{Garment, sheet_over};
use radial_fields::collide::CollideSettings;
use radial_fields::engine::Device;
use radial_fields::pose::{Palette, Pose};
use radial_fields::{BodyDef, GarmentDef, Technique, WorldDef};

use crate::figures::loose;
use crate::fixture::{Rig, STEP_SECONDS, with_device};

/// Frames of a fast part of the clip.
const FRAMES: usize = 3;
/// Seconds into the clip.
const BEGINS: f32 = 5.0;

/// Metres that roundings in three frames may add up to; a field that is not met leaves cloth millimetres inside.
const MOST_APART: f32 = 1e-4;

/// A character in a sheet, and where others stand.
struct Scene {
    avatar: Avatar,
    garment: Garment,
    technique: Technique,
    /// World space.
    others: Vec<Vec3>,
    /// Particles elsewhere, of nobody's clothes.
    bystanders: usize,
    meets_edges: bool,
}

impl Scene {
    fn new(technique: Technique, others: Vec<Vec3>) -> Self {
        let avatar = builtin::load_mannequin();
        Self {
            garment: sheet_over(&avatar, 800),
            avatar,
            technique,
            others,
            bystanders: 0,
            meets_edges: true,
        }
    }

    fn palettes(&self, frame_ix: usize) -> Vec<Palette> {
        let (skeleton, clip) = (&self.avatar.skeleton, &self.avatar.clips[0]);
        let pose = Pose::sample(clip, skeleton, BEGINS + frame_ix as f32 * STEP_SECONDS);
        let places = std::iter::once(Vec3::ZERO).chain(self.others.iter().copied());
        places
            .map(|place| Palette::new(skeleton, &pose, Mat4::from_translation(place)))
            .collect()
    }

    /// The bits of the first character's cloth after the last frame; `own_ix` is its place among the bodies.
    fn run(&self, device: &Arc<Device>, own_ix: usize) -> Vec<u32> {
        let bodies = vec![BodyDef::new(&self.avatar); 1 + self.others.len()];
        let place = |ix: usize| Vec3::new(50.0, 1e-3 * ix as f32, 0.0);
        let bystanders = loose((0..self.bystanders).map(place).collect());
        let mut garments = vec![GarmentDef::new(&self.garment, own_ix)];
        if self.bystanders > 0 {
            garments.push(GarmentDef::new(&bystanders, own_ix));
        }
        let def = WorldDef {
            bodies: &bodies,
            garments: &garments,
            cloth: ClothSettings {
                sub_steps: 2,
                ..ClothSettings::default()
            },
            collide: CollideSettings {
                edge_midpoints: self.meets_edges,
                ..CollideSettings::default()
            },
            technique: self.technique,
            ..WorldDef::default()
        };
        let mut rig = Rig::new(device, &def);
        for frame_ix in 0..FRAMES {
            let mut palettes = self.palettes(frame_ix);
            palettes.swap(0, own_ix);
            rig.step(&palettes.iter().collect::<Vec<_>>(), frame_ix == 0);
        }
        let positions = rig.cloth(|world| world.cloth().positions());
        let contacts = rig.cloth(|world| world.cloth().contacts());
        assert!(contacts.iter().any(|contact| contact.w > 0.0), "no contact");
        let own = self.garment.mesh.positions.len();
        let values = positions[..own].iter().chain(&contacts[..own]);
        values
            .flat_map(|value| value.to_array().map(f32::to_bits))
            .collect()
    }
}

/// The bits of a character that is alone, for tests with other shaders.
#[cfg(feature = "shader_compiler")]
pub fn run_alone(device: &Arc<Device>) -> Vec<u32> {
    Scene::new(Technique::RadialCompute, Vec::new()).run(device, 0)
}

/// The bits of the last of four who stand 3 m apart, which are to be the same.
#[cfg(feature = "shader_compiler")]
pub fn run_among(device: &Arc<Device>) -> Vec<u32> {
    let others = [1, 2, 3].map(|ix| Vec3::new(3.0 * ix as f32, 0.0, 0.0));
    Scene::new(Technique::RadialCompute, others.to_vec()).run(device, 3)
}

fn assert_alone_as_among(device: &Arc<Device>, technique: Technique, other_count: usize) {
    let alone = Scene::new(technique, Vec::new()).run(device, 0);
    let places = (1..=other_count).map(|ix| Vec3::new(3.0 * ix as f32, 0.0, 0.0));
    let crowd = Scene::new(technique, places.collect());
    for own_ix in [0, other_count] {
        let among = crowd.run(device, own_ix);
        assert!(alone == among, "{}, body {own_ix}", technique.name());
    }
}

/// More fields than a window or a list holds.
#[test]
fn who_stands_elsewhere_changes_nothing() {
    with_device(|device| {
        assert_alone_as_among(device, Technique::RadialCompute, 20);
        assert_alone_as_among(device, Technique::DistanceField, 2);
        // Trees have two levels above those of nine bodies.
        for tree in [Technique::Bvh, Technique::Lbvh, Technique::WideBvh] {
            assert_alone_as_among(device, tree, 8);
        }
    });
}

/// Eight threads share a particle where they are few, four where there are more than 8,000, two from 400,000 on.
#[test]
fn how_many_threads_share_a_particle_changes_nothing() {
    with_device(|device| {
        let mut scene = Scene::new(Technique::RadialCompute, Vec::new());
        let alone = scene.run(device, 0);
        for bystanders in [8_000, 400_000] {
            scene.bystanders = bystanders;
            assert!(scene.run(device, 0) == alone, "beside {bystanders}");
        }
    });
}

/// Twelve characters in one place are more fields than a list of candidates holds: all windows are searched.
#[test]
fn more_fields_than_a_list_holds_are_all_met() {
    with_device(|device| {
        let mut alone = Scene::new(Technique::RadialCompute, Vec::new());
        let mut heap = Scene::new(Technique::RadialCompute, vec![Vec3::ZERO; 11]);
        // The push of an edge is a mean over fields, which rounds otherwise where there are twelve of each.
        let (one, twelve) = (alone.run(device, 0), heap.run(device, 0));
        let positions = one.len() / 2;
        let mut pairs = one[..positions].iter().zip(&twelve[..positions]);
        let is_near =
            |(a, b): (&u32, &u32)| (f32::from_bits(*a) - f32::from_bits(*b)).abs() < MOST_APART;
        assert!(pairs.all(is_near), "twelve in one place are far from one");
        (alone.meets_edges, heap.meets_edges) = (false, false);
        let is_alike = alone.run(device, 0) == heap.run(device, 0);
        assert!(is_alike, "twelve in one place are not as one");
    });
}
