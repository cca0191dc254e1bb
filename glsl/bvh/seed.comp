// Starts the search: a job for every particle whose ball of reach meets the root.
// Reads: particles' predicted positions, boxes. Writes: the root's queue and its state; nearest distances and triangles,
// begun anew.
// One thread a particle. Runs after the refit and the constraints, before descend.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer Predicted { vec4 predicted[]; };
layout(scalar, binding = 1) readonly buffer Nodes { BoxNode nodes[]; };
layout(scalar, binding = 2) buffer QueueStates { QueueState queue_states[]; };
layout(scalar, binding = 3) writeonly buffer OutJobs { uvec2 out_jobs[]; };
layout(scalar, binding = 4) writeonly buffer Nearest { uint nearest[]; };         // bits of squared metres
layout(scalar, binding = 5) writeonly buffer NearestTriangles { uint nearest_triangles[]; };
layout(scalar, push_constant) uniform Push {
    uint particle_count;
    uint capacity;
    float reach;
};

#include "bvh/queue.glsl"

void main() {
    uint particle_ix = gl_GlobalInvocationID.x;
    begin_append();
    uint picked = 0;
    if (particle_ix < particle_count) {
        nearest[particle_ix] = floatBitsToUint(reach * reach);
        nearest_triangles[particle_ix] = 0xFFFFFFFF;
        float distance = distances_squared(predicted[particle_ix].xyz, nodes[0].low, nodes[0].high).x;
        picked = distance <= reach * reach ? 1 : 0;
    }
    append(0, particle_ix, 0, picked);
}
