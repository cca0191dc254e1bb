//! The patterns: for each kind of garment the volume it encloses, where that is cut open, and where it is held.

mod armhole;
mod arms;
mod cape;
mod neckline;
mod overcoat;
mod scarf;
mod skirt;
mod top;
mod trousers;

use crate::math::triangle_tree::TriangleTree;
use glam::Vec3;

use super::body::{Body, Role, is_within};
use super::canvas::Canvas;
use super::dress::{self, Weave};
use super::field::{Field, smooth_min};
use super::humanoid::{Humanoid, Part, Side};
use super::isosurface::isosurface;
use super::remesh::remesh;
use super::surface::Surface;
use super::tube::Tube;
use super::{Garment, GarmentError, GarmentKind, fit, moved};
use arms::Arms;
use scarf::Scarf;
use trousers::Rise;

/// Rings of a tube are this far apart, metres for a person of 1.75 m.
const RING_STEP: f32 = 0.01;
/// Samples of the skin that a tube is wrapped round are at most this far apart.
const SAMPLE_SPACING: f32 = 0.012;
/// Half the greatest span of arms, metres for a person of 1.75 m: no garment's grid is wider.
const GREATEST_REACH: f32 = 1.1;
/// Holes with a shorter border are accidents of cuts that meet, metres for a person of 1.75 m. A tight cuff has 0.2.
const SMALL_HOLE: f32 = 0.1;

/// The grid reaches further than a tube by this, metres for a person of 1.75 m: two cells, so that its surface closes.
const RIM: f32 = 0.024;

pub(super) fn make(
    kind: GarmentKind,
    body: &Body,
    particle_count: usize,
) -> Result<Vec<Garment>, GarmentError> {
    match kind {
        GarmentKind::TrousersAndTop => Ok(sew(body, &trousers_and_top(body)?.1, particle_count)),
        GarmentKind::OvercoatOverAll => {
            let (arms, mut cut) = trousers_and_top(body)?;
            let volumes: Vec<_> = cut.iter().map(|(inner, _)| &inner.volume).collect();
            let coat = overcoat::cut_over(body, &volumes, arms)?;
            cut.push((coat.pattern, coat.cloth));
            Ok(sew(body, &cut, particle_count))
        }
        GarmentKind::LooseTrousers => {
            trousers::pattern(body, Rise::Hips).make(body, particle_count)
        }
        GarmentKind::Overcoat => {
            let coat = overcoat::cut(body)?;
            Ok(sew(body, &[(coat.pattern, coat.cloth)], particle_count))
        }
        GarmentKind::Cape => cape::pattern(body, &[]).make(body, particle_count),
        GarmentKind::CapeOverCoat => {
            let coat = overcoat::cut(body)?;
            let cape = cape::pattern(body, &[&coat.pattern.volume]);
            let cloth = cape.cut(body)?;
            let cut = [(coat.pattern, coat.cloth), (cape, cloth)];
            Ok(sew(body, &cut, particle_count))
        }
        GarmentKind::Skirt => skirt::pattern(body).make(body, particle_count),
        GarmentKind::SkirtAndTop => {
            let skirt = skirt::pattern(body);
            let cloth = skirt.cut(body)?;
            let top = top::cut(body, (&skirt, skirt::waist_y(body)))?;
            let cut = [(skirt, cloth), (top.pattern, top.cloth)];
            Ok(sew(body, &cut, particle_count))
        }
        GarmentKind::ScarfOverTop => {
            let (_, cut) = trousers_and_top(body)?;
            let scarf = Scarf::round(body);
            let beneath: f32 = cut.iter().map(|(_, cloth)| cloth.surface.area()).sum();
            let share = scarf.area() / (scarf.area() + beneath);
            let count = (share * particle_count as f32).round() as usize;
            let mut garments = sew(body, &cut, particle_count - count);
            garments.push(scarf.sew(body, count));
            Ok(garments)
        }
    }
}

/// Patterns with what is cut by them, the innermost first.
type Cut<'a> = Vec<(Pattern<'a>, Cloth)>;

/// What is cut by a pattern.
struct Cloth {
    surface: Surface,
    /// Whether it is held beside what clips bury.
    is_held: bool,
}

