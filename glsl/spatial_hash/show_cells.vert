// The occupied cells of the hash table, coloured by how full their lists are: red is full.
// Reads: stamps and lists, triangles, skin. One instance per triangle, 36 vertices per cell: each cell is drawn once, by the first
// triangle that its list holds. Runs after the simulation, within the picture.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "shared/view.glsl"
#include "shared/heat.glsl"

layout(scalar, binding = 1) readonly buffer SkinTriangles { SkinTriangle skin_triangles[]; };
layout(scalar, binding = 2) readonly buffer SkinAfter { vec3 skin_after[]; };
layout(scalar, binding = 3) readonly buffer ListsLow { uint lists_low[]; };
layout(scalar, binding = 4) readonly buffer ListsHigh { uint lists_high[]; };
layout(scalar, push_constant) uniform Push {
    float cell_size;
    uint entry_count;
    uint row;
    uint column;
    uint generation;
    uint triangle_bits;
    uint half_list;
};

#define HALF_LIST half_list
#include "spatial_hash/table.glsl"

layout(location = 0) out vec3 out_position;
layout(location = 1) out vec3 out_colour;
layout(location = 2) out vec2 out_within;

// What stands first in an entry's list; what never was if it lists nothing.
uint first_listed(uint entry) {
    for (uint slot = 0; slot < LIST; ++slot) {
        uint listed = listed_at(entry, slot);
        if (is_current(listed)) return listed;
    }
    return 0xFFFFFFFF;
}

// The `wanted`-th cell whose list this triangle is the first of; false if there are fewer.
bool find_cell(uint triangle_ix, uint wanted, out ivec3 cell) {
    SkinTriangle triangle = skin_triangles[triangle_ix];
    vec3 a = skin_after[triangle.vertices[0]], b = skin_after[triangle.vertices[1]], c = skin_after[triangle.vertices[2]];
    ivec3 first = cell_of(min(a, min(b, c))), size = cell_of(max(a, max(b, c))) - first + 1;
    uint count = uint(clamp(size.x * size.y * size.z, 0, 512)), found = 0;
    for (uint i = 0; i < count; ++i) {
        cell = first + ivec3(cell_in_box(i, uvec2(size.xy)));
        if (first_listed(entry_of(cell)) != listing(triangle_ix)) continue;
        if (found++ == wanted) return true;
    }
    return false;
}

// Part of the list's places that are taken.
float fullness(uint entry) {
    uint count = 0;
    for (uint slot = 0; slot < LIST; ++slot) count += uint(is_current(listed_at(entry, slot)));
    return float(count) / float(LIST);
}

void main() {
    const vec2 CORNERS[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(1, 1), vec2(0, 0), vec2(1, 1), vec2(0, 1));
    gl_Position = vec4(0.0);
    out_position = vec3(0.0);
    out_colour = vec3(0.0);
    out_within = CORNERS[gl_VertexIndex % 6];
    ivec3 cell;
    if (!find_cell(gl_InstanceIndex, gl_VertexIndex / 36, cell)) return;
    uint side = gl_VertexIndex / 6 % 6;
    vec3 corner = vec3(out_within, float(side % 2));
    corner = side < 2 ? corner : side < 4 ? corner.zxy : corner.yzx;
    out_position = (vec3(cell) + corner) * cell_size;
    out_colour = heat(fullness(entry_of(cell)));
    gl_Position = view.clip_from_world * vec4(out_position, 1.0);
}
