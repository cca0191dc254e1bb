//! The skin near a point, read from the cells of one field on the CPU: paper section 6.3.1.
//!
//! In every build, because the fit asks its fields what they hold.

use crate::collide::radial::field::{EMPTY, FieldDef};
use crate::math::Plane;
use crate::math::cylinder::{point, revolutions};
use glam::{Mat4, Vec2, Vec3, Vec3Swizzles};

/// One of the two halves of a quad of cell centres, on either side of its rising diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// With the corner one column on.
    Lower,
    /// With the corner one row on.
    Upper,
}

impl Half {
    /// The half of a quad of row `row` that holds a point, `within` from 0 to 1 from the quad's low corner.
    ///
    /// In a cap row two corners lie on the axis, and the half between them has no area: the other half serves the
    /// whole quad.
    pub fn at(field: &FieldDef, row: i32, within: Vec2) -> Self {
        let in_first_cap = field.first_row_is_cap && row == 0;
        let in_last_cap = field.last_row_is_cap && row + 2 == field.height as i32;
        if in_last_cap || (within.x > within.y && !in_first_cap) {
            Self::Lower
        } else {
            Self::Upper
        }
    }
}

/// Three neighbouring cell centres, as points of the skin in field space, counter-clockwise seen from outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patch {
    corners: [Vec3; 3],
}

impl Patch {
    /// The patch under a point, or none beyond the first and last row of centres and where a corner is empty.
    ///
    /// A quad of four centres is halved along its rising diagonal: see [`Half`].
    pub fn at(field: &FieldDef, cells: &[f32], pos_in_field: Vec3) -> Option<Self> {
        let x = revolutions(pos_in_field.xy()) * field.width as f32 - 0.5;
        let y = pos_in_field.z * field.height as f32 - 0.5;
        if !(y >= 0.0 && y < (field.height - 1) as f32) {
            return None;
        }
        let (col, row) = (x.floor() as i32, y as i32);
        let half = Half::at(field, row, Vec2::new(x - x.floor(), y - y.floor()));
        Self::of_half(field, cells, [col, row], half)
    }

    /// The patch of one half of the quad whose low corner is the centre of cell `[col, row]`, or none where a corner is
    /// empty: one of its own, or without [half cells](crate::collide::radial::FieldRules::half_cells) any of the quad's. Columns wrap.
    pub fn of_half(
        field: &FieldDef,
        cells: &[f32],
        [col, row]: [i32; 2],
        half: Half,
    ) -> Option<Self> {
        let (lower, upper) = ([col + 1, row], [col, row + 1]);
        let (third, fourth) = match half {
            Half::Lower => (lower, upper),
            Half::Upper => (upper, lower),
        };
        if !field.rules.half_cells && centre_on_skin(field, cells, fourth).is_none() {
            return None;
        }
        let diagonal = [[col, row], [col + 1, row + 1]];
        let [a, b, c] =
            [diagonal[0], diagonal[1], third].map(|cell| centre_on_skin(field, cells, cell));
        let corners = match half {
            Half::Lower => [a?, c?, b?],
            Half::Upper => [a?, b?, c?],
        };
        Some(Self { corners })
    }

    /// Its corners in field space, counter-clockwise seen from outside.
    pub fn corners(&self) -> [Vec3; 3] {
        self.corners
    }

    /// The patch's plane in world space. None where its corners lie in a line.
    pub fn plane_in_world(&self, world_from_field: Mat4, field_from_world: Mat4) -> Option<Plane> {
        let normal = self.normal_in_world(field_from_world)?;
        Some(Plane {
            origin: world_from_field.transform_point3(self.corners[0]),
            normal,
        })
    }

    /// Metres of world space above the patch's plane, for a point in field space.
    ///
    /// With F the linear part of `field_from_world`, a plane's normal n goes to world space as Fᵀn, and a step s in
    /// field space rises n·s / |Fᵀn| metres.
    pub fn height(&self, pos_in_field: Vec3, field_from_world: Mat4) -> f32 {
        let normal = self.normal();
        normal.dot(pos_in_field - self.corners[0]) / pulled_back(normal, field_from_world).length()
    }

    fn normal_in_world(&self, field_from_world: Mat4) -> Option<Vec3> {
        pulled_back(self.normal(), field_from_world).try_normalize()
    }

    /// Not of unit length.
    fn normal(&self) -> Vec3 {
        let [a, b, c] = self.corners;
        (b - a).cross(c - a)
    }
}

/// A normal in field space as one in world space: the transpose of `field_from_world`, which is the inverse transpose
/// of the way back.
fn pulled_back(normal: Vec3, field_from_world: Mat4) -> Vec3 {
    let columns = [
        field_from_world.x_axis,
        field_from_world.y_axis,
        field_from_world.z_axis,
    ];
    Vec3::from(columns.map(|column| column.truncate().dot(normal)))
}

/// The point of the skin at a cell's centre, in field space. Columns wrap.
fn centre_on_skin(field: &FieldDef, cells: &[f32], [col, row]: [i32; 2]) -> Option<Vec3> {
    let wrapped = col.rem_euclid(field.width as i32) as u32;
    let distance = cells[(field.cell_offset + row as u32 * field.width + wrapped) as usize];
    let theta = (wrapped as f32 + 0.5) / field.width as f32;
    let z = (row as f32 + 0.5) / field.height as f32;
    (distance < EMPTY).then(|| point(theta, distance, z))
}
