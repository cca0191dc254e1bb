// Whether two whose balls are near meet, by the shortest distance between them on their paths, and on which side of each other they belong; or whether an
// edge crosses a triangle.
#ifndef CLOTH_CONTACT_SIDES
#define CLOTH_CONTACT_SIDES

#include "cloth/contact_searches.glsl"
#include "cloth/crossing.glsl"

layout(scalar, binding = 8) buffer Tangled { uint tangled[]; }; // of a particle at crossings: sheet_bit() of what it is through
layout(scalar, binding = 9) readonly buffer Vertices { ClothVertex vertices[]; };
layout(scalar, binding = 10) readonly buffer Normals { vec4 normals[]; }; // of the step before; zero before the first
layout(scalar, binding = 11) readonly buffer NearBefore { uint near_before[]; };

// They do not meet, or nobody knows on which side.
const uint UNKNOWN = NOTHING;

// What may meet, and whether something may stop one of them and not the other.
struct Pair {
    uint searcher_ix;
    uint other_ix;
    bool halts;
};

// Cosine of the angle between two edges' common normal and the cloth's below which they lie across it and have no side of it.
const float MIN_ALIGNMENT = 0.3;

// Which pairs are kept where a list is full: by how far apart they are at the beginning, against how far at the nearest. Usually 0.3: with 0
// fast cloth keeps any of the layers in its way, and not the next ones, with 1 what lies still counts more than what is coming.
const float SOONER = 0.3;

// The side on which the list of the step before has it.
uint side_before(uint list_ix, uint other_ix) {
    uint first = list_ix * NEAR_WORDS;
    uint count = min(near_before[first], MAX_NEAR);
    for (uint i = 0; i < count; ++i) {
        uint id = near_before[first + 1 + i];
        if ((id & INDEX) == other_ix) return id & BEHIND;
    }
    return UNKNOWN;
}

uint sheet_of(uint vertex_ix) {
    return vertices[vertex_ix].sheet;
}

// The direction in which a vertex lay from another sheet in the step before, by any triangle of it that it was near; zero: unknown.
vec3 direction_before(uint vertex_ix, uint sheet) {
    if (sheet_of(vertex_ix) == sheet) return vec3(0.0);
    uint first = vertex_ix * NEAR_WORDS;
    uint count = min(near_before[first], MAX_NEAR);
    for (uint i = 0; i < count; ++i) {
        uint id = near_before[first + 1 + i];
        uvec3 corners = triangles[id & INDEX];
        if (sheet_of(corners.x) != sheet) continue;
        vec3 at = at_start(corners.x);
        vec3 normal = cross(at_start(corners.y) - at, at_start(corners.z) - at);
        return (id & BEHIND) != 0 ? -normal : normal;
    }
    return vec3(0.0);
}

// On which side of `normal` a direction is; UNKNOWN where it lies across.
uint side_along(vec3 direction, vec3 normal) {
    float ahead = dot(direction, normal);
    if (!(abs(ahead) > MIN_ALIGNMENT * length(direction) * length(normal))) return UNKNOWN;
    return ahead > 0.0 ? 0 : BEHIND;
}

bool are_layers(uint a, uint b) {
    return contact_particles[a].garment != contact_particles[b].garment && vertices[a].layer >> 16 == vertices[b].layer >> 16;
}

// The direction from the cloth at `b` to that at `a`, garments of one body, roughly: an outer garment lies in front of an inner one that
// faces the same way, and what faces each other does so with its outside, for a body is in between otherwise. Zero: unknown.
vec3 direction_between_layers(uint a, vec3 normal_a, uint b, vec3 normal_b) {
    float alignment = dot(normal_a, normal_b);
    if (alignment < 0.0) return normal_b - normal_a;
    if (alignment == 0.0) return vec3(0.0);
    return vertices[a].layer > vertices[b].layer ? normal_a + normal_b : -normal_a - normal_b;
}

// On which side of another layer's triangle the cloth at `a` belongs.
uint side_of_layer(uint a, vec3 normal_a, uint corner, vec3 normal) {
    float ahead = dot(direction_between_layers(a, normal_a, corner, normalize(normal)), normal);
    return ahead == 0.0 ? UNKNOWN : ahead > 0.0 ? 0 : BEHIND;
}

uint side_of_triangle(uint vertex_ix, uint triangle_ix, uvec3 corners, vec3 normal, vec3 apart) {
    if (are_layers(vertex_ix, corners.x)) return side_of_layer(vertex_ix, normals[vertex_ix].xyz, corners.x, normal);
    uint sheet = sheet_of(corners.x), tangled_with = tangled[corners.x] | tangled[corners.y] | tangled[corners.z];
    if (((tangled[vertex_ix] & sheet_bit(sheet)) | (tangled_with & sheet_bit(sheet_of(vertex_ix)))) != 0) {
        uint side = side_before(vertex_ix, triangle_ix);
        return side != UNKNOWN ? side : side_along(direction_before(vertex_ix, sheet), normal);
    }
    return dot(normal, apart) >= 0.0 ? 0 : BEHIND;
}

