//! Rigid solids in a world: met as their twin says, by every technique, moved, added and taken away.

use std::sync::Arc;

use glam::{EulerRot, Mat4, Quat, Vec3};
use radial_fields::avatar::Avatar;
use radial_fields::cloth::garment::Garment;
use radial_fields::cloth::{ClothSettings, GarmentSettings, MAX_SUB_STEPS};
use radial_fields::collide::{CollideSettings, Detection, Technique};
use radial_fields::engine::Device;
use radial_fields::pose::Palette;
use radial_fields::solid::{Grid, SignRule, SolidField, SolidMesh, fill};
use radial_fields::{
    BodyDef, GarmentDef, SolidDef, SolidMaterial, SolidShape, SolidStep, Surface, WorldDef,
    WorldError,
};

use crate::cloud::Cloud;
use crate::falling::in_bind_space;
use crate::figures::{Dice, bent, column, loose, sheet};
use crate::fixture::{Rig, STEP_SECONDS, with_device};

/// Where a body stands that nothing is to touch.
const ASIDE: Vec3 = Vec3::new(30.0, 0.0, 0.0);

/// A tetrahedron of half a metre, as a field.
fn tetrahedron() -> Arc<SolidField> {
    let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|corner| 0.5 * corner);
    let triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let mesh = SolidMesh::new(&positions, &triangles).expect("a mesh");
    let grid = Grid::over(&mesh, 0.02).expect("a grid");
    Arc::new(fill::fill(&mesh, grid, SignRule::for_mesh(&mesh)))
}

fn solid(shape: SolidShape, world_from_solid: Mat4) -> SolidDef {
    SolidDef::new(shape, world_from_solid)
}

/// One of each, side by side, some of them scaled.
fn one_of_each() -> Vec<SolidDef> {
    let field = tetrahedron();
    let shapes = [
        SolidShape::Sphere { radius: 0.2 },
        SolidShape::Capsule {
            half_length: 0.2,
            radius: 0.08,
        },
        SolidShape::cuboid(Vec3::new(0.3, 0.2, 0.4)),
        SolidShape::Torus {
            radius: 0.15,
            tube_radius: 0.06,
        },
        SolidShape::Field(Arc::clone(&field)),
        SolidShape::Field(field),
        SolidShape::HalfSpace,
    ];
    shapes
        .into_iter()
        .zip(0..)
        .map(|(shape, ix)| SolidDef {
            material: material(ix),
            ..solid(shape, place(ix, 0.0))
        })
        .collect()
}

/// Some as usual, some rough, some smooth, some springy.
fn material(ix: u32) -> SolidMaterial {
    SolidMaterial {
        friction: [None, Some(1.2), Some(0.05)][ix as usize % 3],
        restitution: [0.0, 0.6][ix as usize % 2],
    }
}

/// Where the solid of that number is after some steps.
fn place(ix: u32, steps: f32) -> Mat4 {
    let turn = Quat::from_euler(EulerRot::XYZ, 0.3 * ix as f32, 0.1 * steps, 0.2);
    let at = Vec3::new(0.4 * ix as f32 - 0.8, 0.9 + 0.03 * steps, 0.4);
    match ix {
        // Below all others.
        6 => Mat4::from_rotation_translation(
            Quat::from_rotation_z(0.05 * steps),
            Vec3::new(0.0, 0.5, 0.0),
        ),
        3 => Mat4::from_scale_rotation_translation(Vec3::splat(1.5), turn, at),
        _ => Mat4::from_rotation_translation(turn, at),
    }
}

/// Points all over the solids, inside and out.
fn points_among(palette: &Palette) -> Vec<Vec3> {
    let mut dice = Dice::new(11);
    let scattered = (0..1001).map(|_| {
        let point = dice.point();
        Vec3::new(
            1.6 * point.x + 0.3,
            0.3 * point.y + 0.85,
            0.4 * point.z + 0.4,
        )
    });
    in_bind_space(palette, scattered.collect())
}

