//! From a signed distance to a mesh: naive surface nets on the half space x ≥ 0.
//!
//! Cells straddle the middle plane so that the vertices there lie exactly on it, and the half can be mirrored
//! without a seam. The marching tetrahedra that garments are made with leave the ogre a handle on each side at its cells of 11 mm;
//! here ambiguous cells are filled instead.

use super::sculpture::Sculpture;
use glam::{IVec3, Vec3};
use rayon::prelude::*;

/// Corners a block measures along each edge. Blocks far from the surface are skipped whole.
const BLOCK: i32 = 8;

/// How much steeper than one a distance may be. Too small and pieces of skin go missing.
const STEEPEST: f32 = 2.0;

/// Rounds of smoothing along the surface.
const SMOOTHING_ROUNDS: usize = 4;

const NO_VERTEX: u32 = u32::MAX;

/// Triangles without skin weights, counter-clockwise seen from outside.
#[derive(Clone, Debug, Default)]
pub(super) struct Mesh {
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

/// A mesh whose triangles each have a material.
#[derive(Clone, Debug, Default)]
pub(super) struct PartedMesh {
    pub mesh: Mesh,
    /// One for each triangle.
    pub parts: Vec<u8>,
}

impl PartedMesh {
    /// The half and its mirror image as one mesh, triangles sorted by part.
    pub fn mirror(&self) -> Self {
        let mut positions = self.mesh.positions.clone();
        let mut twin = |(ix, p): (u32, &Vec3)| {
            if p.x == 0.0 {
                return ix;
            }
            positions.push(Vec3::new(-p.x, p.y, p.z));
            positions.len() as u32 - 1
        };
        let twins: Vec<u32> = (0u32..).zip(&self.mesh.positions).map(&mut twin).collect();
        let left = self.mesh.triangles.iter().copied();
        let right = self
            .mesh
            .triangles
            .iter()
            .map(|&[a, b, c]| [a, c, b].map(|v| twins[v as usize]));
        let parts = self.parts.iter().chain(&self.parts).copied();
        let mut parted: Vec<([u32; 3], u8)> = left.chain(right).zip(parts).collect();
        parted.sort_by_key(|&(_, part)| part);
        let (triangles, parts) = parted.into_iter().unzip();
        Self {
            mesh: Mesh {
                positions,
                triangles,
            },
            parts,
        }
    }
}

/// The box of the figure's left half, metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub width: f32,
    pub back: f32,
    pub front: f32,
}

/// Samples of the distance at the corners of a grid.
struct Grid {
    counts: IVec3,
    cell: f32,
    origin: Vec3,
    samples: Vec<f32>,
}

/// Meshes the figure's left half with cells of the given edge.
pub(super) fn half_mesh(figure: &Sculpture, bounds: Bounds, cell: f32) -> Mesh {
    let mut grid = Grid::sample(figure, bounds, cell);
    grid.fill_ambiguous();
    let mut mesh = grid.nets();
    settle(&mut mesh, figure);
    mesh
}

impl Grid {
    fn sample(figure: &Sculpture, bounds: Bounds, cell: f32) -> Self {
        // The first layer of corners is half a cell left of the middle plane.
        let origin = Vec3::new(-0.5 * cell, -2.0 * cell, bounds.back);
        let size = Vec3::new(bounds.width, figure.height * 1.03, bounds.front) - origin;
        let counts = ((size / cell).ceil().as_ivec3() / BLOCK + 1) * BLOCK;
        let layers: Vec<Vec<f32>> = (0..counts.z / BLOCK)
            .into_par_iter()
            .map(|layer| sample_layer(figure, origin, cell, counts, layer))
            .collect();
        Self {
            counts,
            cell,
            origin,
            samples: layers.concat(),
        }
    }

    fn sample_ix(&self, at: IVec3) -> usize {
        ((at.z * self.counts.y + at.y) * self.counts.x + at.x) as usize
    }

    fn sample_at(&self, at: IVec3) -> f32 {
        self.samples[self.sample_ix(at)]
    }

    fn corner(&self, at: IVec3) -> Vec3 {
        self.origin + at.as_vec3() * self.cell
    }

