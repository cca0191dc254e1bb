//! What the searches for cloth that cloth meets have found so far.

use std::sync::Arc;

use super::{MAX_NEAR, Push, SHARES, TILE, TILE_PAIRS};
use crate::gpu::{Buffer, BufferDesc, BufferSlice, Gpu, GpuError, Memory};

/// `SEARCH` of glsl/cloth/contact_searches.glsl.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Search {
    NearTriangles,
    NearEdges,
    CrossedTriangles,
}

impl Search {
    pub const ALL: [Self; 3] = [Self::NearTriangles, Self::NearEdges, Self::CrossedTriangles];

    /// How many vertices or edges search, in whole tiles.
    pub const fn searchers(self, push: &Push) -> u32 {
        match self {
            Self::NearTriangles => push.order_count,
            Self::NearEdges | Self::CrossedTriangles => push.edge_count,
        }
    }
}

/// Pairs whose balls are near for which there is room, for each vertex or edge that searches. Usually 32, of which calm clothes use 2 and 6; with more, tiles
/// are searched for one by one, which takes longer. With 16 where cloth crosses cloth, a hundred people who tumble through one another have too many.
pub(super) const PAIRS_EACH: u32 = 32;

/// Bytes that parts of buffers begin at multiples of, as any device takes them.
pub(super) const ALIGNMENT: u64 = 256;
/// Bytes of a pair of tiles, and of a pair: see glsl/cloth/contact_pairs.comp.
const TILE_PAIR_BYTES: u64 = 8;
const PAIR_BYTES: u64 = 12;
/// `ContactPair` of glsl/cloth/contact_lists.glsl.
const CONTACT_PAIR_BYTES: u64 = 8;

/// Pairs of all searches, and what is 0 when a step begins: how many there are, and who has which.
pub(super) struct Searches {
    pub state: Buffer,
    tile_pairs: Buffer,
    /// One of each search, for devices that take no more than 128 MB at once.
    pairs: [Buffer; 3],
    contact_pairs: [Buffer; 3],
    /// The most bytes of a buffer that the device binds.
    max_bytes: u64,
}

/// Parts of the buffers, of one search.
pub(super) struct Found {
    pub counts: BufferSlice,
    /// Of each vertex or edge the first pair that meets, for each share of its list.
    pub first_met: BufferSlice,
    pub tile_pairs: BufferSlice,
    pub pairs: BufferSlice,
    /// What the lists hold, one after the other.
    pub contact_pairs: BufferSlice,
}

/// Bytes of each part.
struct Sizes {
    counts: u64,
    first_met: u64,
    tile_pairs: u64,
    pairs: u64,
    contact_pairs: u64,
}

impl Sizes {
    fn new(push: &Push, search: Search, max_bytes: u64) -> Self {
        let searchers = u64::from(search.searchers(push));
        let tiles = searchers / u64::from(TILE);
        let pairs = searchers * u64::from(PAIRS_EACH) * PAIR_BYTES;
        Self {
            counts: ALIGNMENT,
            first_met: (4 * searchers * u64::from(SHARES)).max(ALIGNMENT),
            tile_pairs: (tiles * u64::from(TILE_PAIRS) * TILE_PAIR_BYTES).max(ALIGNMENT),
            pairs: pairs.min(max_bytes / ALIGNMENT * ALIGNMENT).max(ALIGNMENT),
            contact_pairs: (searchers * MAX_NEAR as u64 * CONTACT_PAIR_BYTES).max(ALIGNMENT),
        }
    }

    const fn of_state(&self) -> u64 {
        self.counts + self.first_met
    }
}

impl Searches {
    /// # Errors
    /// When memory runs out.
    pub fn new(gpu: &Arc<Gpu>, push: &Push) -> Result<Self, GpuError> {
        let max_bytes = u64::from(gpu.limits.max_storage_buffer_range);
        let sizes = Search::ALL.map(|search| Sizes::new(push, search, max_bytes));
        let buffer = |label, bytes: u64| {
            let desc = BufferDesc {
                label,
                bytes,
                memory: Memory::Device,
            };
            Buffer::new(gpu, &desc)
        };
        let [triangles, edges, crossed] = sizes.each_ref().map(|sizes| sizes.pairs);
        let contacts = sizes.each_ref().map(|sizes| sizes.contact_pairs);
        Ok(Self {
            state: buffer(
                "cloth.contacts.searches",
                sizes.iter().map(Sizes::of_state).sum(),
            )?,
            tile_pairs: buffer(
                "cloth.contacts.tile_pairs",
                sizes.iter().map(|sizes| sizes.tile_pairs).sum(),
            )?,
            pairs: [
                buffer("cloth.contacts.pairs_with_triangles", triangles)?,
                buffer("cloth.contacts.pairs_of_edges", edges)?,
                buffer("cloth.contacts.pairs_crossed", crossed)?,
            ],
            contact_pairs: [
                buffer("cloth.contacts.near_triangles", contacts[0])?,
                buffer("cloth.contacts.near_edges", contacts[1])?,
                buffer("cloth.contacts.crossed_triangles", contacts[2])?,
            ],
            max_bytes,
        })
    }

    pub fn of(&self, push: &Push, search: Search) -> Found {
        let sizes = |search| Sizes::new(push, search, self.max_bytes);
        let before = &Search::ALL[..search as usize];
        let sum = |bytes: fn(&Sizes) -> u64| -> u64 {
            before.iter().map(|&search| bytes(&sizes(search))).sum()
        };
        let own = sizes(search);
        let state = sum(Sizes::of_state);
        Found {
            counts: self.state.slice(state, own.counts),
            first_met: self.state.slice(state + own.counts, own.first_met),
            tile_pairs: self
                .tile_pairs
                .slice(sum(|sizes| sizes.tile_pairs), own.tile_pairs),
            pairs: self.pairs[search as usize].all(),
            contact_pairs: self.contact_pairs[search as usize].all(),
        }
    }

    /// Device memory.
    pub fn bytes(&self) -> u64 {
        let pairs = self.pairs.iter().chain(&self.contact_pairs);
        let pairs: u64 = pairs.map(Buffer::bytes).sum();
        self.state.bytes() + self.tile_pairs.bytes() + pairs
    }
}
