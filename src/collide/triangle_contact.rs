//! The response of a particle to its nearest triangle: the CPU twin of `glsl/shared/skin.glsl`.
//!
//! The techniques that test triangles differ in how they find the nearest one. Their searches are exact within the search radius,
//! so that all of them have one twin: looking at every triangle.

use glam::Vec3;

pub use super::response::Particle;
use super::response::{Contact, MIN_DEPTH, Response, respond};
use super::skin_triangles::{NO_TRIANGLE, SkinTopology};
use crate::math::closest::Feature;

/// Metres. Nearer to an edge or a corner than this, the offset from it does not determine the surface's direction any more: at
/// usual coordinates of some metres it is off by half a per cent.
const MIN_OFFSET: f32 = 1e-4;

/// The skin during one sub-step: world-space positions of all vertices when it begins and when it ends.
#[derive(Clone, Copy, Debug)]
pub struct MovingSkin<'a> {
    pub topology: &'a SkinTopology,
    pub before: &'a [Vec3],
    pub after: &'a [Vec3],
}

/// Weights of the corners that make the point of the triangle nearest to `p`, and what it lies on.
///
/// NaN for a triangle without area where it has no nearest corner. Source: Ericson, "Real-Time Collision
/// Detection", 2005, section 5.1.5.
pub fn weights_of_nearest(p: Vec3, [a, b, c]: [Vec3; 3]) -> (Vec3, Feature) {
    let (ab, ac) = (b - a, c - a);
    let [(ab_ap, ac_ap), (ab_bp, ac_bp), (ab_cp, ac_cp)] =
        [a, b, c].map(|corner| (ab.dot(p - corner), ac.dot(p - corner)));
    if ab_ap <= 0.0 && ac_ap <= 0.0 {
        return (Vec3::X, Feature::Corner(0));
    }
    if ab_bp >= 0.0 && ac_bp <= ab_bp {
        return (Vec3::Y, Feature::Corner(1));
    }
    if ac_cp >= 0.0 && ab_cp <= ac_cp {
        return (Vec3::Z, Feature::Corner(2));
    }
    let of_c = ab_ap * ac_bp - ab_bp * ac_ap;
    if of_c <= 0.0 && ab_ap >= 0.0 && ab_bp <= 0.0 {
        let along = ab_ap / (ab_ap - ab_bp);
        return (Vec3::new(1.0 - along, along, 0.0), Feature::Edge(0));
    }
    let of_b = ab_cp * ac_ap - ab_ap * ac_cp;
    if of_b <= 0.0 && ac_ap >= 0.0 && ac_cp <= 0.0 {
        let along = ac_ap / (ac_ap - ac_cp);
        return (Vec3::new(1.0 - along, 0.0, along), Feature::Edge(2));
    }
    let of_a = ab_bp * ac_cp - ab_cp * ac_bp;
    let (from_b, from_c) = (ac_bp - ab_bp, ab_cp - ac_cp);
    if of_a <= 0.0 && from_b >= 0.0 && from_c >= 0.0 {
        let along = from_b / (from_b + from_c);
        return (Vec3::new(0.0, 1.0 - along, along), Feature::Edge(1));
    }
    let whole = of_a + of_b + of_c;
    let (b, c) = (of_b / whole, of_c / whole);
    (Vec3::new(1.0 - b - c, b, c), Feature::Face)
}

fn blend(corners: [Vec3; 3], weights: Vec3) -> Vec3 {
    corners[0] * weights.x + corners[1] * weights.y + corners[2] * weights.z
}

fn face_normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a).normalize_or_zero()
}

