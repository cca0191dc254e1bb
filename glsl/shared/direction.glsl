// A unit vector and how much friction is left in its contact, in one float: twelve bits for each coordinate of the direction's octahedral
// projection (Meyer et al., "On floating-point normal vectors", 2010), the highest of the 24 as sign, the others as mantissa; the
// exponent is that of the friction, metres, rounded down to a power of two. 0 means no contact. src/math/direction.rs is its twin.
#ifndef SHARED_DIRECTION
#define SHARED_DIRECTION

const float DIRECTION_STEPS = 4095.0;

// Exponents, biased as floats have them: 2^-60 m, which is as good as none, to 2 m.
const uint LEAST_FRICTION = 67;
const uint MOST_FRICTION = 128;
const uint MANTISSA = 0x7FFFFFu;

// `friction`: metres of motion along the surface that the contact may yet take away, 0 or more.
float pack_contact(vec3 direction, float friction) {
    vec2 at = direction.xy / (abs(direction.x) + abs(direction.y) + abs(direction.z));
    vec2 sides = vec2(at.x < 0.0 ? -1.0 : 1.0, at.y < 0.0 ? -1.0 : 1.0);
    if (direction.z < 0.0) at = (1.0 - abs(at.yx)) * sides;
    uvec2 steps = uvec2(clamp(0.5 * at + 0.5, 0.0, 1.0) * DIRECTION_STEPS + 0.5);
    uint places = steps.y * 4096u + steps.x;
    uint exponent = clamp(floatBitsToUint(friction) >> 23 & 255u, LEAST_FRICTION, MOST_FRICTION);
    return uintBitsToFloat(places >> 23 << 31 | exponent << 23 | places & MANTISSA);
}

float pack_direction(vec3 direction) {
    return pack_contact(direction, 0.0);
}

vec3 unpack_direction(float packed) {
    uint bits = floatBitsToUint(packed), places = bits >> 31 << 23 | bits & MANTISSA;
    vec2 at = vec2(places % 4096u, places / 4096u) / DIRECTION_STEPS * 2.0 - 1.0;
    vec3 direction = vec3(at, 1.0 - abs(at.x) - abs(at.y));
    vec2 sides = vec2(at.x < 0.0 ? -1.0 : 1.0, at.y < 0.0 ? -1.0 : 1.0);
    if (direction.z < 0.0) direction.xy = (1.0 - abs(direction.yx)) * sides;
    return normalize(direction);
}

// What pack_contact was given, metres: at most that, and more than half of it.
float unpack_friction(float packed) {
    return uintBitsToFloat(floatBitsToUint(packed) & 0x7F800000u);
}

#endif
