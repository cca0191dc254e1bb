// Puts boxes round blocks of 32 tiles.
// Reads: the boxes of tiles. Writes: the boxes of blocks.
// A workgroup per block of tiles of triangles, then of edges. Runs once per step, after contact_bound.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "cloth/contact_tiles.glsl"

layout(local_size_x = 32) in; // TILE

void main() {
    uint group = gl_WorkGroupID.x, lane = gl_LocalInvocationID.x;
    uint of_triangles = blocks_of(TRIANGLES);
    uint kind = group < of_triangles ? TRIANGLES : EDGES;
    uint block = group - (kind == TRIANGLES ? 0 : of_triangles);
    uint tile = block * TILE + lane;
    MovingBounds box = NEVER;
    if (tile < tile_count_of(kind)) box = box_of_tile(first_tile_of(kind) + tile);
    store_box_of_group(box, first_block_of(kind) + block);
}
