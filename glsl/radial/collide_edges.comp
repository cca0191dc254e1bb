// Collides the midpoint of every edge too: coarse cloth lies over thin limbs with its edges, not its particles. Against rigid solids, which
// have corners, points within its triangles as well, and both with friction (Fuhrmann, Sobottka and Gross, section 4.3).
// Reads: predicted and current positions, edges, triangles, fields, cells, radii, transforms, candidates. Writes: the other buffers of
// predicted positions and of current ones, those by as much but for friction, so that no edge makes its particles fast.
// LANES threads per particle, which divide its edges and triangles; it moves with the deepest of their points: all ends find the same
// point, so all move alike. A middle deeper than half its edge is long, or than DEEPEST, belongs to an edge that goes through a limb:
// no direction out is right for it, and its ends are left to collide. Runs after the constraints, before collide.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "shared/cylinder.glsl"

#define THREADS 64
layout(local_size_x = THREADS) in;
// Threads that work on one particle: a power of two.
layout(constant_id = 0) const uint LANES = 8;
layout(constant_id = 1) const bool HAS_SOLIDS = false;
layout(scalar, binding = 0) readonly buffer Particles { Particle particles[]; };
layout(scalar, binding = 1) readonly buffer Garments { GarmentSettings garments[]; };
layout(scalar, binding = 2) readonly buffer Before { vec4 before[]; };
layout(scalar, binding = 3) writeonly buffer After { vec4 after[]; };
layout(scalar, binding = 4) readonly buffer Offsets { uint neighbour_offsets[]; };
layout(scalar, binding = 5) readonly buffer Neighbours { uint neighbours[]; };
layout(scalar, binding = 6) readonly buffer Fields { Field fields[]; };
layout(scalar, binding = 7) readonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, binding = 8) readonly buffer Cells { uint cells[]; };
layout(scalar, binding = 9) readonly buffer Radii { float radii[]; };
layout(scalar, binding = 10) readonly buffer Current { vec4 current[]; };
layout(scalar, binding = 11) readonly buffer FieldBounds { Bounds field_bounds[]; };
layout(scalar, binding = 12) readonly buffer Candidates { CandidateGroup candidate_groups[]; };
layout(scalar, binding = 15) writeonly buffer CurrentAfter { vec4 current_after[]; };
layout(scalar, binding = 16) readonly buffer CornerOffsets { uint corner_offsets[]; };
layout(scalar, binding = 17) readonly buffer Corners { uvec2 corners[]; }; // the other two corners of each triangle round a particle
layout(scalar, push_constant) uniform Push {
    uint field_count; // with solids
    uint transform_offset; // of the sub-step's beginning; those of its end follow
    uint first_solid;      // solids follow the fields
    uint friction_model;
};

#define SOLIDS 13
#define SOLID_WORDS 14
#include "shared/solid_contacts.glsl"

#include "radial/surface.glsl"
#include "shared/candidates.glsl"
#include "radial/overlap.glsl"

// Thicknesses that a midpoint may be inside: usually 4, 2 cm. A heel pokes through coarse cloth by 1 cm; an edge that is deeper
// goes through a limb, however far it has been stretched, and would be pushed as far as it is deep.
const float DEEPEST = 4.0;

// More edges than this round one particle are ignored; cloth meshes have six.
const uint MAX_EDGES = 12;

// Only out of the solid itself: with the whole thickness edges over its corners would be pushed sideways in every step, and creep.
vec4 push_out_of_solid(uint field_ix, vec3 pos_in_world, float thickness, float size) {
    thickness = reduced(thickness, size);
    uint after = transform_offset + field_count + field_ix;
    vec3 at = affine(transforms[after].field_from_world) * vec4(pos_in_world, 1.0);
    float outside;
    SolidPlane plane;
    if (!plane_of_solid(solids[field_ix - first_solid], after, at, outside, plane)) return vec4(0.0);
    return vec4(plane.normal, thickness - dot(plane.normal, pos_in_world - plane.point));
}

