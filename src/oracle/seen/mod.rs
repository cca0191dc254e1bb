//! What a person sees of the clothes, measured on the CPU: skin that stands out through cloth, skin that has lost its
//! cover, cloth drawn out of its length, tangled or under the ground.
//!
//! Particles outside the skin say little about that: one on the wrong side of a limb is outside too. So triangles are
//! judged here, garment by garment, from positions alone, in f64. It knows nothing of what a technique found or wrote.
//!
//! [`SeenOracle::measure`] takes one frame, [`SeenOracle::figures`] sums up.

mod bare;
mod crossing;
mod deep;
mod figures;
mod histogram;
mod skin;
mod stretch;
mod tangle;
#[cfg(test)]
mod tests;

pub use figures::{FrameFigures, GarmentFigures, Series, StandOff, Summary, Torn};
pub use stretch::StretchFigures;

use glam::Vec3;
use rayon::prelude::*;

use self::bare::{Bareness, Covered, Hem, Sight};
use self::deep::Deep;
use self::histogram::Histogram;
use self::skin::Skin;
use self::stretch::Stretch;
use super::tally::MM_PER_M;
use super::{OracleError, check_count, check_finite, check_triangles, distance_squared};
use crate::math::triangle_tree::TriangleTree;

/// Seconds at the beginning that count as calm.
const CALM_SECONDS: f64 = 2.0;
/// Particles nearer to the skin than this are touching it or nearly so, metres.
const TOUCHING: f64 = 0.02;
/// Of how many particles of a garment the stand-off is taken in a frame, at least where there are as many: enough for
/// quantiles, and other ones each frame.
const STAND_OFF_SAMPLES: usize = 1000;
/// Particles this far under the ground count, metres.
const UNDERGROUND: f64 = 0.001;
const CM2_PER_M2: f64 = 1e4;

/// What the figures depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surroundings {
    /// Height of the ground in the world, metres.
    pub ground_height: f64,
    /// Seconds from one judged frame to the next.
    pub frame_seconds: f64,
    /// How large the character is against a person, as defined by [`Avatar::size`](crate::avatar::Avatar::size): all lengths that
    /// are judged by go with it.
    pub scale: f64,
}

/// A garment to judge.
#[derive(Clone, Copy, Debug)]
pub struct Worn<'a> {
    pub name: &'a str,
    /// Indices into its particles, counter-clockwise seen from outside.
    pub triangles: &'a [[u32; 3]],
    /// The particles where the body's bind pose has them, metres: whence what it covers.
    pub bind_positions: &'a [Vec3],
    /// The particles as the garment was cut, metres: whence its lengths. Often the same.
    pub rest_positions: &'a [Vec3],
}

/// Judges frames of one body in its clothes.
///
/// Does not look at colours, at what the camera sees, or at how the cloth moves.
#[derive(Clone, Debug)]
pub struct SeenOracle {
    skin: Skin,
    vertex_count: usize,
    garments: Vec<Judged>,
    surroundings: Surroundings,
    frame_count: usize,
}

/// A garment and what is known of it.
#[derive(Clone, Debug)]
struct Judged {
    name: String,
    particle_count: usize,
    tree: TriangleTree,
    covered: Covered,
    stretch: Stretch,
    stand_off_mm: Histogram,
    frames: Vec<FrameFigures>,
}

impl SeenOracle {
    /// Prepares for a body in its bind pose, and for what it wears.
    ///
    /// # Errors
    /// [`OracleError::NoSuchVertex`] or [`OracleError::NotFinite`].
    pub fn new(
        bind_positions: &[Vec3],
        triangles: &[[u32; 3]],
        worn: &[Worn],
        surroundings: Surroundings,
    ) -> Result<Self, OracleError> {
        check_triangles(triangles, bind_positions.len())?;
        check_finite("body vertex", bind_positions)?;
        for garment in worn {
            let [bind, rest] = [garment.bind_positions, garment.rest_positions];
            check_triangles(garment.triangles, bind.len())?;
            check_count("particle", bind.len(), rest.len())?;
            check_finite("particle", bind)?;
            check_finite("particle", rest)?;
        }
        let skin = Skin::new(bind_positions, triangles, surroundings.scale);
        let judged = |garment| Judged::new(garment, &skin);
        Ok(Self {
            garments: worn.iter().map(judged).collect(),
            vertex_count: bind_positions.len(),
            skin,
            surroundings,
            frame_count: 0,
        })
    }

    /// Judges one frame: skinned vertices and each garment's particles, in the world, metres. Returns the figures of this
    /// frame alone, one per garment.
    ///
    /// Takes the calling thread and rayon's; the same input gives the same figures on any number of them.
    ///
    /// # Errors
    /// [`OracleError::Count`] or [`OracleError::NotFinite`]; the frame is then not counted.
    pub fn measure(
        &mut self,
        body_positions: &[Vec3],
        garments: &[&[Vec3]],
    ) -> Result<Vec<FrameFigures>, OracleError> {
        self.check_frame(body_positions, garments)?;
        self.skin.refit(body_positions);
        for (garment, positions) in self.garments.iter_mut().zip(garments) {
            garment.tree.refit(positions);
        }
        let is_calm = self.frame_count as f64 * self.surroundings.frame_seconds < CALM_SECONDS;
        let crossings = self.garment_crossings();
        let bareness = self.bareness();
        let mut figures = Vec::new();
        for (ix, positions) in garments.iter().enumerate() {
            let frame = FrameFigures {
                garment_crossings: crossings[ix],
                underground: self.underground(positions),
                bare_percent: bareness[ix].percent(bareness[ix].bare),
                bare_seen_percent: bareness[ix].percent(bareness[ix].seen),
                bare_cm2: bareness[ix].bare * CM2_PER_M2,
                ..self.garments[ix].measure(&self.skin, positions, is_calm)
            };
            self.garments[ix].frames.push(frame);
            figures.push(frame);
        }
        self.frame_count += 1;
        Ok(figures)
    }

