// The mesh that a field is made of, in cells of the field's grid: samples lie on whole numbers. src/math/closest.rs is the twin of the
// geometry.
#ifndef SOLID_MESH
#define SOLID_MESH

#include "shared/feature.glsl"

layout(scalar, binding = 0) readonly buffer Positions { vec3 positions[]; };
layout(scalar, binding = 1) readonly buffer Triangles { uint triangles[]; }; // three vertices each

// As seen from a point: near it nothing is lost to rounding.
void corners_from(vec3 point, uint triangle_ix, out vec3 corners[3]) {
    for (uint i = 0; i < 3; ++i) corners[i] = positions[triangles[3 * triangle_ix + i]] - point;
}

// The point of an edge nearest to the origin, and which part of it that is: 0 its start, 1 its end, 2 between.
vec3 nearest_on_edge(vec3 from, vec3 to, out uint part) {
    vec3 along = to - from;
    float squared = dot(along, along);
    float share = squared > 0.0 ? clamp(-dot(from, along) / squared, 0.0, 1.0) : 0.0;
    part = share <= 0.0 ? 0 : share >= 1.0 ? 1 : 2;
    return from + along * share;
}

// The point of a triangle nearest to the origin, by its Voronoi regions (Ericson, "Real-Time Collision Detection", 2005, section
// 5.1.5). For a triangle without area the nearest of its edges.
vec3 nearest_on_triangle(vec3 corners[3], out uint feature) {
    vec3 normal = cross(corners[1] - corners[0], corners[2] - corners[0]);
    float squared = dot(normal, normal);
    bool is_face = squared > 0.0;
    for (uint i = 0; i < 3; ++i) {
        vec3 from = corners[i], to = corners[(i + 1) % 3];
        is_face = is_face && dot(normal, cross(to - from, -from)) >= 0.0;
    }
    feature = FACE;
    if (is_face) return normal * (dot(normal, corners[0]) / squared);
    vec3 nearest;
    float best = -1.0;
    for (uint i = 0; i < 3; ++i) {
        uint part;
        vec3 on_edge = nearest_on_edge(corners[i], corners[(i + 1) % 3], part);
        float distance = dot(on_edge, on_edge);
        if (best >= 0.0 && distance >= best) continue;
        best = distance;
        nearest = on_edge;
        feature = part == 2 ? FIRST_EDGE + i : (i + part) % 3;
    }
    return nearest;
}

// Cells from a point to a triangle.
float distance_to(vec3 point, uint triangle_ix) {
    vec3 corners[3];
    corners_from(point, triangle_ix, corners);
    uint feature;
    // The same bits in every shader that asks.
    precise vec3 nearest = nearest_on_triangle(corners, feature);
    precise float squared = dot(nearest, nearest);
    return sqrt(squared);
}

#endif
