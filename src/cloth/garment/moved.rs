//! Where a body goes through its clothes when it moves.
//!
//! Parts that stand in each other in a pose leave no room for cloth between them: thick arms go into the flanks, a big head tilts into
//! the shoulders. A garment that is cut for clips ends before what they bury, and is held along the edge of that. A skin of one piece
//! folds, and its clothes fold with it: there only arms bury something.

use glam::{Mat4, Vec3};
use rayon::prelude::*;
use std::ops::RangeInclusive;

use super::body::{Body, is_within, only};
use super::dress::Weave;
use super::humanoid::Part;
use super::remesh::remesh;
use super::surface::Surface;
use super::{Attachment, Garment, LOOSE};
use crate::avatar::{Avatar, SkinMesh};
use crate::math::closest::barycentric;
use crate::math::triangle_tree::TriangleTree;
use crate::pose::{Palette, Pose};
use crate::skin::bake::bake;

/// Poses of all clips together that are looked at. Usually 100: a clip of three seconds every other frame. With 32 a hand that passes
/// through a thigh in seven frames goes unseen.
const POSE_COUNT: usize = 100;
/// On a body of one piece what this part of the poses or less buries is left: what folds, folds its clothes with it, and is out of the
/// way again at once. On one of pieces a single pose is too much.
const PASSING: f32 = 0.04;
/// Where a cut leaves too little, what twice as many poses bury is cut, up to this part of them.
const MOST_PASSING: f32 = 0.13;
/// What holds a garment is looked for in every so many poses: it has more points than are looked at for cuts.
const HOLD_STEP: usize = 3;
/// Points of a garment at which it is looked: some 4 cm apart on a person.
pub(super) const PROBE_COUNT: usize = 1000;
/// How far inside and outside the skin cloth is looked for, metres of a person.
const REACH: f32 = 0.05;
/// Cloth that a pose brings nearer to the skin than this is cut away, metres of a person: less than the least ease of a pattern, or all of
/// it would be. With 0 the edge of the cut itself is caught.
pub(super) const KEPT_OFF: f32 = 0.007;
/// Arms that never go deeper into a body of one piece than this cut nothing, metres of a person: a hand that brushes the hip makes no hole.
const DEEP: f32 = 0.01;
/// Between arms and a body of one piece cloth needs this much room, metres of a person: twice what it keeps off skin, for two layers.
/// Usually 0.02; with 0.007 hems of tops are caught, with 0.03 too little of a slight body's is left.
const ROOM: f32 = 0.02;
/// Cloth that comes nearer to the skin than this is held, metres of a person: what is left beside a cut.
const HELD: f32 = 0.02;
/// Half as wide as the narrowest strip that a cut leaves, metres of a person. Less, and what is left of a shoulder is a rag.
const STRIP: f32 = 0.04;
/// A garment of which a cut would leave less than this part stays whole.
const LEAST_LEFT: f32 = 0.66;
/// Holes with a shorter border are closed, metres of a person.
const SMALL_HOLE: f32 = 0.1;

/// How far clothes on a body of pieces keep off it, metres of a person: edges of armour are sharp, and stand out between particles that
/// are nearer. Usually 0.016; with 0.005, what cloth keeps off skin, one frame in two shows some.
pub(super) const OFF_EDGES: f32 = 0.016;
/// By how much more each garment keeps off that is worn over another.
const LAYER: f32 = 0.006;

/// Poses all through some clips of a character.
pub(super) fn poses(avatar: &Avatar, clips: &[usize]) -> Vec<Palette> {
    let each = POSE_COUNT.div_ceil(clips.len().max(1));
    let clips = clips.iter().filter_map(|&ix| avatar.clips.get(ix));
    let times = clips.flat_map(|clip| {
        (0..each).map(move |step| (clip, clip.duration * (step as f32 + 0.5) / each as f32))
    });
    let pose = |(clip, seconds)| Pose::sample(clip, &avatar.skeleton, seconds);
    times
        .map(|at| Palette::new(&avatar.skeleton, &pose(at), Mat4::IDENTITY))
        .collect()
}

