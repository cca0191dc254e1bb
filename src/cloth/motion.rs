//! Motion constraints in the artists' sense: how far a particle may be from where skinning puts it, and a backstop behind that
//! place which it keeps out of. [`MotionConstraint::fit`] makes them for a garment; glsl/cloth/motion.glsl is the twin of the rest.

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::constraints::edges;
use super::garment::Garment;
use super::layers::leave_to_contacts;
use crate::avatar::{PERSON_HEIGHT, SkinMesh};
#[cfg(feature = "reference")]
use crate::math::direction::{unpack_direction, unpack_friction};
use crate::math::triangle_tree::TriangleTree;

/// The motion constraint of one particle, in metres of the bind pose.
///
/// "Skinned place" is where skinning puts the particle, with its normal. The constraint is checked where the skin is smooth linear
/// blend skinning; skin that a host provides is not considered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionConstraint {
    /// The particle is never further than this from its skinned place, but for a twentieth of it by which limiting strain may exceed it at a step's
    /// end. Infinite for free cloth; 0 makes it part of the skin.
    pub max_distance: f32,
    /// From the skinned place, against its normal, to the nearest point of the backstop.
    pub backstop_distance: f32,
    /// Of the ball that the particle keeps out of; 0 for no backstop. A particle behind the ball's middle goes back to the front.
    pub backstop_radius: f32,
}

impl Default for MotionConstraint {
    /// Free cloth.
    fn default() -> Self {
        Self {
            max_distance: f32::INFINITY,
            backstop_distance: 0.0,
            backstop_radius: 0.0,
        }
    }
}

/// Metres of a person, as all below, that cloth on the skin may slide. Usually 0.1: trousers ride up that far over a bent knee.
/// Much less, and bending stretches the cloth; with 0.2 twice as many triangles end up with a limb through them.
pub(super) const SLIDE: f32 = 0.1;

/// Cloth that hangs off the body may swing by this many times its distance from the skin besides.
const SWING: f32 = 1.5;

/// Metres from the skin beyond which cloth hangs free: nothing tells which limb is behind it.
const NEAR: f32 = 0.06;

/// By how much cloth less than [`NEAR`] to the skin may slide further than its neighbour, per metre of cloth between them. Usually 0.2; neighbours that
/// are both as far off as they may be are stretched by this part. Without it a skirt is stretched by a quarter at the hips in calm motion, by 0.13 with it;
/// with 0.1 it crosses itself more.
const SLIDES_FURTHER: f32 = 0.2;

/// Metres below the skin at which the backstop begins. Usually 0.008, the error of fields and skinning; with 0 it would take the
/// collision's place and inflate joints.
const BELOW_SKIN: f32 = 0.008;

/// The largest and the smallest ball, metres: a trunk's and a wrist's.
const RADII: std::ops::Range<f32> = 0.012..0.05;

impl MotionConstraint {
    /// Makes a garment's constraints to the skin that it was made on, both in the bind pose.
    ///
    /// A clearance that the garment keeps from the skin, because another is worn beneath, becomes a backstop before the skin where
    /// there is one: unlike a thickness it does not keep the cloth that far from other limbs too. What hangs free of it has no backstop: it keeps its
    /// clearance as a thickness where cloth does not meet cloth, and none where contacts keep it off what is beneath.
    pub fn fit(garment: &mut Garment, skin: &SkinMesh) {
        let body = Body::new(skin);
        let mesh = &garment.mesh;
        garment.clearances.resize(mesh.positions.len(), 0.0);
        garment.motion = (&mesh.positions, &mesh.normals, &garment.clearances)
            .into_par_iter()
            .map(|(&position, &normal, &clearance)| body.constrain(position, normal, clearance))
            .collect();
        for (clearance, motion) in garment.clearances.iter_mut().zip(&garment.motion) {
            if motion.backstop_radius > 0.0 {
                *clearance = 0.0;
            }
        }
        leave_to_contacts(garment);
        grade(
            garment,
            SLIDES_FURTHER,
            body.max_distance(NEAR * body.scale),
        );
        let mesh = &garment.mesh;
        for (&ix, layered) in &mut garment.layered {
            let ix = ix as usize;
            if layered.clearance > 0.0 && garment.motion[ix].backstop_radius > 0.0 {
                let (position, normal) = (mesh.positions[ix], mesh.normals[ix]);
                let apart = body.constrain(position, normal, layered.clearance);
                (layered.backstop_distance, layered.clearance) = (apart.backstop_distance, 0.0);
            }
        }
    }

