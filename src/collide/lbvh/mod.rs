//! A linear bounding volume hierarchy: a current implementation, beside the paper's.
//!
//! Triangles are sorted along a space-filling curve in the bind pose and halved where the curve's highest bit changes
//! (Lauterbach et al. 2009, Karras 2012), each body on its own: above the bodies' trees bodies are halved in the order in which the
//! world lists them. The order is not recomputed: triangles that are neighbours in the bind pose stay
//! neighbours, and sorting would cost more than all the rest. Every step one dispatch refits the boxes; every sub-step one
//! thread per particle searches for its nearest triangle, no further than
//! [`search_radius`](crate::collide::CollideSettings::search_radius), the nearer child first, starting from the bound
//! set by the triangle that was nearest in the collision before, wherever it is now, and resolves its contact with the one found.
//!
//! It is discrete: a particle that crosses the skin by more than the search radius in one sub-step is lost, and so is one that
//! crosses a limb thinner than twice its way.

pub mod build;
mod detector;
mod gpu;

pub(super) use detector::{LbvhDetector, TECHNIQUE};
pub use gpu::{Lbvh, LbvhPipelines};
