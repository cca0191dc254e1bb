//! Fields of rigid solids on the CPU: what they hold, and on which side.

#[path = "support/solids.rs"]
mod solids;

use glam::{DVec3, UVec3, Vec3};
use radial_fields::math::triangle_tree::TriangleTree;
use radial_fields::solid::fill::{Filler, fill};
use radial_fields::solid::study::{self, bust, deviation, reconstruct};
use radial_fields::solid::{BAND_CELLS, FieldSample, Grid, SignRule, SolidField, SolidMesh};

use solids::Shape;

fn torus() -> Shape {
    Shape::torus(0.3, 0.1, UVec3::new(48, 24, 0))
}

fn cube() -> Shape {
    Shape::cuboid(Vec3::splat(-0.2), Vec3::new(0.2, 0.3, 0.25))
}

fn field_of(shape: &Shape, cell_size: f32, rule: SignRule) -> SolidField {
    let mesh = shape.mesh();
    let grid = Grid::over(&mesh, cell_size).expect("the grid fits");
    fill(&mesh, grid, rule)
}

/// Points all over a field's grid, on none of its samples.
fn points_in(field: &SolidField, count: u32) -> impl Iterator<Item = Vec3> {
    // Roberts' sequence: the powers of the plastic number's inverse in three dimensions.
    let steps = DVec3::new(
        0.819_172_513_396_164_5,
        0.671_043_606_703_789_2,
        0.549_700_477_901_970_2,
    );
    let (low, size) = (
        field.grid.low,
        field.grid.cells().as_vec3() * field.grid.cell_size,
    );
    (1..=count).map(move |ix| low + size * (steps * f64::from(ix)).fract().as_vec3())
}

fn tree_of(mesh: &SolidMesh) -> TriangleTree {
    TriangleTree::new(mesh.positions(), mesh.triangles())
}

fn true_distance(tree: &TriangleTree, point: Vec3) -> f32 {
    let at = point.as_dvec3();
    let nearest = tree
        .nearest_point(at, f64::INFINITY)
        .expect("there are triangles");
    let sign = if tree.contains_either_way(at) {
        -1.0
    } else {
        1.0
    };
    (sign * nearest.distance) as f32
}

#[test]
fn points_within_the_band_learn_their_distance_and_all_others_their_side() {
    for (shape, cell_size) in [(torus(), 0.01), (cube(), 0.0173)] {
        let field = field_of(&shape, cell_size, SignRule::Pseudonormal);
        let tree = tree_of(&shape.mesh());
        let mut near_count = 0;
        for point in points_in(&field, 20_000) {
            let (truth, found) = (true_distance(&tree, point), field.sample(point));
            let found = found.expect("it is in the grid").distance;
            if truth.abs() < (BAND_CELLS - 1.74) * cell_size {
                near_count += 1;
                // Where an edge or the middle of the tube passes, no interpolant is better.
                assert!(
                    (found - truth).abs() < 0.6 * cell_size,
                    "{point}: {found}, not {truth}"
                );
            } else {
                assert_eq!(found < 0.0, truth < 0.0, "{point}: {found}, not {truth}");
                assert!(
                    found.abs() > (BAND_CELLS - 2.4) * cell_size,
                    "{point}: {found}"
                );
            }
        }
        assert!(near_count > 1000, "{near_count}");
    }
}

#[test]
fn samples_within_the_band_hold_the_distance_to_half_a_quantum() {
    let shape = torus();
    let field = field_of(&shape, 0.01, SignRule::Pseudonormal);
    let (grid, tree) = (field.grid, tree_of(&shape.mesh()));
    let (mut within_count, mut worst) = (0, 0.0_f32);
    let samples = grid.samples();
    for ix in (0..samples.element_product()).step_by(7) {
        let sample = UVec3::new(
            ix % samples.x,
            ix / samples.x % samples.y,
            ix / (samples.x * samples.y),
        );
        let truth = true_distance(&tree, grid.low + sample.as_vec3() * grid.cell_size);
        let code = field.code_at(sample);
        if truth.abs() < 0.999 * grid.band() {
            within_count += 1;
            let held = f32::from(code.expect("a brick holds it")) * grid.quantum();
            worst = worst.max((held - truth).abs());
        } else if truth.abs() > 1.001 * grid.band() {
            let beyond = code.map_or(i16::MAX, i16::saturating_abs);
            assert_eq!(beyond, i16::MAX, "{sample} at {truth}");
        }
    }
    println!(
        "{within_count} samples, at worst {} quanta off",
        worst / grid.quantum()
    );
    assert!(within_count > 10_000, "{within_count}");
    assert!(worst < 0.7 * grid.quantum(), "{worst}");
}

