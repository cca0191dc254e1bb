// Finds what cloth may meet other cloth during a step: the triangles near each vertex and the edges near each edge, wherever their
// straight paths come within reach of each other, and on which side of each other they belong.
// Reads: positions of the step's beginning and where the first sub-step would take them, normals, materials, balls and boxes, what is tangled, the
// lists of the step before. Writes: what each slice of the search has found.
// `slice_count` * HELPERS threads per vertex in order; the same for edges, in a dispatch of their own. Runs once per step, after contact_crossings;
// contact_merge follows.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "cloth/contact_search.glsl"

// Whether triangles near vertices are searched for, or edges near edges. A constant, so that neither carries the other's registers.
layout(constant_id = 0) const bool OF_VERTICES = true;

layout(scalar, binding = 7) readonly buffer Tangled { uint tangled[]; }; // of a particle at crossings: sheet_bit() of what it is through
layout(scalar, binding = 8) readonly buffer Vertices { ClothVertex vertices[]; };
layout(scalar, binding = 9) readonly buffer Normals { vec4 normals[]; }; // of the step before; zero before the first
layout(scalar, binding = 10) readonly buffer NearBefore { uint near_before[]; };
layout(scalar, binding = 11) writeonly buffer Slices { uint slices[]; }; // what each slice of the search has found
layout(scalar, binding = 12) readonly buffer Order { uint order[]; }; // all particles, those that are near each other together

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
    return contact_particles[a].garment_ix != contact_particles[b].garment_ix && vertices[a].layer >> 16 == vertices[b].layer >> 16;
}

// The direction from the cloth at `b` to that at `a`, garments of one body, roughly: an outer garment lies in front of an inner one that
// faces the same way, and what faces each other does so with its outside, for a body is in between otherwise. Zero: unknown.
vec3 direction_between_layers(uint a, vec3 normal_a, uint b, vec3 normal_b) {
    float alignment = dot(normal_a, normal_b);
    if (alignment < 0.0) return normal_b - normal_a;
    if (alignment == 0.0) return vec3(0.0);
    return vertices[a].layer > vertices[b].layer ? normal_a + normal_b : -normal_a - normal_b;
}

uint side_of_triangle(uint vertex_ix, uint triangle_ix, uvec3 corners, vec3 normal, vec3 apart) {
    if (are_layers(vertex_ix, corners.x)) {
        float ahead = dot(direction_between_layers(vertex_ix, normals[vertex_ix].xyz, corners.x, normalize(normal)), normal);
        return ahead == 0.0 ? UNKNOWN : ahead > 0.0 ? 0 : BEHIND;
    }
    uint sheet = sheet_of(corners.x), tangled_with = tangled[corners.x] | tangled[corners.y] | tangled[corners.z];
    if (((tangled[vertex_ix] & sheet_bit(sheet)) | (tangled_with & sheet_bit(sheet_of(vertex_ix)))) != 0) {
        uint side = side_before(vertex_ix, triangle_ix);
        return side != UNKNOWN ? side : side_along(direction_before(vertex_ix, sheet), normal);
    }
    return dot(normal, apart) >= 0.0 ? 0 : BEHIND;
}

