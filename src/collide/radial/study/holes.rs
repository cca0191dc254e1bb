//! Holes: empty cells ahead of which lies skin that their joint moves.
//!
//! A ray from the axis through the cell's centre meets the body's skin, all of it, independently of the fields' triangles. What it
//! leaves the body through is the field's business if the joint moves it enough. Where such skin is missing from the cell,
//! whether the axis was not thought to see it or the update culls it, another field may hold the flesh; else it is a hole.

use super::coverage::holds;
use crate::avatar::SkinMesh;
use crate::collide::radial::field::{EMPTY, FieldDef, FieldSet};
use crate::collide::radial::update::fields_from_world;
use crate::math::triangle_tree::TriangleTree;
use glam::{DMat4, DVec3, Mat4, Vec3};
use rayon::prelude::*;
use serde::Serialize;
use std::f64::consts::TAU;

/// Metres under the skin at which other fields are asked: as much as a particle may be inside before the oracle says so.
const UNDER_SKIN: f64 = 0.002;

/// Cells that hold nothing, rows that close onto the axis aside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EmptyCells {
    pub count: u32,
    /// Ahead is no skin that the joint moves by the fit's threshold, or the axis runs outside the body there.
    pub of_others: u32,
    /// Its joint's skin is ahead, and another field holds the flesh there.
    pub held_elsewhere: u32,
    /// Its joint's skin is ahead, and no field holds the flesh there.
    pub holes: u32,
}

impl EmptyCells {
    /// Counts of two poses together.
    pub fn and(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            of_others: self.of_others + other.of_others,
            held_elsewhere: self.held_elsewhere + other.held_elsewhere,
            holes: self.holes + other.holes,
        }
    }
}

/// A posed skin, its fields, and the result of the update.
struct Scene<'a> {
    set: &'a FieldSet,
    skin: &'a SkinMesh,
    tree: TriangleTree,
    frames: Vec<Mat4>,
    cells: &'a [f32],
    weight_threshold: f32,
}

/// Looks ahead of every empty cell.
///
/// `cells` are the update's result for the skin at `positions_in_world`; `weight_threshold` is the fit's.
pub fn empty_cells(
    set: &FieldSet,
    skin: &SkinMesh,
    positions_in_world: &[Vec3],
    world_from_bone: &[Mat4],
    cells: &[f32],
    weight_threshold: f32,
) -> EmptyCells {
    let scene = Scene {
        set,
        skin,
        tree: TriangleTree::new(positions_in_world, &skin.triangles),
        frames: fields_from_world(set, world_from_bone),
        cells,
        weight_threshold,
    };
    let counts: Vec<_> = (0..set.fields.len())
        .into_par_iter()
        .map(|field_ix| scene.field(field_ix))
        .collect();
    counts
        .into_iter()
        .fold(EmptyCells::default(), EmptyCells::and)
}

