// The particles as every collision technique binds them, and its results. Binding numbers 0 to 4 are the same in all
// of them; includers that respond to contacts define PATH_STARTS, the number of one more.
#ifndef SHARED_PARTICLES
#define SHARED_PARTICLES

#include "shared/direction.glsl"

layout(scalar, binding = 0) readonly buffer Particles { Particle particles[]; };
layout(scalar, binding = 1) readonly buffer Garments { GarmentSettings garments[]; };
layout(scalar, binding = 2) buffer Current { vec4 current[]; };     // world space; w: not 0 for a particle that is astray
layout(scalar, binding = 3) buffer Predicted { vec4 predicted[]; }; // world space; w: the normal of the last contact, packed
layout(scalar, binding = 4) buffer Contacts { vec4 contacts[]; };   // normal and the deepest push of this step, metres

#ifdef PATH_STARTS
// Where the particles were when the sub-steps began that the next collision is for, world space; of use where those are several of their own.
layout(scalar, binding = PATH_STARTS) readonly buffer PathStarts { vec4 path_starts[]; };

// Where a particle's path begins that takes `since` sub-steps of its own.
vec3 path_start(uint particle_ix, float since) {
    return since == 1.0 ? current[particle_ix].xyz : path_starts[particle_ix].xyz;
}

// How far the current position of a particle goes along whose predicted one has been moved by `moved` on such a path; of that `shift` gives it
// no speed. The rest came about over all those sub-steps: cloth at rest sticks, and slides as fast as it should.
vec3 current_shift(vec3 moved, vec3 shift, float since) {
    return shift + (moved - shift) * (1.0 - 1.0 / since);
}
#endif

// Whether a particle is returning to its allowed place, through whatever is in between: see cloth/predict.glsl.
bool is_astray(uint particle_ix) {
    return current[particle_ix].w != 0.0;
}

#endif
