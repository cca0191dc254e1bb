// Colours of heat maps.
#ifndef SHARED_HEAT
#define SHARED_HEAT

// Linear colour of a value from 0 (blue, by way of green and yellow) to 1 (red).
vec3 heat(float value) {
    const vec3 STOPS[5] = vec3[](
        vec3(0.03, 0.07, 0.35), vec3(0.02, 0.34, 0.58), vec3(0.10, 0.58, 0.20), vec3(0.95, 0.70, 0.06), vec3(0.85, 0.06, 0.03));
    float at = clamp(value, 0.0, 1.0) * 4.0;
    uint stop = min(uint(at), 3);
    return mix(STOPS[stop], STOPS[stop + 1], at - float(stop));
}

// A colour for each number, neighbours well apart.
vec3 distinct(uint number) {
    float hue = fract(float(number) * 0.61803399);
    vec3 wave = 0.5 + 0.5 * cos(6.2831853 * (hue + vec3(0.0, 0.33, 0.67)));
    return mix(vec3(0.12), vec3(0.85), wave * wave);
}

#endif
