//! The CPU twin of glsl/cloth/contact_resolve.comp, contact_limit.comp and contact_apply.comp: the same steps in the same `f32`, written for reading.

use glam::{IVec3, Vec3};

use super::surface::{ClothSurface, NOTHING};
use super::{INDEX, NEAR_WORDS, first_edge_list};
use crate::cloth::twin::{Inputs, Twin};

/// `GAP` of glsl/cloth/contact_surface.glsl.
const GAP: f32 = 0.6;
/// `PARALLEL` of the same file.
const PARALLEL: f32 = 1e-4;
/// `DEEPEST`, `MAX_PUSH`, `FULL_PUSH_SECONDS`, `MAX_BESIDE` and `UNTANGLING` of glsl/cloth/contact_resolve.comp.
const DEEPEST: f32 = 6.0;
const MAX_PUSH: f32 = 1.0;
const FULL_PUSH_SECONDS: f32 = 0.002;
const MAX_BESIDE: f32 = 0.5;
const UNTANGLING: f32 = 1.0;
/// `CARRIED` of glsl/cloth/contact_resolve.comp.
const CARRIED: f32 = 2.0;
/// `CALM` of the same file.
const CALM: f32 = 0.75;
/// `KEPT_APART` of glsl/cloth/contact_limit.comp.
const KEPT_APART: f32 = 0.2;
/// Of a triangle's corner, what it makes at least of a point that does not lie on the border.
const INSIDE: f32 = 1e-6;
/// `UNITS_PER_METRE` and `MAX_CORRECTION` of glsl/cloth/contact_sums.glsl.
const UNITS_PER_METRE: f32 = 4_194_304.0;
const MAX_CORRECTION: f32 = 1.0;
/// `WHOLE` and `LEAST` of the same file.
const WHOLE: f32 = 1024.0;
const LEAST: f32 = 16.0;
/// Of a listed triangle or edge: see glsl/cloth/contact_lists.glsl.
const BEHIND: u32 = 0x8000_0000;
const LAYERED: u32 = 0x4000_0000;

/// What cloth may meet during a step, as the GPU has listed it.
#[derive(Clone, Copy)]
pub struct Lists<'a> {
    /// Of each particle, and from [`first_edge_list`] on of each edge, [`NEAR_WORDS`] words.
    pub near: &'a [u32],
    /// Of each edge, as many.
    pub crossings: &'a [u32],
}

impl<'a> Lists<'a> {
    fn near(&self, list_ix: usize) -> &'a [u32] {
        listed(&self.near[list_ix * NEAR_WORDS..])
    }

    fn crossings(&self, edge_ix: usize) -> &'a [u32] {
        listed(&self.crossings[edge_ix * NEAR_WORDS..])
    }
}

fn listed(words: &[u32]) -> &[u32] {
    &words[1..=words[0] as usize]
}

/// Four particles, and how much of each makes the point in question.
struct Contact {
    particles: [u32; 4],
    shares: [f32; 4],
    normal: Vec3,
    depth: f32,
}

/// What particles' contacts want of them: corrections, their part that gives no speed, and how much they count.
struct Sums(Vec<([IVec3; 2], i32)>);

impl Sums {
    fn add(&mut self, particle_ix: u32, corrections: [Vec3; 2], share: f32) {
        let limit = Vec3::splat(MAX_CORRECTION);
        let counts = (WHOLE * share.abs()).round().clamp(LEAST, WHOLE);
        let (sums, all) = &mut self.0[particle_ix as usize];
        for (sum, correction) in sums.iter_mut().zip(corrections) {
            let correction = correction * (counts / WHOLE);
            let words = (correction.clamp(-limit, limit) * UNITS_PER_METRE).round();
            *sum += words.as_ivec3();
        }
        *all += counts as i32;
    }
}