fn solid_cloud(device: &Arc<Device>, collide: CollideSettings) -> (Cloud, Vec<Palette>) {
    let avatar = column(3);
    let palettes =
        [0.0, 0.05, 0.1].map(|turn| bent(&avatar, Quat::from_rotation_z(turn), Mat4::IDENTITY));
    let points = points_among(&palettes[0]);
    let cloud = Cloud::on(
        device,
        BodyDef::new(&avatar),
        loose(points),
        collide,
        one_of_each(),
    );
    (cloud, palettes.to_vec())
}

/// Compares particles among solids with their twins, while the solids stand and while they move.
fn solids_are_met_as_by_their_twin(
    device: &Arc<Device>,
    detection: Detection,
) -> Result<(), String> {
    let collide = CollideSettings {
        detection,
        ..CollideSettings::default()
    };
    let (mut cloud, palettes) = solid_cloud(device, collide);
    let mut pushed_count = 0;
    for (steps, palette) in palettes.iter().enumerate() {
        cloud.move_solids((0..7).map(|ix| place(ix, steps as f32)));
        pushed_count += cloud.compare_step(palette)?;
    }
    match pushed_count > 400 {
        true => Ok(()),
        false => Err(format!("{pushed_count} pushes prove little")),
    }
}

/// The same with the usual detection.
pub fn among_solids(device: &Arc<Device>) -> Result<(), String> {
    solids_are_met_as_by_their_twin(device, Detection::Samples)
}

/// A sheet with the corner of a box, the end of a post and a marble in its triangles, which move along under it.
pub fn over_corners(device: &Arc<Device>) -> Result<(), String> {
    let avatar = column(1);
    let palette = bent(&avatar, Quat::IDENTITY, Mat4::IDENTITY);
    let mut garment = sheet(9, 9, 0.03, Vec3::ZERO);
    let tilt = Quat::from_euler(EulerRot::XYZ, 0.07, 0.3, 0.05);
    let places = garment.mesh.positions.iter();
    let places = places.map(|&at| tilt * at + Vec3::new(2.0, 1.0, 0.0));
    garment.mesh.positions = in_bind_space(&palette, places.collect());
    let turn = Quat::from_euler(EulerRot::XYZ, 0.6, 0.2, 0.7);
    let post = SolidShape::Capsule {
        half_length: 0.1,
        radius: 0.004,
    };
    let at = |x: f32, y: f32, z: f32, steps: f32| {
        Mat4::from_rotation_translation(turn, Vec3::new(2.0 + x + 0.003 * steps, 1.0 + y, z))
    };
    let places = |steps: f32| {
        [
            at(0.02, -0.082, 0.01, steps),
            at(-0.06, -0.075, -0.05, steps),
            at(0.05, 0.001, 0.07, steps),
        ]
    };
    let shapes = [
        SolidShape::cuboid(Vec3::splat(0.1)),
        post,
        SolidShape::Sphere { radius: 0.006 },
    ];
    let solids = shapes.into_iter().zip(places(0.0));
    let solids = solids.map(|(shape, place)| SolidDef {
        material: SolidMaterial::with_friction(0.5),
        ..SolidDef::new(shape, place)
    });
    let body = BodyDef::new(&avatar);
    let collide = CollideSettings::default();
    let mut cloud = Cloud::on(device, body, garment, collide, solids.collect());
    cloud.set_gravity(Vec3::new(45.0, -100.0, 75.0));
    let mut pushed_count = 0;
    for steps in 0..3 {
        cloud.move_solids(places(steps as f32));
        pushed_count += cloud.compare_step(&palette)?;
    }
    println!("{pushed_count} pushes");
    match pushed_count > 30 {
        true => Ok(()),
        false => Err(format!("{pushed_count} pushes prove little")),
    }
}

#[test]
fn triangles_over_corners_are_put_outside_as_by_their_twin() {
    with_device(|device| assert_eq!(over_corners(device), Ok(())));
}

#[test]
fn particles_meet_solids_as_their_twins_do() {
    with_device(|device| {
        among_solids(device).unwrap_or_else(|error| panic!("{error}"));
        let marching = solids_are_met_as_by_their_twin(device, Detection::March);
        marching.unwrap_or_else(|error| panic!("march: {error}"));
    });
}

/// A sheet over the origin at some height, and a body that stands aside.
struct Scene {
    avatar: Avatar,
    garment: Garment,
    palette: Palette,
}

