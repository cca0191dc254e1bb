// Which tiles a workgroup's box comes near, by regions and blocks. Includers declare ROWS, of how many rows of 32 threads a workgroup is.
#ifndef CLOTH_CONTACT_MET_TILES
#define CLOTH_CONTACT_MET_TILES

#include "cloth/contact_searches.glsl"

// A bit for each of 32 regions, and for each of the blocks of one, whose box the workgroup's comes near; and the tiles of those that it comes near, in no
// order.
shared uint met_regions;
shared uint met_blocks;
shared uint met_tiles[TILE * TILE];
shared uint met_tile_count;

// Sets the bits of 32 regions, from `first` on. All is near where there is but one.
void find_regions(MovingBounds group_box, uint first) {
    uint region = first + lane(), regions = regions_of(other_kind());
    barrier();
    if (gl_LocalInvocationID.x == 0) met_regions = regions == 1 ? 1 : 0;
    barrier();
    if (row() == 0 && regions > 1 && region < regions && come_near(group_box, tiles[first_region_of(other_kind()) + region], until())) atomicOr(met_regions, 1u << lane());
    barrier();
}

// Finds the tiles of 32 blocks, from `first_block` on, and from `first_tile` on.
void find_tiles(MovingBounds group_box, uint first_block, uint first_tile) {
    uint block = first_block + lane();
    if (gl_LocalInvocationID.x == 0) met_blocks = met_tile_count = 0;
    barrier();
    if (row() == 0 && block < blocks_of(other_kind()) && come_near(group_box, tiles[first_block_of(other_kind()) + block], until())) atomicOr(met_blocks, 1u << lane());
    barrier();
    uint blocks = met_blocks;
    for (uint ix = 0; blocks != 0; ++ix, blocks &= blocks - 1) {
        uint tile = (first_block + findLSB(blocks)) * TILE + lane();
        if (ix % ROWS != row() || tile < first_tile || tile >= tile_count_of(other_kind())) continue;
        if (come_near(group_box, tiles[first_tile_of(other_kind()) + tile], until())) met_tiles[atomicAdd(met_tile_count, 1)] = tile;
    }
    barrier();
}

#endif