// Cloth whose rest shape is as near keeps its shape by its constraints.
bool is_near_at_rest(uint a, uint b, float distance_at_rest) {
    return contact_particles[a].garment_ix == contact_particles[b].garment_ix && distance_at_rest < gap_between(a, b);
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

// The shortest vector from a triangle of the tile to a searcher's vertex at a time of the step.
vec3 from_triangle(uint lane, uint place, float time) {
    vec3 corners[3], p = self_at[2 * lane] + self_motions[2 * lane] * time;
    for (uint i = 0; i < 3; ++i) corners[i] = tile_at[3 * place + i] + tile_motions[3 * place + i] * time;
    uint feature;
    return p - blend(corners, weights_of_nearest(p, corners, feature));
}

// Metres between them on their straight paths at the nearest of those times. `first`: at the beginning.
float distance_to_triangle(uint lane, uint place, float first) {
    float least = first;
    for (uint ix = 1; ix < TIMES; ++ix) least = min(least, length(from_triangle(lane, place, time_of(ix))));
    return least;
}

// How much nearer two come, no more than `halt`, if one is stopped and the other goes on: along the vector from what is in the tile to what
// searches.
float halt_along(vec3 apart, uint lane, uint place, float halt) {
    vec3 direction = apart / max(length(apart), 1e-9);
    return clamp(max(-dot(self_halts[lane], direction), dot(tile_halts[place], direction)), 0.0, halt);
}

float squared(vec3 v) {
    return dot(v, v);
}

// Of a thread's vertex and a triangle of the tile, if they come within reach of each other on their straight paths.
uint side_of_near_triangle(uint lane, uint place, uint triangle_ix, float halt, out float distance) {
    uint vertex_ix = self_corners[2 * lane], first = 3 * place;
    uvec3 corners = corners_in_tile(place);
    float approach = 0.0;
    for (uint i = 0; i < 3; ++i) approach = max(approach, squared(self_motions[2 * lane] - tile_motions[first + i]));
    approach = sqrt(approach);
    vec3 apart = from_triangle(lane, place, 0.0);
    float first_distance = length(apart);
    float reach = reach_between(vertex_ix, corners.x) + missed_between(approach) + halt_along(apart, lane, place, halt);
    // What is too far apart at the beginning to come within reach needs no second look. Written so that a NaN is not near.
    if (!(first_distance <= reach + approach)) return UNKNOWN;
    float least = distance_to_triangle(lane, place, first_distance);
    distance = mix(least, first_distance, SOONER);
    if (!(least <= reach)) return UNKNOWN;
    if (is_near_at_rest(vertex_ix, corners.x, distance_to_triangle_at_rest(vertex_ix, corners))) return UNKNOWN;
    vec3 normal = cross(tile_at[first + 1] - tile_at[first], tile_at[first + 2] - tile_at[first]);
    return side_of_triangle(vertex_ix, triangle_ix, corners, normal, self_at[2 * lane] - tile_at[first]);
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
        uint side = side_before(particle_count + edge_ix, other_ix);
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

// The shortest vector between a thread's edge and one of the tile at a time of the step, from that one to this.
vec3 between_edges(uint lane, uint place, float time) {
    vec3 p = self_at[2 * lane] + self_motions[2 * lane] * time, q = tile_at[3 * place] + tile_motions[3 * place] * time;
    vec3 along_p = self_at[2 * lane + 1] + self_motions[2 * lane + 1] * time - p;
    vec3 along_q = tile_at[3 * place + 1] + tile_motions[3 * place + 1] * time - q;
    vec2 nearest = nearest_on_segments(p, along_p, q, along_q);
    return p + along_p * nearest.x - q - along_q * nearest.y;
}

// Metres between them at the nearest of those times; `first`: at the beginning.
float distance_to_edge(uint lane, uint place, float first) {
    float least = first;
    for (uint ix = 1; ix < TIMES; ++ix) least = min(least, length(between_edges(lane, place, time_of(ix))));
    return least;
}

// Of a thread's edge and one of the tile, if they come within reach of each other on their straight paths.
uint side_of_near_edge(uint lane, uint place, uint other_ix, float halt, out float distance) {
    uvec2 ends = uvec2(self_corners[2 * lane], self_corners[2 * lane + 1]), others = corners_in_tile(place).xy;
    float approach = 0.0;
    for (uint i = 0; i < 4; ++i) {
        approach = max(approach, squared(self_motions[2 * lane + i % 2] - tile_motions[3 * place + i / 2]));
    }
    approach = sqrt(approach);
    vec3 apart = between_edges(lane, place, 0.0);
    float reach = reach_between(ends.x, others.x) + missed_between(approach) + halt_along(apart, lane, place, halt);
    if (!(length(apart) <= reach + approach)) return UNKNOWN;
    float least = distance_to_edge(lane, place, length(apart));
    distance = mix(least, length(apart), SOONER);
    if (!(least <= reach)) return UNKNOWN;
    if (is_near_at_rest(ends.x, others.x, distance_between_edges_at_rest(ends, others))) return UNKNOWN;
    vec3 across = cross(self_at[2 * lane + 1] - self_at[2 * lane], tile_at[3 * place + 1] - tile_at[3 * place]);
    return side_of_edges(self_ixs[lane], ends, other_ix, others, across, apart);
}

// The nearest triangles or edges of those that are visited, in the order in which they were until there is no room; how many were visited.
uint found[MAX_NEAR];
float distances[MAX_NEAR];
uint visited_count = 0;
// The place of the farthest that is kept, when there is no more room.
uint farthest;

void find_farthest() {
    farthest = 0;
    for (uint place = 1; place < MAX_NEAR; ++place) {
        if (!comes_before(distances[place], found[place], distances[farthest], found[farthest])) farthest = place;
    }
}

void visit(uint place_in_tile, uint id, float distance) {
    uint place = visited_count++;
    if (place >= MAX_NEAR) {
        place = farthest;
        if (!comes_before(distance, id, distances[place], found[place])) return;
    }
    found[place] = id;
    distances[place] = distance;
    if (visited_count >= MAX_NEAR) find_farthest();
}

uint side_of(uint lane, uint place, uint other_ix, float halt, out float distance) {
    distance = 0.0;
    if (OF_VERTICES) return side_of_near_triangle(lane, place, other_ix, halt, distance);
    return side_of_near_edge(lane, place, other_ix, halt, distance);
}

void main() {
    uint ix = searcher_ix();
    uint kind = OF_VERTICES ? VERTICES : EDGES;
    Ball ball = listed_ball(kind, ix);
    if (ball.radius >= 0.0 && helper_ix() == 0) {
        uint self_ix = OF_VERTICES ? order[ix] : ix;
        load_self(self_ix, OF_VERTICES ? uvec2(self_ix) : uvec2(edges[self_ix].ends[0], edges[self_ix].ends[1]), ball, 1.0);
    }
    // Of two edges the one with the smaller index lists the other.
    search(ball.radius >= 0.0, tiles[first_tile_of(kind) + ix / TILE], OF_VERTICES ? TRIANGLES : EDGES, OF_VERTICES ? 0 : ix / TILE, 1.0);
    if (helper_ix() != 0) return;
    uint count = OF_VERTICES ? order_count : edge_count;
    slices[slice_word(slice_ix(), 0, ix, count)] = visited_count;
    for (uint i = 0; i < min(visited_count, MAX_NEAR); ++i) {
        slices[slice_word(slice_ix(), 1 + i, ix, count)] = found[i];
        slices[slice_word(slice_ix(), 1 + MAX_NEAR + i, ix, count)] = floatBitsToUint(distances[i]);
    }
}
