//! A bounding volume hierarchy with eight children per node, searched in one dispatch by eight threads per particle.
//!
//! The tree is that of [`bvh`](super::bvh): by clusters, up to eight children per node, a tree per body below levels that join them, refitted
//! every step in one dispatch. Instead of going down it level by level through queues, a particle's threads test the children of a node
//! at once and go on with the nearest; the others wait on a stack, from which those are dropped that what was found meanwhile excludes
//! (wide nodes: Wald, Benthin and Boulos, "Getting rid of packets", 2008). As in the other hierarchies the triangle that was nearest in the
//! collision before, wherever it is now, bounds the search from the start, and none is looked for further off than
//! [`search_radius`](crate::collide::CollideSettings::search_radius). Nothing is written between threads but in memory of the workgroup, and no
//! list can be full.
//!
//! It is discrete: a particle that crosses the skin by more than the search radius in one sub-step is lost, and so is one that
//! crosses a limb thinner than twice its way.

mod detector;
mod gpu;

pub(super) use detector::{TECHNIQUE, WideBvhDetector};
pub use gpu::{WideBvh, WideBvhPipelines};
