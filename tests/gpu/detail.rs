//! Levels of detail: cloth with fewer sub-steps of its own does what it would do in a world that has no more, whoever else is there.

use std::sync::Arc;

use glam::{Mat4, Vec3};
use radial_fields::avatar::{Avatar, builtin};
use radial_fields::cloth::garment::{Garment, sheet_over};
use radial_fields::cloth::{ClothSettings, Detail};
use radial_fields::collide::CollideSettings;
use radial_fields::engine::Device;
use radial_fields::pose::{Palette, Pose, bind_pose};
use radial_fields::solid::SolidShape;
use radial_fields::{
    BodyDef, BodyStep, FrameInput, GarmentDef, SolidDef, StepInput, Technique, WorldDef,
};

use crate::fixture::{Rig, STEP_SECONDS, with_device, xyz};

/// Seconds into the clip: a fast part of it.
const BEGINS: f32 = 5.0;

/// Characters in two sheets, one on the other, 3 m apart, with a post beside the first.
struct Scene {
    avatar: Avatar,
    /// Of each character.
    garments: [Garment; 2],
    technique: Technique,
    sub_steps: u32,
    /// Sub-steps from one collision to the next.
    collision_stride: u32,
    /// How finely each character's cloth is simulated.
    details: Vec<Detail>,
    /// Where the first stands among the places of a row.
    first_place: usize,
}

impl Scene {
    fn new(technique: Technique, sub_steps: u32, details: &[Detail]) -> Self {
        let avatar = builtin::load_mannequin();
        Self {
            garments: [sheet_over(&avatar, 400), raised(sheet_over(&avatar, 300))],
            avatar,
            technique,
            sub_steps,
            collision_stride: CollideSettings::default().stride,
            details: details.to_vec(),
            first_place: 0,
        }
    }

    /// Of a character: what collides once in two sub-steps, or in its own where those are as long, does as in a world in which every sub-step
    /// collides.
    fn comparable(technique: Technique, sub_steps: u32, detail: Detail) -> Self {
        let collision_stride = match detail {
            Detail::Full => 1,
            _ => 2,
        };
        Self {
            collision_stride,
            ..Self::new(technique, sub_steps, &[detail])
        }
    }

    fn rig(&self, device: &Arc<Device>) -> Rig {
        let bodies = vec![BodyDef::new(&self.avatar); self.details.len()];
        let garments: Vec<_> = (0..self.details.len())
            .flat_map(|body_ix| {
                (self.garments.iter()).map(move |garment| GarmentDef::new(garment, body_ix))
            })
            .collect();
        let post = SolidShape::Sphere { radius: 0.3 };
        let beside = Mat4::from_translation(Vec3::new(0.4, 0.9, 0.0));
        let def = WorldDef {
            bodies: &bodies,
            garments: &garments,
            solids: &[SolidDef::new(post, beside)],
            cloth: ClothSettings {
                sub_steps: self.sub_steps,
                ..ClothSettings::default()
            },
            collide: CollideSettings {
                stride: self.collision_stride,
                ..CollideSettings::default()
            },
            cloth_contacts: true,
            technique: self.technique,
            ..WorldDef::default()
        };
        Rig::new(device, &def)
    }

    fn palettes(&self, frame_ix: usize) -> Vec<Palette> {
        let (skeleton, clip) = (&self.avatar.skeleton, &self.avatar.clips[0]);
        let pose = Pose::sample(clip, skeleton, BEGINS + frame_ix as f32 * STEP_SECONDS);
        let place = |ix| Mat4::from_translation(Vec3::X * 3.0 * (self.first_place + ix) as f32);
        (0..self.details.len())
            .map(|ix| Palette::new(skeleton, &pose, place(ix)))
            .collect()
    }

    fn step(&self, rig: &mut Rig, frame_ix: usize) {
        let palettes = self.palettes(frame_ix);
        self.step_to(rig, &palettes, &self.details, frame_ix == 0);
    }

    fn step_to(&self, rig: &mut Rig, palettes: &[Palette], details: &[Detail], teleported: bool) {
        let bodies: Vec<_> = (palettes.iter().zip(details))
            .map(|(palette, &detail)| BodyStep {
                teleported,
                detail,
                ..BodyStep::moved(palette)
            })
            .collect();
        let step = StepInput {
            bodies: &bodies,
            ..Default::default()
        };
        rig.frame(&FrameInput {
            steps: &[step],
            step_seconds: STEP_SECONDS,
        });
    }

    /// The bits of each character's cloth after some frames.
    fn run(&self, device: &Arc<Device>) -> Vec<Vec<u32>> {
        let mut rig = self.rig(device);
        (0..6).for_each(|frame_ix| self.step(&mut rig, frame_ix));
        let positions = rig.cloth(|world| world.cloth().positions());
        let contacts = rig.cloth(|world| world.cloth().contacts());
        assert!(contacts.iter().any(|contact| contact.w > 0.0), "no contact");
        let bits = |values: &[glam::Vec4]| -> Vec<u32> {
            let floats = values.iter().flat_map(|value| value.to_array());
            floats.map(f32::to_bits).collect()
        };
        let each = positions.len() / self.details.len();
        let pairs = positions.chunks(each).zip(contacts.chunks(each));
        pairs.map(|(a, b)| [bits(a), bits(b)].concat()).collect()
    }
}

/// So far that it touches what lies below it.
fn raised(mut sheet: Garment) -> Garment {
    sheet.mesh.positions.iter_mut().for_each(|at| at.y += 0.002);
    sheet
}

