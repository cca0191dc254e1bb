//! How well a set of fields knows the body: points near the skin, judged by the fields and by the exact mesh.
//!
//! Nothing here is shared with the fields but the mesh: the judge is the winding number and the exact distance. A
//! technique's quality in motion is measured elsewhere; this measures the fit alone.

use crate::avatar::SkinMesh;
use crate::collide::radial::field::FieldSet;
use crate::collide::radial::surface::Patch;
use crate::collide::radial::update::{fields_from_world, update};
use crate::math::triangle_tree::TriangleTree;
use glam::{DVec3, Mat4, Vec3};
use rayon::prelude::*;

/// Metres from the skin within which points are drawn.
const REACH: f64 = 0.02;

/// Metres from the skin within which either answer is right: half a usual cell.
const TOLERANCE: f64 = 0.005;

/// Directions tried from a point before it counts as enclosed.
const WAYS_OUT: usize = 200;

/// What the fields got wrong, over points within 2 cm of the skin.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Coverage {
    /// Points deeper than 5 mm.
    pub inside_count: u32,
    /// Of those, held by no field.
    pub missed_count: u32,
    /// Points further out than 5 mm.
    pub outside_count: u32,
    /// Of those, held by a field, though cloth could get there.
    pub false_count: u32,
    /// Of those, held by a field, in a pocket of the body where no cloth gets: the mouth.
    pub pocket_count: u32,
}

impl Coverage {
    /// Share of the points inside that no field holds.
    pub fn missed_fraction(&self) -> f64 {
        f64::from(self.missed_count) / f64::from(self.inside_count.max(1))
    }

    /// Share of the points outside that a field holds, pockets aside.
    pub fn false_fraction(&self) -> f64 {
        f64::from(self.false_count) / f64::from(self.outside_count.max(1))
    }

    /// Counts of two studies together.
    pub fn and(self, other: Self) -> Self {
        Self {
            inside_count: self.inside_count + other.inside_count,
            missed_count: self.missed_count + other.missed_count,
            outside_count: self.outside_count + other.outside_count,
            false_count: self.false_count + other.false_count,
            pocket_count: self.pocket_count + other.pocket_count,
        }
    }
}

/// A point near the skin and both answers about it.
#[derive(Clone, Copy, Debug)]
pub struct Judged {
    pub pos_in_world: Vec3,
    /// Metres, positive outside, by the exact mesh.
    pub signed_distance: f64,
    /// The joint with the largest weight where the point was drawn from.
    pub joint_ix: u16,
    /// The first field that holds the point: an index into [`FieldSet::fields`].
    pub held_by: Option<usize>,
    /// The skin hides the point from everywhere outside.
    pub is_in_pocket: bool,
}

impl Judged {
    /// Whether the fields take a point inside the body for outside.
    pub fn is_missed(&self) -> bool {
        self.signed_distance < -TOLERANCE && self.held_by.is_none()
    }

    /// Pockets aside.
    pub fn is_false(&self) -> bool {
        self.signed_distance > TOLERANCE && self.held_by.is_some() && !self.is_in_pocket
    }
}

/// Draws points within 2 cm of a posed skin, evenly over its area, and asks the fields and the mesh about each.
///
/// `positions_in_world` are the skinned vertices of `skin`, `world_from_bone` the palette they were skinned with.
pub fn judge(
    set: &FieldSet,
    skin: &SkinMesh,
    positions_in_world: &[Vec3],
    world_from_bone: &[Mat4],
    point_count: usize,
) -> Vec<Judged> {
    let tree = TriangleTree::new(positions_in_world, &skin.triangles);
    let frames = fields_from_world(set, world_from_bone);
    let cells = update(set, positions_in_world, &frames);
    let points = points_near(skin, positions_in_world, point_count);
    let judge = |(point, joint_ix): (Vec3, u16)| {
        let exact = point.as_dvec3();
        let distance = tree.nearest_point(exact, REACH)?.distance;
        let signed_distance = if tree.contains(exact) {
            -distance
        } else {
            distance
        };
        let held_by = (0..set.fields.len()).find(|&ix| holds(set, &cells, frames[ix], ix, point));
        let is_in_pocket =
            signed_distance > TOLERANCE && held_by.is_some() && is_enclosed(&tree, exact);
        Some(Judged {
            pos_in_world: point,
            signed_distance,
            joint_ix,
            held_by,
            is_in_pocket,
        })
    };
    points
        .into_par_iter()
        .map(judge)
        .collect::<Vec<_>>()
        .into_iter()
        .flatten()
        .collect()
}