impl Scene<'_> {
    fn field(&self, field_ix: usize) -> EmptyCells {
        let field = &self.set.fields[field_ix];
        let world_from_field = self.frames[field_ix].as_dmat4().inverse();
        let rows = (0..field.height).filter(|&row| !field.is_cap(row));
        let places = rows.flat_map(|row| (0..field.width).map(move |col| [col, row]));
        places.fold(EmptyCells::default(), |counts, [col, row]| {
            if self.cells[(field.cell_offset + row * field.width + col) as usize] != EMPTY {
                return counts;
            }
            let mut one = EmptyCells {
                count: 1,
                ..EmptyCells::default()
            };
            let count = match self.flesh_ahead(field, world_from_field, [col, row]) {
                None => &mut one.of_others,
                Some(flesh) if self.is_held(flesh.as_vec3()) => &mut one.held_elsewhere,
                Some(_) => &mut one.holes,
            };
            *count = 1;
            counts.and(one)
        })
    }

    /// A point just under the skin that a cell's ray leaves the body through, if the field's joint moves that skin.
    fn flesh_ahead(
        &self,
        field: &FieldDef,
        world_from_field: DMat4,
        [col, row]: [u32; 2],
    ) -> Option<DVec3> {
        let (sin, cos) = ((f64::from(col) + 0.5) / f64::from(field.width) * TAU).sin_cos();
        let z = (f64::from(row) + 0.5) / f64::from(field.height);
        let start = world_from_field.transform_point3(DVec3::Z * z);
        let outward = world_from_field
            .transform_vector3(DVec3::new(cos, sin, 0.0))
            .try_normalize()?;
        let hit = self.tree.first_hit(start, outward, f64::INFINITY)?;
        let is_its_own = hit.leaves && self.weight(hit.triangle, field) >= self.weight_threshold;
        let depth = (hit.distance - UNDER_SKIN).max(0.5 * hit.distance);
        is_its_own.then_some(start + outward * depth)
    }

    /// How much the field's joint moves a triangle, in the mean of its corners.
    fn weight(&self, triangle: [u32; 3], field: &FieldDef) -> f32 {
        let of_vertex = |v: u32| -> f32 {
            let pairs = self.skin.joints[v as usize]
                .iter()
                .zip(&self.skin.weights[v as usize]);
            pairs
                .filter(|(joint_ix, _)| u32::from(**joint_ix) == field.joint_ix)
                .map(|(_, weight)| weight)
                .sum()
        };
        triangle.map(of_vertex).iter().sum::<f32>() / 3.0
    }

    fn is_held(&self, point: Vec3) -> bool {
        let mut fields = 0..self.set.fields.len();
        fields.any(|ix| holds(self.set, self.cells, self.frames[ix], ix, point))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::MAX_INFLUENCES;
    use crate::collide::radial::twin::shapes::Shape;
    use crate::collide::radial::update::update;

    /// The empty cells of a ball whose fields were given a part of its skin. `weight`: its joint's.
    fn of_ball(weight: f32, is_drawn: impl Fn(&[u32; 3]) -> bool, fields: usize) -> EmptyCells {
        let Shape { positions, mut set } = Shape::ball();
        let mut weights = [0.0; MAX_INFLUENCES];
        weights[0] = weight;
        let skin = SkinMesh {
            triangles: set.triangles.iter().map(|t| t.vertices).collect(),
            joints: vec![Default::default(); positions.len()],
            weights: vec![weights; positions.len()],
            ..SkinMesh::default()
        };
        // Further fields are copies that have all of the skin.
        let mut further = set.triangles.clone();
        set.triangles.retain(|t| is_drawn(&t.vertices));
        for field_ix in 1..fields as u32 {
            let cell_offset = set.cell_count;
            set.fields.push(FieldDef {
                cell_offset,
                ..set.fields[0].clone()
            });
            set.cell_count += set.fields[0].cell_count();
            further.iter_mut().for_each(|t| t.field_ix = field_ix);
            set.triangles.extend(&further);
        }
        let bones = [Mat4::IDENTITY];
        let cells = update(&set, &positions, &fields_from_world(&set, &bones));
        empty_cells(&set, &skin, &positions, &bones, &cells, 0.1)
    }

    #[test]
    fn a_whole_ball_has_no_empty_cell() {
        assert_eq!(of_ball(1.0, |_| true, 1), EmptyCells::default());
    }

    #[test]
    fn skin_that_was_not_drawn_is_a_hole_unless_another_field_has_it() {
        // Whichever triangles lack, some cells between the poles stay empty.
        let is_drawn = |triangle: &[u32; 3]| !(2000..2400).contains(&triangle[0]);
        let found = of_ball(1.0, is_drawn, 1);
        assert!(found.holes > 20 && found.holes == found.count, "{found:?}");
        let with_another = of_ball(1.0, is_drawn, 2);
        assert_eq!(
            (with_another.holes, with_another.held_elsewhere),
            (0, found.count)
        );
        let of_another_joint = of_ball(0.05, is_drawn, 1);
        assert_eq!(of_another_joint.of_others, found.count);
    }
}
