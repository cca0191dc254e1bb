//! Points just inside and outside a limb, to try a finished field on.

use super::Fitted;
use super::body::Body;
use super::limb::{Facet, Limb};
use crate::collide::radial::field::{FieldDef, FieldSet, FieldTriangle};
use crate::collide::radial::surface::Patch;
use crate::collide::radial::update::update;
use glam::{Mat4, Vec3};

/// Facets that get a probe on either side.
pub const PROBED_FACETS: usize = 300;

/// Cells from the skin at which a field must know inside from outside.
pub const DEPTH_CELLS: f32 = 0.6;

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
        let facets = limb.sample(limb.judged(PROBED_FACETS));
        let depth = DEPTH_CELLS * limb.cell_size;
        // Thin skin and folds have no inside or no outside at this depth.
        let inside = facets
            .iter()
            .filter(|f| limb.is_inside(f, -depth))
            .copied()
            .collect();
        let outside = facets
            .iter()
            .filter(|f| !limb.is_inside(f, depth))
            .copied()
            .collect();
        Self {
            limb,
            inside,
            outside,
        }
    }

    /// Share of the stake inside that the field holds, minus the share outside that it holds too.
    pub fn score(&self, fitted: &Fitted) -> f32 {
        let field_from_bind = fitted.field.bone_from_field.inverse();
        let drawn = Drawn::new(fitted, self.limb.body, field_from_bind);
        let depth = DEPTH_CELLS * self.limb.cell_size;
        drawn.held_share(&self.inside, -depth) - drawn.held_share(&self.outside, depth)
    }
}

pub fn above(facet: &Facet, height: f32) -> Vec3 {
    facet.centre + facet.normal * height
}

/// A field drawn in the bind pose.
pub struct Drawn {
    field: FieldDef,
    cells: Vec<f32>,
    field_from_bind: Mat4,
}

impl Drawn {
    pub fn new(fitted: &Fitted, body: &Body, field_from_bind: Mat4) -> Self {
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
            ..FieldSet::default()
        };
        let cells = update(&set, &body.avatar.skin.positions, &[field_from_bind]);
        Self {
            field: fitted.field.clone(),
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

    /// Whether it takes a point to be inside.
    pub fn holds(&self, pos_in_bind: Vec3) -> bool {
        let pos_in_field = self.field_from_bind.transform_point3(pos_in_bind);
        let patch = Patch::at(&self.field, &self.cells, pos_in_field);
        patch.is_some_and(|patch| patch.height(pos_in_field, self.field_from_bind) < 0.0)
    }
}