/// Whether half of four sub-steps are as good as two.
#[cfg(feature = "shader_compiler")]
pub fn halved(device: &Arc<Device>) -> Result<(), String> {
    let run = |sub_steps, detail| {
        Scene::comparable(Technique::RadialCompute, sub_steps, detail).run(device)
    };
    match run(2, Detail::Full) == run(4, Detail::Half) {
        true => Ok(()),
        false => Err("half of four sub-steps are not as two".to_owned()),
    }
}

/// Whether those of a row of characters whose places are given do the same alone.
fn as_alone(device: &Arc<Device>, details: &[Detail], places: &[usize]) -> Result<(), String> {
    let technique = Technique::RadialCompute;
    let together = Scene::new(technique, 4, details).run(device);
    for &place in places {
        let alone = Scene {
            first_place: place,
            ..Scene::new(technique, 4, &details[place..=place])
        };
        if alone.run(device)[0] != together[place] {
            return Err(format!("{:?} is not as alone", details[place]));
        }
    }
    Ok(())
}

/// Whether cloth of few sub-steps takes no notice of cloth of many.
#[cfg(feature = "shader_compiler")]
pub fn mixed(device: &Arc<Device>) -> Result<(), String> {
    as_alone(device, &[Detail::Full, Detail::Quarter], &[1])
}

#[test]
fn half_of_the_sub_steps_are_as_good_as_a_world_with_half_as_many() {
    with_device(|device| {
        let run = |technique, sub_steps, detail| {
            Scene::comparable(technique, sub_steps, detail).run(device)
        };
        let radial = |sub_steps, detail| run(Technique::RadialCompute, sub_steps, detail);
        let two = radial(2, Detail::Full);
        assert!(two != radial(4, Detail::Full), "sub-steps change nothing");
        assert!(two == radial(4, Detail::Half));
        assert!(two == radial(8, Detail::Quarter));
        let grids = |sub_steps, detail| run(Technique::DistanceField, sub_steps, detail);
        assert!(grids(1, Detail::Full) == grids(4, Detail::Quarter));
    });
}

#[test]
fn each_body_has_a_detail_of_its_own() {
    with_device(|device| {
        let details = [Detail::Half, Detail::Full, Detail::Skinned, Detail::Quarter];
        assert_eq!(as_alone(device, &details, &[0, 1, 3]), Ok(()));
    });
}

#[test]
fn techniques_that_know_the_skin_at_one_time_alone_simulate_fully() {
    with_device(|device| {
        let run = |detail| Scene::new(Technique::Bvh, 2, &[detail]).run(device);
        assert!(run(Detail::Full) == run(Detail::Skinned));
    });
}

#[test]
fn sub_steps_that_no_cloth_has_are_not_recorded() {
    with_device(|device| {
        let mut scene = Scene::new(Technique::RadialCompute, 8, &[Detail::Full]);
        let mut rig = scene.rig(device);
        scene.step(&mut rig, 0);
        let dispatches = Detail::ALL.map(|detail| {
            scene.details = vec![detail];
            scene.step(&mut rig, 1);
            rig.world.launches().dispatches
        });
        assert!(
            dispatches.is_sorted_by(|more, fewer| more > fewer),
            "{dispatches:?}"
        );
    });
}

/// How far the cloth is from where skinning puts it, particle by particle.
fn offsets(rig: &mut Rig) -> Vec<Vec3> {
    let particles = xyz(&rig.cloth(|world| world.cloth().positions()));
    let skin = rig.skin();
    let targets = &skin[skin.len() - particles.len()..];
    particles
        .iter()
        .zip(targets)
        .map(|(a, b)| *a - *b)
        .collect()
}

fn most(a: &[Vec3], b: &[Vec3]) -> f32 {
    let distances = a.iter().zip(b).map(|(a, b)| a.distance(*b));
    distances.fold(0.0, f32::max)
}

/// Metres per second at which a body is pulled along in its bind pose.
const PULLED: Vec3 = Vec3::new(-3.0, 0.0, 0.0);

/// From simulated cloth to skinned it moves evenly, and from skinned to simulated it goes on as fast as its body.
#[test]
fn cloth_glides_to_its_skinned_place_and_goes_on_from_there() {
    with_device(|device| {
        let scene = Scene::new(Technique::RadialCompute, 4, &[Detail::Full]);
        let mut rig = scene.rig(device);
        rig.world.settings_mut().cloth.gravity = Vec3::ZERO;
        let skeleton = &scene.avatar.skeleton;
        let mut frame_ix = 0;
        let mut step = |rig: &mut Rig, detail| {
            let place = Mat4::from_translation(PULLED * STEP_SECONDS * frame_ix as f32);
            let palette = Palette::new(skeleton, &bind_pose(skeleton), place);
            scene.step_to(rig, &[palette], &[detail], frame_ix == 0);
            frame_ix += 1;
            offsets(rig)
        };
        let mut last = step(&mut rig, Detail::Full);
        (0..8).for_each(|_| last = step(&mut rig, Detail::Full));
        let home = vec![Vec3::ZERO; last.len()];
        let away = most(&last, &home);
        assert!(away > 0.05, "the sheet does not lag behind: {away} m");
        for _ in 0..45 {
            let now = step(&mut rig, Detail::Skinned);
            let moved = most(&now, &last);
            assert!(moved < 0.25 * away, "jumps by {moved} m of {away}");
            last = now;
        }
        assert!(most(&last, &home) < 0.001, "is not there");
        // Air takes a little; had it to start from rest it would lag by 5 cm.
        let moved = most(&step(&mut rig, Detail::Full), &last);
        assert!(moved < 0.005, "jumps off by {moved} m");
        assert!(moved > 0.0, "is not simulated");
    });
}
