// The cloth as the camera sees it.
// Reads: positions and normals of the particles, their contacts, the garments' triangles, heights seen from above and
// below. CUTS * CUTS * 3 vertices a
// triangle, no vertex input; all garments in one draw.
// Runs after the simulation and the shadow maps.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/view.glsl"
#include "render/sky.glsl"

struct ClothSurface {
    vec2 at;       // metres along the weave
    float hem;     // metres to the nearest border along the cloth
    uint garment_ix;
    vec3 rest;     // bind space, metres
};

layout(scalar, binding = 5) readonly buffer Positions { vec4 positions[]; };
layout(scalar, binding = 6) readonly buffer PreviousPositions { vec4 previous_positions[]; };
layout(scalar, binding = 7) readonly buffer Normals { vec4 normals[]; };
layout(scalar, binding = 8) readonly buffer Triangles { uint triangles[]; };
layout(scalar, binding = 9) readonly buffer Surface { ClothSurface surface[]; };
layout(scalar, binding = 10) readonly buffer Contacts { vec4 contacts[]; };
layout(scalar, binding = 11) readonly buffer BaseColours { vec4 base_colours[]; };

#include "render/drape.glsl"

layout(location = 0) out vec3 out_position;
layout(location = 1) out vec3 out_normal;
layout(location = 2) out vec2 out_at;
layout(location = 3) out float out_hem;
layout(location = 4) out float out_depth; // metres the collision pushed the cloth out
layout(location = 5) out vec3 out_corner;
layout(location = 6) flat out vec3 out_base_colour;
layout(location = 8) flat out float out_stretch; // longest edge of the simulated triangle over its length as made
layout(location = 7) out float out_sky; // part of the sky the right side sees

// Metres by which cloth that faces the eye counts as nearer than it is. 0.002: where cloth lies on skin their depths would flicker. More
// would hide skin that comes through.
const float NEARER = 0.002;

// Where a point of the cloth lies on the screen, as deep as if it were nearer by as much as it faces the eye.
vec4 clip_position(vec3 position, vec3 normal) {
    vec3 to_eye = normalize(view.eye - position);
    float nearer = NEARER * max(dot(normal, to_eye), 0.0);
    vec4 clip = view.clip_from_world * vec4(position, 1.0);
    vec4 moved = view.clip_from_world * vec4(position + nearer * to_eye, 1.0);
    return vec4(clip.xy, moved.z / moved.w * clip.w, clip.w);
}

float edge_stretch(uint a, uint b) {
    float rest = distance(surface[a].rest, surface[b].rest);
    return rest > 0.0 ? distance(positions[a].xyz, positions[b].xyz) / rest : 1.0;
}

void main() {
    DrapeVertex drape = drape_vertex(gl_VertexIndex);
    out_position = drape.position;
    out_normal = drape.normal;
    out_corner = drape.corner;
    out_at = vec2(0.0);
    out_hem = 0.0;
    out_depth = 0.0;
    for (uint i = 0; i < 3; ++i) {
        ClothSurface particle = surface[drape.particles[i]];
        out_at += drape.corner[i] * particle.at;
        out_hem += drape.corner[i] * particle.hem;
        out_depth += drape.corner[i] * contacts[drape.particles[i]].w;
    }
    out_base_colour = base_colours[surface[drape.particles[0]].garment_ix].rgb;
    out_sky = sky_seen(drape.position, drape.normal, 0.37);
    uint a = drape.particles[0], b = drape.particles[1], c = drape.particles[2];
    out_stretch = max(edge_stretch(a, b), max(edge_stretch(b, c), edge_stretch(c, a)));
    gl_Position = clip_position(drape.position, drape.normal);
}
