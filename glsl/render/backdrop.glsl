// The studio's wall, as light from a direction of the picture.
#ifndef RENDER_BACKDROP
#define RENDER_BACKDROP

// `at`: -1 to 1 across the picture, y down.
vec3 backdrop(vec2 at, float aspect) {
    vec2 from_glow = (at - vec2(0.0, 0.12)) * vec2(min(aspect, 1.6) * 0.62, 0.8);
    float glow = exp(-1.6 * dot(from_glow, from_glow));
    return mix(vec3(0.034, 0.038, 0.045), vec3(0.185, 0.195, 0.21), glow);
}

vec3 backdrop_here(vec4 frag_coord) {
    vec2 at = (frag_coord.xy - view.pixel_offset) / view.pixels * 2.0 - 1.0;
    return backdrop(at, view.pixels.x / view.pixels.y);
}

#endif