// How far a point is from being `thickness` outside of one field or solid, and the direction out. `body_size`: of who wears it.
vec4 push_out(uint field_ix, vec3 pos_in_world, float thickness, float body_size) {
    if (HAS_SOLIDS && field_ix >= first_solid) return push_out_of_solid(field_ix, pos_in_world, thickness, body_size);
    Field field = fields[field_ix];
    FieldTransform after = transforms[transform_offset + field_count + field_ix];
    vec3 at = affine(after.field_from_world) * vec4(pos_in_world, 1.0);
    Plane plane;
    if (!path_overlaps_cylinder(field_ix, at, at, thickness * after.max_scale) || !surface_at(field, at, plane)) return vec4(0.0);
    vec3 normal = transpose(mat3(affine(after.field_from_world))) * plane.normal;
    float size = length(normal);
    if (!(size > 0.0)) return vec4(0.0);
    return vec4(normal / size, thickness - dot(plane.normal, at - plane.point) / size);
}

// A point of an edge or a triangle on its way, world space.
struct Point {
    vec3 from;
    vec3 to;
    float share; // of the point's correction, which the particle makes: so that all ends together move the point by the whole
    uint number; // edge by edge, then triangle by triangle
};

// The deepest point that a thread found, for the others of its particle.
struct Deepest {
    vec4 push; // unit normal and metres
    uint field_ix;
    Point point;
};

shared Deepest found[THREADS];

// Of two points the one that decides: the deeper, of equals the earlier field's, then the earlier edge's.
bool comes_before(Deepest a, Deepest b) {
    if (a.push.w != b.push.w) return a.push.w > b.push.w;
    return a.field_ix != b.field_ix ? a.field_ix < b.field_ix : a.point.number < b.point.number;
}

// Bounds of a particle and of the midpoints of its thread's share of edges; of the other ends where there are triangles to be tested.
Bounds bounds_of_middles(uint particle_ix, uint lane, uint edge_count, vec3 position, float thickness) {
    Bounds bounds = bounds_of_path(position, position);
    for (uint edge = lane; edge < edge_count; edge += LANES) {
        vec3 other = before[neighbours[neighbour_offsets[particle_ix] + edge]].xyz;
        vec3 middle = HAS_SOLIDS ? other : 0.5 * (position + other);
        bounds = united(bounds, bounds_of_path(middle, middle));
    }
    return widened(bounds, thickness);
}

const uint CANDIDATE_WORDS = (MAX_CANDIDATES + 31) / 32;

// Of each particle, the candidates that its edges' midpoints may meet, a bit per place in `candidate_list`.
shared uint overlapping[THREADS / LANES * CANDIDATE_WORDS];
// Half the longest edge of each thread.
shared float half_lengths[THREADS];

// Metres from a particle to the furthest of its edges' midpoints. Called by all threads of a workgroup.
float furthest_middle(uint particle_ix, uint lane, uint edge_count, vec3 position) {
    uint local_ix = gl_LocalInvocationID.x;
    half_lengths[local_ix] = 0.0;
    for (uint edge = lane; edge < edge_count; edge += LANES) {
        vec3 other = before[neighbours[neighbour_offsets[particle_ix] + edge]].xyz;
        half_lengths[local_ix] = max(half_lengths[local_ix], 0.5 * distance(position, other));
    }
    barrier();
    float furthest = 0.0;
    for (uint i = 0; i < LANES; ++i) furthest = max(furthest, half_lengths[local_ix - lane + i]);
    return furthest;
}

// Whether a point is within `margin` metres of a field's cylinder, or a solid's box.
bool is_near(uint field_ix, vec3 position, float margin) {
    FieldTransform after = transforms[transform_offset + field_count + field_ix];
    vec3 at = affine(after.field_from_world) * vec4(position, 1.0);
    if (HAS_SOLIDS && field_ix >= first_solid) {
        // Points of triangles are up to twice as far away as middles of edges.
        margin *= 2.0;
        return overlap(bounds_of_solid(solids[field_ix - first_solid]), widened(Bounds(at, at), margin * after.max_scale));
    }
    return path_overlaps_cylinder(field_ix, at, at, margin * after.max_scale);
}