#[test]
fn the_gradient_is_that_of_the_interpolant() {
    let field = field_of(&torus(), 0.01, SignRule::Pseudonormal);
    let step = 1e-4;
    let mut judged_count = 0;
    for point in points_in(&field, 5000) {
        let at = |point| field.sample(point).map(|sample| sample.distance);
        let cell = |point: Vec3| ((point - field.grid.low) / field.grid.cell_size).floor();
        let Some(sample) = field.sample(point) else {
            continue;
        };
        for axis in 0..3 {
            let offset = Vec3::AXES[axis] * step;
            let (Some(ahead), Some(behind)) = (at(point + offset), at(point - offset)) else {
                continue;
            };
            let is_clamped = sample.distance.abs() <= 2.3 * field.grid.cell_size
                && sample.distance.abs() >= 2.2 * field.grid.cell_size;
            if cell(point + offset) != cell(point - offset) || is_clamped {
                continue;
            }
            judged_count += 1;
            let slope = (ahead - behind) / (2.0 * step);
            assert!(
                (slope - sample.gradient[axis]).abs() < 5e-3,
                "{point}: {slope}, not {sample:?}"
            );
        }
    }
    assert!(judged_count > 5000, "{judged_count}");
}

#[test]
fn bricks_cover_the_band() {
    let shape = Shape::spike();
    let field = field_of(&shape, 0.012, SignRule::Pseudonormal);
    let tree = tree_of(&shape.mesh());
    for point in points_in(&field, 20_000) {
        if true_distance(&tree, point).abs() < field.grid.band() {
            let sample = ((point - field.grid.low) / field.grid.cell_size).as_uvec3();
            assert!(field.code_at(sample).is_some(), "{point}");
        }
    }
}

/// Samples on the other side than winding numbers say, of those that are within the band but not on the mesh.
fn wrong_signs(shape: &Shape, rule: SignRule) -> usize {
    let field = field_of(shape, 0.012, rule);
    let (grid, tree) = (field.grid, tree_of(&shape.mesh()));
    let samples = grid.samples();
    let all = (0..samples.element_product()).map(|ix| {
        UVec3::new(
            ix % samples.x,
            ix / samples.x % samples.y,
            ix / (samples.x * samples.y),
        )
    });
    let wrong = all.filter(|&sample| {
        let at = grid.low + sample.as_vec3() * grid.cell_size;
        field.code_at(sample).is_some_and(|code| {
            code.abs() > 1 && (code < 0) != tree.contains_either_way(at.as_dvec3())
        })
    });
    wrong.count()
}

#[test]
fn closed_meshes_have_no_wrong_sign_by_either_robust_rule() {
    for shape in [torus(), cube(), Shape::spike()] {
        assert!(shape.mesh().faults().is_closed());
        assert_eq!(wrong_signs(&shape, SignRule::Pseudonormal), 0);
        assert_eq!(wrong_signs(&shape, SignRule::Robust), 0);
    }
}

#[test]
fn the_papers_rule_leaves_wedges_at_acute_angles_only() {
    assert_eq!(wrong_signs(&torus(), SignRule::Face), 0);
    let spike = wrong_signs(&Shape::spike(), SignRule::Face);
    println!("{spike} in the spike's wedges");
    assert!(spike > 20, "{spike}");
}

#[test]
fn turned_and_crossing_meshes_want_the_robust_rule() {
    let mut turned = torus();
    turned
        .triangles
        .iter_mut()
        .for_each(|triangle| triangle.swap(1, 2));
    let crossing = cube().with(Shape::cuboid(Vec3::splat(-0.1), Vec3::new(0.4, 0.1, 0.1)));
    let mut mixed = torus();
    mixed
        .triangles
        .iter_mut()
        .step_by(9)
        .for_each(|triangle| triangle.swap(1, 2));
    assert_eq!(SignRule::for_mesh(&mixed.mesh()), SignRule::Robust);
    for (shape, least_wrong) in [(turned, 10_000), (crossing, 500), (mixed, 500)] {
        let pseudonormal = wrong_signs(&shape, SignRule::Pseudonormal);
        assert!(pseudonormal > least_wrong, "{pseudonormal}");
        let robust = wrong_signs(&shape, SignRule::Robust);
        println!("{pseudonormal} by pseudonormals, {robust} by the robust rule");
        assert!(robust <= pseudonormal / 20, "{robust} of {pseudonormal}");
    }
}

