// Particles against the triangles of the skin, for the techniques that find a particle's nearest triangle: what they share
// once they have it. src/collide/triangle_contact.rs is its twin. Includers declare `part_before` and `part_after` first:
// the parts of the step at which the sub-step begins and ends. Binding numbers 0 to 9 are the same in all of them.
//
// A particle is inside when it lies behind the surface at the point nearest to it, by the angle-weighted normal of what that
// point lies on: a face, an edge or a corner (Bærentzen and Aanæs, "Signed distance computation using the angle weighted
// pseudonormal", 2005). That is exact for a closed surface.
#ifndef SHARED_SKIN
#define SHARED_SKIN

#include "shared/particles.glsl"
#include "shared/response.glsl"

layout(scalar, binding = 5) readonly buffer SkinTriangles { SkinTriangle skin_triangles[]; };
layout(scalar, binding = 6) readonly buffer SkinBefore { vec3 skin_before[]; }; // world space, when the step began
layout(scalar, binding = 7) readonly buffer SkinAfter { vec3 skin_after[]; };   // world space, at its end
layout(scalar, binding = 8) readonly buffer Rings { uvec2 rings[]; };           // a vertex: first of its corners, how many
layout(scalar, binding = 9) readonly buffer RingCorners { uint ring_corners[]; }; // triangle times 4, plus the corner

const uint NO_TRIANGLE = 0xFFFFFFFF;

// What a nearest point lies on: corner 0 to 2, or an edge, from corner 0, 1 or 2 to the next, or the face.
const uint FIRST_EDGE = 3;
const uint FACE = 6;

// Metres. A particle that lacks less is outside.
const float LEAST_DEPTH = 5e-6;
// Metres. Nearer to an edge or a corner than this, the way to it says nothing of the surface's direction any more.
const float LEAST_WAY = 1e-4;

vec3 skin_at(uint vertex_ix, float part) {
    return mix(skin_before[vertex_ix], skin_after[vertex_ix], part);
}

void corners_at(uint triangle_ix, float part, out vec3 corners[3]) {
    SkinTriangle triangle = skin_triangles[triangle_ix];
    for (uint i = 0; i < 3; ++i) corners[i] = skin_at(triangle.vertices[i], part);
}

// Weights of the corners that make the point of the triangle nearest to `p` (Ericson, "Real-Time Collision Detection", 2005,
// section 5.1.5). Not a number for a triangle without area where it has no nearest corner.
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

// Takes the triangle if it is nearer to `p` than what was found before; of equally near ones the first. Not a number never is.
void consider(uint triangle_ix, vec3 p, inout float best_squared, inout uint best_ix) {
    vec3 corners[3];
    corners_at(triangle_ix, part_after, corners);
    uint feature;
    vec3 way = p - blend(corners, nearest_on_triangle(p, corners, feature));
    float squared = dot(way, way);
    if (squared < best_squared || (squared == best_squared && triangle_ix < best_ix)) {
        best_squared = squared;
        best_ix = triangle_ix;
    }
}

// Zero for a triangle without area.
vec3 unit_or_zero(vec3 way) {
    float size = length(way);
    return size > 0.0 ? way / size : vec3(0.0);
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

// Where a particle meets a triangle at the end of the sub-step; false where the skin has no direction.
bool meet(uint triangle_ix, vec3 from, vec3 to, out Contact contact) {
    SkinTriangle triangle = skin_triangles[triangle_ix];
    vec3 corners[3], corners_before[3];
    corners_at(triangle_ix, part_after, corners);
    corners_at(triangle_ix, part_before, corners_before);
    uint feature;
    vec3 weights = nearest_on_triangle(to, corners, feature);
    contact.point = blend(corners, weights);
    contact.carried = from + contact.point - blend(corners_before, weights);
    contact.normal = normal_of(triangle, corners, feature);
    vec3 way = to - contact.point;
    float size = length(way);
    if (contact.normal == vec3(0.0)) return false;
    if (feature != FACE && size > LEAST_WAY) contact.normal = dot(way, contact.normal) < 0.0 ? way / -size : way / size;
    return true;
}

// Puts a particle outside the triangle nearest to it, which is within reach, and writes what became of it.
// `first_sub_step`: contacts start anew.
void collide_with(uint particle_ix, uint triangle_ix, uint friction_model, bool first_sub_step) {
    vec3 from = current[particle_ix].xyz, to = predicted[particle_ix].xyz;
    vec4 deepest = first_sub_step ? vec4(0.0) : contacts[particle_ix];
    GarmentSettings garment = garments[particles[particle_ix].garment_ix];
    float thickness = max(garment.thickness, particles[particle_ix].clearance);
    Contact contact;
    if (triangle_ix != NO_TRIANGLE && meet(triangle_ix, from, to, contact)) {
        float depth = depth_of(contact, to, thickness);
        if (depth > LEAST_DEPTH) {
            // What the particle already lacked when the sub-step began is put right without giving it speed.
            float lacked = clamp(depth_of(contact, contact.carried, thickness), 0.0, depth);
            current[particle_ix].xyz = from + contact.normal * lacked;
            predicted[particle_ix].xyz = respond(contact, from, to, depth, garment.friction, friction_model);
            if (depth > deepest.w) deepest = vec4(contact.normal, depth);
        }
    }
    contacts[particle_ix] = deepest;
}

#endif
