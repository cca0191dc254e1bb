// How far boxes are from a particle, and what that says of its nearest triangle.
#ifndef BVH_BOX
#define BVH_BOX

// Squared metres from a point to the nearest and to the furthest point of a box.
vec2 distances_squared(vec3 p, vec3 low, vec3 high) {
    vec3 nearest = max(max(low - p, p - high), vec3(0.0));
    vec3 furthest = max(abs(low - p), abs(high - p));
    return vec2(dot(nearest, nearest), dot(furthest, furthest));
}

// What a box says about the nearest triangle: none is further than the box's furthest point, give or take rounding.
const float BOUND_SLACK = 1.0001;

#endif
