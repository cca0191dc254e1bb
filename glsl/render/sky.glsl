// How much of the sky a point sees. Includers declare `view` first.
#ifndef RENDER_SKY
#define RENDER_SKY

layout(binding = 3) uniform sampler2D tops;       // heights seen from above
layout(binding = 4) uniform sampler2D undersides; // heights seen from below, 1 lowest

const uint SKY_DIRECTIONS = 8;
const float SKY_REACHES[4] = float[](0.03, 0.10, 0.28, 0.75); // metres
// What hides the sky throws some of its light back.
const float DARKEST = 0.22;

// How much of the sky's light comes from below an elevation, whose tangent is `rise` over `reach`.
float below_elevation(float rise, float reach) {
    float above = max(rise, 0.0);
    return above * above / (above * above + reach * reach);
}

// Visible part of the sky: what occludes it in a few directions round the point, as columns that reach from what
// is seen from below to what is seen from above. `turn` from 0 to 1 turns the directions by up to the angle between two.
float sky_seen(vec3 position, vec3 normal, float rotation) {
    vec3 at = view.sky_from_world * vec4(position + normal * 0.012, 1.0);
    float margin = 1.3 * SKY_REACHES[3] / view.sky_size.x;
    if (any(lessThan(at.xy, vec2(-margin))) || any(greaterThan(at.xy, vec2(1.0 + margin)))) return 1.0;
    // Beside a wall it is not known where the overhang above begins: it counts as if it leant back.
    float steepest = mix(1.0, 8.0, max(normal.y, 0.0));
    float seen = 0.0, whole = 1e-4;
    for (uint i = 0; i < SKY_DIRECTIONS; ++i) {
        float angle = (float(i) + rotation) * 6.2831853 / float(SKY_DIRECTIONS);
        vec2 direction = vec2(cos(angle), sin(angle));
        float weight = max(0.0, normal.y + 0.05 + dot(normal.xz, direction));
        float spread = 0.75 + 0.5 * fract(rotation * 7.0 + float(i) * 0.618);
        float blocked = 0.0;
        for (uint j = 0; j < 4; ++j) {
            float reach = SKY_REACHES[j] * spread;
            vec2 uv = at.xy + direction * reach / view.sky_size.xy;
            float top = (textureLod(tops, uv, 0.0).r - at.z) * view.sky_size.z - 0.01;
            float underside = (1.0 - textureLod(undersides, uv, 0.0).r - at.z) * view.sky_size.z;
            float highest = steepest * reach;
            blocked = max(blocked, below_elevation(min(top, highest), reach) - below_elevation(min(underside, highest), reach));
        }
        seen += weight * (1.0 - blocked);
        whole += weight;
    }
    return mix(DARKEST, 1.0, clamp(seen / whole, 0.0, 1.0));
}

// Metres from the ground within which what hangs over it darkens it, and how far beside it that is seen.
const float CONTACT_GAP = 0.12, CONTACT_REACH = 0.11;
const uint CONTACT_TAPS = 14;
// Part of the light that is left where something stands on the ground.
const float CONTACT_LEFT = 0.4;

// What is left of the light in the soft shadow round feet: the lower something hangs over a point, and the nearer, the darker it is.
float contact_light(vec3 position, float rotation) {
    vec3 at = view.sky_from_world * vec4(position, 1.0);
    float hidden = 0.0, whole = 0.0;
    for (uint i = 0; i < CONTACT_TAPS; ++i) {
        float away = sqrt((float(i) + 0.5) / float(CONTACT_TAPS));
        float angle = float(i) * 2.39996323 + rotation * 6.2831853;
        vec2 uv = at.xy + away * CONTACT_REACH * vec2(cos(angle), sin(angle)) / view.sky_size.xy;
        if (any(lessThan(uv, vec2(0.0))) || any(greaterThan(uv, vec2(1.0)))) continue;
        float gap = (1.0 - textureLod(undersides, uv, 0.0).r - at.z) * view.sky_size.z;
        float weight = 1.0 - 0.7 * away;
        float near = 1.0 - clamp(gap / CONTACT_GAP, 0.0, 1.0);
        hidden += weight * near * near;
        whole += weight;
    }
    return mix(1.0, CONTACT_LEFT, whole > 0.0 ? hidden / whole : 0.0);
}

#endif
