// Tests points of every particle's path against the grids near it and resolves its contact (paper, sections 6.1 to 6.3, with
// the reconstruction of section 9.3).
// Reads: grids, their cells, their transforms before and after this sub-step, candidates. Writes: predicted positions, contacts;
// current positions where a particle began inside, so that resolving a penetration gives it no speed.
// Runs after the constraints, and once more after the last of a step; after find_candidates.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/collide.glsl"

layout(scalar, binding = 10) readonly buffer Grids { Grid grids[]; };
layout(scalar, binding = 11) readonly buffer Cells { uint cells[]; };

#include "distance_field/cell.glsl"
#include "distance_field/surface.glsl"

// A particle and one grid during this sub-step.
struct Pair {
    Grid grid;
    FieldTransform after;
    vec3 to;    // predicted, world space
    vec3 start; // of the path relative to the grid, field space
    vec3 end;
    float thickness;
};

// Where the particle would be had it moved rigidly with the grid, world space.
vec3 co_moving(Pair pair) {
    return affine(pair.after.world_from_field) * vec4(pair.start, 1.0);
}

// Whether a path in field space may come between the grid's cells.
bool overlaps_grid(Grid grid, vec3 start, vec3 end) {
    vec3 size = grid.cell_size * (vec3(grid.size[0], grid.size[1], grid.size[2]) - 1.0);
    return all(greaterThanEqual(max(start, end), vec3(0.0))) && all(lessThanEqual(min(start, end), size));
}

bool overlaps_field(uint field_ix, vec3 from, vec3 to, float margin) {
    FieldTransform before = transforms[transform_offset + field_ix];
    FieldTransform after = transforms[transform_offset + field_count + field_ix];
    vec3 start = affine(before.field_from_world) * vec4(from, 1.0);
    vec3 end = affine(after.field_from_world) * vec4(to, 1.0);
    margin *= max(before.max_scale, after.max_scale);
    return overlaps_grid(grids[field_ix], max(start, end) + margin, min(start, end) - margin);
}

// Whether the particle is less than the thickness outside at a point of its path, and the verdict.
uint test_point(Pair pair, float time, inout Hit best) {
    Plane plane;
    if (!surface_at(pair.grid, mix(pair.start, pair.end, time), plane)) return MISSES;
    vec3 normal = transpose(mat3(affine(pair.after.field_from_world))) * plane.normal;
    float size = length(normal);
    if (!(size > 0.0) || plane.distance >= pair.thickness * size) return MISSES;
    Contact contact;
    contact.normal = normal / size;
    contact.point = affine(pair.after.world_from_field) * vec4(plane.point, 1.0);
    float depth = depth_of(contact, pair.to, pair.thickness);
    uint verdict = verdict_on(time, depth, best);
    if (verdict != DECIDES) return verdict;
    contact.co_moving = co_moving(pair);
    best = Hit(time, depth, contact);
    return DECIDES;
}

bool test_field(uint field_ix, vec3 from, vec3 to, float thickness, bool is_reduced, inout Hit best) {
    Pair pair;
    pair.grid = grids[field_ix];
    pair.after = transforms[transform_offset + field_count + field_ix];
    pair.to = to;
    pair.start = affine(transforms[transform_offset + field_ix].field_from_world) * vec4(from, 1.0);
    pair.end = affine(pair.after.field_from_world) * vec4(to, 1.0);
    pair.thickness = thickness;
    if (!overlaps_grid(pair.grid, pair.start, pair.end)) return false;
    uint first_sample = follows_path(is_reduced, pair.end - pair.start) ? 1 : path_samples;
    for (uint i = first_sample; i <= path_samples; ++i) {
        float time = float(i) / float(path_samples);
        if (time > best.time) return false;
        uint verdict = test_point(pair, time, best);
        if (verdict != MISSES) return verdict == DECIDES;
    }
    return false;
}
