// What a cell keeps: one word, of which the smallest stays, so that an atomic minimum decides. The two highest bits rank the
// skin, the rest is the distance, whose bits order like integers because it is never negative (0.05 m is 0x3D4CCCCD, 0.10 m is
// 0x3DCCCCCD). src/collide/radial/cell.rs says why, and is its twin.
#ifndef RADIAL_CELL
#define RADIAL_CELL

// An empty cell is infinitely far; no skin is further than this.
const float FARTHEST = 1e30;

const uint EMPTY_KEY = 0xFFFFFFFFu;
const uint DISTANCE_MASK = 0x3FFFFFFFu;
const uint RANK_OWN = 0;

uint cell_key(uint rank, float distance) {
    uint bits = floatBitsToUint(distance) >> 1;
    return rank << 30 | (rank == RANK_OWN ? DISTANCE_MASK - bits : bits);
}

float distance_of_key(uint key) {
    uint ordered = key & DISTANCE_MASK;
    uint bits = key == ordered ? DISTANCE_MASK - ordered : ordered;
    return key == EMPTY_KEY ? 2.0 * FARTHEST : uintBitsToFloat(bits << 1);
}

#endif
