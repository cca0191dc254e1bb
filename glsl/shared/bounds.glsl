// Boxes in world space.
#ifndef SHARED_BOUNDS
#define SHARED_BOUNDS

// Metres. A particle further from the world's origin has been thrown out of the world.
const float FARTHEST_PLACE = 1e4;

const Bounds NOWHERE = Bounds(vec3(3.4e38), vec3(-3.4e38));
const Bounds EVERYWHERE = Bounds(vec3(-3e38), vec3(3e38));

bool overlap(Bounds a, Bounds b) {
    return all(lessThanEqual(a.low, b.high)) && all(lessThanEqual(b.low, a.high));
}

bool contains(Bounds outer, Bounds inner) {
    return all(lessThanEqual(outer.low, inner.low)) && all(lessThanEqual(inner.high, outer.high));
}

Bounds united(Bounds a, Bounds b) {
    return Bounds(min(a.low, b.low), max(a.high, b.high));
}

Bounds widened(Bounds bounds, float margin) {
    return Bounds(bounds.low - margin, bounds.high + margin);
}

// Of a path. One that is nowhere, or not a number, must not hide what is near the others of its group.
Bounds bounds_of_path(vec3 from, vec3 to) {
    vec3 farthest = max(abs(from), abs(to));
    if (!(max(farthest.x, max(farthest.y, farthest.z)) < FARTHEST_PLACE)) return EVERYWHERE;
    return Bounds(min(from, to), max(from, to));
}

// Words that order as the numbers do, so that an atomic minimum finds the least.
uint key_of_number(float number) {
    uint bits = floatBitsToUint(number);
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

float number_of_key(uint key) {
    return uintBitsToFloat((key & 0x80000000u) != 0 ? key & 0x7FFFFFFFu : ~key);
}

// The words of a box that nothing is in.
const BodyBounds KEYS_OF_NOTHING = BodyBounds(uint[](~0u, ~0u, ~0u), uint[](~0u, ~0u, ~0u));

// The box that such words are.
Bounds bounds_of_keys(BodyBounds keys) {
    Bounds bounds;
    for (uint i = 0; i < 3; ++i) {
        bounds.low[i] = number_of_key(keys.low[i]);
        bounds.high[i] = number_of_key(~keys.high[i]);
    }
    return bounds;
}

// Round a box of field space; nowhere if the transform is not finite.
Bounds transformed(mat4x3 world_from_field, Bounds bounds) {
    vec3 centre = world_from_field * vec4(0.5 * (bounds.low + bounds.high), 1.0);
    vec3 size = 0.5 * (bounds.high - bounds.low);
    vec3 radius = abs(world_from_field[0]) * size.x + abs(world_from_field[1]) * size.y + abs(world_from_field[2]) * size.z;
    Bounds result = Bounds(centre - radius, centre + radius);
    return all(lessThanEqual(result.low, result.high)) ? result : NOWHERE;
}

#endif