impl Twin {
    /// Keeps cloth apart from cloth, once, in a step of one sub-step.
    pub fn meet_cloth(&mut self, inputs: &Inputs, surface: &ClothSurface, lists: Lists) {
        let mut sums = Sums(vec![([IVec3::ZERO; 2], 0); self.predicted.len()]);
        for particle_ix in 0..self.predicted.len() {
            for &id in lists.near(particle_ix) {
                self.meet_triangle(inputs, surface, particle_ix as u32, id, &mut sums);
            }
        }
        for edge_ix in 0..surface.edges.len() {
            for &id in lists.near(first_edge_list(self.predicted.len()) + edge_ix) {
                self.meet_edge(inputs, surface, edge_ix, id, &mut sums);
            }
            for &id in lists.crossings(edge_ix) {
                self.leave_triangle(inputs, surface, edge_ix, id, &mut sums);
            }
        }
        let from: Vec<Vec3> = (self.current.iter().enumerate())
            .map(|(ix, &at)| at + self.carried(inputs, ix))
            .collect();
        for (ix, ([sum, calm], counts)) in sums.0.into_iter().enumerate() {
            if counts > 0 {
                let units = UNITS_PER_METRE * (counts as f32 / WHOLE);
                self.predicted[ix] += sum.as_vec3() / units;
                self.current[ix] += calm.as_vec3() / units;
            }
        }
        let parts = self.parts_of_ways(inputs, surface, lists, &from);
        for (ix, part) in parts.into_iter().enumerate() {
            if part < 1.0 && !self.is_astray[ix] {
                self.predicted[ix] = from[ix].lerp(self.predicted[ix], part);
            }
        }
    }

    /// How far skinning moves a particle in the step.
    fn carried(&self, inputs: &Inputs, ix: usize) -> Vec3 {
        let target_ix = self.lists.particles[ix].target_ix as usize;
        inputs.targets[target_ix] - inputs.previous_targets[target_ix]
    }

    /// Of each particle the part of its way from `from` on that keeps apart what is apart.
    fn parts_of_ways(
        &self,
        inputs: &Inputs,
        surface: &ClothSurface,
        lists: Lists,
        from: &[Vec3],
    ) -> Vec<f32> {
        let mut parts = vec![1.0; from.len()];
        for particle_ix in 0..from.len() {
            for &id in lists.near(particle_ix) {
                let [a, b, c] = surface.triangles[(id & INDEX) as usize];
                let particles = [particle_ix as u32, a, b, c];
                if let Some(nearest) = apart_from_triangle(particles, from, id) {
                    self.divide(inputs, (particles, 1), from, nearest, &mut parts);
                }
            }
        }
        for (edge_ix, edge) in surface.edges.iter().enumerate() {
            for &id in lists.near(first_edge_list(from.len()) + edge_ix) {
                let [a, a_end] = edge.ends;
                let [b, b_end] = surface.edges[(id & INDEX) as usize].ends;
                let particles = [a, a_end, b, b_end];
                if let Some(nearest) = apart_from_edge(particles, from, id) {
                    self.divide(inputs, (particles, 2), from, nearest, &mut parts);
                }
            }
        }
        parts
    }

    /// Divides the room between two sides, of which the first so many particles are one, if they come nearer than that.
    fn divide(
        &self,
        inputs: &Inputs,
        (particles, in_front): ([u32; 4], usize),
        from: &[Vec3],
        [front, behind, normal]: [Vec3; 3],
        parts: &mut [f32],
    ) {
        let distance = normal.dot(front - behind);
        if distance <= 0.0 {
            return;
        }
        let sign = |place: usize| if place < in_front { -1.0 } else { 1.0 };
        let towards: [f32; 4] = std::array::from_fn(|place| {
            let ix = particles[place] as usize;
            sign(place) * normal.dot(self.predicted[ix] - from[ix])
        });
        let most = |side: &[f32]| side.iter().copied().fold(f32::MIN, f32::max);
        let most = [most(&towards[..in_front]), most(&towards[in_front..])];
        let gap = self.gap_between(inputs, particles[0], particles[3]);
        let room = distance - (KEPT_APART * gap).min(0.5 * distance);
        if most[0] + most[1] <= room {
            return;
        }
        let most = most.map(|side| side.max(0.0));
        for place in 0..4 {
            let (side, nearest) = match place < in_front {
                true => (0, front),
                false => (1, behind),
            };
            let ix = particles[place] as usize;
            let further = -sign(place) * normal.dot(from[ix] - nearest);
            let allowed = further.max(0.0) + room * (most[side] / (most[0] + most[1]));
            if towards[place] > allowed {
                parts[ix] = parts[ix].min(allowed / towards[place]);
            }
        }
    }

