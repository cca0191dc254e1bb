// The skin as the camera sees it.
// Reads: skinned positions and normals, the bodies' triangles, heights seen from above and below.
// Three vertices per triangle, no vertex input. Runs after the simulation and the shadow maps; cloth and ground follow.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/view.glsl"
#include "render/sky.glsl"
#include "render/surfaces.glsl"

layout(scalar, binding = 5) readonly buffer Positions { vec3 positions[]; };
layout(scalar, binding = 6) readonly buffer PreviousPositions { vec3 previous_positions[]; };
layout(scalar, binding = 7) readonly buffer Normals { vec3 normals[]; };
layout(scalar, binding = 8) readonly buffer Triangles { uint triangles[]; };
layout(scalar, binding = 9) readonly buffer Surface { SkinSurface surface[]; };

layout(location = 0) out vec3 out_position;
layout(location = 1) out vec3 out_normal;
layout(location = 2) out vec3 out_rest;
layout(location = 3) out vec2 out_uv;
layout(location = 4) out vec3 out_corner;
layout(location = 5) out float out_sky; // part of the sky seen
layout(location = 6) out float out_covered;

void main() {
    uint vertex_ix = triangles[gl_VertexIndex];
    out_position = mix(previous_positions[vertex_ix], positions[vertex_ix], view.alpha);
    out_normal = normals[vertex_ix];
    out_rest = surface[vertex_ix].rest;
    out_uv = surface[vertex_ix].uv;
    out_covered = surface[vertex_ix].covered;
    out_sky = sky_seen(out_position, out_normal, 0.37);
    out_corner = vec3(gl_VertexIndex % 3 == 0, gl_VertexIndex % 3 == 1, gl_VertexIndex % 3 == 2);
    gl_Position = view.clip_from_world * vec4(out_position, 1.0);
}
