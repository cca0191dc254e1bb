//! The mesh while it is being edited.

use glam::Vec3;

use super::super::surface::{Edge, Surface};
use super::border;

/// A surface that knows its border and the corners of its border.
pub(super) struct Sheet {
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    pub on_border: Vec<bool>,
    /// Corners of the border: never moved, never removed.
    pub pinned: Vec<bool>,
}

/// The triangles round each vertex.
pub(super) struct Fans {
    offsets: Vec<u32>,
    triangles: Vec<u32>,
}

impl Fans {
    pub fn of(triangles: &[[u32; 3]], vertex_count: usize) -> Self {
        let mut offsets = vec![0u32; vertex_count + 1];
        triangles
            .iter()
            .flatten()
            .for_each(|&ix| offsets[ix as usize + 1] += 1);
        (0..vertex_count).for_each(|ix| offsets[ix + 1] += offsets[ix]);
        let mut next = offsets.clone();
        let mut fan_triangles = vec![0; 3 * triangles.len()];
        for (triangle_ix, triangle) in triangles.iter().enumerate() {
            for &vertex_ix in triangle {
                fan_triangles[next[vertex_ix as usize] as usize] = triangle_ix as u32;
                next[vertex_ix as usize] += 1;
            }
        }
        Self {
            offsets,
            triangles: fan_triangles,
        }
    }

    pub fn around(&self, vertex_ix: u32) -> &[u32] {
        let vertex_ix = vertex_ix as usize;
        &self.triangles[self.offsets[vertex_ix] as usize..self.offsets[vertex_ix + 1] as usize]
    }
}

impl Sheet {
    pub fn new(surface: &Surface) -> Self {
        let mut on_border = vec![false; surface.positions.len()];
        let border_edges = surface.edges().into_iter().filter(Edge::is_border);
        border_edges.for_each(|edge| {
            edge.ends
                .iter()
                .for_each(|&ix| on_border[ix as usize] = true);
        });
        let pinned = border::corners(surface);
        Self {
            positions: surface.positions.clone(),
            triangles: surface.triangles.clone(),
            on_border,
            pinned,
        }
    }

    pub fn into_surface(self) -> Surface {
        Surface {
            positions: self.positions,
            triangles: self.triangles,
        }
    }

    pub fn edges(&self) -> Vec<Edge> {
        // Borrowed through a surface so that there is one way to list edges.
        Surface {
            positions: Vec::new(),
            triangles: self.triangles.clone(),
        }
        .edges()
    }

    pub fn fans(&self) -> Fans {
        Fans::of(&self.triangles, self.positions.len())
    }

    pub fn length(&self, edge: &Edge) -> f32 {
        self.positions[edge.ends[0] as usize].distance(self.positions[edge.ends[1] as usize])
    }

    pub fn corners(&self, triangle: [u32; 3]) -> [Vec3; 3] {
        triangle.map(|ix| self.positions[ix as usize])
    }

    /// The vertices joined to one by an edge, sorted.
    pub fn neighbours(&self, fans: &Fans, vertex_ix: u32) -> Vec<u32> {
        let corners = fans
            .around(vertex_ix)
            .iter()
            .flat_map(|&triangle_ix| self.triangles[triangle_ix as usize]);
        let mut neighbours: Vec<u32> = corners.filter(|&ix| ix != vertex_ix).collect();
        neighbours.sort_unstable();
        neighbours.dedup();
        neighbours
    }

    /// Drops the marked vertices, which no triangle may use any more.
    pub fn remove(&mut self, removed: &[bool]) {
        let mut new_ix = vec![0u32; removed.len()];
        let mut kept = 0;
        for (slot, &removed) in new_ix.iter_mut().zip(removed) {
            *slot = kept;
            kept += u32::from(!removed);
        }
        let mut flags = removed.iter();
        self.positions
            .retain(|_| !flags.next().is_some_and(|&removed| removed));
        let mut flags = removed.iter();
        self.on_border
            .retain(|_| !flags.next().is_some_and(|&removed| removed));
        let mut flags = removed.iter();
        self.pinned
            .retain(|_| !flags.next().is_some_and(|&removed| removed));
        self.triangles
            .iter_mut()
            .flatten()
            .for_each(|ix| *ix = new_ix[*ix as usize]);
    }
}

pub(super) fn double_area_normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a)
}

/// The corner of a triangle that is on neither end of an edge.
pub(super) fn opposite(triangle: [u32; 3], ends: [u32; 2]) -> Option<u32> {
    triangle.into_iter().find(|ix| !ends.contains(ix))
}
