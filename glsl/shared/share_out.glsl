// Shares out the cells of a workgroup's triangles among its threads, so that none waits for one with a large triangle: each thread
// says how many cells its own triangle's bounding box holds, then all take every 64th of them all. For workgroups of 64.
#ifndef SHARED_SHARE_OUT
#define SHARED_SHARE_OUT

// How many cells the boxes of the workgroup's triangles hold, each and those before it.
shared uint cell_ends[64];

// Sums up the counts of the threads before and of this one, into `cell_ends`, and returns how many all have. Called by all threads of
// a workgroup; what they wrote before it, all may read after it.
uint share_out(uint count) {
    uint lane = gl_LocalInvocationID.x;
    cell_ends[lane] = count;
    barrier();
    for (uint stride = 1; stride < 64; stride *= 2) {
        uint before = lane >= stride ? cell_ends[lane - stride] : 0;
        barrier();
        cell_ends[lane] += before;
        barrier();
    }
    return cell_ends[63];
}

// Whose cell it is, the first triangle's that ends behind it; `local_ix` becomes its number in that triangle's box.
uint owner_of(uint cell_ix, out uint local_ix) {
    uint owner = 0;
    for (uint step = 32; step > 0; step /= 2) {
        if (cell_ends[owner + step - 1] <= cell_ix) owner += step;
    }
    local_ix = cell_ix - (owner > 0 ? cell_ends[owner - 1] : 0);
    return owner;
}

#endif
