// Tests points of every particle's path against the grids near it and resolves its contact (paper, sections 6.1 to 6.3, with
// the reconstruction of section 9.3).
// Reads: grids, their cells, their transforms at both ends of the path, candidates. Writes: predicted positions, contacts;
// current positions where a particle began inside, so that resolving a penetration gives it no speed.
// Runs after the constraints, and once more after the last of a step; after find_candidates.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/collide.glsl"

layout(scalar, binding = 11) readonly buffer Grids { Grid grids[]; };
layout(scalar, binding = 12) readonly buffer Cells { uint cells[]; };

#include "distance_field/cell.glsl"
#include "distance_field/surface.glsl"

// Whether a path in field space may come between the grid's cells.
bool overlaps_grid(Grid grid, vec3 start, vec3 end) {
    vec3 size = grid.cell_size * (vec3(grid.size[0], grid.size[1], grid.size[2]) - 1.0);
    return all(greaterThanEqual(max(start, end), vec3(0.0))) && all(lessThanEqual(min(start, end), size));
}

bool overlaps_field(uint field_ix, vec3 from, vec3 to, float margin) {
    FieldTransform before = transforms[first_before + field_ix];
    FieldTransform after = transforms[first_after + field_ix];
    vec3 start = affine(before.field_from_world) * vec4(from, 1.0);
    vec3 end = affine(after.field_from_world) * vec4(to, 1.0);
    margin *= max(before.max_scale, after.max_scale);
    return overlaps_grid(grids[field_ix], max(start, end) + margin, min(start, end) - margin);
}

// Whether the particle is less than the thickness outside at a point of its path, and the verdict.
uint test_point(Approach approach, Grid grid, float time, inout Hit best) {
    Plane plane;
    if (!surface_at(grid, mix(approach.start, approach.end, time), plane)) return MISSES;
    vec3 normal = transpose(mat3(affine(transforms[approach.after].field_from_world))) * plane.normal;
    float size = length(normal);
    if (!(size > 0.0) || plane.distance >= approach.iteration.thickness * size) return MISSES;
    return consider(approach, normal / size, in_world(approach, plane.point), time, best);
}

bool test_field(uint field_ix, vec3 from, vec3 to, Iteration iteration, inout Hit best) {
    Grid grid = grids[field_ix];
    Approach approach = approach_of(field_ix, from, to, iteration);
    if (!overlaps_grid(grid, approach.start, approach.end)) return false;
    uint samples = samples_of_path(iteration, approach.end - approach.start, SLOW, path_samples);
    for (uint i = 1; i <= samples; ++i) {
        float time = float(i) / float(samples);
        if (time > best.time) return false;
        uint verdict = test_point(approach, grid, time, best);
        if (verdict != MISSES) return verdict == DECIDES;
    }
    return false;
}
