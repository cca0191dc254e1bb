//! A garment cut into patches, each small enough for one workgroup to solve in shared memory.
//!
//! A patch owns some particles, works on those round them too, and sees one ring more that it holds still. All patches start from
//! the same positions and keep only what they own (restricted additive Schwarz: Cai and Sarkis, 1999), so they need no order among
//! themselves. Within a patch the constraints are coloured: those of one colour share no particle and are projected at once,
//! colour after colour (Gauss-Seidel).

mod colouring;

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use self::colouring::Colouring;

use super::constraints::{Constraint, ConstraintGraph, Kind};

/// The most particles a patch owns, no more than a workgroup has threads. Usually 128: with the rings round them some 350, which mostly leaves no
/// more constraints of one colour than there are threads. Smaller patches do more work twice.
const MAX_OWNED: usize = 128;

/// Rings of particles round its own that a patch moves too. Usually 2; with 0 the cloth tears visibly along patches' borders before
/// it settles, more do more work twice.
const FREE_RINGS: usize = 2;

/// The most particles a patch sees: `MAX_PARTICLES` of glsl/cloth/patch.glsl, where they lie in shared memory.
pub const MAX_PARTICLES: usize = 512;

/// The most colours of a kind and the most constraints of a colour: `MAX_COLOURS` and `LANES` of glsl/cloth/patch.glsl, whose threads hold
/// one constraint of each colour. Even meshes have 7 to 9 colours.
pub const MAX_COLOURS: usize = 12;
/// The colours that are enough where no particle has more constraints of a kind. Usually 9; with fewer more patches are cut in two, with more a
/// workgroup takes longer.
pub const FEW_COLOURS: usize = 9;
/// The same of long-range constraints, without which cloth holds: `LONG_RANGE_COLOURS` of glsl/cloth/solve.comp. Even meshes have 4.
pub const MAX_LONG_RANGE_COLOURS: usize = 5;
/// See [`MAX_COLOURS`].
pub const COLOUR_SIZE: usize = 128;
// A thread of glsl/cloth/solve.comp attaches no more than one particle.
const _: () = assert!(MAX_OWNED <= COLOUR_SIZE);

/// A part of a garment.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// Its own particles, those it moves too, and those it holds still.
    pub particles: Vec<u32>,
    pub owned: usize,
    /// How many of them, from the first, are moved.
    pub free: usize,
    /// Each with at least one end that is moved, long-range ones with two; colour by colour, stretch before bend before long range.
    pub constraints: Vec<PatchConstraint>,
    /// Where each colour of stretch constraints ends.
    pub stretch_ends: Vec<u32>,
    /// Where each colour of bend constraints ends.
    pub bend_ends: Vec<u32>,
    /// Where each colour of long-range constraints ends.
    pub long_range_ends: Vec<u32>,
}

/// A constraint between two particles of a patch, by their places in [`Patch::particles`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchConstraint {
    pub ends: [u16; 2],
    pub constraint: Constraint,
}

impl Patch {
    /// Cuts a garment up. Every particle is owned by one patch.
    pub fn cut(graph: &ConstraintGraph) -> Vec<Self> {
        let mut patches = Vec::new();
        let mut left = vec![(0..graph.areas.len() as u32).collect::<Vec<_>>()];
        while let Some(particles) = left.pop() {
            let patch = match particles.len() {
                0..=MAX_OWNED => Self::round(graph, &particles),
                _ => None,
            };
            match patch {
                Some(patch) => patches.push(patch),
                None => {
                    let order = from_one_end(graph, &particles);
                    let (near, far) = order.split_at(order.len() / 2);
                    left.push(far.to_vec());
                    left.push(near.to_vec());
                }
            }
        }
        patches
    }

    /// `None` if it is more than a workgroup can solve.
    fn round(graph: &ConstraintGraph, owned: &[u32]) -> Option<Self> {
        let mut particles = owned.to_vec();
        particles.sort_unstable();
        let mut place: BTreeMap<u32, u16> = particles.iter().copied().zip(0..).collect();
        // A patch that is too large is cut again; one particle cannot be, and sees as many neighbours as there is room for.
        let room = if owned.len() > 1 {
            usize::from(u16::MAX)
        } else {
            MAX_PARTICLES
        };
        let mut free = 0;
        let mut ring = 0..particles.len();
        // The last ring is held still; bend constraints reach two particles far, so it is made of those too. Long-range ones reach further, and
        // those that leave the patch are left out.
        for ring_ix in 0..=FREE_RINGS {
            free = particles.len();
            for ix in ring {
                for constraint in graph.of(particles[ix]) {
                    let is_near = match constraint.kind {
                        Kind::Stretch => true,
                        Kind::Bend => ring_ix == FREE_RINGS,
                        Kind::LongRange => false,
                    };
                    if is_near && particles.len() < room {
                        place.entry(constraint.other_ix).or_insert_with(|| {
                            particles.push(constraint.other_ix);
                            particles.len() as u16 - 1
                        });
                    }
                }
            }
            ring = if ring_ix + 1 == FREE_RINGS {
                0..particles.len()
            } else {
                free..particles.len()
            };
        }
        if particles.len() > MAX_PARTICLES {
            return None;
        }
        let mut patch = Self {
            owned: owned.len(),
            free,
            particles,
            constraints: Vec::new(),
            stretch_ends: Vec::new(),
            bend_ends: Vec::new(),
            long_range_ends: Vec::new(),
        };
        patch.stretch_ends = patch.add(graph, &place, Kind::Stretch)?;
        patch.bend_ends = patch.add(graph, &place, Kind::Bend)?;
        patch.long_range_ends = patch.add(graph, &place, Kind::LongRange)?;
        Some(patch)
    }

