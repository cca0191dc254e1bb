// The skin in the maps that shadows are taken from: depth alone.
// Reads: skinned positions, the bodies' triangles. Three vertices per triangle.
// Runs after the simulation, before the picture.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/view.glsl"
#include "render/map.glsl"

layout(scalar, binding = 1) readonly buffer Positions { vec3 positions[]; };
layout(scalar, binding = 2) readonly buffer PreviousPositions { vec3 previous_positions[]; };
layout(scalar, binding = 3) readonly buffer Triangles { uint triangles[]; };
layout(scalar, push_constant) uniform Push {
    uint seen_from; // 0: the key light, 1: above, 2: below
};

void main() {
    uint vertex_ix = triangles[gl_VertexIndex];
    vec3 position = mix(previous_positions[vertex_ix], positions[vertex_ix], view.alpha);
    gl_Position = place_in_map(position, seen_from);
}
