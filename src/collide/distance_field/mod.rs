//! Distance fields: the paper's rival of section 9.3, after Fisher and Lin (2001). One Cartesian grid of signed distances per bone.
//!
//! Each grid lies round the skin that the joint moves, turned so that it has few cells, and moves with the bone. Once per step all cells are
//! emptied, and every triangle is written into all cells of its bounding box widened by the [band](BAND_CELLS): the distance to
//! its nearest point, by brute force. A cell is one word of which the smallest stays ([`cell`]), so that the nearest triangle
//! decides, independently of the order of arrival.
//!
//! The side is that of the angle-weighted normal of what the nearest point lies on: a face, an edge or a corner, each with all
//! its neighbours, also those that are not in the grid (Bærentzen and Aanæs, "Signed distance computation using the angle weighted
//! pseudonormal", 2005). Two triangles that are equally near share that edge or corner, and so agree.
//!
//! A particle tests [`path_samples`](crate::collide::CollideSettings::path_samples) points of its path, whatever the detection,
//! against each grid near it: distance and direction are trilinear between eight cells. Where one of them is empty the grid
//! knows nothing: more than the band from the skin, inside as outside. So a particle deeper than that stays inside, and so does one
//! whose path has no tested point within the band. Beyond where a grid's skin ends its cells see the end of it, and may take for
//! inside what another grid knows to be outside.
//!
//! It needs no memory of triangles to collide, but cells by the volume: halving them takes eight times the memory and time.

pub mod cell;
mod detector;
pub mod fit;
mod gpu;
#[cfg(feature = "reference")]
pub mod twin;

pub(super) use detector::{DistanceFieldDetector, TECHNIQUE};
pub use gpu::{DistanceFieldPipelines, DistanceFields, GpuGrid};

/// Cells from the skin up to which distances are kept. Usually 2 to 4. A point is known to a grid if all eight cells round it are
/// within, so that 1.3 cells of depth are sure with 3; fewer lose particles, more take time by about the cube.
pub const BAND_CELLS: f32 = 3.0;
