// A rigid solid as the camera sees it.
// Reads: the solids' vertices, their transforms, heights seen from above and below.
// Three vertices per triangle, one draw per solid. Runs after the simulation and the shadow maps; the ground follows.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "shared/view.glsl"
#include "render/sky.glsl"
#include "render/solid.glsl"

#include "shared/interpolated_transform.glsl"

layout(location = 0) out vec3 out_position;
layout(location = 1) out vec3 out_normal;
layout(location = 2) out vec3 out_rest;
layout(location = 3) out float out_sky; // part of the sky seen
layout(location = 4) out float out_error; // 1 is red; negative: drawn as it is

void main() {
    SolidVertex vertex = vertices[gl_VertexIndex];
    mat4x3 world_from_solid = interpolated_transform(field_ix);
    out_position = world_from_solid * vec4(vertex.position, 1.0);
    out_normal = mat3(world_from_solid) * vertex.normal;
    out_rest = vertex.position;
    out_sky = sky_seen(out_position, normalize(out_normal), 0.37);
    out_error = error_of_red > 0.0 ? vertex.error / error_of_red : -1.0;
    gl_Position = view.clip_from_world * vec4(out_position, 1.0);
}
