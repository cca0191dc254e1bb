//! Spatial hashing: the paper's rival of section 9.2, after Teschner et al. (2003) and Rumman et al.
//!
//! Space is cut into cells. Before every collision each triangle of the skin is listed in all cells it touches, in a table of
//! fixed size whose entries each hold [so many](SpatialHashDef::list) triangles. A particle looks through the lists of the cells round it for its
//! nearest triangle, no further than [`search_radius`](crate::collide::CollideSettings::search_radius), and its contact with that
//! is resolved.
//!
//! How it differs from a plain implementation, so that it is as good a rival as it can be:
//! - cells lie in the table as in a grid that wraps round, so that neighbours never share an entry and lie near in memory;
//! - lists are filled by atomic minima, each triangle from a slot of its own on, so that the result does not depend on the
//!   order of arrival, also when a list is full: it keeps the triangles with the smallest indices, and the others are counted;
//! - the threads of a workgroup divide the cells of their triangles, and search round one particle together;
//! - each listing carries the number of its update, so that nothing but the count of updates need be cleared; the paper
//!   clears its counts every frame;
//! - the search goes outwards, ball by larger ball, and stops as soon as it can, and does not begin where no block of cells
//!   within the search radius holds skin.
//!
//! It is discrete: a particle that crosses the skin by more than the search radius in one sub-step is lost, and so is one that
//! crosses a limb thinner than twice its way.

mod detector;
mod gpu;
#[cfg(feature = "reference")]
pub mod twin;

pub(super) use detector::{SpatialHashDetector, TECHNIQUE};
pub use gpu::{SpatialHash, SpatialHashPipelines};

/// Triangles an entry lists in the paper.
pub const LIST: u32 = 20;

/// What a table is made like.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct SpatialHashDef {
    /// Metres. Usually 0.01; smaller cells hold fewer triangles but are more.
    pub cell_size: f32,
    /// Usually 2,564,327, as in the paper: 205 MB of lists. Fewer make far parts of a body share entries.
    pub entry_count: u32,
    /// Triangles an entry lists, odd numbers rounded up. Usually [`LIST`]; fewer lose triangles where the skin is fine, more take memory in
    /// proportion. `twin::longest_list` says what a skin needs.
    pub list: u32,
}

impl Default for SpatialHashDef {
    fn default() -> Self {
        Self {
            cell_size: 0.01,
            entry_count: 2_564_327,
            list: LIST,
        }
    }
}

impl SpatialHashDef {
    /// Half of a list: what each of the two buffers has of it.
    pub fn half_list(&self) -> u32 {
        self.list.div_ceil(2).max(1)
    }

    /// Cells along x after which the table wraps round into the next along y: 1.8 m with the usual table, more than arms span.
    pub fn row(&self) -> u32 {
        (self.side() * 1.32).round().max(1.0) as u32
    }

    /// Cells along y after which it wraps round into the next along z: 1.9 m with the usual table, more than a person is
    /// tall. Along z 0.74 m are left.
    pub fn column(&self) -> u32 {
        (self.side() * 1.4).round().max(1.0) as u32
    }

    /// Of a cube of as many cells.
    fn side(&self) -> f64 {
        f64::from(self.entry_count).cbrt()
    }
}
