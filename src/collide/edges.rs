//! Points between particles, the twin of glsl/shared/edges.glsl, and how a particle moves with the deepest of them at solids, the twin of
//! glsl/solid/collide_edges.comp.

use super::response::Particle;
use glam::Vec3;

/// More edges round one particle are ignored; cloth meshes have six.
const MAX_EDGES: usize = 12;

/// Thicknesses that a point may be inside; deeper ones belong to edges that go through a limb.
const DEEPEST: f32 = 4.0;

/// A point of an edge or a triangle on its way, and how much of its correction the particle makes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub at: Particle,
    pub share: f32,
    /// Metres from it to the furthest end of its edge or triangle.
    pub reach: f32,
    /// One that is deeper is left alone.
    pub limit: f32,
}

/// The deepest point of all, and by whose push.
#[derive(Clone, Copy)]
pub(super) struct Deepest<S> {
    pub normal: Vec3,
    pub depth: f32,
    pub point: Point,
    pub surface: S,
}

impl Point {
    pub fn new(at: Particle, share: f32, reach: f32, thickness: f32) -> Self {
        Self {
            at,
            share,
            reach,
            limit: thickness + reach.min(DEEPEST * thickness),
        }
    }
}

/// The middles of a particle's edges. `neighbours`: their other ends in their order, of which the first [`MAX_EDGES`] count.
pub(super) fn middles(
    own: Particle,
    neighbours: impl IntoIterator<Item = Particle>,
    thickness: f32,
) -> Vec<Point> {
    let middle = |other: Particle| {
        let at = Particle {
            current: 0.5 * (own.current + other.current),
            predicted: 0.5 * (own.predicted + other.predicted),
        };
        let reach = 0.5 * own.predicted.distance(other.predicted);
        Point::new(at, 1.0, reach, thickness)
    };
    let neighbours = neighbours.into_iter().take(MAX_EDGES);
    neighbours.map(middle).collect()
}

impl<S: Copy> Deepest<S> {
    /// The deeper of two; the first of equals, and none that is not inside or too deep.
    pub fn consider(best: Option<Self>, other: Self) -> Option<Self> {
        let most = best.as_ref().map_or(0.0, |best| best.depth);
        match other.depth > most && other.depth < other.point.limit {
            true => Some(other),
            false => best,
        }
    }
}

impl<S> Deepest<S> {
    /// The particle, moved with the point; its current position as far, but for what friction takes of the point's way.
    pub fn correct(&self, own: Particle, slip: Vec3) -> Particle {
        let push = self.normal * self.depth * self.point.share;
        Particle {
            current: own.current + push,
            predicted: own.predicted + push - slip * self.point.share,
        }
    }
}