/// Without what the clips bury, and without the rags that would leave: of cuts by ever fewer poses the strictest that leaves enough; `None`
/// where none does. On a body of pieces arms and head take `room` away besides, metres.
pub(super) fn trimmed(weave: &Weave, surface: &Surface, room: f32) -> Option<Surface> {
    let probes = remesh(surface, PROBE_COUNT);
    let is_of_pieces = weave.body.is_of_pieces;
    let depths = if is_of_pieces {
        let margin = KEPT_OFF * weave.body.humanoid.scale;
        // What is outside by the margin is near enough.
        let depths = depths(weave.body, &weave.mesh(&probes), 1, room - margin);
        raised(depths, margin)
    } else {
        depths_in_arms(weave, &probes)?
    };
    let tree = TriangleTree::new(&probes.positions, &probes.triangles);
    let fewest = if is_of_pieces {
        1
    } else {
        part_of_poses(weave.body, PASSING)
    };
    let cut = |count| {
        without_buried(
            weave,
            surface,
            (&probes, &tree),
            &as_deep_as(&depths, count),
        )
    };
    let most = part_of_poses(weave.body, MOST_PASSING);
    strictest(fewest..=most, LEAST_LEFT * surface.area(), cut)
}

fn part_of_poses(body: &Body, part: f32) -> usize {
    ((part * body.poses.len() as f32).round() as usize).max(1)
}

/// The first of the cuts by a number of poses, by twice as many and so on, that leaves so much area.
fn strictest(
    counts: RangeInclusive<usize>,
    least_area: f32,
    cut: impl Fn(usize) -> Surface,
) -> Option<Surface> {
    let doubled = std::iter::successors(Some(*counts.start()), |count| Some(2 * count));
    doubled
        .take_while(|count| counts.contains(count))
        .map(cut)
        .find(|left| left.area() > least_area)
}

/// Without what lies deep by the `depths` of a surface's probes, and without rags.
fn without_buried(
    weave: &Weave,
    surface: &Surface,
    (probes, tree): (&Surface, &TriangleTree),
    depths: &[f32],
) -> Surface {
    let scale = weave.body.humanoid.scale;
    let depth_at = |point: Vec3| {
        let shares = shares_of(tree, probes, point)?;
        Some(shares.map(|(ix, share)| share * depths[ix]).sum())
    };
    let cut = surface.clipped(|point| depth_at(point).unwrap_or(f32::NEG_INFINITY));
    without_strips(&cut.without_pinches().largest_piece(), STRIP * scale)
        .without_pinches()
        .largest_piece()
        .without_small_holes(SMALL_HOLE * scale)
}

/// The corners of what is nearest to a point in the tree of a surface, with their shares of it; `None` of an empty one.
pub(super) fn shares_of(
    tree: &TriangleTree,
    surface: &Surface,
    point: Vec3,
) -> Option<impl Iterator<Item = (usize, f32)>> {
    let nearest = tree.nearest_point(point.as_dvec3(), f64::INFINITY)?;
    let triangle = nearest.triangle.map(|ix| ix as usize);
    let corners = triangle.map(|ix| surface.positions[ix].as_dvec3());
    let shares = barycentric(nearest.point, corners).as_vec3().to_array();
    Some(triangle.into_iter().zip(shares))
}

/// How deep arms go into a garment on a body of one piece, or so near to the skin that it has no room between; `None` where they never go deep
/// into the body. What else folds there when it moves folds the garment with it.
fn depths_in_arms(weave: &Weave, probes: &Surface) -> Option<Vec<Vec<f32>>> {
    let scale = weave.body.humanoid.scale;
    let of_skin = depths(weave.body, &weave.mesh(&on_skin(weave, probes)), 1, 0.0);
    let deepest = as_deep_as(&of_skin, part_of_poses(weave.body, PASSING));
    if deepest.iter().all(|depth| *depth < DEEP * scale) {
        return None;
    }
    let of_cloth = depths(weave.body, &weave.mesh(probes), 1, 0.0);
    let pairs = of_cloth.into_iter().zip(raised(of_skin, ROOM * scale));
    let deeper = |(cloth, skin): (Vec<f32>, Vec<f32>)| {
        let pairs = cloth.into_iter().zip(skin);
        pairs.map(|(cloth, skin)| cloth.max(skin)).collect()
    };
    Some(pairs.map(deeper).collect())
}

fn raised(mut depths: Vec<Vec<f32>>, by: f32) -> Vec<Vec<f32>> {
    depths.iter_mut().flatten().for_each(|depth| *depth += by);
    depths
}

/// A surface's points where the skin beneath them is, to which arms push cloth back.
pub(super) fn on_skin(weave: &Weave, surface: &Surface) -> Surface {
    let beneath = |&at: &Vec3| {
        let nearest = weave.covered.nearest_point(at.as_dvec3(), f64::INFINITY);
        nearest.map_or(at, |nearest| nearest.point.as_vec3())
    };
    Surface {
        positions: surface.positions.par_iter().map(beneath).collect(),
        triangles: surface.triangles.clone(),
    }
}