    /// The figures over all frames measured so far, one per garment.
    pub fn figures(&self) -> Vec<GarmentFigures> {
        let figures = |garment: &Judged| garment.figures(self.surroundings.frame_seconds);
        self.garments.iter().map(figures).collect()
    }

    fn check_frame(&self, body: &[Vec3], garments: &[&[Vec3]]) -> Result<(), OracleError> {
        check_count("body vertices", self.vertex_count, body.len())?;
        check_finite("body vertex", body)?;
        check_count("garments", self.garments.len(), garments.len())?;
        for (garment, positions) in self.garments.iter().zip(garments) {
            check_count("particles", garment.particle_count, positions.len())?;
            check_finite("particle", positions)?;
        }
        Ok(())
    }

    fn garment_crossings(&self) -> Vec<usize> {
        let trees: Vec<_> = self.garments.iter().map(|garment| &garment.tree).collect();
        let with_others = |ix: usize| {
            let others = [&trees[..ix], &trees[ix + 1..]].concat();
            tangle::crossings_with(trees[ix], &others)
        };
        (0..trees.len()).map(with_others).collect()
    }

    fn bareness(&self) -> Vec<Bareness> {
        let sight = Sight {
            skin: &self.skin,
            clothes: self.garments.iter().map(|garment| &garment.tree).collect(),
        };
        let bareness = |garment: &Judged| garment.covered.measure(&garment.tree, &sight);
        self.garments.iter().map(bareness).collect()
    }

    fn underground(&self, positions: &[Vec3]) -> usize {
        let limit = self.surroundings.ground_height - UNDERGROUND * self.surroundings.scale;
        let is_under = |position: &&Vec3| f64::from(position.y) < limit;
        positions.iter().filter(is_under).count()
    }
}

impl Judged {
    fn new(worn: &Worn, skin: &Skin) -> Self {
        let tree = TriangleTree::new(worn.bind_positions, worn.triangles);
        let hem = Hem::new(worn.bind_positions, worn.triangles);
        Self {
            name: worn.name.to_owned(),
            particle_count: worn.bind_positions.len(),
            covered: Covered::new(&tree, skin, &hem),
            stretch: Stretch::new(worn.rest_positions, worn.triangles),
            stand_off_mm: Histogram::new(0.01 * skin.size, TOUCHING * skin.size * MM_PER_M),
            tree,
            frames: Vec::new(),
        }
    }

    /// What needs no other garment.
    fn measure(&mut self, skin: &Skin, positions: &[Vec3], is_calm: bool) -> FrameFigures {
        let deep = Deep::count(&self.tree, skin);
        let stretch = self.stretch.add_frame(positions, is_calm);
        self.add_stand_off(skin, positions);
        FrameFigures {
            deep: deep.all,
            deep_seen: deep.seen,
            stretch_p99: stretch.p99,
            stretch_max: stretch.max,
            self_crossings: tangle::self_crossings(&self.tree),
            ..FrameFigures::default()
        }
    }

    fn add_stand_off(&mut self, skin: &Skin, positions: &[Vec3]) {
        let stride = (positions.len() / STAND_OFF_SAMPLES).max(1);
        let first = self.frames.len() % stride;
        let samples: Vec<usize> = (first..positions.len()).step_by(stride).collect();
        let distances: Vec<Option<f64>> = samples
            .into_par_iter()
            .map(|ix| {
                let point = positions[ix].as_dvec3();
                skin.tree
                    .nearest(point, TOUCHING * skin.size, distance_squared)
            })
            .collect();
        let touching = distances.into_iter().flatten();
        self.stand_off_mm
            .extend(touching.map(|metres| metres * MM_PER_M));
    }

    fn figures(&self, frame_seconds: f64) -> GarmentFigures {
        let counts =
            |of: fn(&FrameFigures) -> usize| -> Vec<usize> { self.frames.iter().map(of).collect() };
        let summary = |of: fn(&FrameFigures) -> f64| {
            Summary::of(
                &self.frames.iter().map(of).collect::<Vec<_>>(),
                frame_seconds,
            )
        };
        let triangles = self.tree.triangle_count();
        let torn = |of| Torn::of(&counts(of), triangles, frame_seconds);
        GarmentFigures {
            name: self.name.clone(),
            particles: self.particle_count,
            triangles,
            frames: self.frames.len(),
            deep: summary(|frame| frame.deep as f64),
            deep_seen: summary(|frame| frame.deep_seen as f64),
            torn: torn(|frame| frame.deep),
            torn_seen: torn(|frame| frame.deep_seen),
            bare_percent: summary(|frame| frame.bare_percent),
            bare_seen_percent: summary(|frame| frame.bare_seen_percent),
            bare_cm2: summary(|frame| frame.bare_cm2),
            stretch: self.stretch.figures(),
            stand_off: StandOff {
                median_mm: self.stand_off_mm.quantile(0.5),
                p95_mm: self.stand_off_mm.quantile(0.95),
            },
            self_crossings: summary(|frame| frame.self_crossings as f64),
            garment_crossings: summary(|frame| frame.garment_crossings as f64),
            underground: summary(|frame| frame.underground as f64),
            series: Series::of(&self.frames),
        }
    }
}