/// Both, and what the top does about arms.
fn trousers_and_top<'a>(body: &'a Body) -> Result<(Arms, Cut<'a>), GarmentError> {
    let (trousers, cloth) = trousers::cut(body)?;
    let top = top::cut(body, (&trousers, trousers::waist_y(body)))?;
    let cut = vec![(trousers, cloth), (top.pattern, top.cloth)];
    Ok((top.arms, cut))
}

/// Garments of so many particles together, as close to each other in one as in another.
fn sew(body: &Body, cut: &[(Pattern, Cloth)], particle_count: usize) -> Vec<Garment> {
    let (mut area, mut left) = (
        cut.iter()
            .map(|(_, cloth)| cloth.surface.area())
            .sum::<f32>(),
        particle_count,
    );
    let sewn = cut.iter().map(|(pattern, cloth)| {
        let own = cloth.surface.area();
        let count = (own / area * left as f32).round() as usize;
        (area, left) = (area - own, left - count.min(left));
        pattern.sew(body, cloth, count)
    });
    sewn.collect()
}

/// A function of position in tailor space.
type PlaceFn<'a, T> = Box<dyn Fn(Vec3) -> T + Sync + 'a>;

/// A garment before it is cut.
struct Pattern<'a> {
    name: &'static str,
    /// Distance to the volume it encloses.
    volume: Field,
    /// Each keeps the part where it is negative.
    cuts: Vec<PlaceFn<'a, f32>>,
    /// Compliance of the attachment of a particle, where it has one.
    held: PlaceFn<'a, Option<f32>>,
    /// The skin it takes its weights from.
    covered: TriangleTree,
    /// See [`Weave::weight_radius`].
    weight_radius: f32,
    /// Whether clips cut it on a body of one piece too, where arms go into that.
    is_cut_by_arms: bool,
    /// Metres that arms and head keep from it where clips cut it on a body of pieces.
    room_at_arms: f32,
    base_colour: [f32; 4],
}

impl Pattern<'_> {
    fn make(&self, body: &Body, particle_count: usize) -> Result<Vec<Garment>, GarmentError> {
        let cloth = self.cut(body)?;
        Ok(vec![self.sew(body, &cloth, particle_count)])
    }

    /// Its surface, without what the clips bury where they are known and enough is left.
    fn cut(&self, body: &Body) -> Result<Cloth, GarmentError> {
        Ok(self.trim(body, self.whole(body)?))
    }

    /// What is left of a surface of it where clips bury some.
    fn trim(&self, body: &Body, whole: Surface) -> Cloth {
        let is_asked = body.is_of_pieces || self.is_cut_by_arms;
        let trimmed = is_asked.then(|| self.trimmed(body, &whole)).flatten();
        match trimmed {
            Some(surface) => Cloth {
                surface,
                is_held: true,
            },
            // On pieces cloth beside what they bury is held even where it is not cut.
            None => Cloth {
                surface: whole,
                is_held: body.is_of_pieces && !body.poses.is_empty(),
            },
        }
    }

    fn trimmed(&self, body: &Body, whole: &Surface) -> Option<Surface> {
        (!body.poses.is_empty())
            .then(|| moved::trimmed(&self.weave(body), whole, self.room_at_arms))
            .flatten()
    }

    fn weave<'b>(&'b self, body: &'b Body<'b>) -> Weave<'b> {
        Weave {
            body,
            covered: &self.covered,
            weight_radius: self.weight_radius,
        }
    }

    fn whole(&self, body: &Body) -> Result<Surface, GarmentError> {
        let whole = isosurface(&self.volume);
        let cut = self
            .cuts
            .iter()
            .fold(whole, |surface, cut| surface.clipped(cut));
        let piece = cut
            .without_pinches()
            .largest_piece()
            .without_small_holes(SMALL_HOLE * body.humanoid.scale);
        if piece.triangles.is_empty() {
            return Err(GarmentError::NoSurface {
                avatar: body.avatar.name.clone(),
                place: self.name,
            });
        }
        Ok(piece)
    }

    fn sew(&self, body: &Body, cut: &Cloth, particle_count: usize) -> Garment {
        let mut surface = remesh(&cut.surface, particle_count);
        fit::keep_clear(&mut surface, body, &self.covered);
        let mesh = self.weave(body).mesh(&surface);
        let mut attachments = dress::attachments(&surface, &self.held);
        if cut.is_held {
            attachments.extend(moved::holds(body, &surface, &mesh));
            // The pattern's own stay, which stand before the others.
            attachments.sort_by_key(|held| held.particle_ix);
            attachments.dedup_by_key(|held| held.particle_ix);
        }
        Garment {
            name: self.name.to_owned(),
            mesh,
            attachments,
            rest_positions: Vec::new(),
            clearances: Vec::new(),
            layered: Default::default(),
            motion: Vec::new(),
            drawn: None,
            base_colour: self.base_colour,
        }
    }
}