    /// Whether its lengths are finite and not negative; only the greatest distance may be infinite.
    pub fn is_valid(&self) -> bool {
        let is_length = |length: f32| length.is_finite() && length >= 0.0;
        self.max_distance >= 0.0
            && is_length(self.backstop_distance)
            && is_length(self.backstop_radius)
    }

    /// The place nearest to `position` that the constraint allows; `target` and `normal` are the skinned place. World space.
    pub fn allowed_place(&self, scale: f32, target: Vec3, normal: Vec3, position: Vec3) -> Vec3 {
        if scale <= 0.0 {
            return position;
        }
        let apart = position - target;
        let most = self.max_distance * scale;
        let far = apart.length();
        // A place within the distance is left unchanged to the bit.
        let position = match far > most {
            true => target + apart * (most / far),
            false => position,
        };
        let from_middle = self.offset_from_middle(target, normal, position);
        let is_behind = self.backstop_radius > 0.0 && from_middle.dot(normal) < 0.0;
        if is_behind || from_middle.length_squared() < self.backstop_radius * self.backstop_radius {
            self.out_of_ball(from_middle, normal, position)
        } else {
            position
        }
    }

    /// Whether a particle has come through its limb: it lies behind the ball's middle, within 45 degrees of straight behind it.
    pub fn is_through(&self, scale: f32, target: Vec3, normal: Vec3, position: Vec3) -> bool {
        if scale <= 0.0 || self.backstop_radius <= 0.0 {
            return false;
        }
        let from_middle = self.offset_from_middle(target, normal, position);
        let behind = -from_middle.dot(normal);
        behind > 0.5 * self.backstop_radius && 2.0 * behind * behind > from_middle.length_squared()
    }

    /// From the middle of the backstop's ball.
    fn offset_from_middle(&self, target: Vec3, normal: Vec3, position: Vec3) -> Vec3 {
        position - target + normal * (self.backstop_distance + self.backstop_radius)
    }

    /// Out of the ball: in the shortest direction, but never out of its back, which would lead through the limb.
    fn out_of_ball(&self, from_middle: Vec3, normal: Vec3, position: Vec3) -> Vec3 {
        let offset = from_middle + normal * (-from_middle.dot(normal)).max(0.0);
        let size = offset.length();
        let direction = if size > 1e-6 { offset / size } else { normal };
        position - from_middle + direction * size.max(self.backstop_radius)
    }
}

/// Puts a particle on the ground if it is below: normal and height, see [`Ground`](super::Ground).
pub fn above_ground(
    ground: Vec4,
    thickness: f32,
    friction: f32,
    from: Vec3,
    position: Vec3,
) -> Vec3 {
    let normal = ground.xyz();
    let depth = ground.w + thickness - normal.dot(position);
    if depth <= 0.0 || depth.is_nan() {
        return position;
    }
    let slip = position - from;
    let slip = slip - normal * normal.dot(slip);
    let slip_length = slip.length();
    let friction_shift = if slip_length > 0.0 {
        slip * (friction * depth / slip_length).min(1.0)
    } else {
        Vec3::ZERO
    };
    position + normal * depth - friction_shift
}

/// The plane of the contact in which collision left a particle at `found`: unit normal, and metres along it from the world's origin.
/// `contact`: as [`pack_contact`](crate::math::direction::pack_contact) packs it, not 0.
#[cfg(feature = "reference")]
pub fn contact_plane(contact: f32, found: Vec3) -> Vec4 {
    let normal = unpack_direction(contact);
    normal.extend(normal.dot(found))
}

