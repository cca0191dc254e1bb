// A unit vector in one number that any float holds exactly: twelve bits for each coordinate of its octahedral projection (Meyer et al.,
// "On floating-point normal vectors", 2010), plus one; 0 means none. +Y is 16,775,169. src/math/direction.rs is its twin.
#ifndef SHARED_DIRECTION
#define SHARED_DIRECTION

const float DIRECTION_STEPS = 4095.0;

float pack_direction(vec3 direction) {
    vec2 at = direction.xy / (abs(direction.x) + abs(direction.y) + abs(direction.z));
    vec2 sides = vec2(at.x < 0.0 ? -1.0 : 1.0, at.y < 0.0 ? -1.0 : 1.0);
    if (direction.z < 0.0) at = (1.0 - abs(at.yx)) * sides;
    vec2 steps = floor(clamp(0.5 * at + 0.5, 0.0, 1.0) * DIRECTION_STEPS + 0.5);
    return steps.y * 4096.0 + steps.x + 1.0;
}

vec3 unpack_direction(float packed) {
    vec2 steps = vec2(mod(packed - 1.0, 4096.0), floor((packed - 1.0) / 4096.0));
    vec2 at = steps / DIRECTION_STEPS * 2.0 - 1.0;
    vec3 direction = vec3(at, 1.0 - abs(at.x) - abs(at.y));
    vec2 sides = vec2(at.x < 0.0 ? -1.0 : 1.0, at.y < 0.0 ? -1.0 : 1.0);
    if (direction.z < 0.0) direction.xy = (1.0 - abs(direction.yx)) * sides;
    return normalize(direction);
}

#endif
