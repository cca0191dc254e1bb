// Broad phase (paper, section 6.1): the candidate fields of a workgroup's particles, then each field's cylinder.
// Includers declare `fields`, `transforms`, `radii` and the push constants first, and have workgroups of 64.
#ifndef RADIAL_CANDIDATES
#define RADIAL_CANDIDATES

#include "shared/candidates.glsl"

// Whether a path, in field space, meets the field's cylinder widened by `margin` metres of the bind pose. The cylinder is as wide
// as the furthest skin in the cells, so no surface lies beyond it in any pose.
bool path_overlaps_cylinder(uint field_ix, vec3 start, vec3 end, float margin) {
    float widened = margin / fields[field_ix].axis_length;
    if (max(start.z, end.z) < -widened || min(start.z, end.z) > 1.0 + widened) return false;
    vec2 edge = end.xy - start.xy;
    float size = dot(edge, edge);
    float along = size > 0.0 ? clamp(-dot(start.xy, edge) / size, 0.0, 1.0) : 0.0;
    return length(start.xy + along * edge) < radii[field_ix] + margin;
}

// Whether a path, in world space and relative to the moving field, comes within `margin` metres of the field's cylinder.
bool overlaps_field(uint field_ix, vec3 from, vec3 to, float margin) {
    FieldTransform before = transforms[transform_offset + field_ix];
    FieldTransform after = transforms[transform_offset + field_count + field_ix];
    vec3 start = affine(before.field_from_world) * vec4(from, 1.0);
    vec3 end = affine(after.field_from_world) * vec4(to, 1.0);
    return path_overlaps_cylinder(field_ix, start, end, margin * max(before.max_scale, after.max_scale));
}

bool overlaps_ball(uint field_ix, vec3 centre, float radius) {
    return overlaps_field(field_ix, centre, centre, radius);
}

// The candidates of a chunk in ascending order, by their index in the chunk.
shared uint candidate_list[CANDIDATE_CHUNK];
shared uint candidate_count;

// Words of `candidate_bits` in use.
uint word_count_of(uint chunk) {
    return (min(field_count - chunk, CANDIDATE_CHUNK) + 31) / 32;
}

// Lists the candidates, so that threads can divide them evenly: those of a subgroup work on as many at a time as it has threads.
// Called by all threads of a workgroup, after find_candidates.
void list_candidates(uint chunk) {
    uint word_count = word_count_of(chunk);
    for (uint local_ix = gl_LocalInvocationID.x; local_ix < word_count * 32; local_ix += 64) {
        uint word = local_ix / 32, bit = local_ix % 32;
        if ((candidate_bits[word] >> bit & 1u) == 0) continue;
        uint slot = bitCount(candidate_bits[word] & ((1u << bit) - 1u));
        for (uint i = 0; i < word; ++i) slot += bitCount(candidate_bits[i]);
        candidate_list[slot] = local_ix;
    }
    if (gl_LocalInvocationID.x == 0) {
        candidate_count = 0;
        for (uint word = 0; word < word_count; ++word) candidate_count += bitCount(candidate_bits[word]);
    }
    barrier();
}

#endif
