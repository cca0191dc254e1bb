// The cells of a box, numbered with x fastest.
#ifndef SHARED_BOX_CELLS
#define SHARED_BOX_CELLS

// Where a cell lies in a box so many cells wide (x) and high (y).
uvec3 cell_in_box(uint ix, uvec2 size) {
    return uvec3(ix % size.x, ix / size.x % size.y, ix / (size.x * size.y));
}

#endif