/// The part of a garment that skin of any kind buries, in the median pose.
pub(super) fn buried_part(weave: &Weave, surface: &Surface) -> f32 {
    let body = weave.body;
    let probes = weave.mesh(&remesh(surface, PROBE_COUNT));
    let skin = &body.avatar.skin;
    let mut tree = TriangleTree::new(&skin.positions, &skin.triangles);
    let parts = body.poses.iter().map(|palette| {
        tree.refit(&bake(skin, palette).positions);
        let places = bake(&probes, palette).positions;
        let buried = places
            .par_iter()
            .filter(|at| is_within(&tree, **at))
            .count();
        buried as f32 / places.len() as f32
    });
    let mut parts: Vec<f32> = parts.collect();
    parts.sort_by(f32::total_cmp);
    parts.get(parts.len() / 2).copied().unwrap_or(0.0)
}

/// Without what is narrower than twice `half_width`, metres: what lies no nearer to an edge is kept, and what is near that.
fn without_strips(surface: &Surface, half_width: f32) -> Surface {
    let border = surface.border_loops().concat();
    let border: Vec<Vec3> = border
        .iter()
        .map(|&ix| surface.positions[ix as usize])
        .collect();
    let inner = surface.clipped(|point| {
        let nearest = border.iter().map(|at| at.distance_squared(point));
        half_width - nearest.fold(f32::INFINITY, f32::min).sqrt()
    });
    let tree = TriangleTree::new(&inner.positions, &inner.triangles);
    // A little further, so that straight edges stay where they are.
    let reach = 1.1 * half_width;
    surface.clipped(|point| {
        let nearest = tree.nearest_point(point.as_dvec3(), f64::from(2.0 * reach));
        nearest.map_or(reach, |nearest| nearest.distance as f32 - reach)
    })
}

/// What holds a trimmed garment besides its pattern's attachments: cloth next to what the clips bury, and along its upper edges; all of it
/// on a body of pieces, whose edges work free cloth along until something goes through it.
pub(super) fn holds(body: &Body, surface: &Surface, mesh: &SkinMesh) -> Vec<Attachment> {
    let limit = -HELD * body.humanoid.scale;
    let mut is_held = vec![true; mesh.positions.len()];
    if !body.is_of_pieces {
        let depths = as_deep_as(&depths(body, mesh, HOLD_STEP, 0.0), 1);
        is_held = depths.iter().map(|&depth| depth > limit).collect();
    }
    let heights = || surface.positions.iter().map(|at| at.y);
    let middle = 0.5
        * (heights().fold(f32::INFINITY, f32::min) + heights().fold(f32::NEG_INFINITY, f32::max));
    for ix in surface.border_loops().concat() {
        is_held[ix as usize] |= surface.positions[ix as usize].y > middle;
    }
    let held = is_held.iter().zip(0..).filter(|(is_held, _)| **is_held);
    held.map(|(_, particle_ix)| Attachment {
        particle_ix,
        compliance: LOOSE,
    })
    .collect()
}

/// Has garments, innermost first, keep further off a body of pieces than off skin.
pub(super) fn keep_off_edges(garments: &mut [Garment], scale: f32) {
    for (layer, garment) in garments.iter_mut().enumerate() {
        let least = scale * (OFF_EDGES + LAYER * layer as f32);
        garment.clearances.resize(garment.mesh.positions.len(), 0.0);
        garment
            .clearances
            .iter_mut()
            .for_each(|clearance| *clearance = clearance.max(least));
    }
}

/// How deep skinning puts each vertex into the body, or into the arms of one of one piece, metres, less than zero outside: in every
/// `step`-th pose, the deepest first. Arms and head of a body of pieces count as that much nearer as they take more room away than skin.
fn depths(body: &Body, mesh: &SkinMesh, step: usize, room: f32) -> Vec<Vec<f32>> {
    let is_arm = |ix: usize| body.parts[ix].0.is_arm();
    let solid = |ix: usize| body.is_of_pieces || is_arm(ix);
    let roomy = |ix: usize| body.is_of_pieces && (is_arm(ix) || body.parts[ix].0 == Part::Head);
    depths_in(body, mesh, step, solid, (roomy, room))
}

