// Where cloth has been apart last, and has gone with the body since.
#ifndef CLOTH_CONTACT_APART
#define CLOTH_CONTACT_APART

#include "cloth/contact_surface.glsl"
#include "shared/detail.glsl"

// How many sub-steps of the step a particle moves in this one; 0: it is none of its own, and the particle has not moved.
uint moved_sub_steps(uint particle_ix) {
    return own_sub_step_span(contact_particles[particle_ix].garment >> STRIDE_SHIFT, sub_step_ix, sub_steps);
}

// Where a particle would be had it moved with the body alone since it was apart last.
vec3 apart_from(uint particle_ix) {
    float carried_part = is_resolved != 0 ? 0.0 : float(moved_sub_steps(particle_ix)) / float(sub_steps);
    return contact_particles[particle_ix].apart + contact_particles[particle_ix].carried * carried_part;
}

#endif
