// What the picture knows of each vertex of skin and cloth besides where it is.
#ifndef RENDER_SURFACES
#define RENDER_SURFACES

struct SkinSurface {
    vec3 rest; // bind space, metres
    vec2 uv;
    float covered; // 1 where a garment covers it as made, else 0
};

struct ClothSurface {
    vec2 at;       // metres along the weave
    float hem;     // metres to the nearest border along the cloth
    vec3 rest;     // bind space, metres
    vec2 uv;       // on its texture
};

#endif
