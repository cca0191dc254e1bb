// The cells of a box, numbered with x fastest.
#ifndef SHARED_BOX_CELLS
#define SHARED_BOX_CELLS

// Where a cell lies in a box of `size` cells along x and y.
uvec3 cell_in_box(uint ix, uvec2 size) {
    return uvec3(ix % size.x, ix / size.x % size.y, ix / (size.x * size.y));
}

#endif