// Sets the particle's bits of `overlapping`, each of its threads those of its share. Called by all threads of a workgroup.
void find_overlapping(uint lane, vec3 position, float margin) {
    uint first_word = gl_LocalInvocationID.x / LANES * CANDIDATE_WORDS;
    for (uint word = lane; word < CANDIDATE_WORDS; word += LANES) overlapping[first_word + word] = 0;
    barrier();
    for (uint slot = lane; slot < candidate_count; slot += LANES) {
        if (is_near(candidate_list[slot], position, margin)) atomicOr(overlapping[first_word + slot / 32], 1u << slot % 32);
    }
    barrier();
}

// Tests one edge's midpoint against what find_overlapping has found.
void test_middle(Point middle, float length_of_edge, float thickness, float size, inout Deepest best) {
    float limit = thickness + min(0.5 * length_of_edge, DEEPEST * thickness);
    uint first_word = gl_LocalInvocationID.x / LANES * CANDIDATE_WORDS;
    for (uint word = 0; word < CANDIDATE_WORDS; ++word) {
        for (uint bits = overlapping[first_word + word]; bits != 0; bits &= bits - 1) {
            uint field_ix = candidate_list[word * 32 + findLSB(bits)];
            Deepest met = Deepest(push_out(field_ix, middle.to, thickness, size), field_ix, middle);
            if (met.push.w < limit && comes_before(met, best)) best = met;
        }
    }
}

// Points of a triangle that are tested: its middle, and those of the thirds round its corners. No point of it is further from one of them,
// a corner or the middle of an edge than a sixth of an edge.
const uint FACE_POINTS = 4;

// One of them: each corner's part of it, and its part of the point's correction.
vec3 weights_of(uint point, uint own_place, out float share) {
    if (point == 0) {
        share = 1.0;
        return vec3(1.0 / 3.0);
    }
    vec3 weights = vec3(1.0 / 6.0);
    weights[point - 1] = 2.0 / 3.0;
    share = 2.0 * weights[own_place];
    return weights;
}

// Tests points within one triangle round a particle against the solids that find_overlapping has found.
void test_face(uint particle_ix, uvec2 others, uint number, float thickness, float size, inout Deepest best) {
    // In the same order for each of the corners, so that all compute the same.
    uint low = min(others.x, others.y), high = max(others.x, others.y);
    uvec3 order = particle_ix < low ? uvec3(particle_ix, low, high)
        : particle_ix < high ? uvec3(low, particle_ix, high) : uvec3(low, high, particle_ix);
    uint own_place = particle_ix < low ? 0 : particle_ix < high ? 1 : 2;
    mat3 from = mat3(current[order.x].xyz, current[order.y].xyz, current[order.z].xyz);
    mat3 to = mat3(before[order.x].xyz, before[order.y].xyz, before[order.z].xyz);
    vec3 middle = to * vec3(1.0 / 3.0);
    float reach = max(distance(middle, to[0]), max(distance(middle, to[1]), distance(middle, to[2])));
    float limit = thickness + min(reach, DEEPEST * thickness);
    uint first_word = gl_LocalInvocationID.x / LANES * CANDIDATE_WORDS;
    for (uint word = 0; word < CANDIDATE_WORDS; ++word) {
        for (uint bits = overlapping[first_word + word]; bits != 0; bits &= bits - 1) {
            uint field_ix = candidate_list[word * 32 + findLSB(bits)];
            if (field_ix < first_solid) continue;
            for (uint i = 0; i < FACE_POINTS; ++i) {
                float share;
                vec3 weights = weights_of(i, own_place, share);
                Point point = Point(from * weights, to * weights, share, number * FACE_POINTS + i);
                Deepest met = Deepest(push_out_of_solid(field_ix, point.to, thickness, size), field_ix, point);
                // Nothing of the triangle is near; twice, as sampled fields are coarse beyond their band.
                if (i == 0 && met.push.w < -2.0 * reach) break;
                if (met.push.w < limit && comes_before(met, best)) best = met;
            }
        }
    }
}

