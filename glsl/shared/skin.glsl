// Particles against the triangles of the skin, for the techniques that find a particle's nearest triangle: what they share
// once they have it. src/collide/triangle_contact.rs is its twin. Includers declare `part_after` first,
// the part of the step at which the sub-step ends, and those that respond `part_before`, at which the path begins. Binding numbers 0 to 9 are the same in all of them.
//
// A particle is inside when it lies behind the surface at the point nearest to it, by the angle-weighted normal of what that
// point lies on: a face, an edge or a corner (Bærentzen and Aanæs, "Signed distance computation using the angle weighted
// pseudonormal", 2005). That is exact for a closed surface.
#ifndef SHARED_SKIN
#define SHARED_SKIN

#include "shared/particles.glsl"
#include "shared/iterations.glsl"
#include "shared/skin_surface.glsl"

// Metres. Nearer to an edge or a corner than this, the offset from it does not determine the surface's direction any more.
const float MIN_OFFSET = 1e-4;

// Takes the triangle if it is nearer to `p` than what was found before; of equally near ones the first. NaN never is.
void consider(uint triangle_ix, vec3 p, inout float best_squared, inout uint best_ix) {
    vec3 corners[3];
    corners_at(triangle_ix, part_after, corners);
    uint feature;
    vec3 offset = p - blend(corners, weights_of_nearest(p, corners, feature));
    float squared = dot(offset, offset);
    if (squared < best_squared || (squared == best_squared && triangle_ix < best_ix)) {
        best_squared = squared;
        best_ix = triangle_ix;
    }
}

#ifdef PATH_STARTS
// Where a particle meets a triangle at the end of the sub-step; false where the skin has no direction.
bool meet(uint triangle_ix, vec3 from, vec3 to, out Contact contact) {
    SkinTriangle triangle = skin_triangles[triangle_ix];
    vec3 corners[3], corners_before[3];
    corners_at(triangle_ix, part_after, corners);
    corners_at(triangle_ix, part_before, corners_before);
    uint feature;
    vec3 weights = weights_of_nearest(to, corners, feature);
    contact.point = blend(corners, weights);
    contact.co_moving = from + contact.point - blend(corners_before, weights);
    contact.normal = normal_of(triangle, corners, feature);
    vec3 offset = to - contact.point;
    float size = length(offset);
    if (contact.normal == vec3(0.0)) return false;
    if (feature != FACE && size > MIN_OFFSET) contact.normal = dot(offset, contact.normal) < 0.0 ? offset / -size : offset / size;
    return true;
}

// Resolves a particle's contact with its nearest triangle, which lies within the search radius, and writes the result.
// `first_collision`: contacts start anew; `is_reduced`: the particle is kept out of the skin alone; `since`: sub-steps since the last collision.
void collide_with(uint particle_ix, uint triangle_ix, uint friction_model, bool first_collision, bool is_reduced, uint since) {
    vec3 from = path_start(particle_ix, float(since)), to = predicted[particle_ix].xyz;
    vec4 deepest = first_collision ? vec4(0.0) : contacts[particle_ix];
    GarmentSettings garment = garments[particles[particle_ix].garment_ix];
    float thickness = max(garment.thickness, particles[particle_ix].clearance);
    if (is_reduced) thickness = reduced(thickness, particles[particle_ix].size);
    Contact contact;
    if (triangle_ix != NO_TRIANGLE && !is_astray(particle_ix) && meet(triangle_ix, from, to, contact)) {
        float depth = depth_of(contact, to, thickness);
        if (depth > MIN_DEPTH) {
            // What was missing already when the sub-step began is corrected without giving the particle speed.
            float lacked = clamp(depth_of(contact, contact.co_moving, thickness), 0.0, depth);
            vec3 outside = respond(contact, to, depth, garment.friction, friction_model);
            float unused = unused_friction(contact, to, depth, garment.friction, friction_model);
            current[particle_ix].xyz += current_shift(outside - to, contact.normal * lacked, float(since));
            predicted[particle_ix] = vec4(outside, pack_contact(contact.normal, unused));
            if (depth > deepest.w) deepest = vec4(contact.normal, depth);
        }
    }
    contacts[particle_ix] = deepest;
}
#endif

#endif
