// Writes the distance from the axis to the skin into each cell a triangle covers, as radial/rasterise.vert and .frag do through
// the graphics pipeline: for devices whose raster units are few, since most triangles are smaller than a cell.
// Reads: skinned positions, field triangles, fields, field transforms. Writes: cells, by atomic minimum of the keys of
// radial/cell.glsl.
// One thread a field triangle, which visits the cells of its bounding box. Runs after bake and the clear; collide comes next.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "shared/cylinder.glsl"
#include "radial/triangle.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer Positions { vec3 positions[]; };
layout(scalar, binding = 1) readonly buffer Triangles { uvec4 triangles[]; };
layout(scalar, binding = 2) readonly buffer Fields { Field fields[]; };
layout(scalar, binding = 3) readonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, binding = 4) buffer Cells { uint cells[]; };
layout(scalar, push_constant) uniform Push {
    uint triangle_count;
    uint transform_offset; // of this step's last moment
};

#include "radial/keep.glsl"

// Positive when `to` lies to the left of `from` as seen from the origin. Not contracted, so that of two triangles at one edge
// exactly one holds a point near it.
float turn_between(vec2 from, vec2 to) {
    precise float ahead = from.x * to.y;
    precise float back = from.y * to.x;
    precise float turn = ahead - back;
    return turn;
}

// Whether the origin lies to the left of an edge, or on an edge that is the triangle's own: a left or a top one.
bool is_left(vec2 from, vec2 to) {
    float turn = turn_between(from, to);
    vec2 way = to - from;
    return turn > 0.0 || (turn == 0.0 && (way.y < 0.0 || (way.y == 0.0 && way.x > 0.0)));
}

void main() {
    if (gl_GlobalInvocationID.x >= triangle_count) return;
    uvec4 triangle = triangles[gl_GlobalInvocationID.x];
    uint field_ix = triangle.w & FIELD_MASK;
    Field field = fields[field_ix];
    mat4x3 field_from_world = transforms[transform_offset + field_ix].field_from_world;
    vec3 corners[3];
    for (uint i = 0; i < 3; ++i) corners[i] = field_from_world * vec4(positions[triangle[i]], 1.0);
    FieldTriangle placed = place_triangle(corners, field.axis_length);
    if (placed.culled) return;

    ivec2 size = ivec2(field.width, field.height);
    vec2 a = placed.corners[0] * vec2(size), b = placed.corners[1] * vec2(size), c = placed.corners[2] * vec2(size);
    if (turn_between(b - a, c - a) < 0.0) {
        vec2 other = b;
        b = c;
        c = other;
    }
    // Skin that has moved past the ends of the field is not in it; clamped first, for it may be very far away.
    vec2 low = clamp(min(a, min(b, c)) - 0.5, vec2(0.0), vec2(size));
    vec2 high = clamp(max(a, max(b, c)) - 0.5, vec2(-1.0), vec2(size) - 1.0);
    ivec2 first = ivec2(ceil(low)), last = ivec2(floor(high));
    for (int row = first.y; row <= last.y; ++row) {
        for (int column = first.x; column <= last.x; ++column) {
            vec2 centre = vec2(column, row) + 0.5;
            if (!is_left(a - centre, b - centre) || !is_left(b - centre, c - centre) || !is_left(c - centre, a - centre)) continue;
            keep(field, ivec2(column, row), placed.shifted, placed.plane, placed.range, triangle.w >> 30);
        }
    }
}
