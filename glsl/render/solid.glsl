// What the draws of rigid solids bind. Includers declare `view` first, and SOLID_BINDING, the number of the first binding.
#ifndef RENDER_SOLID
#define RENDER_SOLID

#ifndef SOLID_BINDING
#define SOLID_BINDING 5
#endif

struct SolidVertex {
    vec3 position; // metres in the solid's space
    vec3 normal;   // unit
    float error;   // cells of its field from the mesh that it was made of
};

layout(scalar, binding = SOLID_BINDING) readonly buffer Vertices { SolidVertex vertices[]; };
layout(scalar, binding = SOLID_BINDING + 1) readonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, push_constant) uniform Push {
    uint transform_stride;
    uint sub_steps;
    uint field_ix;
    uint seen_from; // of a map that shadows are taken from
    float error_of_red; // cells; 0: drawn as it is
};

#endif
