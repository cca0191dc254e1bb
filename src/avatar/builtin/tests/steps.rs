//! The steps from a shape to a mesh, each on its own.

use super::super::cut::cut;
use super::super::figure::simplified;
use super::super::sculpture::Sculpture;
use super::super::shape::{Frame, Section, Shape, smooth_min};
use super::super::surface::{Bounds, PartedMesh, half_mesh};
use super::*;
use glam::vec3;

const RADIUS: f32 = 0.3;

/// A ball in the air, one of its halves meshed.
fn half_ball() -> PartedMesh {
    let mut figure = Sculpture::new(1.0);
    figure.add(0.0, Shape::ball(vec3(0.0, 0.5, 0.0), RADIUS));
    let bounds = Bounds {
        width: 0.35,
        back: -0.35,
        front: 0.35,
    };
    let mesh = half_mesh(&figure, bounds, 0.02);
    let parts = vec![0; mesh.triangles.len()];
    PartedMesh { mesh, parts }
}

fn as_skin(whole: &PartedMesh) -> SkinMesh {
    SkinMesh {
        positions: whole.mesh.positions.clone(),
        triangles: whole.mesh.triangles.clone(),
        ..SkinMesh::default()
    }
}

#[test]
fn a_ball_becomes_a_ball_with_its_rim_on_the_middle_plane() {
    let half = half_ball();
    for p in &half.mesh.positions {
        assert!((p.distance(vec3(0.0, 0.5, 0.0)) - RADIUS).abs() < 1e-4 && p.x >= 0.0);
    }
    assert_eq!(euler_number(&as_skin(&half.mirror())), Ok(2));
}

#[test]
fn a_cut_leaves_no_triangle_on_both_sides_and_no_crack() {
    let mut half = half_ball();
    let border = |p: Vec3| p.y - 0.513 - 0.3 * p.z;
    cut(&mut half.mesh, border);
    half.parts = vec![0; half.mesh.triangles.len()];
    for triangle in &half.mesh.triangles {
        let levels = triangle.map(|v| border(half.mesh.positions[v as usize]));
        let (low, high) = levels
            .iter()
            .fold((0f32, 0f32), |(low, high), &x| (low.min(x), high.max(x)));
        assert!(low > -1e-5 || high < 1e-5, "{levels:?}");
    }
    assert_eq!(euler_number(&as_skin(&half.mirror())), Ok(2));
}

#[test]
fn simplifying_meets_the_budget_and_keeps_the_border_between_parts() {
    let mut half = half_ball();
    let border = |p: Vec3| p.y - 0.513;
    cut(&mut half.mesh, border);
    let middle = |t: &[u32; 3]| {
        t.map(|v| half.mesh.positions[v as usize].y)
            .iter()
            .sum::<f32>()
            / 3.0
    };
    half.parts = half
        .mesh
        .triangles
        .iter()
        .map(|t| u8::from(middle(t) > 0.513))
        .collect();
    let simple = simplified(&half, 200, &half.mesh.positions, &[], &[]);
    let count = simple.mesh.triangles.len();
    assert!((198..=200).contains(&count), "{count}");
    for (triangle, &part) in simple.mesh.triangles.iter().zip(&simple.parts) {
        for p in triangle.map(|v| simple.mesh.positions[v as usize]) {
            let side = if part == 1 { 1.0 } else { -1.0 };
            assert!(border(p) * side > -1e-3, "{p} in part {part}");
        }
    }
    let whole = as_skin(&simple.mirror());
    assert_eq!(euler_number(&whole), Ok(2));
    let exact = 4.0 / 3.0 * std::f32::consts::PI * RADIUS.powi(3);
    // The vertices lie on the ball: 400 triangles inside it lack 2.7 % of its volume at best.
    let lost = 1.0 - volume(&whole.positions, &whole.triangles) / exact;
    assert!((0.0..0.045).contains(&lost), "{lost}");
}

#[test]
fn a_loft_passes_through_its_sections() {
    let sections = vec![
        Section::four(0.0, [0.10, 0.08, 0.06, 0.07]),
        Section::four(0.2, [0.12, 0.09, 0.05, 0.08]),
        Section::four(0.5, [0.06, 0.06, 0.06, 0.06]),
    ];
    let frame = Frame::looking(vec3(0.3, 1.0, 0.1), vec3(0.5, -1.0, 0.2), Vec3::Z);
    let loft = Shape::loft(frame, sections, 0.05, 0.05);
    for (side, front) in [(0.12, 0.0), (-0.09, 0.0), (0.0, 0.05), (0.0, -0.08)] {
        assert!(loft.distance(frame.point(side, front, 0.2), 1.0).abs() < 1e-4);
    }
    assert!(loft.distance(frame.point(0.0, 0.0, 0.55), 1.0).abs() < 1e-4);
    assert!(loft.distance(frame.point(0.0, 0.0, 0.3), 1.0) < -0.03);
}

#[test]
fn a_smooth_union_is_the_union_away_from_the_seam() {
    assert_eq!(smooth_min(0.1, 0.5, 0.3), 0.1);
    assert_eq!(smooth_min(0.5, 0.1, 0.0), 0.1);
    assert!(smooth_min(0.1, 0.1, 0.3) < 0.1);
}
