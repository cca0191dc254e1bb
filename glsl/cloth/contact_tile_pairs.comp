// Finds which tiles of cloth have anything that may meet: for each tile of what searches those of the others whose moving boxes its own comes near.
// Reads: boxes. Writes: pairs of tiles, in no order, and how many.
// A workgroup per tile of what searches. Runs once per step for each search, after contact_bound_blocks.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require

const uint ROWS = 1;

#include "cloth/contact_met_tiles.glsl"

layout(local_size_x = 32) in; // TILE

layout(scalar, binding = 8) buffer Counts { SearchCounts search_counts; };
layout(std430, binding = 9) writeonly buffer TilePairs { uvec2 tile_pairs[]; };

shared uint first_pair;

// Lists the tiles that were found.
void store_tiles() {
    if (lane() == 0 && met_tile_count > 0) first_pair = atomicAdd(search_counts.tile_pair_count, met_tile_count);
    barrier();
    for (uint i = lane(); i < met_tile_count; i += TILE) {
        if (first_pair + i < tile_pairs.length()) {
            tile_pairs[first_pair + i] = uvec2(gl_WorkGroupID.x, met_tiles[i]);
        } else {
            search_counts.has_no_room = 1;
        }
    }
    barrier();
}

void main() {
    MovingBounds group_box = tiles[first_tile_of(searcher_kind()) + gl_WorkGroupID.x];
    uint first_tile = first_tile_for(gl_WorkGroupID.x);
    for (uint first_region = first_tile / (TILE * TILE * TILE) * TILE; first_region < regions_of(other_kind()); first_region += TILE) {
        find_regions(group_box, first_region);
        for (uint regions = met_regions; regions != 0; regions &= regions - 1) {
            find_tiles(group_box, (first_region + findLSB(regions)) * TILE, first_tile);
            store_tiles();
        }
    }
}
