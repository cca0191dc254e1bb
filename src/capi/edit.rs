//! Changes of what is in a world, one by one or many at once.

use std::sync::Arc;

use super::border::{Failure, RfResult, given_mut, guard};
use super::world::RfWorld;
use crate::avatar::Avatar;
use crate::pose::Palette;
use crate::world::{WorldContents, WorldError};

/// Contents that the world does not have yet.
#[derive(Clone)]
pub(super) struct Edited {
    pub contents: WorldContents,
    /// One per body.
    pub avatars: Vec<Arc<Avatar>>,
}

impl RfWorld {
    /// Makes a change at once, or, between begin and end, when the edit ends. What fails changes nothing.
    pub(super) fn change<T>(
        &mut self,
        change: impl FnOnce(&mut Edited) -> Result<T, WorldError>,
    ) -> Result<T, Failure> {
        let mut edited = self.begun.clone().unwrap_or_else(|| self.unchanged());
        let changed = change(&mut edited)?;
        match &mut self.begun {
            Some(begun) => *begun = edited,
            None => self.apply(edited)?,
        }
        Ok(changed)
    }

    fn unchanged(&self) -> Edited {
        Edited {
            contents: self.world.current_contents(),
            avatars: self.avatars.clone(),
        }
    }

    fn apply(&mut self, edited: Edited) -> Result<(), Failure> {
        let Edited { contents, avatars } = edited;
        self.world.edit(|current| {
            let before = std::mem::replace(current, contents);
            current.take_settings(&before);
            Ok(())
        })?;
        for palettes in &mut self.palettes {
            let bind = |avatar: &Arc<Avatar>| Palette::bind(&avatar.skeleton);
            *palettes = avatars.iter().map(bind).collect();
        }
        self.avatars = avatars;
        Ok(())
    }
}

/// Begins an edit: what is added, changed and removed from here on is gathered until rf_world_end_edit. Until then frames are recorded of the
/// world as it is; indices that adding gives, and those to remove, are those that the contents will have. Each change by itself lays the world
/// out anew, and what it replaces is given back once frames have been recorded: many characters at once would take many times their memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_begin_edit(world: *mut RfWorld) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let world = unsafe { given_mut(world, "world")? };
        if world.begun.is_some() {
            return Err(Failure::invalid("an edit has begun already".to_owned()));
        }
        world.begun = Some(world.unchanged());
        Ok(())
    })
}

/// Makes the changes since rf_world_begin_edit, all at once. If that fails none is made: the world is as it was, and no edit is begun.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_end_edit(world: *mut RfWorld) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let world = unsafe { given_mut(world, "world")? };
        let edited = world.begun.take();
        world.apply(edited.ok_or_else(|| Failure::invalid("no edit has begun".to_owned()))?)
    })
}