#[test]
fn an_open_mesh_has_the_sides_of_its_winding_number() {
    let mut open = torus();
    open.triangles.drain(0..40);
    assert!(open.mesh().faults().border_edges > 0);
    let wrong = SignRule::ALL.map(|rule| wrong_signs(&open, rule));
    println!("face, pseudonormal, robust: {wrong:?}");
    assert!(wrong[2] < wrong[1].min(wrong[0]), "{wrong:?}");
}

#[test]
fn the_same_mesh_gives_the_same_bits() {
    let make = || field_of(&torus(), 0.02, SignRule::Robust);
    assert_eq!(make(), make());
}

#[test]
fn the_surface_of_a_busts_field_lies_near_the_bust() {
    let bust = bust(0.006);
    let shape = Shape {
        positions: bust.positions,
        triangles: bust.triangles,
    };
    let mesh = shape.mesh();
    let grid = Grid::with_cells_along(&mesh, 96).expect("the grid fits");
    let surface = reconstruct(&fill(&mesh, grid, SignRule::Pseudonormal));
    let to_surface = TriangleTree::new(&surface.positions, &surface.triangles);
    let forward = deviation(mesh.positions(), mesh.triangles(), &to_surface, 20_000);
    let back = deviation(
        &surface.positions,
        &surface.triangles,
        &tree_of(&mesh),
        20_000,
    );
    let cells = |metres: f64| metres / f64::from(grid.cell_size);
    println!(
        "{:.3} and {:.3} cells at most",
        cells(forward.max),
        cells(back.max)
    );
    println!(
        "{:.4} and {:.4} cells in the mean",
        cells(forward.mean),
        cells(back.mean)
    );
    // The paper's bust: 1.24 cells at most and 0.006 in the mean, of four times as many cells along its side.
    assert!(cells(forward.max) < 1.24 && cells(back.max) < 1.24);
    assert!(cells(forward.mean) < 0.03 && cells(back.mean) < 0.03);
}

#[test]
fn a_bust_has_no_wrong_sign_by_the_rule_that_is_chosen_for_it() {
    let bust = bust(0.006);
    let mesh = SolidMesh::new(&bust.positions, &bust.triangles).expect("it is a mesh");
    let grid = Grid::with_cells_along(&mesh, 64).expect("the grid fits");
    let filler = Filler::new(&mesh, grid, SignRule::for_mesh(&mesh));
    let signs = study::wrong_signs(&filler.fill(), &filler.mesh, 4);
    assert!(signs.judged > 10_000, "{signs:?}");
    assert_eq!(signs.wrong, 0);
}

#[test]
fn a_mesh_of_a_millimetre_and_one_of_a_kilometre_have_the_same_field() {
    let codes = |scale: f32| {
        let mut shape = Shape::spike();
        shape
            .positions
            .iter_mut()
            .for_each(|position| *position *= scale);
        let mesh = shape.mesh();
        let grid = Grid::with_cells_along(&mesh, 40).expect("the grid fits");
        let mut field = fill(&mesh, grid, SignRule::Pseudonormal);
        (grid.bricks, field.sample_words_mut().to_vec())
    };
    // Powers of two, which round nothing.
    let ours = codes(1.0);
    for scale in [1.0 / 512.0, 2048.0] {
        assert!(codes(scale) == ours, "{scale}");
    }
}

#[test]
fn a_single_triangle_has_a_field_without_an_inside() {
    let shape = Shape {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        triangles: vec![[0, 1, 2]],
    };
    assert_eq!(SignRule::for_mesh(&shape.mesh()), SignRule::Robust);
    let field = field_of(&shape, 0.05, SignRule::Robust);
    let samples: Vec<_> = points_in(&field, 2000)
        .filter_map(|point| field.sample(point))
        .collect();
    assert_eq!(samples.len(), 2000);
    assert!(
        samples
            .iter()
            .all(|sample| sample.distance >= 0.0 && sample.gradient.is_finite())
    );
}

