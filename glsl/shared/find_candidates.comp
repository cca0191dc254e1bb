// Finds the fields that each group of particles may meet during a step: by bodies, then by fields.
// Reads: positions before and after the first sub-step's constraints, edges, boxes of bodies and fields. Writes: candidates, and which fields
// the bodies nearby have.
// A workgroup of four threads per particle, a group each. Runs once a step, before the first sub-step's collision.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"

#define THREADS 64
layout(local_size_x = THREADS) in;
layout(scalar, binding = 0) readonly buffer Particles { Particle particles[]; };
layout(scalar, binding = 1) readonly buffer Garments { GarmentSettings garments[]; };
layout(scalar, binding = 2) readonly buffer Current { vec4 current[]; };
layout(scalar, binding = 3) readonly buffer Predicted { vec4 predicted[]; };
layout(scalar, binding = 4) readonly buffer Offsets { uint neighbour_offsets[]; };
layout(scalar, binding = 5) readonly buffer Neighbours { uint neighbours[]; };
layout(scalar, binding = 6) readonly buffer FieldBounds { Bounds field_bounds[]; };
layout(scalar, binding = 7) readonly buffer FirstFields { uint first_fields[]; }; // of each body, and one past the last
layout(scalar, binding = 8) readonly buffer BodiesBounds { BodyBounds body_bounds[]; };
layout(scalar, binding = 9) buffer Candidates { CandidateGroup candidate_groups[]; };
layout(scalar, push_constant) uniform Push {
    uint field_count;
    uint body_count;
    uint sub_step_ix; // the first that is collided
    uint sub_steps;   // of the step; that one's motion is carried on through all
    uint first_layer; // of the bodies, the first garment that others are worn over, and one past the last; solids follow
    uint end_layer;
    uint first_layer_field; // theirs
    uint first_solid; // of the fields
};

#include "shared/candidates.glsl"
#include "shared/detail.glsl"

// Threads that share out a particle's edges.
const uint LANES = THREADS / GROUP_PARTICLES;

// Metres that a particle may stray from where its motion takes it before its group's candidates no longer hold. Usually 0.03; with less,
// more of the groups that a limb hits are given all fields, with more each group has more candidates.
const float SLACK = 0.03;

shared uint body_bits[WINDOW / 32];

// Round a particle's path and those of the middles of its thread's share of edges.
Bounds bounds_of_particle(uint particle_ix, uint lane) {
    GarmentSettings garment = garments[particles[particle_ix].garment_ix];
    float times = own_sub_steps_per_step(garment.stride, sub_step_ix, sub_steps);
    vec3 from = current[particle_ix].xyz, to = predicted[particle_ix].xyz;
    // Its path to that collision may have begun before its newest own sub-step.
    uint begins = own_sub_step_begin(garment.stride, sub_step_ix, sub_steps);
    vec3 begin = from - (to - from) * (times * float(begins) / float(sub_steps)), end = from + (to - from) * times;
    Bounds bounds = bounds_of_path(begin, end);
    for (uint i = neighbour_offsets[particle_ix] + lane; i < neighbour_offsets[particle_ix + 1]; i += LANES) {
        vec3 other_from = current[neighbours[i]].xyz, other_to = predicted[neighbours[i]].xyz;
        vec3 other_end = other_from + (other_to - other_from) * times;
        bounds = united(bounds, bounds_of_path(0.5 * (from + other_from), 0.5 * (end + other_end)));
    }
    float thickness = max(garment.thickness, particles[particle_ix].clearance);
    return widened(bounds, thickness + SLACK);
}

// Whether a garment meets a body: not a garment, unless it lies over that.
bool meets_body(GarmentSettings garment, uint body_ix) {
    bool is_layer = body_ix >= first_layer && body_ix < end_layer;
    return !is_layer || body_ix >= garment.first_beneath && body_ix < garment.end_beneath;
}

// Sets the bits of those bodies of a window that come into `bounds` and that the garment meets.
void find_bodies(uint first, Bounds bounds, GarmentSettings garment) {
    uint lane = gl_LocalInvocationID.x, body_ix = first + lane;
    barrier();
    if (lane < WINDOW / 32) body_bits[lane] = 0;
    barrier();
    bool is_near = body_ix < body_count && meets_body(garment, body_ix) && overlap(bounds_of_keys(body_bounds[body_ix]), bounds);
    if (is_near) atomicOr(body_bits[lane / 32], 1u << lane % 32);
    barrier();
}

// Adds a body's fields to the group's ranges; `count`, `end`: of the ranges so far, and of the last one.
void add_range(uint group_ix, uint body_ix, inout uint count, inout uint end) {
    uint first = first_fields[body_ix];
    bool continues = count > 0 && end == first;
    if (!continues) ++count;
    end = first_fields[body_ix + 1];
    if (count > MAX_RANGES || gl_LocalInvocationID.x != 0) return;
    if (!continues) candidate_groups[group_ix].ranges[2 * count - 2] = first;
    candidate_groups[group_ix].ranges[2 * count - 1] = end;
}

void append_fields_of(uint body_ix, Bounds bounds) {
    uint end = first_fields[body_ix + 1];
    for (uint first = first_fields[body_ix]; first < end; first += WINDOW) append_candidates(first, end, bounds);
}

void main() {
    uint lane = gl_LocalInvocationID.x, group_ix = group_of_workgroup(LANES);
    uint particle_ix = min(particle_of_thread(LANES), candidate_groups[group_ix].end_particle - 1);
    GarmentSettings garment = garments[particles[particle_ix].garment_ix];
    // What follows the skin meets nothing.
    if (garment.stride == 0) return;
    gather_bounds(bounds_of_particle(particle_ix, lane % LANES));
    Bounds searched = gathered_bounds(), bounds = widened(searched, RESPONSE_MARGIN);
    uint range_count = 0, range_end = 0;
    clear_candidates();
    for (uint first = 0; first < body_count; first += WINDOW) {
        find_bodies(first, widened(searched, FAR), garment);
        for (uint word = 0; word < WINDOW / 32; ++word) {
            for (uint bits = body_bits[word]; bits != 0; bits &= bits - 1) {
                uint body_ix = first + word * 32 + findLSB(bits);
                add_range(group_ix, body_ix, range_count, range_end);
                if (overlap(bounds_of_keys(body_bounds[body_ix]), bounds)) append_fields_of(body_ix, bounds);
            }
        }
    }
    barrier();
    for (uint slot = lane; slot < min(candidate_count, MAX_CANDIDATES); slot += THREADS) {
        candidate_groups[group_ix].fields[slot] = candidate_list[slot];
    }
    if (lane != 0) return;
    candidate_groups[group_ix].low = searched.low;
    candidate_groups[group_ix].high = searched.high;
    candidate_groups[group_ix].count = candidate_count;
    candidate_groups[group_ix].range_count = range_count;
}
