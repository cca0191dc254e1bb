// Skin with holes in the maps that shadows are taken from.
// Reads: skinned positions, the bodies' triangles, texture coordinates. Three vertices per triangle.
// Runs after the simulation, before the picture; one draw a material.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/view.glsl"
#include "render/map.glsl"
#include "render/surfaces.glsl"
#include "render/shadow_cut.glsl"

layout(scalar, binding = 2) readonly buffer Positions { vec3 positions[]; };
layout(scalar, binding = 3) readonly buffer PreviousPositions { vec3 previous_positions[]; };
layout(scalar, binding = 4) readonly buffer Triangles { uint triangles[]; };
layout(scalar, binding = 5) readonly buffer Surface { SkinSurface surface[]; };

layout(location = 0) out vec2 out_uv;

void main() {
    uint vertex_ix = triangles[gl_VertexIndex];
    vec3 position = mix(previous_positions[vertex_ix], positions[vertex_ix], view.alpha);
    out_uv = surface[vertex_ix].uv;
    gl_Position = place_in_map(position, seen_from);
}
