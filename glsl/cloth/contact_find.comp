// Finds what cloth may meet other cloth during a step: the triangles near each vertex and the edges near each edge, wherever their
// straight paths come within reach of each other, and on which side of each other they belong.
// Reads: positions of the step's beginning and where the first sub-step would take them, normals, skinned places, balls and boxes, what is tangled, the
// lists of the step before. Writes: what each slice of the search has found.
// SLICES threads per vertex, then per edge. Runs once per step, after contact_crossings; contact_merge follows.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "cloth/contact_tiles.glsl"

layout(local_size_x = 32) in; // TILE
layout(scalar, binding = 8) buffer Counters { uint overflow_count; }; // pairs that found no room, since the world was made
layout(scalar, binding = 9) readonly buffer Tangled { uint tangled[]; }; // of a particle at crossings: sheet_bit() of what it is through
layout(scalar, binding = 10) readonly buffer Vertices { ClothVertex vertices[]; };
layout(scalar, binding = 11) readonly buffer Normals { vec4 normals[]; }; // of the step before; zero before the first
layout(scalar, binding = 12) readonly buffer NearBefore { uint near_before[]; };
layout(scalar, binding = 13) writeonly buffer Slices { uint slices[]; }; // what each slice of the search has found
layout(scalar, binding = 14) readonly buffer Order { uint order[]; }; // all particles, those that are near each other together
layout(scalar, binding = 15) readonly buffer Targets { vec3 targets[]; };
layout(scalar, binding = 16) readonly buffer PreviousTargets { vec3 previous_targets[]; };

// Cosine of the angle between two edges' common normal and the cloth's below which they lie across it and have no side of it.
const float MIN_ALIGNMENT = 0.3;

// Which pairs are kept where a list is full: by how far apart they are at the beginning, against how far at the nearest. Usually 0.3: with 0
// fast cloth keeps any of the layers in its way, and not the next ones, with 1 what lies still counts more than what is coming.
const float SOONER = 0.3;

// The vertex or edge that the thread searches for.
bool is_vertex;
uint self_ix;

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
    uint first = vertex_ix * NEAR_WORDS;
    uint count = min(near_before[first], MAX_NEAR);
    for (uint i = 0; i < count; ++i) {
        uint id = near_before[first + 1 + i];
        uvec3 corners = triangles[id & INDEX];
        if (sheet_of(corners.x) != sheet || sheet_of(vertex_ix) == sheet) continue;
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
    return particles[a].garment_ix != particles[b].garment_ix && vertices[a].layer >> 16 == vertices[b].layer >> 16;
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
    return particles[a].garment_ix == particles[b].garment_ix && distance_at_rest < gap_between(a, b);
}

float distance_to_triangle_at_rest(uint vertex_ix, uvec3 corners) {
    vec3 at_rest[3];
    for (uint i = 0; i < 3; ++i) at_rest[i] = vertices[corners[i]].rest_position;
    vec3 p = vertices[vertex_ix].rest_position;
    uint feature;
    return length(p - blend(at_rest, weights_of_nearest(p, at_rest, feature)));
}

