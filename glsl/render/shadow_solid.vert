// A rigid solid in the maps that shadows are taken from: depth alone.
// Reads: the solids' vertices, their transforms. Three vertices per triangle, one draw per solid.
// Runs after the simulation, before the picture.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#define SOLID_BINDING 1
#include "shared/structs.glsl"
#include "shared/view.glsl"
#include "render/map.glsl"
#include "render/solid.glsl"

#include "shared/interpolated_transform.glsl"

void main() {
    vec3 position = interpolated_transform(field_ix) * vec4(vertices[gl_VertexIndex].position, 1.0);
    gl_Position = place_in_map(position, seen_from);
}
