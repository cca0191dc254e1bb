// Cloth as a surface that other cloth meets: its vertices, edges and triangles and how they are about to move. src/cloth/contacts/twin.rs
// is the twin. Includers declare no bindings below 5 and no other push constants.
#ifndef CLOTH_CONTACT_SURFACE
#define CLOTH_CONTACT_SURFACE

#include "shared/structs.glsl"
#include "shared/closest.glsl"

// What contacts ask of a particle: where it is when the step begins and how far it moves in it if it goes on as it does in its newest sub-step, and of
// its own and its garment's settings.
struct ContactParticle {
    vec3 start;
    float thickness; // metres
    vec3 motion;
    uint garment; // its index, and above STRIDE_SHIFT bits its stride: see shared/detail.glsl
    vec3 apart; // where it was when cloth was kept apart last; in its first sub-step, where the step begins
    float inverse_mass; // 1/kg
    vec3 carried; // how far skinning moves it in the step
    float friction;
};

const uint STRIDE_SHIFT = 24;

layout(std430, binding = 0) buffer ContactParticles { ContactParticle contact_particles[]; }; // of all particles; written by contact_bound
layout(scalar, binding = 1) buffer Current { vec4 current[]; };     // world space; w: not 0 for a particle that is astray
layout(scalar, binding = 2) buffer Predicted { vec4 predicted[]; };          // world space; w is kept
layout(scalar, binding = 3) readonly buffer Triangles { uvec3 triangles[]; };
layout(scalar, binding = 4) readonly buffer Edges { ClothEdge edges[]; };
layout(scalar, push_constant) uniform Push {
    uint particle_count;
    uint triangle_count; // in whole tiles, as edges and the vertices in order are
    uint edge_count;
    uint order_count;
    uint sub_step_ix; // in which contacts are found, or resolved
    uint sub_steps;   // of the step
    uint pair_threads; // for each vertex and edge, which take contact pairs in turn; no more than a list has places
    uint grab_ix;     // the particle between somebody's fingers, 0xFFFFFFFF: none
    vec3 up;          // unit, against gravity; zero: there is none
    uint is_resolved; // 0 or 1: cloth has been kept apart in this sub-step before
    uint own_strides; // a bit for each stride of which an own sub-step ends with this one: see shared/detail.glsl
    float sub_step;   // s, one of the step's
};

const uint NOTHING = 0xFFFFFFFFu;

// What two layers of cloth keep from each other, as a part of what they keep from skin. Usually 0.6, 3 mm for 5: less lets fast cloth
// through between two sub-steps, more looks quilted.
const float GAP = 0.6;
// How much nearer than their motion at the step's beginning says two layers may come during it, as a part of what they keep from skin:
// for what gravity, skin and other cloth change. Usually 0.4, 2 mm; less misses contacts, with more the lists overflow where cloth lies
// in many layers.
const float MARGIN = 0.4;

uint stride_of(uint particle_ix) {
    return contact_particles[particle_ix].garment >> STRIDE_SHIFT;
}

// Whether a sub-step of the particle's own ends with this one. In others contacts do not move it: each body's cloth does as if its sub-steps were all.
bool ends_own_sub_step(uint particle_ix) {
    return (own_strides >> stride_of(particle_ix) & 1) != 0;
}

float thickness_of(uint particle_ix) {
    return contact_particles[particle_ix].thickness;
}

// Metres that the cloth at two particles keeps from each other.
float gap_between(uint a, uint b) {
    return 0.5 * GAP * (thickness_of(a) + thickness_of(b));
}

// Metres within which they are listed.
float reach_between(uint a, uint b) {
    return 0.5 * (GAP + MARGIN) * (thickness_of(a) + thickness_of(b));
}

vec3 at_start(uint particle_ix) {
    return current[particle_ix].xyz;
}

// How far a particle moves in the whole step if it goes on as it does in its newest sub-step, which goes so often into a step.
vec3 motion_of(uint particle_ix, float own_sub_steps) {
    return (predicted[particle_ix].xyz - current[particle_ix].xyz) * own_sub_steps;
}

// Whether a particle is returning to its allowed place, through whatever is in between: see cloth/predict.glsl.
bool is_astray(uint particle_ix) {
    return current[particle_ix].w != 0.0;
}

// Metres by which a path is widened on its side, so that two of them overlap within reach_between().
float half_reach_of(float thickness) {
    return 0.5 * (GAP + MARGIN) * thickness;
}

// How far cloth is expected to come off its path in a step where something stops it, as a part of what it keeps from skin. Usually 4, 20 mm, for
// what falls at 1.2 m/s; less lets heaps through each other as they land, with more the lists overflow where a body jerks its clothes about.
const float MAX_HALT = 4.0;

// How far a particle may come off its path if something stops what it follows: as far as it goes in the step besides with the body.
vec3 halt_of(vec3 motion_over_body, float thickness) {
    return motion_over_body * min(1.0, MAX_HALT * thickness / max(length(motion_over_body), 1e-9));
}

// Metres from the origin, further than which nothing meets anything.
const float FARTHEST = 1e9;

// Places along two segments, from 0 to 1, that are nearest to each other (Ericson, "Real-Time Collision Detection", 2005, section
// 5.1.9). `p`, `q`: where they begin, `along_p`, `along_q`: where they go from there.
vec2 nearest_on_segments(vec3 p, vec3 along_p, vec3 q, vec3 along_q) {
    vec3 apart = p - q;
    float a = dot(along_p, along_p), e = dot(along_q, along_q), f = dot(along_q, apart);
    float b = dot(along_p, along_q), c = dot(along_p, apart);
    float whole = a * e - b * b;
    float s = whole > 1e-6 * a * e ? clamp((b * f - c * e) / whole, 0.0, 1.0) : 0.5;
    float t = e > 0.0 ? (b * s + f) / e : 0.0;
    if (t < 0.0 || t > 1.0) {
        t = clamp(t, 0.0, 1.0);
        s = a > 0.0 ? clamp((b * t - c) / a, 0.0, 1.0) : 0.0;
    }
    return vec2(s, t);
}

// Squared sine below which two edges are parallel and have no common normal.
const float PARALLEL = 1e-4;

// `across`: the cross product of both edges' directions.
bool are_parallel(vec3 along_p, vec3 along_q, vec3 across) {
    return !(dot(across, across) > PARALLEL * dot(along_p, along_p) * dot(along_q, along_q));
}

// Whether one of two nearest places is an end, where vertices meet triangles.
bool is_at_end(vec2 nearest) {
    return any(lessThanEqual(nearest, vec2(0.0))) || any(greaterThanEqual(nearest, vec2(1.0)));
}

#endif
