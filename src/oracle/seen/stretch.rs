//! How much longer the cloth's edges are than they were made.

use glam::Vec3;
use serde::Serialize;

use super::histogram::Histogram;
use super::skin::edges_of;

/// Quantiles are told apart by this.
const BIN: f64 = 0.0005;
/// Quantiles beyond this are the max.
const END: f64 = 4.0;

/// Length of the edges over their length in the garment as made; 1 is neither longer nor shorter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StretchFigures {
    /// 95 % of the edges of all frames are no longer, to 0.0005.
    pub p95: f64,
    /// 99 % of them.
    pub p99: f64,
    /// The longest edge of any frame.
    pub max: f64,
    /// The longest edge of the first two seconds.
    pub calm_max: f64,
    /// The longest edge of the first frame.
    pub first_max: f64,
}

/// What one frame has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct FrameStretch {
    pub p99: f64,
    pub max: f64,
}

/// The edges of a garment's triangles.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    edges: Vec<[u32; 2]>,
    /// Metres.
    rest_lengths: Vec<f64>,
    all: Histogram,
    calm_max: f64,
    first_max: Option<f64>,
}

impl Stretch {
    /// Edges of no length at rest are left out.
    pub fn new(rest_positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let mut edges = edges_of(triangles);
        edges.retain(|&edge| length(rest_positions, edge) > 0.0);
        Self {
            rest_lengths: edges
                .iter()
                .map(|&edge| length(rest_positions, edge))
                .collect(),
            edges,
            all: Histogram::new(BIN, END),
            calm_max: 0.0,
            first_max: None,
        }
    }

    pub fn add_frame(&mut self, positions: &[Vec3], is_calm: bool) -> FrameStretch {
        let edges = self.edges.iter().zip(&self.rest_lengths);
        let mut ratios: Vec<f64> = edges
            .map(|(&edge, rest)| length(positions, edge) / rest)
            .collect();
        self.all.extend(ratios.iter().copied());
        let max = ratios.iter().copied().fold(0.0, f64::max);
        self.first_max.get_or_insert(max);
        if is_calm {
            self.calm_max = self.calm_max.max(max);
        }
        let p99_ix = (ratios.len() as f64 * 0.99) as usize;
        let p99 = (p99_ix < ratios.len())
            .then(|| *ratios.select_nth_unstable_by(p99_ix, f64::total_cmp).1);
        FrameStretch {
            p99: p99.unwrap_or_default(),
            max,
        }
    }

    pub fn figures(&self) -> StretchFigures {
        StretchFigures {
            p95: self.all.quantile(0.95),
            p99: self.all.quantile(0.99),
            max: self.all.max(),
            calm_max: self.calm_max,
            first_max: self.first_max.unwrap_or_default(),
        }
    }
}

fn length(positions: &[Vec3], edge: [u32; 2]) -> f64 {
    let [a, b] = edge.map(|ix| positions[ix as usize].as_dvec3());
    a.distance(b)
}
