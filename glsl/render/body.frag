// Lights the skin.
// Reads: shadow maps, the part's texture. Writes: the picture.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/view.glsl"
#include "shared/picture.glsl"
#include "render/shadow.glsl"
#include "render/light.glsl"
#include "render/skin.glsl"
#include "render/wire.glsl"

layout(binding = 10) uniform sampler2D base_texture;
layout(scalar, push_constant) uniform Push {
    vec4 base_colour; // linear
    uint wireframe;   // 0 or 1
    uint coloured_by; // 0: as it is, 1: magenta where the clothes cover it as made
    float alpha_cutoff; // less opaque than this, nothing is drawn
};

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec3 in_rest;
layout(location = 3) in vec2 in_uv;
layout(location = 4) in vec3 in_corner;
layout(location = 5) in float in_sky;
layout(location = 6) in float in_covered;

layout(location = 0) out vec4 out_colour;

void main() {
    vec4 dye = base_colour * texture(base_texture, in_uv);
    vec3 albedo = mottled(dye.rgb, in_rest);
    if (coloured_by == 1 && in_covered > 0.99) albedo = vec3(0.85, 0.01, 0.55);
    float noise = noise_of_pixel(gl_FragCoord.xy);
    Place place;
    place.position = in_position;
    place.to_eye = normalize(view.eye - in_position);
    place.normal = normalize(in_normal) * (gl_FrontFacing ? 1.0 : -1.0);
    place.key = key_seen(in_position, place.normal, noise);
    place.sky = in_sky;
    vec3 light = shade_skin(place, albedo);
    if (wireframe != 0) light = mix(light, light * 0.15, 0.8 * edge_coverage(in_corner));
    // Last: a fragment that is discarded still takes part in its neighbours' derivatives.
    if (dye.a < alpha_cutoff) discard;
    out_colour = picture_of(light, view.exposure, gl_FragCoord.xy);
}