impl MovingSkin<'_> {
    fn corners(&self, triangle_ix: u32, positions: &[Vec3]) -> [Vec3; 3] {
        let triangle = &self.topology.triangles[triangle_ix as usize];
        triangle.vertices.map(|ix| positions[ix as usize])
    }

    /// The triangle nearest to a point at the sub-step's end, the first of equally near ones; none beyond `search_radius` metres.
    pub fn nearest(&self, point: Vec3, search_radius: f32) -> Option<u32> {
        let mut best = (search_radius * search_radius, None);
        for triangle_ix in 0..self.topology.triangles.len() as u32 {
            let corners = self.corners(triangle_ix, self.after);
            let (weights, _) = weights_of_nearest(point, corners);
            let squared = point.distance_squared(blend(corners, weights));
            if squared < best.0 {
                best = (squared, Some(triangle_ix));
            }
        }
        best.1
    }

    /// Metres from the skin to a point at the sub-step's end, negative inside; none beyond `search_radius`.
    pub fn signed_distance(&self, point: Vec3, search_radius: f32) -> Option<f32> {
        let standing = Particle {
            current: point,
            predicted: point,
        };
        let contact = self.meet(self.nearest(point, search_radius)?, standing)?;
        Some(-contact.depth_of(point, 0.0))
    }

    /// Where a particle meets a triangle; nowhere where the skin has no direction.
    pub fn meet(&self, triangle_ix: u32, particle: Particle) -> Option<Contact> {
        let corners = self.corners(triangle_ix, self.after);
        let (weights, feature) = weights_of_nearest(particle.predicted, corners);
        let point = blend(corners, weights);
        let point_before = blend(self.corners(triangle_ix, self.before), weights);
        let normal = self.normal(triangle_ix, feature);
        if normal == Vec3::ZERO {
            return None;
        }
        let offset = particle.predicted - point;
        let size = offset.length();
        let normal = if feature == Feature::Face || size <= MIN_OFFSET {
            normal
        } else {
            offset
                / if offset.dot(normal) < 0.0 {
                    -size
                } else {
                    size
                }
        };
        Some(Contact {
            normal,
            point,
            co_moving: particle.current + point - point_before,
        })
    }

    /// The angle-weighted normal of a part of a triangle, zero where there is none.
    ///
    /// Source: Bærentzen and Aanæs, "Signed distance computation using the angle weighted pseudonormal", 2005.
    pub(super) fn normal(&self, triangle_ix: u32, feature: Feature) -> Vec3 {
        let triangle = &self.topology.triangles[triangle_ix as usize];
        let own = face_normal(self.corners(triangle_ix, self.after));
        match feature {
            Feature::Face => own,
            Feature::Edge(edge) => match triangle.neighbours[edge] {
                NO_TRIANGLE => own,
                other => (own + face_normal(self.corners(other, self.after))).normalize_or_zero(),
            },
            Feature::Corner(corner) => self.corner_normal(triangle.vertices[corner]),
        }
    }

    fn corner_normal(&self, vertex_ix: u32) -> Vec3 {
        let [first, count] = self.topology.rings[vertex_ix as usize];
        let ring = &self.topology.ring_corners[first as usize..(first + count) as usize];
        let share = |&packed: &u32| {
            let (corners, corner) = (self.corners(packed / 4, self.after), packed as usize % 4);
            let edge = |to: usize| (corners[to % 3] - corners[corner]).normalize_or_zero();
            let cosine = edge(corner + 1).dot(edge(corner + 2)).clamp(-1.0, 1.0);
            face_normal(corners) * cosine.acos()
        };
        ring.iter().map(share).sum::<Vec3>().normalize_or_zero()
    }

    /// Puts a particle outside; one that no triangle is within `search_radius` of, or that keeps its distance, is returned unchanged.
    pub fn collide(&self, particle: Particle, search_radius: f32, response: &Response) -> Particle {
        let nearest = self.nearest(particle.predicted, search_radius);
        let Some(contact) = nearest.and_then(|ix| self.meet(ix, particle)) else {
            return particle;
        };
        let depth = contact.depth_of(particle.predicted, response.thickness);
        // Written so that a NaN is left alone.
        if !(depth > MIN_DEPTH) {
            return particle;
        }
        let lacked = contact
            .depth_of(contact.co_moving, response.thickness)
            .clamp(0.0, depth);
        let Particle { current, predicted } = particle;
        Particle {
            current: current + contact.normal * lacked,
            predicted: respond(&contact, predicted, depth, response),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::builtin;
    use crate::collide::FrictionModel;
    use crate::collide::skin_triangles::BindSkin;
    use crate::collide::{ColliderBody, radial::fit::FitSettings};
    use crate::math::closest::on_triangle;
    use crate::math::triangle_tree::TriangleTree;

    /// Points of a lattice, `step` metres apart, round the body's left hand, foot and head and through its trunk.
    fn lattice(positions: &[Vec3], step: f32) -> Vec<Vec3> {
        let every = (positions.len() / 400).max(1);
        let near = positions.iter().step_by(every);
        let offsets = (-2..=2)
            .flat_map(|x| (-2..=2).map(move |y| Vec3::new(x as f32, y as f32, (x * y) as f32)));
        let offsets: Vec<_> = offsets.map(|offset| offset * step).collect();
        near.flat_map(|&position| offsets.iter().map(move |&offset| position + offset))
            .collect()
    }

    fn mannequin() -> BindSkin {
        BindSkin::of(&[ColliderBody {
            avatar: &builtin::load_mannequin(),
            fit: FitSettings::default(),
            fields: &std::sync::OnceLock::new(),
            first_vertex: 0,
            first_joint: 0,
        }])
    }

    #[test]
    fn nearest_points_are_those_of_an_independent_formula() {
        let triangle = [
            Vec3::new(0.1, 0.0, 0.02),
            Vec3::new(0.13, 0.04, 0.0),
            Vec3::new(0.09, 0.05, 0.03),
        ];
        for p in lattice(&triangle, 0.013) {
            let (weights, _) = weights_of_nearest(p, triangle);
            let expected = on_triangle(p.as_dvec3(), triangle.map(|corner| corner.as_dvec3()));
            let found = blend(triangle, weights);
            assert!(
                found.as_dvec3().distance(expected) < 1e-6,
                "{p}: {found}, not {expected}"
            );
        }
    }

    #[test]
    fn a_triangle_without_area_is_nowhere_nearest() {
        let needle = [Vec3::ZERO, Vec3::X * 0.1, Vec3::X * 0.05];
        let (weights, _) = weights_of_nearest(Vec3::new(0.07, 0.1, 0.0), needle);
        let squared = blend(needle, weights).length_squared();
        assert!(squared.is_nan() || squared <= 0.01);
    }

    #[test]
    fn inside_is_where_the_winding_number_says() {
        let skin = mannequin();
        let topology = SkinTopology::of(&skin);
        let moving = MovingSkin {
            topology: &topology,
            before: &skin.positions,
            after: &skin.positions,
        };
        let tree = TriangleTree::new(&skin.positions, &skin.triangles);
        let (mut wrong_count, mut count) = (0, 0);
        for p in lattice(&skin.positions, 0.007).into_iter().step_by(7) {
            let Some(distance) = moving.signed_distance(p, 0.03) else {
                continue;
            };
            count += 1;
            let is_inside = tree.contains(p.as_dvec3());
            wrong_count += usize::from(is_inside != (distance < 0.0) && distance.abs() > 1e-4);
        }
        println!("{wrong_count} of {count}");
        assert!(
            count > 1000 && wrong_count * 500 <= count,
            "{wrong_count} of {count} on the wrong side"
        );
    }

    #[test]
    fn a_particle_that_began_inside_is_put_outside_without_speed() {
        let skin = mannequin();
        let topology = SkinTopology::of(&skin);
        let moving = MovingSkin {
            topology: &topology,
            before: &skin.positions,
            after: &skin.positions,
        };
        let response = Response {
            thickness: 0.004,
            size: 1.0,
            friction: 0.3,
            model: FrictionModel::Coulomb,
        };
        for &position in skin.positions.iter().step_by(97) {
            let Some(distance) = moving.signed_distance(position + Vec3::splat(0.004), 0.03) else {
                continue;
            };
            let standing = Particle {
                current: position + Vec3::splat(0.004),
                predicted: position + Vec3::splat(0.004),
            };
            let end = moving.collide(standing, 0.03, &response);
            let left = moving.signed_distance(end.predicted, 0.03).unwrap_or(0.03);
            assert!(
                left > distance.max(0.0) - 1e-4,
                "{distance} before, {left} after"
            );
            assert!(end.predicted.distance(end.current) < 1e-6, "{end:?}");
        }
    }
}
