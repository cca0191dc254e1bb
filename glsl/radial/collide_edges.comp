// Collides the midpoint of every edge too: coarse cloth lies over thin limbs with its edges, not its particles.
// Reads: predicted positions, edges, fields, cells, radii, transforms, candidates. Writes: the other buffer of predicted positions; current positions
// by as much, so that no edge makes its particles fast.
// LANES threads per particle, which divide its edges; it moves with the deepest of their middles: both ends find the same middle,
// so both move alike. A middle deeper than half its edge is long, or than DEEPEST, belongs to an edge that goes through a limb:
// no direction out is right for it, and its ends are left to collide. Runs after the constraints, before collide.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "shared/cylinder.glsl"

layout(local_size_x = 64) in;
// Threads that work on one particle: a power of two.
layout(constant_id = 0) const uint LANES = 8;
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
layout(scalar, binding = 10) buffer Current { vec4 current[]; };
layout(scalar, binding = 11) readonly buffer FieldBounds { Bounds field_bounds[]; };
layout(scalar, binding = 12) readonly buffer Candidates { CandidateGroup candidate_groups[]; };
layout(scalar, push_constant) uniform Push {
    uint field_count;
    uint transform_offset; // of the sub-step's beginning; those of its end follow
};

#include "radial/surface.glsl"
#include "shared/candidates.glsl"
#include "radial/overlap.glsl"

// Thicknesses that a midpoint may be inside: usually 4, 2 cm. A heel pokes through coarse cloth by 1 cm; an edge that is deeper
// goes through a limb, however far it has been stretched, and would be pushed as far as it is deep.
const float DEEPEST = 4.0;

// More edges than this round one particle are ignored; cloth meshes have six.
const uint MAX_EDGES = 12;

// How far a point is from being `thickness` outside of one field, and the direction out.
vec4 push_out(uint field_ix, vec3 pos_in_world, float thickness) {
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

// The deepest middle of an edge that a thread found, for the others of its particle.
struct Deepest {
    vec4 push; // unit normal and metres
    uint field_ix;
    uint edge;
};

shared Deepest found[64];

// Of two middles the one that decides: the deeper, of equals the earlier field's, then the earlier edge's.
bool comes_before(Deepest a, Deepest b) {
    if (a.push.w != b.push.w) return a.push.w > b.push.w;
    return a.field_ix != b.field_ix ? a.field_ix < b.field_ix : a.edge < b.edge;
}

// Bounds of a particle and of the midpoints of its thread's share of edges.
Bounds bounds_of_middles(uint particle_ix, uint lane, uint edge_count, vec3 position, float thickness) {
    Bounds bounds = bounds_of_path(position, position);
    for (uint edge = lane; edge < edge_count; edge += LANES) {
        vec3 middle = 0.5 * (position + before[neighbours[neighbour_offsets[particle_ix] + edge]].xyz);
        bounds = united(bounds, bounds_of_path(middle, middle));
    }
    return widened(bounds, thickness);
}

// Tests one edge's midpoint against all candidates.
void test_middle(uint edge, vec3 position, vec3 other, float thickness, inout Deepest best) {
    float limit = thickness + min(0.5 * length(position - other), DEEPEST * thickness);
    for (uint slot = 0; slot < candidate_count; ++slot) {
        uint field_ix = candidate_list[slot];
        Deepest met = Deepest(push_out(field_ix, 0.5 * (position + other), thickness), field_ix, edge);
        if (met.push.w < limit && comes_before(met, best)) best = met;
    }
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
    Deepest deepest = Deepest(vec4(0.0), 0, 0);
    Bounds bounds = bounds_of_middles(safe_ix, lane, edge_count, position, thickness);
    bool listed = load_candidates(group_ix, bounds);
    if (!listed) gather_bounds(bounds);
    for (uint window = 0; window < window_count(listed); ++window) {
        begin_window(listed, window);
        for (uint edge = lane; edge < edge_count; edge += LANES) {
            test_middle(edge, position, before[neighbours[first_edge + edge]].xyz, thickness, deepest);
        }
    }
    deepest = deepest_of_lanes(deepest);
    if (particle_ix >= end_particle || lane != 0) return;
    vec3 push = deepest.push.xyz * deepest.push.w;
    current[particle_ix].xyz += push;
    after[particle_ix] = vec4(position + push, 0.0);
}
