//! What a world takes of the device's memory, by purpose.

use super::{Simulation, World};
use crate::cloth::contacts::ClothContacts;
use crate::cloth::{Cloth, Sleepers};
use crate::collide::{Attachments, Collider, Technique};
use crate::gpu::Transient;
use crate::skin::{MovingFrames, SkinnedBody, WornSkin};

/// Device memory by purpose, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct WorldMemory {
    /// With bones.
    pub skin_bytes: u64,
    /// The technique that the next two fields are about.
    pub technique: Technique,
    /// Its cells, table or tree alone: "memory" in the paper's table.
    pub structure_bytes: u64,
    /// All of it, with the fields' attachments and transforms.
    pub collide_bytes: u64,
    pub cloth_bytes: u64,
    pub transient_bytes: u64,
}

impl World {
    /// Memory by purpose, of the world's present contents.
    pub fn memory(&self) -> WorldMemory {
        let Simulation {
            skin,
            worn_skin,
            frames,
            collider,
            attachments,
            cloth,
            cloth_contacts,
            sleepers,
            transient,
            ..
        } = &self.simulation;
        WorldMemory::of(
            (skin, worn_skin.as_ref(), frames),
            (collider, attachments),
            (cloth, cloth_contacts.as_ref(), sleepers),
            transient,
        )
    }
}

impl WorldMemory {
    pub(super) fn of(
        (skin, worn_skin, frames): (&SkinnedBody, Option<&WornSkin>, &MovingFrames),
        (collider, attachments): (&Collider, &Attachments),
        (cloth, contacts, sleepers): (&Cloth, Option<&ClothContacts>, &Sleepers),
        transient: &Transient,
    ) -> Self {
        let collide = collider.memory();
        Self {
            skin_bytes: skin.bytes() + worn_skin.map_or(0, WornSkin::bytes) + frames.bytes(),
            technique: collider.technique(),
            structure_bytes: collide.structure_bytes,
            collide_bytes: collide.total_bytes + attachments.bytes(),
            cloth_bytes: cloth.bytes()
                + contacts.map_or(0, ClothContacts::bytes)
                + sleepers.bytes(),
            transient_bytes: transient.bytes(),
        }
    }
}
