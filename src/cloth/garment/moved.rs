//! Where a body goes through its clothes when it moves.
//!
//! Parts that stand in each other in a pose leave no room for cloth between them: thick arms go into the flanks, a big head tilts into
//! the shoulders. A garment that is cut for clips ends before what they bury, and is held along the edge of that. A skin of one piece
//! folds, and its clothes fold with it: there only arms bury something.

use glam::{Mat4, Vec3};
use rayon::prelude::*;

use super::body::{Body, is_within, only};
use super::dress::Weave;
use super::remesh::remesh;
use super::surface::Surface;
use super::{Attachment, Garment, LOOSE};
use crate::avatar::{Avatar, SkinMesh};
use crate::math::closest::barycentric;
use crate::math::triangle_tree::TriangleTree;
use crate::pose::{Palette, Pose};
use crate::skin::bake::bake;

/// Poses of all clips together that are looked at. Usually 32: a clip of two seconds every four frames.
const POSE_COUNT: usize = 32;
/// What fewer poses bury is left: a foot that passes by is out of the way again at once.
const FEWEST: usize = 2;
/// Points of a garment at which it is looked: some 4 cm apart on a person.
const PROBE_COUNT: usize = 1000;
/// How far inside and outside the skin cloth is looked for, metres of a person.
const REACH: f32 = 0.05;
/// Cloth that a pose brings nearer to the skin than this is cut away, metres of a person: less than the least ease of a pattern, or all of
/// it would be. With 0 the edge of the cut itself is caught.
const KEPT_OFF: f32 = 0.007;
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
const OFF_EDGES: f32 = 0.016;
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

/// Without what the clips bury, and without the rags that would leave; `None` where too little would be left.
pub(super) fn trimmed(weave: &Weave, surface: &Surface) -> Option<Surface> {
    let scale = weave.body.humanoid.scale;
    let probes = remesh(surface, PROBE_COUNT);
    let (depths, margin) = if weave.body.is_of_pieces {
        let depths = depths(weave.body, &weave.mesh(&probes));
        (depths, KEPT_OFF * scale)
    } else {
        (depths_in_arms(weave, &probes)?, 0.0)
    };
    let tree = TriangleTree::new(&probes.positions, &probes.triangles);
    let depth_at = |point: Vec3| {
        let nearest = tree.nearest_point(point.as_dvec3(), f64::INFINITY)?;
        let corners = nearest
            .triangle
            .map(|ix| probes.positions[ix as usize].as_dvec3());
        let shares = barycentric(nearest.point, corners).as_vec3().to_array();
        let pairs = nearest.triangle.iter().zip(shares);
        Some(pairs.map(|(&ix, share)| share * depths[ix as usize]).sum())
    };
    let cut = surface.clipped(|point| depth_at(point).unwrap_or(f32::NEG_INFINITY) + margin);
    let left = without_strips(&cut.without_pinches().largest_piece(), STRIP * scale)
        .without_pinches()
        .largest_piece()
        .without_small_holes(SMALL_HOLE * scale);
    (left.area() > LEAST_LEFT * surface.area()).then_some(left)
}

/// How deep arms go into a garment on a body of one piece, or so near to the skin that it has no room between; `None` where they never go deep
/// into the body. What else folds there when it moves folds the garment with it.
fn depths_in_arms(weave: &Weave, probes: &Surface) -> Option<Vec<f32>> {
    let scale = weave.body.humanoid.scale;
    let of_skin = depths(weave.body, &weave.mesh(&on_skin(weave, probes)));
    if of_skin.iter().all(|depth| *depth < DEEP * scale) {
        return None;
    }
    let of_cloth = depths(weave.body, &weave.mesh(probes));
    let pairs = of_skin.into_iter().zip(of_cloth);
    Some(
        pairs
            .map(|(skin, cloth)| cloth.max(skin + ROOM * scale))
            .collect(),
    )
}

/// A surface's points where the skin beneath them is, to which arms push cloth back.
fn on_skin(weave: &Weave, surface: &Surface) -> Surface {
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

/// What holds a trimmed garment besides its pattern's attachments: cloth next to what the clips bury, and along its upper edges.
pub(super) fn holds(body: &Body, surface: &Surface, mesh: &SkinMesh) -> Vec<Attachment> {
    let limit = -HELD * body.humanoid.scale;
    let mut is_held: Vec<bool> = depths(body, mesh)
        .iter()
        .map(|&depth| depth > limit)
        .collect();
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

/// How deep skinning puts each vertex into the body, or into the arms of one of one piece, metres, less than zero outside: as deep as in
/// [`FEWEST`] poses.
fn depths(body: &Body, mesh: &SkinMesh) -> Vec<f32> {
    let reach = REACH * body.humanoid.scale;
    let skin = &body.avatar.skin;
    let burying = only(&skin.triangles, |ix| {
        body.is_of_pieces || body.parts[ix].0.is_arm()
    });
    let mut tree = TriangleTree::new(&skin.positions, &burying);
    let mut found = vec![Vec::with_capacity(body.poses.len()); mesh.positions.len()];
    for palette in &body.poses {
        tree.refit(&bake(skin, palette).positions);
        let places = bake(mesh, palette).positions;
        let depths = places.par_iter().map(|&place| depth(&tree, place, reach));
        depths
            .zip(&mut found)
            .for_each(|(depth, found)| found.push(depth));
    }
    let of_few = |mut depths: Vec<f32>| {
        depths.sort_by(|a, b| b.total_cmp(a));
        depths.get(FEWEST - 1).copied().unwrap_or(-reach)
    };
    found.into_iter().map(of_few).collect()
}

fn depth(tree: &TriangleTree, place: Vec3, reach: f32) -> f32 {
    let away = tree.nearest_point(place.as_dvec3(), f64::from(reach));
    let away = away.map_or(reach, |nearest| nearest.distance as f32);
    if is_within(tree, place) { away } else { -away }
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
    fn rags_are_cut_off_and_the_rest_stays() {
        let reach = |surface: &Surface| surface.positions.iter().map(|at| at.x).fold(0.0, f32::max);
        let narrow = without_strips(&square_with_strip(0.12), 0.1);
        assert!(reach(&narrow) < 1.1, "{}", reach(&narrow));
        assert!(narrow.area() > 0.97, "{}", narrow.area());
        let wide = without_strips(&square_with_strip(0.3), 0.1);
        assert!(reach(&wide) > 1.95, "{}", reach(&wide));
    }
}