    fn meet_triangle(
        &self,
        inputs: &Inputs,
        surface: &ClothSurface,
        particle_ix: u32,
        id: u32,
        sums: &mut Sums,
    ) {
        let corners = surface.triangles[(id & INDEX) as usize];
        let at = corners.map(|ix| self.predicted[ix as usize]);
        let normal = (at[1] - at[0]).cross(at[2] - at[0]);
        let Some(normal) = normal.try_normalize().map(|normal| sided(normal, id)) else {
            return;
        };
        let gap = self.gap_between(inputs, particle_ix, corners[0]);
        let p = self.predicted[particle_ix as usize];
        let weights = nearest_weights(p, at);
        let apart = p - blend(at, weights);
        let ahead = apart.dot(normal);
        if (apart - normal * ahead).length() > MAX_BESIDE * gap {
            return;
        }
        let contact = Contact {
            particles: [particle_ix, corners[0], corners[1], corners[2]],
            shares: [1.0, -weights.x, -weights.y, -weights.z],
            normal,
            depth: gap - ahead,
        };
        self.resolve(inputs, &contact, gap, sums);
    }

    fn meet_edge(
        &self,
        inputs: &Inputs,
        surface: &ClothSurface,
        edge_ix: usize,
        id: u32,
        sums: &mut Sums,
    ) {
        let [a, a_end] = surface.edges[edge_ix].ends;
        let [b, b_end] = surface.edges[(id & INDEX) as usize].ends;
        let [p, p_end, q, q_end] = [a, a_end, b, b_end].map(|ix| self.predicted[ix as usize]);
        let (along_p, along_q) = (p_end - p, q_end - q);
        let across = along_p.cross(along_q);
        let places = nearest_on_segments([p, along_p], [q, along_q]);
        if are_parallel(along_p, along_q) || is_at_end(places) {
            return;
        }
        let [s, t] = places;
        let normal = sided(across.normalize(), id);
        let gap = self.gap_between(inputs, a, b);
        let contact = Contact {
            particles: [a, a_end, b, b_end],
            shares: [1.0 - s, s, t - 1.0, -t],
            normal,
            depth: gap - (p + along_p * s - q - along_q * t).dot(normal),
        };
        self.resolve(inputs, &contact, gap, sums);
    }

    fn resolve(&self, inputs: &Inputs, contact: &Contact, gap: f32, sums: &mut Sums) {
        let Contact {
            particles, shares, ..
        } = *contact;
        if contact.depth <= 0.0 || contact.depth > (1.0 + DEEPEST) * gap {
            return;
        }
        let moved = |ix: u32| self.predicted[ix as usize] - self.current[ix as usize];
        let moved: Vec3 = (particles.iter().zip(shares))
            .map(|(&ix, share)| share * moved(ix))
            .sum();
        let ahead = contact.normal.dot(moved);
        let part = (inputs.timing.seconds / FULL_PUSH_SECONDS).min(1.0);
        let max_push = MAX_PUSH * part * part * gap;
        let push = contact.depth.min(max_push + (-ahead).max(0.0));
        // Since the step began, which is one sub-step here.
        let slip = moved - contact.normal * ahead;
        let calm = CALM * (push - (-ahead).max(0.0)).max(0.0);
        let friction = |ix: u32| self.garment_of(inputs, ix as usize).friction;
        let most = 0.5 * (friction(particles[0]) + friction(particles[3])) * (push - calm);
        let held = slip * (most / slip.length().max(1e-9)).min(1.0);
        let up = -inputs.settings.gravity.normalize_or_zero();
        let lighter = (CARRIED * contact.normal.dot(up)).exp2();
        let shift = contact.normal * push - held;
        let shifts = [shift, contact.normal * calm];
        self.move_apart(inputs, (particles, shares), shifts, lighter, sums);
    }

