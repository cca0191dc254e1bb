// How much of the key light and of the sky a point sees. Includers declare `view` first.
#ifndef RENDER_SHADOW
#define RENDER_SHADOW

layout(binding = 1) uniform sampler2DShadow key_map;
layout(binding = 2) uniform sampler2D key_depths;
layout(binding = 3) uniform sampler2D tops;       // seen from above
layout(binding = 4) uniform sampler2D undersides; // seen from below, 1 lowest

// Tangent of the key light's half angle: how fast shadows soften with the distance from what casts them. 0.05 is a softbox
// some metres away; 0 is the sun.
const float KEY_SPREAD = 0.06;
// Metres: the softest shadow edge there is.
const float WIDEST_EDGE = 0.09;
// Metres a point is lifted off its surface: less shows acne, more lets light under collars.
const float LIFT = 0.003;
const uint SEARCH_TAPS = 10;
const uint FILTER_TAPS = 20;

// Point `ix` of `count` spread evenly over a unit disc.
vec2 disc_point(uint ix, uint count, float turn) {
    float angle = float(ix) * 2.39996323 + turn * 6.2831853;
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
    mat3 light_from_world = mat3(view.key_from_world);
    vec3 normal_in_light = (light_from_world * normal) * size;
    vec2 slope = -normal_in_light.xy / max(normal_in_light.z, 0.2);
    vec3 at = view.key_from_world * vec4(position + normal * (LIFT + view.key_texel), 1.0);
    float gap_sum = 0.0, blockers = 0.0;
    for (uint i = 0; i < SEARCH_TAPS; ++i) {
        vec2 tap = disc_point(i, SEARCH_TAPS, noise) * WIDEST_EDGE;
        float expected = depth_at(at.z, slope, tap);
        float gap = texture(key_depths, at.xy + tap / size.xy).r - expected;
        if (gap > 0.0) {
            gap_sum += gap;
            blockers += 1.0;
        }
    }
    float gap = blockers > 0.0 ? gap_sum / blockers * size.z : 0.0;
    float radius = clamp(gap * KEY_SPREAD, 2.0 * view.key_texel, WIDEST_EDGE);
    float seen = 0.0;
    for (uint i = 0; i < FILTER_TAPS; ++i) {
        vec2 tap = disc_point(i, FILTER_TAPS, noise) * radius;
        float expected = depth_at(at.z, slope, tap);
        seen += texture(key_map, vec3(at.xy + tap / size.xy, expected));
    }
    return seen / float(FILTER_TAPS);
}

// How much of the sky's light comes from below an elevation, whose tangent is `rise` over `reach`.
float below_elevation(float rise, float reach) {
    float above = max(rise, 0.0);
    return above * above / (above * above + reach * reach);
}

// Part of the sky that is seen, from 0 to 1: what stands in its way in a few directions round the point, as columns that
// reach from what is seen from below to what is seen from above.
float sky_seen(vec3 position, vec3 normal, float noise) {
    const uint DIRECTIONS = 8;
    const float REACHES[5] = float[](0.02, 0.06, 0.15, 0.36, 0.85); // metres
    vec3 start = position + normal * 0.012;
    vec3 at = view.sky_from_world * vec4(start, 1.0);
    float seen = 0.0, whole = 1e-4;
    for (uint i = 0; i < DIRECTIONS; ++i) {
        float angle = (float(i) + noise) * 6.2831853 / float(DIRECTIONS);
        vec2 direction = vec2(cos(angle), sin(angle));
        float weight = max(0.0, normal.y + 0.02 + dot(normal.xz, direction));
        float spread = 0.7 + 0.6 * fract(noise * 7.0 + float(i) * 0.618);
        float blocked = 0.0;
        for (uint j = 0; j < 5; ++j) {
            float reach = REACHES[j] * spread;
            vec2 uv = at.xy + (mat3(view.sky_from_world) * vec3(direction.x, 0.0, direction.y)).xy * reach;
            float top = (texture(tops, uv).r - at.z) * view.sky_size.z - 0.01;
            float underside = (1.0 - texture(undersides, uv).r - at.z) * view.sky_size.z;
            blocked = max(blocked, below_elevation(top, reach) - below_elevation(underside, reach));
        }
        seen += weight * (1.0 - blocked);
        whole += weight;
    }
    return clamp(seen / whole, 0.0, 1.0);
}

#endif