    /// Fills corners until the surface passes every cell as one sheet, without which the mesh would not be a manifold.
    ///
    /// Only cells in sharp creases need it, like those between two fingers.
    fn fill_ambiguous(&mut self) {
        let is_simple: Vec<bool> = (0..=255).map(is_one_sheet).collect();
        loop {
            let mut filled = false;
            for cell in lattice(self.counts - 1) {
                let corners = CORNERS.map(|corner| self.sample_ix(cell + corner));
                let signs = corners
                    .iter()
                    .enumerate()
                    .map(|(bit, &ix)| usize::from(self.samples[ix] < 0.0) << bit);
                if is_simple[signs.sum::<usize>()] {
                    continue;
                }
                let outside = (0..8).filter(|&bit| self.samples[corners[bit]] >= 0.0);
                let nearest = outside
                    .min_by(|&a, &b| self.samples[corners[a]].total_cmp(&self.samples[corners[b]]));
                let Some(bit) = nearest else { continue };
                self.fill(cell + CORNERS[bit]);
                filled = true;
            }
            if !filled {
                return;
            }
        }
    }

    /// Makes a corner just inside, and its mirror image with it.
    fn fill(&mut self, at: IVec3) {
        let value = -0.05 * self.cell;
        let ix = self.sample_ix(at);
        self.samples[ix] = value;
        if at.x <= 1 {
            let twin = self.sample_ix(IVec3::new(1 - at.x, at.y, at.z));
            self.samples[twin] = value;
        }
    }

    fn nets(&self) -> Mesh {
        let mut mesh = Mesh::default();
        let mut vertex_of_cell = vec![NO_VERTEX; self.samples.len()];
        let cells = self.counts - 1;
        for at in lattice(cells) {
            if let Some(position) = self.cell_vertex(at) {
                vertex_of_cell[self.sample_ix(at)] = mesh.positions.len() as u32;
                mesh.positions.push(position);
            }
        }
        for at in lattice(cells) {
            self.emit_quads(at, &vertex_of_cell, &mut mesh);
        }
        mesh
    }

    /// The mean of the points where the cell's edges cross the surface.
    fn cell_vertex(&self, cell: IVec3) -> Option<Vec3> {
        let mut sum = Vec3::ZERO;
        let mut count = 0;
        for axis in 0..3 {
            for side in 0..4 {
                let from = cell + edge_start(axis, side);
                let to = from + IVec3::AXES[axis];
                let (a, b) = (self.sample_at(from), self.sample_at(to));
                if (a < 0.0) != (b < 0.0) {
                    sum += self.corner(from).lerp(self.corner(to), a / (a - b));
                    count += 1;
                }
            }
        }
        let mean = sum / count.max(1) as f32;
        let on_middle = if cell.x == 0 {
            Vec3::new(0.0, mean.y, mean.z)
        } else {
            mean
        };
        (count > 0).then_some(on_middle)
    }

    /// One quad for each of the three edges that start at a corner and cross the surface.
    fn emit_quads(&self, at: IVec3, vertex_of_cell: &[u32], mesh: &mut Mesh) {
        let inside = self.sample_at(at) < 0.0;
        for axis in 0..3 {
            if inside == (self.sample_at(at + IVec3::AXES[axis]) < 0.0) {
                continue;
            }
            let (u, v) = (IVec3::AXES[(axis + 1) % 3], IVec3::AXES[(axis + 2) % 3]);
            let cells = [at - u - v, at - v, at, at - u];
            if cells.iter().any(|c| c.min_element() < 0) {
                continue;
            }
            let [a, b, c, d] = cells.map(|c| vertex_of_cell[self.sample_ix(c)]);
            let (first, second) = ([a, b, c], [a, c, d]);
            let flip = |[a, b, c]: [u32; 3]| if inside { [a, b, c] } else { [a, c, b] };
            mesh.triangles.extend([flip(first), flip(second)]);
        }
    }
}

/// The corners of a cell; bit k of a corner's index is its step along axis k.
const CORNERS: [IVec3; 8] = [
    IVec3::new(0, 0, 0),
    IVec3::new(1, 0, 0),
    IVec3::new(0, 1, 0),
    IVec3::new(1, 1, 0),
    IVec3::new(0, 0, 1),
    IVec3::new(1, 0, 1),
    IVec3::new(0, 1, 1),
    IVec3::new(1, 1, 1),
];

/// Whether a cell whose inside corners are the set bits holds one sheet of surface: both sides hang together along
/// the cell's edges, on each of its faces too.
fn is_one_sheet(signs: u32) -> bool {
    let cube = (0..8).collect::<Vec<u32>>();
    let faces = (0..3).flat_map(|axis| {
        [0, 1].map(|side| {
            cube.iter()
                .copied()
                .filter(|c| c >> axis & 1 == side)
                .collect()
        })
    });
    let mut sets: Vec<Vec<u32>> = faces.collect();
    sets.push(cube.clone());
    sets.iter().all(|set| {
        let (inside, outside): (Vec<u32>, Vec<u32>) =
            set.iter().partition(|&c| signs >> c & 1 == 1);
        hangs_together(&inside) && hangs_together(&outside)
    })
}

