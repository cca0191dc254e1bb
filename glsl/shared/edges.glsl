// The kernel of the passes that collide points between particles: coarse cloth lies over thin limbs and corners with its edges and triangles,
// not with its particles (Fuhrmann, Sobottka and Gross, section 4.3). LANES threads per particle, which divide its points. A point that is to
// move by more than the thickness and half its edge's length, or DEEPEST, belongs to an edge that goes through a limb: no direction out is right
// for it, and its ends are left to collide.
// Includers declare buffers of their own from binding 11 on, and define HAS_TRIANGLES and the functions below.
#ifndef SHARED_EDGES
#define SHARED_EDGES

#include "shared/structs.glsl"

#define THREADS 64
layout(local_size_x = THREADS) in;
// Threads that work on one particle: a power of two.
layout(constant_id = 0) const uint LANES = 8;
layout(scalar, binding = 0) readonly buffer Particles { Particle particles[]; };
layout(scalar, binding = 1) readonly buffer Garments { GarmentSettings garments[]; };
layout(scalar, binding = 2) readonly buffer Before { vec4 before[]; };
layout(scalar, binding = 3) writeonly buffer After { vec4 after[]; };
layout(scalar, binding = 4) readonly buffer Current { vec4 current[]; };
layout(scalar, binding = 5) writeonly buffer CurrentAfter { vec4 current_after[]; };
layout(scalar, binding = 6) readonly buffer Offsets { uint neighbour_offsets[]; };
layout(scalar, binding = 7) readonly buffer Neighbours { uint neighbours[]; };
layout(scalar, binding = 8) readonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, binding = 9) readonly buffer FieldBounds { Bounds field_bounds[]; };
layout(scalar, binding = 10) readonly buffer Candidates { CandidateGroup candidate_groups[]; };
layout(scalar, push_constant) uniform Push {
    uint field_count; // with solids
    uint sub_step_ix; // the step's last
    uint sub_steps;   // of the step
    uint first_solid; // solids follow the fields
    uint friction_model;
    uint is_reduced; // 0 or 1: what shortening has drawn in when a step ends
    uint first_layer_field; // see shared/candidates.glsl
};

#include "shared/direction.glsl"
#include "shared/sub_step_ends.glsl"
#include "shared/candidates.glsl"
#include "shared/overlapping.glsl"

// Thicknesses that a point may be inside: usually 4, 2 cm. A heel pokes through coarse cloth by 1 cm; an edge that is deeper goes through a
// limb, however far it has been stretched, and would be pushed as far as it is deep.
const float DEEPEST = 4.0;

// The same behind what shortens edges when a step ends. Usually 1.6, 8 mm, which is what shortening moves a particle by at most: what is deeper it has not
// drawn in.
const float DEEPEST_AT_THE_END = 1.6;

// By how much more than it is inside a middle is pushed then, up to all that it keeps. Usually 3; with much more
// a rounding decides.
const float STEEPNESS = 3.0;

// Metres from which a push has a direction that is no rounding.
const float MIN_PUSH = 1e-4;

// More edges than this round one particle are ignored; cloth meshes have six.
const uint MAX_EDGES = 12;

// A point of an edge or a triangle on its way, world space.
struct Point {
    vec3 from;
    vec3 to;
    float share; // of the point's correction, which the particle makes: so that all ends together move the point by the whole
    uint number; // edge by edge, then triangle by triangle
};

// A point and how far it is to be moved.
struct Met {
    vec4 push; // unit normal and metres; no more than 0 outside
    uint field_ix;
    Point point;
};

// How a particle moves with its points.
struct Correction {
    vec3 push; // metres
    vec3 slip; // the motion that friction takes away
};

// Whether the pass tests a candidate: it is a field, or a solid.
bool is_met(uint field_ix);

// Whether it is within `margin` metres of a point; `margin`: to the furthest middle of an edge.
bool is_near(uint field_ix, vec3 position, float margin);

// How far a point is from being `thickness` outside of it, and the direction out. `body_size`: of who wears the cloth.
vec4 push_out(uint field_ix, vec3 pos_in_world, float thickness, float body_size);

// Metres of the thickness that the middle of an edge of this length keeps.
float kept_by_middle(float thickness, float length_of_edge, float body_size);

// Tests points within a thread's share of the triangles round a particle.
void test_triangles(uint particle_ix, uint lane, float thickness, float body_size);

// Forgets what a thread's points met.
void forget_met(uint lane);

// Takes in what a thread's point met, field by field.
void consider(Met met);

// Of what all threads of a particle met. Called by all threads of a workgroup.
Correction correction_of_lanes(uint edge_count, float friction);

// Bounds of a particle and of the midpoints of its thread's share of edges; of the other ends where there are triangles to be tested.
Bounds bounds_of_middles(uint particle_ix, uint lane, uint edge_count, vec3 position, float thickness) {
    Bounds bounds = bounds_of_path(position, position);
    for (uint edge = lane; edge < edge_count; edge += LANES) {
        vec3 other = before[neighbours[neighbour_offsets[particle_ix] + edge]].xyz;
        vec3 middle = HAS_TRIANGLES ? other : 0.5 * (position + other);
        bounds = united(bounds, bounds_of_path(middle, middle));
    }
    return widened(bounds, thickness);
}

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

