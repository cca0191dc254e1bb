//! What fields must know about bodies simple enough to know by heart.

use super::collide::{MovingFields, Particle, PathTest, collide};
use super::shapes::{Shape, field};
use crate::collide::Detection;
use crate::collide::FrictionModel;
use crate::collide::iterations::Iteration;
use crate::collide::radial::cell::Rank;
use crate::collide::radial::field::{CAP, EMPTY, FieldDef, FieldSet, FieldTriangle};
use crate::collide::radial::surface::Patch;
use crate::collide::radial::update::{fields_from_world, update};
use crate::collide::response::Response;
use glam::{Mat4, Vec2, Vec3};
use std::f32::consts::{PI, TAU};

const RESPONSE: Response = Response {
    thickness: 0.003,
    size: 1.0,
    friction: 0.0,
    model: FrictionModel::Coulomb,
};

const EIGHT_SAMPLES: PathTest = PathTest {
    detection: Detection::Samples,
    samples: 8,
};

fn drawn(shape: &Shape, world_from_bone: Mat4) -> Vec<f32> {
    let positions: Vec<_> = shape
        .positions
        .iter()
        .map(|&p| world_from_bone.transform_point3(p))
        .collect();
    update(
        &shape.set,
        &positions,
        &fields_from_world(&shape.set, &[world_from_bone]),
    )
}

fn centre(field: &FieldDef, cell: usize) -> (f32, f32) {
    let (row, col) = (cell as u32 / field.width, cell as u32 % field.width);
    (
        (col as f32 + 0.5) / field.width as f32,
        (row as f32 + 0.5) / field.height as f32,
    )
}

/// Distance from the axis to a regular prism with a corner at `turned` turns.
fn prism(theta: f32, segments: u32, turned: f32) -> f32 {
    let facet = TAU / segments as f32;
    let angle = ((theta - turned) * TAU).rem_euclid(facet) - facet / 2.0;
    0.1 * (facet / 2.0).cos() / angle.cos()
}

#[test]
fn a_tube_is_known_exactly_whichever_facet_crosses_the_seam() {
    for (segments, turned) in [(48, 0.0), (7, 0.03), (5, -0.07), (96, 0.4999)] {
        let shape = Shape::tube(segments, turned);
        for (cell, &distance) in drawn(&shape, Mat4::IDENTITY).iter().enumerate() {
            let (theta, z) = centre(&shape.set.fields[0], cell);
            let exact = prism(theta, segments, turned);
            assert!(
                (distance - exact).abs() < 1e-6,
                "{segments} at {theta}, {z}: {distance}, not {exact}"
            );
        }
    }
}

#[test]
fn a_body_that_moves_with_its_bone_fills_the_same_cells() {
    let shape = Shape::tube(48, 0.0);
    let world_from_bone =
        Mat4::from_rotation_y(1.1) * Mat4::from_translation(Vec3::new(1.0, -2.0, 0.5));
    let still = drawn(&shape, Mat4::IDENTITY);
    for (moved, still) in drawn(&shape, world_from_bone).iter().zip(&still) {
        assert!((moved - still).abs() < 1e-6);
    }
}

#[test]
fn a_ball_closes_onto_its_axis_without_a_hole() {
    let shape = Shape::ball();
    let field = &shape.set.fields[0];
    for (cell, &distance) in drawn(&shape, Mat4::IDENTITY).iter().enumerate() {
        let height = -0.11 + 0.22 * centre(field, cell).1;
        if height.abs() > 0.1 {
            assert_eq!(distance, CAP, "a cap row stays closed");
            continue;
        }
        let exact = (0.01 - height * height).sqrt();
        assert!(
            (distance - exact).abs() < 3e-4,
            "{height}: {distance}, not {exact}"
        );
    }
}

