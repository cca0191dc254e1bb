// Cloth with holes in the maps that shadows are taken from.
// Reads: positions and normals of the particles, the garments' triangles as particles and as drawn vertices, texture coordinates.
// CUTS * CUTS * 3 vertices per triangle. Runs after the simulation, before the picture; one draw a material.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/view.glsl"
#include "render/map.glsl"
#include "render/surfaces.glsl"
#include "render/shadow_cut.glsl"

layout(scalar, binding = 2) readonly buffer Positions { vec4 positions[]; };
layout(scalar, binding = 3) readonly buffer PreviousPositions { vec4 previous_positions[]; };
layout(scalar, binding = 4) readonly buffer Normals { vec4 normals[]; };
layout(scalar, binding = 5) readonly buffer Triangles { uint triangles[]; };
layout(scalar, binding = 6) readonly buffer Vertices { uint vertices[]; };
layout(scalar, binding = 7) readonly buffer Surface { ClothSurface surface[]; };

#include "render/drape.glsl"

layout(location = 0) out vec2 out_uv;

void main() {
    DrapeVertex drape = drape_vertex(gl_VertexIndex);
    out_uv = vec2(0.0);
    for (uint i = 0; i < 3; ++i) out_uv += drape.corner[i] * surface[vertices[drape.first + i]].uv;
    gl_Position = place_in_map(drape.position, seen_from);
}
