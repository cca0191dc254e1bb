//! Bodies and garments that come and go while the world runs.
//!
//! An edit lays everything out anew in buffers of its own, beside the old ones. The next frame copies what those who stay
//! were doing from the old buffers to the new; the old ones go when the frames in flight are over.

use std::mem::replace;
use std::ops::Range;
use std::sync::Arc;

use glam::Mat4;

use super::build::Built;
use super::cast::Cast;
use super::last_collision;
use super::{Body, Simulation, World, WorldError, WornGarment};
use crate::cloth::Cloth;
use crate::collide::Collider;
use crate::gpu::{Buffer, BufferSlice, Transient, Uploads};
use crate::skin::SkinnedBody;

/// What an edit replaced.
pub(super) struct Retired {
    /// The frame that still reads it, to copy from it.
    frame_ix: u64,
    _skin: SkinnedBody,
    _cloth: Cloth,
    _transient: Transient,
    _last_collision: Option<Buffer>,
    _collider: Option<Collider>,
}

/// A copy from an old buffer to a new one.
pub(crate) type Carry = (BufferSlice, BufferSlice);

impl World {
    /// Changes who is in the world and what they wear. Those who stay go on as they were; those who come start where the next
    /// step's palettes have them. [`Settings::garments`](super::Settings::garments) then has one entry for each garment there is.
    ///
    /// Takes about as long and as much memory as making the new world: everything but the pipelines is laid out anew, and a
    /// change of bodies fits their fields again. What it replaces is freed once the frames in flight are over. This is the
    /// only time that a running world takes memory.
    ///
    /// # Errors
    /// What `change` returns, or when memory runs out; the world then is as it was.
    pub fn edit(
        &mut self,
        change: impl FnOnce(&mut Cast) -> Result<(), WorldError>,
    ) -> Result<(), WorldError> {
        let mut cast = self.current_cast();
        change(&mut cast)?;
        let mut uploads = Uploads::new(&self.gpu);
        let built = Built::new(&self.gpu, &mut uploads, &cast)?;
        let old = &self.simulation.collider;
        let stays = cast.has_bodies_of(&self.cast) && old.serves(built.cloth.particle_count());
        let collider = match stays {
            true => None,
            false => {
                Some(built.collider(&self.gpu, &mut uploads, &cast, &self.making, Some(old))?)
            }
        };
        let rider_count = collider.as_ref().unwrap_or(old).rider_count();
        let transient = built.transient(&self.gpu, rider_count, self.frames_in_flight)?;
        let kept = self.simulation.last_collision.as_ref();
        let last_collision = kept
            .map(|_| last_collision::new_buffer(&self.gpu, built.cloth.particle_count()))
            .transpose()?;
        // From here on nothing fails.
        self.uploads.append(uploads);
        let last_collision = replace(&mut self.simulation.last_collision, last_collision);
        self.replace(cast, built, collider, transient, last_collision);
        Ok(())
    }

    /// Lends the cast out with the settings that garments have by now.
    fn current_cast(&self) -> Cast {
        let mut cast = self.cast.clone();
        let settings = &self.simulation.settings.garments;
        for (garment, settings) in cast.garments.iter_mut().zip(settings) {
            garment.settings = *settings;
        }
        cast
    }

    fn replace(
        &mut self,
        cast: Cast,
        mut built: Built,
        collider: Option<Collider>,
        transient: Transient,
        last_collision: Option<Buffer>,
    ) {
        let simulation = &mut self.simulation;
        let rider_count = collider
            .as_ref()
            .unwrap_or(&simulation.collider)
            .rider_count();
        let mut scratch = built.scratch(rider_count);
        let carried = Carried {
            old: simulation,
            new: &mut built,
        };
        carried.over(&self.cast, &cast, &mut scratch.frames, &mut self.carries);
        simulation.settings.garments = cast.garments.iter().map(|g| g.settings).collect();
        simulation.joint_bounds = super::joint_bounds(&cast);
        simulation.scratch = scratch;
        simulation.field_moments = None;
        simulation.bodies = built.bodies;
        simulation.garments = built.garments;
        self.retired.push(Retired {
            frame_ix: self.frame_ix,
            _skin: replace(&mut simulation.skin, built.skin),
            _cloth: replace(&mut simulation.cloth, built.cloth),
            _transient: replace(&mut simulation.transient, transient),
            _last_collision: last_collision,
            _collider: collider.map(|new| replace(&mut simulation.collider, new)),
        });
        self.cast = cast;
    }

    /// Frees what no frame can be reading any more.
    pub(crate) fn drop_retired(&mut self) {
        let (frame_ix, in_flight) = (self.frame_ix, self.frames_in_flight as u64);
        self.retired
            .retain(|retired| retired.frame_ix + in_flight > frame_ix);
    }
}

/// An old world and the one that takes its place.
struct Carried<'a> {
    old: &'a Simulation,
    new: &'a mut Built,
}

impl Carried<'_> {
    /// Has those who are in both casts go on as they were.
    fn over(
        self,
        before: &Cast,
        after: &Cast,
        frames: &mut [(Mat4, Mat4)],
        carries: &mut Vec<Carry>,
    ) {
        let Self { old, new } = self;
        for (body_ix, body) in after.bodies.iter().enumerate() {
            let Some(old_ix) = before.bodies.iter().position(|b| Arc::ptr_eq(b, body)) else {
                continue;
            };
            let (from, to) = (&old.bodies[old_ix], &mut new.bodies[body_ix]);
            to.starts = from.starts;
            frames[to.joints.clone()].copy_from_slice(&old.scratch.frames[from.joints.clone()]);
            carry_skin(carries, &old.skin, &from.vertices, &new.skin, &to.vertices);
        }
        for (garment_ix, garment) in after.garments.iter().enumerate() {
            let same = |g: &super::cast::CastGarment| Arc::ptr_eq(&g.worn, &garment.worn);
            let Some(old_ix) = before.garments.iter().position(same) else {
                continue;
            };
            let (from, to) = (&old.garments[old_ix], &mut new.garments[garment_ix]);
            to.starts = from.starts;
            carry_skin(carries, &old.skin, &from.targets, &new.skin, &to.targets);
            let old_state = old.cloth.state(&from.particles);
            carries.extend(old_state.into_iter().zip(new.cloth.state(&to.particles)));
        }
    }
}

fn carry_skin(
    carries: &mut Vec<Carry>,
    old: &SkinnedBody,
    from: &Range<u32>,
    new: &SkinnedBody,
    to: &Range<u32>,
) {
    carries.extend(old.state(from).into_iter().zip(new.state(to)));
}

impl Body {
    /// Whether it is where nobody moved it to.
    pub(crate) fn is_put(&self, teleported: bool) -> bool {
        self.starts || teleported
    }
}

impl WornGarment {
    /// Whether it starts anew, on its own or with its body.
    pub(crate) fn is_put(&self, body_is_put: bool) -> bool {
        self.starts || body_is_put
    }
}
