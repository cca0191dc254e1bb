//! Bodies and garments that come and go while the world runs.
//!
//! An edit lays everything out anew in new buffers, beside the old ones. The next frame copies the state of bodies and garments that
//! stay from the old buffers to the new ones (migration); the old ones are freed when the frames in flight are over.

use std::mem::replace;
use std::ops::Range;
use std::sync::Arc;

use glam::Mat4;

use super::build::WorldBuffers;
use super::contents::WorldContents;
use super::last_collision;
use super::{Body, Simulation, World, WorldError, WornGarment};
use crate::cloth::contacts::{ClothContacts, ContactPipelines};
use crate::cloth::{Cloth, Sleepers};
use crate::collide::{Attachments, Collider};
use crate::gpu::{Buffer, BufferSlice, Transient, Uploads};
use crate::skin::{MovingFrames, SkinnedBody, WornSkin};

/// What an edit replaced.
pub(super) struct Retired {
    /// The frame that still reads it, to copy from it.
    frame_ix: u64,
    _layout: Option<RetiredLayout>,
    _asked_for: AskedFor,
}

/// All that is laid out by the contents of a world.
struct RetiredLayout {
    _skin: SkinnedBody,
    _worn_skin: Option<WornSkin>,
    _frames: MovingFrames,
    _cloth: Cloth,
    _transient: Transient,
    _sleepers: Sleepers,
    _technique: Option<(Collider, Attachments)>,
}

/// What a world has only when it was asked for it.
#[derive(Default)]
pub(super) struct AskedFor {
    pub last_collision: Option<Buffer>,
    pub cloth_contacts: Option<ClothContacts>,
}

/// A copy from an old buffer to a new one.
pub(crate) type MigrationCopy = (BufferSlice, BufferSlice);

impl World {
    /// Changes the bodies and garments of the world. Those that stay keep their state; those that are added start where the next
    /// step's palettes put them. [`Settings::garments`](super::Settings::garments) then has one entry for each garment there is.
    ///
    /// Takes about as long and as much memory as making the new world: everything but the pipelines is laid out anew, and a
    /// change of bodies fits their fields again. What it replaces is freed once the frames in flight are over. This is the
    /// only time that a running world takes memory. Several changes belong into one edit: what each edit replaces stays until frames have been
    /// recorded.
    ///
    /// # Errors
    /// What `change` returns, or when memory runs out; the world then is as it was.
    pub fn edit(
        &mut self,
        change: impl FnOnce(&mut WorldContents) -> Result<(), WorldError>,
    ) -> Result<(), WorldError> {
        let mut contents = self.current_contents();
        change(&mut contents)?;
        self.lay_out(contents, self.simulation.cloth_contacts.is_some())
    }

    /// Lays everything out anew for other contents, or because cloth meets cloth, or no longer.
    fn lay_out(&mut self, contents: WorldContents, meets_cloth: bool) -> Result<(), WorldError> {
        let mut uploads = Uploads::new(&self.gpu);
        let layers = self.technique_desc.layers(&contents, meets_cloth);
        let old_layers =
            (self.technique_desc).layers(&self.contents, self.simulation.cloth_contacts.is_some());
        let same_layers = layers.are_those_of(&contents, &old_layers, &self.contents);
        let buffers = WorldBuffers::new(&self.gpu, &mut uploads, &contents, layers)?;
        let old = &self.simulation.collider;
        let stays = same_layers
            && contents.has_surfaces_of(&self.contents)
            && old.serves(buffers.cloth.particle_count());
        let technique = match stays {
            true => None,
            false => {
                let (desc, uploads) = (&self.technique_desc, &mut uploads);
                let new = buffers.collider(&self.gpu, uploads, &contents, desc, Some(old))?;
                let attachments = buffers.attachments(&self.gpu, uploads, &new)?;
                Some((new, attachments))
            }
        };
        let collider = technique.as_ref().map_or(old, |(collider, _)| collider);
        let sleepers = buffers.sleepers(&self.gpu, &mut uploads, collider)?;
        let transient = buffers.transient(&self.gpu, self.frames_in_flight)?;
        let asked_for = self.asked_for(&mut uploads, &contents, &buffers, meets_cloth)?;
        // From here on nothing fails.
        self.uploads.append(uploads);
        self.replace(
            contents,
            buffers,
            technique,
            (transient, sleepers),
            asked_for,
        );
        Ok(())
    }

