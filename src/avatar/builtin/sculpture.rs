//! A figure as a list of strokes: solids added, carved and painted in order.

use super::shape::{Shape, smooth_min};
use glam::Vec3;

/// The smoothness of the edge between a sole and the floor, as a share of the figure's height.
const SOLE_ROUNDING: f32 = 0.004;

/// How far from a shape its distance matters beyond blending, as a share of the figure's height.
///
/// Must exceed the ramp between arm and trunk, or skin is shared out by bounding spheres.
const REACH: f32 = 0.04;

/// What a stroke belongs to when skin is shared out among joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limb {
    Trunk,
    Head,
    Arm,
    Palm,
    /// 0 is the thumb, 4 the little finger.
    Finger(usize),
    Leg,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Action {
    Add,
    Carve,
    /// Colours the surface inside the shape and leaves the form alone.
    Paint,
}

#[derive(Clone, Debug)]
struct Stroke {
    shape: Shape,
    action: Action,
    /// Radius of the smooth union with all strokes before, metres.
    blend: f32,
    limb: Limb,
    /// Index of the material.
    part: usize,
    /// Blend radius with the shape's own mirror image, where both come near the middle plane.
    mirror_blend: Option<f32>,
    /// How far from the shape its distance must be right, metres.
    reach: f32,
}

impl Stroke {
    fn distance(&self, p: Vec3) -> f32 {
        let near = self.shape.distance(p, self.reach);
        let Some(blend) = self.mirror_blend else {
            return near;
        };
        smooth_min(near, self.shape.distance(mirrored(p), self.reach), blend)
    }
}

fn mirrored(p: Vec3) -> Vec3 {
    Vec3::new(-p.x, p.y, p.z)
}

/// A figure, modelled on its left half (x ≥ 0) and meant to be mirrored.
///
/// The strokes are looked at for x ≥ 0 only, so they must be even in x where they meet the middle plane:
/// centred on it, or added with [`Sculpture::add_pair`].
#[derive(Clone, Debug)]
pub(super) struct Sculpture {
    strokes: Vec<Stroke>,
    pub height: f32,
    limb: Limb,
    part: usize,
}

impl Sculpture {
    pub fn new(height: f32) -> Self {
        Self {
            strokes: Vec::new(),
            height,
            limb: Limb::Trunk,
            part: 0,
        }
    }

    /// The limb that the following strokes belong to.
    pub fn set_limb(&mut self, limb: Limb) {
        self.limb = limb;
    }

    /// The material of the following strokes.
    pub fn set_part(&mut self, part: usize) {
        self.part = part;
    }

    pub fn add(&mut self, blend: f32, shape: Shape) {
        self.push(Action::Add, blend, None, shape);
    }

    /// Adds a shape and its mirror image, which grow together near the middle plane.
    pub fn add_pair(&mut self, blend: f32, mirror_blend: f32, shape: Shape) {
        self.push(Action::Add, blend, Some(mirror_blend), shape);
    }

    pub fn carve(&mut self, blend: f32, shape: Shape) {
        self.push(Action::Carve, blend, None, shape);
    }

    pub fn paint(&mut self, part: usize, shape: Shape) {
        let kept = std::mem::replace(&mut self.part, part);
        self.push(Action::Paint, 0.0, None, shape);
        self.part = kept;
    }

    fn push(&mut self, action: Action, blend: f32, mirror_blend: Option<f32>, shape: Shape) {
        let reach = blend.max(mirror_blend.unwrap_or(0.0)) + REACH * self.height;
        self.strokes.push(Stroke {
            shape,
            action,
            blend,
            limb: self.limb,
            part: self.part,
            mirror_blend,
            reach,
        });
    }

    /// Signed distance to the figure, cut off flat at the floor.
    pub fn distance(&self, p: Vec3) -> f32 {
        let body = self.fold(Vec3::new(p.x.abs(), p.y, p.z), |_| true);
        -smooth_min(-body, p.y, SOLE_ROUNDING * self.height)
    }

    /// Direction of steepest ascent of the distance, unit length.
    pub fn normal(&self, p: Vec3) -> Vec3 {
        let step = 0.0004 * self.height;
        let slope = |axis: Vec3| self.distance(p + axis * step) - self.distance(p - axis * step);
        Vec3::new(slope(Vec3::X), slope(Vec3::Y), slope(Vec3::Z))
            .try_normalize()
            .unwrap_or(Vec3::Y)
    }

    /// Distance to what was added for one limb. Large where nothing was.
    pub fn limb_distance(&self, p: Vec3, limb: Limb) -> f32 {
        let of_limb = self
            .strokes
            .iter()
            .filter(|s| s.limb == limb && s.action == Action::Add);
        of_limb.map(|s| s.distance(p)).fold(f32::MAX, f32::min)
    }

    /// Negative where the surface has this material, zero along its border.
    pub fn part_border(&self, p: Vec3, part: usize) -> f32 {
        let painted = self
            .strokes
            .iter()
            .filter(|s| s.action == Action::Paint && s.part == part);
        let paint = painted.map(|s| s.distance(p)).fold(f32::MAX, f32::min);
        if !self
            .strokes
            .iter()
            .any(|s| s.action == Action::Add && s.part == part)
        {
            return paint;
        }
        paint.min(self.fold(p, |s| s.part == part) - self.fold(p, |s| s.part != part))
    }

    fn fold(&self, p: Vec3, chosen: impl Fn(&Stroke) -> bool) -> f32 {
        let mut distance = f32::MAX;
        for stroke in self
            .strokes
            .iter()
            .filter(|s| s.action != Action::Paint && chosen(s))
        {
            let own = stroke.distance(p);
            distance = match stroke.action {
                Action::Carve => -smooth_min(-distance, own, stroke.blend),
                _ => smooth_min(distance, own, stroke.blend),
            };
        }
        distance
    }
}