// Cloth whose rest shape is as near keeps its shape by its constraints.
bool is_near_at_rest(uint a, uint b, float distance_at_rest) {
    return contact_particles[a].garment == contact_particles[b].garment && distance_at_rest < gap_between(a, b);
}

float distance_to_triangle_at_rest(uint vertex_ix, uvec3 corners) {
    vec3 at_rest[3];
    for (uint i = 0; i < 3; ++i) at_rest[i] = vertices[corners[i]].rest_position;
    vec3 p = vertices[vertex_ix].rest_position;
    uint feature;
    return length(p - blend(at_rest, weights_of_nearest(p, at_rest, feature)));
}

// At how many times of the step, evenly spaced, distances are looked at. Usually 3; with fewer lists are longer, more take longer.
const uint TIMES = 3;

float time_of(uint ix) {
    return float(ix) / float(TIMES - 1);
}

// Metres that a pair may come nearer between two of those times, which move so far against each other in the step.
float missed_between(float approach) {
    return approach * 0.5 / float(TIMES - 1);
}

// A particle on its straight path through the step.
struct Moving {
    vec3 start;
    vec3 motion;
};

Moving moving(uint particle_ix) {
    return Moving(contact_particles[particle_ix].start, contact_particles[particle_ix].motion);
}

vec3 at(Moving particle, float time) {
    return particle.start + particle.motion * time;
}

// Metres that two particles move against each other in the step.
float approach_of(Moving a, Moving b) {
    return length(a.motion - b.motion);
}

// How much nearer two come if one is stopped and the other goes on: along the vector from what may be met to what searches.
float halt_along(vec3 apart, Pair pair) {
    if (!pair.halts) return 0.0;
    Ball self = listed_ball(searcher_kind(), pair.searcher_ix), other = listed_ball(other_kind(), pair.other_ix);
    vec3 direction = apart / max(length(apart), 1e-9);
    return clamp(max(-dot(self.halt, direction), dot(other.halt, direction)), 0.0, halt_between(self.halt_length, other.halt_length));
}

// The shortest vector from a triangle to a vertex at a time of the step.
vec3 from_triangle(Moving vertex, Moving corners[3], float time) {
    vec3 p = at(vertex, time), ats[3];
    for (uint i = 0; i < 3; ++i) ats[i] = at(corners[i], time);
    uint feature;
    return p - blend(ats, weights_of_nearest(p, ats, feature));
}

// Of a vertex and a triangle, if they come within reach of each other on their straight paths.
uint side_of_near_triangle(Pair pair, out float distance) {
    uint vertex_ix = order[pair.searcher_ix];
    uvec3 corner_ixs = triangles[pair.other_ix];
    Moving vertex = moving(vertex_ix), corners[3];
    float approach = 0.0;
    for (uint i = 0; i < 3; ++i) {
        corners[i] = moving(corner_ixs[i]);
        approach = max(approach, approach_of(vertex, corners[i]));
    }
    float reach = reach_between(vertex_ix, corner_ixs.x) + missed_between(approach), first = 0.0, least = FARTHEST;
    for (uint ix = 0; ix < TIMES; ++ix) {
        vec3 apart = from_triangle(vertex, corners, time_of(ix));
        if (ix == 0) {
            first = length(apart);
            reach += halt_along(apart, pair);
            // What is too far apart at the beginning to come within reach needs no second look. Written so that a NaN is not near.
            if (!(first <= reach + approach)) return UNKNOWN;
        }
        least = min(least, length(apart));
    }
    distance = mix(least, first, SOONER);
    if (!(least <= reach)) return UNKNOWN;
    if (is_near_at_rest(vertex_ix, corner_ixs.x, distance_to_triangle_at_rest(vertex_ix, corner_ixs))) return UNKNOWN;
    vec3 normal = cross(corners[1].start - corners[0].start, corners[2].start - corners[0].start);
    return side_of_triangle(vertex_ix, pair.other_ix, corner_ixs, normal, vertex.start - corners[0].start);
}

