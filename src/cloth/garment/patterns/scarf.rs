use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use super::super::body::Body;
use super::super::dress::{self, Weave};
use super::super::humanoid::Part;
use super::super::sheet::flat;
use super::super::surface::Surface;
use super::super::{Garment, LOOSE, fit};
use super::collar_y;

/// Metres from one border of the scarf to the other for a person of 1.75 m.
const WIDTH: f32 = 0.1;
/// How often it goes round the neck.
const TURNS: f32 = 2.25;
/// Metres of a person from the skin to the first turn, and from each turn to the next.
const EASE: f32 = 0.012;
const PITCH: f32 = 0.014;
/// Directions round the neck in which the skin's reach is looked at.
const DIRECTIONS: usize = 48;
/// Directions to either side whose reach counts too: the way round the chin and back is smooth.
const SPREAD: usize = 4;

/// The way of a scarf round neck and chin, from where it falls onto the shoulders.
pub(super) struct Scarf {
    /// Of the lower border, tailor space.
    middle: Vec3,
    /// Metres from there to the innermost turn, by direction from +Z to +X and on.
    reach: Vec<f32>,
    scale: f32,
}

impl Scarf {
    pub fn round(body: &Body) -> Self {
        let humanoid = &body.humanoid;
        let scale = humanoid.scale;
        let low = collar_y(body);
        let samples = body.samples(0.02 * scale, |(part, _)| {
            !part.is_leg() && !matches!(part, Part::Hand)
        });
        let is_level =
            |at: &&Vec3| (low - 0.03 * scale..low + (WIDTH + 0.01) * scale).contains(&at.y);
        let middle = (0.5 * (humanoid.neck + humanoid.head)).with_y(low);
        let mut reach = [0.0f32; DIRECTIONS];
        for at in samples.iter().filter(is_level) {
            let off = Vec2::new(at.z - middle.z, at.x - middle.x);
            let direction = off.to_angle().rem_euclid(TAU) / TAU * DIRECTIONS as f32;
            let direction = direction as usize % DIRECTIONS;
            reach[direction] = reach[direction].max(off.length());
        }
        let widest = |ix: usize| {
            let near = (0..=2 * SPREAD).map(|step| (ix + DIRECTIONS + step - SPREAD) % DIRECTIONS);
            near.map(|near| reach[near]).fold(0.0, f32::max) + EASE * scale
        };
        Self {
            middle,
            reach: (0..DIRECTIONS).map(widest).collect(),
            scale,
        }
    }

    /// Metres from the middle after so many turns from the front.
    fn radius(&self, turns: f32) -> f32 {
        let at = turns.rem_euclid(1.0) * DIRECTIONS as f32;
        let (ix, share) = (at as usize, at.fract());
        let [near, next] = [ix, ix + 1].map(|ix| self.reach[ix % DIRECTIONS]);
        near + share * (next - near) + PITCH * self.scale * turns
    }

    /// Metres from the inner end at every step of so many of a turn, and where that is, from the middle.
    fn way(&self) -> Vec<(f32, Vec3)> {
        let steps = (DIRECTIONS as f32 * TURNS) as usize;
        let mut way: Vec<(f32, Vec3)> = Vec::with_capacity(steps + 1);
        for step in 0..=steps {
            let turns = step as f32 / DIRECTIONS as f32;
            let (sin, cos) = (TAU * turns).sin_cos();
            let at = self.radius(turns) * Vec3::new(sin, 0.0, cos);
            let gone = way
                .last()
                .map_or(0.0, |(gone, last)| gone + last.distance(at));
            way.push((gone, at));
        }
        way
    }

    /// Metres from end to end.
    fn length(&self) -> f32 {
        self.way().last().map_or(0.0, |last| last.0)
    }

    /// Square metres.
    pub fn area(&self) -> f32 {
        self.length() * WIDTH * self.scale
    }

    /// Wound from the front, outwards to the left.
    fn surface(&self, particle_count: usize) -> Surface {
        let way = self.way();
        let size = Vec2::new(self.length(), WIDTH * self.scale);
        let mut surface = flat(0.5 * Vec3::new(size.x, 0.0, size.y), size, particle_count);
        for at in &mut surface.positions {
            let next = way
                .partition_point(|step| step.0 < at.x)
                .clamp(1, way.len() - 1);
            let ((from, here), (to, there)) = (way[next - 1], way[next]);
            let out = here.lerp(there, (at.x - from) / (to - from));
            // The upper side of `flat`, whose rows go along +Z, is to be outside.
            *at = self.middle + out + (size.y - at.z) * Vec3::Y;
        }
        surface
    }

    /// The garment, of so many particles.
    pub fn sew(&self, body: &Body, particle_count: usize) -> Garment {
        let covered = body.tree_of(|(part, _)| matches!(part, Part::Torso | Part::Neck));
        let mut surface = self.surface(particle_count);
        fit::keep_clear(&mut surface, body, &covered);
        let weave = Weave {
            body,
            covered: &covered,
            weight_radius: 0.08 * self.scale,
        };
        // Its upper border at the nape, from where it does not slip off.
        let half_nape = 0.03 * self.scale;
        let upper = self.middle.y + 0.7 * WIDTH * self.scale;
        let held = |at: Vec3| {
            let is_nape = at.z < self.middle.z && (at.x - self.middle.x).abs() < half_nape;
            (is_nape && at.y > upper).then_some(LOOSE)
        };
        Garment {
            name: "scarf".to_owned(),
            mesh: weave.mesh(&surface),
            attachments: dress::attachments(&surface, held),
            rest_positions: Vec::new(),
            clearances: Vec::new(),
            layered: Default::default(),
            motion: Vec::new(),
            drawn: None,
            base_colour: [0.35, 0.05, 0.07, 1.0],
        }
    }
}
