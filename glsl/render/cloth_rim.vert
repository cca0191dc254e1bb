// The rounded edge of a hem, so that cloth has a thickness where it ends.
// Reads: what cloth.vert reads, and the corner that each edge on a border begins at. CUTS * 12 vertices an edge, no vertex input; one
// draw a material.
// Runs after the simulation and the shadow maps.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/view.glsl"
#include "render/sky.glsl"

struct ClothSurface {
    vec2 at;       // metres along the weave
    float hem;     // metres to the nearest border along the cloth
    vec3 rest;     // bind space, metres
    vec2 uv;       // on its texture
};

layout(scalar, binding = 5) readonly buffer Positions { vec4 positions[]; };
layout(scalar, binding = 6) readonly buffer PreviousPositions { vec4 previous_positions[]; };
layout(scalar, binding = 7) readonly buffer Normals { vec4 normals[]; };
layout(scalar, binding = 8) readonly buffer Triangles { uint triangles[]; };
layout(scalar, binding = 9) readonly buffer Vertices { uint vertices[]; };
layout(scalar, binding = 10) readonly buffer Surface { ClothSurface surface[]; };
layout(scalar, binding = 11) readonly buffer Rims { uint rims[]; };

#include "render/drape.glsl"

layout(location = 0) out vec3 out_position;
layout(location = 1) out vec3 out_normal;
layout(location = 2) out vec2 out_at;
layout(location = 3) out float out_hem;
layout(location = 4) out float out_depth;
layout(location = 5) out vec3 out_corner;
layout(location = 6) out vec2 out_uv;
layout(location = 8) flat out float out_stretch;
layout(location = 7) out float out_sky;

// Metres of the folded cloth. Usually 0.002; more than the cloth stands off the skin would sink into it.
const float FOLD = 0.0022;
const float HALF_TURN = 3.14159265;

void main() {
    uint within = gl_VertexIndex % (CUTS * 12), corner = within % 6;
    uint rim = rims[gl_VertexIndex / (CUTS * 12)], edge = rim % 3, first = rim - edge;
    uint row = within % 12 / 6 + (corner == 1 || corner == 3 || corner == 4 ? 1 : 0);
    uint step = within / 12 + (corner == 2 || corner == 4 || corner == 5 ? 1 : 0);
    vec3 near = vec3(0.0);
    near[edge] = float(CUTS - step) / float(CUTS);
    near[(edge + 1) % 3] = float(step) / float(CUTS);
    DrapeVertex drape = drape_at(first, near);
    vec3 along = shown_position(drape.particles[(edge + 1) % 3]) - shown_position(drape.particles[edge]);
    vec3 outward = cross(along, drape.normal);
    outward /= max(length(outward), 1e-6);
    // From the right side round the edge to the wrong one.
    float turned = HALF_TURN * float(row) / 2.0;
    out_normal = cos(turned) * drape.normal + sin(turned) * outward;
    out_position = drape.position + 0.5 * FOLD * (out_normal - drape.normal);
    ClothSurface from = surface[vertices[first + edge]], to = surface[vertices[first + (edge + 1) % 3]];
    out_at = mix(from.at, to.at, near[(edge + 1) % 3]);
    out_uv = mix(from.uv, to.uv, near[(edge + 1) % 3]);
    out_hem = 0.0;
    out_depth = 0.0;
    out_corner = vec3(1.0);
    out_stretch = 1.0;
    out_sky = sky_seen(drape.position, drape.normal, 0.37);
    gl_Position = clip_position(out_position, drape.normal, 0.0);
}
