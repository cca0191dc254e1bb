//! Colours for the constraints of a patch: those of one colour share no particle.

use super::{COLOUR_SIZE, MAX_COLOURS, PatchConstraint};

/// Constraints of a kind and their colours. A constraint takes the first colour that is free at both of its ends. Where that is none that is
/// there already, constraints along a chain exchange two colours, so that one becomes free (Kempe chains, as in the proof of Vizing's
/// theorem, 1964): every colour is a wait for all of a workgroup.
pub(super) struct Colouring {
    constraints: Vec<PatchConstraint>,
    /// The colour of each.
    colour_of: Vec<usize>,
    /// Of each particle and colour, the constraint.
    at: Vec<[Option<usize>; MAX_COLOURS]>,
    /// How many constraints each colour has.
    sizes: Vec<usize>,
    /// The most colours.
    most: usize,
}

impl Colouring {
    pub(super) fn new(particle_count: usize, most: usize) -> Self {
        Self {
            constraints: Vec::new(),
            colour_of: Vec::new(),
            at: vec![[None; MAX_COLOURS]; particle_count],
            sizes: Vec::new(),
            most,
        }
    }

    /// Adds a constraint, and returns whether there was a colour for it.
    pub(super) fn add(&mut self, constraint: PatchConstraint) -> bool {
        let [from, to] = constraint.ends.map(usize::from);
        let there = self.sizes.len();
        let colour = (0..there)
            .find(|&colour| self.has_room(colour) && self.is_free([from, to], colour))
            .or_else(|| (0..there).find(|&colour| self.make_free(from, to, colour)))
            .unwrap_or(there);
        if colour == self.most {
            return false;
        }
        self.sizes.resize(self.sizes.len().max(colour + 1), 0);
        self.sizes[colour] += 1;
        let ix = self.constraints.len();
        (self.at[from][colour], self.at[to][colour]) = (Some(ix), Some(ix));
        self.constraints.push(constraint);
        self.colour_of.push(colour);
        true
    }

    fn has_room(&self, colour: usize) -> bool {
        self.sizes[colour] < COLOUR_SIZE
    }

    fn is_free(&self, ends: [usize; 2], colour: usize) -> bool {
        ends.map(|end| self.at[end][colour]) == [None; 2]
    }

    /// Makes a colour free at both particles that is free at one, if some chain allows it.
    fn make_free(&mut self, from: usize, to: usize, colour: usize) -> bool {
        self.has_room(colour)
            && (self.free_other(from, to, colour) || self.free_other(to, from, colour))
    }

    /// Makes a colour that is free at `from` free at `to` too.
    fn free_other(&mut self, from: usize, to: usize, colour: usize) -> bool {
        if self.at[from][colour].is_some() {
            return false;
        }
        for other in 0..self.sizes.len() {
            if self.at[to][other].is_some() {
                continue;
            }
            let (chain, end) = self.chain(to, [colour, other]);
            // A chain of odd length, which begins with the first colour, takes one from it.
            let fits = chain.len().is_multiple_of(2) || self.has_room(other);
            if fits && end != from {
                self.exchange(&chain, [colour, other]);
                return true;
            }
        }
        false
    }

    /// The constraints of two colours that follow each other from a particle on, which has none of the second, and the particle at their end.
    fn chain(&self, first: usize, colours: [usize; 2]) -> (Vec<usize>, usize) {
        let (mut at, mut chain) = (first, Vec::new());
        while let Some(ix) = self.at[at][colours[chain.len() % 2]] {
            chain.push(ix);
            at = self.other_end(ix, at);
        }
        (chain, at)
    }

    fn other_end(&self, ix: usize, at: usize) -> usize {
        let [a, b] = self.constraints[ix].ends.map(usize::from);
        if a == at { b } else { a }
    }

    /// Exchanges the two colours along a chain.
    fn exchange(&mut self, chain: &[usize], colours: [usize; 2]) {
        for (place, &ix) in chain.iter().enumerate() {
            for end in self.constraints[ix].ends.map(usize::from) {
                self.at[end][colours[place % 2]] = None;
            }
        }
        for (place, &ix) in chain.iter().enumerate() {
            let colour = colours[(place + 1) % 2];
            for end in self.constraints[ix].ends.map(usize::from) {
                self.at[end][colour] = Some(ix);
            }
            self.colour_of[ix] = colour;
        }
        let moved = chain.len() % 2;
        self.sizes[colours[0]] -= moved;
        self.sizes[colours[1]] += moved;
    }

    /// The constraints colour by colour.
    pub(super) fn colours(self) -> Vec<Vec<PatchConstraint>> {
        let mut colours = vec![Vec::new(); self.sizes.len()];
        for (constraint, colour) in self.constraints.into_iter().zip(self.colour_of) {
            colours[colour].push(constraint);
        }
        colours
    }
}