impl Scene {
    fn new(height: f32) -> Self {
        let avatar = column(3);
        let palette = bent(&avatar, Quat::IDENTITY, Mat4::from_translation(ASIDE));
        let bind_from_world = palette.world_from_bind[0].inverse();
        let mut garment = sheet(13, 13, 0.02, Vec3::ZERO);
        for position in &mut garment.mesh.positions {
            let flat = Vec3::new(position.x, height, position.z);
            *position = bind_from_world.transform_point3(flat);
        }
        for normal in &mut garment.mesh.normals {
            *normal = Vec3::Y;
        }
        Self {
            avatar,
            garment,
            palette,
        }
    }

    fn rig(&self, device: &Arc<Device>, technique: Technique, solids: &[SolidDef]) -> Rig {
        let def = WorldDef {
            bodies: &[BodyDef::new(&self.avatar)],
            garments: &[GarmentDef {
                settings: GarmentSettings {
                    motion_scale: 0.0,
                    tethered: 0,
                    ..GarmentSettings::default()
                },
                ..GarmentDef::new(&self.garment, 0)
            }],
            solids,
            cloth: ClothSettings {
                ground: None,
                ..ClothSettings::default()
            },
            technique,
            ..WorldDef::default()
        };
        let mut rig = Rig::new(device, &def);
        rig.step(&[&self.palette], true);
        rig
    }

    fn steps(&self, rig: &mut Rig, count: usize) {
        (0..count).for_each(|_| rig.step(&[&self.palette], false));
    }
}

/// Metres of the world that a particle is outside of a solid.
fn outside(def: &SolidDef, world_from_solid: Mat4, particle: Vec3) -> f32 {
    let at = world_from_solid.inverse().transform_point3(particle);
    let sample = def.shape.sample(at);
    sample.map_or(f32::INFINITY, |sample| sample.distance)
}

#[test]
fn cloth_comes_to_rest_on_a_solid_whatever_the_technique() {
    with_device(|device| {
        let scene = Scene::new(1.0);
        // The cloth's corners lie on slopes of 20 degrees, and its friction holds up to 21.8.
        let ball = solid(
            SolidShape::Sphere { radius: 0.5 },
            Mat4::from_translation(Vec3::new(0.0, 0.45, 0.0)),
        );
        for technique in Technique::ALL {
            let mut rig = scene.rig(device, technique, std::slice::from_ref(&ball));
            scene.steps(&mut rig, 120);
            let before = rig.particles();
            scene.steps(&mut rig, 1);
            let after = rig.particles();
            let least = after
                .iter()
                .map(|&particle| outside(&ball, ball.world_from_solid, particle))
                .fold(f32::INFINITY, f32::min);
            assert!(least > 0.0, "{technique:?}: {least} m outside");
            assert!(
                after.iter().all(|particle| particle.y > 0.5),
                "{technique:?}: fell off"
            );
            let squares = before
                .iter()
                .zip(&after)
                .map(|(a, b)| a.distance_squared(*b));
            let rms = (squares.sum::<f32>() / after.len() as f32).sqrt() / STEP_SECONDS;
            println!("{technique:?}: {least} m outside, {rms} m/s");
            // So near the angle of friction little of it is left to hold what the solve moves: 0.9 mm/s.
            assert!(rms < 1.5e-3, "{technique:?}: {rms} m/s at rest");
        }
    });
}

#[test]
fn a_thin_plate_at_twenty_metres_per_second_takes_the_cloth_along() {
    with_device(|device| {
        for detection in Detection::ALL {
            let scene = Scene::new(1.0);
            let plate = SolidShape::cuboid(Vec3::new(0.8, 0.004, 0.8));
            let mut height = 0.7;
            let def = solid(plate, Mat4::from_translation(Vec3::Y * height));
            let mut rig = scene.rig(device, Technique::RadialCompute, std::slice::from_ref(&def));
            rig.world.settings_mut().collide.detection = detection;
            for _ in 0..4 {
                height += 20.0 * STEP_SECONDS;
                let at = Mat4::from_translation(Vec3::Y * height);
                rig.solids = vec![SolidStep::moved(at)];
                scene.steps(&mut rig, 1);
                let particles = rig.particles();
                let least = particles
                    .iter()
                    .map(|&particle| particle.y - height)
                    .fold(f32::INFINITY, f32::min);
                assert!(least > 0.0, "{detection:?}: {least} m above the plate");
            }
        }
    });
}

