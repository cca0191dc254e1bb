// Leaves the holes of a material out of the maps that shadows are taken from.
// Reads: the material's texture. Writes: depth alone.
// Runs after shadow_cut_body.vert or shadow_cut_cloth.vert.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "render/shadow_cut.glsl"

layout(binding = 1) uniform sampler2D base_texture;

layout(location = 0) in vec2 in_uv;

void main() {
    if (opacity * texture(base_texture, in_uv).a < alpha_cutoff) discard;
}
