//! Triangles that run the wrong way round.
//!
//! Everything right of the importer takes the side from which triangles run counter-clockwise for the outside. Files
//! exist whose triangles all run the other way while their normals are right (most programs draw both sides), whose
//! normals point inwards as well, or in which one part among many was mirrored. So each part is judged by its normals
//! and by the sign of its volume.

use glam::{DVec3, Vec3};

use crate::avatar::SkinMesh;
use crate::avatar::validate::area_vector;
use crate::math::triangle_tree::TriangleTree;
use crate::math::weld::{Sites, sites};

/// From this part of its area on, a part's normals speak for or against its triangles: 0 is neither, 1 is all of it.
/// Good normals give more than 0.9 even on coarse hands.
const CLEAR_VOTE: f64 = 0.5;
/// Volume over area to the power of 1.5 from which its sign means something: a ball has 0.094, a limb 0.05, a flat card 0.
const MIN_VOLUME: f64 = 0.005;
/// Openings over all area (the length of the summed area vectors over the sum of their lengths) up to which a part counts as
/// closed enough for its volume to mean something on its own: a ball has 0, a sleeve 0.1, half a ball 0.5.
const MAX_OPEN: f64 = 0.3;
/// Of how many triangles it is asked whether others enclose them, at most.
const PROBES: usize = 16;
const PATCH_TOLERANCE: f64 = 1e-3;

/// What was set right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Turned {
    pub triangles: u32,
    pub normals: u32,
}

/// Turns round the triangles of parts that are inside out, and normals that point inwards. A part is what hangs together over
/// edges that its two triangles run along in opposite directions, split vertices taken as one. Normals may be zero or not finite:
/// those say nothing.
pub(super) fn settle(mesh: &mut SkinMesh) -> Turned {
    let patches = patches(mesh);
    let figures: Vec<Figures> = patches
        .iter()
        .map(|patch| Figures::of(mesh, patch))
        .collect();
    let mut verdicts: Vec<Verdict> = figures.iter().map(Figures::verdict).collect();
    if verdicts.contains(&Verdict::Doubtful) {
        let enclosing = enclosing(mesh, &patches, &verdicts);
        for (verdict, patch) in verdicts.iter_mut().zip(&patches) {
            if *verdict == Verdict::Doubtful {
                *verdict = settle_doubt(mesh, patch, &enclosing);
            }
        }
    }
    apply(mesh, &patches, &verdicts)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Keep,
    TurnTriangles,
    TurnNormals,
    TurnBoth,
    /// Inside out by its volume, with normals that agree or none: a hollow within another part, or a part that is all wrong.
    Doubtful,
}

/// What speaks for and against a part.
#[derive(Clone, Copy, Debug, Default)]
struct Figures {
    /// m², doubled.
    area: f64,
    /// As large as the openings.
    open_area: DVec3,
    /// m³, times six, seen from the part's own middle.
    volume: f64,
    /// Area whose normals agree, less that whose normals do not.
    vote: f64,
}

impl Figures {
    fn of(mesh: &SkinMesh, patch: &[usize]) -> Self {
        let corners =
            |&ix: &usize| mesh.triangles[ix].map(|v| mesh.positions[v as usize].as_dvec3());
        let middle = patch.iter().flat_map(corners).sum::<DVec3>() / (3 * patch.len()) as f64;
        let mut figures = Self::default();
        for triangle_ix in patch {
            let [a, b, c] = corners(triangle_ix).map(|corner| corner - middle);
            let across = (b - a).cross(c - a);
            figures.area += across.length();
            figures.open_area += across;
            figures.volume += a.dot(b.cross(c));
            let normals = mesh.triangles[*triangle_ix].map(|v| mesh.normals[v as usize]);
            let normal = normals.into_iter().map(usable).sum::<DVec3>();
            figures.vote += across.dot(normal.normalize_or_zero());
        }
        figures
    }

    fn verdict(&self) -> Verdict {
        let vote = self.vote / self.area.max(f64::MIN_POSITIVE);
        // Both are doubled or sixfold: (V/6) / (A/2)^1.5.
        let volume = self.volume / 6.0 / (0.5 * self.area).powf(1.5).max(f64::MIN_POSITIVE);
        let is_closed = self.open_area.length() <= MAX_OPEN * self.area;
        let is_inside_out = is_closed && volume < -MIN_VOLUME;
        let is_right = is_closed && volume > MIN_VOLUME;
        match vote {
            vote if vote < -CLEAR_VOTE && is_right => Verdict::TurnNormals,
            vote if vote < -CLEAR_VOTE => Verdict::TurnTriangles,
            _ if is_inside_out => Verdict::Doubtful,
            _ => Verdict::Keep,
        }
    }
}

fn usable(normal: Vec3) -> DVec3 {
    let normal = normal.as_dvec3();
    if normal.is_finite() {
        normal
    } else {
        DVec3::ZERO
    }
}

