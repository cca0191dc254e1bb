//! How well cloth stays outside of rigid solids, judged in f64 by the shapes themselves: by their formulas, and of a sampled solid by the
//! mesh that its field was made of, never by the field.

use std::collections::VecDeque;

use glam::{DMat4, DVec2, DVec3, Mat4, Vec3};
use rayon::prelude::*;
use serde::Serialize;

use super::INSIDE_DEPTH;
use crate::math::triangle_tree::TriangleTree;

/// Points of each side of a cloth's triangle that are looked at, with those between: of usual cloth, 3 cm, every 5 mm.
const POINTS: u32 = 6;

/// Frames of the end: half a second, in which cloth that has settled stays so.
pub const LATE_FRAMES: usize = 30;

/// What is judged by.
pub enum JudgedShape {
    HalfSpace,
    Sphere { radius: f64 },
    Capsule { half_length: f64, radius: f64 },
    Box { half_size: DVec3 },
    Torus { radius: f64, tube_radius: f64 },
    Mesh(Box<TriangleTree>),
}

/// Cloth and solids in a frame, world space.
#[derive(Clone, Copy)]
pub struct SolidFrame<'a> {
    /// One per solid, even in scale.
    pub places: &'a [Mat4],
    pub particles: &'a [Vec3],
    /// Of the cloth.
    pub triangles: &'a [[u32; 3]],
}

/// Over all frames judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SolidQuality {
    pub frames: usize,
    /// Particles deeper than [`INSIDE_DEPTH`] in any solid: of all in all frames.
    pub inside_fraction: f64,
    /// The deepest any particle went.
    pub max_penetration_mm: f64,
    /// Triangles of cloth of which a point is deeper than [`INSIDE_DEPTH`] in a solid, in the last frame, in the worst of the last
    /// [`LATE_FRAMES`], and in the worst of all.
    pub pierced_last: usize,
    pub pierced_late: usize,
    pub pierced_most: usize,
}

/// Sums up frames.
pub struct SolidOracle {
    shapes: Vec<Option<JudgedShape>>,
    quality: SolidQuality,
    inside: usize,
    looked_at: usize,
    /// Pierced triangles of the last frames, the newest last.
    late: VecDeque<usize>,
}

impl JudgedShape {
    /// Metres that a point in the solid's space is inside; negative or zero outside.
    fn depth(&self, at: DVec3) -> f64 {
        match *self {
            Self::HalfSpace => -at.y,
            Self::Sphere { radius } => radius - at.length(),
            Self::Capsule {
                half_length,
                radius,
            } => radius - (at - DVec3::Y * at.y.clamp(-half_length, half_length)).length(),
            Self::Box { half_size } => (half_size - at.abs()).min_element(),
            Self::Torus {
                radius,
                tube_radius,
            } => tube_radius - DVec2::new(DVec2::new(at.x, at.z).length() - radius, at.y).length(),
            Self::Mesh(ref tree) => match tree.contains_either_way(at) {
                false => 0.0,
                true => tree
                    .nearest_point(at, f64::INFINITY)
                    .map_or(0.0, |nearest| nearest.distance),
            },
        }
    }
}

impl SolidOracle {
    /// One per solid; none for one that is not judged.
    pub fn new(shapes: Vec<Option<JudgedShape>>) -> Self {
        Self {
            shapes,
            quality: SolidQuality::default(),
            inside: 0,
            looked_at: 0,
            late: VecDeque::with_capacity(LATE_FRAMES),
        }
    }

    /// Judges a frame.
    pub fn measure(&mut self, frame: &SolidFrame) {
        let placed = self.shapes.iter().zip(frame.places);
        let solids: Vec<_> = placed
            .filter_map(|(shape, place)| Some(Placed::new(shape.as_ref()?, place)))
            .collect();
        let depth = |at: DVec3| {
            let depths = solids.iter().map(|solid| solid.depth(at));
            depths.fold(0.0, f64::max)
        };
        let depths: Vec<f64> = frame
            .particles
            .par_iter()
            .map(|particle| depth(particle.as_dvec3()))
            .collect();
        let is_pierced = |triangle: &&[u32; 3]| {
            let corners = triangle.map(|ix| frame.particles[ix as usize].as_dvec3());
            points_of(corners).any(|at| depth(at) > INSIDE_DEPTH)
        };
        let pierced = frame.triangles.par_iter().filter(is_pierced).count();
        self.looked_at += depths.len();
        self.inside += depths.iter().filter(|depth| **depth > INSIDE_DEPTH).count();
        let deepest = depths.into_iter().fold(0.0, f64::max);
        let quality = &mut self.quality;
        quality.frames += 1;
        quality.inside_fraction = self.inside as f64 / self.looked_at.max(1) as f64;
        quality.max_penetration_mm = quality.max_penetration_mm.max(1e3 * deepest);
        quality.pierced_last = pierced;
        if self.late.len() == LATE_FRAMES {
            self.late.pop_front();
        }
        self.late.push_back(pierced);
        quality.pierced_late = self.late.iter().copied().max().unwrap_or(0);
        quality.pierced_most = quality.pierced_most.max(pierced);
    }