/// The distance to cloth that keeps off what is worn `beneath` it by `gap` metres; both blend within `blend`.
fn over(cloth: f32, beneath: &[&Field], point: Vec3, gap: f32, blend: f32) -> f32 {
    beneath.iter().fold(cloth, |cloth, inner| {
        smooth_min(cloth, inner.sample_within(point) - gap, blend)
    })
}

/// The box round the chosen skin between two heights, with `margin` on all sides, metres.
fn bounds(
    body: &Body,
    heights: std::ops::Range<f32>,
    margin: f32,
    chosen: impl Fn((Part, Side)) -> bool,
) -> (Vec3, Vec3) {
    let grown = |(min, max): (Vec3, Vec3), at: Vec3| (min.min(at), max.max(at));
    let none = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let corners = body.triangles(&chosen).flatten();
    let (mut min, mut max) = corners
        .filter(|at| heights.contains(&at.y))
        .fold(none, grown);
    let within = body
        .triangles(&chosen)
        .flat_map(|corners| slab(corners, &heights));
    let (low, high) = within.fold(none, grown);
    // What the margin holds anyway moves no grid.
    let slack = Vec3::splat(0.5 * margin);
    min = Vec3::select(low.cmplt(min - slack), low, min);
    max = Vec3::select(high.cmpgt(max + slack), high, max);
    // Symmetric about the middle, so that both sides of a garment see the same grid, and no larger than a person can
    // be: a skin in other units than its skeleton must not fill the memory.
    let (humanoid, most) = (&body.humanoid, GREATEST_REACH * body.humanoid.scale);
    let mid = Vec3::new(humanoid.mid_x(), 0.0, humanoid.legs[0].root.z);
    (min, max) = (
        (min - mid).clamp(Vec3::splat(-most), Vec3::ZERO),
        (max - mid).clamp(Vec3::ZERO, Vec3::splat(most)),
    );
    let half = max.x.max(-min.x);
    let min = Vec3::new(mid.x - half, heights.start, mid.z + min.z) - Vec3::splat(margin);
    let max = Vec3::new(mid.x + half, heights.end, mid.z + max.z) + Vec3::splat(margin);
    (min, max)
}

/// The corners of what lies of a triangle between two heights: triangles of a coarse skin may be taller than that.
fn slab([a, b, c]: [Vec3; 3], heights: &std::ops::Range<f32>) -> impl Iterator<Item = Vec3> {
    let (low, high) = (heights.start, heights.end);
    let clipped = move |(from, to): (Vec3, Vec3)| {
        let ends = if from.y <= to.y {
            (from, to)
        } else {
            (to, from)
        };
        let rise = (ends.1.y - ends.0.y).max(f32::MIN_POSITIVE);
        let at = |y: f32| ends.0.lerp(ends.1, ((y - ends.0.y) / rise).clamp(0.0, 1.0));
        (ends.0.y <= high && ends.1.y >= low).then(|| [at(low), at(high)])
    };
    [(a, b), (b, c), (c, a)]
        .into_iter()
        .filter_map(clipped)
        .flatten()
}

/// Height above which no garment reaches: over the neck's base and over shoulders or a hump that rise past it.
fn collar_y(body: &Body) -> f32 {
    let torso = body.samples(f32::INFINITY, |(part, _)| part == Part::Torso);
    let (neck_y, scale) = (body.humanoid.neck.y, body.humanoid.scale);
    let highest = torso
        .into_iter()
        .map(|sample| sample.y)
        .fold(neck_y, f32::max);
    highest.min(neck_y + 0.3 * scale) + 0.04 * scale
}