    /// Moves both sides by the first of `shifts` altogether, of which the second gives no speed, each as much as it is light; that in front
    /// counts as `lighter` times as light as it is.
    fn move_apart(
        &self,
        inputs: &Inputs,
        (particles, shares): ([u32; 4], [f32; 4]),
        shifts: [Vec3; 2],
        lighter: f32,
        sums: &mut Sums,
    ) {
        let weight = |ix: usize| {
            let weight = shares[ix] * self.inverse_mass(inputs, particles[ix]);
            if shares[ix] > 0.0 {
                weight * lighter
            } else {
                weight
            }
        };
        let weights = [0, 1, 2, 3].map(weight);
        let whole: f32 = weights.iter().zip(shares).map(|(a, b)| a * b).sum();
        if whole > 0.0 {
            for ((&ix, share), weight) in particles.iter().zip(shares).zip(weights) {
                if weight != 0.0 {
                    sums.add(ix, shifts.map(|shift| shift * (weight / whole)), share);
                }
            }
        }
    }

    fn leave_triangle(
        &self,
        inputs: &Inputs,
        surface: &ClothSurface,
        edge_ix: usize,
        id: u32,
        sums: &mut Sums,
    ) {
        let edge = surface.edges[edge_ix];
        let corners = surface.triangles[(id & INDEX) as usize];
        let [from, to] = edge.ends.map(|ix| self.predicted[ix as usize]);
        let at = corners.map(|ix| self.predicted[ix as usize]);
        let Some((along, weights, normal)) = crossing(from, to, at) else {
            return;
        };
        let most = UNTANGLING * self.gap_between(inputs, edge.ends[0], corners[0]);
        let move_past = |end, shift, sums: &mut Sums| {
            let particles = [end, corners[0], corners[1], corners[2]];
            let shares = [1.0, -weights.x, -weights.y, -weights.z];
            self.move_apart(inputs, (particles, shares), [shift, Vec3::ZERO], 1.0, sums);
        };
        if id & LAYERED != 0 {
            // The end that is on the wrong side of another layer's triangle, and the triangle, past each other.
            let normal = sided(normal, id);
            let end = edge.ends[usize::from(normal.dot(from - to) >= 0.0)];
            move_past(end, normal * most, sums);
            return;
        }
        let shorter: Vec3 = (edge.opposite.into_iter())
            .filter(|&far| far != NOTHING)
            .map(|far| shortening(self.predicted[far as usize], from, to - from, normal))
            .sum();
        let size = shorter.length();
        if size <= 0.0 {
            return;
        }
        let shift = shorter * (most * (1.0 / size).min(1.0));
        let nearer = usize::from(along >= 0.5);
        for end in [nearer, 1 - nearer] {
            move_past(edge.ends[end], shift, sums);
        }
    }

    fn gap_between(&self, inputs: &Inputs, a: u32, b: u32) -> f32 {
        let thickness = |ix: u32| self.garment_of(inputs, ix as usize).thickness;
        0.5 * GAP * (thickness(a) + thickness(b))
    }

    fn inverse_mass(&self, inputs: &Inputs, particle_ix: u32) -> f32 {
        let ix = particle_ix as usize;
        let is_held = inputs
            .timing
            .grab
            .is_some_and(|grab| grab.particle_ix == particle_ix);
        if is_held || self.is_astray[ix] {
            return 0.0;
        }
        1.0 / (self.lists.particles[ix].area * self.garment_of(inputs, ix).density)
    }
}

/// The nearest points of a vertex and a triangle, and the direction from the triangle's, if the vertex is on the side where it belongs.
fn apart_from_triangle(particles: [u32; 4], from: &[Vec3], id: u32) -> Option<[Vec3; 3]> {
    let [p, at @ ..] = particles.map(|ix| from[ix as usize]);
    let weights = nearest_weights(p, at);
    let behind = blend(at, weights);
    let normal = sided((at[1] - at[0]).cross(at[2] - at[0]).normalize(), id);
    let direction = match weights.min_element() > INSIDE {
        true => normal,
        false => (p - behind).normalize(),
    };
    (normal.dot(p - behind) > 0.0).then_some([p, behind, direction])
}

