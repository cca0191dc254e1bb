// Which of its group's candidates each particle of a workgroup comes near. Includers declare THREADS and LANES, and include
// shared/candidates.glsl first.
#ifndef SHARED_OVERLAPPING
#define SHARED_OVERLAPPING

const uint CANDIDATE_WORDS = (MAX_CANDIDATES + 31) / 32;

// Of each particle, a bit per place in `candidate_list`.
shared uint overlapping[THREADS / LANES * CANDIDATE_WORDS];

// Called by all threads of a workgroup, before any marks.
void clear_overlapping() {
    for (uint ix = gl_LocalInvocationID.x; ix < THREADS / LANES * CANDIDATE_WORDS; ix += THREADS) overlapping[ix] = 0;
    barrier();
}

void mark_overlapping(uint place, uint slot) {
    atomicOr(overlapping[place * CANDIDATE_WORDS + slot / 32], 1u << slot % 32);
}

// The bits of 32 candidates, of those of a particle that is one of the workgroup's.
uint overlapping_bits(uint place, uint word) {
    return overlapping[place * CANDIDATE_WORDS + word];
}

#endif
