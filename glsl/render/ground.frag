// The ground with its grid and the shadows on it; it fades into the wall.
// Reads: shadow maps. Writes: the picture.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/view.glsl"
#include "shared/picture.glsl"
#include "render/shadow.glsl"
#include "render/sky.glsl"
#include "render/light.glsl"
#include "render/backdrop.glsl"

layout(location = 0) in vec3 in_position;
layout(location = 0) out vec4 out_colour;

const vec3 ALBEDO = vec3(0.155, 0.16, 0.17);

// How much of a pixel is covered by lines of half width `width` metres, `step` metres apart; far away it becomes their mean.
float grid(vec2 at, vec2 pixel, float step, float width) {
    vec2 drawn = clamp(vec2(width), pixel, vec2(0.5 * step));
    vec2 distance = abs(fract(at / step + 0.5) - 0.5) * step;
    vec2 soft = pixel * 1.5;
    vec2 covered = (1.0 - smoothstep(drawn - soft, drawn + soft, distance)) * width / drawn;
    vec2 mean = vec2(2.0 * width / step);
    covered = mix(covered, mean, clamp(pixel * 4.0 / step - 1.0, 0.0, 1.0));
    return mix(covered.x, 1.0, covered.y);
}

void main() {
    float away = length(in_position.xz - view.target.xz) / view.ground_fade;
    float faded = smoothstep(0.08, 1.0, away);
    vec2 pixel = max(vec2(length(vec2(dFdx(in_position.x), dFdy(in_position.x))), length(vec2(dFdx(in_position.z), dFdy(in_position.z)))), 1e-6);
    float noise = noise_of_pixel(gl_FragCoord.xy);
    Place place;
    place.position = in_position;
    place.normal = vec3(0.0, 1.0, 0.0);
    place.to_eye = normalize(view.eye - in_position);
    place.key = key_seen(in_position, place.normal, noise);
    place.sky = sky_seen(in_position, place.normal, noise);
    vec3 light = KEY_LIGHT * place.key * view.to_key.y + ambient_light(place, ALBEDO);
    light *= contact_light(in_position, noise);
    float lines = grid(in_position.xz, pixel, 1.0, 0.006) * 0.30 + grid(in_position.xz, pixel, 0.25, 0.0025) * 0.14;
    vec3 lit = ALBEDO * light * (1.0 - lines);
    // The pool of light that the studio's lamps throw round the figure.
    lit *= mix(0.45, 1.0, exp(-6.0 * away * away));
    out_colour = picture_of(mix(lit, backdrop_here(gl_FragCoord), faded), view.exposure, gl_FragCoord.xy);
}
