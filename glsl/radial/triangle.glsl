// What a triangle of skin is to a radial field; src/collide/radial/update.rs is its twin.
#ifndef RADIAL_TRIANGLE
#define RADIAL_TRIANGLE

#include "radial/cell.glsl"

// Cosine between a triangle and the direction away from the axis below which it is culled: 0.05. Larger leaves holes at rounded
// ends, smaller lets slivers seen edge-on write distances that are not theirs.
layout(constant_id = 0) const float MIN_FACING = 0.05;

// Whether skin near the axis is drawn by the ray of each cell; the paper leaves out what holds the axis, and holds distances between
// those of the corners. `FieldRules::axis_rays`.
layout(constant_id = 1) const bool AXIS_RAYS = true;

// Square metres. Below it a triangle has no meaningful normal; usual triangles have 1e-5 to 1e-4.
const float MIN_DOUBLED_AREA = 1e-12;

// Part of a revolution beyond which a triangle is near the axis: straight edges over angle and height no longer draw it, so that the
// cells round it are drawn and the ray of each is tested. Usually 0.1; larger draws skin where there is none, 0 costs time.
const float NEAR_SPAN_OWN = 0.1;

// The same for skin that is not the joint's own, which a bent axis that has run out of the body sees from outside: straight edges draw a
// limb's near and far side with other outlines, and the cells in between would hold the air before it.
const float NEAR_SPAN_SHARED = 0.02;

// Metres by which a ray may pass a near triangle of the joint's own skin, so that none slips through between it and one whose edges are
// drawn straight.
const float RAY_SLACK_OWN = 0.002;

// The same for other skin, which a ray passes in the air beside a limb too: as much as rounding needs where triangles meet.
const float RAY_SLACK_SHARED = 0.0002;

// Cells by which a near triangle's bounds are widened for rounding: of the angles of its corners and of the rays. Usually 0.05; with 0 rays
// slip through between two triangles, larger tests rays that meet nothing.
const float NEAR_ROUNDING = 0.05;

// The bits of a triangle's field index; the two above them are its rank.
const uint FIELD_MASK = 0x3FFFFFFFu;

// What the vertex shader tells the fragments of a triangle, a bit each.
const uint SHIFTED = 1;
const uint IS_NEAR = 2;

// A triangle as the rays from the axis see it. Metric field space.
struct Facet {
    vec3 corners[3];
    vec4 plane;  // normal, away from the axis in the mean, and its dot product with a corner
    vec2 range;  // least and greatest distance to the axis, metres
    bool enters; // the skin faces the axis: a ray from there comes into the body
};

struct FieldTriangle {
    Facet facet;
    vec2 corners[3]; // revolution and z, both 0 to 1; shifted by a half when `shifted`
    vec2 low, high;  // bounds of the corners; a full revolution for a triangle that holds the axis
    bool shifted;    // the triangle crosses the seam and was turned away from it
    bool is_near;    // its cells are those of its bounds whose rays meet it
    bool culled;
};

// Where a segment comes nearest to the origin, 0 to 1 from `from`.
float nearest_share(vec2 from, vec2 to) {
    vec2 edge = to - from;
    float size = dot(edge, edge);
    return size > 0.0 ? clamp(-dot(from, edge) / size, 0.0, 1.0) : 0.0;
}

float distance_to_segment(vec2 from, vec2 to) {
    return length(from + nearest_share(from, to) * (to - from));
}

float cross2(vec2 a, vec2 b) {
    return a.x * b.y - a.y * b.x;
}

Facet facet_of(vec3 corners[3]) {
    Facet facet;
    facet.corners = corners;
    vec3 normal = cross(corners[1] - corners[0], corners[2] - corners[0]);
    vec2 a = corners[0].xy, b = corners[1].xy, c = corners[2].xy;
    facet.enters = dot(normal.xy, a + b + c) < 0.0;
    if (facet.enters) normal = -normal;
    facet.plane = vec4(normal, dot(normal, corners[0]));
    float nearest = AXIS_RAYS ? min(distance_to_segment(a, b), min(distance_to_segment(b, c), distance_to_segment(c, a)))
        : min(length(a), min(length(b), length(c)));
    facet.range = vec2(nearest, sqrt(max(dot(a, a), max(dot(b, b), dot(c, c)))));
    return facet;
}

