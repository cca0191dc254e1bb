//! Collides the midpoint of every edge and points within every triangle with solids: the twin of glsl/solid/collide_edges.comp.

use super::MovingSolid;
use crate::collide::edges::{Deepest, Point, middles};
use crate::collide::iterations::reduced;
use crate::collide::response::{Particle, Response};
use glam::{Mat3, Vec3};

/// Each corner's part of the points of a triangle that are tested at first: its middle, and those of the thirds round its corners.
const FACE_POINTS: [Vec3; 4] = {
    const MOST: f32 = 2.0 / 3.0;
    const LEAST: f32 = 1.0 / 6.0;
    [
        Vec3::splat(1.0 / 3.0),
        Vec3::new(MOST, LEAST, LEAST),
        Vec3::new(LEAST, MOST, LEAST),
        Vec3::new(LEAST, LEAST, MOST),
    ]
};

/// Further points, from the deepest of those on, each nearer to a corner of the solid that stands between them.
const FURTHER_POINTS: u32 = 2;

/// Part of a triangle's size: a further point that is nearer to the last tells nothing new.
const SAME_POINT: f32 = 0.05;

/// Part of a triangle's size that a further point goes on where the last is inside already.
const STEP_INSIDE: f32 = 0.25;

/// Cosine between the ways out of the solid and of the cloth from which on the cloth's is taken.
const MIN_SLOPE: f32 = 0.3;

/// A triangle round a particle, which is the corner at `own_place`.
#[derive(Clone, Copy, Debug)]
pub struct Face {
    pub corners: [Particle; 3],
    pub own_place: usize,
}

/// A particle after the contacts of its edges and triangles with solids: it moves with the deepest of their points, as the other ends do, and
/// along the solid as friction lets it. Its current position moves as far, but for friction.
///
/// `neighbours` are the other ends of its stretch constraints in their order.
pub fn correct_by_triangles(
    solids: &[MovingSolid],
    own: Particle,
    neighbours: impl IntoIterator<Item = Particle>,
    faces: impl IntoIterator<Item = Face>,
    response: &Response,
) -> Particle {
    let middles = middles(own, neighbours, response.thickness);
    let faces: Vec<_> = faces.into_iter().collect();
    let mut deepest = None;
    for solid in solids {
        for &point in &middles {
            if let Some(met) = met_at(solid, point, response) {
                deepest = Deepest::consider(deepest, met);
            }
        }
        for face in &faces {
            deepest = face.test(solid, response, deepest);
        }
    }
    deepest.map_or(own, |found| {
        let slip = found
            .surface
            .slip(found.point.at, found.normal, found.depth, response);
        found.correct(own, slip)
    })
}

/// A point against a solid, however far it is outside.
fn met_at<'a, 'b>(
    solid: &'a MovingSolid<'b>,
    point: Point,
    response: &Response,
) -> Option<Deepest<&'a MovingSolid<'b>>> {
    let Response {
        thickness, size, ..
    } = *response;
    let (normal, depth) = solid.push_out(point.at.predicted, thickness, size)?;
    Some(Deepest {
        normal,
        depth,
        point,
        surface: solid,
    })
}

impl Face {
    /// Tests its points against a solid: `best`, or a deeper one.
    fn test<'a, 'b>(
        &self,
        solid: &'a MovingSolid<'b>,
        response: &Response,
        mut best: Option<Deepest<&'a MovingSolid<'b>>>,
    ) -> Option<Deepest<&'a MovingSolid<'b>>> {
        let met = |weights| {
            let met = met_at(solid, self.point(weights, response.thickness), response)?;
            Some((weights, met))
        };
        let mut last: Option<(Vec3, Deepest<_>)> = None;
        for weights in FACE_POINTS {
            let Some((weights, met)) = met(weights) else {
                continue;
            };
            best = Deepest::consider(best, self.along_normal(met));
            if last.is_none_or(|(_, last)| met.depth > last.depth) {
                last = Some((weights, met));
            }
        }
        let kept = reduced(response.thickness, response.size);
        for _ in 0..FURTHER_POINTS {
            let Some((from, deepest)) = last else {
                return best;
            };
            let way = match deepest.depth > kept {
                true => -STEP_INSIDE * self.reach(),
                false => deepest.depth - kept,
            };
            let weights = self.moved_along(from, deepest.normal * way);
            let places = self.places();
            let way = (places * weights).distance(places * from);
            if way <= SAME_POINT * self.reach() {
                return best;
            }
            let Some((weights, met)) = met(weights) else {
                return best;
            };
            best = Deepest::consider(best, self.along_normal(met));
            if met.depth <= deepest.depth {
                return best;
            }
            last = Some((weights, met));
        }
        best
    }

    /// A push as one along the triangle's normal, which takes the point as far out, and a corner between it and others too.
    fn along_normal<S>(&self, met: Deepest<S>) -> Deepest<S> {
        let [a, b, c] = self.corners.map(|corner| corner.predicted);
        let normal = (b - a).cross(c - a).normalize();
        let slope = met.normal.dot(normal);
        match met.depth > 0.0 && slope.abs() > MIN_SLOPE {
            true => Deepest {
                normal: normal * slope.signum(),
                depth: met.depth / slope.abs(),
                ..met
            },
            false => met,
        }
    }

    fn places(&self) -> Mat3 {
        let [a, b, c] = self.corners.map(|corner| corner.predicted);
        Mat3::from_cols(a, b, c)
    }

    /// Metres from its middle to the furthest corner.
    fn reach(&self) -> f32 {
        let middle = self.places() * FACE_POINTS[0];
        let reaches = self.corners.map(|corner| middle.distance(corner.predicted));
        reaches.into_iter().fold(0.0, f32::max)
    }

    fn point(&self, weights: Vec3, thickness: f32) -> Point {
        let [a, b, c] = self.corners.map(|corner| corner.current);
        let at = Particle {
            current: Mat3::from_cols(a, b, c) * weights,
            predicted: self.places() * weights,
        };
        // All corners together move the point by the whole: over the sum of the squares.
        let share = weights[self.own_place] / weights.dot(weights);
        Point::new(at, share, self.reach(), thickness)
    }

    /// The weights of a point after a way along the triangle, and no further than its edges.
    fn moved_along(&self, weights: Vec3, way: Vec3) -> Vec3 {
        let [a, b, c] = self.corners.map(|corner| corner.predicted);
        let (to_b, to_c) = (b - a, c - a);
        let (bb, bc, cc) = (to_b.dot(to_b), to_b.dot(to_c), to_c.dot(to_c));
        let size = bb * cc - bc * bc;
        if size.is_nan() || size <= 0.0 {
            return weights;
        }
        let (way_b, way_c) = (way.dot(to_b), way.dot(to_c));
        let along_b = (cc * way_b - bc * way_c) / size;
        let along_c = (bb * way_c - bc * way_b) / size;
        let moved = weights + Vec3::new(-along_b - along_c, along_b, along_c);
        let moved = moved.max(Vec3::ZERO);
        moved / moved.element_sum()
    }
}
