//! Collides the midpoint of every edge too, and points within triangles with solids: the twin of glsl/radial/collide_edges.comp.

use super::collide::MovingFields;
use crate::collide::response::{Particle, Response};
use crate::collide::solids::twin::MovingSolid;
use glam::Vec3;

/// More edges round one particle are ignored; cloth meshes have six.
pub const MAX_EDGES: usize = 12;

/// Thicknesses that a point may be inside; deeper ones belong to edges that go through a limb.
pub const DEEPEST: f32 = 4.0;

/// Each corner's part of the points of a triangle that are tested: its middle, and those of the thirds round its corners.
const FACE_POINTS: [[f32; 3]; 4] = {
    const MOST: f32 = 2.0 / 3.0;
    const LEAST: f32 = 1.0 / 6.0;
    [
        [1.0 / 3.0; 3],
        [MOST, LEAST, LEAST],
        [LEAST, MOST, LEAST],
        [LEAST, LEAST, MOST],
    ]
};

/// A triangle round a particle, which is the corner at `own_place`.
#[derive(Clone, Copy, Debug)]
pub struct Face {
    pub corners: [Particle; 3],
    pub own_place: usize,
}

/// A point of an edge or a triangle on its way, and how much of its correction the particle makes.
#[derive(Clone, Copy, Debug)]
struct Point {
    at: Particle,
    share: f32,
    /// A deeper one is left alone.
    limit: f32,
}

/// The deepest point of all, and what it met.
#[derive(Clone, Copy)]
struct Deepest<'a> {
    normal: Vec3,
    depth: f32,
    point: Point,
    solid: Option<&'a MovingSolid<'a>>,
}

/// A particle after the contacts of its edges and triangles: it moves with the deepest of their points, as the other ends do, and along a
/// solid as friction lets it. Its current position moves as far, but for friction.
///
/// `neighbours` are the other ends of its stretch constraints in their order, of which the first [`MAX_EDGES`] count. A point that is
/// deeper than half its edge is long, or than [`DEEPEST`], belongs to an edge that goes through a limb: no direction out is right for it,
/// and its ends are left to collide.
pub fn correct_by_edges(
    fields: &MovingFields,
    own: Particle,
    neighbours: impl IntoIterator<Item = Particle>,
    faces: impl IntoIterator<Item = Face>,
    response: &Response,
) -> Particle {
    let neighbours = neighbours.into_iter().take(MAX_EDGES);
    let middles: Vec<_> = neighbours
        .map(|other| middle(own, other, response.thickness))
        .collect();
    let faces: Vec<_> = faces.into_iter().collect();
    let mut deepest: Option<Deepest> = None;
    let mut consider = |point: Point, push: Option<(Vec3, f32)>, solid| {
        let Some((normal, depth)) = push else { return };
        let most = deepest.map_or(0.0, |deepest| deepest.depth);
        if depth > most && depth < point.limit {
            deepest = Some(Deepest {
                normal,
                depth,
                point,
                solid,
            });
        }
    };
    let Response {
        thickness, size, ..
    } = *response;
    for field in fields.moving() {
        for &point in &middles {
            consider(point, field.push_out(point.at.predicted, thickness), None);
        }
    }
    for solid in fields.solids() {
        let points = faces.iter().flat_map(|face| face.points(thickness));
        for point in middles.iter().copied().chain(points) {
            let push = solid.push_out(point.at.predicted, thickness, size);
            consider(point, push, Some(solid));
        }
    }
    deepest.map_or(own, |deepest| deepest.correct(own, response))
}

fn middle(own: Particle, other: Particle, thickness: f32) -> Point {
    let length = own.predicted.distance(other.predicted);
    Point {
        at: Particle {
            current: 0.5 * (own.current + other.current),
            predicted: 0.5 * (own.predicted + other.predicted),
        },
        share: 1.0,
        limit: thickness + (0.5 * length).min(DEEPEST * thickness),
    }
}

impl Face {
    fn points(&self, thickness: f32) -> impl Iterator<Item = Point> {
        let mix = |weights: [f32; 3], part: fn(&Particle) -> Vec3| {
            let pairs = self.corners.iter().zip(weights);
            pairs.map(|(corner, weight)| part(corner) * weight).sum()
        };
        let middle: Vec3 = mix(FACE_POINTS[0], |corner| corner.predicted);
        let reaches = self.corners.map(|corner| middle.distance(corner.predicted));
        let limit = thickness
            + reaches
                .into_iter()
                .fold(0.0, f32::max)
                .min(DEEPEST * thickness);
        let own_place = self.own_place;
        FACE_POINTS
            .into_iter()
            .enumerate()
            .map(move |(ix, weights)| Point {
                at: Particle {
                    current: mix(weights, |corner| corner.current),
                    predicted: mix(weights, |corner| corner.predicted),
                },
                // All corners together move the point by the whole: over the sum of the squares.
                share: if ix == 0 {
                    1.0
                } else {
                    2.0 * weights[own_place]
                },
                limit,
            })
    }
}

impl Deepest<'_> {
    fn correct(&self, own: Particle, response: &Response) -> Particle {
        let push = self.normal * self.depth * self.point.share;
        let slip = self.solid.map_or(Vec3::ZERO, |solid| {
            solid.slip(self.point.at, self.normal, self.depth, response)
        });
        Particle {
            current: own.current + push,
            predicted: own.predicted + push - slip * self.point.share,
        }
    }
}
