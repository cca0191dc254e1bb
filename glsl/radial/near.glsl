// Broad phase (paper, section 6.1): which fields are near a workgroup's particles, then each field's cylinder.
// Includers declare `fields`, `transforms` and the push constants first, and have workgroups of 64.
#ifndef RADIAL_NEAR
#define RADIAL_NEAR

#include "shared/near.glsl"

// Whether a path, in field space, meets the field's cylinder widened by `margin` metres.
bool passes_cylinder(Field field, vec3 start, vec3 end, float margin) {
    float widened = margin / field.axis_length;
    if (max(start.z, end.z) < -widened || min(start.z, end.z) > 1.0 + widened) return false;
    vec2 edge = end.xy - start.xy;
    float size = dot(edge, edge);
    float along = size > 0.0 ? clamp(-dot(start.xy, edge) / size, 0.0, 1.0) : 0.0;
    return length(start.xy + along * edge) < field.radius + margin;
}

// How much wider than the thickness the cylinder is taken, in the narrow test. Not the stretch: short fields get several times as much,
// the more the further they lie along the world's x, and need it. Measured over clips, with the stretch alone single particles came
// to lie 40 mm inside instead of 8.
float slack_of(FieldTransform moment) {
    return length(affine(moment.field_from_world)[0]);
}

// Whether a path, in world space and relative to the field on its way, comes within `margin` metres of the field's cylinder.
bool meets_field(uint field_ix, vec3 from, vec3 to, float margin) {
    Field field = fields[field_ix];
    FieldTransform before = transforms[transform_offset + field_ix];
    FieldTransform after = transforms[transform_offset + field_count + field_ix];
    vec3 start = affine(before.field_from_world) * vec4(from, 1.0);
    vec3 end = affine(after.field_from_world) * vec4(to, 1.0);
    return passes_cylinder(field, start, end, margin * max(before.stretch, after.stretch));
}

bool ball_meets(uint field_ix, vec3 centre, float radius) {
    return meets_field(field_ix, centre, centre, radius);
}

#endif
