// How a hand holds cloth: not one particle alone, which would be drawn out to a needle, but what lies round it, the less the further
// away it is; src/cloth/brush.rs is its twin.
#ifndef CLOTH_BRUSH
#define CLOTH_BRUSH

// No particle.
const uint NOBODY = 0xFFFFFFFFu;
// How many times as wide as the way that the hand has gone the brush is. Usually 1.25; with less the cloth is drawn to a point, with
// more all of a garment comes along.
const float WIDENING = 1.25;
// A brush is never wider than this many times its radius, so that a sleeve is not pulled with the chest.
const float WIDEST = 3.0;

// Where a hand wants a particle, and in the fourth component how firmly: 1 for the one between its fingers, 0 for one that it does
// not hold. Distances are those between skinned places, which hardly change while it pulls.
// `place`, `grabbed_place`: skinned places of the particle and of the one between the fingers; `alignment`: of their skinned normals.
vec4 brushed(vec3 place, vec3 grabbed_place, float alignment, vec3 hand, float radius) {
    vec3 pull = hand - grabbed_place;
    vec3 apart = place - grabbed_place;
    float reach = clamp(WIDENING * length(pull), radius, WIDEST * radius);
    float nearness = max(0.0, 1.0 - dot(apart, apart) / (reach * reach));
    // The far side of a limb stays.
    float firmness = nearness * nearness * clamp(2.0 * alignment, 0.0, 1.0);
    return vec4(place + pull * firmness, firmness);
}

#endif
