// Whether a position is one: what broken bones have made is not.
#ifndef SHARED_SOMEWHERE
#define SHARED_SOMEWHERE

// Metres from the world's origin, within which cloth is somewhere. What broken bones have made further away, or no number, starts anew
// as soon as its skinned place is somewhere.
const float FARTHEST_AWAY = 1e9;

// Written so that a NaN is nowhere.
bool is_somewhere(vec3 at) {
    return dot(at, at) < FARTHEST_AWAY * FARTHEST_AWAY;
}

#endif
