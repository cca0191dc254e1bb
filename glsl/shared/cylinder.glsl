// Cylinder coordinates: the paper's equations 2 and 3.
#ifndef SHARED_CYLINDER
#define SHARED_CYLINDER

const float TAU = 6.28318530717958647692;

// The revolution, in [0, 1), of a point across the axis.
float revolution_of(vec2 across) {
    if (across == vec2(0.0)) return 0.0; // on the axis, where atan may return anything
    float revolution = atan(across.y, across.x) / TAU;
    return revolution < 0.0 ? min(revolution + 1.0, 0.99999994) : revolution;
}

// The unit direction of a revolution.
vec2 direction_of(float revolution) {
    return vec2(cos(revolution * TAU), sin(revolution * TAU));
}

#endif
