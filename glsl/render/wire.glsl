// Lines along the edges of the simulated triangles.
#ifndef RENDER_WIRE
#define RENDER_WIRE

// How much of a pixel the nearest edge covers; `corner` is 1 at one corner of the triangle and 0 on the edge across.
float edge_coverage(vec3 corner) {
    vec3 in_pixels = corner / max(fwidth(corner), vec3(1e-6));
    float nearest = min(in_pixels.x, min(in_pixels.y, in_pixels.z));
    return 1.0 - smoothstep(0.4, 1.3, nearest);
}

#endif
