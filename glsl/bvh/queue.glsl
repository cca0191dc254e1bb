// Work queues: a job is a particle and a node whose box it may have its nearest triangle in. Includers declare the buffers
// `queue_states`, `out_jobs` and `spilled`, the push constant `capacity`, and have workgroups of 64.
//
// Each level of the tree has a queue state, which is also the arguments of the indirect dispatch over its jobs.
#ifndef BVH_QUEUE
#define BVH_QUEUE

shared uint group_count;
shared uint group_first;

void begin_append() {
    if (gl_LocalInvocationID.x == 0) group_count = 0;
    barrier();
}

// Appends `count` jobs of this thread, of which bit i of `picked` names node `first_node + i`, to the queue of a level: one
// global atomic a workgroup. A particle whose job finds no room is marked. Called by all threads of the workgroup, after
// begin_append.
void append(uint target_level, uint particle_ix, uint first_node, uint picked) {
    uint count = bitCount(picked);
    uint place = count > 0 ? atomicAdd(group_count, count) : 0;
    barrier();
    if (gl_LocalInvocationID.x == 0 && group_count > 0) {
        group_first = atomicAdd(queue_states[target_level].wanted, group_count);
        uint end = min(group_first + group_count, capacity);
        atomicMax(queue_states[target_level].group_count_x, (end + 63) / 64);
    }
    barrier();
    uint slot = group_first + place;
    for (; picked != 0; picked &= picked - 1, ++slot) {
        if (slot < capacity) out_jobs[slot] = uvec2(particle_ix, first_node + findLSB(picked));
        else spilled[particle_ix] = 1;
    }
}

// Jobs there are in a level's queue.
uint job_count(uint of_level) {
    return min(queue_states[of_level].wanted, capacity);
}

#endif
