// What every technique knows of the particles it is given, and how it answers. Binding numbers 0 to 5 are the same in all
// of them.
#ifndef SHARED_PARTICLES
#define SHARED_PARTICLES

layout(scalar, binding = 0) readonly buffer Particles { Particle particles[]; };
layout(scalar, binding = 1) readonly buffer Garments { GarmentSettings garments[]; };
layout(scalar, binding = 2) buffer Current { vec4 current[]; };     // world space, w unused
layout(scalar, binding = 3) buffer Predicted { vec4 predicted[]; }; // world space, w unused
layout(scalar, binding = 4) buffer Contacts { vec4 contacts[]; };   // normal and the deepest push of this step, metres

#endif
