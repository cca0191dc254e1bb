// The hash table: which entry a cell falls into, and the entry's list of triangles; src/collide/spatial_hash/twin.rs is its
// twin. Includers declare `lists_low`, `lists_high`, `cell_size`, `entry_count`, `row`, `column`, `generation` and `triangle_bits`
// first; what is compiled once for tables of any lists defines HALF_LIST too.
#ifndef SPATIAL_HASH_TABLE
#define SPATIAL_HASH_TABLE

#include "shared/box_cells.glsl"

// Half of the triangles an entry lists: one half in each of two buffers, because a device need not bind more than 128 MB per descriptor.
#ifndef HALF_LIST
layout(constant_id = 0) const uint HALF_LIST = 10;
#endif
#define LIST (2 * HALF_LIST)

// Cells this far on either side of the origin hash without wrapping round at zero; 41 m with cells of 1 cm.
const int ORIGIN = 4096;

ivec3 cell_of(vec3 p) {
    return ivec3(floor(p / cell_size));
}

// Cells lie in the table as in a grid, `row` of them along x and `column` along y, which wraps round: neighbours have
// different entries, those along x lie next to each other, and only parts of a body that are far apart meet in one.
uint entry_of(ivec3 cell) {
    uvec3 at = uvec3(cell + ORIGIN);
    return (at.x + row * (at.y + column * at.z)) % entry_count;
}

// Cells along each side of a block. Blocks have stamps of their own, so that particles far from all skin need not look at
// every cell round them.
const int BLOCK = 4;

// Blocks lie in their table as cells do in theirs, a 64th as many.
uint block_entry_of(ivec3 block) {
    uvec3 at = uvec3(block + ORIGIN / BLOCK);
    uint block_row = row / BLOCK + 1, block_column = column / BLOCK + 1;
    return (at.x + block_row * (at.y + block_column * at.z)) % (entry_count / (BLOCK * BLOCK * BLOCK) + 1);
}

// The block that a cell lies in, also on the far side of the origin.
ivec3 block_of(ivec3 cell) {
    return cell >> 2;
}

// A listed triangle with the update that listed it. Later updates have smaller numbers, so that by atomic minima theirs take the
// place of what an earlier one left behind, which counts as free: nothing needs clearing. With 14 bits
// for the triangle: triangle 5 in generation 2 is 0x8005, below 0xC001 of the generation before; 0xFFFFFFFF never was.
uint listing(uint triangle_ix) {
    return generation << triangle_bits | triangle_ix;
}

bool is_current(uint listed) {
    return listed >> triangle_bits == generation;
}

// The content of a slot of an entry's list, current or not.
uint listed_at(uint entry, uint slot) {
    return slot < HALF_LIST ? lists_low[entry * HALF_LIST + slot] : lists_high[entry * HALF_LIST + slot - HALF_LIST];
}

uint triangle_of(uint listed) {
    return listed & ((1u << triangle_bits) - 1u);
}

#endif