/// The triangles of all parts about which there is no doubt, as they will be.
fn enclosing(mesh: &SkinMesh, patches: &[Vec<usize>], verdicts: &[Verdict]) -> TriangleTree {
    let mut triangles = Vec::new();
    for (patch, verdict) in patches.iter().zip(verdicts) {
        let of_patch = patch.iter().map(|&ix| mesh.triangles[ix]);
        match verdict {
            Verdict::Keep | Verdict::TurnNormals => triangles.extend(of_patch),
            Verdict::TurnTriangles => triangles.extend(of_patch.map(|[a, b, c]| [a, c, b])),
            Verdict::TurnBoth | Verdict::Doubtful => {}
        }
    }
    TriangleTree::new(&mesh.positions, &triangles)
}

fn settle_doubt(mesh: &SkinMesh, patch: &[usize], enclosing: &TriangleTree) -> Verdict {
    let step = patch.len().div_ceil(PROBES);
    let probes = patch.iter().step_by(step).map(|&ix| {
        let corners = mesh.triangles[ix].map(|v| mesh.positions[v as usize].as_dvec3());
        enclosing.winding(corners.iter().sum::<DVec3>() / 3.0, PATCH_TOLERANCE)
    });
    let (mut enclosed, mut count) = (0, 0);
    for winding in probes {
        enclosed += usize::from(winding.number >= 0.5);
        count += 1;
    }
    if 2 * enclosed > count {
        Verdict::Keep
    } else {
        Verdict::TurnBoth
    }
}

fn apply(mesh: &mut SkinMesh, patches: &[Vec<usize>], verdicts: &[Verdict]) -> Turned {
    let mut turns = vec![false; mesh.normals.len()];
    let mut turned = Turned::default();
    for (patch, verdict) in patches.iter().zip(verdicts) {
        for &ix in patch {
            if matches!(verdict, Verdict::TurnNormals | Verdict::TurnBoth) {
                mesh.triangles[ix]
                    .iter()
                    .for_each(|&v| turns[v as usize] = true);
            }
            if matches!(verdict, Verdict::TurnTriangles | Verdict::TurnBoth) {
                mesh.triangles[ix].swap(1, 2);
                turned.triangles += 1;
            }
        }
    }
    let to_turn = mesh
        .normals
        .iter_mut()
        .zip(turns)
        .filter(|(_, turns)| *turns);
    for (normal, _) in to_turn {
        turned.normals += u32::from(*normal != Vec3::ZERO);
        *normal = -*normal;
    }
    turned
}

/// The parts: lists of triangles, in order of their first.
fn patches(mesh: &SkinMesh) -> Vec<Vec<usize>> {
    let mut groups = Groups::new(mesh.triangles.len());
    for [a, b] in joined_pairs(mesh, &sites(&mesh.positions)) {
        groups.join(a, b);
    }
    let mut patch_of_top = vec![usize::MAX; mesh.triangles.len()];
    let mut patches: Vec<Vec<usize>> = Vec::new();
    for ix in 0..mesh.triangles.len() {
        if area_vector(&mesh.positions, mesh.triangles[ix]) == Vec3::ZERO {
            continue;
        }
        let top = groups.top(ix);
        if patch_of_top[top] == usize::MAX {
            patch_of_top[top] = patches.len();
            patches.push(Vec::new());
        }
        patches[patch_of_top[top]].push(ix);
    }
    patches
}

/// Pairs of triangles that share an edge with no third, and run along it in opposite directions.
fn joined_pairs(mesh: &SkinMesh, sites: &Sites) -> Vec<[usize; 2]> {
    let mut edges: Vec<([u32; 2], bool, usize)> = Vec::with_capacity(3 * mesh.triangles.len());
    for (ix, triangle) in mesh.triangles.iter().enumerate() {
        let [a, b, c] = triangle.map(|v| sites.of_vertex[v as usize]);
        if a == b || b == c || c == a {
            continue;
        }
        edges.extend([(a, b), (b, c), (c, a)].map(|(from, to)| {
            let ends = [from.min(to), from.max(to)];
            (ends, from < to, ix)
        }));
    }
    edges.sort_unstable();
    let shared = edges.chunk_by(|a, b| a.0 == b.0);
    let pairs = shared.filter_map(|same| match same {
        [one, other] if one.1 != other.1 => Some([one.2, other.2]),
        _ => None,
    });
    pairs.collect()
}

/// Disjoint sets of triangles.
struct Groups {
    above: Vec<usize>,
}

impl Groups {
    fn new(count: usize) -> Self {
        Self {
            above: (0..count).collect(),
        }
    }

    fn top(&mut self, mut ix: usize) -> usize {
        while self.above[ix] != ix {
            self.above[ix] = self.above[self.above[ix]];
            ix = self.above[ix];
        }
        ix
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.top(a), self.top(b));
        self.above[a.max(b)] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::test_meshes::TestMesh;

