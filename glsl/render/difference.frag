// Where two pictures differ: what is alike in grey, what is not from yellow to red, by the colour channel that differs most.
// Reads: picture_a, picture_b. Writes: the picture.
// Runs after both have been drawn.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/picture.glsl"

layout(set = 0, binding = 0) uniform sampler2D picture_a;
layout(set = 0, binding = 1) uniform sampler2D picture_b;

layout(location = 0) out vec4 out_colour;

// Of the scale from black to white: less is noise, from where it is marked, and from where it is as red as it gets.
const float NOISE = 0.02;
const float MARKED = 0.06;
const float MOST = 0.5;
const vec3 LITTLE = vec3(1.0, 0.82, 0.15);
const vec3 MUCH = vec3(0.85, 0.04, 0.08);

// As the picture shows it, whatever the device decodes.
vec3 shown(sampler2D picture) {
    vec3 texel = texelFetch(picture, ivec2(gl_FragCoord.xy), 0).rgb;
    return ENCODE_SRGB ? texel : encode_srgb(texel);
}

vec3 linear_from_srgb(vec3 srgb) {
    return mix(pow((srgb + 0.055) / 1.055, vec3(2.4)), srgb / 12.92, lessThan(srgb, vec3(0.04045)));
}

void main() {
    vec3 a = shown(picture_a);
    vec3 b = shown(picture_b);
    vec3 apart = abs(a - b);
    float most = max(apart.r, max(apart.g, apart.b));
    vec3 alike = vec3(0.15 + 0.5 * dot(0.5 * (a + b), vec3(0.2126, 0.7152, 0.0722)));
    vec3 marked = mix(LITTLE, MUCH, clamp(most / MOST, 0.0, 1.0));
    vec3 colour = mix(alike, marked, smoothstep(NOISE, MARKED, most));
    out_colour = vec4(ENCODE_SRGB ? colour : linear_from_srgb(colour), 1.0);
}
