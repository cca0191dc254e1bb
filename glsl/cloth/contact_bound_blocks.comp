// Puts boxes round blocks of 32 tiles, or round regions of 32 blocks.
// Reads: the boxes of tiles, or blocks. Writes: the boxes of blocks, or regions.
// A workgroup per block of tiles of triangles, then of edges; regions likewise. Runs once per step, after contact_bound; for regions once more, where there
// is more than one.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "cloth/contact_tiles.glsl"

layout(local_size_x = 32) in; // TILE

// Whether boxes are put round regions.
layout(constant_id = 0) const bool OF_REGIONS = false;

void main() {
    uint group = gl_WorkGroupID.x, lane = gl_LocalInvocationID.x;
    uint of_triangles = OF_REGIONS ? regions_of(TRIANGLES) : blocks_of(TRIANGLES);
    uint kind = group < of_triangles ? TRIANGLES : EDGES;
    uint part = (group - (kind == TRIANGLES ? 0 : of_triangles)) * TILE + lane;
    uint part_count = OF_REGIONS ? blocks_of(kind) : tile_count_of(kind);
    MovingBounds box = NEVER;
    if (part < part_count) box = tiles[(OF_REGIONS ? first_block_of(kind) : first_tile_of(kind)) + part];
    store_box_of_group(box, (OF_REGIONS ? first_region_of(kind) : first_block_of(kind)) + part / TILE);
}
