//! What the searches for cloth that cloth meets have found so far.

use std::sync::Arc;

use super::{Push, SHARES, TILE, TILE_PAIRS};
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
    pub const NEAR: [Self; 2] = [Self::NearTriangles, Self::NearEdges];

    /// How many vertices or edges search, in whole tiles.
    pub const fn searchers(self, push: &Push) -> u32 {
        match self {
            Self::NearTriangles => push.order_count,
            Self::NearEdges | Self::CrossedTriangles => push.edge_count,
        }
    }

    /// Pairs whose balls are near for which there is room, for each vertex or edge. Usually 16 and 32, of which calm clothes use 2 and 6, and 8 where nothing
    /// has a reach; where it is full, tiles are searched for one by one, which takes longer.
    pub const fn pairs_each(self) -> u32 {
        match self {
            Self::NearTriangles => 16,
            Self::NearEdges => 32,
            Self::CrossedTriangles => 8,
        }
    }
}

/// Bytes that parts of buffers begin at multiples of, as any device takes them.
const ALIGNMENT: u64 = 256;
/// Bytes of a pair of tiles, and of a pair: see glsl/cloth/contact_pairs.comp.
const TILE_PAIR_BYTES: u64 = 8;
const PAIR_BYTES: u64 = 16;

/// Pairs of all searches, and what is 0 when a step begins: how many there are, and who has which.
pub(super) struct Searches {
    pub state: Buffer,
    tile_pairs: Buffer,
    pairs: Buffer,
    /// Bytes that a device takes of a buffer at once.
    max_bytes: u64,
}

/// Parts of the buffers, of one search.
pub(super) struct Found {
    pub counts: BufferSlice,
    /// Of each tile that searches whether it has pairs that found no room.
    pub is_unlisted: BufferSlice,
    /// Of each vertex or edge the first pair that meets, for each share of its list.
    pub first_met: BufferSlice,
    pub tile_pairs: BufferSlice,
    pub pairs: BufferSlice,
}

/// Bytes of each part.
struct Sizes {
    counts: u64,
    is_unlisted: u64,
    first_met: u64,
    tile_pairs: u64,
    pairs: u64,
}

impl Sizes {
    fn new(push: &Push, search: Search, max_bytes: u64) -> Self {
        let searchers = u64::from(search.searchers(push));
        let tiles = searchers / u64::from(TILE);
        let pairs = searchers * u64::from(search.pairs_each()) * PAIR_BYTES;
        Self {
            counts: ALIGNMENT,
            is_unlisted: (4 * tiles).next_multiple_of(ALIGNMENT).max(ALIGNMENT),
            first_met: (4 * searchers * u64::from(SHARES)).max(ALIGNMENT),
            tile_pairs: (tiles * u64::from(TILE_PAIRS) * TILE_PAIR_BYTES).max(ALIGNMENT),
            pairs: pairs.min(max_bytes / ALIGNMENT * ALIGNMENT).max(ALIGNMENT),
        }
    }

    const fn of_state(&self) -> u64 {
        self.counts + self.is_unlisted + self.first_met
    }
}

impl Searches {
    /// # Errors
    /// When memory runs out.
    pub fn new(gpu: &Arc<Gpu>, push: &Push) -> Result<Self, GpuError> {
        let max_bytes = u64::from(gpu.limits.max_storage_buffer_range);
        let buffer = |label, bytes: fn(&Sizes) -> u64| {
            let sizes = Search::ALL.map(|search| bytes(&Sizes::new(push, search, max_bytes)));
            let desc = BufferDesc {
                label,
                bytes: sizes.iter().sum(),
                memory: Memory::Device,
            };
            Buffer::new(gpu, &desc)
        };
        Ok(Self {
            state: buffer("cloth.contacts.searches", Sizes::of_state)?,
            tile_pairs: buffer("cloth.contacts.tile_pairs", |sizes| sizes.tile_pairs)?,
            pairs: buffer("cloth.contacts.pairs", |sizes| sizes.pairs)?,
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
        let first_met = state + own.counts + own.is_unlisted;
        Found {
            counts: self.state.slice(state, own.counts),
            is_unlisted: self.state.slice(state + own.counts, own.is_unlisted),
            first_met: self.state.slice(first_met, own.first_met),
            tile_pairs: self
                .tile_pairs
                .slice(sum(|sizes| sizes.tile_pairs), own.tile_pairs),
            pairs: self.pairs.slice(sum(|sizes| sizes.pairs), own.pairs),
        }
    }

    /// Device memory.
    pub fn bytes(&self) -> u64 {
        [&self.state, &self.tile_pairs, &self.pairs]
            .map(Buffer::bytes)
            .iter()
            .sum()
    }
}