    /// Over all frames judged so far.
    pub fn quality(&self) -> SolidQuality {
        self.quality
    }
}

/// A solid where it is.
struct Placed<'a> {
    shape: &'a JudgedShape,
    solid_from_world: DMat4,
    /// Metres of the world for one of the solid's.
    scale: f64,
}

impl<'a> Placed<'a> {
    fn new(shape: &'a JudgedShape, place: &Mat4) -> Self {
        let world_from_solid = place.as_dmat4();
        Self {
            shape,
            solid_from_world: world_from_solid.inverse(),
            scale: world_from_solid.determinant().abs().cbrt(),
        }
    }

    fn depth(&self, at: DVec3) -> f64 {
        self.scale * self.shape.depth(self.solid_from_world.transform_point3(at))
    }
}

/// Evenly over a triangle, its corners and sides among them.
fn points_of([a, b, c]: [DVec3; 3]) -> impl Iterator<Item = DVec3> {
    let rows = 0..=POINTS;
    rows.flat_map(move |i| {
        (0..=POINTS - i).map(move |k| {
            let [along_b, along_c] = [i, k].map(|n| f64::from(n) / f64::from(POINTS));
            a + (b - a) * along_b + (c - a) * along_c
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(shape: JudgedShape, particles: &[Vec3], triangles: &[[u32; 3]]) -> SolidQuality {
        let mut oracle = SolidOracle::new(vec![Some(shape)]);
        let place = Mat4::from_scale_rotation_translation(
            Vec3::splat(2.0),
            glam::Quat::from_rotation_z(0.3),
            Vec3::X,
        );
        let moved: Vec<_> = particles
            .iter()
            .map(|at| place.transform_point3(*at))
            .collect();
        oracle.measure(&SolidFrame {
            places: &[place],
            particles: &moved,
            triangles,
        });
        oracle.quality()
    }

    fn cube() -> TriangleTree {
        let corner = |ix: u32| Vec3::new((ix & 1) as f32, (ix >> 1 & 1) as f32, (ix >> 2) as f32);
        let positions: Vec<_> = (0..8).map(|ix| corner(ix) - 0.5).collect();
        let sides = [
            [0, 6, 4],
            [0, 2, 6],
            [1, 7, 3],
            [1, 5, 7],
            [0, 5, 1],
            [0, 4, 5],
            [2, 7, 6],
            [2, 3, 7],
            [0, 3, 2],
            [0, 1, 3],
            [4, 7, 5],
            [4, 6, 7u32],
        ];
        TriangleTree::new(&positions, &sides)
    }

    #[test]
    fn depths_are_those_of_the_shapes_whatever_their_place() {
        let half = 0.5;
        let at = Vec3::new(0.4, 0.0, 0.0);
        for (shape, depth) in [
            (JudgedShape::HalfSpace, 0.0),
            (JudgedShape::Sphere { radius: half }, 0.1),
            (
                JudgedShape::Capsule {
                    half_length: 0.2,
                    radius: half,
                },
                0.1,
            ),
            (
                JudgedShape::Box {
                    half_size: DVec3::splat(half),
                },
                0.1,
            ),
            (
                JudgedShape::Torus {
                    radius: 0.4,
                    tube_radius: 0.05,
                },
                0.05,
            ),
            (JudgedShape::Mesh(Box::new(cube())), 0.1),
        ] {
            // Everything is twice as large in the world.
            let found = judged(shape, &[at, 3.0 * Vec3::ONE], &[]).max_penetration_mm;
            assert!(
                (found - 2e3 * depth).abs() < 1e-3,
                "{found} mm, not {depth} m"
            );
        }
    }

    #[test]
    fn a_triangle_whose_corners_are_outside_may_be_pierced() {
        let corners = [
            Vec3::new(-2.0, 0.4, -2.0),
            Vec3::new(2.0, 0.4, -2.0),
            Vec3::new(0.0, 0.4, 3.0),
        ];
        let above = corners.map(|at| at + 0.2 * Vec3::Y);
        let all = [corners, above].concat();
        let found = judged(
            JudgedShape::Mesh(Box::new(cube())),
            &all,
            &[[0, 1, 2], [3, 4, 5]],
        );
        assert_eq!((found.pierced_last, found.inside_fraction), (1, 0.0));
    }
}
