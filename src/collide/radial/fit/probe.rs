//! Points just inside and outside a limb, to try a finished field on.

use super::Fitted;
use super::limb::{Facet, Limb};
use crate::collide::radial::field::{FieldDef, FieldSet, FieldTriangle};
use crate::collide::radial::twin::surface::Patch;
use crate::collide::radial::twin::update::update;
use glam::{Mat4, Vec3};

/// Facets that get a probe on either side.
const PROBED_FACETS: usize = 300;

/// Cells from the skin at which a field must know inside from outside.
const DEPTH_CELLS: f32 = 0.6;

/// What a finished field of one limb is judged by, in the bind pose.
pub struct Probes<'a> {
    limb: &'a Limb<'a>,
    /// Facets with body below them.
    inside: Vec<Facet>,
    /// Facets with nothing above them.
    outside: Vec<Facet>,
}

impl<'a> Probes<'a> {
    pub fn round(limb: &'a Limb<'a>) -> Self {
        let is_inside =
            |facet: &Facet, height| limb.body.tree.contains(above(facet, height).as_dvec3());
        let facets = limb.sample(PROBED_FACETS);
        let depth = DEPTH_CELLS * limb.cell_size;
        // Thin skin and folds have no inside or no outside at this depth.
        let inside = facets
            .iter()
            .filter(|f| is_inside(f, -depth))
            .copied()
            .collect();
        let outside = facets
            .iter()
            .filter(|f| !is_inside(f, depth))
            .copied()
            .collect();
        Self {
            limb,
            inside,
            outside,
        }
    }

    /// Share of the stake inside that the field holds, less the share outside that it holds too.
    pub fn score(&self, fitted: &Fitted) -> f32 {
        let drawn = Drawn::new(fitted, self.limb);
        let depth = DEPTH_CELLS * self.limb.cell_size;
        drawn.held_share(&self.inside, -depth) - drawn.held_share(&self.outside, depth)
    }
}

fn above(facet: &Facet, height: f32) -> Vec3 {
    facet.centre + facet.normal * height
}

/// A field drawn in the bind pose.
struct Drawn<'a> {
    field: &'a FieldDef,
    cells: Vec<f32>,
    field_from_bind: Mat4,
}

impl<'a> Drawn<'a> {
    fn new(fitted: &'a Fitted, limb: &Limb) -> Self {
        let triangles = fitted
            .triangles
            .iter()
            .map(|&(vertices, rank)| FieldTriangle {
                vertices,
                field_ix: 0,
                rank,
            })
            .collect();
        let set = FieldSet {
            fields: vec![fitted.field.clone()],
            triangles,
            cell_count: fitted.field.cell_count(),
        };
        let field_from_bind = fitted.field.bone_from_field.inverse();
        let cells = update(&set, &limb.body.avatar.skin.positions, &[field_from_bind]);
        Self {
            field: &fitted.field,
            cells,
            field_from_bind,
        }
    }

    /// Share of the facets' stake whose points `height` above them the field takes to be inside.
    fn held_share(&self, facets: &[Facet], height: f32) -> f32 {
        let all: f32 = facets.iter().map(|f| f.stake).sum();
        let held: f32 = facets
            .iter()
            .filter(|f| self.holds(above(f, height)))
            .map(|f| f.stake)
            .sum();
        if all > 0.0 { held / all } else { 0.0 }
    }

    fn holds(&self, pos_in_bind: Vec3) -> bool {
        let pos_in_field = self.field_from_bind.transform_point3(pos_in_bind);
        let patch = Patch::at(self.field, &self.cells, pos_in_field);
        patch.is_some_and(|patch| patch.height(pos_in_field, self.field_from_bind) < 0.0)
    }
}
