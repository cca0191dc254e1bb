// On which side of the mesh a point lies. src/solid/sign.rs is its twin. Includers declare SOLID_NORMALS and SOLID_SIDES first, the
// numbers of two bindings, and include solid/mesh.glsl and solid/fill.glsl.
#ifndef SOLID_SIGN
#define SOLID_SIGN

layout(scalar, binding = SOLID_NORMALS) readonly buffer Normals { vec3 normals[]; }; // of vertices, then three a triangle of its edges
layout(scalar, binding = SOLID_SIDES) readonly buffer Sides { uint sides[]; };       // a bit a sample, then a bit a corner: set inside

const uint RULE_FACE = 0;         // the paper's (section 3): by the nearest triangle's plane
const uint RULE_PSEUDONORMAL = 1; // by the angle-weighted normal of what is nearest
const uint RULE_BITS = 2;         // as the host has found it

bool side_bit(uint ix) {
    return (sides[ix / 32] >> (ix % 32) & 1u) != 0;
}

// By RULE_FACE or RULE_PSEUDONORMAL.
bool is_behind(vec3 point, uint triangle_ix) {
    vec3 corners[3];
    corners_from(point, triangle_ix, corners);
    vec3 normal = cross(corners[1] - corners[0], corners[2] - corners[0]);
    if (rule == RULE_FACE) return dot(corners[0], normal) > 0.0;
    uint feature;
    vec3 nearest = nearest_on_triangle(corners, feature);
    if (feature < FIRST_EDGE) normal = normals[triangles[3 * triangle_ix + feature]];
    else if (feature < FACE) normal = normals[vertex_count + 3 * triangle_ix + feature - FIRST_EDGE];
    return dot(nearest, normal) > 0.0;
}

#endif
