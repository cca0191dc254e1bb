// The view that every draw of a picture binds: camera, light, and how to place things on the screen. `View` mirrors `ViewData` of
// src/render/light.rs.
#ifndef SHARED_VIEW
#define SHARED_VIEW

struct View {
    mat4 clip_from_world;
    mat4x3 key_from_world; // shadow map of the key light: u, v from 0 to 1, depth 1 nearest to the light
    mat4x3 sky_from_world; // the same for the maps from above and below; depth 1 is highest
    vec3 eye;              // world space
    float alpha;           // part of the way from the previous step to the current one
    vec3 to_key;           // unit, towards the key light
    float exposure;
    vec3 right;            // unit, to the right of the picture in world space
    float ground_height;   // metres
    vec3 target;           // what the camera looks at; the ground fades with the distance from it
    float ground_fade;     // metres
    vec3 key_size;         // metres that 1 in u, v and depth of the key light's map stands for
    float key_texel;       // metres
    vec3 sky_size;         // the same of the maps from above and below
    float unused;
    vec2 pixels;           // size of the picture
    vec2 pixel_offset;     // of the picture in its target
};

layout(scalar, binding = 0) readonly buffer Views { View view; };

// A corner, 0 to 5, of the two triangles that make a line `width` pixels wide on the screen. Lines behind the eye vanish.
// `side` is -1 on one edge of the line and 1 on the other.
vec4 line_corner(vec3 from, vec3 to, float width, uint corner, out float side) {
    vec4 clip_from = view.clip_from_world * vec4(from, 1.0);
    vec4 clip_to = view.clip_from_world * vec4(to, 1.0);
    bool at_end = corner == 1 || corner == 2 || corner == 4;
    side = corner == 2 || corner == 4 || corner == 5 ? 1.0 : -1.0;
    vec4 clip = at_end ? clip_to : clip_from;
    if (min(clip_from.w, clip_to.w) < 0.01) return vec4(0.0);
    vec2 along = (clip_to.xy / clip_to.w - clip_from.xy / clip_from.w) * view.pixels;
    float size = length(along);
    if (size == 0.0) return vec4(0.0);
    vec2 across = vec2(-along.y, along.x) / size;
    clip.xy += across * side * width / view.pixels * clip.w;
    return clip;
}

#endif
