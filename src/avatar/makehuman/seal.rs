//! Closing the body's pouches, so that its skin is one outer surface.
//!
//! The base mesh is closed, but its skin runs through the lips into a mouth cavity 10 cm deep and through the lids
//! round behind the eyeballs, which are separate helpers. Rays from inside the head would meet the cavity's wall before
//! the face. So the faces beyond the lips and the lids are dropped; the lips are sewn together and each eye gets the
//! front of an eyeball.

use super::MakeHumanError;
use super::obj::BaseMesh;
use super::surface::{Region, Surface};
use glam::Vec3;
use std::collections::{HashMap, HashSet};

/// Two neighbours on the edge loop where the lips meet, the mouth's inside on the left of the way from first to second.
const LIP_SEAM: [u32; 2] = [520, 521];
/// Likewise on the line where the lips' red ends, the mouth on the left.
const LIP_LINE: [u32; 2] = [455, 454];
/// Likewise on the inner edge of each eye's lids, the eye's opening on the left, with the helper that is its eyeball.
const LIDS: [([u32; 2], &str); 2] = [
    ([7762, 7761], "helper-l-eye"),
    ([1069, 1070], "helper-r-eye"),
];
/// No loop of this mesh is longer; a longer one means another mesh.
const LONGEST_LOOP: usize = 200;
/// Rings of an eyeball's cap: how far from the lids (0) to its foremost point (1).
const CAP_RINGS: [f32; 4] = [0.04, 0.3, 0.55, 0.8];

/// A ball that stands for an eye.
#[derive(Clone, Copy, Debug)]
pub struct Eyeball {
    pub centre: Vec3,
    pub radius: f32,
}

/// Takes the body group out of the shaped base mesh, seals its mouth and eyes and marks lips, lashes and eyeballs.
/// Units as in `positions`.
///
/// # Errors
/// [`MakeHumanError::OtherMesh`] when the loops are not where this version of the base mesh has them.
pub fn sealed_body(
    base: &BaseMesh,
    positions: &[Vec3],
    body_vertex_count: usize,
) -> Result<(Surface, [Eyeball; 2]), MakeHumanError> {
    let mut surface = Surface::new(
        positions[..body_vertex_count].to_vec(),
        base.faces("body")?.to_vec(),
    );
    mark_lips(&mut surface)?;
    sew_lips(&mut surface)?;
    let mut eyeballs = Vec::new();
    for (start, helper) in LIDS {
        let eyeball = eyeball(&base.vertices(helper)?, positions);
        cap_eye(&mut surface, start, eyeball)?;
        eyeballs.push(eyeball);
    }
    surface.drop_loose_vertices();
    Ok((surface, [eyeballs[0], eyeballs[1]]))
}

fn eyeball(vertices: &[u32], positions: &[Vec3]) -> Eyeball {
    let points = vertices.iter().map(|&ix| positions[ix as usize]);
    let (low, high) = points
        .clone()
        .fold((Vec3::MAX, Vec3::MIN), |(low, high), p| {
            (low.min(p), high.max(p))
        });
    let centre = (low + high) / 2.0;
    let radius = points.map(|p| p.distance(centre)).sum::<f32>() / vertices.len() as f32;
    Eyeball { centre, radius }
}

fn mark_lips(surface: &mut Surface) -> Result<(), MakeHumanError> {
    let mesh = HalfEdges::of(&surface.faces);
    let line = mesh.straight_loop(LIP_LINE)?;
    for face_ix in mesh.left_of(&line) {
        surface.regions[face_ix] = Region::Lips;
    }
    Ok(())
}

/// Drops the mouth cavity and joins upper and lower lip by a strip of triangles from corner to corner.
fn sew_lips(surface: &mut Surface) -> Result<(), MakeHumanError> {
    let mesh = HalfEdges::of(&surface.faces);
    let seam = mesh.straight_loop(LIP_SEAM)?;
    surface.remove_faces(&mesh.left_of(&seam));
    for triangle in sewn(&seam, &surface.positions) {
        surface.add_face(triangle.to_vec(), Region::Lips);
    }
    Ok(())
}

