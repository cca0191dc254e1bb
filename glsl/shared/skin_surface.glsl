// The skin's triangles in motion through a step: nearest points and angle-weighted normals. src/collide/triangle_contact.rs
// is its twin. Includers declare `part_before` and `part_after` first: the parts of the step at which the sub-step begins and ends.
#ifndef SHARED_SKIN_SURFACE
#define SHARED_SKIN_SURFACE

layout(scalar, binding = 5) readonly buffer SkinTriangles { SkinTriangle skin_triangles[]; };
layout(scalar, binding = 6) readonly buffer SkinBefore { vec3 skin_before[]; }; // world space, when the step began
layout(scalar, binding = 7) readonly buffer SkinAfter { vec3 skin_after[]; };   // world space, at its end
layout(scalar, binding = 8) readonly buffer Rings { uvec2 rings[]; };           // a vertex: first of its corners, how many
layout(scalar, binding = 9) readonly buffer RingCorners { uint ring_corners[]; }; // triangle times 4, plus the corner

const uint NO_TRIANGLE = 0xFFFFFFFF;

// What a nearest point lies on: corner 0 to 2, or an edge, from corner 0, 1 or 2 to the next, or the face.
const uint FIRST_EDGE = 3;
const uint FACE = 6;

vec3 skin_at(uint vertex_ix, float part) {
    return mix(skin_before[vertex_ix], skin_after[vertex_ix], part);
}

void corners_at(uint triangle_ix, float part, out vec3 corners[3]) {
    SkinTriangle triangle = skin_triangles[triangle_ix];
    for (uint i = 0; i < 3; ++i) corners[i] = skin_at(triangle.vertices[i], part);
}

// Weights of the corners that make the point of the triangle nearest to `p` (Ericson, "Real-Time Collision Detection", 2005,
// section 5.1.5). NaN for a triangle without area where it has no nearest corner.
vec3 nearest_on_triangle(vec3 p, vec3 corners[3], out uint feature) {
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
