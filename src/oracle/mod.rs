//! How good a collision technique is, measured on the CPU against the exactly baked body.
//!
//! Shares nothing with what it judges: inside is decided by the generalised winding number of the skinned triangles,
//! depth by the nearest triangle as parry3d finds it, both in f64. So an open, overlapping or folded body is judged by
//! its real skin, whichever way round its triangles run, and an error in a field, a transform or a shader shows up instead of cancelling out.
//!
//! [`Oracle::measure`] takes one frame, [`Oracle::quality`] sums up. [`obj`] writes the same meshes out for anyone's
//! own check.

#[cfg(test)]
mod folding;
mod jitter;
pub mod obj;
pub mod seen;
pub mod solids;
mod tally;

pub use tally::Quality;

use crate::math::triangle_tree::TriangleTree;
use glam::{DVec3, Vec3};
use jitter::Jitter;
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::Triangle;
use rayon::prelude::*;
use tally::Tally;

/// Particles no deeper than this count as on the skin, not inside: 2 mm, about a cloth's thickness. Smaller and
/// the rounding of 1 cm cells alone counts as a fault.
pub const INSIDE_DEPTH: f64 = 0.002;

/// Collision moved a particle if it lies further than this from where it was before: 1 µm, a few steps of an f32 at a
/// character's size.
const MOVED_DISTANCE: f32 = 1e-6;

/// What counts as a fault. Lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerances {
    /// A particle deeper than this is inside. Usually [`INSIDE_DEPTH`].
    pub inside_depth: f64,
    /// A contact whose particle was further than this from the skin, outside, is false: one field cell and the
    /// cloth's thickness.
    pub false_contact_distance: f64,
}

impl Tolerances {
    /// The usual ones for a technique with this cell size and cloth thickness, in metres, and a person's skin.
    pub fn new(cell_size: f64, thickness: f64) -> Self {
        Self {
            inside_depth: INSIDE_DEPTH,
            false_contact_distance: cell_size + thickness,
        }
    }

    /// The same for a character of another size against a person: what counts as on the skin grows with it.
    pub fn in_proportion(self, size: f64) -> Self {
        Self {
            inside_depth: self.inside_depth * size,
            ..self
        }
    }
}

/// Particles before and behind a collision.
#[derive(Clone, Copy, Debug)]
pub struct Moved<'a> {
    pub before: &'a [Vec3],
    pub behind: &'a [Vec3],
}

/// One frame to judge. All positions in the same space, in metres.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The skinned vertices that the frame collided with, one each as given to [`Oracle::new`].
    pub body_positions: &'a [Vec3],
    /// Where the frame left the particles.
    pub particles: &'a [Vec3],
    /// What the frame's last collision did to the same particles, if false contacts are asked for.
    pub collision: Option<Moved<'a>>,
    /// Metres that each particle keeps from the skin where that is more than the cloth's thickness; empty for none. A contact
    /// is false only beyond it.
    pub clearances: &'a [f32],
}

/// Input that cannot be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OracleError {
    /// The index list does not fit the vertices.
    #[error(
        "triangle {triangle_ix} names vertex {vertex_ix} of {vertex_count}: pass the body's own triangles and vertices"
    )]
    NoSuchVertex {
        /// Which triangle.
        triangle_ix: usize,
        /// What it names.
        vertex_ix: u32,
        /// How many there are.
        vertex_count: usize,
    },
    /// Two lists that go together differ in length.
    #[error(
        "{what}: {expected} expected, {found} given; make a new oracle when the body or the garment changes"
    )]
    Count {
        /// Which list.
        what: &'static str,
        /// The length it should have.
        expected: usize,
        /// The length it has.
        found: usize,
    },
    /// A coordinate is NaN or infinite, so that no figure would mean anything.
    #[error(
        "{what} {ix} is not a finite position: the simulation has diverged, try a smaller time step"
    )]
    NotFinite {
        /// Body vertex or particle.
        what: &'static str,
        /// Which one.
        ix: usize,
    },
}

/// Judges frames of one body.
///
/// Depth is the distance to the nearest skin of any sheet: where the body overlaps itself (thighs, armpits) that can
/// be less than the way out. A fast particle that rightly hit on its way through and was predicted far beyond is
/// counted as a false contact, because only its predicted position is examined.
#[derive(Clone, Debug)]
pub struct Oracle {
    tree: TriangleTree,
    vertex_count: usize,
    tolerances: Tolerances,
    tally: Tally,
    jitter: Jitter,
}