/// As [`depths`], into the triangles that are solid, and nearer by the room to those that want some.
pub(super) fn depths_in(
    body: &Body,
    mesh: &SkinMesh,
    step: usize,
    is_solid: impl Fn(usize) -> bool,
    (is_roomy, room): (impl Fn(usize) -> bool, f32),
) -> Vec<Vec<f32>> {
    let reach = REACH * body.humanoid.scale;
    let skin = &body.avatar.skin;
    let tree_of = |triangles: Vec<[u32; 3]>| TriangleTree::new(&skin.positions, &triangles);
    let mut tree = tree_of(only(&skin.triangles, is_solid));
    let mut others = tree_of(only(&skin.triangles, is_roomy));
    let mut found = vec![Vec::with_capacity(body.poses.len()); mesh.positions.len()];
    // What was nearest in the pose before is near in this one.
    let mut nearest = vec![[None; 2]; mesh.positions.len()];
    for palette in body.poses.iter().step_by(step) {
        let positions = bake(skin, palette).positions;
        tree.refit(&positions);
        others.refit(&positions);
        let places = bake(mesh, palette).positions;
        let pairs = places.par_iter().zip(&mut nearest);
        let depths = pairs.map(|(&place, [of_solid, of_roomy])| {
            let away = distance(&tree, place, reach, of_solid);
            let depth = if is_within(&tree, place) { away } else { -away };
            depth.max(room - distance(&others, place, reach, of_roomy))
        });
        let depths: Vec<f32> = depths.collect();
        let pairs = found.iter_mut().zip(depths);
        pairs.for_each(|(found, depth)| found.push(depth));
    }
    for depths in &mut found {
        depths.sort_by(|a, b| b.total_cmp(a));
    }
    found
}

/// As deep as in so many poses, by vertex; outside all where there are fewer.
pub(super) fn as_deep_as(depths: &[Vec<f32>], count: usize) -> Vec<f32> {
    let of_few = |depths: &Vec<f32>| depths.get(count - 1).copied().unwrap_or(f32::NEG_INFINITY);
    depths.iter().map(of_few).collect()
}

/// `found`: where the tree has the triangle that was nearest last, and is now.
fn distance(tree: &TriangleTree, at: Vec3, reach: f32, found: &mut Option<usize>) -> f32 {
    let (at, within) = (at.as_dvec3(), f64::from(reach));
    let nearest = match *found {
        Some(place) => tree.nearest_point_beside(at, within, place),
        None => tree.nearest_point(at, within),
    };
    *found = nearest.map(|nearest| nearest.place).or(*found);
    nearest.map_or(reach, |nearest| nearest.distance as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square of 1 m with a strip of a width at one side, in steps of 5 cm.
    fn square_with_strip(width: f32) -> Surface {
        let side = 41;
        let at =
            |ix: u32| 0.05 * (ix % side) as f32 * Vec3::X + 0.05 * (ix / side) as f32 * Vec3::Y;
        let corners =
            (0..side - 1).flat_map(|row| (0..side - 1).map(move |column| row * side + column));
        let whole = Surface {
            positions: (0..side * side).map(at).collect(),
            triangles: corners
                .flat_map(|ix| [[ix, ix + 1, ix + side], [ix + 1, ix + side + 1, ix + side]])
                .collect(),
        };
        let square = |at: Vec3| (at.x - 1.0).max(at.y - 1.0);
        whole.clipped(|at| square(at).min((at.y - 0.5).abs() - 0.5 * width))
    }

    #[test]
    fn of_several_cuts_the_strictest_is_taken_that_leaves_enough() {
        let cut = |count: usize| square_with_strip(0.1).clipped(|at| at.x - 0.1 * count as f32);
        let left = |least| strictest(1..=8, least, cut).map(|left| left.area());
        let near = |area: Option<f32>, wanted: f32| (area.unwrap_or(0.0) - wanted).abs() < 0.02;
        assert!(near(left(0.05), 0.1), "{:?}", left(0.05));
        assert!(near(left(0.3), 0.4), "{:?}", left(0.3));
        assert_eq!(left(0.9), None);
        let depths = as_deep_as(&[vec![0.3, 0.2, -0.1], vec![0.1]], 2);
        assert_eq!(depths, [0.2, f32::NEG_INFINITY]);
    }

    #[test]
    fn rags_are_cut_off_and_the_rest_stays() {
        let reach = |surface: &Surface| surface.positions.iter().map(|at| at.x).fold(0.0, f32::max);
        let narrow = without_strips(&square_with_strip(0.12), 0.1);
        assert!(reach(&narrow) < 1.1, "{}", reach(&narrow));
        assert!(narrow.area() > 0.97, "{}", narrow.area());
        let wide = without_strips(&square_with_strip(0.3), 0.1);
        assert!(reach(&wide) > 1.95, "{}", reach(&wide));
    }
}
