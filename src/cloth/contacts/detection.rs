//! The launches that find what cloth may meet during a step.

use super::searches::{ALIGNMENT, PAIRS_EACH, Search};
use super::{
    ClothContacts, ContactPipelines, NEAR_WORDS, Push, SHARES, TILE, TILE_PAIRS, first_edge_list,
};
use crate::cloth::solver::Cloth;
use crate::gpu::{Access, Bind, BufferSlice, Gpu, Recorder};
use crate::skin::SkinnedBody;

/// Threads of a workgroup of glsl/cloth/contact_find.comp.
const FIND_THREADS: u32 = 256;
/// The most threads that find pairs, test them, or search for tiles one by one, which take further ones in turn. Usually 2^19, what fills an NVIDIA H100 twice.
const TURN_THREADS: u32 = 1 << 19;
/// The same where a CPU stands in for a device, which begins a workgroup of hundreds of threads as slowly as it does some work in it. Usually 2^12, sixteen
/// workgroups or more.
const CPU_TURN_THREADS: u32 = 1 << 12;

/// The most threads of passes whose threads take further tasks in turn.
pub(super) fn turn_threads(gpu: &Gpu) -> u32 {
    match gpu.is_cpu {
        true => CPU_TURN_THREADS,
        false => TURN_THREADS,
    }
}

/// What the launches of a step share.
pub(super) struct Detection<'a> {
    pub contacts: &'a ClothContacts,
    pub pipelines: &'a ContactPipelines,
    pub cloth: &'a Cloth,
    pub push: Push,
}

