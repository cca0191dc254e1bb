//! Measures the quality of a show with the oracle.

use std::ops::Range;

use glam::{Mat4, Vec3};

use crate::avatar::SkinMesh;
use crate::cloth::garment::Garment;
use crate::engine::{Device, EngineError, Frames};
use crate::oracle::seen::{FrameFigures, GarmentFigures, SeenOracle, Surroundings, Worn};
use crate::oracle::solids::{SolidFrame, SolidOracle, SolidQuality};
use crate::oracle::{Frame, Moved, Oracle, OracleError, Quality, Tolerances};
use crate::pose::Palette;
use crate::skin::bake::bake;

use super::crowd::square;
use super::{Prop, Show};

/// Judges a show's cloth against the exact skin of all its characters, frame by frame: each particle, and what a person sees.
pub struct QualityMeter {
    oracle: Oracle,
    seen: SeenOracle,
    /// Each character's.
    skin: SkinMesh,
    /// Where cloth does not meet cloth, and where it does.
    clearances: [Vec<f32>; 2],
    /// Of all characters, one after the other.
    garments: Vec<Range<usize>>,
    /// Where there are any.
    solids: Option<SolidOracle>,
    /// Of all garments, by the particles of the world.
    triangles: Vec<[u32; 3]>,
}

/// Why a frame was not judged.
#[derive(Debug, thiserror::Error)]
pub enum MeterError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Oracle(#[from] OracleError),
}

impl QualityMeter {
    /// For frames of one show, from one to the next `frame_seconds`. Has the show keep what contacts are judged by.
    ///
    /// # Errors
    /// When its characters' skin or a garment is not sound, or memory runs out.
    pub fn new(
        show: &mut Show,
        tolerances: Tolerances,
        frame_seconds: f32,
    ) -> Result<Self, MeterError> {
        show.world
            .keep_last_collision(true)
            .map_err(EngineError::from)?;
        let skin = &show.avatar.skin;
        // As they are made, apart: none covers another's skin.
        let places = square(&show.avatar, show.performances().len());
        let bodies = places
            .iter()
            .flat_map(|&place| moved(&skin.positions, place));
        let bodies: Vec<Vec3> = bodies.collect();
        let triangles = show.body_triangles();
        let rest: Vec<_> = places
            .iter()
            .enumerate()
            .flat_map(|(ix, &place)| made(show, ix, place))
            .collect();
        let worn: Vec<_> = rest.iter().map(Made::as_worn).collect();
        let surroundings = Surroundings {
            ground_height: f64::from(show.ground_height()),
            frame_seconds: f64::from(frame_seconds),
            scale: f64::from(show.avatar.size()),
        };
        let garments = (0..worn.len()).map(|garment_ix| {
            let particles = show.world.garment_particles(garment_ix);
            particles.start as usize..particles.end as usize
        });
        Ok(Self {
            oracle: Oracle::new(&bodies, &triangles, tolerances)?,
            seen: SeenOracle::new(&bodies, &triangles, &worn, surroundings)?,
            garments: garments.collect(),
            skin: skin.clone(),
            solids: (!show.props().is_empty())
                .then(|| SolidOracle::new(show.props().iter().map(Prop::judged).collect())),
            triangles: triangles_of(show),
            clearances: [false, true].map(|meets_cloth| {
                let garments = show.drawn().1.into_iter();
                let clearances = garments.flat_map(|garment| clearances_of(garment, meets_cloth));
                clearances.collect()
            }),
        })
    }

    /// Judges the last submitted frame. Waits for the GPU.
    ///
    /// # Errors
    /// When the device is lost or a particle is no finite number.
    pub fn look(
        &mut self,
        show: &mut Show,
        device: &Device,
        frames: &mut Frames,
    ) -> Result<Vec<FrameFigures>, MeterError> {
        let snapshot = FrameSnapshot::take(show, device, frames)?;
        Ok(self.measure(&snapshot)?)
    }

