//! Cloth as a surface that other cloth meets.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use crate::cloth::constraints::edges;
use crate::cloth::garment::Garment;
use crate::math::Bounds;

/// `ClothVertex` of glsl/shared/structs.glsl.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ClothVertex {
    pub rest_position: Vec3,
    pub layer: u32,
    pub sheet: u32,
}

/// `ClothEdge` of glsl/shared/structs.glsl.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct ClothEdge {
    pub ends: [u32; 2],
    pub opposite: [u32; 2],
}

/// Triangles, edges or vertices of a tile: `TILE` of glsl/cloth/contact_tiles.glsl.
pub(super) const TILE: usize = 32;

/// No triangle at that side of an edge, and no particle.
pub const NOTHING: u32 = u32::MAX;

const NO_EDGE: ClothEdge = ClothEdge {
    ends: [NOTHING; 2],
    opposite: [NOTHING; 2],
};

/// Vertices, edges and triangles of all garments of a world, by particles. Triangles, edges and the order of the vertices lie in tiles
/// of [`TILE`] neighbours; where a tile has fewer, they are [`NOTHING`].
#[derive(Clone, Debug, Default)]
pub struct ClothSurface {
    pub vertices: Vec<ClothVertex>,
    pub edges: Vec<ClothEdge>,
    pub triangles: Vec<[u32; 3]>,
    /// All particles.
    pub order: Vec<u32>,
}

impl ClothSurface {
    /// Appends a garment, whose particles follow those of the garments before it. Of the garments of one body the innermost come
    /// first.
    pub fn add(&mut self, garment: &Garment, body_ix: u32) {
        let first = self.vertices.len() as u32;
        let (layer, mesh) = (self.next_layer(body_ix), &garment.mesh);
        let sheets_before = self.vertices.iter().map(|vertex| vertex.sheet + 1);
        let first_sheet = sheets_before.max().unwrap_or(0);
        let sheets = sheets(mesh.positions.len(), &mesh.triangles);
        let vertex = |(&rest_position, sheet): (&Vec3, u32)| ClothVertex {
            rest_position,
            layer,
            sheet: first_sheet + sheet,
        };
        let vertices = garment.rest_shape().iter().zip(sheets);
        self.vertices.extend(vertices.map(vertex));
        let at = |ix: u32| self.vertices[ix as usize].rest_position;
        let particles = (first..self.vertices.len() as u32).collect();
        self.order
            .extend(in_tiles(particles, NOTHING, |&ix| at(ix)));
        let edge = |((a, b), opposite): ((u32, u32), Vec<u32>)| ClothEdge {
            ends: [a + first, b + first],
            // Where more than two triangles meet, the first two count.
            opposite: [0, 1].map(|ix| opposite.get(ix).map_or(NOTHING, |far| far + first)),
        };
        let found = edges(&mesh.triangles).into_iter().map(edge).collect();
        let middle = |edge: &ClothEdge| 0.5 * (at(edge.ends[0]) + at(edge.ends[1]));
        self.edges.extend(in_tiles(found, NO_EDGE, middle));
        let has_area = |[a, b, c]: &&[u32; 3]| a != b && b != c && c != a;
        let found = mesh.triangles.iter().filter(has_area);
        let found = found.map(|corners| corners.map(|ix| ix + first)).collect();
        let middle = |&[a, b, c]: &[u32; 3]| (at(a) + at(b) + at(c)) / 3.0;
        self.triangles.extend(in_tiles(found, [NOTHING; 3], middle));
    }

    /// The layer of a body's next garment, as [`ClothVertex::layer`] has it.
    fn next_layer(&self, body_ix: u32) -> u32 {
        let of_body = |vertex: &&ClothVertex| vertex.layer >> 16 == body_ix & 0xFFFF;
        let outermost = self.vertices.iter().rev().find(of_body);
        outermost.map_or(body_ix << 16, |vertex| vertex.layer + 1)
    }
}

/// Of each of so many vertices its piece of cloth, by number: what triangles join is one piece.
fn sheets(vertex_count: usize, triangles: &[[u32; 3]]) -> Vec<u32> {
    // Of each vertex one of its piece with no larger index; the first of a piece has itself.
    let mut leaders: Vec<u32> = (0..vertex_count as u32).collect();
    let leader_of = |leaders: &[u32], mut ix: u32| {
        while leaders[ix as usize] != ix {
            ix = leaders[ix as usize];
        }
        ix
    };
    for corners in triangles {
        let found = corners.map(|ix| leader_of(&leaders, ix));
        let least = found[0].min(found[1]).min(found[2]);
        for ix in found.into_iter().chain(*corners) {
            leaders[ix as usize] = least;
        }
    }
    let mut sheets = Vec::with_capacity(vertex_count);
    let mut count = 0;
    for ix in 0..vertex_count as u32 {
        let leader = leader_of(&leaders, ix);
        let sheet = if leader == ix {
            count
        } else {
            sheets[leader as usize]
        };
        count += u32::from(leader == ix);
        sheets.push(sheet);
    }
    sheets
}

/// In tiles of neighbours, each filled up with `nothing`.
fn in_tiles<T: Copy>(mut things: Vec<T>, nothing: T, place: impl Fn(&T) -> Vec3) -> Vec<T> {
    let mut tiles = Vec::new();
    add_tiles(&mut things, &place, &mut |tile| {
        tiles.extend_from_slice(tile);
        tiles.resize(tiles.len().next_multiple_of(TILE), nothing);
    });
    tiles
}

/// Halves what is too much for a tile across its longest side, so that tiles are small: a garment's sides lie on each other's back. All tiles
/// but the last are full.
fn add_tiles<T>(things: &mut [T], place: &impl Fn(&T) -> Vec3, add: &mut impl FnMut(&[T])) {
    if things.len() <= TILE {
        return add(things);
    }
    let boxes = things
        .iter()
        .map(|thing| Bounds::of_ball(place(thing), 0.0));
    let size = boxes.fold(Bounds::EMPTY, Bounds::union).size();
    let axis = size.max_position();
    things.sort_by(|a, b| place(a)[axis].total_cmp(&place(b)[axis]));
    let (low, high) = things.split_at_mut((things.len() / 2).next_multiple_of(TILE));
    add_tiles(low, place, add);
    add_tiles(high, place, add);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_triangles_join_is_one_sheet() {
        let triangles = [[4, 5, 6], [1, 2, 0], [6, 7, 4], [2, 8, 1]];
        assert_eq!(sheets(9, &triangles), [0, 0, 0, 1, 2, 2, 2, 2, 0]);
    }

    #[test]
    fn tiles_are_small_and_have_everything_once() {
        let at = |ix: &u32| Vec3::new((ix % 20) as f32, (ix / 20) as f32, 0.0);
        let tiles = in_tiles((0..400).collect(), NOTHING, at);
        let mut all: Vec<_> = tiles.iter().copied().filter(|&ix| ix != NOTHING).collect();
        for tile in tiles.chunks(TILE) {
            let there = tile.iter().filter(|&&ix| ix != NOTHING);
            let boxes = there.map(|ix| Bounds::of_ball(at(ix), 0.0));
            let size = boxes.fold(Bounds::EMPTY, Bounds::union).size();
            // A square of 32 is 5.7 wide; the remainders of the halves are longer.
            assert!(size.max_element() <= 9.0, "{size}");
        }
        all.sort_unstable();
        assert!(all.into_iter().eq(0..400) && tiles.len() == 13 * TILE);
    }
}
