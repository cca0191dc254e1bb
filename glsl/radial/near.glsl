// Broad phase (paper, section 6.1): which fields are near a workgroup's particles, then each field's cylinder.
// Includers declare `fields`, `transforms` and the push constants first, and have workgroups of 64.
#ifndef RADIAL_NEAR
#define RADIAL_NEAR

#include "shared/near.glsl"

// A ball round the field at one moment: centre and radius, world space.
vec4 ball_round(uint field_ix, FieldTransform moment) {
    Field field = fields[field_ix];
    vec3 centre = affine(moment.world_from_field) * vec4(0.0, 0.0, 0.5, 1.0);
    float scale = max(length(affine(moment.world_from_field)[0]), length(affine(moment.world_from_field)[1]));
    return vec4(centre, length(0.5 * affine(moment.world_from_field)[2]) + field.radius * scale);
}

// Whether a path, in field space, meets the field's cylinder widened by `margin` metres.
bool passes_cylinder(Field field, vec3 start, vec3 end, float margin) {
    float widened = margin / field.axis_length;
    if (max(start.z, end.z) < -widened || min(start.z, end.z) > 1.0 + widened) return false;
    vec2 edge = end.xy - start.xy;
    float size = dot(edge, edge);
    float along = size > 0.0 ? clamp(-dot(start.xy, edge) / size, 0.0, 1.0) : 0.0;
    return length(start.xy + along * edge) < field.radius + margin;
}

#endif
