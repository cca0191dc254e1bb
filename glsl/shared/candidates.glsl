// Broad phase of the techniques whose fields are attached to bones (paper, section 6.1): the candidate fields of a workgroup's particles.
// Includers declare `transforms` and the push constants first, define `overlaps_ball`, and have workgroups of 64.
#ifndef SHARED_CANDIDATES
#define SHARED_CANDIDATES

// Whether a particle anywhere in a ball may meet a field during its motion. `centre`, `radius`: world space.
bool overlaps_ball(uint field_ix, vec3 centre, float radius);

// Fields tested together; larger groups of avatars take several rounds.
const uint CANDIDATE_CHUNK = 1024;

// Metres. A workgroup's particles further apart than this have one among them that was thrown out of the world.
const float FARTHEST_GROUP = 1e4;

// Metres that the response may push a particle before its candidates must be searched again. Usually it is a few millimetres;
// much larger and there are more candidates than can matter.
const float RESPONSE_MARGIN = 0.04;

shared uint candidate_bits[CANDIDATE_CHUNK / 32];
shared vec3 shared_low[64];
shared vec3 shared_high[64];

// Bounds of all paths of the workgroup, in shared_low[0] and shared_high[0].
void gather_bounds(vec3 from, vec3 to, float margin) {
    uint lane = gl_LocalInvocationID.x;
    shared_low[lane] = min(from, to) - margin;
    shared_high[lane] = max(from, to) + margin;
    barrier();
    for (uint stride = 32; stride > 0; stride /= 2) {
        if (lane < stride) {
            shared_low[lane] = min(shared_low[lane], shared_low[lane + stride]);
            shared_high[lane] = max(shared_high[lane], shared_high[lane + stride]);
        }
        barrier();
    }
}

// Sets the bits of the candidates among `chunk .. chunk + CANDIDATE_CHUNK`. Called by all threads of a workgroup.
void find_candidates(uint chunk) {
    uint lane = gl_LocalInvocationID.x;
    barrier();
    for (uint word = lane; word < CANDIDATE_CHUNK / 32; word += 64) candidate_bits[word] = 0;
    barrier();
    vec3 centre = 0.5 * (shared_low[0] + shared_high[0]);
    float radius = distance(centre, shared_high[0]) + RESPONSE_MARGIN;
    uint end = min(field_count, chunk + CANDIDATE_CHUNK);
    for (uint field_ix = chunk + lane; field_ix < end; field_ix += 64) {
        uint local_ix = field_ix - chunk;
        // One particle that is nowhere must not hide the fields from the others.
        if (!(radius < FARTHEST_GROUP) || overlaps_ball(field_ix, centre, radius)) atomicOr(candidate_bits[local_ix / 32], 1u << (local_ix % 32));
    }
    barrier();
}

#endif