/// The roles of a garment that covers the legs as two tubes.
fn trousers_role(part: Part, side: Side) -> Role {
    match (part, side) {
        (Part::Torso, _) => Role::Trunk,
        (Part::Foot, _) => Role::Ignored,
        (part, Side::Left) if part.is_leg() => Role::LeftTube,
        (part, Side::Right) if part.is_leg() => Role::RightTube,
        (part, _) if part.is_arm() => Role::Avoided,
        _ => Role::Ignored,
    }
}

/// The roles of a garment that covers trunk and arms, and hangs over the legs.
fn coat_role(part: Part, side: Side) -> Role {
    match (part, side) {
        (Part::Torso | Part::Neck, _) => Role::Trunk,
        (Part::Hand, _) => Role::Avoided,
        (Part::UpperArm | Part::LowerArm, Side::Left) => Role::LeftTube,
        (Part::UpperArm | Part::LowerArm, Side::Right) => Role::RightTube,
        (part, _) if part.is_leg() => Role::Trunk,
        _ => Role::Ignored,
    }
}

/// A box widened to hold tubes too, where they lean out of it.
fn around((min, max): (Vec3, Vec3), tubes: &[&Tube], humanoid: &Humanoid) -> (Vec3, Vec3) {
    let rim = Vec3::splat(RIM * humanoid.scale) * Vec3::new(1.0, 0.0, 1.0);
    let most = Vec3::splat(GREATEST_REACH * humanoid.scale);
    let mid = Vec3::new(humanoid.mid_x(), 0.0, humanoid.legs[0].root.z);
    let places = tubes.iter().flat_map(|tube| tube.places());
    let level = |at: &Vec3| (min.y..=max.y).contains(&at.y);
    let clamped = |at: Vec3| mid + (at - mid).clamp(-most, most);
    let mut half = 0.5 * (max.x - min.x);
    let (mut near, mut far) = (min.z, max.z);
    for at in places.filter(level).map(clamped) {
        half = half.max((at.x - mid.x).abs() + rim.x);
        near = near.min(at.z - rim.z);
        far = far.max(at.z + rim.z);
    }
    (
        Vec3::new(mid.x - half, min.y, near),
        Vec3::new(mid.x + half, max.y, far),
    )
}

/// Cuts what lies in the head or against it: heads of toys sit deep on their shoulders.
fn head_cut<'a>(body: &Body) -> PlaceFn<'a, f32> {
    let head = body.closed_tree_of(|(part, _)| part == Part::Head);
    let gap = fit::CLEARANCE * body.humanoid.scale;
    Box::new(move |point| {
        let away = head.nearest_point(point.as_dvec3(), f64::from(4.0 * gap));
        let away = away.map_or(4.0 * gap, |nearest| nearest.distance as f32);
        gap - if is_within(&head, point) { -away } else { away }
    })
}

/// The line straight down from a height, through the middle of the hips.
fn plumb_line(body: &Body, from_y: f32, to_y: f32) -> Vec<Vec3> {
    let z = 0.5 * (body.humanoid.legs[0].root.z + body.humanoid.legs[1].root.z);
    [from_y, to_y]
        .map(|y| Vec3::new(body.humanoid.mid_x(), y, z))
        .to_vec()
}

/// Cuts what lies past `at` in the direction `along`, on one tube only.
fn tube_end<'a>(
    canvas: std::sync::Arc<Canvas>,
    tube_ix: usize,
    at: Vec3,
    along: Vec3,
) -> PlaceFn<'a, f32> {
    Box::new(move |point| {
        let past = (point - at).dot(along);
        // Far from the end the tube's share is not asked for: it costs two searches.
        if past < -0.1 * canvas.scale {
            past
        } else {
            past.min(-canvas.off_tube(tube_ix, point) - 0.005 * canvas.scale)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_triangle_taller_than_a_garment_counts_where_it_passes() {
        let wide = [Vec3::ZERO, Vec3::Y, Vec3::new(2.0, 0.5, 0.0)];
        let reach = |heights| {
            let within = slab(wide, &heights);
            within.map(|at| at.x).fold(f32::NEG_INFINITY, f32::max)
        };
        // No corner lies there.
        assert!((reach(0.2..0.25) - 1.0).abs() < 1e-5);
        assert_eq!(reach(0.25..0.75), 2.0);
        assert_eq!(slab(wide, &(1.1..1.2)).count(), 0);
    }
}