uint side_of_edges(uint edge_ix, uvec2 ends, uint other_ix, uvec2 others, vec3 across, vec3 apart) {
    uint a = ends.x, a_end = ends.y, b = others.x, b_end = others.y;
    if (are_layers(a, b)) {
        vec3 normal_a = normals[a].xyz + normals[a_end].xyz, normal_b = normals[b].xyz + normals[b_end].xyz;
        vec3 direction = direction_between_layers(a, normal_a, b, normal_b);
        return side_along(direction, across);
    }
    uint sheet = sheet_of(a), other_sheet = sheet_of(b);
    bool is_tangled = (((tangled[a] | tangled[a_end]) & sheet_bit(other_sheet)) | ((tangled[b] | tangled[b_end]) & sheet_bit(sheet))) != 0;
    if (is_tangled) {
        uint side = side_before(first_edge_list(particle_count) + edge_ix, other_ix);
        for (uint i = 0; i < 2 && side == UNKNOWN; ++i) side = side_along(direction_before(ends[i], other_sheet), across);
        for (uint i = 0; i < 2 && side == UNKNOWN; ++i) side = side_along(-direction_before(others[i], sheet), across);
        return side;
    }
    return dot(across, apart) >= 0.0 ? 0 : BEHIND;
}

float distance_between_edges_at_rest(uvec2 a, uvec2 b) {
    vec3 p = vertices[a.x].rest_position, q = vertices[b.x].rest_position;
    vec3 along_p = vertices[a.y].rest_position - p, along_q = vertices[b.y].rest_position - q;
    vec2 nearest = nearest_on_segments(p, along_p, q, along_q);
    return length(p + along_p * nearest.x - q - along_q * nearest.y);
}

// The shortest vector between two edges at a time of the step, from the second to the first.
vec3 between_edges(Moving ends[2], Moving others[2], float time) {
    vec3 p = at(ends[0], time), q = at(others[0], time);
    vec3 along_p = at(ends[1], time) - p, along_q = at(others[1], time) - q;
    vec2 nearest = nearest_on_segments(p, along_p, q, along_q);
    return p + along_p * nearest.x - q - along_q * nearest.y;
}

// Of two edges, if they come within reach of each other on their straight paths.
uint side_of_near_edge(Pair pair, out float distance) {
    uvec2 end_ixs = corners_of(EDGES, pair.searcher_ix).xy, other_ixs = corners_of(EDGES, pair.other_ix).xy;
    Moving ends[2] = Moving[](moving(end_ixs.x), moving(end_ixs.y)), others[2] = Moving[](moving(other_ixs.x), moving(other_ixs.y));
    float approach = 0.0;
    for (uint i = 0; i < 4; ++i) approach = max(approach, approach_of(ends[i % 2], others[i / 2]));
    vec3 first_apart = vec3(0.0);
    float reach = reach_between(end_ixs.x, other_ixs.x) + missed_between(approach), first = 0.0, least = FARTHEST;
    for (uint ix = 0; ix < TIMES; ++ix) {
        vec3 apart = between_edges(ends, others, time_of(ix));
        if (ix == 0) {
            first_apart = apart;
            first = length(apart);
            reach += halt_along(apart, pair);
            if (!(first <= reach + approach)) return UNKNOWN;
        }
        least = min(least, length(apart));
    }
    distance = mix(least, first, SOONER);
    if (!(least <= reach)) return UNKNOWN;
    if (is_near_at_rest(end_ixs.x, other_ixs.x, distance_between_edges_at_rest(end_ixs, other_ixs))) return UNKNOWN;
    vec3 across = cross(ends[1].start - ends[0].start, others[1].start - others[0].start);
    return side_of_edges(pair.searcher_ix, end_ixs, pair.other_ix, other_ixs, across, first_apart);
}

// Of an edge and a triangle that it goes through: both are tangled.
uint side_of_crossed(Pair pair) {
    uvec2 ends = corners_of(EDGES, pair.searcher_ix).xy;
    uvec3 corners = triangles[pair.other_ix];
    if (!crossing_of(at_start(ends.x), at_start(ends.y), at_start(corners.x), at_start(corners.y), at_start(corners.z)).exists) return UNKNOWN;
    uint of_edge = sheet_bit(sheet_of(ends.x)), of_triangle = sheet_bit(sheet_of(corners.x));
    for (uint i = 0; i < 2; ++i) atomicOr(tangled[ends[i]], of_triangle);
    for (uint i = 0; i < 3; ++i) atomicOr(tangled[corners[i]], of_edge);
    if (!are_layers(ends.x, corners.x)) return 0;
    vec3 corner = at_start(corners.x), normal = cross(at_start(corners.y) - corner, at_start(corners.z) - corner);
    uint side = side_of_layer(ends.x, normals[ends.x].xyz + normals[ends.y].xyz, corners.x, normal);
    return side == UNKNOWN ? 0 : LAYERED | side;
}

// 0, BEHIND or UNKNOWN, and metres by which the nearest are told.
uint side_of(Pair pair, out float distance) {
    distance = 0.0;
    if (SEARCH == NEAR_TRIANGLES) return side_of_near_triangle(pair, distance);
    if (SEARCH == NEAR_EDGES) return side_of_near_edge(pair, distance);
    return side_of_crossed(pair);
}

#endif
