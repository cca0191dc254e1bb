// How much of the key light a point sees. Includers declare `view` first.
#ifndef RENDER_SHADOW
#define RENDER_SHADOW

layout(binding = 1) uniform sampler2DShadow key_map;
layout(binding = 2) uniform sampler2D key_depths;

// Tangent of the key light's half angle: how fast shadows soften with the distance from what casts them. 0.05 is a softbox
// some metres away; 0 is the sun.
const float KEY_SPREAD = 0.06;
// Metres: the softest shadow edge there is.
const float WIDEST_EDGE = 0.09;
// Metres a point is lifted off its surface: less shows acne, more lets light under collars.
const float LIFT = 0.003;
// Cosine beyond which a surface gets none of the key light, however soft its shading.
const float FACED_AWAY = -0.3;
// One of them at the point itself: without it a fold is too narrow for the others to find in every pixel that it shades.
const uint SEARCH_TAPS = 13;
const uint FILTER_TAPS = 28;

// Point `ix` of `count` spread evenly over a unit disc.
vec2 disc_point(uint ix, uint count, float rotation) {
    float angle = float(ix) * 2.39996323 + rotation * 6.2831853;
    return sqrt((float(ix) + 0.5) / float(count)) * vec2(cos(angle), sin(angle));
}

// The depth beyond which something `tap` metres beside a surface's point hides the light; below the map there is nothing.
float depth_at(float depth, vec2 slope, vec2 tap) {
    return max(0.0, depth + (dot(slope, tap) + 0.1 * length(tap)) / view.key_size.z);
}

// Part of the key light that is seen, from 0 to 1 (percentage-closer soft shadows, Fernando 2005).
// The surface's own slope is followed, so that wide filters do not darken slanted skin.
float key_seen(vec3 position, vec3 normal, float noise) {
    vec3 size = view.key_size;
    float facing = dot(normal, view.to_key);
    if (facing < FACED_AWAY) return 0.0;
    vec3 normal_in_light = (mat3(view.key_from_world) * normal) * size;
    vec2 slope = -normal_in_light.xy / max(normal_in_light.z, 0.25);
    float lift = (LIFT + view.key_texel) * (2.5 - 1.5 * clamp(facing, 0.0, 1.0));
    vec3 at = view.key_from_world * vec4(position + normal * lift, 1.0);
    float gap_sum = 0.0, blockers = 0.0;
    for (uint i = 0; i < SEARCH_TAPS; ++i) {
        vec2 tap = i == 0 ? vec2(0.0) : disc_point(i, SEARCH_TAPS, noise) * WIDEST_EDGE;
        float gap = texture(key_depths, at.xy + tap / size.xy).r - depth_at(at.z, slope, tap);
        if (gap > 0.0) {
            gap_sum += gap;
            blockers += 1.0;
        }
    }
    if (blockers == 0.0) return 1.0;
    float radius = clamp(gap_sum / blockers * size.z * KEY_SPREAD, 2.0 * view.key_texel, WIDEST_EDGE);
    float seen = 0.0;
    for (uint i = 0; i < FILTER_TAPS; ++i) {
        vec2 tap = disc_point(i, FILTER_TAPS, noise) * radius;
        seen += texture(key_map, vec3(at.xy + tap / size.xy, depth_at(at.z, slope, tap)));
    }
    return seen / float(FILTER_TAPS);
}

#endif
