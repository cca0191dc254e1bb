//! Skin that a garment covers as it was made, and later no longer.
//!
//! A ray leaves the middle of a skin triangle along its normal, from a little beneath. The garment covers the triangle if
//! the first cloth that the ray meets is met from within, from the side that the cloth's normals face away from. The
//! cloth round another limb is met from outside first, so it covers nothing but that limb; and cloth that lies behind
//! another part of the body does not count either.
//!
//! Not judged: skin near the garment's hems, which slide a little whatever is worn. Skin that is bare but lies inside
//! another part of the body or right against it counts as covered: it is not visible.
//!
//! Of what is bare by its normal alone, that is *seen* from which some line leads out of the body and all of its clothes: a crease
//! whose cloth has slipped out of it is bare, and nobody sees into it.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::TAU;

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::skin::{Skin, area_normal};
use crate::math::triangle_tree::TriangleTree;

/// How far beneath the skin the ray begins, metres of a person, as all lengths here: cloth sunk in less than that still covers it.
const BENEATH: f64 = 0.003;
/// How far above the skin cloth covers it as made, metres, of a person 1.75 m tall. Wider cloth hangs beside what it covers.
const REST_REACH: f64 = 0.1;
/// How far it may hang off later. What another limb wears is told apart by its side, so this may be far.
const REACH: f64 = 0.3;
/// Skin that was covered within this distance of a hem is not judged, metres, of a person 1.75 m tall: a lifted knee draws a
/// trouser leg up by as much.
const HEM: f64 = 0.05;
/// Other skin within this distance above, metres, hides skin from sight.
const HIDING: f64 = 0.01;
/// Cloth this near, metres, has no other part of the body before it.
const NEAR: f64 = 0.02;
/// Off the skin itself, metres.
const ABOVE: f64 = 0.001;
/// Lines of sight to all sides, of which half lead off a triangle. Usually 128, 18 degrees apart; with fewer, slits hide what lies beneath them.
const LINES_OF_SIGHT: usize = 128;
/// Nothing of the body is farther, metres.
const OUTSIDE: f64 = 4.0;

const GOLDEN_RATIO: f64 = 1.618_033_988_749_895;

/// Bare skin in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Bareness {
    /// Square metres of the skin that is judged, as it is in the frame.
    pub covered_at_rest: f64,
    /// Square metres of it that are bare.
    pub bare: f64,
    /// Square metres of what is bare that can be seen.
    pub seen: f64,
}

impl Bareness {
    /// Percent of what is judged.
    pub fn percent(&self, area: f64) -> f64 {
        100.0 * area / self.covered_at_rest.max(f64::MIN_POSITIVE)
    }
}

/// What may be between bare skin and who looks: the body and all that it wears.
#[derive(Clone, Debug)]
pub(super) struct Sight<'a> {
    pub skin: &'a Skin,
    pub clothes: Vec<&'a TriangleTree>,
}

impl Sight<'_> {
    /// Whether a line leads from a place just above the skin out of everything.
    fn reaches(&self, ray: Ray) -> bool {
        let above = ray.above();
        let is_clear = |line: DVec3| {
            let mut trees = self.clothes.iter().copied().chain([&self.skin.tree]);
            trees.all(|tree| tree.first_hit(above, line, OUTSIDE * ray.size).is_none())
        };
        (0..LINES_OF_SIGHT)
            .map(line_of_sight)
            .any(|line| line.dot(ray.normal) > 0.0 && is_clear(line))
    }
}

/// The directions of a Fibonacci lattice on the sphere.
fn line_of_sight(ix: usize) -> DVec3 {
    let turn = TAU * (ix as f64 * GOLDEN_RATIO).fract();
    let up = 1.0 - (2 * ix + 1) as f64 / LINES_OF_SIGHT as f64;
    let across = (1.0 - up * up).sqrt();
    DVec3::new(across * turn.cos(), up, across * turn.sin())
}

/// The skin triangles that a garment is to cover.
#[derive(Clone, Debug)]
pub(super) struct Covered {
    triangles: Vec<[u32; 3]>,
    reach: f64,
}

impl Covered {
    /// Finds out what the garment covers as it was made.
    pub fn new(cloth: &TriangleTree, skin: &Skin, hem: &Hem) -> Self {
        let size = skin.size;
        let is_covered = |triangle: &[u32; 3]| {
            let ray = Ray::off(skin.corners(*triangle), size);
            let hit = ray.and_then(|ray| ray.first_cloth(cloth, REST_REACH * size));
            hit.is_some_and(|point| !hem.is_near(point, HEM * size))
        };
        Self {
            triangles: skin
                .triangles
                .par_iter()
                .filter(|triangle| is_covered(triangle))
                .copied()
                .collect(),
            reach: REACH * size,
        }
    }

