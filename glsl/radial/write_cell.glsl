// Puts skin into a cell; which of several triangles is kept is decided by their keys. Includers declare `cells` first.
#ifndef RADIAL_WRITE_CELL
#define RADIAL_WRITE_CELL

#include "radial/cell.glsl"
#include "radial/triangle.glsl"

// Whether skin that faces the axis is kept, marked; the paper leaves it out. `FieldRules::entries`.
layout(constant_id = 2) const bool KEEPS_ENTRIES = true;

// `cell`: where the triangle was drawn, half a revolution off when `shifted`. `is_near`: whether the cell's ray decides.
void write_cell_min(Field field, ivec2 cell, bool shifted, bool is_near, Facet facet, uint rank) {
    ivec2 size = ivec2(field.width, field.height);
    if (shifted) cell.x = (cell.x + size.x / 2) % size.x;
    vec2 centre = (vec2(cell) + 0.5) / vec2(size);
    bool enters = facet.enters, grazes = false;
    float distance = is_near ? distance_on_ray(facet, centre, field.axis_length, ray_slack(rank), enters, grazes)
        : distance_in_cell(facet, centre, field.axis_length);
    // The joint's own skin lies round its axis: where it faces the axis, it has folded.
    if (distance < 0.0 || (enters && rank == RANK_OWN)) return;
    if (enters && !KEEPS_ENTRIES) return;
    // Skin that only fills a crack has the lowest priority.
    if (grazes) rank = RANK_SHARED;
    atomicMin(cells[field.cell_offset + cell.y * field.width + cell.x], cell_key(rank, distance, enters));
}

#endif