    /// Boxes as skin, with outward normals, each corner split for every face as exporters do.
    fn boxes(sizes: &[(f32, f32)]) -> SkinMesh {
        let mut mesh = SkinMesh::default();
        for &(half, x) in sizes {
            let solid = TestMesh::cuboid(Vec3::splat(-half), Vec3::splat(half));
            for triangle in solid.triangles {
                let corners = triangle.map(|ix| solid.positions[ix as usize]);
                let across = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
                let first = mesh.positions.len() as u32;
                mesh.positions
                    .extend(corners.map(|corner| corner + x * Vec3::X));
                mesh.normals.extend([across.normalize(); 3]);
                mesh.triangles.push([first, first + 1, first + 2]);
            }
        }
        mesh
    }

    fn turn(mesh: &mut SkinMesh, triangles: std::ops::Range<usize>) {
        mesh.triangles[triangles]
            .iter_mut()
            .for_each(|triangle| triangle.swap(1, 2));
    }

    #[test]
    fn what_is_right_stays_as_it_is() {
        let right = boxes(&[(1.0, 0.0), (0.5, 3.0)]);
        let mut mesh = right.clone();
        assert_eq!(settle(&mut mesh), Turned::default());
        assert_eq!(mesh.triangles, right.triangles);
    }

    #[test]
    fn triangles_against_right_normals_are_turned_part_by_part() {
        let right = boxes(&[(1.0, 0.0), (0.5, 3.0), (0.5, 6.0)]);
        let mut mesh = right.clone();
        turn(&mut mesh, 12..24);
        assert_eq!(
            settle(&mut mesh),
            Turned {
                triangles: 12,
                normals: 0
            }
        );
        assert_eq!(mesh.triangles, right.triangles);
    }

    #[test]
    fn a_few_triangles_of_a_part_are_turned_alone() {
        let right = boxes(&[(1.0, 0.0)]);
        let mut mesh = right.clone();
        turn(&mut mesh, 4..6);
        settle(&mut mesh);
        assert_eq!(mesh.triangles, right.triangles);
    }

    #[test]
    fn normals_that_agree_with_inside_out_triangles_are_turned_with_them() {
        let right = boxes(&[(1.0, 0.0)]);
        let mut mesh = right.clone();
        turn(&mut mesh, 0..12);
        mesh.normals
            .iter_mut()
            .for_each(|normal| *normal = -*normal);
        assert_eq!(
            settle(&mut mesh),
            Turned {
                triangles: 12,
                normals: 36
            }
        );
        assert_eq!(
            (mesh.triangles, mesh.normals),
            (right.triangles, right.normals)
        );
    }

    #[test]
    fn without_normals_the_volume_decides() {
        let right = boxes(&[(1.0, 0.0)]);
        let mut mesh = right.clone();
        turn(&mut mesh, 0..12);
        mesh.normals
            .iter_mut()
            .for_each(|normal| *normal = Vec3::NAN);
        assert_eq!(settle(&mut mesh).triangles, 12);
        assert_eq!(mesh.triangles, right.triangles);
    }

    #[test]
    fn normals_against_right_triangles_are_turned_alone() {
        let right = boxes(&[(1.0, 0.0)]);
        let mut mesh = right.clone();
        mesh.normals
            .iter_mut()
            .for_each(|normal| *normal = -*normal);
        assert_eq!(
            settle(&mut mesh),
            Turned {
                triangles: 0,
                normals: 36
            }
        );
        assert_eq!(
            (mesh.triangles, mesh.normals),
            (right.triangles, right.normals)
        );
    }

    #[test]
    fn the_inside_of_a_hollow_part_stays() {
        let mut hollow = boxes(&[(1.0, 0.0), (0.8, 0.0)]);
        turn(&mut hollow, 12..24);
        hollow.normals[36..]
            .iter_mut()
            .for_each(|normal| *normal = -*normal);
        let mut mesh = hollow.clone();
        assert_eq!(settle(&mut mesh), Turned::default());
        assert_eq!(mesh.triangles, hollow.triangles);
    }

    #[test]
    fn open_parts_go_by_their_normals() {
        let right = boxes(&[(1.0, 0.0)]);
        let mut open = SkinMesh {
            triangles: right.triangles[..6].to_vec(),
            ..right.clone()
        };
        turn(&mut open, 0..6);
        assert_eq!(settle(&mut open).triangles, 6);
        assert_eq!(open.triangles, right.triangles[..6]);
    }

    #[test]
    fn nothing_and_what_has_no_area_is_no_trouble() {
        assert_eq!(settle(&mut SkinMesh::default()), Turned::default());
        let mut flat = SkinMesh {
            positions: vec![Vec3::ZERO; 3],
            normals: vec![Vec3::ZERO; 3],
            triangles: vec![[0, 1, 2]],
            ..SkinMesh::default()
        };
        assert_eq!(settle(&mut flat), Turned::default());
    }
}
