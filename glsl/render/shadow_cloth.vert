// The cloth in the maps that shadows are taken from: depth alone.
// Reads: positions and normals of the particles, the garments' triangles. CUTS * CUTS * 3 vertices per triangle.
// Runs after the simulation, before the picture.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/view.glsl"
#include "render/map.glsl"

layout(scalar, binding = 1) readonly buffer Positions { vec4 positions[]; };
layout(scalar, binding = 2) readonly buffer PreviousPositions { vec4 previous_positions[]; };
layout(scalar, binding = 3) readonly buffer Normals { vec4 normals[]; };
layout(scalar, binding = 4) readonly buffer Triangles { uint triangles[]; };
layout(scalar, push_constant) uniform Push {
    uint seen_from; // 0: the key light, 1: above, 2: below
};

#include "render/drape.glsl"

void main() {
    vec3 position = drape_vertex(gl_VertexIndex).position;
    gl_Position = place_in_map(position, seen_from);
}