/// What one particle turned out to be. `depth` in metres.
#[derive(Clone, Copy, Debug, Default)]
struct Verdict {
    /// How far inside the body, zero outside.
    depth: f64,
    contact: Option<Contact>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Contact {
    Near,
    /// By how many metres it was moved.
    False {
        push: f64,
    },
}

impl Oracle {
    /// Prepares for a body, given in any pose. An open or overlapping mesh is fine, an empty one has no inside.
    ///
    /// # Errors
    /// [`OracleError::NoSuchVertex`] or [`OracleError::NotFinite`].
    pub fn new(
        body_positions: &[Vec3],
        triangles: &[[u32; 3]],
        tolerances: Tolerances,
    ) -> Result<Self, OracleError> {
        check_triangles(triangles, body_positions.len())?;
        check_finite("body vertex", body_positions)?;
        Ok(Self {
            tree: TriangleTree::new(body_positions, triangles),
            vertex_count: body_positions.len(),
            tolerances,
            tally: Tally::default(),
            jitter: Jitter::default(),
        })
    }

    /// Judges one frame, adds it to the whole, and returns the figures of this frame alone.
    ///
    /// Takes the calling thread and rayon's; the same input gives the same figures on any number of them.
    ///
    /// # Errors
    /// [`OracleError::Count`] or [`OracleError::NotFinite`]; the frame is then not counted.
    pub fn measure(&mut self, frame: &Frame) -> Result<Quality, OracleError> {
        self.check_frame(frame)?;
        self.tree.refit(frame.body_positions);
        let verdicts: Vec<Verdict> = (0..frame.particles.len())
            .into_par_iter()
            .map(|ix| self.judge(frame, ix))
            .collect();
        let mut tally = Tally::default();
        tally.add_frame(
            &verdicts,
            frame.collision.is_some(),
            self.tolerances.inside_depth,
        );
        self.tally.merge(&tally);
        self.jitter.add_frame(frame.particles);
        Ok(tally.quality())
    }

    /// The figures over all frames measured so far.
    pub fn quality(&self) -> Quality {
        Quality {
            jitter_mm: self.jitter.median().map(|metres| metres * tally::MM_PER_M),
            ..self.tally.quality()
        }
    }

    fn check_frame(&self, frame: &Frame) -> Result<(), OracleError> {
        check_count(
            "body vertices",
            self.vertex_count,
            frame.body_positions.len(),
        )?;
        check_finite("body vertex", frame.body_positions)?;
        check_finite("particle", frame.particles)?;
        if let Some(Moved { before, behind }) = frame.collision {
            for (what, particles) in [
                ("particles before collision", before),
                ("particles behind collision", behind),
            ] {
                check_count(what, frame.particles.len(), particles.len())?;
                check_finite(what, particles)?;
            }
        }
        Ok(())
    }

    fn judge(&self, frame: &Frame, ix: usize) -> Verdict {
        let position = frame.particles[ix];
        let clearance = f64::from(frame.clearances.get(ix).copied().unwrap_or(0.0));
        let moved = frame
            .collision
            .map(|Moved { before, behind }| (before[ix], behind[ix]))
            .filter(|(before, behind)| before.distance(*behind) > MOVED_DISTANCE);
        Verdict {
            depth: self.depth(position.as_dvec3()),
            contact: moved.map(|(before, behind)| {
                self.contact(before.as_dvec3(), behind.as_dvec3(), clearance)
            }),
        }
    }

    /// Inside first, because it is much the rarer: only those few need the distance.
    fn depth(&self, point: DVec3) -> f64 {
        if !self.tree.contains_either_way(point) {
            return 0.0;
        }
        self.tree
            .nearest(point, f64::INFINITY, distance_squared)
            .unwrap_or(0.0)
    }

    /// Near first, because most contacts are and the search ends early.
    fn contact(&self, before: DVec3, after: DVec3, clearance: f64) -> Contact {
        let limit = self.tolerances.false_contact_distance + clearance;
        let is_near = self.tree.nearest(before, limit, distance_squared).is_some();
        if is_near || self.tree.contains_either_way(before) {
            Contact::Near
        } else {
            Contact::False {
                push: before.distance(after),
            }
        }
    }
}

/// The squared distance to a triangle by parry3d: an opinion that is not ours.
///
/// NaN, which no search takes for the nearest, for a triangle without area; its neighbours share its edges.
fn distance_squared(point: DVec3, &[a, b, c]: &[DVec3; 3]) -> f64 {
    let nearest = Triangle::new(a, b, c).project_local_point(point, false);
    nearest.point.distance_squared(point)
}

fn check_triangles(triangles: &[[u32; 3]], vertex_count: usize) -> Result<(), OracleError> {
    for (triangle_ix, triangle) in triangles.iter().enumerate() {
        if let Some(&vertex_ix) = triangle.iter().find(|&&ix| ix as usize >= vertex_count) {
            return Err(OracleError::NoSuchVertex {
                triangle_ix,
                vertex_ix,
                vertex_count,
            });
        }
    }
    Ok(())
}

fn check_count(what: &'static str, expected: usize, found: usize) -> Result<(), OracleError> {
    if expected == found {
        Ok(())
    } else {
        Err(OracleError::Count {
            what,
            expected,
            found,
        })
    }
}

fn check_finite(what: &'static str, positions: &[Vec3]) -> Result<(), OracleError> {
    match positions.iter().position(|position| !position.is_finite()) {
        Some(ix) => Err(OracleError::NotFinite { what, ix }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
