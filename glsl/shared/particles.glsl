// The particles as every collision technique binds them, and its results. Binding numbers 0 to 5 are the same in all
// of them.
#ifndef SHARED_PARTICLES
#define SHARED_PARTICLES

#include "shared/direction.glsl"

layout(scalar, binding = 0) readonly buffer Particles { Particle particles[]; };
layout(scalar, binding = 1) readonly buffer Garments { GarmentSettings garments[]; };
layout(scalar, binding = 2) buffer Current { vec4 current[]; };     // world space; w: not 0 for a particle that is astray
layout(scalar, binding = 3) buffer Predicted { vec4 predicted[]; }; // world space; w: the normal of the last contact, packed
layout(scalar, binding = 4) buffer Contacts { vec4 contacts[]; };   // normal and the deepest push of this step, metres

// Whether a particle is returning to its allowed place, through whatever is in between: see cloth/predict.comp.
bool is_astray(uint particle_ix) {
    return current[particle_ix].w != 0.0;
}

#endif