#[test]
fn a_plate_without_thickness_has_no_inside() {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y, Vec3::Y];
    let shape = Shape {
        positions: corners.to_vec(),
        triangles: vec![[0, 1, 2], [0, 2, 3], [0, 2, 1], [0, 3, 2]],
    };
    let field = field_of(&shape, 0.05, SignRule::for_mesh(&shape.mesh()));
    let found = points_in(&field, 5000).filter_map(|point| field.sample(point));
    assert_eq!(found.filter(|sample| sample.distance < 0.0).count(), 0);
}

/// What a mesh's field is on the whole: none, with the reason; or how many of the points all over it lie inside.
fn inside_of(shape: &Shape, cell_size: f32) -> Result<usize, String> {
    inside_by(shape, cell_size, SignRule::for_mesh)
}

fn inside_by(
    shape: &Shape,
    cell_size: f32,
    rule: impl Fn(&SolidMesh) -> SignRule,
) -> Result<usize, String> {
    let mesh = SolidMesh::new(&shape.positions, &shape.triangles).map_err(|it| it.to_string())?;
    let grid = Grid::over(&mesh, cell_size).map_err(|fault| fault.to_string())?;
    let field = fill(&mesh, grid, rule(&mesh));
    let samples: Vec<_> = points_in(&field, 3000)
        .filter_map(|point| field.sample(point))
        .collect();
    assert_eq!(samples.len(), 3000);
    let is_sound =
        |sample: &FieldSample| sample.distance.is_finite() && sample.gradient.is_finite();
    assert!(samples.iter().all(is_sound));
    Ok(samples
        .iter()
        .filter(|sample| sample.distance < 0.0)
        .count())
}

#[test]
fn hostile_meshes_are_refused_in_one_line_or_have_a_field_everywhere() {
    let with = |at: Vec3| {
        let mut shape = cube();
        shape.positions[3] = at;
        shape
    };
    let mut beyond = cube();
    beyond.triangles[0] = [0, 1, 99];
    let refused = [
        (Shape::default(), "none of the solid's 0 triangles"),
        (with(Vec3::NAN), "finite coordinates"),
        (with(Vec3::INFINITY), "finite coordinates"),
        (with(Vec3::splat(1e30)), "finite coordinates"),
        (beyond, "vertex 99"),
    ];
    for (shape, reason) in refused {
        let found = inside_of(&shape, 0.02).expect_err(reason);
        assert!(found.contains(reason) && !found.contains('\n'), "{found}");
    }
    let scaled = |scale: f32| {
        let mut shape = cube();
        for position in &mut shape.positions {
            *position *= scale;
        }
        shape
    };
    let of_a_millimetre_in_a_kilometre = inside_of(&scaled(2000.0), 0.001);
    assert!(
        of_a_millimetre_in_a_kilometre.is_err(),
        "it would fill all memory"
    );
    // A kilometre and a millimetre wide.
    let usual = inside_of(&scaled(1.0), 0.02).expect("a cube");
    for scale in [2000.0, 0.002] {
        let found = inside_of(&scaled(scale), 0.02 * scale).expect("it is large or small");
        assert!(found.abs_diff(usual) < 20, "{found}, not {usual}");
    }
    let mut inverted = cube();
    inverted
        .triangles
        .iter_mut()
        .for_each(|triangle| triangle.swap(1, 2));
    let twice = cube().with(cube());
    let crossing = cube().with(Shape::cuboid(Vec3::splat(-0.1), Vec3::new(0.2, 0.1, 0.1)));
    // That a closed mesh cuts through itself is not recognised.
    let crossing = inside_by(&crossing, 0.02, |_| SignRule::Robust);
    for found in [inside_of(&twice, 0.02), crossing] {
        let found = found.expect("a field");
        assert!(found.abs_diff(usual) < 20, "{found}, not {usual}");
    }
    // Closed and inside out, so that all but it is solid.
    let found = inside_of(&inverted, 0.02).expect("a field");
    assert!(
        found.abs_diff(3000 - usual) < 20,
        "{found}, not {}",
        3000 - usual
    );
}
