//! What a radial field is: its frame on a bone, its cells, and the triangles that are drawn into it.
//!
//! Four spaces meet here. *World* is where the particles live; *bone* is the space of one joint; *bind* is the space
//! the skin was modelled in, in metres; *field* has its origin at the start A of the axis, x and y in metres across
//! the axis, and z along it, 0 at A and 1 at the far end B. Metres in field space are metres of the bind pose: a bone
//! that is scaled carries its field along, and only the step back to world space knows about it.
//!
//! A field has `width` cells round the axis and `height` along it, one `f32` per cell: the distance from the axis to
//! the skin. A cell's value holds at its centre, at `theta = (col + 0.5) / width` and `z = (row + 0.5) / height`.

use super::cell::Rank;
use super::rules::FieldRules;
use crate::avatar::Avatar;
use crate::math::Fnv;
use glam::{Mat4, Vec3};
use serde::{Deserialize, Serialize};

/// The distance of a cell that no skin was drawn into.
pub const EMPTY: f32 = f32::INFINITY;

/// A cell of a cap row: the surface closes onto the axis there. Below every distance, so it survives the update.
pub const CAP: f32 = 0.0;

/// The most cells of a field along its axis: `MAX_ROWS` of glsl/radial/bound.comp. Usually 1,024, ten metres of usual cells; where more were asked for,
/// cells are longer.
pub const MAX_HEIGHT: u32 = 1024;

/// One radial field: a cylinder of cells attached to a bone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FieldDef {
    /// Index into [`Skeleton::joints`](crate::avatar::Skeleton::joints).
    pub joint_ix: u32,
    /// Takes field space to the space of the joint, the length of the axis included.
    pub bone_from_field: Mat4,
    /// Metres of the bind pose between z = 0 and z = 1.
    pub length: f32,
    /// Cells round the axis: even, because the seam is handled by a shift of half a revolution.
    pub width: u32,
    /// Cells along the axis, 2 to [`MAX_HEIGHT`].
    pub height: u32,
    /// Index of the first cell of row 0 in the buffer that all fields share.
    pub cell_offset: u32,
    /// Metres of the bind pose: skin that bent joints bring before the axis is borrowed if it is no further from it. What a
    /// pose writes may reach further; the collision finds that out every step.
    pub radius: f32,
    /// Row 0 closes onto the axis: a closed end of the body.
    pub first_row_is_cap: bool,
    /// The last row closes onto the axis.
    pub last_row_is_cap: bool,
    /// How it was laid, and is filled and read.
    pub rules: FieldRules,
}

impl FieldDef {
    /// Metres of the bind pose for 1 along each axis.
    pub fn axis_lengths(&self) -> Vec3 {
        Vec3::new(1.0, 1.0, self.length)
    }

    fn is_sound(&self) -> bool {
        let is_even = self.width > 0 && self.width.is_multiple_of(2);
        is_even
            && (2..=MAX_HEIGHT).contains(&self.height)
            && self.bone_from_field.is_finite()
            && [self.length, self.radius]
                .iter()
                .all(|metres| metres.is_finite() && *metres > 0.0)
    }

    /// `width * height`.
    pub fn cell_count(&self) -> u32 {
        self.width * self.height
    }

    /// Where this field's cells lie in the shared buffer.
    pub fn cells(&self) -> std::ops::Range<usize> {
        self.cell_offset as usize..(self.cell_offset + self.cell_count()) as usize
    }

    /// The rows that do not close onto the axis.
    pub fn open_rows(&self) -> std::ops::Range<u32> {
        let first = u32::from(self.first_row_is_cap);
        first..(self.height - u32::from(self.last_row_is_cap)).max(first)
    }

    /// Whether `row` closes onto the axis: its cells count as [`CAP`].
    pub fn is_cap(&self, row: u32) -> bool {
        !self.open_rows().contains(&row)
    }
}

/// One triangle of skin drawn into one field. A triangle near a joint is drawn into several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldTriangle {
    /// Indices into the skinned vertices, counter-clockwise seen from outside.
    pub vertices: [u32; 3],
    /// Index into [`FieldSet::fields`].
    pub field_ix: u32,
    /// Its rank, which decides between several triangles in one cell.
    pub rank: Rank,
}

