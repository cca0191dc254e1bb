// Rigid solids as the collision meets them: how far a point is from one, and which way out. Analytic shapes, and any mesh by its signed
// distance field. src/solid/shape.rs is the twin of the shapes.
// Includers define SOLIDS and SOLID_WORDS first, the numbers of two bindings.
#ifndef SHARED_SOLIDS
#define SHARED_SOLIDS

#include "shared/bounds.glsl"
#include "shared/solid_field.glsl"

const uint HALF_SPACE = 0; // below y = 0
const uint SPHERE = 1;
const uint CAPSULE = 2; // along y
const uint BOX = 3;
const uint TORUS = 4; // round y
const uint SAMPLED = 5;

// 64 bytes.
struct Solid {
    uint kind;
    float size[3]; // metres. Sphere: radius; capsule: half the length of its axis, radius; box: half its sides; torus: radius, tube's radius
    SolidField field; // of a sampled one
    float friction;    // coefficient; negative: the cloth's
    float restitution; // part of the speed into it with which cloth bounces off
};

// Between a solid and cloth of some coefficient.
float friction_between(Solid solid, float of_cloth) {
    return solid.friction < 0.0 ? of_cloth : sqrt(solid.friction * of_cloth);
}

layout(scalar, binding = SOLIDS) readonly buffer Solids { Solid solids[]; };

// From a point of the solid's skeleton: its middle, its axis, its ring.
float distance_from(vec3 apart, float radius, out vec3 gradient) {
    float size = length(apart);
    gradient = size > 0.0 ? apart / size : vec3(0.0, 1.0, 0.0);
    return size - radius;
}

float distance_to_box(vec3 half_size, vec3 at, out vec3 gradient) {
    vec3 beyond = abs(at) - half_size, outside = max(beyond, 0.0);
    vec3 side = vec3(at.x < 0.0 ? -1.0 : 1.0, at.y < 0.0 ? -1.0 : 1.0, at.z < 0.0 ? -1.0 : 1.0);
    float size = length(outside);
    if (size > 0.0) {
        gradient = side * outside / size;
        return size;
    }
    float deepest = max(beyond.x, max(beyond.y, beyond.z));
    gradient = beyond.x == deepest ? vec3(side.x, 0.0, 0.0) : beyond.y == deepest ? vec3(0.0, side.y, 0.0) : vec3(0.0, 0.0, side.z);
    return deepest;
}

float distance_to_torus(float radius, float tube_radius, vec3 at, out vec3 gradient) {
    float from_axis = length(at.xz);
    vec3 outward = from_axis > 0.0 ? vec3(at.x / from_axis, 0.0, at.z / from_axis) : vec3(1.0, 0.0, 0.0);
    return distance_from(at - outward * radius, tube_radius, gradient);
}

// The distance to a solid's surface at a point in its space, metres, negative inside, and the unit direction in which it grows. False
// where the solid is too far away to matter, or has no way out.
bool sample_solid(Solid solid, vec3 at, out float distance, out vec3 gradient) {
    vec3 size = vec3(solid.size[0], solid.size[1], solid.size[2]);
    switch (solid.kind) {
        case HALF_SPACE:
            gradient = vec3(0.0, 1.0, 0.0);
            distance = at.y;
            return true;
        case SPHERE:
            distance = distance_from(at, size.x, gradient);
            return true;
        case CAPSULE:
            distance = distance_from(at - vec3(0.0, clamp(at.y, -size.x, size.x), 0.0), size.y, gradient);
            return true;
        case BOX:
            distance = distance_to_box(size, at, gradient);
            return true;
        case TORUS:
            distance = distance_to_torus(size.x, size.y, at, gradient);
            return true;
    }
    if (!sample_field(solid.field, at, distance, gradient)) return false;
    float slope = length(gradient);
    gradient /= slope;
    return slope > 0.0;
}

// Round a solid in its space.
Bounds bounds_of_solid(Solid solid) {
    vec3 size = vec3(solid.size[0], solid.size[1], solid.size[2]), reach = size;
    if (solid.kind == HALF_SPACE) return EVERYWHERE;
    if (solid.kind == SAMPLED) {
        vec3 cells = vec3(BRICK_CELLS * bricks_of(solid.field));
        return Bounds(solid.field.low, solid.field.low + cells * solid.field.cell_size);
    }
    if (solid.kind == SPHERE) reach = size.xxx;
    if (solid.kind == CAPSULE) reach = vec3(size.y, size.x + size.y, size.y);
    if (solid.kind == TORUS) reach = vec3(size.x + size.y, size.y, size.x + size.y);
    return Bounds(-reach, reach);
}

#endif
