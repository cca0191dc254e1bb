// Lights a rigid solid: a matt glaze, or a heat map of how far its field is off.
// Reads: shadow maps. Writes: the picture.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/view.glsl"
#include "shared/picture.glsl"
#include "shared/heat.glsl"
#include "render/shadow.glsl"
#include "render/light.glsl"
#include "render/skin.glsl"

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec3 in_rest;
layout(location = 3) in float in_sky;
layout(location = 4) in float in_error;

layout(location = 0) out vec4 out_colour;

// Linear, a grey clay.
const vec3 ALBEDO = vec3(0.36, 0.35, 0.34);

void main() {
    Place place;
    place.position = in_position;
    place.to_eye = normalize(view.eye - in_position);
    place.normal = normalize(in_normal) * (gl_FrontFacing ? 1.0 : -1.0);
    place.key = key_seen(in_position, place.normal, noise_of_pixel(gl_FragCoord.xy));
    place.sky = in_sky;
    vec3 albedo = ALBEDO * (0.94 + 0.12 * space_noise(in_rest * 40.0));
    // Samples at the edges of triangles lie beyond their corners.
    if (in_error > -0.5) albedo = heat(in_error);
    out_colour = picture_of(shade_skin(place, albedo), view.exposure, gl_FragCoord.xy);
}
