// Broad phase of the techniques that ride on bones (paper, section 6.1): which fields are near a workgroup's particles.
// Includers declare `transforms`, the push constants and the ball round a field first, and have workgroups of 64.
#ifndef SHARED_NEAR
#define SHARED_NEAR

// A ball round a field at one moment: centre and radius, world space.
vec4 ball_round(uint field_ix, FieldTransform moment);

// Fields looked at together; larger groups of avatars take several rounds.
const uint NEAR_CHUNK = 1024;

shared uint near_fields[NEAR_CHUNK / 32];
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

// Whether a ball on its way from one place to another can meet the bounds.
bool meets_bounds(vec4 before, vec4 after, vec3 low, vec3 high) {
    vec3 outside = max(max(low - max(before.xyz, after.xyz), min(before.xyz, after.xyz) - high), vec3(0.0));
    float reach = max(before.w, after.w);
    return dot(outside, outside) <= reach * reach;
}

// Sets the bits of the near fields among `chunk .. chunk + NEAR_CHUNK`. Called by all threads of a workgroup.
void find_near_fields(uint chunk) {
    uint lane = gl_LocalInvocationID.x;
    barrier();
    for (uint word = lane; word < NEAR_CHUNK / 32; word += 64) near_fields[word] = 0;
    barrier();
    vec3 low = shared_low[0], high = shared_high[0];
    uint end = min(field_count, chunk + NEAR_CHUNK);
    for (uint field_ix = chunk + lane; field_ix < end; field_ix += 64) {
        vec4 before = ball_round(field_ix, transforms[transform_offset + field_ix]);
        vec4 after = ball_round(field_ix, transforms[transform_offset + field_count + field_ix]);
        bool near = meets_bounds(before, after, low, high);
        uint local_ix = field_ix - chunk;
        if (near) atomicOr(near_fields[local_ix / 32], 1u << (local_ix % 32));
    }
    barrier();
}

#endif
