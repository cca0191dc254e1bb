// The transform of a bone attachment at the time that is drawn, between the previous step and this one. Includers declare `view`,
// `transforms`, `transform_stride` and `sub_steps` first.
#ifndef SHARED_INTERPOLATED_TRANSFORM
#define SHARED_INTERPOLATED_TRANSFORM

mat4x3 interpolated_transform(uint field_ix) {
    float at = view.alpha * float(sub_steps);
    uint before = min(uint(at), sub_steps - 1);
    float share = at - float(before);
    mat4x3 from = affine(transforms[before * transform_stride + field_ix].world_from_field);
    mat4x3 to = affine(transforms[(before + 1) * transform_stride + field_ix].world_from_field);
    return from * (1.0 - share) + to * share;
}

#endif