impl Detection<'_> {
    /// Eight launches in a row, some of which are several side by side.
    pub fn record(&self, recorder: &mut Recorder, body: &SkinnedBody, garments: BufferSlice) {
        let [near_triangles, near_edges, crossed] = Search::ALL;
        let near = [near_triangles, near_edges];
        self.bound(recorder, body, garments);
        wait(recorder);
        for search in Search::ALL {
            self.pair_tiles(recorder, search);
        }
        wait(recorder);
        for search in Search::ALL {
            self.pair(recorder, search);
        }
        wait(recorder);
        // What is tangled is known before sides are told.
        self.test(recorder, crossed);
        wait(recorder);
        self.search_tile_by_tile(recorder, crossed);
        wait(recorder);
        // What is near is looked at while the crossings are listed.
        self.list(recorder, crossed);
        for search in near {
            self.test(recorder, search);
            self.search_tile_by_tile(recorder, search);
        }
        wait(recorder);
        for search in near {
            self.list(recorder, search);
        }
    }

    /// Balls and boxes round what moves.
    fn bound(&self, recorder: &mut Recorder, body: &SkinnedBody, garments: BufferSlice) {
        let (contacts, pipelines, push) = (self.contacts, self.pipelines, &self.push);
        let surface = self.surface();
        let [tile_count, block_count, region_count] = push.box_counts();
        let bounded = [
            body.positions().into(),
            body.previous_positions().into(),
            (&contacts.vertices).into(),
            (&contacts.order).into(),
            self.cloth.as_particles(garments).particles.into(),
            garments.into(),
        ];
        let bindings: [Bind; 13] = Bind::joined(&[&surface, &bounded]);
        recorder.dispatch(&pipelines.bound, &bindings, push, tile_count * TILE);
        wait(recorder);
        recorder.dispatch(&pipelines.bound_blocks, &surface, push, block_count * TILE);
        if region_count > 0 {
            wait(recorder);
            let threads = region_count * TILE;
            recorder.dispatch(&pipelines.bound_regions, &surface, push, threads);
        }
    }

    /// Which tiles have what may meet.
    fn pair_tiles(&self, recorder: &mut Recorder, search: Search) {
        let of = self.contacts.searches.of(&self.push, search);
        let found = [
            (&self.contacts.order).into(),
            of.counts.into(),
            of.tile_pairs.into(),
        ];
        let bindings: [Bind; 10] = Bind::joined(&[&self.surface(), &found]);
        let pipeline = &self.pipelines.tile_pairs[search as usize];
        let threads = search.searchers(&self.push);
        recorder.dispatch(pipeline, &bindings, &self.push, threads);
    }

    /// Which of what those tiles have has balls that come near each other.
    fn pair(&self, recorder: &mut Recorder, search: Search) {
        let of = self.contacts.searches.of(&self.push, search);
        let found = [
            (&self.contacts.order).into(),
            of.counts.into(),
            of.tile_pairs.into(),
            of.pairs.into(),
        ];
        let bindings: [Bind; 11] = Bind::joined(&[&self.surface(), &found]);
        let pipeline = &self.pipelines.pairs[search as usize];
        let threads = (search.searchers(&self.push) * TILE_PAIRS).min(self.contacts.turn_threads);
        recorder.dispatch(pipeline, &bindings, &self.push, threads);
    }

    /// Which of those pairs meet.
    fn test(&self, recorder: &mut Recorder, search: Search) {
        let of = self.contacts.searches.of(&self.push, search);
        let found = [of.counts.into(), of.pairs.into(), of.first_met.into()];
        let bindings: [Bind; 15] = Bind::joined(&[&self.tested(), &found]);
        let pipeline = &self.pipelines.test[search as usize];
        let threads = (search.searchers(&self.push) * PAIRS_EACH).min(self.contacts.turn_threads);
        recorder.dispatch(pipeline, &bindings, &self.push, threads);
    }

    /// Lists what meets, unless there was no room for some pairs.
    fn list(&self, recorder: &mut Recorder, search: Search) {
        let of = self.contacts.searches.of(&self.push, search);
        let [lists, overflow] = self.lists(search);
        let found = [
            (&self.contacts.order).into(),
            of.pairs.into(),
            of.first_met.into(),
            of.counts.into(),
            lists.into(),
            overflow.into(),
            of.contact_pairs.into(),
        ];
        let bindings: [Bind; 14] = Bind::joined(&[&self.surface(), &found]);
        let pipeline = &self.pipelines.list[search as usize];
        let threads = search.searchers(&self.push) * SHARES;
        recorder.dispatch(pipeline, &bindings, &self.push, threads);
    }

    /// Finds and lists what meets tile by tile, if there was no room for some pairs.
    fn search_tile_by_tile(&self, recorder: &mut Recorder, search: Search) {
        let of = self.contacts.searches.of(&self.push, search);
        let [lists, overflow] = self.lists(search);
        let found = [
            lists.into(),
            overflow.into(),
            of.counts.into(),
            of.contact_pairs.into(),
        ];
        let bindings: [Bind; 16] = Bind::joined(&[&self.tested(), &found]);
        let pipeline = &self.pipelines.find[search as usize];
        let threads =
            (search.searchers(&self.push) / TILE * FIND_THREADS).min(self.contacts.turn_threads);
        recorder.dispatch(pipeline, &bindings, &self.push, threads);
    }

    /// The lists that a search writes, and where it counts what finds no room in them.
    fn lists(&self, search: Search) -> [BufferSlice; 2] {
        let contacts = self.contacts;
        let [vertices, edges] = [
            first_edge_list(self.push.particle_count.max(1) as usize),
            self.push.edge_count.max(1) as usize,
        ]
        .map(|count| (count * NEAR_WORDS * 4) as u64);
        let lists = match search {
            Search::NearTriangles => contacts.near[0].slice(0, vertices),
            Search::NearEdges => contacts.near[0].slice(vertices, edges),
            Search::CrossedTriangles => contacts.crossings.slice(0, edges),
        };
        let overflow = contacts
            .overflow
            .slice(search as u64 * ALIGNMENT, ALIGNMENT);
        [lists, overflow]
    }

    /// What all that tests pairs binds first.
    fn tested(&self) -> [Bind; 12] {
        let contacts = self.contacts;
        let sides = [
            (&contacts.order).into(),
            (&contacts.tangled).into(),
            (&contacts.vertices).into(),
            self.cloth.normals().into(),
            (&contacts.near[1]).into(),
        ];
        Bind::joined(&[&self.surface(), &sides])
    }

    /// What all of it binds first.
    fn surface(&self) -> [Bind; 7] {
        let boxes = [(&self.contacts.balls).into(), (&self.contacts.tiles).into()];
        Bind::joined(&[&self.contacts.shared(self.cloth), &boxes])
    }
}

/// What follows reads what was written before.
fn wait(recorder: &mut Recorder) {
    recorder.barrier(&[Access::ComputeReadWrite], &[Access::ComputeReadWrite]);
}