/// Triangles that fill a flat closed loop between its two ends in x, their winding continuing the loop's direction.
fn sewn(seam: &[u32], positions: &[Vec3]) -> Vec<[u32; 3]> {
    let x = |at: &usize| positions[seam[*at] as usize].x;
    let by_x = |a: &usize, b: &usize| x(a).total_cmp(&x(b));
    let first = (0..seam.len()).min_by(by_x).unwrap_or(0);
    let last = (0..seam.len()).max_by(by_x).unwrap_or(0);
    let count = seam.len();
    let ahead_left = (last + count - first) % count;
    let (mut ahead, mut behind) = (0, 0);
    let mut triangles = Vec::new();
    while ahead + behind + 1 < count {
        let vertex = |steps: usize| seam[(first + steps) % count];
        let (a, b) = (vertex(ahead), vertex(count - behind));
        let (next_a, next_b) = (vertex(ahead + 1), vertex(count - behind - 1));
        let gap = |p: u32, q: u32| positions[p as usize].distance(positions[q as usize]);
        let can_go_on = ahead < ahead_left;
        let can_follow = behind < count - ahead_left;
        if can_go_on && (!can_follow || gap(next_a, b) <= gap(a, next_b)) {
            triangles.push([a, next_a, b]);
            ahead += 1;
        } else {
            triangles.push([next_b, b, a]);
            behind += 1;
        }
    }
    triangles.retain(|[a, b, c]| a != b && b != c && c != a);
    triangles
}

/// Replaces the eye's socket by rings on the eyeball that narrow to its foremost point.
fn cap_eye(surface: &mut Surface, start: [u32; 2], eyeball: Eyeball) -> Result<(), MakeHumanError> {
    let mesh = HalfEdges::of(&surface.faces);
    let lids = mesh.straight_loop(start)?;
    surface.remove_faces(&mesh.left_of(&lids));
    mark_lashes(surface, &lids, eyeball.centre.y);
    let mut outer = lids.clone();
    for share in CAP_RINGS {
        let ring: Vec<u32> = lids
            .iter()
            .map(|&lid| {
                let from_centre =
                    (surface.positions[lid as usize] - eyeball.centre).normalize_or(Vec3::Z);
                let direction = from_centre.lerp(Vec3::Z, share).normalize_or(Vec3::Z);
                surface.add_vertex(eyeball.centre + direction * eyeball.radius, &lids)
            })
            .collect();
        for at in 0..lids.len() {
            let next = (at + 1) % lids.len();
            surface.add_face(
                vec![outer[at], outer[next], ring[next], ring[at]],
                Region::EyeWhite,
            );
        }
        outer = ring;
    }
    let front = surface.add_vertex(eyeball.centre + Vec3::Z * eyeball.radius, &lids);
    for at in 0..lids.len() {
        surface.add_face(
            vec![outer[at], outer[(at + 1) % lids.len()], front],
            Region::EyeWhite,
        );
    }
    Ok(())
}

/// The upper lid's edge: two rings of faces round the opening, as far as their middle lies above the eye's.
fn mark_lashes(surface: &mut Surface, lids: &[u32], eye_y: f32) {
    let mut on_edge: HashSet<u32> = lids.iter().copied().collect();
    for _ in 0..2 {
        let ring: Vec<usize> = (0..surface.faces.len())
            .filter(|&ix| {
                surface.faces[ix]
                    .iter()
                    .filter(|vertex| on_edge.contains(vertex))
                    .count()
                    >= 2
            })
            .collect();
        for face_ix in ring {
            let face = &surface.faces[face_ix];
            let height = face
                .iter()
                .map(|&ix| surface.positions[ix as usize].y)
                .sum::<f32>()
                / face.len() as f32;
            if height > eye_y {
                surface.regions[face_ix] = Region::Lash;
            }
            on_edge.extend(face);
        }
    }
}

/// Who follows whom round each face of a manifold mesh.
struct HalfEdges<'a> {
    faces: &'a [Vec<u32>],
    /// From a directed edge to the vertex after it in its face, and to the face.
    next: HashMap<(u32, u32), (u32, usize)>,
}

impl<'a> HalfEdges<'a> {
    fn of(faces: &'a [Vec<u32>]) -> Self {
        let mut next = HashMap::new();
        for (face_ix, face) in faces.iter().enumerate() {
            for at in 0..face.len() {
                let vertex = |steps: usize| face[(at + steps) % face.len()];
                next.insert((vertex(0), vertex(1)), (vertex(2), face_ix));
            }
        }
        Self { faces, next }
    }

