use super::*;
use crate::math::test_meshes::TestMesh;
use parry3d_f64::shape::TriMesh;
use std::f32::consts::TAU;

const CELL: f64 = 0.01;

fn oracle(mesh: &TestMesh) -> Oracle {
    let tolerances = Tolerances::new(CELL, 0.0);
    Oracle::new(&mesh.positions, &mesh.triangles, tolerances).expect("a valid mesh")
}

fn measure(mesh: &TestMesh, particles: &[Vec3]) -> Quality {
    let frame = Frame {
        body_positions: &mesh.positions,
        particles,
        collision: None,
        clearances: &[],
    };
    oracle(mesh).measure(&frame).expect("a valid frame")
}

fn a_box() -> TestMesh {
    TestMesh::cuboid(Vec3::new(-1.0, -0.5, -0.25), Vec3::new(1.0, 0.5, 0.25))
}

/// Points of a low-discrepancy sequence in the cube from -1 to 1.
fn scattered_points(count: u32) -> Vec<Vec3> {
    let fraction = |k: u32, step: f64| (f64::from(k) * step).fract() as f32 * 2.0 - 1.0;
    (0..count)
        .map(|k| {
            Vec3::new(
                fraction(k, 0.819_172),
                fraction(k, 0.671_043),
                fraction(k, 0.549_700),
            )
        })
        .collect()
}

#[test]
fn depths_in_a_box_are_exact() {
    let particles = [
        Vec3::new(0.0, 0.49, 0.0),  // 10 mm
        Vec3::new(0.97, 0.0, 0.0),  // 30 mm
        Vec3::new(0.0, 0.499, 0.0), // 1 mm: on the skin
        Vec3::new(0.0, 0.501, 0.0), // outside
        Vec3::new(5.0, 0.0, 0.0),   // far outside
    ];
    let quality = measure(&a_box(), &particles);
    assert_eq!(quality.particles, 5);
    assert_eq!(quality.frames, 1);
    assert_eq!(quality.inside_fraction, 0.4);
    assert!(
        (quality.max_penetration_mm - 30.0).abs() < 1e-4,
        "{quality:?}"
    );
    assert!(
        (quality.mean_penetration_mm - 20.0).abs() < 1e-4,
        "{quality:?}"
    );
    assert_eq!(quality.false_contact_fraction, None);
}

#[test]
fn a_body_turned_inside_out_hides_nothing() {
    let turned = TestMesh {
        triangles: a_box()
            .triangles
            .iter()
            .map(|&[a, b, c]| [a, c, b])
            .collect(),
        ..a_box()
    };
    let particles = scattered_points(200);
    let quality = measure(&turned, &particles);
    assert!(quality.inside_fraction > 0.1, "{quality:?}");
    assert_eq!(quality, measure(&a_box(), &particles));
}

#[test]
fn a_penetration_too_small_to_count_still_shows_as_the_deepest() {
    let quality = measure(&a_box(), &[Vec3::new(0.0, 0.499, 0.0)]);
    assert_eq!(quality.inside_fraction, 0.0);
    assert_eq!(quality.mean_penetration_mm, 0.0);
    assert!(
        (quality.max_penetration_mm - 1.0).abs() < 1e-4,
        "{quality:?}"
    );
}

#[test]
fn a_fine_sphere_agrees_with_its_radius() {
    let mesh = TestMesh::sphere(Vec3::new(0.1, 0.2, 0.3), 0.5, 60, 90);
    // The facets lie within this of the sphere: half the square of a 4 degree step, halved, times the radius.
    let sagitta = 0.5 * (TAU / 90.0).powi(2) / 4.0;
    let mut inside_count = 0;
    for point in scattered_points(400) {
        let depth = 0.5 - point.distance(Vec3::new(0.1, 0.2, 0.3));
        let measured = measure(&mesh, &[point]).max_penetration_mm / 1000.0;
        if depth > 0.0 {
            inside_count += 1;
            assert!(
                (measured - f64::from(depth)).abs() < f64::from(sagitta),
                "{point}: {measured} for {depth}"
            );
        } else {
            assert_eq!(measured, 0.0, "{point}");
        }
    }
    assert!(
        inside_count > 10,
        "too few points tried the inside: {inside_count}"
    );
}

