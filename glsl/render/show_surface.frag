// The cells in plain light, their borders drawn. Writes: the picture.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/view.glsl"
#include "shared/picture.glsl"

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_colour;
layout(location = 2) in vec2 in_within;

layout(location = 0) out vec4 out_colour;

void main() {
    vec3 to_eye = normalize(view.eye - in_position);
    vec3 face = cross(dFdx(in_position), dFdy(in_position));
    vec3 normal = normalize(face);
    if (dot(normal, to_eye) < 0.0) normal = -normal;
    vec2 border = min(in_within, 1.0 - in_within) / max(fwidth(in_within), vec2(1e-6));
    float line = 1.0 - smoothstep(0.3, 1.2, min(border.x, border.y));
    float lit = 0.5 + 0.5 * max(dot(normal, view.to_key), 0.0) + 0.5 * max(dot(normal, to_eye), 0.0);
    vec3 light = in_colour * lit * mix(1.0, 0.45, line);
    out_colour = picture_of(light, view.exposure, gl_FragCoord.xy);
}