    /// Whether cloth meets cloth from the next frame on: folds of a garment, garments worn over each other, those of several characters.
    /// Takes some 5 kB per particle while it does, and fields of garments that others lie over. A change is an edit: it takes as long as
    /// [`World::edit`], and the state stays. The first time in a world that was made without, pipelines are compiled besides.
    ///
    /// # Errors
    /// When memory runs out, there is more cloth than one dispatch takes, or the driver refuses a shader; the world then is as it was.
    pub fn set_cloth_contacts(&mut self, meets: bool) -> Result<(), WorldError> {
        if meets == self.simulation.cloth_contacts.is_some() {
            return Ok(());
        }
        let pipelines = &mut self.simulation.pipelines.cloth_contacts;
        if meets && pipelines.is_none() {
            *pipelines = Some(ContactPipelines::new(&self.gpu)?);
        }
        self.lay_out(self.current_contents(), meets)
    }

    /// Keeps what a world was asked for until no frame can be reading it any more.
    pub(super) fn retire(&mut self, asked_for: AskedFor) {
        self.retired.push(Retired {
            frame_ix: self.frame_ix,
            _layout: None,
            _asked_for: asked_for,
        });
    }

    /// For the new contents what the world was asked for.
    fn asked_for(
        &self,
        uploads: &mut Uploads,
        contents: &WorldContents,
        buffers: &WorldBuffers,
        meets_cloth: bool,
    ) -> Result<AskedFor, WorldError> {
        let count = buffers.cloth.particle_count();
        let last_collision = (self.simulation.last_collision)
            .as_ref()
            .map(|_| last_collision::new_buffer(&self.gpu, count));
        let cloth_contacts = meets_cloth.then(|| contents.cloth_contacts(&self.gpu, uploads));
        Ok(AskedFor {
            last_collision: last_collision.transpose()?,
            cloth_contacts: cloth_contacts.transpose()?,
        })
    }

    /// A copy of the contents with the garments' current settings.
    pub(crate) fn current_contents(&self) -> WorldContents {
        let mut contents = self.contents.clone();
        let settings = &self.simulation.settings.garments;
        for (garment, settings) in contents.garments.iter_mut().zip(settings) {
            garment.settings = *settings;
        }
        contents
    }

    fn replace(
        &mut self,
        contents: WorldContents,
        mut buffers: WorldBuffers,
        technique: Option<(Collider, Attachments)>,
        (transient, sleepers): (Transient, Sleepers),
        asked_for: AskedFor,
    ) {
        let simulation = &mut self.simulation;
        let mut scratch = buffers.scratch();
        let migration = Migration {
            old: simulation,
            new: &mut buffers,
        };
        migration.over(
            &self.contents,
            &contents,
            &mut scratch.frames,
            &mut self.migrations,
        );
        simulation.settings.garments = contents.garments.iter().map(|g| g.settings).collect();
        simulation.joint_bounds = super::joint_bounds(&contents);
        simulation.scratch = scratch;
        simulation.sub_step_transforms = None;
        simulation.bodies = buffers.bodies;
        simulation.solids = buffers.solids;
        simulation.garments = buffers.garments;
        let layout = RetiredLayout {
            _skin: replace(&mut simulation.skin, buffers.skin),
            _worn_skin: replace(&mut simulation.worn_skin, buffers.worn_skin),
            _frames: replace(&mut simulation.frames, buffers.frames),
            _cloth: replace(&mut simulation.cloth, buffers.cloth),
            _transient: replace(&mut simulation.transient, transient),
            _sleepers: replace(&mut simulation.sleepers, sleepers),
            _technique: technique.map(|(collider, attachments)| {
                (
                    replace(&mut simulation.collider, collider),
                    replace(&mut simulation.attachments, attachments),
                )
            }),
        };
        self.retired.push(Retired {
            frame_ix: self.frame_ix,
            _layout: Some(layout),
            _asked_for: AskedFor {
                last_collision: replace(&mut simulation.last_collision, asked_for.last_collision),
                cloth_contacts: replace(&mut simulation.cloth_contacts, asked_for.cloth_contacts),
            },
        });
        self.contents = contents;
    }

