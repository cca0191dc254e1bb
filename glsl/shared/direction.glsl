// A unit vector and how much friction is left in its contact, in one float: twelve bits for each coordinate of the direction's octahedral
// projection (Meyer et al., "On floating-point normal vectors", 2010), the highest of the 24 as sign, the others as mantissa; the
// exponent says which step of friction, metres, rounded down: eight steps from a power of two to the next. 0 means no contact.
// src/math/direction.rs is its twin.
#ifndef SHARED_DIRECTION
#define SHARED_DIRECTION

const float DIRECTION_STEPS = 4095.0;

// The upper bits of a float are its exponent and the first three of its mantissa.
const uint FRICTION_SHIFT = 20;
// Steps of friction: from 2^-27 m, which is as good as none, to under 4 m.
const uint LEAST_FRICTION = 100 << 3;
const uint MOST_FRICTION = (128 << 3) + 7;
const uint MANTISSA = 0x7FFFFFu;

// `friction`: metres of motion along the surface that the contact may yet take away, 0 or more.
float pack_contact(vec3 direction, float friction) {
    vec2 at = direction.xy / (abs(direction.x) + abs(direction.y) + abs(direction.z));
    vec2 sides = vec2(at.x < 0.0 ? -1.0 : 1.0, at.y < 0.0 ? -1.0 : 1.0);
    if (direction.z < 0.0) at = (1.0 - abs(at.yx)) * sides;
    uvec2 steps = uvec2(clamp(0.5 * at + 0.5, 0.0, 1.0) * DIRECTION_STEPS + 0.5);
    uint places = steps.y * 4096u + steps.x;
    // From 1 to 232: neither a denormal nor infinite.
    uint step = clamp(floatBitsToUint(friction) >> FRICTION_SHIFT, LEAST_FRICTION, MOST_FRICTION) - LEAST_FRICTION + 1u;
    return uintBitsToFloat(places >> 23 << 31 | step << 23 | places & MANTISSA);
}

vec3 unpack_direction(float packed) {
    uint bits = floatBitsToUint(packed), places = bits >> 31 << 23 | bits & MANTISSA;
    vec2 at = vec2(places % 4096u, places / 4096u) / DIRECTION_STEPS * 2.0 - 1.0;
    vec3 direction = vec3(at, 1.0 - abs(at.x) - abs(at.y));
    vec2 sides = vec2(at.x < 0.0 ? -1.0 : 1.0, at.y < 0.0 ? -1.0 : 1.0);
    if (direction.z < 0.0) direction.xy = (1.0 - abs(direction.yx)) * sides;
    return normalize(direction);
}

// What pack_contact was given, metres: at most that, and more than eight ninths of it; never less than the least.
float unpack_friction(float packed) {
    uint step = floatBitsToUint(packed) >> 23 & 255u;
    return uintBitsToFloat(step - 1u + LEAST_FRICTION << FRICTION_SHIFT);
}

#endif
