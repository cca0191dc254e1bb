// Distributes the cells of a workgroup's triangles over its threads by an inclusive scan, so that none waits for one with a large
// triangle: the first SCAN_SIZE threads each say how many cells their own triangle's bounding box holds, then all of the workgroup share them out
// one by one. Includers declare SCAN_SIZE first, a power of two: with more a large device has too few workgroups to be
// busy, with fewer most threads wait for those that place triangles. The fewer, the larger the boxes are.
#ifndef SHARED_WORKGROUP_SCAN
#define SHARED_WORKGROUP_SCAN

// How many cells the boxes of the workgroup's triangles hold, each and those before it.
shared uint cell_ends[SCAN_SIZE];

// Whether the thread has a triangle of its own to place, and which; `triangle_count`: of the dispatch.
bool owns_triangle(uint triangle_count, out uint triangle_ix) {
    uint group_ix = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    triangle_ix = group_ix * SCAN_SIZE + gl_LocalInvocationID.x;
    return gl_LocalInvocationID.x < SCAN_SIZE && triangle_ix < triangle_count;
}

// Sums up the counts of the threads before and of this one, into `cell_ends`, and returns how many all have. Called by all threads of
// a workgroup; what they wrote before it, all may read after it.
uint workgroup_scan(uint count) {
    uint lane = gl_LocalInvocationID.x;
    if (lane < SCAN_SIZE) cell_ends[lane] = count;
    barrier();
    for (uint stride = 1; stride < SCAN_SIZE; stride *= 2) {
        uint before = lane >= stride && lane < SCAN_SIZE ? cell_ends[lane - stride] : 0;
        barrier();
        if (lane < SCAN_SIZE) cell_ends[lane] += before;
        barrier();
    }
    return cell_ends[SCAN_SIZE - 1];
}

// Whose cell it is, the first triangle's that ends behind it; `local_ix` becomes its number in that triangle's box.
uint scan_owner(uint cell_ix, out uint local_ix) {
    uint owner = 0;
    for (uint step = SCAN_SIZE / 2; step > 0; step /= 2) {
        if (cell_ends[owner + step - 1] <= cell_ix) owner += step;
    }
    local_ix = cell_ix - (owner > 0 ? cell_ends[owner - 1] : 0);
    return owner;
}

#endif