#[test]
fn every_point_inside_a_ball_is_held_and_none_outside() {
    let shape = Shape::ball();
    let field = &shape.set.fields[0];
    let (cells, from_world) = (
        drawn(&shape, Mat4::IDENTITY),
        field.bone_from_field.inverse(),
    );
    for i in 0..2000 {
        let (revolution, rise) = (i as f32 * 0.618, 1.0 - (i as f32 + 0.5) / 1000.0);
        let across = (1.0 - rise * rise).sqrt();
        let direction = Vec3::new(
            across * (revolution * TAU).cos(),
            across * (revolution * TAU).sin(),
            rise,
        );
        for (radius, inside) in [(0.094, true), (0.05, true), (0.106, false)] {
            let pos_in_field = from_world.transform_point3(direction * radius);
            let held = Patch::at(field, &cells, pos_in_field)
                .is_some_and(|p| p.height(pos_in_field, from_world) < 0.0);
            assert_eq!(held, inside, "{direction} at {radius}");
        }
    }
}

#[test]
fn triangles_that_cannot_be_drawn_are_culled() {
    let edge_on = [
        Vec3::new(0.05, 0.0, 0.05),
        Vec3::new(0.1, 0.001, 0.05),
        Vec3::new(0.1, 0.0, 0.15),
    ];
    let broken = [Vec3::NAN, Vec3::X * 0.1, Vec3::new(0.1, 0.1, 0.1)];
    let endless = [
        Vec3::X * f32::INFINITY,
        Vec3::X * 0.1,
        Vec3::new(0.1, 0.1, 0.1),
    ];
    let flat = [Vec3::X * 0.1, Vec3::X * 0.1, Vec3::new(0.1, 0.1, 0.1)];
    for positions in [edge_on, broken, endless, flat] {
        let triangles = [[0, 1, 2], [0, 2, 1]]
            .map(|vertices| FieldTriangle {
                vertices,
                field_ix: 0,
                rank: Rank::Own,
            })
            .to_vec();
        let set = FieldSet {
            fields: vec![field(64, 20, 0.0, 0.2)],
            triangles,
            cell_count: 64 * 20,
            ..FieldSet::default()
        };
        let cells = update(
            &set,
            &positions,
            &fields_from_world(&set, &[Mat4::IDENTITY]),
        );
        assert!(cells.iter().all(|&c| c == EMPTY), "{positions:?}");
    }
}

#[test]
fn skin_that_faces_the_axis_is_culled() {
    let facing = drawn(&Shape::wall(0.1, -1.0), Mat4::IDENTITY);
    assert!(facing.iter().all(|&c| c == EMPTY));
}

/// The distance straight ahead of two walls, 5 and 10 cm from the axis.
fn ahead_of_walls(near_rank: Rank, far_rank: Rank) -> f32 {
    let (near, far) = (Shape::wall(0.05, 1.0), Shape::wall(0.1, 1.0));
    let positions = [far.positions, near.positions].concat();
    let mut set = far.set;
    for triangle in &mut set.triangles {
        triangle.rank = far_rank;
    }
    let near = near.set.triangles.iter().map(|t| FieldTriangle {
        vertices: t.vertices.map(|v| v + 4),
        rank: near_rank,
        ..*t
    });
    set.triangles.extend(near);
    let cells = update(
        &set,
        &positions,
        &fields_from_world(&set, &[Mat4::IDENTITY]),
    );
    cells[10 * 64] * (PI / 64.0).cos()
}

#[test]
fn of_two_walls_the_further_own_one_stays_and_else_the_nearer() {
    use Rank::{Own, Shared};
    for (near, far, expected) in [
        (Own, Own, 0.1),
        (Shared, Own, 0.1),
        (Own, Shared, 0.05),
        (Shared, Shared, 0.05),
    ] {
        let ahead = ahead_of_walls(near, far);
        assert!((ahead - expected).abs() < 1e-6, "{near:?} {far:?}: {ahead}");
    }
}

#[test]
fn distances_stay_within_the_triangle_even_where_an_edge_is_nearer_than_its_ends() {
    let cells = drawn(&Shape::wall(0.05, 1.0), Mat4::IDENTITY);
    let drawn: Vec<_> = cells.iter().copied().filter(|&c| c < EMPTY).collect();
    // The corners are all 0.112 away; the wall itself comes to 0.05.
    assert!(
        drawn.iter().all(|&d| (0.05..=0.1119).contains(&d)) && drawn.iter().any(|&d| d < 0.0501)
    );
}

