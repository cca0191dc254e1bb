// Lines along the edges of the simulated triangles.
#ifndef RENDER_WIRE
#define RENDER_WIRE

// How much of a pixel the nearest edge covers; `corner` is 1 at one corner of the triangle and 0 on the edge across.
float edge_coverage(vec3 corner) {
    vec3 pixel = max(fwidth(corner), vec3(1e-6));
    vec3 in_pixels = corner / pixel;
    float nearest = min(in_pixels.x, min(in_pixels.y, in_pixels.z));
    // Of triangles hardly larger than pixels the lines would cover everything.
    float height = 1.0 / max(pixel.x, max(pixel.y, pixel.z));
    return (1.0 - smoothstep(0.3, 1.2, nearest)) * clamp(height / 9.0, 0.25, 1.0);
}

#endif
