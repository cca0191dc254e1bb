use super::super::closest::on_triangle;
use super::super::solid_angle::winding_number;
use super::super::test_meshes::TestMesh;
use super::*;
use proptest::prelude::*;

fn tree(mesh: &TestMesh) -> TriangleTree {
    TriangleTree::new(&mesh.positions, &mesh.triangles)
}

/// The sum over the mesh as it was given, not as the tree sorted it.
fn exact_winding(mesh: &TestMesh, point: DVec3) -> f64 {
    let corners = |t: &[u32; 3]| t.map(|ix| mesh.positions[ix as usize].as_dvec3());
    winding_number(point, mesh.triangles.iter().map(corners))
}

fn nearest_corner_squared(point: DVec3, triangle: &[DVec3; 3]) -> f64 {
    triangle
        .iter()
        .map(|corner| corner.distance_squared(point))
        .fold(f64::INFINITY, f64::min)
}

/// Two overlapping spheres, a box that touches neither, and a hole of one triangle.
fn awkward_mesh() -> TestMesh {
    let mut mesh = TestMesh::sphere(Vec3::ZERO, 0.5, 17, 23)
        .with(TestMesh::sphere(Vec3::new(0.4, 0.1, 0.0), 0.3, 9, 14))
        .with(TestMesh::cuboid(
            Vec3::new(-1.0, -0.2, -0.2),
            Vec3::new(-0.6, 0.2, 0.2),
        ));
    mesh.triangles.remove(100);
    mesh
}

fn a_point() -> impl Strategy<Value = DVec3> {
    (-1.2..1.2, -0.8..0.8, -0.8..0.8).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

proptest! {
    #[test]
    fn every_winding_number_lies_within_its_bound(point in a_point(), tolerance_exponent in -8.0..-1.0_f64) {
        let mesh = awkward_mesh();
        let winding = tree(&mesh).winding(point, 10.0_f64.powf(tolerance_exponent));
        let error = (winding.number - exact_winding(&mesh, point)).abs();
        prop_assert!(error <= winding.error_bound + 1e-12, "{error} > {}", winding.error_bound);
    }

    #[test]
    fn contains_answers_like_the_exact_sum(point in a_point()) {
        let mesh = awkward_mesh();
        prop_assert_eq!(tree(&mesh).contains(point), exact_winding(&mesh, point) >= INSIDE_WINDING);
    }

    #[test]
    fn the_nearest_point_is_that_of_the_nearest_of_all_triangles(point in a_point()) {
        let mesh = awkward_mesh();
        let corners = |t: &[u32; 3]| t.map(|ix| mesh.positions[ix as usize].as_dvec3());
        let distance = |t: &[u32; 3]| on_triangle(point, corners(t)).distance(point);
        let plain = mesh.triangles.iter().map(distance).fold(f64::INFINITY, f64::min);
        let found = tree(&mesh).nearest_point(point, f64::INFINITY).expect("the mesh is not empty");
        prop_assert!((found.distance - plain).abs() < 1e-12);
        prop_assert!((found.point.distance(point) - plain).abs() < 1e-12);
        prop_assert!(distance(&found.triangle) - plain < 1e-12);
        prop_assert!(mesh.triangles.contains(&found.triangle));
        prop_assert_eq!(tree(&mesh).nearest_point(point, 0.99 * plain), None);
    }

    #[test]
    fn nearest_finds_what_a_plain_search_finds(point in a_point()) {
        let mesh = awkward_mesh();
        let plain = mesh.positions.iter().map(|p| p.as_dvec3().distance(point)).fold(f64::INFINITY, f64::min);
        let found = tree(&mesh).nearest(point, f64::INFINITY, nearest_corner_squared);
        prop_assert!((found.expect("the mesh is not empty") - plain).abs() < 1e-12);
    }
}

#[test]
fn a_zero_tolerance_is_the_exact_sum() {
    let mesh = awkward_mesh();
    let point = DVec3::new(0.2, 0.1, 0.05);
    let winding = tree(&mesh).winding(point, 0.0);
    assert_eq!(winding.error_bound, 0.0);
    assert!((winding.number - exact_winding(&mesh, point)).abs() < 1e-12);
}

#[test]
fn a_point_on_the_rim_of_a_hole_is_settled_by_the_exact_sum() {
    let mut bowl = TestMesh::sphere(Vec3::ZERO, 0.5, 24, 32);
    bowl.triangles
        .retain(|t| t.iter().all(|&ix| bowl.positions[ix as usize].y <= 1e-6));
    let tree = tree(&bowl);
    for k in 0..200 {
        let height = -0.02 + 1e-4 * f64::from(k);
        let point = DVec3::new(0.01, height, 0.02);
        assert_eq!(
            tree.contains(point),
            exact_winding(&bowl, point) >= INSIDE_WINDING,
            "{height}"
        );
    }
}

#[test]
fn points_at_the_middle_of_a_fine_sphere_need_few_exact_triangles() {
    let mesh = TestMesh::sphere(Vec3::ZERO, 0.5, 64, 96);
    let winding = tree(&mesh).winding(DVec3::new(0.1, 0.0, 0.0), PATCH_TOLERANCES[0]);
    assert!(winding.error_bound > 0.0, "nothing was approximated");
    assert!(
        winding.error_bound < 0.4,
        "the first try settles nothing: {}",
        winding.error_bound
    );
}

#[test]
fn refitting_gives_what_building_anew_gives() {
    let mut mesh = awkward_mesh();
    let mut refitted = tree(&mesh);
    for position in &mut mesh.positions {
        *position = *position * Vec3::new(1.3, 0.7, 1.1) + Vec3::new(0.1, 0.2, position.x * 0.3);
    }
    refitted.refit(&mesh.positions);
    let built = tree(&mesh);
    for k in 0..300 {
        let t = f64::from(k);
        let point = DVec3::new(
            (t * 0.7).sin(),
            (t * 1.1).cos() * 0.5,
            (t * 1.9).sin() * 0.5,
        );
        assert_eq!(refitted.contains(point), built.contains(point));
        assert_eq!(
            refitted.nearest(point, f64::INFINITY, nearest_corner_squared),
            built.nearest(point, f64::INFINITY, nearest_corner_squared)
        );
    }
}

#[test]
fn nothing_is_near_or_inside_an_empty_mesh() {
    let empty = TriangleTree::new(&[], &[]);
    assert!(!empty.contains(DVec3::ZERO));
    assert_eq!(empty.winding(DVec3::ZERO, 0.0), Winding::default());
    assert_eq!(
        empty.nearest(DVec3::ZERO, f64::INFINITY, nearest_corner_squared),
        None
    );
}

#[test]
fn nearest_stops_at_its_limit() {
    let mesh = TestMesh::cuboid(Vec3::ZERO, Vec3::ONE);
    let tree = tree(&mesh);
    let point = DVec3::new(2.0, 1.0, 1.0);
    assert_eq!(tree.nearest(point, 1.1, nearest_corner_squared), Some(1.0));
    assert_eq!(tree.nearest(point, 0.9, nearest_corner_squared), None);
}
