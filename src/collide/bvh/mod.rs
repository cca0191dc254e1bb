//! A bounding volume hierarchy: the paper's rival of section 9.1, after Lauterbach et al. (2010) and Tang et al. (2011).
//!
//! A binary tree by agglomerative clustering is flattened, when it is loaded, into a tree of up to eight children per node
//! with all leaves on one level. Each body has a tree of its own, and levels above join up to eight of them, and eight of those, in the
//! order in which the world lists the bodies. Every step its boxes are refitted from the leaves up. Every sub-step the particles go
//! down it level by level through work queues: a job is a particle and a node; one dispatch turns the jobs of a level into
//! those of the next, and the number of jobs never leaves the GPU. At the leaves the nearest triangle is found, no further
//! than [`search_radius`](crate::collide::CollideSettings::search_radius), and the particle's contact with it is resolved.
//!
//! How it differs from the paper's, so that it is as good a rival as it can be:
//! - clusters are merged with the best neighbour along a space-filling curve instead of the best of all, which gives trees
//!   as good in a fraction of the time (Meister and Bittner, "Parallel locally-ordered clustering", 2018);
//! - a refit is one dispatch without loops over levels;
//! - boxes also bound how far the nearest triangle can be, which excludes most of the others, and the triangle that was nearest
//!   in the collision before bounds it from the start (what the fronts of Tang et al. are for);
//! - the arguments of the indirect dispatches are updated by each append, which saves a dispatch per level.
//!
//! A particle whose jobs find no room in a full queue is searched by a single thread, which is slower and finds the same; such
//! jobs are counted. It is discrete: a particle that crosses the skin by more than the search radius in one sub-step is lost, and
//! so is one that crosses a limb thinner than twice its way.

mod detector;
mod gpu;
mod queues;

pub(super) use detector::{BvhDetector, TECHNIQUE};
pub use gpu::{Bvh, BvhPipelines};
pub use queues::QueueState;