uvec3 corners_in_tile(uint place) {
    return uvec3(tile_corners[3 * place], tile_corners[3 * place + 1], tile_corners[3 * place + 2]);
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

// Metres between a thread's vertex and a triangle of the tile at a time of the step.
float triangle_at(uint lane, uint place, float time) {
    vec3 corners[3], p = self_at[2 * lane] + self_motions[2 * lane] * time;
    for (uint i = 0; i < 3; ++i) corners[i] = tile_at[3 * place + i] + tile_motions[3 * place + i] * time;
    uint feature;
    return length(p - blend(corners, weights_of_nearest(p, corners, feature)));
}

// Metres between them on their straight paths, at the nearest of those times.
float distance_to_triangle(uint lane, uint place) {
    float least = 1e30;
    for (uint ix = 0; ix < TIMES; ++ix) least = min(least, triangle_at(lane, place, time_of(ix)));
    return least;
}

// Metres by which a thread's and one of the tile come nearer than their paths say if something stops the slower one: what lies on the ground
// stops what falls on it, and that what falls on that.
float halt_between(uint lane, uint place, uint a, uint b) {
    return max(0.0, min(self_reaches[lane] - half_reach_of(a), tile_balls[place].reach - half_reach_of(b)));
}

// Of a thread's vertex and a triangle of the tile, if they come within reach of each other on their straight paths.
uint side_of_near_triangle(uint lane, uint place, uint triangle_ix) {
    uint vertex_ix = self_corners[2 * lane], first = 3 * place;
    uvec3 corners = corners_in_tile(place);
    if (any(equal(corners, uvec3(vertex_ix)))) return UNKNOWN;
    float approach = 0.0;
    for (uint i = 0; i < 3; ++i) approach = max(approach, length(self_motions[2 * lane] - tile_motions[first + i]));
    // Written so that a NaN is not near.
    float reach = reach_between(vertex_ix, corners.x) + halt_between(lane, place, vertex_ix, corners.x);
    if (!(distance_to_triangle(lane, place) <= reach + missed_between(approach))) return UNKNOWN;
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

// Metres between them on their straight paths, at the nearest of some times.
float distance_to_edge(uint lane, uint place) {
    float least = 1e30;
    for (uint ix = 0; ix < TIMES; ++ix) least = min(least, length(between_edges(lane, place, time_of(ix))));
    return least;
}

// Of a thread's edge and one of the tile, if they come within reach of each other on their straight paths.
uint side_of_near_edge(uint lane, uint place, uint other_ix) {
    if (other_ix <= self_ixs[lane]) return UNKNOWN;
    uvec2 ends = uvec2(self_corners[2 * lane], self_corners[2 * lane + 1]), others = corners_in_tile(place).xy;
    if (any(equal(ends, others)) || any(equal(ends, others.yx))) return UNKNOWN;
    float approach = 0.0;
    for (uint i = 0; i < 4; ++i) {
        approach = max(approach, length(self_motions[2 * lane + i % 2] - tile_motions[3 * place + i / 2]));
    }
    float reach = reach_between(ends.x, others.x) + halt_between(lane, place, ends.x, others.x);
    if (!(distance_to_edge(lane, place) <= reach + missed_between(approach))) return UNKNOWN;
    if (is_near_at_rest(ends.x, others.x, distance_between_edges_at_rest(ends, others))) return UNKNOWN;
    vec3 across = cross(self_at[2 * lane + 1] - self_at[2 * lane], tile_at[3 * place + 1] - tile_at[3 * place]);
    return side_of_edges(self_ixs[lane], ends, other_ix, others, across, between_edges(lane, place, 0.0));
}

bool is_near(Ball self, Ball other) {
    vec3 apart = self.middle - other.middle, motion = self.motion - other.motion;
    float size = dot(motion, motion);
    // Where they are nearest to each other.
    if (size > 0.0) apart += motion * clamp(-dot(apart, motion) / size, 0.0, 1.0);
    float reach = self.radius + other.radius + self.reach + other.reach;
    return dot(apart, apart) <= reach * reach;
}

uint side_of(uint lane, uint place, uint other_ix) {
    return is_vertex ? side_of_near_triangle(lane, place, other_ix) : side_of_near_edge(lane, place, other_ix);
}

void visit(uint place, uint id) {
    uint lane = gl_LocalInvocationID.x;
    float distance = is_vertex ? distance_to_triangle(lane, place) : distance_to_edge(lane, place);
    float at_first = is_vertex ? triangle_at(lane, place, 0.0) : length(between_edges(lane, place, 0.0));
    distance = mix(distance, at_first, SOONER);
    if (keep_nearest(id, distance)) atomicAdd(overflow_count, 1);
}

// Round what the thread searches for.
Ball ball_of_self() {
    if (!is_vertex) return ball_of_listed(EDGES, self_ix);
    if (self_ix == NOTHING || is_astray(self_ix)) return NO_BALL;
    vec3 at = at_start(self_ix), motion = motion_of(self_ix);
    if (!(length(at) + length(motion) < FARTHEST)) return NO_BALL;
    uint target_ix = particles[self_ix].target_ix;
    float halt = halt_of(self_ix, targets[target_ix] - previous_targets[target_ix]);
    return Ball(at, 0.0, motion, half_reach_of(self_ix) + halt);
}

void main() {
    uint place = searcher_ix();
    is_vertex = place < order_count;
    self_ix = is_vertex ? order[place] : place - order_count;
    Ball ball = ball_of_self();
    if (ball.radius >= 0.0) load_self(self_ix, is_vertex ? uvec2(self_ix) : uvec2(edges[self_ix].ends[0], edges[self_ix].ends[1]), ball.reach);
    // Of two edges the one with the smaller index lists the other.
    search(ball, is_vertex ? TRIANGLES : EDGES, is_vertex ? 0 : (place - order_count) / TILE);
    if (self_ix == NOTHING) return;
    uint first = ((is_vertex ? self_ix : particle_count + self_ix) * SLICES + slice_ix()) * SLICE_WORDS;
    slices[first] = found_count;
    for (uint i = 0; i < found_count; ++i) {
        slices[first + 1 + i] = found[i];
        slices[first + 1 + MAX_NEAR + i] = floatBitsToUint(distances[i]);
    }
}