    /// Frees what no frame can be reading any more.
    pub(crate) fn drop_retired(&mut self) {
        let (frame_ix, in_flight) = (self.frame_ix, self.frames_in_flight as u64);
        self.retired
            .retain(|retired| retired.frame_ix + in_flight > frame_ix);
    }
}

/// An old world and the one that takes its place.
struct Migration<'a> {
    old: &'a Simulation,
    new: &'a mut WorldBuffers,
}

impl Migration<'_> {
    /// Copies the state of the bodies and garments that both contents have.
    fn over(
        self,
        before: &WorldContents,
        after: &WorldContents,
        frames: &mut [Mat4],
        migrations: &mut Vec<MigrationCopy>,
    ) {
        let Self { old, new } = self;
        for (body_ix, body) in after.bodies.iter().enumerate() {
            let Some(old_ix) = before.bodies.iter().position(|b| Arc::ptr_eq(b, body)) else {
                continue;
            };
            let (from, to) = (&old.bodies[old_ix], &mut new.bodies[body_ix]);
            to.starts = from.starts;
            to.bones_are_known = from.bones_are_known;
            frames[to.joints.clone()].copy_from_slice(&old.scratch.frames[from.joints.clone()]);
            let joints = (old.frames.state(&from.joints), new.frames.state(&to.joints));
            migrations.push(joints);
            migrate_skin(
                migrations,
                &old.skin,
                &from.vertices,
                &new.skin,
                &to.vertices,
            );
        }
        for (solid_ix, solid) in after.solids.iter().enumerate() {
            let Some(old_ix) = before.solids.iter().position(|s| Arc::ptr_eq(s, solid)) else {
                continue;
            };
            new.solids[solid_ix] = old.solids[old_ix];
            let frame = |joint_count: usize, solid_ix| {
                let frame_ix = joint_count + solid_ix;
                frame_ix..frame_ix + 1
            };
            migrations.push((
                old.frames.state(&frame(before.joint_count(), old_ix)),
                new.frames.state(&frame(after.joint_count(), solid_ix)),
            ));
        }
        for (garment_ix, garment) in after.garments.iter().enumerate() {
            let same = |g: &super::contents::GarmentContents| Arc::ptr_eq(&g.worn, &garment.worn);
            let Some(old_ix) = before.garments.iter().position(same) else {
                continue;
            };
            let (from, to) = (&old.garments[old_ix], &mut new.garments[garment_ix]);
            to.starts = from.starts;
            to.last_sub_step = from.last_sub_step;
            migrate_skin(migrations, &old.skin, &from.targets, &new.skin, &to.targets);
            let old_state = old.cloth.state(&from.particles);
            migrations.extend(old_state.into_iter().zip(new.cloth.state(&to.particles)));
        }
    }
}

fn migrate_skin(
    migrations: &mut Vec<MigrationCopy>,
    old: &SkinnedBody,
    from: &Range<u32>,
    new: &SkinnedBody,
    to: &Range<u32>,
) {
    migrations.extend(old.state(from).into_iter().zip(new.state(to)));
}

impl Body {
    /// Whether it starts in its place without having moved there: it was added or teleported.
    pub(crate) fn is_teleported(&self, teleported: bool) -> bool {
        self.starts || teleported
    }
}

impl WornGarment {
    /// Whether it starts anew, on its own or with its body.
    pub(crate) fn is_teleported(&self, body_is_teleported: bool) -> bool {
        self.starts || body_is_teleported
    }
}
