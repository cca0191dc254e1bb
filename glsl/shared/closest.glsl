// The point of a triangle nearest to a point.
#ifndef SHARED_CLOSEST
#define SHARED_CLOSEST

#include "shared/feature.glsl"

// Weights of the corners that make the point of the triangle nearest to `p` (Ericson, "Real-Time Collision Detection", 2005,
// section 5.1.5). NaN for a triangle without area where it has no nearest corner.
vec3 weights_of_nearest(vec3 p, vec3 corners[3], out uint feature) {
    vec3 ab = corners[1] - corners[0], ac = corners[2] - corners[0];
    vec3 ap = p - corners[0], bp = p - corners[1], cp = p - corners[2];
    float ab_ap = dot(ab, ap), ac_ap = dot(ac, ap);
    float ab_bp = dot(ab, bp), ac_bp = dot(ac, bp);
    float ab_cp = dot(ab, cp), ac_cp = dot(ac, cp);
    feature = 0;
    if (ab_ap <= 0.0 && ac_ap <= 0.0) return vec3(1.0, 0.0, 0.0);
    feature = 1;
    if (ab_bp >= 0.0 && ac_bp <= ab_bp) return vec3(0.0, 1.0, 0.0);
    feature = 2;
    if (ac_cp >= 0.0 && ab_cp <= ac_cp) return vec3(0.0, 0.0, 1.0);
    float c = ab_ap * ac_bp - ab_bp * ac_ap;
    feature = FIRST_EDGE;
    if (c <= 0.0 && ab_ap >= 0.0 && ab_bp <= 0.0) {
        float along = ab_ap / (ab_ap - ab_bp);
        return vec3(1.0 - along, along, 0.0);
    }
    float b = ab_cp * ac_ap - ab_ap * ac_cp;
    feature = FIRST_EDGE + 2;
    if (b <= 0.0 && ac_ap >= 0.0 && ac_cp <= 0.0) {
        float along = ac_ap / (ac_ap - ac_cp);
        return vec3(1.0 - along, 0.0, along);
    }
    float a = ab_bp * ac_cp - ab_cp * ac_bp;
    float from_b = ac_bp - ab_bp, from_c = ab_cp - ac_cp;
    feature = FIRST_EDGE + 1;
    if (a <= 0.0 && from_b >= 0.0 && from_c >= 0.0) {
        float along = from_b / (from_b + from_c);
        return vec3(0.0, 1.0 - along, along);
    }
    feature = FACE;
    float whole = a + b + c;
    return vec3(1.0 - b / whole - c / whole, b / whole, c / whole);
}

vec3 blend(vec3 corners[3], vec3 weights) {
    return corners[0] * weights.x + corners[1] * weights.y + corners[2] * weights.z;
}

#endif
