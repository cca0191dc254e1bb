// Keeps cloth apart from cloth: the contacts of each vertex with triangles and of each edge with edges as position constraints between two
// sides that give offset by their masses, with friction (Müller et al., "Position based dynamics", 2007, section 4.3), and a push out of
// crossings that shortens their outline (Volino and Magnenat-Thalmann, "Resolving surface collisions through intersection contour
// minimization", 2006, section 3.1), or that sends layers of one body home.
// Reads: positions, contact pairs. Writes: the sums of corrections, in whole numbers, so that the order in which they arrive does not
// matter.
// `pair_threads` threads per vertex, per edge, and per edge again, which take pairs in turn. Runs in each sub-step, before a collision with bodies if there
// is one; contact_limit follows.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "cloth/contact_surface.glsl"
#include "cloth/crossing.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 11) buffer Sums { int sums[]; }; // SUM_WORDS per particle

#include "cloth/contact_turns.glsl"
#include "cloth/contact_sums.glsl"

// What is deeper in the wrong than this many gaps has passed by beside the contact, not through it.
const float DEEPEST = 6.0;
// The most that a contact moves cloth apart at once, in gaps, besides what it has come nearer in the sub-step: cloth that starts deep in
// the wrong comes out in some sub-steps, not with a bang.
const float MAX_PUSH = 1.0;
// Seconds of a sub-step from which on that is the most; in shorter ones it is less, by the square of their length, as a fall is. A part of a push gives
// speed, so that what stays too near for long is thrown the harder, the shorter sub-steps are: with as much in all of them, 16 in a
// sixtieth of a second carry a long skirt up the legs that walk in it. Usually 0.002, less than 8 make.
const float FULL_PUSH_SECONDS = 0.002;
// How far beside a triangle a vertex may be to be kept in front of it, in gaps. Beyond it edges meet edges.
const float MAX_BESIDE = 0.5;
// How far a crossing moves in a sub-step, in gaps. Usually 1: with 0.3 what is tangled stays so twice as often, with 2 what is tangled trembles.
const float UNTANGLING = 1.0;
// Binary logarithm of how many times as light as it is the cloth that lies straight on other cloth counts, so that a heap is carried from the
// ground up: with as much from both sides, each layer of a heap presses those below it together, and the seventh goes through (Macklin
// et al., "Unified particle physics for real-time applications", 2014, section 5.3). Usually 2; 0 is physics, with more what lies on
// hanging cloth hardly weighs on it.
const float CARRIED = 2.0;
// The part of a push, beyond what stops cloth, that gives it no speed. Usually 0.75: with 0.5 what lies on other cloth trembles twice as much,
// with 1 heaps are pressed together, for speed is what carries a load from layer to layer.
const float CALM = 0.75;

// Four particles, and how much of each makes the point in question: of what lies in front positive, of what lies behind negative.
struct Contact {
    uvec4 particles;
    vec4 shares;
    vec3 normal; // unit, from behind to the front
    float depth; // metres; not above 0: there is none
};

// 1/kg; none for what a hand holds, what is astray, and what does not move in this sub-step.
float inverse_mass(uint particle_ix) {
    float inverse_mass = contact_particles[particle_ix].inverse_mass;
    return particle_ix == grab_ix || is_astray(particle_ix) || !ends_own_sub_step(particle_ix) ? 0.0 : inverse_mass;
}

vec4 inverse_masses_of(uvec4 ixs) {
    return vec4(inverse_mass(ixs.x), inverse_mass(ixs.y), inverse_mass(ixs.z), inverse_mass(ixs.w));
}

float friction_between(uint a, uint b) {
    return 0.5 * (contact_particles[a].friction + contact_particles[b].friction);
}

// Gaps, in the shorter of both own sub-steps.
float max_push_between(uint a, uint b) {
    float seconds = sub_step * float(max(1u, min(stride_of(a), stride_of(b))));
    float part = min(1.0, seconds / FULL_PUSH_SECONDS);
    return MAX_PUSH * part * part;
}