/// So far in each sub-step that where it is a sub-step before the end it is nowhere near the cloth.
#[test]
fn a_ball_that_comes_from_afar_in_one_step_is_met_with_as_many_sub_steps_as_there_may_be() {
    with_device(|device| {
        for sub_steps in [1, 8, MAX_SUB_STEPS - 1, MAX_SUB_STEPS] {
            let scene = Scene::new(1.0);
            let [below, among] = [1.0 - 0.3 * sub_steps as f32, 1.0]
                .map(|height| Mat4::from_translation(Vec3::Y * height));
            let def = solid(SolidShape::Sphere { radius: 0.1 }, below);
            let mut rig = scene.rig(device, Technique::RadialCompute, std::slice::from_ref(&def));
            rig.world.settings_mut().cloth.sub_steps = sub_steps;
            rig.solids = vec![SolidStep::moved(among)];
            scene.steps(&mut rig, 1);
            let particles = rig.particles();
            let outside = particles.iter().map(|&at| outside(&def, among, at));
            let least = outside.fold(f32::INFINITY, f32::min);
            println!("{sub_steps} sub-steps: {least} m outside");
            assert!(least > 0.0, "{sub_steps} sub-steps: {least} m outside");
        }
    });
}

#[test]
fn solids_come_and_go_and_what_is_elsewhere_does_not_notice() {
    with_device(|device| {
        let scene = Scene::new(1.0);
        let table = solid(
            SolidShape::cuboid(Vec3::new(1.0, 0.1, 1.0)),
            Mat4::from_translation(Vec3::Y * 0.5),
        );
        let mut rig = scene.rig(device, Technique::Radial, &[]);
        let mut alone = scene.rig(device, Technique::Radial, &[]);
        rig.world
            .edit(|contents| {
                contents
                    .add_solid(&solid(table.shape.clone(), Mat4::from_translation(-ASIDE)))
                    .map(drop)
            })
            .expect("there is room");
        for _ in 0..5 {
            scene.steps(&mut rig, 1);
            scene.steps(&mut alone, 1);
        }
        assert_eq!(rig.particles(), alone.particles());
        // It is put under the falling cloth.
        rig.world
            .edit(|contents| {
                contents.remove_solid(0)?;
                contents.add_solid(&table).map(drop)
            })
            .expect("there is room");
        assert!(
            rig.world
                .surfaces()
                .any(|surface| surface == Surface::Solid { solid_ix: 0 })
        );
        scene.steps(&mut rig, 60);
        let lowest = |rig: &mut Rig| {
            let particles = rig.particles();
            particles
                .iter()
                .map(|particle| particle.y)
                .fold(f32::INFINITY, f32::min)
        };
        let on_table = lowest(&mut rig);
        assert!((0.55..0.57).contains(&on_table), "{on_table}");
        rig.world
            .edit(|contents| contents.remove_solid(0))
            .expect("it is there");
        scene.steps(&mut rig, 20);
        assert!(lowest(&mut rig) < 0.4);
    });
}

#[test]
fn solids_that_are_none_are_refused() {
    with_device(|device| {
        let scene = Scene::new(1.0);
        let mut rig = scene.rig(device, Technique::Radial, &[]);
        let mut add = |shape: SolidShape, at: Mat4| {
            rig.world
                .edit(|contents| contents.add_solid(&solid(shape, at)).map(drop))
        };
        let ball = |radius| SolidShape::Sphere { radius };
        let refused = add(ball(-1.0), Mat4::IDENTITY);
        assert!(
            matches!(refused, Err(WorldError::BrokenSolid { solid_ix: 0, .. })),
            "{refused:?}"
        );
        for at in [Mat4::ZERO, Mat4::from_translation(Vec3::NAN)] {
            let refused = add(ball(0.1), at);
            assert!(
                matches!(refused, Err(WorldError::SolidPlace { solid_ix: 0 })),
                "{refused:?}"
            );
        }
        let refused = rig.world.edit(|contents| contents.remove_solid(0));
        assert!(
            matches!(refused, Err(WorldError::NoSuchSolid { .. })),
            "{refused:?}"
        );
    });
}
