// Keeps apart what is apart: where two that may meet come nearer to each other than there is room, a plane divides the room, and no particle of either goes
// beyond it, so that cloth that strikes other cloth, however fast and in however many layers, is stopped before it goes through.
// Each side gets as much of the room as it moves towards the other, besides with the body that wears it: layers that move together are not held up.
// Reads: positions, where they were apart, sums of corrections, contact pairs. Writes: for each particle the part of its way that it may go.
// `pair_threads` threads per vertex, then per edge, which take pairs in turn. Runs after contact_resolve; contact_apply follows.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "cloth/contact_surface.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 11) readonly buffer Sums { int sums[]; };
layout(scalar, binding = 12) buffer Limits { uint limits[]; }; // bits of a part, from 0 to 1

#include "cloth/contact_turns.glsl"
#include "cloth/contact_sums.glsl"
#include "cloth/contact_apart.glsl"

// Of what two layers keep from each other, what is left between them at least, or half of what they have. Usually 0.2; with 0 rounding lets them
// through, with 1 nothing presses anything.
const float KEPT_APART = 0.2;

// Four particles, the first `in_front` of them on one side; where they were apart, and how far they have come since, besides with the body.
struct Sides {
    uvec4 particles;
    uint in_front;
    vec3 from[4];
    vec3 moved[4];
};

Sides sides_of(uvec4 particles, uint in_front) {
    Sides sides;
    sides.particles = particles;
    sides.in_front = in_front;
    for (uint i = 0; i < 4; ++i) {
        sides.from[i] = apart_from(particles[i]);
        vec3 to = predicted[particles[i]].xyz + corrections_of(particles[i]).whole;
        sides.moved[i] = ends_own_sub_step(particles[i]) ? to - sides.from[i] : vec3(0.0);
    }
    return sides;
}

// `front`, `behind`: the nearest points of both sides where they were apart. `common_normal`: unit, of what both lie along; zero where they meet at a
// border, so that the plane is square to the way from one to the other.
void divide(Sides sides, vec3 front, vec3 behind, vec3 common_normal, float gap) {
    bool has_normal = common_normal != vec3(0.0);
    vec3 normal = has_normal ? common_normal : normalize(front - behind);
    float distance = dot(normal, front - behind);
    if (!(distance > 0.0)) return;
    vec4 towards;
    vec2 most = vec2(-FARTHEST);
    for (uint i = 0; i < 4; ++i) {
        uint side = i < sides.in_front ? 0 : 1;
        towards[i] = dot(normal, sides.moved[i]) * (side == 0 ? -1.0 : 1.0);
        most[side] = max(most[side], towards[i]);
    }
    float room = distance - min(KEPT_APART * gap, 0.5 * distance);
    // At the end a plane lies between them, wherever both have gone.
    if (most[0] + most[1] <= room) return;
    float whole = max(most[0], 0.0) + max(most[1], 0.0);
    for (uint i = 0; i < 4; ++i) {
        bool is_front = i < sides.in_front;
        float further = is_front ? dot(normal, sides.from[i] - front) : dot(normal, behind - sides.from[i]);
        float allowed = max(further, 0.0) + room * (max(most[is_front ? 0 : 1], 0.0) / whole);
        if (towards[i] > allowed) atomicMin(limits[sides.particles[i]], floatBitsToUint(allowed / towards[i]));
    }
}

void limit_vertex(uint vertex_ix, uint id) {
    uvec3 corners = triangles[id & INDEX];
    Sides sides = sides_of(uvec4(vertex_ix, corners), 1);
    vec3 at[3] = vec3[](sides.from[1], sides.from[2], sides.from[3]);
    vec3 normal = sided(normalize(cross(at[1] - at[0], at[2] - at[0])), id);
    uint feature;
    vec3 behind = blend(at, weights_of_nearest(sides.from[0], at, feature));
    // What is on the wrong side is to come through.
    if (!(dot(normal, sides.from[0] - behind) > 0.0)) return;
    divide(sides, sides.from[0], behind, feature == FACE ? normal : vec3(0.0), gap_between(vertex_ix, corners.x));
}

void limit_edge(uint edge_ix, uint id) {
    ClothEdge edge = edges[edge_ix], other = edges[id & INDEX];
    Sides sides = sides_of(uvec4(edge.ends, other.ends), 2);
    vec3 along_p = sides.from[1] - sides.from[0], along_q = sides.from[3] - sides.from[2];
    vec2 nearest = nearest_on_segments(sides.from[0], along_p, sides.from[2], along_q);
    vec3 front = sides.from[0] + along_p * nearest.x, behind = sides.from[2] + along_q * nearest.y;
    vec3 across = sided(cross(along_p, along_q), id);
    bool has_normal = !are_parallel(along_p, along_q, across);
    if (has_normal && !(dot(across, front - behind) > 0.0)) return;
    vec3 normal = has_normal && !is_at_end(nearest) ? across * inversesqrt(dot(across, across)) : vec3(0.0);
    divide(sides, front, behind, normal, gap_between(edge.ends[0], other.ends[0]));
}

void main() {
    Turns turns = turns_of_thread();
    ContactPair pair = pair_of(turns);
    if (turns.search == CROSSED_TRIANGLES || turns.ix >= turns.count) return;
    do {
        if (turns.search == NEAR_TRIANGLES) {
            limit_vertex(pair.searcher_ix, pair.id);
        } else {
            limit_edge(pair.searcher_ix, pair.id);
        }
    } while (take_next(turns, pair));
}