    /// Judges a frame that was kept, on any thread. Returns what a person sees of it, garment by garment.
    ///
    /// # Errors
    /// When a particle is no finite number.
    pub fn measure(&mut self, snapshot: &FrameSnapshot) -> Result<Vec<FrameFigures>, OracleError> {
        let palettes = snapshot.palettes.iter();
        let body: Vec<Vec3> = palettes
            .flat_map(|palette| bake(&self.skin, palette).positions)
            .collect();
        self.oracle.measure(&Frame {
            body_positions: &body,
            particles: &snapshot.particles,
            collision: snapshot
                .collision
                .as_ref()
                .map(|[before, behind]| Moved { before, behind }),
            clearances: &self.clearances[usize::from(snapshot.meets_cloth)],
        })?;
        if let Some(solids) = &mut self.solids {
            solids.measure(&SolidFrame {
                places: &snapshot.solid_places,
                particles: &snapshot.particles,
                triangles: &self.triangles,
            });
        }
        let garments = self.garments.iter();
        let garments: Vec<_> = garments
            .map(|particles| &snapshot.particles[particles.clone()])
            .collect();
        self.seen.measure(&body, &garments)
    }

    /// The figures of the particles over all frames judged so far.
    pub fn quality(&self) -> Quality {
        self.oracle.quality()
    }

    /// How the cloth stayed out of rigid solids over all frames judged so far; none where there are none.
    pub fn solids(&self) -> Option<SolidQuality> {
        self.solids.as_ref().map(SolidOracle::quality)
    }

    /// What a person sees over all frames judged so far, garment by garment.
    pub fn seen(&self) -> Vec<GarmentFigures> {
        self.seen.figures()
    }
}

/// The data of one frame that quality is measured from.
pub struct FrameSnapshot {
    /// Character by character.
    palettes: Vec<Palette>,
    particles: Vec<Vec3>,
    /// Where the last collision found each particle and where it left it, if the show keeps that.
    collision: Option<[Vec<Vec3>; 2]>,
    solid_places: Vec<Mat4>,
    meets_cloth: bool,
}

impl FrameSnapshot {
    /// Keeps the last submitted frame. Waits for the GPU.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn take(
        show: &mut Show,
        device: &Device,
        frames: &mut Frames,
    ) -> Result<Self, EngineError> {
        Ok(Self {
            palettes: (show.performances().iter())
                .map(|performance| performance.palette().clone())
                .collect(),
            collision: show.last_collision(device, frames)?,
            particles: show.particles(device, frames)?,
            solid_places: (0..show.world.solid_count())
                .map(|solid_ix| show.world.solid_place(solid_ix))
                .collect(),
            meets_cloth: show.world.cloth_contacts().is_some(),
        })
    }
}

fn triangles_of(show: &Show) -> Vec<[u32; 3]> {
    let garments = show.drawn().1.into_iter().enumerate();
    let moved = garments.flat_map(|(garment_ix, garment)| {
        let first = show.world.garment_particles(garment_ix).start;
        let triangles = garment.mesh.triangles.iter();
        triangles.map(move |triangle| triangle.map(|ix| ix + first))
    });
    moved.collect()
}

fn moved(positions: &[Vec3], place: Vec3) -> impl Iterator<Item = Vec3> {
    positions.iter().map(move |&position| position + place)
}

/// A garment of one of the characters, as it was made.
struct Made<'a> {
    name: String,
    garment: &'a Garment,
    positions: Vec<Vec3>,
}

impl Made<'_> {
    fn as_worn(&self) -> Worn<'_> {
        Worn {
            name: &self.name,
            triangles: &self.garment.mesh.triangles,
            bind_positions: &self.positions,
            rest_positions: self.garment.rest_shape(),
        }
    }
}

/// The clothes of a character. Of a crowd their names say whose they are, from 1 on.
fn made(show: &Show, character_ix: usize, place: Vec3) -> impl Iterator<Item = Made<'_>> {
    let is_alone = show.performances().len() == 1;
    let name = move |garment: &Garment| match is_alone {
        true => garment.name.clone(),
        false => format!("{} of {}", garment.name, character_ix + 1),
    };
    show.garments.iter().map(move |garment| Made {
        name: name(garment),
        garment,
        positions: moved(&garment.mesh.positions, place).collect(),
    })
}

/// One per particle, zero where nothing is worn beneath.
fn clearances_of(garment: &Garment, meets_cloth: bool) -> impl Iterator<Item = f32> + '_ {
    (0..garment.mesh.positions.len()).map(move |ix| {
        let kept = garment.clearances.get(ix).copied().unwrap_or(0.0);
        match garment.layered.get(&(ix as u32)) {
            Some(layered) if !meets_cloth => kept.max(layered.clearance),
            _ => kept,
        }
    })
}
