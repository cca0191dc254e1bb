// What the passes that let cloth sleep share: how garments lay after a step.
#ifndef CLOTH_SLEEP
#define CLOTH_SLEEP

#include "shared/structs.glsl"
#include "shared/bounds.glsl"

// What share of a garment's particles may move for it to be at rest all the same. Usually 0.02: where cloth is
// pinched a hundredth trembles for ever; with 0 no clothes ever sleep, with much more the hem of a skirt stops in the air.
const float RESTLESS_SHARE = 0.02;

// Nothing is in it.
const GarmentRest NO_REST = GarmentRest(KEYS_OF_NOTHING, 0, 0, 0);

// Or nothing is known of it yet.
bool is_restless(GarmentRest rest) {
    return rest.particle_count == 0 || float(rest.restless_count) > RESTLESS_SHARE * float(rest.particle_count);
}

// Whether it moves so that other cloth feels it, be it with its own skin.
bool is_moving(GarmentRest rest) {
    return float(rest.moving_count) > RESTLESS_SHARE * float(rest.particle_count);
}

#endif
