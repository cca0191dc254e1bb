// What a cell keeps: one word, of which the smallest stays, so that an atomic minimum decides. The two highest bits rank the
// skin, the rest is the distance, whose bits order like integers because it is never negative (0.05 m is 0x3D4CCCCD, 0.10 m is
// 0x3DCCCCCD). The lowest bit of skin that is
// not the joint's own says that a ray from the axis comes into the body there: the cell holds nothing behind it.
// src/collide/radial/cell.rs says why, and is its twin.
#ifndef RADIAL_CELL
#define RADIAL_CELL

// An empty cell is infinitely far; no skin is further than this.
const float FARTHEST = 1e30;

const uint EMPTY_KEY = 0xFFFFFFFFu;
const uint DISTANCE_MASK = 0x3FFFFFFFu;
const uint RANK_OWN = 0;
const uint RANK_SHARED = 1;
const uint ENTERS = 1;

// Own skin does not enter.
uint cell_key(uint rank, float distance, bool enters) {
    uint bits = floatBitsToUint(distance) >> 1;
    uint shared_bits = (bits & ~ENTERS) | (enters ? ENTERS : 0);
    return rank << 30 | (rank == RANK_OWN ? DISTANCE_MASK - bits : shared_bits);
}

float distance_of_key(uint key) {
    uint ordered = key & DISTANCE_MASK;
    bool is_own = key == ordered;
    // `mix` selects, and conditions named one by one do: nothing here branches. In radial/bound.comp, unrolled, branches would be
    // paths without number, which SwiftShader's compiler follows one after the other.
    uint bits = mix(ordered, DISTANCE_MASK - ordered, is_own);
    bool is_empty = key == EMPTY_KEY, enters = (key & ENTERS) != 0;
    bool is_others_entry = enters && !is_own;
    bool holds_nothing = is_empty || is_others_entry;
    return mix(uintBitsToFloat(bits << 1), 2.0 * FARTHEST, holds_nothing);
}

#endif