#[test]
fn depths_are_what_parry_finds_over_the_whole_mesh() {
    let mesh = TestMesh::sphere(Vec3::ZERO, 0.6, 20, 31).with(a_box());
    let vertices = mesh.positions.iter().map(|p| p.as_dvec3());
    let whole = TriMesh::new(vertices.collect(), mesh.triangles.clone());
    let whole = whole.expect("a mesh with triangles");
    let mut compared = 0;
    for point in scattered_points(300) {
        let measured = measure(&mesh, &[point]).max_penetration_mm / 1000.0;
        if measured > 0.0 {
            let expected = whole.distance_to_local_point(point.as_dvec3(), false);
            assert!(
                (measured - expected).abs() < 1e-12,
                "{point}: {measured} for {expected}"
            );
            compared += 1;
        }
    }
    assert!(compared > 50, "too few points were inside: {compared}");
}

#[test]
fn moving_one_vertex_changes_the_figures() {
    let mesh = TestMesh::sphere(Vec3::ZERO, 0.5, 12, 16);
    let mut dented = mesh.clone();
    dented.positions[0].y -= 0.3;
    let particles = [Vec3::new(0.0, 0.47, 0.0), Vec3::new(0.0, 0.3, 0.0)];
    let (round, dented) = (measure(&mesh, &particles), measure(&dented, &particles));
    assert_eq!(round.inside_fraction, 1.0);
    assert_eq!(dented.inside_fraction, 0.0);
}

#[test]
fn where_two_spheres_overlap_is_inside_once() {
    let mesh = TestMesh::sphere(Vec3::ZERO, 0.5, 24, 36).with(TestMesh::sphere(
        Vec3::new(0.6, 0.0, 0.0),
        0.5,
        24,
        36,
    ));
    let particles = [
        Vec3::new(0.3, 0.0, 0.0),
        Vec3::ZERO,
        Vec3::new(0.6, 0.1, 0.0),
        Vec3::new(0.3, 0.45, 0.0),
    ];
    assert_eq!(measure(&mesh, &particles).inside_fraction, 0.75);
}

#[test]
fn a_body_with_a_hole_still_has_an_inside() {
    let mut mesh = TestMesh::sphere(Vec3::ZERO, 0.5, 24, 36);
    mesh.triangles
        .retain(|t| t.iter().any(|&ix| mesh.positions[ix as usize].y < 0.45));
    let quality = measure(
        &mesh,
        &[
            Vec3::ZERO,
            Vec3::new(0.0, 0.3, 0.1),
            Vec3::new(0.0, 0.6, 0.0),
        ],
    );
    assert!(
        (quality.inside_fraction - 2.0 / 3.0).abs() < 1e-12,
        "{quality:?}"
    );
}

#[test]
fn a_contact_is_false_only_if_moved_from_clear_outside() {
    let mesh = a_box();
    let before = [
        Vec3::new(0.0, 0.6, 0.0),   // moved from 100 mm outside: false
        Vec3::new(0.0, 0.505, 0.0), // moved from 5 mm outside: within a cell
        Vec3::new(0.0, 0.4, 0.0),   // moved from inside: right
        Vec3::new(0.0, 0.9, 0.0),   // far, but not moved
        Vec3::new(3.0, 0.0, 0.0),   // moved from outside the body's bounds: false
    ];
    let mut after = before.map(|position| position + Vec3::Y * 0.2);
    after[3] = before[3];
    let frame = Frame {
        body_positions: &mesh.positions,
        particles: &after,
        collision: Some(Moved {
            before: &before,
            behind: &after,
        }),
        clearances: &[],
    };
    let quality = oracle(&mesh).measure(&frame).expect("a valid frame");
    assert_eq!(quality.contact_fraction, Some(0.8));
    assert_eq!(quality.false_contact_fraction, Some(0.4));
    // Each of the two by 200 mm.
    let push = |found: Option<f64>, expected: f64| {
        found.is_some_and(|millimetres| (millimetres - expected).abs() < 1e-3)
    };
    assert!(push(quality.mean_false_push_mm, 200.0), "{quality:?}");
    assert!(push(quality.false_push_mm_per_frame, 400.0), "{quality:?}");
    // All four were moved clear of the box.
    assert_eq!(quality.inside_per_contact, Some(0.0));
}

