//! Points just inside and outside a limb, to try a finished field on.

use super::Fitted;
use super::limb::{Facet, Limb};
use crate::collide::radial::field::{FieldSet, FieldTriangle};
use crate::collide::radial::twin::surface::Patch;
use crate::collide::radial::twin::update::update;
use glam::Vec3;

/// Facets that get a probe on either side.
const PROBED_FACETS: usize = 300;

/// Metres from the skin at which a field must know inside from outside: a little more than half a usual cell.
const DEPTH: f32 = 0.006;

/// Points near a limb, in bind space.
pub struct Probes {
    points: Vec<Probe>,
}

struct Probe {
    position: Vec3,
    is_inside: bool,
    stake: f32,
}

impl Probes {
    pub fn round(limb: &Limb) -> Self {
        let sides = |facet: Facet| {
            [-DEPTH, DEPTH].map(|depth| (facet.centre + facet.normal * depth, facet.stake))
        };
        let points =
            limb.sample(PROBED_FACETS)
                .into_iter()
                .flat_map(sides)
                .map(|(position, stake)| Probe {
                    position,
                    is_inside: limb.body.tree.contains(position.as_dvec3()),
                    stake,
                });
        Self {
            points: points.collect(),
        }
    }

    /// Share of the stake inside that the field holds, less the share outside that it holds too.
    pub fn score(&self, fitted: &Fitted, limb: &Limb) -> f32 {
        let field_from_bind = fitted.field.bone_from_field.inverse();
        let triangles = fitted
            .triangles
            .iter()
            .map(|&vertices| FieldTriangle {
                vertices,
                field_ix: 0,
            })
            .collect();
        let set = FieldSet {
            fields: vec![fitted.field.clone()],
            triangles,
            cell_count: fitted.field.cell_count(),
        };
        let cells = update(&set, &limb.body.avatar.skin.positions, &[field_from_bind]);
        let holds = |probe: &&Probe| {
            let pos_in_field = field_from_bind.transform_point3(probe.position);
            Patch::at(&fitted.field, &cells, pos_in_field)
                .is_some_and(|p| p.height(pos_in_field, field_from_bind) < 0.0)
        };
        let held_share = |is_inside: bool| {
            let side = self.points.iter().filter(|p| p.is_inside == is_inside);
            let all: f32 = side.clone().map(|p| p.stake).sum();
            let held: f32 = side.filter(holds).map(|p| p.stake).sum();
            if all > 0.0 { held / all } else { 0.0 }
        };
        held_share(true) - held_share(false)
    }
}