    /// `cloth`: the garment's own.
    pub fn measure(&self, cloth: &TriangleTree, sight: &Sight) -> Bareness {
        let skin = sight.skin;
        let judged: Vec<(f64, Bare)> = self
            .triangles
            .par_iter()
            .map(|&triangle| {
                let corners = skin.corners(triangle);
                let ray = Ray::off(corners, skin.size);
                let bare = ray.filter(|ray| ray.is_bare(cloth, skin, self.reach));
                let how = match bare {
                    None => Bare::Not,
                    Some(ray) if sight.reaches(ray) => Bare::Seen,
                    Some(_) => Bare::Hidden,
                };
                (0.5 * area_normal(corners).length(), how)
            })
            .collect();
        let area_from = |least: Bare| {
            let kept = judged.iter().filter(|&&(_, how)| how >= least);
            kept.fold(0.0, |sum, &(area, _)| sum + area)
        };
        Bareness {
            covered_at_rest: area_from(Bare::Not),
            bare: area_from(Bare::Hidden),
            seen: area_from(Bare::Seen),
        }
    }
}

/// Whether a skin triangle is bare.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bare {
    Not,
    Hidden,
    Seen,
}

/// What is looked along from a skin triangle.
#[derive(Clone, Copy)]
struct Ray {
    on_skin: DVec3,
    normal: DVec3,
    /// [`Skin::size`].
    size: f64,
}

impl Ray {
    /// None off a triangle without area.
    fn off(corners: [DVec3; 3], size: f64) -> Option<Self> {
        Some(Self {
            size,
            on_skin: corners.into_iter().sum::<DVec3>() / 3.0,
            normal: area_normal(corners).try_normalize()?,
        })
    }

    /// Just above the skin.
    fn above(self) -> DVec3 {
        self.on_skin + ABOVE * self.size * self.normal
    }

    /// Where the ray meets cloth first, if from within.
    fn first_cloth(self, cloth: &TriangleTree, reach: f64) -> Option<DVec3> {
        let beneath = BENEATH * self.size;
        let origin = self.on_skin - beneath * self.normal;
        let hit = cloth.first_hit(origin, self.normal, reach + beneath)?;
        hit.leaves.then(|| origin + hit.distance * self.normal)
    }

    fn is_bare(self, cloth: &TriangleTree, skin: &Skin, reach: f64) -> bool {
        let covered_at = self
            .first_cloth(cloth, reach)
            .map(|point| self.normal.dot(point - self.on_skin));
        let off_skin = ABOVE * self.size;
        let above = self.above();
        let skin_within = |reach: f64| skin.tree.first_hit(above, self.normal, reach).is_some();
        match covered_at {
            Some(height) if height < NEAR * self.size || !skin_within(height - off_skin) => false,
            _ => !skin_within(HIDING * self.size) && !skin.tree.contains_either_way(above),
        }
    }
}

/// Where a garment ends: the middles of the edges that only one of its triangles has.
#[derive(Clone, Debug, Default)]
pub(super) struct Hem {
    points: Vec<DVec3>,
}

impl Hem {
    /// Vertices that lie on each other count as one, so that a seam is no hem.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let mut first_at = BTreeMap::new();
        let mut welded = |ix: u32| {
            let place = positions[ix as usize].to_array().map(f32::to_bits);
            *first_at.entry(place).or_insert(ix)
        };
        let (mut once, mut more) = (BTreeSet::new(), BTreeSet::new());
        for triangle in triangles {
            let [a, b, c] = triangle.map(&mut welded);
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let edge = (from.min(to), from.max(to));
                if !once.insert(edge) {
                    more.insert(edge);
                }
            }
        }
        let middle = |&(a, b): &(u32, u32)| {
            (positions[a as usize].as_dvec3() + positions[b as usize].as_dvec3()) * 0.5
        };
        Self {
            points: once.difference(&more).map(middle).collect(),
        }
    }

    fn is_near(&self, point: DVec3, distance: f64) -> bool {
        let limit = distance * distance;
        self.points
            .iter()
            .any(|hem| hem.distance_squared(point) < limit)
    }
}