/// [`judge`], counted: for all joints together, and for each joint by the skin its points were drawn from.
pub fn coverage(judged: &[Judged], joint_count: usize) -> (Coverage, Vec<Coverage>) {
    let mut by_joint = vec![Coverage::default(); joint_count];
    for point in judged {
        let count = &mut by_joint[point.joint_ix as usize];
        count.inside_count += u32::from(point.signed_distance < -TOLERANCE);
        count.missed_count += u32::from(point.is_missed());
        count.outside_count += u32::from(point.signed_distance > TOLERANCE);
        count.false_count += u32::from(point.is_false());
        count.pocket_count += u32::from(point.is_in_pocket);
    }
    (
        by_joint
            .iter()
            .fold(Coverage::default(), |sum, &joint| sum.and(joint)),
        by_joint,
    )
}

/// Whether one field takes a point to be inside.
pub(super) fn holds(
    set: &FieldSet,
    cells: &[f32],
    field_from_world: Mat4,
    field_ix: usize,
    point: Vec3,
) -> bool {
    let field = &set.fields[field_ix];
    let pos_in_field = field_from_world.transform_point3(point);
    Patch::at(field, cells, pos_in_field)
        .is_some_and(|p| p.height(pos_in_field, field_from_world) < 0.0)
}

/// Whether the skin hides a point from everywhere outside: no straight way out of [`WAYS_OUT`].
fn is_enclosed(tree: &TriangleTree, point: DVec3) -> bool {
    let direction = |ix: usize| {
        let [rise, revolution, _] = spread(ix);
        let (sin, cos) = (revolution * std::f64::consts::TAU).sin_cos();
        let rise = 2.0 * rise - 1.0;
        let across = (1.0 - rise * rise).sqrt();
        DVec3::new(across * cos, rise, across * sin)
    };
    (0..WAYS_OUT).all(|ix| {
        tree.first_hit(point, direction(ix), f64::INFINITY)
            .is_some()
    })
}

/// Points along the normals of the skin, evenly over its area and its depth, each with the joint that moves the skin
/// there most. The same every time.
fn points_near(skin: &SkinMesh, positions: &[Vec3], count: usize) -> Vec<(Vec3, u16)> {
    let corners = |t: &[u32; 3]| t.map(|v| positions[v as usize].as_dvec3());
    let area = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a).length() / 2.0;
    let total: f64 = skin.triangles.iter().map(|t| area(corners(t))).sum();
    let (mut covered, mut points) = (0.0, Vec::with_capacity(count));
    for triangle in &skin.triangles {
        let [a, b, c] = corners(triangle);
        covered += area([a, b, c]);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        while ((points.len() as f64) + 0.5) * total < covered * count as f64 {
            let [s, t, depth] = spread(points.len());
            let (s, t) = if s + t > 1.0 {
                (1.0 - s, 1.0 - t)
            } else {
                (s, t)
            };
            let point = a + (b - a) * s + (c - a) * t + normal * (2.0 * depth - 1.0) * REACH;
            points.push((point.as_vec3(), skin.joints[triangle[0] as usize][0]));
        }
    }
    points
}

/// Evenly spread points of the unit cube: Roberts' additive recurrence.
pub(super) fn spread(ix: usize) -> [f64; 3] {
    const PLASTIC: f64 = 1.220_744_084_605_759_5;
    [1, 2, 3].map(|power| (0.5 + (ix + 1) as f64 * PLASTIC.powi(-power)).fract())
}