// Marks the candidates that a particle's points may meet, each of its threads those of its share. Called by all threads of a workgroup.
void find_overlapping(uint lane, vec3 position, float margin) {
    clear_overlapping();
    for (uint slot = lane; slot < candidate_count; slot += LANES) {
        uint field_ix = candidate_list[slot];
        if (is_met(field_ix) && is_near(field_ix, position, margin)) mark_overlapping(gl_LocalInvocationID.x / LANES, slot);
    }
    barrier();
}

// Metres that a point may have to move to keep `thickness`; `reach`: from it to the end of its edge or triangle. Beyond, it is left alone.
float most_push(float thickness, float reach) {
    return thickness + min(reach, (is_reduced != 0 ? DEEPEST_AT_THE_END : DEEPEST) * thickness);
}

// Tests one edge's midpoint against what find_overlapping has found.
void test_middle(Point middle, float length_of_edge, float thickness, float size) {
    float kept = kept_by_middle(thickness, length_of_edge, size), most = most_push(thickness, 0.5 * length_of_edge);
    for (uint word = 0; word < CANDIDATE_WORDS; ++word) {
        for (uint bits = overlapping_bits(gl_LocalInvocationID.x / LANES, word); bits != 0; bits &= bits - 1) {
            uint field_ix = candidate_list[word * 32 + findLSB(bits)];
            Met met = Met(push_out(field_ix, middle.to, kept, size), field_ix, middle);
            // What has been shortened is pushed where its middle is inside alone, or it would be as long again.
            if (is_reduced != 0) met.push.w = min(met.push.w, STEEPNESS * (met.push.w - kept));
            if (met.push.w < most) consider(met);
        }
    }
}

// Whether a list has anything that the pass tests: fields come first in it, and solids last.
bool meets_any() {
    return candidate_count > 0 && (is_met(candidate_list[0]) || is_met(candidate_list[candidate_count - 1]));
}

// Where nothing is corrected.
void carry_over(uint particle_ix) {
    current_after[particle_ix] = current[particle_ix];
    after[particle_ix] = before[particle_ix];
}

// What a particle is pushed by counts as a contact without friction, so that what follows keeps the point outside: 0 is none.
float contact_after(float contact, vec3 push) {
    float pushed = length(push);
    return pushed > MIN_PUSH ? pack_contact(push / pushed, 0.0) : contact;
}

void main() {
    uint lane = gl_LocalInvocationID.x % LANES;
    uint group_ix = group_of_workgroup(LANES), particle_ix = particle_of_thread(LANES);
    uint end_particle = candidate_groups[group_ix].end_particle, safe_ix = min(particle_ix, end_particle - 1);
    bool writes = particle_ix < end_particle && lane == 0;
    vec3 position = before[safe_ix].xyz;
    Particle particle = particles[safe_ix];
    uint span = own_sub_step_span(garments[particle.garment_ix].stride, sub_step_ix, sub_steps);
    if (span == 0) {
        if (writes) carry_over(particle_ix);
        return;
    }
    set_sub_step_ends(span);
    float thickness = max(garments[particle.garment_ix].thickness, particle.clearance);
    uint first_edge = neighbour_offsets[safe_ix];
    uint edge_count = min(neighbour_offsets[safe_ix + 1] - first_edge, MAX_EDGES);
    forget_met(lane);
    Bounds bounds = bounds_of_middles(safe_ix, lane, edge_count, position, thickness);
    bool listed = load_candidates(group_ix, bounds) || find_candidates(group_ix, bounds);
    if (listed && !meets_any()) {
        if (writes) carry_over(particle_ix);
        return;
    }
    // What rounds to zero may be met by one and missed by the other.
    float margin = 1.001 * (thickness + furthest_middle(safe_ix, lane, edge_count, position));
    if (!listed) gather_bounds(bounds);
    uint windows = window_count(group_ix, listed);
    for (uint window = 0; window < windows; ++window) {
        begin_window(group_ix, listed, window);
        find_overlapping(lane, position, margin);
        for (uint edge = lane; edge < edge_count; edge += LANES) {
            uint other = neighbours[first_edge + edge];
            vec3 from = 0.5 * (current[safe_ix].xyz + current[other].xyz);
            Point middle = Point(from, 0.5 * (position + before[other].xyz), 1.0, edge);
            test_middle(middle, length(position - before[other].xyz), thickness, particle.size);
        }
        if (HAS_TRIANGLES) test_triangles(safe_ix, lane, thickness, particle.size);
    }
    Correction correction = correction_of_lanes(edge_count, garments[particle.garment_ix].friction);
    if (!writes) return;
    // What is astray goes home through limbs, and would be led round them.
    if (current[particle_ix].w != 0.0) correction = Correction(vec3(0.0), vec3(0.0));
    current_after[particle_ix] = current[particle_ix] + vec4(correction.push, 0.0);
    after[particle_ix] = vec4(position + correction.push - correction.slip, contact_after(before[particle_ix].w, correction.push));
}

#endif
