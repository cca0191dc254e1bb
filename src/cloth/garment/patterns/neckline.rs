//! Where garments end at the neck.

use glam::Vec3;

use super::super::body::Body;
use super::super::humanoid::Part;

/// Past its radius the cut rises by this much per metre away from the neck, so that it spares high shoulders.
const RISE: f32 = 2.0;

/// A cut round the base of the neck: above a plane that dips to the front and turns up past a radius round the neck.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neckline {
    /// A point on the plane, on the line of the neck.
    base: Vec3,
    /// Upwards along the neck.
    along: Vec3,
    normal: Vec3,
    /// Where the plane turns up, metres from the line of the neck.
    radius: f32,
}

impl Neckline {
    /// `rise`: how far the cut lies above the base of the neck, or above the shoulders beside it where they are
    /// higher, metres; `dip`: by how much per metre it falls forward.
    pub fn new(body: &Body, rise: f32, dip: f32) -> Self {
        let humanoid = &body.humanoid;
        let along = (humanoid.head - humanoid.neck).normalize_or(Vec3::Y);
        let normal = Vec3::new(0.0, 1.0, dip).normalize();
        let radius = neck_radius(body, along) + 0.035 * humanoid.scale;
        let beside = shoulder_line_y(body, radius + 0.015 * humanoid.scale);
        let lift = (beside - humanoid.neck.y).clamp(0.0, 0.03 * humanoid.scale);
        Self {
            base: humanoid.neck + (rise + lift) * Vec3::Y,
            along,
            normal,
            radius,
        }
    }

    /// Positive where cloth is cut away.
    pub fn side(&self, point: Vec3) -> f32 {
        let from_base = point - self.base;
        let off_line = (from_base - from_base.dot(self.along) * self.along).length();
        from_base.dot(self.normal) - RISE * (off_line - self.radius).max(0.0)
    }

    /// Metres from the cut's plane, down along the body.
    pub fn depth(&self, point: Vec3) -> f32 {
        -(point - self.base).dot(self.normal)
    }

    /// Whether a point belongs to the collar: no deeper than `width`, and not far off the neck.
    pub fn is_collar(&self, point: Vec3, width: f32) -> bool {
        let from_base = point - self.base;
        let off_line = (from_base - from_base.dot(self.along) * self.along).length();
        self.depth(point) < width && off_line < self.radius + width
    }
}

/// Height of the skin beside the neck, `radius` metres off its middle.
fn shoulder_line_y(body: &Body, radius: f32) -> f32 {
    let humanoid = &body.humanoid;
    let samples = body.samples(0.01 * humanoid.scale, |(part, _)| {
        matches!(part, Part::Torso | Part::Neck)
    });
    let beside = samples
        .into_iter()
        .map(|sample| sample - humanoid.neck)
        .filter(|from_neck| {
            (from_neck.x.abs() - radius).abs() < 0.01 * humanoid.scale
                && from_neck.z.abs() < 0.04 * humanoid.scale
        });
    humanoid.neck.y + beside.map(|from_neck| from_neck.y).fold(-radius, f32::max)
}

/// Half the thickness of the neck, from the skin that moves with it.
fn neck_radius(body: &Body, along: Vec3) -> f32 {
    let humanoid = &body.humanoid;
    let length = humanoid.head.distance(humanoid.neck);
    let samples = body.samples(f32::INFINITY, |(part, _)| part == Part::Neck);
    let mut radii: Vec<f32> = samples
        .into_iter()
        .map(|sample| sample - humanoid.neck)
        .filter(|from_base| (0.2 * length..0.8 * length).contains(&from_base.dot(along)))
        .map(|from_base| (from_base - from_base.dot(along) * along).length())
        .collect();
    radii.sort_by(f32::total_cmp);
    let usual = 0.06 * humanoid.scale;
    // The lower third: on a thick neck much of that skin already runs out to the shoulders.
    radii
        .get(radii.len() / 3)
        .copied()
        .unwrap_or(usual)
        .clamp(0.5 * usual, 1.8 * usual)
}
