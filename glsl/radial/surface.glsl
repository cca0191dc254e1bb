// The surface that a field's cells describe (paper, section 6.3.1); src/collide/radial/twin/collide.rs is its twin.
// Includers declare `cells` first.
#ifndef RADIAL_SURFACE
#define RADIAL_SURFACE

#include "radial/cell.glsl"

// Whether an empty cell empties only the halves of quads that it is a corner of; in the paper it empties the quads.
// `FieldRules::half_cells`.
layout(constant_id = 3) const bool HALF_CELLS = true;

struct Plane {
    vec3 normal; // field space, not unit
    vec3 point;  // field space
};

// The distance in a cell; rows past a closed end of the body close onto the axis.
float cell_distance(Field field, int column, int row) {
    bool capped = (row == 0 && (field.caps & 1u) != 0) || (row + 1 == int(field.height) && (field.caps & 2u) != 0);
    return capped ? 0.0 : distance_of_key(cells[field.cell_offset + row * field.width + column]);
}

// The height of a row's centres, field space.
float row_z(Field field, int row) {
    return (float(row) + 0.5) / float(field.height);
}

// The centre of a cell on the surface, field space; FARTHEST when the cell is empty. For drawing: `surface_at` does the same with
// fewer sines.
vec3 cell_corner(Field field, int column, int row) {
    int wrapped = (column + int(field.width)) % int(field.width);
    float distance = cell_distance(field, wrapped, row);
    vec2 direction = direction_of((float(wrapped) + 0.5) / float(field.width));
    return distance < FARTHEST ? vec3(distance * direction, row_z(field, row)) : vec3(FARTHEST);
}

// Which half of a quad of cell centres holds a point that lies `within` it, 0 to 1 from its low corner. In a quad that closes
// onto the axis one half has no area: the other one stands for both.
bool in_lower_half(Field field, int row, vec2 within) {
    bool closes_first = row == 0 && (field.caps & 1u) != 0;
    bool closes_last = row + 2 == int(field.height) && (field.caps & 2u) != 0;
    return closes_last || (within.x > within.y && !closes_first);
}

// The plane of one half of the quad whose low corner is the cell `base`, column -1 meaning the last; false where a corner is
// empty: one of its own, or without HALF_CELLS any of the quad's.
bool half_plane(Field field, ivec2 base, bool lower, out Plane plane) {
    int width = int(field.width);
    int left = base.x < 0 ? base.x + width : base.x;
    int right = left + 1 == width ? 0 : left + 1;
    ivec2 side_cell = lower ? ivec2(right, base.y) : ivec2(left, base.y + 1);
    float low_distance = cell_distance(field, left, base.y);
    float high_distance = cell_distance(field, right, base.y + 1);
    float side_distance = cell_distance(field, side_cell.x, side_cell.y);
    if (max(low_distance, max(high_distance, side_distance)) >= FARTHEST) return false;
    ivec2 other_cell = lower ? ivec2(left, base.y + 1) : ivec2(right, base.y);
    if (!HALF_CELLS && cell_distance(field, other_cell.x, other_cell.y) >= FARTHEST) return false;
    vec2 left_direction = direction_of((float(left) + 0.5) / float(field.width));
    vec2 right_direction = direction_of((float(right) + 0.5) / float(field.width));
    vec3 low = vec3(low_distance * left_direction, row_z(field, base.y));
    vec3 high = vec3(high_distance * right_direction, row_z(field, base.y + 1));
    vec3 side = vec3(side_distance * (lower ? right_direction : left_direction), row_z(field, side_cell.y));
    plane.point = low;
    plane.normal = lower ? cross(side - low, high - low) : cross(high - low, side - low);
    return true;
}

// The half cell that holds a point: its quad's low corner, and 1 for the lower half; false where the field has ended.
bool half_cell_at(Field field, vec3 pos_in_field, out ivec3 half_cell) {
    vec2 at = vec2(revolution_of(pos_in_field.xy), pos_in_field.z) * vec2(field.width, field.height) - 0.5;
    half_cell.xy = ivec2(floor(at));
    if (half_cell.y < 0 || half_cell.y + 1 >= int(field.height)) return false;
    half_cell.z = int(in_lower_half(field, half_cell.y, at - vec2(half_cell.xy)));
    return true;
}

// The plane of the half cell that holds a point; false where a corner is empty or the field has ended.
bool surface_at(Field field, vec3 pos_in_field, out Plane plane) {
    ivec3 half_cell;
    return half_cell_at(field, pos_in_field, half_cell) && half_plane(field, half_cell.xy, half_cell.z != 0, plane);
}

#endif