// A correction counts as much as the particle makes of the point that it is for: where contacts want different things of it, the one that it
// is in decides, not those of triangles beside it. Heaps of many layers are pressed through each other less often.
void add(uint particle_ix, vec3 correction, vec3 calm, float share) {
    uint first = SUM_WORDS * particle_ix;
    float counts = clamp(round(WHOLE * abs(share)), LEAST, WHOLE);
    ivec3 words = words_of(correction * (counts / WHOLE)), calm_words = words_of(calm * (counts / WHOLE));
    for (uint i = 0; i < 3; ++i) atomicAdd(sums[first + i], words[i]);
    if (any(notEqual(calm_words, ivec3(0)))) {
        for (uint i = 0; i < 3; ++i) atomicAdd(sums[first + 3 + i], calm_words[i]);
    }
    atomicAdd(sums[first + 6], int(counts));
}

// Moves both sides by `shift` altogether, of which `calm` gives no speed, each as much as it is light; that in front, whose shares are
// positive, counts as `lighter` times as light as it is.
void move_apart(uvec4 ixs, vec4 shares, vec4 inverse_masses, vec3 shift, vec3 calm, float lighter) {
    vec4 weights = shares * inverse_masses * mix(vec4(1.0), vec4(lighter), greaterThan(shares, vec4(0.0)));
    float whole = dot(weights, shares);
    if (!(whole > 0.0)) return;
    for (uint i = 0; i < 4; ++i) {
        if (weights[i] != 0.0) add(ixs[i], shift * (weights[i] / whole), calm * (weights[i] / whole), shares[i]);
    }
}

// Loads what it may need before it tells whether there is a contact, so that no load waits for that.
void resolve(Contact contact, float gap) {
    // Against each other in the sub-step, and since the step began: friction that took from the sub-step's alone would leave a rest of it each time, and cloth
    // that lies aslant on cloth would creep.
    vec3 moved = vec3(0.0), moved_in_step = vec3(0.0);
    vec4 inverse_masses = inverse_masses_of(contact.particles);
    float friction = friction_between(contact.particles.x, contact.particles.w);
    float max_push = max_push_between(contact.particles.x, contact.particles.w) * gap;
    for (uint i = 0; i < 4; ++i) {
        uint ix = contact.particles[i];
        moved += contact.shares[i] * (predicted[ix].xyz - current[ix].xyz);
        moved_in_step += contact.shares[i] * (predicted[ix].xyz - contact_particles[ix].start);
    }
    if (!(contact.depth > 0.0) || contact.depth > (1.0 + DEEPEST) * gap) return;
    float ahead = dot(contact.normal, moved);
    float push = min(contact.depth, max_push + max(0.0, -ahead));
    vec3 slip = moved_in_step - contact.normal * dot(contact.normal, moved_in_step);
    // What is more than stops them has been too near before: some of it is no bounce, and presses nothing together.
    float calm = CALM * max(0.0, push - max(0.0, -ahead));
    vec3 shift = contact.normal * push - slip * min(1.0, friction * (push - calm) / max(length(slip), 1e-9));
    move_apart(contact.particles, contact.shares, inverse_masses, shift, contact.normal * calm, exp2(CARRIED * dot(contact.normal, up)));
}

void meet_triangle(uint vertex_ix, uint id) {
    uvec3 corners = triangles[id & INDEX];
    vec3 p = predicted[vertex_ix].xyz, at[3];
    for (uint i = 0; i < 3; ++i) at[i] = predicted[corners[i]].xyz;
    vec3 normal = cross(at[1] - at[0], at[2] - at[0]);
    float size = length(normal);
    normal = sided(normal, id) * (1.0 / size);
    float gap = gap_between(vertex_ix, corners.x);
    uint feature;
    vec3 weights = weights_of_nearest(p, at, feature);
    vec3 apart = p - blend(at, weights);
    float ahead = dot(apart, normal);
    bool is_beside = !(length(apart - normal * ahead) <= MAX_BESIDE * gap);
    resolve(Contact(uvec4(vertex_ix, corners), vec4(1.0, -weights), normal, is_beside ? 0.0 : gap - ahead), gap);
}

