// What the passes that fill a field share: what they are told, and where samples lie. src/solid/gpu/fill.rs is the host's side.
#ifndef SOLID_FILL
#define SOLID_FILL

#include "shared/solid_layout.glsl"

layout(scalar, push_constant) uniform Push {
    uint first; // of the pass's tasks: triangles, bricks or corners
    uint count;
    uint first_number; // of the bricks whose samples have room now, in the order of those with samples
    uint number_count;
    uint bricks[3]; // of the grid
    uint first_brick; // see SolidField
    uint first_corner;
    uint first_sample;
    uint node_count;
    uint brick_count; // with samples, in all
    uint vertex_count;
    float cell_size; // metres
    uint rule;       // of the sign: RULE_FACE or RULE_PSEUDONORMAL or RULE_BITS
    uint envelope;   // of the splat: ENVELOPE_BALL or ENVELOPE_PRISM
};

const uint NOTHING = 0xFFFFFFFFu; // a distance or a triangle that is not known

// Cells by which triangles may differ and count as equally near; the first one then decides on the side.
const float TIE_CELLS = 1e-4;

uvec3 grid_bricks() {
    return uvec3(bricks[0], bricks[1], bricks[2]);
}

#endif
