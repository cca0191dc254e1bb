//! Cloth keeps its length, rests on the ground, and finds home from the wrong side of a limb.

use std::sync::Arc;

use ash::vk;
use glam::{Vec2, Vec3, Vec4};
use radial_fields::avatar::{Avatar, builtin};
use radial_fields::cloth::garment::{Attachment, Garment, GarmentKind, make};
use radial_fields::cloth::{
    ClothSettings, GarmentSettings, Ground, MAX_SUB_STEPS, MotionConstraint,
};
use radial_fields::engine::Device;
use radial_fields::gpu::Buffer;
use radial_fields::oracle::seen::{FrameFigures, SeenOracle, Surroundings, Worn};
use radial_fields::pose::Palette;
use radial_fields::skin::bake::bake;
use radial_fields::{BodyDef, GarmentDef, World, WorldDef};

use crate::compare::largest_distance;
use crate::figures::{column, sheet, sleeve};
use crate::fixture::{Rig, STEP_SECONDS, with_device};

fn rig(
    device: &Arc<Device>,
    avatar: &Avatar,
    garment: &Garment,
    settings: GarmentSettings,
    cloth: ClothSettings,
) -> Rig {
    let def = WorldDef {
        bodies: &[BodyDef::new(avatar)],
        garments: &[GarmentDef {
            settings,
            ..GarmentDef::new(garment, 0)
        }],
        cloth,
        ..WorldDef::default()
    };
    Rig::new(device, &def)
}

/// A strip of a metre that hangs down far from the body, its edges `spacing` metres long.
fn strip(spacing: f32) -> Garment {
    let rows = (1.0 / spacing).round() as u32 + 1;
    let mut garment = sheet(6, rows, spacing, Vec3::ZERO);
    for position in &mut garment.mesh.positions {
        *position = Vec3::new(position.x + 2.0, -position.z, 0.0);
    }
    let hold = |particle_ix| Attachment {
        particle_ix,
        compliance: 0.0,
    };
    garment.attachments = (0..6).map(hold).collect();
    garment
}

/// How many times its length the most stretched edge is.
fn longest_stretch(garment: &Garment, particles: &[Vec3]) -> f32 {
    let rest = &garment.mesh.positions;
    let edges = garment.mesh.triangles.iter();
    let edges = edges.flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    edges
        .map(|edge| edge.map(|ix| ix as usize))
        .map(|[a, b]| particles[a].distance(particles[b]) / rest[a].distance(rest[b]))
        .fold(0.0, f32::max)
}

/// How much longer than made the most stretched edge of a strip is after it has hung for two seconds.
fn hanging_stretch(device: &Arc<Device>, spacing: f32, tethered: u32, cloth: ClothSettings) -> f32 {
    let avatar = column(1);
    let palette = Palette::bind(&avatar.skeleton);
    let still = GarmentSettings {
        damping: 4.0,
        tethered,
        ..GarmentSettings::default()
    };
    let garment = strip(spacing);
    let mut rig = rig(device, &avatar, &garment, still, cloth);
    (0..120).for_each(|ix| rig.step(&[&palette], ix == 0));
    longest_stretch(&garment, &rig.particles()) - 1.0
}

#[test]
fn hanging_cloth_keeps_its_length_at_every_resolution_and_effort() {
    with_device(|device| {
        for (spacing, sub_steps, iterations) in [
            (0.05, 4, 3),
            (0.02, 4, 3),
            (0.05, 2, 2),
            (0.02, 2, 2),
            (0.02, MAX_SUB_STEPS, 1),
            (0.02, MAX_SUB_STEPS / 2, 1),
        ] {
            let cloth = ClothSettings {
                sub_steps,
                iterations,
                ..ClothSettings::default()
            };
            let stretch = hanging_stretch(device, spacing, 1, cloth);
            println!("{spacing} m, {sub_steps} sub-steps of {iterations} iterations: {stretch}");
            assert!((0.0..0.01).contains(&stretch), "{stretch}");
        }
    });
}

/// By the square of the sub-step: see tools/bench_results/cloth.md.
#[test]
fn twice_the_sub_steps_halve_the_stretch_of_cloth_that_edges_alone_hold() {
    with_device(|device| {
        let [coarse, fine] = [MAX_SUB_STEPS / 2, MAX_SUB_STEPS].map(|sub_steps| {
            let cloth = ClothSettings {
                sub_steps,
                ..ClothSettings::default()
            };
            hanging_stretch(device, 0.02, 0, cloth)
        });
        println!("{coarse} and {fine}");
        assert!(fine < 0.5 * coarse, "{coarse} and {fine}");
    });
}

