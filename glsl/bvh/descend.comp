// Goes down one level: every job becomes jobs for those of its node's children that may hold the nearest triangle.
// Reads: jobs of this level, boxes, particles' predicted positions. Writes: jobs of the next level and their queue's state,
// marks of particles whose jobs found no room;
// nearest distances, by atomic minimum on the bits of the float: how far off each particle's nearest triangle is at most. Such
// bits order like integers, for no distance is negative (0.01 is 0x3C23D70A, 0.02 is 0x3CA3D70A).
// One thread a job, dispatched indirectly. Which boxes a bound already excludes depends on the order of the jobs, what is
// found does not. Runs after seed, once per level, before leaves.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer Predicted { vec4 predicted[]; };
layout(scalar, binding = 1) readonly buffer Nodes { BoxNode nodes[]; };
layout(scalar, binding = 2) buffer QueueStates { QueueState queue_states[]; };
layout(scalar, binding = 3) readonly buffer InJobs { uvec2 in_jobs[]; };
layout(scalar, binding = 4) writeonly buffer OutJobs { uvec2 out_jobs[]; };
layout(scalar, binding = 5) buffer Nearest { uint nearest[]; };
layout(scalar, binding = 6) writeonly buffer Spilled { uint spilled[]; };
layout(scalar, push_constant) uniform Push {
    uint level;
    uint capacity;
};

#include "bvh/box.glsl"
#include "bvh/queue.glsl"

void main() {
    uint job_ix = gl_GlobalInvocationID.x;
    begin_append();
    uint picked = 0, particle_ix = 0, first = 0;
    if (job_ix < job_count(level)) {
        particle_ix = in_jobs[job_ix].x;
        uint node_ix = in_jobs[job_ix].y;
        first = nodes[node_ix].first;
        uint count = nodes[node_ix].count;
        vec3 p = predicted[particle_ix].xyz;
        float bound = uintBitsToFloat(nearest[particle_ix]);
        float nearest_squared = bound;
        vec2 distances[8];
        for (uint i = 0; i < count; ++i) {
            distances[i] = distances_squared(p, nodes[first + i].low, nodes[first + i].high);
            nearest_squared = min(nearest_squared, distances[i].y * BOUND_SLACK);
        }
        if (nearest_squared < bound) atomicMin(nearest[particle_ix], floatBitsToUint(nearest_squared));
        for (uint i = 0; i < count; ++i) {
            if (distances[i].x <= nearest_squared) picked |= 1u << i;
        }
    }
    append(level + 1, particle_ix, first, picked);
}
