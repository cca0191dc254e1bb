// Asks a field for points: one thread a point.
// Reads: fields, their words, points. Writes: answers, NaN outside the grid.
// Runs when a field is filled; for hosts that ask, and for the tests.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require

#define SOLID_WORDS 1
#include "shared/solid_field.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer SolidFields { SolidField solid_fields[]; };
layout(scalar, binding = 2) readonly buffer Points { vec3 points[]; };      // metres in the mesh's space
layout(scalar, binding = 3) writeonly buffer Answers { vec4 answers[]; }; // gradient, distance in metres
layout(scalar, push_constant) uniform Push {
    uint field_ix;
    uint point_count;
};

const uint NAN_BITS = 0x7FC00000u;

void main() {
    uint point_ix = gl_GlobalInvocationID.x;
    if (point_ix >= point_count) return;
    float distance;
    vec3 gradient;
    bool is_known = sample_field(solid_fields[field_ix], points[point_ix], distance, gradient);
    answers[point_ix] = is_known ? vec4(gradient, distance) : vec4(uintBitsToFloat(NAN_BITS));
}
