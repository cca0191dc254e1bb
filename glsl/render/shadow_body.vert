// The skin as a light sees it: depth alone.
// Reads: skinned positions, the bodies' triangles. Three vertices a triangle.
// Runs after the simulation, before the picture.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/view.glsl"

layout(scalar, binding = 1) readonly buffer Positions { vec3 positions[]; };
layout(scalar, binding = 2) readonly buffer PreviousPositions { vec3 previous_positions[]; };
layout(scalar, binding = 3) readonly buffer Triangles { uint triangles[]; };
layout(scalar, push_constant) uniform Push {
    uint from_sky; // 0: the key light's map, 1: the map from above
};

void main() {
    uint vertex_ix = triangles[gl_VertexIndex];
    vec3 position = mix(previous_positions[vertex_ix], positions[vertex_ix], view.alpha);
    vec3 in_map = (from_sky != 0 ? view.sky_from_world : view.key_from_world) * vec4(position, 1.0);
    gl_Position = vec4(in_map.xy * 2.0 - 1.0, in_map.z, 1.0);
}