/// Puts a particle back in front of the plane of the contact in which collision left it at `found`, and takes what is left of the contact's
/// friction off its motion along that plane. `contact`: as [`pack_contact`](crate::math::direction::pack_contact) packs it, 0 for none.
#[cfg(feature = "reference")]
pub fn in_front_of_contact(contact: f32, found: Vec3, position: Vec3) -> Vec3 {
    if contact == 0.0 {
        return position;
    }
    let normal = unpack_direction(contact);
    let position = position + normal * normal.dot(found - position).max(0.0);
    let slip = position - found;
    let slip = slip - normal * normal.dot(slip);
    position - slip * (unpack_friction(contact) / slip.length().max(1e-12)).min(1.0)
}

/// Lessens greatest distances from skinned places, those up to `most`, until none exceeds another's by more than a share of the way between both,
/// along edges.
pub(super) fn grade(garment: &mut Garment, share: f32, most: f32) {
    let Garment { mesh, motion, .. } = garment;
    let is_free = |motion: &MotionConstraint| motion.max_distance > most;
    let is_free: Vec<_> = motion.iter().map(is_free).collect();
    let at = |ix: u32| mesh.positions[ix as usize];
    let pairs: Vec<_> = (edges(&mesh.triangles).into_keys())
        .flat_map(|(a, b)| {
            [(a, b), (b, a)]
                .map(|(one, other)| (one as usize, other as usize, at(a).distance(at(b))))
        })
        .filter(|&(one, ..)| !is_free[one])
        .collect();
    let mut is_graded = false;
    while !is_graded {
        is_graded = true;
        for &(one, other, way) in &pairs {
            let further = motion[other].max_distance + share * way;
            if motion[one].max_distance > further {
                motion[one].max_distance = further;
                is_graded = false;
            }
        }
    }
}

/// A skin in the bind pose.
struct Body {
    tree: TriangleTree,
    /// Its height over a usual person's.
    scale: f32,
}

impl Body {
    fn new(skin: &SkinMesh) -> Self {
        let corners = skin.triangles.as_flattened().iter();
        let heights = corners.map(|&ix| skin.positions[ix as usize].y);
        let (low, high) = heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| {
            (low.min(y), high.max(y))
        });
        Self {
            tree: TriangleTree::new(&skin.positions, &skin.triangles),
            scale: if high > low {
                (high - low) / PERSON_HEIGHT
            } else {
                1.0
            },
        }
    }

    fn distance(&self, point: Vec3) -> f32 {
        self.tree
            .nearest_point(point.as_dvec3(), f64::INFINITY)
            .map_or(f32::INFINITY, |nearest| nearest.distance as f32)
    }

    fn constrain(&self, position: Vec3, normal: Vec3, clearance: f32) -> MotionConstraint {
        let free = MotionConstraint {
            max_distance: self.max_distance(self.distance(position)),
            ..MotionConstraint::default()
        };
        let (from, inwards) = (position.as_dvec3(), -normal.as_dvec3());
        let Some(hit) = self
            .tree
            .first_hit(from, inwards, f64::from(NEAR * self.scale))
        else {
            return free;
        };
        if hit.leaves {
            return free;
        }
        let to_ball = hit.distance as f32 + BELOW_SKIN * self.scale;
        let Some(radius) = self.ball_behind(position - normal * to_ball, normal) else {
            return free;
        };
        let to_front = if clearance > 0.0 {
            (hit.distance as f32 - clearance).max(0.0)
        } else {
            to_ball
        };
        MotionConstraint {
            backstop_distance: to_front,
            backstop_radius: radius + to_ball - to_front,
            ..free
        }
    }

    /// Of cloth so far from the skin.
    fn max_distance(&self, distance: f32) -> f32 {
        let hanging = (distance - 0.5 * NEAR * self.scale).max(0.0);
        SLIDE * self.scale + SWING * hanging
    }

    /// The radius of the largest ball inside the body that touches `point` from behind.
    fn ball_behind(&self, point: Vec3, normal: Vec3) -> Option<f32> {
        let fits = |radius: f32| self.distance(point - normal * radius) >= radius;
        let (mut low, mut high) = (RADII.start * self.scale, RADII.end * self.scale);
        if !fits(low) {
            return None;
        }
        // Halved eight times, the interval is under a millimetre.
        for _ in 0..8 {
            let middle = 0.5 * (low + high);
            if fits(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some(low)
    }
}

#[cfg(test)]
mod tests;