/// Metres along a ground of so many degrees by which a loose sheet moves in the second after it has come to lie there.
fn slide(device: &Arc<Device>, degrees: f32) -> f32 {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let ground = Ground {
        normal: Vec3::new(sin, cos, 0.0),
        height: -1.0,
    };
    let settings = GarmentSettings {
        friction: 0.4,
        drag: 0.0,
        ..GarmentSettings::default()
    };
    // As it lies on the ground, far from the body.
    let mut garment = sheet(9, 7, 0.03, Vec3::ZERO);
    for position in &mut garment.mesh.positions {
        let along = Vec3::new(cos, -sin, 0.0) * (position.x + 3.0);
        *position = along + ground.normal * (0.01 - 1.0) + Vec3::Z * position.z;
    }
    let cloth = ClothSettings {
        ground: Some(ground),
        ..ClothSettings::default()
    };
    let avatar = column(1);
    let palette = Palette::bind(&avatar.skeleton);
    let mut rig = rig(device, &avatar, &garment, settings, cloth);
    let mut after = |steps: usize, teleported: bool| {
        (0..steps).for_each(|ix| rig.step(&[&palette], teleported && ix == 0));
        let particles = rig.particles();
        for particle in &particles {
            let above = ground.normal.dot(*particle) - ground.height;
            assert!(above > -1e-5, "{above} m under the ground");
            assert!(above < 0.02, "{above} m above the ground");
        }
        particles.iter().sum::<Vec3>() / particles.len() as f32
    };
    let settled = after(30, true);
    after(60, false).distance(settled)
}

#[test]
fn cloth_rests_on_the_ground_and_slides_where_it_is_steep() {
    with_device(|device| {
        let [level, gentle, steep] = [0.0, 15.0, 45.0].map(|degrees| slide(device, degrees));
        println!("{level} m, {gentle} m, {steep} m");
        assert!(level < 1e-3 && gentle < 2e-3, "{level} m, {gentle} m");
        // 9.81 (sin 45° - 0.4 cos 45°) is 4.2 m/s², for a second from half a second's speed on: 4 m.
        assert!((2.0..5.0).contains(&steep), "{steep} m");
    });
}

/// A limb, its sleeve or leg, and which particles are put aside.
struct Limb {
    avatar: Avatar,
    garment: Garment,
    aside: Vec<Vec3>,
}

impl Limb {
    /// A sleeve, put beside the column that it is made for.
    fn column() -> Self {
        let (avatar, mut garment) = (column(1), sleeve());
        let positions = garment.mesh.positions.iter();
        let outwards = |p: &Vec3| Vec2::new(p.x, p.z).normalize();
        garment.mesh.normals = positions
            .map(outwards)
            .map(|direction| Vec3::new(direction.x, 0.0, direction.y))
            .collect();
        // Its lower end is held.
        let part = |place: &Vec3| ((place.y - 0.2) / 0.15).min(1.0);
        let positions = garment.mesh.positions.iter();
        let aside = positions
            .map(|place| Vec3::X * 0.25 * part(place))
            .collect();
        MotionConstraint::fit(&mut garment, &avatar.skin);
        Self {
            avatar,
            garment,
            aside,
        }
    }

    /// Trousers, of which the left leg is put 20 cm to the left.
    fn trousers() -> Self {
        let avatar = builtin::load_mannequin();
        let made = make(GarmentKind::TrousersAndTop, &avatar, 1500).expect("it is a person");
        let lowest = |garment: &Garment| {
            let heights = garment.mesh.positions.iter().map(|place| place.y);
            heights.fold(f32::MAX, f32::min)
        };
        let trousers = made
            .into_iter()
            .min_by(|a, b| lowest(a).total_cmp(&lowest(b)));
        let garment = trousers.expect("trousers and top are two");
        let shift = |place: &Vec3| {
            let part = ((0.75 - place.y) / 0.1).clamp(0.0, 1.0);
            Vec3::X * if place.x > 0.0 { 0.2 * part } else { 0.0 }
        };
        Self {
            aside: garment.mesh.positions.iter().map(shift).collect(),
            avatar,
            garment,
        }
    }

