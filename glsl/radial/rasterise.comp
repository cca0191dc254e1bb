// Writes the distance from the axis to the skin into each cell a triangle covers, as radial/rasterise.vert and .frag do through
// the graphics pipeline, and leaves large triangles to those where fields are drawn: raster units are at their worst with triangles smaller than
// a cell.
// Reads: skinned positions, field triangles, fields, field transforms. Writes: cells, by atomic minimum of the keys of
// radial/cell.glsl; the list of what is drawn.
// The first SCAN_SIZE threads of a workgroup place a field triangle each; then all divide the cells of their bounding boxes. Runs after
// bake and the clear; radial/rasterise.vert comes next, or collide.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "shared/cylinder.glsl"
#include "radial/triangle.glsl"

layout(local_size_x = 128) in;
layout(scalar, binding = 0) readonly buffer Positions { vec3 positions[]; };
layout(scalar, binding = 1) readonly buffer Triangles { uvec4 triangles[]; };
layout(scalar, binding = 2) readonly buffer Fields { Field fields[]; };
layout(scalar, binding = 3) readonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, binding = 4) buffer Cells { uint cells[]; };
layout(scalar, binding = 5) buffer Drawing { DrawnTriangles drawing; uint drawn_triangles[]; };
layout(scalar, push_constant) uniform Push {
    uint triangle_count;
    uint transform_offset; // of the transforms at the end of the step
};

// Cells of a triangle's bounding box above which it is drawn. Where nothing is drawn, no triangle has more.
layout(constant_id = 3) const uint MOST_CELLS = 0xFFFFFFFFu;

// Whether neighbours of a triangle may be drawn, so that its corners are snapped as theirs are.
const bool SNAPS_CORNERS = MOST_CELLS != 0xFFFFFFFFu;

#include "radial/write_cell.glsl"
const uint SCAN_SIZE = 32;
#include "shared/workgroup_scan.glsl"

// Positive when `to` lies to the left of `from` as seen from the origin. Not contracted, so that of two triangles at one edge
// exactly one holds a point near it.
float cross2_between(vec2 from, vec2 to) {
    precise float ahead = from.x * to.y;
    precise float back = from.y * to.x;
    precise float area = ahead - back;
    return area;
}

// Whether the origin lies to the left of an edge, or on an edge that is the triangle's own: a left or a top one.
bool is_left(vec2 from, vec2 to) {
    float area = cross2_between(from, to);
    vec2 edge = to - from;
    return area > 0.0 || (area == 0.0 && (edge.y < 0.0 || (edge.y == 0.0 && edge.x > 0.0)));
}

// A triangle as its cells need it.
struct Placed {
    vec2 corners[3]; // cells, counter-clockwise
    Facet facet;
    uint ranked_field; // the field's index and the rank above it
    bool shifted;
    bool is_near;
    ivec2 first; // of the bounding box
    uint width;
};

shared Placed placed_triangles[SCAN_SIZE];

// Places the thread's triangle and returns how many cells its bounding box holds, none if it is drawn.
uint place() {
    uint triangle_ix;
    if (!owns_triangle(triangle_count, triangle_ix)) return 0;
    uvec4 triangle = triangles[triangle_ix];
    uint field_ix = triangle.w & FIELD_MASK;
    Field field = fields[field_ix];
    mat4x3 field_from_world = affine(transforms[transform_offset + field_ix].field_from_world);
    vec3 corners[3];
    for (uint i = 0; i < 3; ++i) corners[i] = field_from_world * vec4(positions[triangle[i]], 1.0);
    FieldTriangle placed = place_triangle(corners, field.axis_length, triangle.w >> 30);
    if (placed.culled) return 0;

    vec2 size = vec2(field.width, field.height);
    vec2 a = placed.corners[0] * size, b = placed.corners[1] * size, c = placed.corners[2] * size;
    if (SNAPS_CORNERS) a = snapped(a), b = snapped(b), c = snapped(c);
    bool clockwise = cross2_between(b - a, c - a) < 0.0;
    // Skin that has moved past the ends of the field is not in it; clamped first, for it may be very far away.
    vec4 bounds = placed.is_near ? bounds_in_cells(placed, size, field.axis_length, triangle.w >> 30)
        : vec4(min(a, min(b, c)), max(a, max(b, c)));
    vec2 low = clamp(bounds.xy - 0.5, vec2(0.0), size);
    vec2 high = clamp(bounds.zw - 0.5, vec2(-1.0), size - 1.0);
    ivec2 first = ivec2(ceil(low)), last = ivec2(floor(high));
    ivec2 box = max(last - first + 1, ivec2(0));
    uint count = uint(box.x * box.y);
    if (count > MOST_CELLS) {
        drawn_triangles[atomicAdd(drawing.vertex_count, 3) / 3] = triangle_ix;
        return 0;
    }
    placed_triangles[gl_LocalInvocationID.x] = Placed(vec2[3](a, clockwise ? c : b, clockwise ? b : c), placed.facet, triangle.w,
        placed.shifted, placed.is_near, first, uint(box.x));
    return count;
}

void visit(uint cell_ix) {
    uint local_ix;
    Placed triangle = placed_triangles[scan_owner(cell_ix, local_ix)];
    ivec2 cell = triangle.first + ivec2(local_ix % triangle.width, local_ix / triangle.width);
    vec2 centre = vec2(cell) + 0.5;
    vec2 a = triangle.corners[0] - centre, b = triangle.corners[1] - centre, c = triangle.corners[2] - centre;
    if (!triangle.is_near && (!is_left(a, b) || !is_left(b, c) || !is_left(c, a))) return;
    Field field = fields[triangle.ranked_field & FIELD_MASK];
    write_cell_min(field, cell, triangle.shifted, triangle.is_near, triangle.facet, triangle.ranked_field >> 30);
}

void main() {
    uint total = workgroup_scan(place());
    // All threads go round as often: some drivers lose the last turn of those that leave a loop later than others.
    for (uint first = 0; first < total; first += gl_WorkGroupSize.x) {
        uint cell_ix = first + gl_LocalInvocationID.x;
        if (cell_ix < total) visit(cell_ix);
    }
}