// `corners`: field space, z from 0 to 1. `axis_length`: metres.
FieldTriangle place_triangle(vec3 corners[3], float axis_length, uint rank) {
    FieldTriangle placed;
    vec3 metric[3];
    float revolutions[3];
    for (uint i = 0; i < 3; ++i) {
        metric[i] = corners[i] * vec3(1.0, 1.0, axis_length);
        revolutions[i] = revolution_of(corners[i].xy);
    }
    placed.facet = facet_of(metric);
    float spread = max(max(revolutions[0], revolutions[1]), revolutions[2]) - min(min(revolutions[0], revolutions[1]), revolutions[2]);
    placed.shifted = spread > 0.5;
    for (uint i = 0; i < 3; ++i) {
        placed.corners[i] = vec2(placed.shifted ? fract(revolutions[i] + 0.5) : revolutions[i], corners[i].z);
    }
    placed.low = min(placed.corners[0], min(placed.corners[1], placed.corners[2]));
    placed.high = max(placed.corners[0], max(placed.corners[1], placed.corners[2]));

    vec2 a = corners[0].xy, b = corners[1].xy, c = corners[2].xy;
    vec3 edges = vec3(cross2(a, b), cross2(b, c), cross2(c, a));
    bool holds_axis = all(greaterThanEqual(edges, vec3(0.0))) || all(lessThanEqual(edges, vec3(0.0)));
    if (holds_axis) {
        placed.low.x = 0.0;
        placed.high.x = 1.0;
    }
    float near_span = rank == RANK_OWN ? NEAR_SPAN_OWN : NEAR_SPAN_SHARED;
    placed.is_near = AXIS_RAYS && (holds_axis || placed.high.x - placed.low.x > near_span);
    vec3 normal = placed.facet.plane.xyz;
    vec2 outward = a + b + c;
    float min_facing = placed.is_near ? 0.0 : MIN_FACING * length(outward);
    // Written so that a NaN culls.
    placed.culled = !(length(normal) > MIN_DOUBLED_AREA && dot(normal.xy, outward) >= min_facing * length(normal))
        || (holds_axis && !AXIS_RAYS);
    return placed;
}

float ray_slack(uint rank) {
    return rank == RANK_OWN ? RAY_SLACK_OWN : RAY_SLACK_SHARED;
}

// A corner in cells, where raster units snap it to: given to them so, no crack is left between triangles that they draw and their neighbours
// in radial/rasterise.comp, whatever their own roundings.
vec2 snapped(vec2 corner) {
    const float SUBPIXELS = 256.0;
    return round(corner * SUBPIXELS) / SUBPIXELS;
}

// How far beside a near triangle its rays may pass it, in cells over angle and height, at most half a cell. A ray that passes it by `slack` has
// turned away from it by no more than the arc sine of slack over its distance to the axis: a quarter of a revolution where that is 1, and less than
// its share of that below.
vec2 reach_in_cells(Facet facet, vec2 size, float axis_length, float slack) {
    vec2 reach = vec2(0.25 * slack / max(facet.range.x, slack), slack / axis_length) * size;
    return min(reach + NEAR_ROUNDING, vec2(0.5));
}

// Corners of what may hold the centres of a near triangle's cells, in cells.
vec4 bounds_in_cells(FieldTriangle placed, vec2 size, float axis_length, uint rank) {
    vec2 reach = reach_in_cells(placed.facet, size, axis_length, ray_slack(rank));
    return vec4(max(placed.low * size - reach, vec2(0.0)), min(placed.high * size + reach, size));
}

// Metres from the axis to the triangle's plane at a cell's centre, held within what the triangle spans: the centre may lie beyond
// the triangle's edge, where a steep plane runs away. `centre`: revolution and z, 0 to 1.
float distance_in_cell(Facet facet, vec2 centre, float axis_length) {
    float along = dot(facet.plane.xy, direction_of(centre.x));
    float height = facet.plane.w - facet.plane.z * centre.y * axis_length;
    return along > 0.0 ? clamp(height / along, facet.range.x, facet.range.y) : facet.range.y;
}

// Metres along a ray to where it comes nearest to the edges of a triangle; negative where that is further off than `slack`, or
// behind the axis. `seen`: the corners, seen along the ray.
float distance_beside(Facet facet, vec2 ray, vec2 seen[3], float slack) {
    float nearest_squared = slack * slack, distance = -1.0;
    for (uint i = 0; i < 3; ++i) {
        uint next = (i + 1) % 3;
        float share = nearest_share(seen[i], seen[next]);
        vec2 nearest = mix(seen[i], seen[next], share);
        if (!(dot(nearest, nearest) < nearest_squared)) continue;
        nearest_squared = dot(nearest, nearest);
        distance = dot(ray, mix(facet.corners[i].xy, facet.corners[next].xy, share));
    }
    return distance;
}

// Metres from the axis to where the ray of a cell's centre meets a triangle near the axis; negative where it passes it. `enters`:
// whether the ray comes into the body there. `grazes`: whether it misses the triangle by less than `slack`. It then meets the plane
// not far from the edge: a triangle that lies nearly along the ray has its plane anywhere.
float distance_on_ray(Facet facet, vec2 centre, float axis_length, float slack, out bool enters, out bool grazes) {
    vec2 ray = direction_of(centre.x);
    float height = centre.y * axis_length;
    float along = dot(facet.plane.xy, ray);
    enters = (along < 0.0) != facet.enters;
    // Seen along the ray, to its left and up, the corners go round it in one direction.
    float winding = enters ? -1.0 : 1.0;
    vec2 seen[3];
    for (uint i = 0; i < 3; ++i) seen[i] = vec2(cross2(ray, facet.corners[i].xy), facet.corners[i].z - height);
    grazes = false;
    for (uint i = 0; i < 3; ++i) grazes = grazes || !(winding * cross2(seen[i], seen[(i + 1) % 3]) >= 0.0);
    float distance = (facet.plane.w - facet.plane.z * height) / along;
    if (grazes) {
        float beside = distance_beside(facet, ray, seen, slack);
        if (beside < 0.0) return -1.0;
        distance = min(max(distance, beside - slack), beside + slack);
    }
    return distance > 0.0 ? min(distance, facet.range.y) : -1.0;
}

#endif