#[test]
fn inside_per_contact_leaves_out_what_does_not_touch() {
    let mesh = a_box();
    let before = [
        Vec3::new(0.0, 0.45, 0.0),
        Vec3::new(0.0, 0.4, 0.0),
        Vec3::ZERO,
        Vec3::X * 9.0,
    ];
    let after = [
        Vec3::new(0.0, 0.51, 0.0), // pushed out
        Vec3::new(0.0, 0.41, 0.0), // pushed, but not out
        Vec3::ZERO,                // not found at all
        Vec3::X * 9.0,             // far
    ];
    let frame = Frame {
        body_positions: &mesh.positions,
        particles: &after,
        collision: Some(Moved {
            before: &before,
            behind: &after,
        }),
        clearances: &[],
    };
    let quality = oracle(&mesh).measure(&frame).expect("a valid frame");
    assert_eq!(quality.inside_fraction, 0.5);
    assert_eq!(quality.inside_per_contact, Some(2.0 / 3.0));
}

#[test]
fn frames_add_up_and_follow_the_body() {
    let mesh = a_box();
    let mut oracle = oracle(&mesh);
    let lifted: Vec<Vec3> = mesh.positions.iter().map(|p| *p + Vec3::Y * 10.0).collect();
    let particles = [Vec3::new(0.0, 0.48, 0.0), Vec3::new(0.0, 10.46, 0.0)];
    for (body_positions, deepest_mm) in [(&mesh.positions, 20.0), (&lifted, 40.0)] {
        let frame = Frame {
            body_positions,
            particles: &particles,
            collision: None,
            clearances: &[],
        };
        let alone = oracle.measure(&frame).expect("a valid frame");
        assert!(
            (alone.max_penetration_mm - deepest_mm).abs() < 1e-3,
            "{alone:?}"
        );
    }
    let both = oracle.quality();
    assert_eq!(
        (both.particles, both.frames, both.inside_fraction),
        (2, 2, 0.5)
    );
    assert!((both.mean_penetration_mm - 30.0).abs() < 1e-3, "{both:?}");
}

#[test]
fn the_thread_count_changes_no_bit() {
    let mesh = TestMesh::sphere(Vec3::ZERO, 0.7, 20, 30);
    let particles = scattered_points(3000);
    let on_threads = |count: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(count)
            .build()
            .expect("a pool");
        pool.install(|| measure(&mesh, &particles))
    };
    assert_eq!(on_threads(1), on_threads(3));
}

#[test]
fn what_cannot_be_judged_is_refused_and_not_counted() {
    let mesh = a_box();
    let no_such_vertex = Oracle::new(&mesh.positions, &[[0, 1, 99]], Tolerances::new(CELL, 0.0));
    assert!(matches!(
        no_such_vertex,
        Err(OracleError::NoSuchVertex { vertex_ix: 99, .. })
    ));

    let mut oracle = oracle(&mesh);
    let particles = [Vec3::ZERO, Vec3::new(0.0, f32::NAN, 0.0)];
    let good = Frame {
        body_positions: &mesh.positions,
        particles: &particles[..1],
        collision: None,
        clearances: &[],
    };
    let diverged = Frame {
        particles: &particles,
        ..good
    };
    assert_eq!(
        oracle.measure(&diverged),
        Err(OracleError::NotFinite {
            what: "particle",
            ix: 1
        })
    );
    let short = Frame {
        collision: Some(Moved {
            before: &[],
            behind: &[],
        }),
        clearances: &[],
        ..good
    };
    assert!(matches!(
        oracle.measure(&short),
        Err(OracleError::Count { found: 0, .. })
    ));
    let other_body = Frame {
        body_positions: &particles[..1],
        ..good
    };
    assert!(matches!(
        oracle.measure(&other_body),
        Err(OracleError::Count { expected: 8, .. })
    ));
    assert_eq!(oracle.quality(), Quality::default());
}

#[test]
fn triangles_without_area_do_no_harm() {
    let mut mesh = a_box();
    mesh.triangles.extend([[0, 0, 0], [0, 1, 1], [3, 3, 5]]);
    assert_eq!(
        measure(&mesh, &[Vec3::new(0.0, 0.48, 0.0)]),
        measure(&a_box(), &[Vec3::new(0.0, 0.48, 0.0)])
    );
}

#[test]
fn the_report_names_its_figures() {
    let json = serde_json::to_value(Quality::default()).expect("plain numbers");
    for key in [
        "particles",
        "inside_fraction",
        "max_penetration_mm",
        "mean_penetration_mm",
        "false_contact_fraction",
    ] {
        assert!(json.get(key).is_some(), "no {key} in {json}");
    }
}