#[test]
fn a_patch_with_an_empty_corner_and_the_ends_of_an_open_field_hold_nothing() {
    let shape = Shape::tube(48, 0.0);
    let field = &shape.set.fields[0];
    let mut cells = drawn(&shape, Mat4::IDENTITY);
    let at = |cells: &[f32], theta: f32, z: f32| {
        Patch::at(
            field,
            cells,
            (Vec2::from_angle(theta * TAU) * 0.05).extend(z),
        )
        .is_some()
    };
    let [low, middle, high] = [0.4, 10.0, 19.6].map(|rows| rows / 20.0);
    assert!(at(&cells, 0.0, middle) && !at(&cells, 0.0, low) && !at(&cells, 0.0, high));
    // Column 0, on the far side of the seam from the last one; both halves of a quad share row 10 of it.
    cells[10 * 64] = EMPTY;
    assert!(
        !at(&cells, 0.25 / 64.0, middle)
            && !at(&cells, -0.25 / 64.0, middle)
            && at(&cells, 0.25, middle)
    );
}

#[test]
fn planes_are_right_in_a_world_that_stretches_the_field() {
    let shape = Shape::tube(96, 0.0);
    let world_from_bone = Mat4::from_rotation_x(0.7) * Mat4::from_scale(Vec3::new(2.0, 1.0, 3.0));
    let cells = drawn(&shape, world_from_bone);
    let from_world = fields_from_world(&shape.set, &[world_from_bone])[0];
    let on_skin = Vec3::new(0.1 * 0.8, 0.1 * 0.6, 0.1);
    // The gradient of (x/2)² + y² at the stretched point.
    let normal =
        Mat4::from_rotation_x(0.7).transform_vector3(Vec3::new(0.16 / 4.0, 0.06, 0.0).normalize());
    let point = world_from_bone.transform_point3(on_skin) + normal * 0.01;
    let patch = Patch::at(
        &shape.set.fields[0],
        &cells,
        from_world.transform_point3(point),
    )
    .expect("all cells are full");
    let plane = patch
        .plane_in_world(from_world.inverse(), from_world)
        .expect("its corners span a plane");
    // A patch is 1/64 turn wide: its normal is up to half of that off, and the stretch makes it a little more.
    assert!(
        plane.normal.distance(normal) < 0.06,
        "{} not {normal}",
        plane.normal
    );
    assert!(
        (plane.height(point) - 0.01).abs() < 5e-4,
        "{}",
        plane.height(point)
    );
    assert!(
        (patch.height(from_world.transform_point3(point), from_world) - plane.height(point)).abs()
            < 1e-5
    );
}

fn resolve_penetration(
    shape: &Shape,
    cells: &[f32],
    before: Mat4,
    after: Mat4,
    particle: Particle,
) -> Particle {
    let [before, after] = [before, after].map(|bone| fields_from_world(&shape.set, &[bone]));
    let fields = MovingFields::new(&shape.set, cells, &before, &after);
    collide(&fields, particle, EIGHT_SAMPLES, &RESPONSE)
}

#[test]
fn particles_inside_end_at_the_thickness_and_particles_outside_are_left_alone() {
    let shape = Shape::tube(96, 0.0);
    let cells = drawn(&shape, Mat4::IDENTITY);
    for i in 0..100 {
        let direction = Vec2::from_angle(i as f32 * 0.7).extend(0.0);
        let height = Vec3::Z * (0.05 + 0.001 * i as f32);
        let current = direction * 0.12 + height;
        let falling = Particle {
            current,
            predicted: direction * 0.09 + height,
        };
        let end = resolve_penetration(&shape, &cells, Mat4::IDENTITY, Mat4::IDENTITY, falling);
        let distance = end.predicted.truncate().length();
        assert!((distance - 0.103).abs() < 3e-4, "{distance}");
        assert_eq!(end.current, current, "it started outside");
        let clear = Particle {
            current,
            predicted: direction * 0.104 + height,
        };
        assert_eq!(
            resolve_penetration(&shape, &cells, Mat4::IDENTITY, Mat4::IDENTITY, clear),
            clear
        );
    }
}

