//! Fits radial fields to an avatar, without authoring: one field per joint that owns skin.
//!
//! Everything is measured in the bind pose. For each joint: which skin it [owns](owned), along which axis that skin is
//! seen best from inside ([`axis`]), and how far the field reaches, with closed ends found ([`extent`]).
//!
//! A triangle joins a field when the joint moves it (by weight) *and* the axis sees it: it faces away from the axis, and
//! nothing of the body lies between. The second half is ours, not the paper's. Weights alone give the pelvis the inner
//! thighs and the palm the sides of fingers, skin that is not round those axes, and so hold points outside the body.

mod axis;
mod extent;
mod owned;

use super::field::{FieldDef, FieldSet, FieldTriangle};
use crate::avatar::Avatar;
use crate::math::triangle_tree::TriangleTree;
use axis::Axis;
use extent::Extent;
use glam::Mat4;
use owned::Owned;
use rayon::prelude::*;
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
    /// A triangle joins a field when one of its vertices has at least this weight on the field's joint. Usually 0.05
    /// to 0.25; larger saves memory and leaves gaps where limbs meet.
    pub weight_threshold: f32,
}

impl Default for FitSettings {
    fn default() -> Self {
        Self { cell_size: 0.01, weight_threshold: 0.05 }
    }
}

/// Lays one field round every joint that owns skin, in the order of the joints.
///
/// Joints that own none, whose skin cannot be seen from any axis inside it, or that are collapsed, get no field.
pub fn fit(avatar: &Avatar, settings: &FitSettings) -> FieldSet {
    let tree = TriangleTree::new(&avatar.skin.positions, &avatar.skin.triangles);
    let fit_joint = |joint_ix| fit_joint(avatar, &tree, settings, joint_ix);
    let fitted: Vec<_> = (0..avatar.skeleton.joints.len()).into_par_iter().map(fit_joint).collect();
    let mut set = FieldSet::default();
    for (mut field, triangles) in fitted.into_iter().flatten() {
        field.cell_offset = set.cell_count;
        set.cell_count += field.cell_count();
        let field_ix = set.fields.len() as u32;
        set.triangles.extend(triangles.into_iter().map(|vertices| FieldTriangle { vertices, field_ix }));
        set.fields.push(field);
    }
    set
}

/// The field of one joint, its cells not yet placed, and the triangles drawn into it.
fn fit_joint(
    avatar: &Avatar,
    tree: &TriangleTree,
    settings: &FitSettings,
    joint_ix: usize,
) -> Option<(FieldDef, Vec<[u32; 3]>)> {
    let bone_from_bind = avatar.skeleton.joints[joint_ix].bone_from_bind;
    let determinant = bone_from_bind.determinant();
    if !determinant.is_finite() || determinant == 0.0 {
        return None;
    }
    let owned = Owned::of_joint(avatar, joint_ix, settings.weight_threshold);
    let axis = axis::best(&axis::candidates(avatar, joint_ix, &owned), &owned, tree)?;
    let extent = Extent::measure(&axis, &owned, tree, settings.cell_size)?;
    let field = FieldDef {
        joint_ix: joint_ix as u32,
        bone_from_field: bone_from_bind * bind_from_field(&axis, &extent),
        length: extent.length(),
        width: (((TAU * extent.mean_radius / settings.cell_size) / 2.0).round() as u32 * 2).max(MIN_WIDTH),
        height: ((extent.length() / settings.cell_size).ceil() as u32).max(MIN_HEIGHT),
        cell_offset: 0,
        radius: extent.max_radius * RADIUS_MARGIN,
        first_row_is_cap: extent.low_is_closed,
        last_row_is_cap: extent.high_is_closed,
    };
    Some((field, extent.triangles))
}

fn bind_from_field(axis: &Axis, extent: &Extent) -> Mat4 {
    let [u, v] = axis.across();
    let start = axis.origin + axis.direction * extent.low;
    Mat4::from_cols(u.extend(0.0), v.extend(0.0), (axis.direction * extent.length()).extend(0.0), start.extend(1.0))
}
