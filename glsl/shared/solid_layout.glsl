// How a field's samples lie: what those who read it and those who fill it share. src/solid/grid.rs and src/solid/field.rs are the
// host's side.
#ifndef SHARED_SOLID_LAYOUT
#define SHARED_SOLID_LAYOUT

#include "shared/box_cells.glsl"

const uint NO_BRICK = 0xFFFFFFFFu; // the number of a brick that holds no samples
const uint BRICK_CELLS = 7;        // along each side
const uint BRICK_SIDE = 8;         // samples along each side: neighbours share those between them
const uint BRICK_SAMPLES = 512;
const uint BRICK_WORDS = 256;
const float BAND_CELLS = 4.0; // from the mesh within which samples hold distances
const int BEYOND = 32767;     // the size of the code of a sample beyond the band

// The number of something at `at`, x fastest; cell_in_box finds it back.
uint linear_ix(uvec3 at, uvec3 counts) {
    return (at.z * counts.y + at.y) * counts.x + at.x;
}

#endif
