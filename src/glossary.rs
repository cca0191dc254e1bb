//! The words of this library that are not defined by Vulkan, by glTF or by their common use, each defined once.
//!
//! # Spaces
//!
//! - **World**: where particles live and bodies are drawn. Metres.
//! - **Bone space**: the frame of one joint.
//! - **Bind space**: the space in which the skin was modelled, before any pose.
//! - **Field space**: the frame of one radial field: x and y across its axis in metres, z along the axis from 0 to 1. A matrix says
//!   what it maps in its name: `field_from_world * point_in_world`.
//! - **Revolution**: an angle round an axis as a fraction of a full circle, from 0 inclusive to 1 exclusive.
//!
//! # Time
//!
//! - **Step**: one fixed interval of simulated time; a frame records none, one or several.
//! - **Sub-step**: one of the equal parts of a step. Each predicts, solves and collides once; the last of a step collides once more.
//! - **Iteration**: a repetition within a sub-step: of the solve over all patches ([`ClothSettings::iterations`]), or of the
//!   response of one particle to its contacts (*response iterations*). *Pass* means a Vulkan render or compute pass, or one traversal of
//!   data on the CPU.
//! - **Sweep**: one traversal of a patch's constraints, colour by colour, within a solve.
//! - **Sub-step transform**: where a frame attached to a bone is at a boundary between two sub-steps. A step of *n* sub-steps has
//!   *n* + 1 of them per attachment ([`SubStepTransforms`]).
//! - **Moving frame**: a frame that the host moves from step to step, and that something is attached to: each joint of every body is one
//!   ([`MovingFrames`]).
//! - **Bone attachment**: a frame rigidly attached to a bone ([`BoneAttachment`]): a radial field, or a grid of distances.
//! - **Taken over** (of bones, or of a skin): read from a buffer of the host's ([`HostBones`], [`HostSkin`]).
//! - **Teleported**: moved without having travelled. No motion is derived from it: previous and current state are made equal.
//! - **Migration**: after an edit of a world, copying the state of what stays into the buffers of the new one.
//!
//! # Radial fields
//!
//! - **Own skin** of a joint: triangles that it moves more than all other joints together. It has the first rank: a cell keeps the
//!   furthest own skin ([`Rank::Own`]).
//! - **Shared skin**: triangles that a joint moves, but less than others do together. Of all skin that is not own, a cell keeps the
//!   nearest, and only where there is no own skin ([`Rank::Shared`]).
//! - **Borrowed skin**: triangles that a field does not hold by weight, but that its axis *sees* when joints bend, at most two bones
//!   away; ranked as shared skin.
//! - **Seen** from an axis: a triangle faces away from the axis, and the radial segment from the axis to it stays inside the body.
//!   The fit requires this in the bind pose, and for borrowed skin in one of a set of bent poses.
//! - **Rank**: the order between kinds of skin in a cell, stored in the two highest bits of its key.
//! - **Key**: the integer that a cell keeps by atomic minimum: rank, then distance ([`collide::radial::cell`](crate::collide::radial::cell)).
//! - **Stake** of a joint in a facet of skin: the facet's area times the joint's mean weight at its corners. Axes are scored by the share of
//!   the joint's stake that they see.
//! - **Shell**: a closed connected component of a body's surface; bodies may consist of several that overlap.
//! - **Cap**: a row of cells at distance zero, where the surface closes onto the axis.
//! - **To hold** (of a field): to contain a triangle in its list; of a point: to lie inside the field's surface.
//!
//! # Collision
//!
//! - **Candidates**: the fields whose boxes over a whole step come near a group of up to 16 particles of one garment, found once a step.
//! - **Overlapping**: of the candidates, those whose cylinders the path of one particle comes within thickness and response margin of.
//! - **Contact**: a point of a surface with its normal, less than the thickness away from a particle. The contact that *decides* is
//!   the first on the path; of simultaneous ones, the shallowest.
//! - **Thickness**: the distance kept between a particle and the skin.
//! - **Reduced-thickness iteration**: a response iteration after the first two. It keeps particles one millimetre from the skin only:
//!   between two surfaces there may be no room for the thickness on both sides. (*Narrow phase* keeps its usual meaning, the exact test of a
//!   candidate.)
//! - **Depth**: how far a particle is from being the thickness outside, along the contact's normal; positive for a contact.
//! - **Co-moving position**: where a particle would be at the end of a sub-step if it had moved rigidly with the surface since its
//!   beginning. Friction opposes the motion relative to it.
//! - **Response margin**: how far the response may push a particle with its candidates still those that it may meet; beyond it, fields that its
//!   group did not list are missed until the next step.
//! - **Search radius**: how far from a particle the techniques that test triangles search for the nearest one
//!   ([`CollideSettings::search_radius`]).
//! - **Overflow count**: how many entries had no room in a list of fixed capacity. Results are then incomplete, never corrupt.
//!
//! # Cloth
//!
//! - **Target** or **skinned place** of a particle: where its garment's vertex would be if it were skinned like the body.
//! - **Attachment**: a spring from a particle to its target. **Tether**: an upper bound on the distance from a particle to an attached
//!   one, by the length of the cloth between them.
//! - **Motion constraint**: how far a particle may be from its target; its **backstop** is a ball behind the target that it stays out of.
//! - **Astray**: further from what its motion constraint allows than cloth can be in normal use, or on the far side of the limb. Such a
//!   particle neither collides nor pulls at its neighbours until it has moved back.
//! - **Patch**: a part of a garment that one workgroup solves in shared memory, with copies of the particles round it.
//!
//! # Measurement
//!
//! - **Twin**: an implementation of a shader on the CPU, written to agree with it up to rounding.
//! - **Oracle**: measures quality from positions alone, against the exact skin, independently of every technique.
//! - **Seen figures** (`oracle::seen`): what a person would see of a garment: skin through cloth, bare skin, stretched edges.
//! - **Deep** triangle: a cloth triangle that skin stands more than 3 mm out of. A garment is **torn** in a frame with more than a few.
//! - **False contact**: a particle that collision moved although it was outside the skin by more than a tolerance.
//!
//! [`ClothSettings::iterations`]: crate::ClothSettings::iterations
//! [`SubStepTransforms`]: crate::SubStepTransforms
//! [`BoneAttachment`]: crate::collide::BoneAttachment
//! [`HostBones`]: crate::HostBones
//! [`HostSkin`]: crate::HostSkin
//! [`MovingFrames`]: crate::skin::MovingFrames
//! [`Rank::Own`]: crate::collide::radial::cell::Rank::Own
//! [`Rank::Shared`]: crate::collide::radial::cell::Rank::Shared
//! [`CollideSettings::search_radius`]: crate::CollideSettings::search_radius
