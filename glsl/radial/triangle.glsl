// What a triangle of skin is to a radial field; src/collide/radial/twin/update.rs is its twin.
#ifndef RADIAL_TRIANGLE
#define RADIAL_TRIANGLE

// Cosine between a triangle's normal and the direction away from the axis below which it is culled: 0.05. Larger leaves
// holes at rounded ends, smaller lets slivers seen edge-on write distances that are not theirs.
layout(constant_id = 0) const float MIN_FACING = 0.05;

// Part of a turn beyond which a triangle is culled: it passes so near the axis that straight edges over angle and height no
// longer draw it, and cells far from it would get its least distance. Usually 0.4; smaller opens the poles of heads.
const float MAX_SPAN = 0.4;

// The bits of a triangle's field index; the two above them are its rank.
const uint FIELD_MASK = 0x3FFFFFFFu;

struct FieldTriangle {
    vec2 corners[3]; // turn and z, both 0 to 1; turned by a half when `shifted`
    vec4 plane;      // normal, and its dot product with a corner; metric field space
    vec2 range;      // least and greatest distance to the axis, metres
    bool shifted;    // the triangle crosses the seam and was turned away from it
    bool culled;
};

float distance_to_segment(vec2 from, vec2 to) {
    vec2 edge = to - from;
    float size = dot(edge, edge);
    float along = size > 0.0 ? clamp(-dot(from, edge) / size, 0.0, 1.0) : 0.0;
    return length(from + along * edge);
}

float cross2(vec2 a, vec2 b) {
    return a.x * b.y - a.y * b.x;
}

// `corners`: field space, z from 0 to 1. `axis_length`: metres.
FieldTriangle place_triangle(vec3 corners[3], float axis_length) {
    FieldTriangle placed;
    vec3 metric[3];
    float turns[3];
    for (uint i = 0; i < 3; ++i) {
        metric[i] = corners[i] * vec3(1.0, 1.0, axis_length);
        turns[i] = turn_of(corners[i].xy);
    }
    vec3 normal = cross(metric[1] - metric[0], metric[2] - metric[0]);
    float size = length(normal);
    vec2 outward = corners[0].xy + corners[1].xy + corners[2].xy;
    float facing = dot(normal.xy, outward);

    vec2 a = corners[0].xy, b = corners[1].xy, c = corners[2].xy;
    vec3 edges = vec3(cross2(a, b), cross2(b, c), cross2(c, a));
    bool holds_axis = all(greaterThanEqual(edges, vec3(0.0))) || all(lessThanEqual(edges, vec3(0.0)));
    // Written so that a NaN culls.
    placed.culled = holds_axis || !(facing > MIN_FACING * size * length(outward));

    float spread = max(max(turns[0], turns[1]), turns[2]) - min(min(turns[0], turns[1]), turns[2]);
    placed.shifted = spread > 0.5;
    for (uint i = 0; i < 3; ++i) {
        placed.corners[i] = vec2(placed.shifted ? fract(turns[i] + 0.5) : turns[i], corners[i].z);
    }
    vec3 placed_turns = vec3(placed.corners[0].x, placed.corners[1].x, placed.corners[2].x);
    float lowest = min(placed_turns.x, min(placed_turns.y, placed_turns.z));
    float highest = max(placed_turns.x, max(placed_turns.y, placed_turns.z));
    placed.culled = placed.culled || highest - lowest > MAX_SPAN;
    placed.plane = vec4(normal, dot(normal, metric[0]));
    float nearest = min(distance_to_segment(a, b), min(distance_to_segment(b, c), distance_to_segment(c, a)));
    placed.range = vec2(nearest, sqrt(max(dot(a, a), max(dot(b, b), dot(c, c)))));
    return placed;
}

// Distance from the axis to the triangle's plane at a cell centre, kept within what the triangle spans.
// `turn`, `z`: 0 to 1.
float distance_in_cell(vec4 plane, vec2 range, float turn, float z, float axis_length) {
    float along = dot(plane.xy, direction_of(turn));
    float height = plane.w - plane.z * z * axis_length;
    return along > 0.0 ? clamp(height / along, range.x, range.y) : range.y;
}

#endif
