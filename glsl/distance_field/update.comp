// Writes the distance to the skin into every cell of a narrow band round it, brute force (paper, section 9.3): each triangle into
// all cells of its bounding box widened by the band, of which each keeps the nearest triangle's.
// Reads: pairs of triangle and grid, grids, their transforms at the end of the step, the skin with its neighbours and rings.
// Writes: cells, by atomic minima.
// One thread a pair. Runs after the bake and the clear, before collide, once a step.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
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
const float part_before = 1.0;
const float part_after = 1.0;
#include "shared/skin_surface.glsl"

const uint FEATURES = FACE + 1;

// Cells further from their grid's origin than this are those of broken poses.
const float FARTHEST = 1e6;

// Outward directions of all that a nearest point may lie on, in field space. Zero where the skin has none.
void normals_in_field(uint triangle_ix, mat4x3 world_from_field, out vec3 normals[FEATURES]) {
    vec3 corners[3];
    corners_at(triangle_ix, part_after, corners);
    for (uint feature = 0; feature < FEATURES; ++feature) {
        vec3 normal = normal_of(skin_triangles[triangle_ix], corners, feature);
        normals[feature] = transpose(mat3(world_from_field)) * normal;
    }
}

void main() {
    uint pair_ix = gl_GlobalInvocationID.x;
    if (pair_ix >= pair_count) return;
    uint triangle_ix = pair_triangles[pair_ix], grid_ix = pair_grids[pair_ix];
    Grid grid = grids[grid_ix];
    FieldTransform moment = transforms[transform_offset + grid_ix];
    vec3 corners[3];
    corners_at(triangle_ix, part_after, corners);
    for (uint i = 0; i < 3; ++i) corners[i] = affine(moment.field_from_world) * vec4(corners[i], 1.0);

    vec3 low = min(corners[0], min(corners[1], corners[2])) / grid.cell_size - band;
    vec3 high = max(corners[0], max(corners[1], corners[2])) / grid.cell_size + band;
    // Written so that a NaN is left out too.
    if (!(all(lessThan(abs(low), vec3(FARTHEST))) && all(lessThan(abs(high), vec3(FARTHEST))))) return;
    ivec3 size = ivec3(grid.size[0], grid.size[1], grid.size[2]);
    ivec3 first = max(ivec3(ceil(low)), ivec3(0)), last = min(ivec3(floor(high)), size - 1);
    if (any(greaterThan(first, last))) return;

    vec3 normals[FEATURES];
    normals_in_field(triangle_ix, affine(moment.world_from_field), normals);
    for (int z = first.z; z <= last.z; ++z) {
        for (int y = first.y; y <= last.y; ++y) {
            for (int x = first.x; x <= last.x; ++x) {
                vec3 p = vec3(x, y, z) * grid.cell_size;
                uint feature;
                vec3 way = p - blend(corners, nearest_on_triangle(p, corners, feature));
                float distance = length(way);
                if (!(distance <= band * grid.cell_size) || normals[feature] == vec3(0.0)) continue;
                bool is_inside = dot(way, normals[feature]) < 0.0;
                atomicMin(cells[cell_ix_of(grid, uvec3(x, y, z))], cell_key(distance, is_inside));
            }
        }
    }
}
