// The skin's triangles in motion through a step: nearest points and angle-weighted normals. src/collide/triangle_contact.rs
// is its twin. Includers declare `part_after` first: the part of the step at which the sub-step ends.
#ifndef SHARED_SKIN_SURFACE
#define SHARED_SKIN_SURFACE

#include "shared/closest.glsl"

layout(scalar, binding = 5) readonly buffer SkinTriangles { SkinTriangle skin_triangles[]; };
layout(scalar, binding = 6) readonly buffer SkinBefore { vec3 skin_before[]; }; // world space, when the step began
layout(scalar, binding = 7) readonly buffer SkinAfter { vec3 skin_after[]; };   // world space, at its end
layout(scalar, binding = 8) readonly buffer Rings { uvec2 rings[]; };           // a vertex: first of its corners, how many
layout(scalar, binding = 9) readonly buffer RingCorners { uint ring_corners[]; }; // triangle times 4, plus the corner

const uint NO_TRIANGLE = 0xFFFFFFFF;

vec3 skin_at(uint vertex_ix, float part) {
    return mix(skin_before[vertex_ix], skin_after[vertex_ix], part);
}

void corners_at(uint triangle_ix, float part, out vec3 corners[3]) {
    SkinTriangle triangle = skin_triangles[triangle_ix];
    for (uint i = 0; i < 3; ++i) corners[i] = skin_at(triangle.vertices[i], part);
}

// Zero for a triangle without area.
vec3 unit_or_zero(vec3 vector) {
    float size = length(vector);
    return size > 0.0 ? vector / size : vec3(0.0);
}

vec3 face_normal(vec3 corners[3]) {
    return unit_or_zero(cross(corners[1] - corners[0], corners[2] - corners[0]));
}

vec3 face_normal_of(uint triangle_ix) {
    if (triangle_ix == NO_TRIANGLE) return vec3(0.0);
    vec3 corners[3];
    corners_at(triangle_ix, part_after, corners);
    return face_normal(corners);
}

// The normals of the faces round a vertex, each as much as its angle there.
vec3 corner_normal(uint vertex_ix) {
    vec3 sum = vec3(0.0);
    uvec2 ring = rings[vertex_ix];
    for (uint i = ring.x; i < ring.x + ring.y; ++i) {
        vec3 corners[3];
        corners_at(ring_corners[i] / 4, part_after, corners);
        uint corner = ring_corners[i] % 4;
        vec3 here = corners[corner];
        vec3 one = unit_or_zero(corners[(corner + 1) % 3] - here), other = unit_or_zero(corners[(corner + 2) % 3] - here);
        sum += face_normal(corners) * acos(clamp(dot(one, other), -1.0, 1.0));
    }
    return sum;
}

vec3 normal_of(SkinTriangle triangle, vec3 corners[3], uint feature) {
    if (feature == FACE) return face_normal(corners);
    if (feature >= FIRST_EDGE) return unit_or_zero(face_normal(corners) + face_normal_of(triangle.neighbours[feature - FIRST_EDGE]));
    return unit_or_zero(corner_normal(triangle.vertices[feature]));
}

#endif
