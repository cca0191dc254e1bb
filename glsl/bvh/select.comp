// Of the jobs that found a particle's nearest distance, the one with the first triangle wins: so the result does not depend on
// the order of the jobs.
// Reads: jobs, what each found, nearest distances. Writes: nearest triangles, by atomic minimum.
// One thread a job, dispatched indirectly. Runs after leaves, before respond.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer QueueStates { QueueState queue_states[]; };
layout(scalar, binding = 1) readonly buffer InJobs { uvec2 in_jobs[]; };
layout(scalar, binding = 2) readonly buffer Found { uvec2 found[]; };
layout(scalar, binding = 3) readonly buffer Nearest { uint nearest[]; };
layout(scalar, binding = 4) buffer NearestTriangles { uint nearest_triangles[]; };
layout(scalar, push_constant) uniform Push {
    uint level;
    uint capacity;
};

void main() {
    uint job_ix = gl_GlobalInvocationID.x;
    if (job_ix >= min(queue_states[level].wanted, capacity)) return;
    uint particle_ix = in_jobs[job_ix].x;
    if (found[job_ix].x == nearest[particle_ix]) atomicMin(nearest_triangles[particle_ix], found[job_ix].y);
}