    /// Adds the constraints of a kind, and returns where their colours end; `None` if those are too many.
    fn add(
        &mut self,
        graph: &ConstraintGraph,
        place: &BTreeMap<u32, u16>,
        kind: Kind,
    ) -> Option<Vec<u32>> {
        let mut colouring = Colouring::new(self.particles.len(), self.most_colours(graph, kind));
        for (from, &particle_ix) in self.particles[..self.free].iter().enumerate() {
            for constraint in graph.of(particle_ix).iter().filter(|c| c.kind == kind) {
                let Some(&to) = place.get(&constraint.other_ix) else {
                    continue;
                };
                let is_moved = usize::from(to) < self.free;
                // What is held still there is moved by another patch, which a long-range constraint would pull against.
                if kind == Kind::LongRange && !is_moved {
                    continue;
                }
                // One between two moved particles is found from both.
                if is_moved && usize::from(to) < from {
                    continue;
                }
                let constraint = PatchConstraint {
                    ends: [from as u16, to],
                    constraint: *constraint,
                };
                // A single particle does without its further neighbours, and cloth holds without long range.
                let may_be_missing = kind == Kind::LongRange || self.owned == 1;
                if !colouring.add(constraint) && !may_be_missing {
                    return None;
                }
            }
        }
        let add_colour = |colour: Vec<PatchConstraint>| {
            self.constraints.extend(colour);
            self.constraints.len() as u32
        };
        Some(colouring.colours().into_iter().map(add_colour).collect())
    }

    /// How many colours constraints of a kind may have: [`FEW_COLOURS`], if that is not less than some particle has of them. A patch that needs
    /// more is cut again, unless it is one particle's own.
    fn most_colours(&self, graph: &ConstraintGraph, kind: Kind) -> usize {
        if kind == Kind::LongRange {
            return MAX_LONG_RANGE_COLOURS;
        }
        let count = |&particle_ix: &u32| {
            let constraints = graph.of(particle_ix).iter();
            constraints
                .filter(|constraint| constraint.kind == kind)
                .count()
        };
        match self.owned {
            1 => MAX_COLOURS,
            _ => {
                let counts = self.particles[..self.free].iter().map(count);
                counts.max().unwrap_or(0).clamp(FEW_COLOURS, MAX_COLOURS)
            }
        }
    }

    /// The constraints of each colour, in the order of [`Self::constraints`].
    pub fn colours(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let short = self.stretch_ends.iter().chain(&self.bend_ends);
        let ends = short.chain(&self.long_range_ends);
        ends.scan(0, |first, &end| {
            Some(std::mem::replace(first, end as usize)..end as usize)
        })
    }
}

/// Particles in order of how far they are, edge by edge, from one that lies at an end of them; piece after piece.
fn from_one_end(graph: &ConstraintGraph, particles: &[u32]) -> Vec<u32> {
    let order = in_rings(graph, particles, particles[0]);
    in_rings(graph, particles, order[order.len() - 1])
}

fn in_rings(graph: &ConstraintGraph, particles: &[u32], first: u32) -> Vec<u32> {
    let mut is_left: BTreeMap<u32, bool> = particles.iter().map(|&ix| (ix, true)).collect();
    let mut order = Vec::with_capacity(particles.len());
    let starts = std::iter::once(first).chain(particles.iter().copied());
    for start in starts {
        let mut queue = VecDeque::new();
        if is_left.insert(start, false) == Some(true) {
            queue.push_back(start);
        }
        while let Some(particle_ix) = queue.pop_front() {
            order.push(particle_ix);
            for edge in graph
                .of(particle_ix)
                .iter()
                .filter(|c| c.kind == Kind::Stretch)
            {
                if let Some(left) = is_left.get_mut(&edge.other_ix)
                    && std::mem::take(left)
                {
                    queue.push_back(edge.other_ix);
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests;
