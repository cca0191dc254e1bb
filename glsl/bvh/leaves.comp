// Finds the nearest triangle of each job's leaf.
// Reads: jobs of the last level, triangles, skin, particles' predicted positions. Writes: what each job found; nearest
// distances, by atomic minimum on the bits of the float.
// One thread a job, dispatched indirectly. Runs after the last descend, before select.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"

layout(local_size_x = 64) in;
layout(scalar, push_constant) uniform Push {
    uint level;
    uint capacity;
    float part_after;
};

#include "shared/skin.glsl"
layout(scalar, binding = 10) readonly buffer Nodes { BoxNode nodes[]; };
layout(scalar, binding = 11) readonly buffer QueueStates { QueueState queue_states[]; };
layout(scalar, binding = 12) readonly buffer InJobs { uvec2 in_jobs[]; };
layout(scalar, binding = 13) writeonly buffer Found { uvec2 found[]; }; // bits of squared metres, triangle
layout(scalar, binding = 14) buffer Nearest { uint nearest[]; };

void main() {
    uint job_ix = gl_GlobalInvocationID.x;
    if (job_ix >= min(queue_states[level].wanted, capacity)) return;
    uint particle_ix = in_jobs[job_ix].x;
    BoxNode leaf = nodes[in_jobs[job_ix].y];
    float best_squared = uintBitsToFloat(nearest[particle_ix]);
    uint best_ix = NO_TRIANGLE;
    for (uint i = leaf.first; i < leaf.first + (leaf.count & ~LEAF); ++i) {
        consider(i, predicted[particle_ix].xyz, best_squared, best_ix);
    }
    found[job_ix] = uvec2(floatBitsToUint(best_squared), best_ix);
    if (best_ix != NO_TRIANGLE) atomicMin(nearest[particle_ix], floatBitsToUint(best_squared));
}
