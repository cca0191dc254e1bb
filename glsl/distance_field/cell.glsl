// What a cell keeps: one word, of which the smallest stays, so that one atomic minimum decides. The distance's bits order like
// integers because it is never negative; they are shifted up by one, over its sign bit, and the lowest bit is 1 inside the skin
// (0.05 m outside is 0x7A99999A, inside 0x7A99999B). src/collide/distance_field/cell.rs is its twin.
#ifndef DISTANCE_FIELD_CELL
#define DISTANCE_FIELD_CELL

const uint EMPTY_KEY = 0xFFFFFFFFu;

uint cell_key(float distance, bool is_inside) {
    return floatBitsToUint(distance) << 1 | uint(is_inside);
}

// Not of an empty cell.
float signed_distance_of_key(uint key) {
    float distance = uintBitsToFloat(key >> 1);
    return (key & 1u) != 0 ? -distance : distance;
}

uint cell_ix_of(Grid grid, uvec3 cell) {
    return grid.first_cell + (cell.z * grid.size[1] + cell.y) * grid.size[0] + cell.x;
}

#endif
