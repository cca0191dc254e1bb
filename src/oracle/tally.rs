//! Sums over particles and frames, and the figures they come to.

use super::{Contact, Verdict};
use serde::Serialize;

pub(super) const MM_PER_M: f64 = 1000.0;

/// How well the cloth stayed outside the body.
///
/// Fractions are of particle samples: every particle of every measured frame counts once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Quality {
    /// Particles in a frame; the most, if the number changed.
    pub particles: usize,
    /// Frames measured.
    pub frames: usize,
    /// Samples deeper inside the body than [`super::Tolerances::inside_depth`].
    pub inside_fraction: f64,
    /// The deepest any particle went, however little that was.
    pub max_penetration_mm: f64,
    /// The mean depth of the samples that count as inside; zero if none do.
    pub mean_penetration_mm: f64,
    /// Samples that collision moved. Nothing where positions before the collision were not given.
    pub contact_fraction: Option<f64>,
    /// Samples that collision moved although they were outside and further from the skin than
    /// [`super::Tolerances::false_contact_distance`]. Nothing where positions before the collision were not given.
    pub false_contact_fraction: Option<f64>,
    /// Samples that count as inside, of those that touch the body: that collision moved, or that are inside. Nothing where
    /// positions before the collision were not given.
    pub inside_per_contact: Option<f64>,
    /// Millimetres that the collision moved its false contacts by, in all of a frame: the mean over the frames. Nothing
    /// where positions before the collision were not given.
    pub false_push_mm_per_frame: Option<f64>,
    /// The mean over the false contacts; zero if there are none. Nothing where positions before the collision were not given.
    pub mean_false_push_mm: Option<f64>,
    /// How much the particles tremble from frame to frame, apart from where they go: the third difference of their
    /// positions scaled so that noise counts at its own size, root mean square over the particles, median over the frames.
    /// Cloth that hangs on a moving character has 0.1 to 1. Nothing for one frame alone or for less than four.
    pub jitter_mm: Option<f64>,
}

/// What has been counted. Depths in metres.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    particles: usize,
    frames: usize,
    samples: usize,
    inside: usize,
    depth_sum: f64,
    depth_max: f64,
    /// Samples whose position before the collision was known.
    contact_samples: usize,
    contacts: usize,
    false_contacts: usize,
    /// Samples that are contacts or count as inside.
    touching: usize,
    /// Of false contacts.
    push_sum: f64,
}

impl Tally {
    pub(super) fn add_frame(
        &mut self,
        verdicts: &[Verdict],
        knows_contacts: bool,
        inside_depth: f64,
    ) {
        self.particles = self.particles.max(verdicts.len());
        self.frames += 1;
        self.samples += verdicts.len();
        if knows_contacts {
            self.contact_samples += verdicts.len();
        }
        for verdict in verdicts {
            self.add(verdict, inside_depth);
        }
    }

    fn add(&mut self, verdict: &Verdict, inside_depth: f64) {
        self.depth_max = self.depth_max.max(verdict.depth);
        if verdict.depth > inside_depth {
            self.inside += 1;
            self.depth_sum += verdict.depth;
        }
        self.contacts += usize::from(verdict.contact.is_some());
        let is_touching = verdict.contact.is_some() || verdict.depth > inside_depth;
        self.touching += usize::from(is_touching);
        if let Some(Contact::False { push }) = verdict.contact {
            self.false_contacts += 1;
            self.push_sum += push;
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.particles = self.particles.max(other.particles);
        self.frames += other.frames;
        self.samples += other.samples;
        self.inside += other.inside;
        self.depth_sum += other.depth_sum;
        self.depth_max = self.depth_max.max(other.depth_max);
        self.contact_samples += other.contact_samples;
        self.contacts += other.contacts;
        self.false_contacts += other.false_contacts;
        self.touching += other.touching;
        self.push_sum += other.push_sum;
    }

    pub(super) fn quality(&self) -> Quality {
        let asked_contacts = self.contact_samples > 0;
        Quality {
            particles: self.particles,
            frames: self.frames,
            inside_fraction: ratio(self.inside as f64, self.samples),
            max_penetration_mm: self.depth_max * MM_PER_M,
            mean_penetration_mm: ratio(self.depth_sum, self.inside) * MM_PER_M,
            contact_fraction: asked_contacts
                .then(|| ratio(self.contacts as f64, self.contact_samples)),
            false_contact_fraction: asked_contacts
                .then(|| ratio(self.false_contacts as f64, self.contact_samples)),
            inside_per_contact: asked_contacts.then(|| ratio(self.inside as f64, self.touching)),
            false_push_mm_per_frame: asked_contacts
                .then(|| ratio(self.push_sum, self.frames) * MM_PER_M),
            mean_false_push_mm: asked_contacts
                .then(|| ratio(self.push_sum, self.false_contacts) * MM_PER_M),
            jitter_mm: None,
        }
    }
}

/// Zero where there is nothing to divide by.
fn ratio(sum: f64, count: usize) -> f64 {
    if count == 0 { 0.0 } else { sum / count as f64 }
}