#[test]
fn a_particle_that_began_inside_is_put_outside_without_speed() {
    let shape = Shape::tube(96, 0.0);
    let cells = drawn(&shape, Mat4::IDENTITY);
    let sunk = Vec3::new(0.08, 0.0, 0.1);
    let end = resolve_penetration(
        &shape,
        &cells,
        Mat4::IDENTITY,
        Mat4::IDENTITY,
        Particle {
            current: sunk,
            predicted: sunk,
        },
    );
    assert!((end.predicted.x - 0.103).abs() < 3e-4, "{end:?}");
    assert!(end.predicted.distance(end.current) < 1e-6, "{end:?}");
}

#[test]
fn a_body_that_sweeps_over_a_resting_particle_takes_it_along() {
    let shape = Shape::tube(96, 0.0);
    let after = Mat4::from_translation(Vec3::X * 0.05);
    let cells = drawn(&shape, after);
    let resting = Vec3::new(0.11, 0.0, 0.1);
    let particle = Particle {
        current: resting,
        predicted: resting,
    };
    let end = resolve_penetration(&shape, &cells, Mat4::IDENTITY, after, particle);
    assert!((end.predicted.x - 0.153).abs() < 3e-4, "{end:?}");
    assert_eq!(end.current, resting);
}

#[test]
fn of_contacts_at_one_time_the_shallowest_decides() {
    // A narrow tube inside a wide one: the particle is inside both.
    let wide = Shape::tube(96, 0.0);
    let ring = |r: f32| [(r, 0.0), (r, 0.2)];
    let narrow = Shape::lathe(
        &ring(0.06),
        96,
        0.0,
        FieldDef {
            cell_offset: wide.set.cell_count,
            ..field(64, 20, 0.0, 0.2)
        },
    );
    let base = wide.positions.len() as u32;
    let inner = narrow.set.triangles.iter().map(|t| FieldTriangle {
        vertices: t.vertices.map(|v| v + base),
        field_ix: 1,
        rank: Rank::Own,
    });
    let shape = Shape {
        positions: [wide.positions, narrow.positions].concat(),
        set: FieldSet {
            fields: [wide.set.fields, narrow.set.fields].concat(),
            triangles: wide.set.triangles.into_iter().chain(inner).collect(),
            cell_count: 2 * wide.set.cell_count,
            ..FieldSet::default()
        },
    };
    let cells = drawn(&shape, Mat4::IDENTITY);
    let sunk = Vec3::new(0.055, 0.0, 0.1);
    let end = resolve_penetration(
        &shape,
        &cells,
        Mat4::IDENTITY,
        Mat4::IDENTITY,
        Particle {
            current: sunk,
            predicted: sunk,
        },
    );
    // The first iteration leaves the narrow tube, the second the wide one.
    assert!((end.predicted.x - 0.103).abs() < 3e-4, "{end:?}");
}

#[test]
fn the_march_tells_times_apart_as_finely_round_the_small_and_the_large() {
    let time_at = |size: f32| {
        let shape = Shape::ball();
        let place = Mat4::from_scale(Vec3::splat(size));
        let frames = fields_from_world(&shape.set, &[place]);
        let cells = drawn(&shape, place);
        let fields = MovingFields::new(&shape.set, &cells, &frames, &frames);
        let iteration = Iteration {
            from: Vec3::X * 0.13 * size,
            predicted: Vec3::X * 0.081 * size,
            thickness: 0.003 * size,
            size,
            is_reduced: false,
        };
        let path = PathTest {
            detection: Detection::March,
            samples: 1,
        };
        let hit = fields.moving()[0].first_hit(iteration, path);
        hit.expect("it goes in").time
    };
    // 27 of 49 mm, in tenths.
    assert_eq!(time_at(1.0), 0.6);
    for size in [0.12, 5.7] {
        assert_eq!(time_at(size), 0.6, "{size}");
    }
}
