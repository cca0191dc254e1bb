// A slice through the middle of each grid, across its shortest side: the band of known distances, green on the skin, red
// outside and blue inside. Where a cell is empty nothing is drawn.
// Reads: grids, their transforms, their cells. Six vertices for every four cells that lie next to each other, one draw a grid.
// Runs after the simulation, within the picture.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "shared/view.glsl"
#include "shared/heat.glsl"
#include "distance_field/cell.glsl"

layout(scalar, binding = 1) readonly buffer Grids { Grid grids[]; };
layout(scalar, binding = 2) readonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, binding = 3) readonly buffer Cells { uint cells[]; };
layout(scalar, push_constant) uniform Push {
    uint transform_stride;
    uint sub_steps;
    uint grid_ix;
    uint across; // the axis that the slice lies across
    float band;  // metres
};

#include "shared/interpolated_transform.glsl"

layout(location = 0) out vec3 out_position;
layout(location = 1) out vec3 out_colour;
layout(location = 2) out vec2 out_within;

// The cell of the slice that lies `at` cells along its two sides.
uvec3 cell_of_slice(Grid grid, uvec2 at) {
    uvec3 cell;
    cell[across] = grid.size[across] / 2;
    cell[(across + 1) % 3] = at.x;
    cell[(across + 2) % 3] = at.y;
    return cell;
}

void main() {
    const uvec2 CORNERS[6] = uvec2[](uvec2(0, 0), uvec2(1, 0), uvec2(1, 1), uvec2(0, 0), uvec2(1, 1), uvec2(0, 1));
    Grid grid = grids[grid_ix];
    uint quad = gl_VertexIndex / 6, quads_along = grid.size[(across + 1) % 3] - 1;
    uvec2 low = uvec2(quad % quads_along, quad / quads_along);
    bool empty = false;
    for (uint i = 0; i < 4; ++i) {
        uvec3 corner = cell_of_slice(grid, low + (uvec2(i, i >> 1) & 1u));
        empty = empty || cells[cell_ix_of(grid, corner)] == EMPTY_KEY;
    }
    gl_Position = vec4(0.0);
    out_position = vec3(0.0);
    out_colour = vec3(0.0);
    out_within = vec2(0.0);
    if (empty) return;
    uvec2 offset = CORNERS[gl_VertexIndex % 6];
    uvec3 cell = cell_of_slice(grid, low + offset);
    out_position = interpolated_transform(grid_ix) * vec4(vec3(cell) * grid.cell_size, 1.0);
    out_colour = heat(0.5 + 0.5 * signed_distance_of_key(cells[cell_ix_of(grid, cell)]) / band);
    out_within = vec2(offset);
    gl_Position = view.clip_from_world * vec4(out_position, 1.0);
}