    fn judge(&self, particles: &[Vec3]) -> FrameFigures {
        let skin = &self.avatar.skin;
        let worn = Worn {
            name: "limb",
            triangles: &self.garment.mesh.triangles,
            bind_positions: &self.garment.mesh.positions,
            rest_positions: self.garment.rest_shape(),
        };
        let surroundings = Surroundings {
            ground_height: -1.0,
            frame_seconds: f64::from(STEP_SECONDS),
            scale: 1.0,
        };
        let mut oracle = SeenOracle::new(&skin.positions, &skin.triangles, &[worn], surroundings)
            .expect("a sound body");
        let body = bake(skin, &Palette::bind(&self.avatar.skeleton)).positions;
        let mut figures = oracle
            .measure(&body, &[particles])
            .expect("finite particles");
        figures.remove(0)
    }

    /// Settles, is put aside, and has a second to heal. Returns where it ends, the fastest particle's m/s from step [`CALM_FROM`]
    /// on, and how many triangles the limb came through at worst.
    fn heal(&self, device: &Arc<Device>) -> (Vec<Vec3>, f32, usize) {
        let palette = Palette::bind(&self.avatar.skeleton);
        let mut rig = rig(
            device,
            &self.avatar,
            &self.garment,
            GarmentSettings::default(),
            ClothSettings::default(),
        );
        (0..20).for_each(|ix| rig.step(&[&palette], ix == 0));
        self.put_aside(&mut rig);
        let (mut fastest, mut before, mut deep) = (0.0f32, Vec::new(), 0);
        for ix in 0..60 {
            rig.step(&[&palette], false);
            let particles = rig.particles();
            if ix >= CALM_FROM {
                fastest = fastest.max(largest_distance(&before, &particles) / STEP_SECONDS);
            }
            if ix % 10 == 0 {
                deep = deep.max(self.judge(&particles).deep);
            }
            before = particles;
        }
        (before, fastest, deep)
    }

    fn put_aside(&self, rig: &mut Rig) {
        let shifted = |values: Vec<Vec4>| -> Vec<Vec4> {
            let pairs = values.iter().zip(&self.aside);
            pairs
                .map(|(value, shift)| *value + shift.extend(0.0))
                .collect()
        };
        let predicted = shifted(rig.cloth(|world| world.cloth().predicted()));
        let current = shifted(rig.current());
        rig.frame_with(|world, cmd| {
            let cloth = world.cloth();
            let particles = cloth.as_particles(cloth.positions().all());
            write(world, cmd, particles.predicted, &predicted);
            write(world, cmd, particles.current, &current);
        });
    }
}

fn write(world: &World, cmd: vk::CommandBuffer, buffer: &Buffer, values: &[Vec4]) {
    let device = &world.gpu().device;
    // SAFETY: the command buffer is being recorded on this device, the buffer is as long, and the frames run one after the other.
    unsafe {
        device.cmd_update_buffer(cmd, buffer.handle(), 0, bytemuck::cast_slice(values));
        let barrier = vk::MemoryBarrier2::default()
            .src_stage_mask(vk::PipelineStageFlags2::ALL_TRANSFER)
            .src_access_mask(vk::AccessFlags2::TRANSFER_WRITE)
            .dst_stage_mask(vk::PipelineStageFlags2::COMPUTE_SHADER)
            .dst_access_mask(
                vk::AccessFlags2::SHADER_STORAGE_READ | vk::AccessFlags2::SHADER_STORAGE_WRITE,
            );
        let barriers = [barrier];
        let info = vk::DependencyInfo::default().memory_barriers(&barriers);
        device.cmd_pipeline_barrier2(cmd, &info);
    }
}

/// Once collision has pushed out what was put into the limb, nothing is faster than 4 m/s.
const CALM_FROM: usize = 8;

#[test]
fn a_sleeve_beside_its_limb_finds_home_within_a_second() {
    with_device(|device| heals(device, "column", &Limb::column()));
}

#[test]
fn a_trouser_leg_beside_its_leg_finds_home_within_a_second() {
    with_device(|device| heals(device, "trousers", &Limb::trousers()));
}

fn heals(device: &Arc<Device>, name: &str, limb: &Limb) {
    let (end, fastest, worst) = limb.heal(device);
    let figures = limb.judge(&end);
    println!("{name}: {fastest} m/s at most, {worst} triangles, then {figures:?}");
    assert!(worst > 5, "{name}: {worst} triangles are not torn");
    assert_eq!(figures.deep, 0, "{name}");
    assert!(fastest < 5.0, "{name}: {fastest} m/s");
}

#[test]
fn healing_gives_the_same_bits_again() {
    with_device(|device| {
        let limb = Limb::column();
        assert_eq!(limb.heal(device), limb.heal(device));
    });
}