// The motion of a point along a solid that friction takes away.
vec3 slip_on_solid(Deepest deepest, float friction) {
    uint after = transform_offset + field_count + deepest.field_ix;
    vec3 start = affine(transforms[after - field_count].field_from_world) * vec4(deepest.point.from, 1.0);
    Contact contact;
    contact.normal = deepest.push.xyz;
    contact.point = deepest.point.to;
    contact.co_moving = affine(transforms[after].world_from_field) * vec4(start, 1.0);
    friction = friction_between(solids[deepest.field_ix - first_solid], friction);
    return slip_of(contact, deepest.point.to, deepest.push.w, friction, friction_model);
}

// The deepest of all of a particle's lanes. Called by all threads of a workgroup.
Deepest deepest_of_lanes(Deepest own) {
    uint local_ix = gl_LocalInvocationID.x;
    found[local_ix] = own;
    barrier();
    uint first = local_ix - local_ix % LANES;
    Deepest best = found[first];
    for (uint i = first + 1; i < first + LANES; ++i) {
        if (comes_before(found[i], best)) best = found[i];
    }
    return best;
}

void main() {
    uint lane = gl_LocalInvocationID.x % LANES;
    uint group_ix = group_of_workgroup(LANES), particle_ix = particle_of_thread(LANES);
    uint end_particle = candidate_groups[group_ix].end_particle, safe_ix = min(particle_ix, end_particle - 1);
    vec3 position = before[safe_ix].xyz;
    Particle particle = particles[safe_ix];
    float thickness = max(garments[particle.garment_ix].thickness, particle.clearance);
    uint first_edge = neighbour_offsets[safe_ix];
    uint edge_count = min(neighbour_offsets[safe_ix + 1] - first_edge, MAX_EDGES);
    Deepest deepest = Deepest(vec4(0.0), 0, Point(vec3(0.0), vec3(0.0), 0.0, 0));
    Bounds bounds = bounds_of_middles(safe_ix, lane, edge_count, position, thickness);
    bool listed = load_candidates(group_ix, bounds);
    // What rounds to zero may be met by one and missed by the other.
    float margin = 1.001 * (thickness + furthest_middle(safe_ix, lane, edge_count, position));
    if (!listed) gather_bounds(bounds);
    for (uint window = 0; window < window_count(listed); ++window) {
        begin_window(listed, window);
        find_overlapping(lane, position, margin);
        for (uint edge = lane; edge < edge_count; edge += LANES) {
            uint other = neighbours[first_edge + edge];
            vec3 from = 0.5 * (current[safe_ix].xyz + current[other].xyz);
            Point middle = Point(from, 0.5 * (position + before[other].xyz), 1.0, edge);
            test_middle(middle, length(position - before[other].xyz), thickness, particle.size, deepest);
        }
        if (!HAS_SOLIDS) continue;
        for (uint i = corner_offsets[safe_ix] + lane; i < corner_offsets[safe_ix + 1]; i += LANES) {
            uint number = MAX_EDGES + i - corner_offsets[safe_ix];
            test_face(safe_ix, corners[i], number, thickness, particle.size, deepest);
        }
    }
    deepest = deepest_of_lanes(deepest);
    if (particle_ix >= end_particle || lane != 0) return;
    vec3 push = deepest.push.xyz * deepest.push.w * deepest.point.share, slip = vec3(0.0);
    if (HAS_SOLIDS && deepest.push.w > 0.0 && deepest.field_ix >= first_solid) {
        slip = slip_on_solid(deepest, garments[particle.garment_ix].friction) * deepest.point.share;
    }
    current_after[particle_ix] = current[particle_ix] + vec4(push, 0.0);
    after[particle_ix] = vec4(position + push - slip, 0.0);
}
