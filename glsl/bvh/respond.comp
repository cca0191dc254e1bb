// Puts each particle outside its nearest triangle, and empties the queues for the next search.
// Reads: nearest triangles, triangles, skin. Writes: predicted and current positions, contacts; queue states, the tally.
// One thread a particle. Runs last, after settle.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"

layout(local_size_x = 64) in;
layout(scalar, push_constant) uniform Push {
    uint particle_count;
    uint friction_model;
    uint first_sub_step;
    float part_before;
    float part_after;
    uint level_count;
    uint capacity;
};

#include "shared/skin.glsl"
layout(scalar, binding = 10) readonly buffer NearestTriangles { uint nearest_triangles[]; };
layout(scalar, binding = 11) buffer QueueStates { QueueState queue_states[]; };
layout(scalar, binding = 12) buffer Tally { uint lost_count; uint most_jobs; };

void empty_queues() {
    for (uint i = 0; i < level_count; ++i) {
        uint wanted = queue_states[i].wanted;
        most_jobs = max(most_jobs, wanted);
        lost_count += wanted - min(wanted, capacity);
        queue_states[i].wanted = 0;
        queue_states[i].group_count_x = 0;
    }
}

void main() {
    uint particle_ix = gl_GlobalInvocationID.x;
    if (particle_ix == 0) empty_queues();
    if (particle_ix >= particle_count) return;
    collide_with(particle_ix, nearest_triangles[particle_ix], friction_model, first_sub_step != 0);
}
