// The cloth as the camera sees it.
// Reads: positions and normals of the particles, their contacts, the garments' triangles twice (as particles and as drawn
// vertices, of which a texture's seams make more), heights seen from above and below. CUTS * CUTS * 3 vertices per triangle, no
// vertex input; one draw a material.
// Runs after the simulation and the shadow maps.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/view.glsl"
#include "render/sky.glsl"
#include "render/surfaces.glsl"

layout(scalar, binding = 5) readonly buffer Positions { vec4 positions[]; };
layout(scalar, binding = 6) readonly buffer PreviousPositions { vec4 previous_positions[]; };
layout(scalar, binding = 7) readonly buffer Normals { vec4 normals[]; };
layout(scalar, binding = 8) readonly buffer Triangles { uint triangles[]; };
layout(scalar, binding = 9) readonly buffer Vertices { uint vertices[]; };
layout(scalar, binding = 10) readonly buffer Surface { ClothSurface surface[]; };
layout(scalar, binding = 11) readonly buffer Contacts { vec4 contacts[]; };

#include "render/drape.glsl"

layout(location = 0) out vec3 out_position;
layout(location = 1) out vec3 out_normal;
layout(location = 2) out vec2 out_at;
layout(location = 3) out float out_hem;
layout(location = 4) out float out_depth; // metres the collision pushed the cloth out
layout(location = 5) out vec3 out_corner;
layout(location = 6) out vec2 out_uv;
layout(location = 8) flat out float out_stretch; // longest edge of the simulated triangle over its length as made
layout(location = 7) out float out_sky; // part of the sky the right side sees

float edge_stretch(uvec2 particles, uvec2 ends) {
    float rest = distance(surface[ends.x].rest, surface[ends.y].rest);
    return rest > 0.0 ? distance(positions[particles.x].xyz, positions[particles.y].xyz) / rest : 1.0;
}

void main() {
    DrapeVertex drape = drape_vertex(gl_VertexIndex);
    out_position = drape.position;
    out_normal = drape.normal;
    out_corner = drape.corner;
    out_at = vec2(0.0);
    out_uv = vec2(0.0);
    out_hem = 0.0;
    out_depth = 0.0;
    uvec3 drawn = uvec3(vertices[drape.first], vertices[drape.first + 1], vertices[drape.first + 2]);
    for (uint i = 0; i < 3; ++i) {
        ClothSurface vertex = surface[drawn[i]];
        out_at += drape.corner[i] * vertex.at;
        out_uv += drape.corner[i] * vertex.uv;
        out_hem += drape.corner[i] * vertex.hem;
        out_depth += drape.corner[i] * contacts[drape.particles[i]].w;
    }
    out_sky = sky_seen(drape.position, drape.normal, 0.37);
    uvec3 particles = drape.particles;
    out_stretch = edge_stretch(particles.xy, drawn.xy);
    out_stretch = max(out_stretch, edge_stretch(particles.yz, drawn.yz));
    out_stretch = max(out_stretch, edge_stretch(particles.zx, drawn.zx));
    gl_Position = clip_position(drape.position, drape.normal, out_hem);
}
