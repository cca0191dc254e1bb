//! Fits radial fields to an avatar, without authoring: one field per joint that owns skin.
//!
//! Everything is measured in the bind pose. For each joint: which skin it owns, along which axis that skin is
//! seen best from inside ([`axis`]), and how far the field reaches, with closed ends found ([`extent`]).
//!
//! A triangle joins a field when the joint moves it (by weight) *and* the axis sees it: it faces away from the axis, and
//! nothing of the body lies between. The second half is ours, not the paper's. Weights alone give the pelvis the inner
//! thighs and the palm the sides of fingers, skin that is not round those axes, and so hold points outside the body.
//! What an axis sees only when joints bend is added last ([`bent`]).

mod axis;
mod bent;
mod body;
mod extent;
mod limb;
mod probe;
mod sight;
mod skeleton;

use super::cell::Rank;
use super::field::{FieldDef, FieldSet, FieldTriangle};
use crate::avatar::Avatar;
use axis::Axis;
use body::Body;
use extent::Extent;
use glam::{Mat4, Vec4};
use limb::Limb;
use probe::Probes;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::f32::consts::TAU;

/// The fewest cells round an axis. With fewer a finger is a prism whose sides cut deep.
const MIN_WIDTH: u32 = 8;

/// The fewest cells along an axis: a surface needs two rows.
const MIN_HEIGHT: u32 = 2;

/// Share by which the broad phase exceeds the furthest skin of the bind pose: muscles bulge when joints bend. Usually
/// 1.25 to 1.5; smaller loses contacts, larger only costs time.
const RADIUS_MARGIN: f32 = 1.35;

/// How fields are laid out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitSettings {
    /// Metres; usually 0.01. Halving it takes four times the memory.
    pub cell_size: f32,
    /// A triangle joins a field when its vertices have at least this weight on the field's joint, in the mean: by one vertex
    /// alone, long triangles would stretch the field far past the joint. Usually 0.02
    /// to 0.2; larger saves memory and time and leaves gaps where limbs meet, smaller holds more of what is no body.
    pub weight_threshold: f32,
}

impl Default for FitSettings {
    fn default() -> Self {
        Self {
            cell_size: 0.01,
            weight_threshold: 0.1,
        }
    }
}

/// Lays one field round every joint that owns skin, in the order of the joints.
///
/// Joints that own none, whose skin cannot be seen from any axis inside it, or that are collapsed, get no field.
pub fn fit(avatar: &Avatar, settings: &FitSettings) -> FieldSet {
    let body = Body::new(avatar);
    let joints = 0..avatar.skeleton.joints.len();
    let fitted: Vec<_> = joints
        .into_par_iter()
        .map(|joint_ix| fit_joint(&body, settings, joint_ix))
        .collect();
    let mut fitted: Vec<_> = fitted.into_iter().flatten().collect();
    borrow(&body, &mut fitted);
    let mut set = FieldSet::default();
    for fitted in fitted {
        let field_ix = set.fields.len() as u32;
        let drawn = |(vertices, rank)| FieldTriangle {
            vertices,
            field_ix,
            rank,
        };
        set.triangles
            .extend(fitted.triangles.into_iter().map(drawn));
        set.fields.push(FieldDef {
            cell_offset: set.cell_count,
            ..fitted.field
        });
        set.cell_count += fitted.field.cell_count();
    }
    set
}

/// Adds the skin that the axes see only when joints bend.
fn borrow(body: &Body, fitted: &mut [Fitted]) {
    let fields: Vec<_> = fitted.iter().map(|fitted| fitted.field.clone()).collect();
    for (fitted, seen) in fitted.iter_mut().zip(bent::seen(body, &fields)) {
        let taken: BTreeSet<_> = fitted
            .triangles
            .iter()
            .map(|(vertices, _)| *vertices)
            .collect();
        let borrowed = seen
            .into_iter()
            .filter(|vertices| !taken.contains(vertices));
        fitted
            .triangles
            .extend(borrowed.map(|vertices| (vertices, Rank::Borrowed)));
    }
}

/// A field whose cells are not placed yet, and what is drawn into it.
struct Fitted {
    field: FieldDef,
    triangles: Vec<([u32; 3], Rank)>,
}

impl Fitted {
    /// From bind space, where a field is laid, to its joint's.
    fn on_bone(mut self, avatar: &Avatar) -> Self {
        let joint = &avatar.skeleton.joints[self.field.joint_ix as usize];
        self.field.bone_from_field = joint.bone_from_bind * self.field.bone_from_field;
        self
    }
}

/// Of the best axes, the one whose field, once drawn, knows most about the points round the limb.
fn fit_joint(body: &Body, settings: &FitSettings, joint_ix: usize) -> Option<Fitted> {
    let determinant = body.avatar.skeleton.joints[joint_ix]
        .bone_from_bind
        .determinant();
    if !determinant.is_finite() || determinant == 0.0 {
        return None;
    }
    let limb = Limb::new(body, joint_ix, settings);
    let probes = Probes::round(&limb);
    let fields = axis::best(&axis::candidates(&limb), &limb)
        .into_iter()
        .filter_map(|axis| lay(&axis, &limb, settings));
    let scored = fields.map(|fitted| (probes.score(&fitted), fitted));
    // Strictly better only, so that ties go to the axis that sees more.
    let best = scored.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, fitted)| fitted.on_bone(body.avatar))
}

/// Lays a field in bind space: its `bone_from_field` is `bind_from_field`.
fn lay(axis: &Axis, limb: &Limb, settings: &FitSettings) -> Option<Fitted> {
    let extent = Extent::measure(axis, limb, settings.cell_size)?;
    let field = FieldDef {
        joint_ix: limb.joint_ix as u32,
        bone_from_field: bind_from_field(axis, &extent),
        length: extent.length(),
        width: ((TAU * extent.mean_radius / extent.cell_size / 2.0).round() as u32 * 2)
            .max(MIN_WIDTH),
        height: ((extent.length() / extent.cell_size).ceil() as u32).max(MIN_HEIGHT),
        cell_offset: 0,
        radius: extent.max_radius * RADIUS_MARGIN,
        first_row_is_cap: extent.low_is_closed,
        last_row_is_cap: extent.high_is_closed,
    };
    Some(Fitted {
        field,
        triangles: extent
            .triangles
            .into_iter()
            .map(|vertices| (vertices, limb.rank(vertices)))
            .collect(),
    })
}

fn bind_from_field(axis: &Axis, extent: &Extent) -> Mat4 {
    let [u, v] = axis.across();
    let columns = [u, v, axis.direction * extent.length()].map(|column| column.extend(0.0));
    let start: Vec4 = axis.at(extent.low).extend(1.0);
    Mat4::from_cols(columns[0], columns[1], columns[2], start)
}
