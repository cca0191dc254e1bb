//! Fits radial fields to an avatar: one per joint that owns skin.

use super::field::{FieldDef, FieldSet, FieldTriangle};
use crate::avatar::{Avatar, MAX_INFLUENCES};
use crate::math::cylinder::across;
use glam::{Mat3, Mat4, Vec3};
use std::f32::consts::TAU;

/// How fields are laid out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitSettings {
    /// Metres; usually 0.01. Halving it takes four times the memory.
    pub cell_size: f32,
    /// A triangle joins a field when one of its vertices has at least this weight on the field's joint.
    pub weight_threshold: f32,
}

impl Default for FitSettings {
    fn default() -> Self {
        Self {
            cell_size: 0.01,
            weight_threshold: 0.05,
        }
    }
}

/// Lays one field round every joint that owns skin.
pub fn fit(avatar: &Avatar, settings: &FitSettings) -> FieldSet {
    let mut set = FieldSet::default();
    for (joint_ix, joint) in avatar.skeleton.joints.iter().enumerate() {
        let owned = owned_triangles(avatar, joint_ix, settings.weight_threshold);
        if owned.is_empty() || joint.bone_from_bind.determinant().abs() < f32::MIN_POSITIVE {
            continue;
        }
        let mut field = enclose(avatar, &owned, settings.cell_size);
        field.bone_from_field = joint.bone_from_bind * field.bone_from_field;
        field.joint_ix = joint_ix as u32;
        field.cell_offset = set.cell_count;
        set.cell_count += field.cell_count();
        let field_ix = set.fields.len() as u32;
        set.triangles.extend(
            owned
                .iter()
                .map(|&vertices| FieldTriangle { vertices, field_ix }),
        );
        set.fields.push(field);
    }
    set
}

fn owned_triangles(avatar: &Avatar, joint_ix: usize, threshold: f32) -> Vec<[u32; 3]> {
    let weight = |&vertex: &u32| -> f32 {
        let (joints, weights) = (
            &avatar.skin.joints[vertex as usize],
            &avatar.skin.weights[vertex as usize],
        );
        (0..MAX_INFLUENCES)
            .filter(|&i| joints[i] as usize == joint_ix)
            .map(|i| weights[i])
            .sum()
    };
    let owns = |triangle: &&[u32; 3]| triangle.iter().map(weight).fold(0.0, f32::max) >= threshold;
    avatar.skin.triangles.iter().filter(owns).copied().collect()
}

/// A field in bind space (its `bone_from_field` is `bind_from_field`) along the longest direction of `triangles`.
fn enclose(avatar: &Avatar, triangles: &[[u32; 3]], cell_size: f32) -> FieldDef {
    let points: Vec<Vec3> = triangles
        .iter()
        .flatten()
        .map(|&v| avatar.skin.positions[v as usize])
        .collect();
    let centre = points.iter().sum::<Vec3>() / points.len() as f32;
    let w = principal_direction(&points, centre);
    let u = across(w);
    let v = w.cross(u);
    let reach = |p: &Vec3| (*p - centre).dot(w);
    let low = points.iter().map(reach).fold(f32::INFINITY, f32::min) - cell_size;
    let high = points.iter().map(reach).fold(f32::NEG_INFINITY, f32::max) + cell_size;
    let radii: Vec<f32> = points
        .iter()
        .map(|p| (*p - centre).reject_from(w).length())
        .collect();
    let mean_radius = radii.iter().sum::<f32>() / radii.len() as f32;
    let height = ((high - low) / cell_size).ceil().max(2.0);
    let length = height * cell_size;
    FieldDef {
        joint_ix: 0,
        bone_from_field: Mat4::from_translation(centre + w * low)
            * Mat4::from_mat3(Mat3::from_cols(u, v, w * length)),
        length,
        width: ((TAU * mean_radius / cell_size / 2.0).ceil() as u32 * 2).max(8),
        height: height as u32,
        cell_offset: 0,
        radius: radii.iter().copied().fold(0.0, f32::max) * 1.25,
        first_row_is_cap: false,
        last_row_is_cap: false,
    }
}

fn principal_direction(points: &[Vec3], centre: Vec3) -> Vec3 {
    let covariance = points
        .iter()
        .map(|p| *p - centre)
        .fold(Mat3::ZERO, |sum, d| {
            sum + Mat3::from_cols(d * d.x, d * d.y, d * d.z)
        });
    let start = Vec3::new(0.31, 0.89, 0.33);
    (0..32).fold(start, |d, _| {
        (covariance * d).try_normalize().unwrap_or(Vec3::Y)
    })
}
