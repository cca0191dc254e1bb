// Which paths come near a field: its cylinder. Includers declare `fields`, `radii`, `transforms` and the push constants first.
#ifndef RADIAL_OVERLAP
#define RADIAL_OVERLAP

// Whether a path, in field space, meets the field's cylinder widened by `margin` metres of the bind pose. The cylinder is as wide
// as the furthest skin in the cells, so no surface lies beyond it in any pose.
bool path_overlaps_cylinder(uint field_ix, vec3 start, vec3 end, float margin) {
    float widened = margin / fields[field_ix].axis_length;
    if (max(start.z, end.z) < -widened || min(start.z, end.z) > 1.0 + widened) return false;
    vec2 edge = end.xy - start.xy;
    float size = dot(edge, edge);
    float along = size > 0.0 ? clamp(-dot(start.xy, edge) / size, 0.0, 1.0) : 0.0;
    return length(start.xy + along * edge) < radii[field_ix] + margin;
}

// Whether a path, in world space and relative to the field on its way, comes within `margin` metres of the field's cylinder.
bool overlaps_field(uint field_ix, vec3 from, vec3 to, float margin) {
    uint before = first_before + field_ix, after = first_after + field_ix;
    vec3 start = affine(transforms[before].field_from_world) * vec4(from, 1.0);
    vec3 end = affine(transforms[after].field_from_world) * vec4(to, 1.0);
    return path_overlaps_cylinder(field_ix, start, end, margin * max(transforms[before].max_scale, transforms[after].max_scale));
}

#endif
