//! What a frame asks of the GPU depends on the settings alone.

use std::sync::Arc;

use glam::Vec3;
use radial_fields::avatar::{Avatar, builtin};
use radial_fields::cloth::ClothSettings;
use radial_fields::collide::CollideSettings;
use radial_fields::collide::spatial_hash::SpatialHashDef;
use radial_fields::engine::Device;
use radial_fields::gpu::Launches;
use radial_fields::pose::Palette;
use radial_fields::{BodyDef, BodyStep, FrameInput, GarmentDef, StepInput, Technique, WorldDef};

use crate::figures::{column, sheet};
use crate::fixture::{Rig, STEP_SECONDS, with_device};

/// Of a frame of one step, after the frame with the uploads.
fn launches(device: &Arc<Device>, technique: Technique, avatars: &[&Avatar]) -> Launches {
    let bodies: Vec<_> = avatars.iter().map(|avatar| BodyDef::new(avatar)).collect();
    let garment = sheet(7, 5, 0.03, Vec3::Y * 3.0);
    let garments = [GarmentDef::new(&garment, 0)];
    let def = WorldDef {
        bodies: &bodies,
        garments: &garments,
        technique,
        spatial_hash: SpatialHashDef {
            entry_count: 100_003,
            ..SpatialHashDef::default()
        },
        ..WorldDef::default()
    };
    let mut rig = Rig::new(device, &def);
    let palettes: Vec<_> = avatars
        .iter()
        .map(|avatar| Palette::bind(&avatar.skeleton))
        .collect();
    let palettes: Vec<_> = palettes.iter().collect();
    rig.step(&palettes, true);
    rig.step(&palettes, false);
    rig.world.launches()
}

/// Collisions of a step before its last.
fn collisions() -> u32 {
    let sub_steps = ClothSettings::default().sub_steps;
    sub_steps.div_ceil(CollideSettings::default().stride)
}

#[test]
fn neither_joints_nor_bodies_add_launches() {
    with_device(|device| {
        let (simple, mannequin) = (column(4), builtin::load_mannequin());
        let launches = |avatars: &[&Avatar]| launches(device, Technique::Radial, avatars);
        let one = launches(&[&simple]);
        assert_eq!(one, launches(&[&mannequin]), "53 joints as 4");
        assert_eq!(one, launches(&[&simple; 3]), "three bodies as one");
        assert_eq!(
            one.draws, 1,
            "what is drawn of the field update is one draw"
        );
        let settings = ClothSettings::default();
        let expected = 12 + settings.sub_steps * settings.iterations + collisions();
        assert_eq!(
            one.dispatches, expected,
            "bake, the fields' transforms, small triangles and radii, predict, candidates, finish, the last collision and that of edges, what shortens edges, the two that put those outside, each sub-step's iterations, and each collision before"
        );
    });
}

/// In a crowd somebody is put somewhere else in nearly every step.
#[test]
fn teleports_add_no_launches() {
    with_device(|device| {
        let avatar = column(4);
        let garment = sheet(7, 5, 0.03, Vec3::Y * 3.0);
        let def = WorldDef {
            bodies: &[BodyDef::new(&avatar); 5],
            garments: &std::array::from_fn::<_, 5, _>(|body_ix| GarmentDef::new(&garment, body_ix)),
            ..WorldDef::default()
        };
        let mut rig = Rig::new(device, &def);
        let palette = Palette::bind(&avatar.skeleton);
        let mut launches = |teleported: &[usize]| {
            let bodies: [_; 5] = std::array::from_fn(|body_ix| BodyStep {
                teleported: teleported.contains(&body_ix),
                ..BodyStep::moved(&palette)
            });
            rig.frame(&FrameInput {
                steps: &[StepInput {
                    bodies: &bodies,
                    solids: &[],
                    grab: None,
                }],
                step_seconds: STEP_SECONDS,
            });
            rig.world.launches()
        };
        launches(&[]);
        let none = launches(&[]);
        assert_eq!(launches(&[1, 3]), none);
    });
}

#[test]
fn triangles_add_no_launches_but_levels_of_work_queues_do() {
    with_device(|device| {
        let (simple, mannequin) = (column(4), builtin::load_mannequin());
        for technique in [Technique::SpatialHash, Technique::Lbvh, Technique::WideBvh] {
            let launches = |avatars: &[&Avatar]| launches(device, technique, avatars);
            assert_eq!(
                launches(&[&simple]),
                launches(&[&mannequin]),
                "{technique:?}"
            );
            assert_eq!(
                launches(&[&simple]),
                launches(&[&simple; 3]),
                "{technique:?}"
            );
        }
        let of = |technique| launches(device, technique, &[&mannequin]).dispatches;
        // 10,824 triangles take five levels: seed, four descents, leaves, select and respond instead of one search.
        assert_eq!(
            of(Technique::Bvh),
            of(Technique::Lbvh) + (collisions() + 2) * 7
        );
    });
}