    fn after(&self, a: u32, b: u32) -> Result<u32, MakeHumanError> {
        self.next
            .get(&(a, b))
            .map(|&(vertex, _)| vertex)
            .ok_or(MakeHumanError::OtherMesh)
    }

    /// The closed edge loop that goes straight on at each vertex of four edges.
    fn straight_loop(&self, [first, second]: [u32; 2]) -> Result<Vec<u32>, MakeHumanError> {
        let mut vertices = vec![first, second];
        let (mut before, mut here) = (first, second);
        while vertices.len() < LONGEST_LOOP {
            let side = self.after(before, here)?;
            let ahead = self.after(side, here)?;
            let other_side = self.after(ahead, here)?;
            if self.after(other_side, here)? != before {
                return Err(MakeHumanError::OtherMesh);
            }
            if ahead == first {
                return Ok(vertices);
            }
            vertices.push(ahead);
            (before, here) = (here, ahead);
        }
        Err(MakeHumanError::OtherMesh)
    }

    /// The faces on the left of a closed loop: those reached without crossing it.
    fn left_of(&self, border: &[u32]) -> Vec<usize> {
        let edges: Vec<(u32, u32)> = (0..border.len())
            .map(|at| (border[at], border[(at + 1) % border.len()]))
            .collect();
        let walls: HashSet<(u32, u32)> =
            edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        let face_at = |edge: &(u32, u32)| self.next.get(edge).map(|&(_, face_ix)| face_ix);
        let mut pending: Vec<usize> = edges.iter().filter_map(face_at).collect();
        let mut found = HashSet::new();
        while let Some(face_ix) = pending.pop() {
            if !found.insert(face_ix) {
                continue;
            }
            let face = &self.faces[face_ix];
            for at in 0..face.len() {
                let (a, b) = (face[at], face[(at + 1) % face.len()]);
                if !walls.contains(&(a, b)) {
                    pending.extend(face_at(&(b, a)));
                }
            }
        }
        let mut found: Vec<usize> = found.into_iter().collect();
        found.sort_unstable();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A torus of quads, `n` round each way: every vertex has four edges.
    fn torus(n: u32) -> Vec<Vec<u32>> {
        let ix = |i: u32, j: u32| (i % n) * n + j % n;
        (0..n * n)
            .map(|at| (at / n, at % n))
            .map(|(i, j)| vec![ix(i, j), ix(i + 1, j), ix(i + 1, j + 1), ix(i, j + 1)])
            .collect()
    }

    #[test]
    fn a_loop_goes_straight_on_until_it_closes() {
        let faces = torus(5);
        assert_eq!(
            HalfEdges::of(&faces).straight_loop([0, 5]).unwrap(),
            [0, 5, 10, 15, 20]
        );
    }

    #[test]
    fn a_loop_that_is_not_there_is_refused() {
        let faces = torus(5);
        assert!(HalfEdges::of(&faces).straight_loop([0, 7]).is_err());
    }

    #[test]
    fn the_left_of_a_loop_stops_at_it() {
        let faces = torus(4);
        let square = [0, 4, 5, 1];
        assert_eq!(HalfEdges::of(&faces).left_of(&square), [0]);
    }

    #[test]
    fn a_sewn_loop_uses_each_edge_once_in_its_direction() {
        let flat = |at: u32| {
            Vec3::new(
                [0.0, 1.0, 2.0, 3.0, 2.5, 1.5, 0.5][at as usize],
                0.0,
                f32::from(at > 3) * 0.1,
            )
        };
        let positions: Vec<Vec3> = (0..7).map(flat).collect();
        for turn in 0..7 {
            let seam: Vec<u32> = (0..7).map(|at| (at + turn) % 7).collect();
            let triangles = sewn(&seam, &positions);
            assert_eq!(triangles.len(), 5);
            let edges: HashSet<(u32, u32)> = triangles
                .iter()
                .flat_map(|t| (0..3).map(|at| (t[at], t[(at + 1) % 3])))
                .collect();
            assert_eq!(edges.len(), 15);
            assert!(
                (0..7).all(|at| edges.contains(&(at, (at + 1) % 7))
                    && !edges.contains(&((at + 1) % 7, at)))
            );
        }
    }
}
