// Where cloth has been apart last, and has gone with the body since.
#ifndef CLOTH_CONTACT_APART
#define CLOTH_CONTACT_APART

#include "cloth/contact_surface.glsl"
#include "shared/detail.glsl"

// Where a particle would be had it moved with the body alone since it was apart last, if a sub-step of its own ends.
vec3 apart_from(uint particle_ix) {
    float carried_part = is_resolved != 0 ? 0.0 : float(span_to(stride_of(particle_ix), sub_step_ix)) / float(sub_steps);
    return contact_particles[particle_ix].apart + contact_particles[particle_ix].carried * carried_part;
}

#endif
