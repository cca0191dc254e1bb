//! The work queues of the hierarchy of boxes: they are large enough, and particles whose jobs found no room are collided all the same.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use radial_fields::avatar::{Avatar, builtin};
use radial_fields::cloth::ClothSettings;
use radial_fields::collide::{CollideSettings, Technique};
use radial_fields::engine::Device;
use radial_fields::pose::Palette;
use radial_fields::skin::bake::bake;
use radial_fields::{BodyDef, GarmentDef, WorldDef};

use crate::compare::points_agree;
use crate::figures::{Dice, bent, column, in_clip, loose};
use crate::fixture::{Rig, with_device};

/// What became of loose particles.
struct Fallen {
    particles: Vec<Vec3>,
    /// Jobs that found no room.
    overflow_count: u32,
    /// The most jobs that a level wanted.
    max_jobs: u32,
}

/// Drops particles, given in world space, round a body in the poses; the first puts them there.
fn fall(
    device: &Arc<Device>,
    technique: Technique,
    avatar: &Avatar,
    poses: &[Palette],
    points: &[Vec3],
    search_radius: f32,
) -> Fallen {
    let bind_from_world = poses[0].world_from_bind[0].inverse();
    let in_bind = points
        .iter()
        .map(|&point| bind_from_world.transform_point3(point));
    let garment = loose(in_bind.collect());
    let def = WorldDef {
        bodies: &[BodyDef::new(avatar)],
        garments: &[GarmentDef::new(&garment, 0)],
        technique,
        // Nothing holds the particles together.
        cloth: ClothSettings {
            iterations: 0,
            ..ClothSettings::default()
        },
        collide: CollideSettings {
            search_radius,
            ..CollideSettings::default()
        },
        ..WorldDef::default()
    };
    let mut rig = Rig::new(device, &def);
    for (ix, pose) in poses.iter().enumerate() {
        rig.step(&[pose], ix == 0);
    }
    let counters: Vec<u32> = match technique {
        Technique::Bvh => rig.read(2, |world| {
            world.collider().overflow_count().expect("it counts")
        }),
        _ => vec![0; 2],
    };
    Fallen {
        particles: rig.particles(),
        overflow_count: counters[0],
        max_jobs: counters[1],
    }
}

/// As far away as is still searched, boxes of fine skin are many and equally near.
#[test]
fn far_particles_find_room_from_the_first_search_on() {
    with_device(|device| {
        let avatar = builtin::load_mannequin();
        let poses = [0.3, 0.32, 0.34].map(|seconds| in_clip(&avatar, 0, seconds));
        let (baked, mut dice) = (bake(&avatar.skin, &poses[0]), Dice::new(9));
        let vertices = baked.positions.iter().zip(&baked.normals).step_by(3);
        let points: Vec<_> = vertices
            .map(|(&position, &normal)| position + normal * (0.05 + 0.01 * dice.number()))
            .collect();
        let fallen = fall(device, Technique::Bvh, &avatar, &poses, &points, 0.06);
        let each = fallen.max_jobs as f32 / points.len() as f32;
        println!("{} particles, {each} jobs each at most", points.len());
        assert!(fallen.max_jobs > 0, "nobody was near");
        assert_eq!(fallen.overflow_count, 0, "{each} jobs each");
    });
}

/// A column blown up to a ball round `MIDDLE`.
fn ball() -> Avatar {
    let mut avatar = column(1);
    for (position, normal) in avatar
        .skin
        .positions
        .iter_mut()
        .zip(&mut avatar.skin.normals)
    {
        *normal = (*position - MIDDLE).normalize();
        *position = MIDDLE + 0.1 * *normal;
    }
    avatar
}

const MIDDLE: Vec3 = Vec3::new(0.0, 0.4, 0.0);

/// In the middle of a ball all of its skin is nearly as near: no queue is made for that.
#[test]
fn particles_without_room_are_found_all_the_same_and_counted() {
    with_device(|device| {
        let avatar = ball();
        let pose = bent(&avatar, Quat::IDENTITY, Mat4::IDENTITY);
        let mut dice = Dice::new(4);
        let points: Vec<_> = (0..600).map(|_| MIDDLE + 1e-3 * dice.point()).collect();
        let poses = [pose.clone(), pose];
        let of = |technique| fall(device, technique, &avatar, &poses, &points, 0.15);
        let queued = of(Technique::Bvh);
        println!(
            "{} jobs without room, {} wanted",
            queued.overflow_count, queued.max_jobs
        );
        assert!(
            queued.overflow_count > 0,
            "{} jobs had room",
            queued.max_jobs
        );
        for technique in [Technique::Lbvh, Technique::WideBvh] {
            let alone = of(technique).particles;
            assert_eq!(
                points_agree(&queued.particles, &alone, 1e-4),
                Ok(()),
                "{technique:?}"
            );
        }
        let outside = |point: &&Vec3| point.distance(MIDDLE) > 0.099;
        let outside_count = queued.particles.iter().filter(outside).count();
        assert_eq!(outside_count, points.len(), "some are left inside");
    });
}