/// The same of two edges; parallel ones have no side.
fn apart_from_edge(particles: [u32; 4], from: &[Vec3], id: u32) -> Option<[Vec3; 3]> {
    let [p, p_end, q, q_end] = particles.map(|ix| from[ix as usize]);
    let (along_p, along_q) = (p_end - p, q_end - q);
    let places = nearest_on_segments([p, along_p], [q, along_q]);
    let (front, behind) = (p + along_p * places[0], q + along_q * places[1]);
    let across = sided(along_p.cross(along_q), id);
    let are_parallel = are_parallel(along_p, along_q);
    let direction = match are_parallel || is_at_end(places) {
        true => (front - behind).normalize(),
        false => across.normalize(),
    };
    (are_parallel || across.dot(front - behind) > 0.0).then_some([front, behind, direction])
}

fn sided(normal: Vec3, id: u32) -> Vec3 {
    if id & BEHIND != 0 { -normal } else { normal }
}

fn blend(at: [Vec3; 3], weights: Vec3) -> Vec3 {
    at[0] * weights.x + at[1] * weights.y + at[2] * weights.z
}

/// Whether two edges have no common normal.
fn are_parallel(along_p: Vec3, along_q: Vec3) -> bool {
    let lengths = along_p.length_squared() * along_q.length_squared();
    along_p.cross(along_q).length_squared() <= PARALLEL * lengths
}

/// Whether one of two nearest places is an end, where vertices meet triangles.
fn is_at_end(places: [f32; 2]) -> bool {
    places.iter().any(|&place| place <= 0.0 || place >= 1.0)
}

/// Weights of the corners that make the nearest point of a triangle.
fn nearest_weights(p: Vec3, at: [Vec3; 3]) -> Vec3 {
    let at = at.map(|corner| corner.as_dvec3());
    let nearest = crate::math::closest::on_triangle(p.as_dvec3(), at);
    crate::math::closest::barycentric(nearest, at).as_vec3()
}

/// Places along two segments that are nearest to each other (Ericson, "Real-Time Collision Detection", 2005, section 5.1.9).
/// `p`, `q`: where they begin and where they go from there.
fn nearest_on_segments([p, along_p]: [Vec3; 2], [q, along_q]: [Vec3; 2]) -> [f32; 2] {
    let apart = p - q;
    let (a, e, f) = (
        along_p.length_squared(),
        along_q.length_squared(),
        along_q.dot(apart),
    );
    let (b, c) = (along_p.dot(along_q), along_p.dot(apart));
    let whole = a * e - b * b;
    let s = match whole > 1e-6 * a * e {
        true => ((b * f - c * e) / whole).clamp(0.0, 1.0),
        false => 0.5,
    };
    let t = if e > 0.0 { (b * s + f) / e } else { 0.0 };
    if (0.0..=1.0).contains(&t) {
        return [s, t];
    }
    let t = t.clamp(0.0, 1.0);
    let s = if a > 0.0 {
        ((b * t - c) / a).clamp(0.0, 1.0)
    } else {
        0.0
    };
    [s, t]
}

/// Where a segment goes through a triangle: the part of it, the corners' weights, and the triangle's unit normal.
fn crossing(from: Vec3, to: Vec3, [a, b, c]: [Vec3; 3]) -> Option<(f32, Vec3, Vec3)> {
    let normal = (b - a).cross(c - a);
    let (before, behind) = (normal.dot(from - a), normal.dot(to - a));
    if before * behind >= 0.0 {
        return None;
    }
    let along = before / (before - behind);
    let p = from.lerp(to, along);
    let opposite = |from: Vec3, to: Vec3| normal.dot((to - from).cross(p - from));
    let weights = Vec3::new(opposite(b, c), opposite(c, a), opposite(a, b));
    let weights = weights / normal.length_squared();
    (weights.min_element() >= 0.0).then(|| (along, weights, normal.normalize()))
}

/// How the outline of a crossing gets shorter as an edge moves, from a triangle at the edge (Volino and Magnenat-Thalmann,
/// "Resolving surface collisions through intersection contour minimization", 2006, section 3.1).
fn shortening(opposite: Vec3, from: Vec3, along: Vec3, normal: Vec3) -> Vec3 {
    let into = opposite - from;
    let Some(outline) = normal.cross(along.cross(into)).try_normalize() else {
        return Vec3::ZERO;
    };
    let away = into - along * (into.dot(along) / along.length_squared());
    let outline = if outline.dot(away) < 0.0 {
        -outline
    } else {
        outline
    };
    outline - normal * (along.dot(outline) / along.dot(normal))
}