void meet_edge(uint edge_ix, uint id) {
    uint a = edges[edge_ix].ends[0], a_end = edges[edge_ix].ends[1];
    uint b = edges[id & INDEX].ends[0], b_end = edges[id & INDEX].ends[1];
    vec3 p = predicted[a].xyz, q = predicted[b].xyz;
    vec3 along_p = predicted[a_end].xyz - p, along_q = predicted[b_end].xyz - q;
    vec3 across = cross(along_p, along_q);
    vec2 nearest = nearest_on_segments(p, along_p, q, along_q);
    bool is_met = !are_parallel(along_p, along_q, across) && !is_at_end(nearest);
    vec3 normal = sided(across, id) * inversesqrt(dot(across, across));
    float ahead = dot(p + along_p * nearest.x - q - along_q * nearest.y, normal);
    float gap = gap_between(a, b);
    vec4 shares = vec4(1.0 - nearest.x, nearest.x, nearest.y - 1.0, -nearest.y);
    resolve(Contact(uvec4(a, a_end, b, b_end), shares, normal, is_met ? gap - ahead : 0.0), gap);
}

// How the outline of a crossing gets shorter as an edge moves, from one of the triangles at the edge; zero where there is none.
vec3 shortening(uint opposite, vec3 from, vec3 along, vec3 normal) {
    if (opposite == NOTHING) return vec3(0.0);
    vec3 into = predicted[opposite].xyz - from;
    vec3 outline = cross(normal, cross(along, into));
    float size = length(outline);
    if (!(size > 0.0)) return vec3(0.0);
    // Into the triangle, away from the edge.
    outline *= (dot(outline, into - along * (dot(into, along) / dot(along, along))) < 0.0 ? -1.0 : 1.0) / size;
    return outline - normal * (dot(along, outline) / dot(along, normal));
}

// Moves an end of an edge and the triangle that the edge crosses past each other.
void move_past(uint end, uvec3 corners, vec3 weights, vec3 shift) {
    uvec4 particles = uvec4(end, corners);
    move_apart(particles, vec4(1.0, -weights), inverse_masses_of(particles), shift, vec3(0.0), 1.0);
}

void leave_triangle(uint edge_ix, uint id) {
    ClothEdge edge = edges[edge_ix];
    uvec3 corners = triangles[id & INDEX];
    vec3 from = predicted[edge.ends[0]].xyz, to = predicted[edge.ends[1]].xyz;
    Crossing crossing = crossing_of(from, to, predicted[corners.x].xyz, predicted[corners.y].xyz, predicted[corners.z].xyz);
    if (!crossing.exists) return;
    float most = UNTANGLING * gap_between(edge.ends[0], corners.x);
    if ((id & LAYERED) != 0) {
        // Of two layers, the end that is on the wrong side: an outline gets shorter whichever way a hem goes.
        vec3 normal = sided(crossing.normal, id);
        uint end = dot(normal, from - to) < 0.0 ? edge.ends[0] : edge.ends[1];
        move_past(end, corners, crossing.weights, normal * most);
        return;
    }
    vec3 offset = vec3(0.0);
    for (uint i = 0; i < 2; ++i) offset += shortening(edge.opposite[i], from, to - from, crossing.normal);
    float size = length(offset);
    if (!(size > 0.0)) return;
    vec3 shift = offset * (most * min(1.0, 1.0 / size));
    // Both ends of the edge as one, and the triangle as one, move against each other.
    for (uint i = 0; i < 2; ++i) move_past(edge.ends[i], corners, crossing.weights, shift);
}

void main() {
    Turns turns = turns_of_thread();
    ContactPair pair = pair_of(turns);
    if (turns.ix >= turns.count) return;
    do {
        if (turns.search == NEAR_TRIANGLES) {
            meet_triangle(pair.searcher_ix, pair.id);
        } else if (turns.search == NEAR_EDGES) {
            meet_edge(pair.searcher_ix, pair.id);
        } else {
            leave_triangle(pair.searcher_ix, pair.id);
        }
    } while (take_next(turns, pair));
}