/// All fields of one avatar. Takes seconds to fit and can be kept in a file: a host hands it to [`BodyDef::fields`](crate::BodyDef::fields).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FieldSet {
    /// In the order of their joints.
    pub fields: Vec<FieldDef>,
    /// Sorted by field; within one field first the triangles that join it by weight, then those that it borrows, each in the order of the
    /// mesh.
    pub triangles: Vec<FieldTriangle>,
    /// Cells of all fields together: the length of the shared buffer, 4 bytes each.
    pub cell_count: u32,
    /// [`fingerprint`] of the avatar that they were fitted to.
    pub fitted_to: u64,
}

/// Tells avatars apart whose fields differ: a hash of skin, weights, bind pose and the joints' order. What they are called, wear or play is not in it.
pub fn fingerprint(avatar: &Avatar) -> u64 {
    let (skin, skeleton) = (&avatar.skin, &avatar.skeleton);
    let of_skin = Fnv::default()
        .and(bytemuck::cast_slice(&skin.positions))
        .and(bytemuck::cast_slice(&skin.triangles))
        .and(bytemuck::cast_slice(&skin.joints))
        .and(bytemuck::cast_slice(&skin.weights));
    let of_joints = skeleton.joints.iter().fold(of_skin, |hash, joint| {
        hash.and(&(joint.node_ix as u64).to_le_bytes())
            .and(bytemuck::bytes_of(&joint.bone_from_bind))
    });
    let parents = skeleton.nodes.iter().map(|node| node.parent);
    let parents = parents.map(|parent| parent.map_or(u64::MAX, |ix| ix as u64));
    parents
        .fold(of_joints, |hash, parent| hash.and(&parent.to_le_bytes()))
        .value()
}

impl FieldSet {
    /// Checks what the GPU relies on, of fields that may have been fitted elsewhere: no index past the end of what it points into, and cells one
    /// field's behind the other's.
    pub(crate) fn check(&self, avatar: &Avatar, rules: FieldRules) -> Result<(), &'static str> {
        let (vertex_count, joint_count) =
            (avatar.skin.positions.len(), avatar.skeleton.joints.len());
        let is_known = |triangle: &FieldTriangle| {
            let known = |&vertex: &u32| (vertex as usize) < vertex_count;
            triangle.vertices.iter().all(known) && (triangle.field_ix as usize) < self.fields.len()
        };
        if self.fields.iter().any(|field| field.rules != rules) {
            Err("its fields were fitted by other rules than its own")
        } else if !self
            .fields
            .iter()
            .all(|field| (field.joint_ix as usize) < joint_count)
        {
            Err("a field is on a joint that does not exist")
        } else if !self.fields.iter().all(FieldDef::is_sound) || !self.has_cells_in_order() {
            Err("its fields have no places or cells that there could be")
        } else if !self.triangles.iter().all(is_known) {
            Err("a triangle of its fields has a vertex or a field that does not exist")
        } else if self.fitted_to != fingerprint(avatar) {
            Err("its fields were fitted to another skin, or another bind pose")
        } else {
            Ok(())
        }
    }

    fn has_cells_in_order(&self) -> bool {
        let end = self.fields.iter().try_fold(0u32, |end, field| {
            (field.cell_offset == end).then_some(())?;
            end.checked_add(field.width.checked_mul(field.height)?)
        });
        end == Some(self.cell_count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::builtin;
    use crate::collide::radial::fit::{FitSettings, fit};

    #[test]
    fn fields_come_back_from_a_file_as_they_were() {
        let (avatar, settings) = (builtin::load_mannequin(), FitSettings::default());
        let fitted = fit(&avatar, &settings);
        let text = serde_json::to_string(&fitted).expect("they are numbers");
        let read: FieldSet = serde_json::from_str(&text).expect("it was written");
        assert_eq!(read, fitted);
        assert_eq!(read.check(&avatar, settings.rules), Ok(()));
    }
}
