// The signed distance field of a rigid solid: trilinear between the samples of a sparse grid (Fuhrmann, Sobottka and Gross, "Distance
// fields for rapid collision detection in physically based modeling", 2003, section 4.2). src/solid/field.rs is its twin and says
// how the words lie. Includers define SOLID_WORDS first, the number of a binding.
#ifndef SHARED_SOLID_FIELD
#define SHARED_SOLID_FIELD

#include "shared/solid_layout.glsl"

// A field, 40 bytes.
struct SolidField {
    vec3 low;          // where sample (0, 0, 0) is, metres in the mesh's space
    float cell_size;   // metres between neighbouring samples
    uint bricks[3];    // each way
    uint first_brick;  // words of the coarse level: a brick's number among those with samples, or NO_BRICK
    uint first_corner; // bits of signed distances in metres at the corners of bricks
    uint first_sample; // bricks of 8³ samples, two a word, the low half first
};

layout(scalar, binding = SOLID_WORDS) readonly buffer SolidWords { uint solid_words[]; };

// From the mesh up to which the fine level always knows a point.
const float SURE_CELLS = BAND_CELLS - 1.7320508;

uvec3 bricks_of(SolidField field) {
    return uvec3(field.bricks[0], field.bricks[1], field.bricks[2]);
}

// Metres between two neighbouring values of a stored distance.
float quantum_of(SolidField field) {
    return BAND_CELLS * field.cell_size / float(BEYOND);
}

int code_in_brick(uint first_word, uvec3 within) {
    uint sample_ix = linear_ix(within, uvec3(BRICK_SIDE));
    uint word = solid_words[first_word + sample_ix / 2];
    return bitfieldExtract(int(word), int(16 * (sample_ix & 1u)), 16);
}

// A value between the eight corners of a unit cell (bit 0 of their number is x, bit 1 y, bit 2 z), and the interpolant's gradient.
float trilinear(float corners[8], vec3 within, out vec3 gradient) {
    vec4 along_x = vec4(corners[1] - corners[0], corners[3] - corners[2], corners[5] - corners[4], corners[7] - corners[6]);
    vec4 at_x = vec4(corners[0], corners[2], corners[4], corners[6]) + along_x * within.x;
    vec2 along_y = at_x.yw - at_x.xz;
    vec2 at_y = at_x.xz + along_y * within.y;
    vec2 along_x_at_y = along_x.xz + (along_x.yw - along_x.xz) * within.y;
    gradient.x = along_x_at_y.x + (along_x_at_y.y - along_x_at_y.x) * within.z;
    gradient.y = along_y.x + (along_y.y - along_y.x) * within.z;
    gradient.z = at_y.y - at_y.x;
    return at_y.x + gradient.z * within.z;
}

// The codes of a cell's samples; false where its brick holds none. `beyond`: the last that is beyond the band, or 0.
bool codes_round(SolidField field, uint brick_ix, uvec3 within, out float codes[8], out int beyond) {
    beyond = 0;
    uint number = solid_words[field.first_brick + brick_ix];
    if (number == NO_BRICK) return false;
    uint first_word = field.first_sample + number * BRICK_WORDS;
    for (uint i = 0; i < 8; ++i) {
        int code = code_in_brick(first_word, within + (uvec3(i, i >> 1, i >> 2) & 1u));
        if (abs(code) == BEYOND) beyond = code;
        codes[i] = float(code);
    }
    return true;
}

// Between the corners of a brick, in metres; `within`: cells from its first.
float sample_coarse(SolidField field, uvec3 brick, vec3 within, out vec3 gradient) {
    uvec3 counts = bricks_of(field) + 1;
    float corners[8];
    for (uint i = 0; i < 8; ++i) {
        uvec3 corner = brick + (uvec3(i, i >> 1, i >> 2) & 1u);
        corners[i] = uintBitsToFloat(solid_words[field.first_corner + linear_ix(corner, counts)]);
    }
    float distance = trilinear(corners, within / float(BRICK_CELLS), gradient);
    gradient /= float(BRICK_CELLS) * field.cell_size;
    return distance;
}

// The field at a point in the mesh's space, metres: the distance to the mesh, negative inside, and its change per metre. False
// outside the grid, which is further than BAND_CELLS from the mesh. Beyond the band, where the distance comes from the corners
// of bricks, it is coarse, but its side is right and it is never less than SURE_CELLS.
bool sample_field(SolidField field, vec3 pos_in_field, out float distance, out vec3 gradient) {
    distance = 0.0;
    gradient = vec3(0.0);
    vec3 at = (pos_in_field - field.low) / field.cell_size;
    vec3 end = vec3(BRICK_CELLS * bricks_of(field));
    // Written so that a NaN is outside.
    if (!(all(greaterThanEqual(at, vec3(0.0))) && all(lessThan(at, end)))) return false;
    uvec3 cell = uvec3(at), brick = cell / BRICK_CELLS;
    uint brick_ix = linear_ix(brick, bricks_of(field));
    float codes[8];
    int beyond;
    if (codes_round(field, brick_ix, cell - brick * BRICK_CELLS, codes, beyond) && beyond == 0) {
        distance = trilinear(codes, at - vec3(cell), gradient) * quantum_of(field);
        gradient *= quantum_of(field) / field.cell_size;
        return true;
    }
    distance = sample_coarse(field, brick, at - vec3(brick * BRICK_CELLS), gradient);
    float least = SURE_CELLS * field.cell_size;
    if (beyond > 0) distance = max(distance, least);
    if (beyond < 0) distance = min(distance, -least);
    return true;
}

#endif
