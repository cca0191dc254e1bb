// Writes the distance to the skin into every cell of a narrow band round it, brute force (paper, section 9.3): each triangle into
// all cells of its bounding box widened by the band, of which each keeps the nearest triangle's.
// Reads: pairs of triangle and grid, grids, their transforms at the end of the step, the skin with its neighbours and rings.
// Writes: cells, by atomic minima.
// PAIRS pairs per workgroup, in a loop: its threads divide their features, then the cells of their boxes. Runs after the
// bake and the clear, before collide, once per step.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "shared/box_cells.glsl"
#include "distance_field/cell.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer PairTriangles { uint pair_triangles[]; };
layout(scalar, binding = 1) readonly buffer Grids { Grid grids[]; };
layout(scalar, binding = 2) readonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, binding = 3) buffer Cells { uint cells[]; };
layout(scalar, binding = 4) readonly buffer PairGrids { uint pair_grids[]; };
layout(scalar, push_constant) uniform Push {
    uint pair_count;
    uint transform_offset; // of the end of the step
    float band;            // cells
};

// The skin as it is at the end of the step.
const float part_after = 1.0;
#include "shared/skin_surface.glsl"

// All that a nearest point may lie on.
const uint FEATURES = FACE + 1;

// Threads that place one pair: one per feature, the last for the triangle itself.
const uint LANES = FEATURES + 1;
const uint PAIRS = 64 / LANES;

// Cells further from their grid's origin than this are those of broken poses.
const float FARTHEST = 1e6;

// A triangle as the cells of one grid need it.
struct Placed {
    vec3 corners[3];        // field space
    vec3 normals[FEATURES]; // outward, field space; zero where the skin has none
    uint grid_ix;
    uvec3 first; // of the box of cells
    uvec3 size;  // of it, zero if the grid has no part in it
};

shared Placed placed[PAIRS];

// Zero where nothing of the box lies in the grid.
void place_box(uint pair, Grid grid, vec3 corners[3]) {
    vec3 low = min(corners[0], min(corners[1], corners[2])) / grid.cell_size - band;
    vec3 high = max(corners[0], max(corners[1], corners[2])) / grid.cell_size + band;
    placed[pair].size = uvec3(0);
    // Written so that a NaN is left out too.
    if (!(all(lessThan(abs(low), vec3(FARTHEST))) && all(lessThan(abs(high), vec3(FARTHEST))))) return;
    ivec3 size = ivec3(grid.size[0], grid.size[1], grid.size[2]);
    ivec3 first = max(ivec3(ceil(low)), ivec3(0)), last = min(ivec3(floor(high)), size - 1);
    if (any(greaterThan(first, last))) return;
    placed[pair].first = uvec3(first);
    placed[pair].size = uvec3(last - first + 1);
}

// The thread's part in placing a pair.
void place(uint pair, uint pair_ix, uint lane) {
    uint triangle_ix = pair_triangles[pair_ix], grid_ix = pair_grids[pair_ix];
    FieldTransform transform = transforms[transform_offset + grid_ix];
    vec3 corners[3];
    corners_at(triangle_ix, part_after, corners);
    if (lane < FEATURES) {
        vec3 normal = normal_of(skin_triangles[triangle_ix], corners, lane);
        placed[pair].normals[lane] = transpose(mat3(affine(transform.world_from_field))) * normal;
        return;
    }
    for (uint i = 0; i < 3; ++i) corners[i] = affine(transform.field_from_world) * vec4(corners[i], 1.0);
    placed[pair].corners = corners;
    placed[pair].grid_ix = grid_ix;
    place_box(pair, grids[grid_ix], corners);
}

// Writes the triangle's distance into a cell of its box.
void visit(uint pair, Grid grid, uint local_ix) {
    uvec3 cell = placed[pair].first + cell_in_box(local_ix, placed[pair].size.xy);
    vec3 p = vec3(cell) * grid.cell_size;
    vec3 corners[3] = placed[pair].corners;
    uint feature;
    vec3 offset = p - blend(corners, weights_of_nearest(p, corners, feature));
    float distance = length(offset);
    vec3 normal = placed[pair].normals[feature];
    if (!(distance <= band * grid.cell_size) || normal == vec3(0.0)) return;
    bool is_inside = dot(offset, normal) < 0.0;
    atomicMin(cells[cell_ix_of(grid, cell)], cell_key(distance, is_inside));
}

void main() {
    uint local_ix = gl_LocalInvocationID.x;
    for (uint first = gl_WorkGroupID.x * PAIRS; first < pair_count; first += gl_NumWorkGroups.x * PAIRS) {
        uint count = min(PAIRS, pair_count - first);
        if (local_ix / LANES < count) place(local_ix / LANES, first + local_ix / LANES, local_ix % LANES);
        barrier();
        for (uint pair = 0; pair < count; ++pair) {
            Grid grid = grids[placed[pair].grid_ix];
            uvec3 size = placed[pair].size;
            for (uint i = local_ix; i < size.x * size.y * size.z; i += 64) visit(pair, grid, i);
        }
        barrier();
    }
}
