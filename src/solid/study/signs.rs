//! Whether samples lie on the side that winding numbers say.

use glam::UVec3;
use rayon::prelude::*;

use crate::solid::fill::CellMesh;
use crate::solid::{BRICK_CELLS, SolidField};

/// Samples on the wrong side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WrongSigns {
    /// Samples that were looked at: those that lie on the mesh have no side.
    pub judged: usize,
    pub wrong: usize,
}

/// Judges every `every`-th sample of a field by the mesh's winding number in f64, whichever way round it runs.
pub fn wrong_signs(field: &SolidField, mesh: &CellMesh, every: usize) -> WrongSigns {
    let places: Vec<UVec3> = field.places().collect();
    let per_brick = BRICK_CELLS.pow(3) as usize;
    let judge = |ix: usize| {
        let within = (ix % per_brick) as u32;
        let (x, rest) = (within % BRICK_CELLS, within / BRICK_CELLS);
        let within = UVec3::new(x, rest % BRICK_CELLS, rest / BRICK_CELLS);
        let sample = places[ix / per_brick] * BRICK_CELLS + within;
        let code = field.code_at(sample).filter(|code| code.abs() > 1)?;
        Some((code < 0) != mesh.winds_round(sample.as_dvec3()))
    };
    let count = (places.len() * per_brick).div_ceil(every.max(1));
    let judged: Vec<bool> = (0..count)
        .into_par_iter()
        .filter_map(|ix| judge(ix * every.max(1)))
        .collect();
    WrongSigns {
        judged: judged.len(),
        wrong: judged.iter().filter(|&&is_wrong| is_wrong).count(),
    }
}
