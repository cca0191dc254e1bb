// Puts skin into a cell; what of several triangles stays is a matter of their keys. Includers declare `cells` first.
#ifndef RADIAL_KEEP
#define RADIAL_KEEP

#include "radial/cell.glsl"
#include "radial/triangle.glsl"

// `cell`: where the triangle was drawn, half a turn off when `shifted`. `plane` and `range`: those of its FieldTriangle.
void keep(Field field, ivec2 cell, bool shifted, vec4 plane, vec2 range, uint rank) {
    ivec2 size = ivec2(field.width, field.height);
    if (shifted) cell.x = (cell.x + size.x / 2) % size.x;
    vec2 centre = (vec2(cell) + 0.5) / vec2(size);
    float distance = distance_in_cell(plane, range, centre.x, centre.y, field.axis_length);
    atomicMin(cells[field.cell_offset + cell.y * field.width + cell.x], cell_key(rank, distance));
}

#endif