/// Whether corners are connected along edges: steps that change one bit.
fn hangs_together(corners: &[u32]) -> bool {
    let mut reached: Vec<u32> = corners.iter().copied().take(1).collect();
    let mut next = 0;
    while next < reached.len() {
        let from = reached[next];
        let new = corners
            .iter()
            .filter(|&&c| (c ^ from).count_ones() == 1 && !reached.contains(&c));
        let new: Vec<u32> = new.copied().collect();
        reached.extend(new);
        next += 1;
    }
    reached.len() == corners.len()
}

fn lattice(counts: IVec3) -> impl Iterator<Item = IVec3> {
    (0..counts.z).flat_map(move |z| {
        (0..counts.y).flat_map(move |y| (0..counts.x).map(move |x| IVec3::new(x, y, z)))
    })
}

fn edge_start(axis: usize, side: i32) -> IVec3 {
    IVec3::AXES[(axis + 1) % 3] * (side & 1) + IVec3::AXES[(axis + 2) % 3] * (side >> 1)
}

fn sample_layer(
    figure: &Sculpture,
    origin: Vec3,
    cell: f32,
    counts: IVec3,
    layer: i32,
) -> Vec<f32> {
    let mut samples = vec![0.0; (counts.x * counts.y * BLOCK) as usize];
    let half_diagonal = 0.5 * 3f32.sqrt() * BLOCK as f32 * cell;
    for block in lattice(IVec3::new(counts.x, counts.y, BLOCK) / BLOCK) {
        let first = block * BLOCK + IVec3::Z * (layer * BLOCK);
        let middle = origin + (first.as_vec3() + 0.5 * (BLOCK - 1) as f32) * cell;
        let distance = figure.distance(middle);
        let is_far = distance.abs() > STEEPEST * half_diagonal;
        for at in lattice(IVec3::splat(BLOCK)) {
            let ix = (at.z * counts.y + block.y * BLOCK + at.y) * counts.x + block.x * BLOCK + at.x;
            let corner = origin + (first + at).as_vec3() * cell;
            samples[ix as usize] = if is_far {
                distance
            } else {
                figure.distance(corner)
            };
        }
    }
    samples
}

/// Evens the vertices out along the surface and puts them exactly on it.
fn settle(mesh: &mut Mesh, figure: &Sculpture) {
    let neighbours = neighbours(mesh);
    for _ in 0..SMOOTHING_ROUNDS {
        let old = &mesh.positions;
        let new: Vec<Vec3> = (0..old.len())
            .into_par_iter()
            .map(|ix| {
                let on_middle = old[ix].x == 0.0;
                let ring = neighbours[ix]
                    .iter()
                    .map(|&n| old[n as usize])
                    .filter(|n| !on_middle || n.x == 0.0);
                let (sum, count) =
                    ring.fold((Vec3::ZERO, 0), |(sum, count), n| (sum + n, count + 1));
                let relaxed = old[ix].lerp(
                    sum / count.max(1) as f32,
                    if count == 0 { 0.0 } else { 0.5 },
                );
                project(figure, relaxed)
            })
            .collect();
        mesh.positions = new;
    }
}

fn neighbours(mesh: &Mesh) -> Vec<Vec<u32>> {
    let mut neighbours = vec![Vec::new(); mesh.positions.len()];
    for &[a, b, c] in &mesh.triangles {
        for (from, to) in [(a, b), (b, c), (c, a), (b, a), (c, b), (a, c)] {
            if !neighbours[from as usize].contains(&to) {
                neighbours[from as usize].push(to);
            }
        }
    }
    neighbours
}

/// A Newton step towards the surface. A point on the middle plane stays there.
fn project(figure: &Sculpture, p: Vec3) -> Vec3 {
    let longest = 0.002 * figure.height;
    let step = 0.0004 * figure.height;
    let distance = figure.distance(p);
    let slope = Vec3::AXES.map(|axis| (figure.distance(p + axis * step) - distance) / step);
    let slope = Vec3::new(if p.x == 0.0 { 0.0 } else { slope[0] }, slope[1], slope[2]);
    p - slope.normalize_or_zero() * distance.clamp(-longest, longest)
}
