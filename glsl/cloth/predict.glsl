// Starts a sub-step: derives a particle's velocity from the last sub-step's motion and moves it by that, gravity and wind. A
// particle that its motion constraints find far astray returns to its allowed place instead.
#ifndef CLOTH_PREDICT
#define CLOTH_PREDICT

#include "cloth/sub_step.glsl"
#include "shared/somewhere.glsl"

// Metres per second. No cloth on a person is faster; a particle that is has been thrown by an error, which must die out.
const float MAX_SPEED = 40.0;
// The three below are for a person, and in proportion for others: a giant's limbs are faster too.

// Metres beyond what its motion constraints allow from which a particle is astray: it neither collides nor pulls at its neighbours
// until it is back. Usually 0.03, more than a fast limb outruns cloth by in a sub-step; much more, and cloth that a limb came
// through stays there.
const float ASTRAY = 0.03;
// Metres beyond what is allowed at which it is back; no fewer for the small, who may be moved as fast as people.
const float BACK = 0.001;
// Metres per second at which an astray particle returns to its allowed place, relative to the body. Usually 2: a leg's width in a
// few frames, without a jump. No fewer for the small, whose cloth gravity and motion pull as fast: at half of it a sleeve beside a limb
// of 0.8 m got entangled instead of home.
const float HOMING_SPEED = 2.0;

// Whether the next collision is for the own sub-step that begins and further ones, which are not over before it.
bool begins_path(uint stride) {
    if (collision_stride <= stride) return false;
    return begins_ix == 0 || collision_span(stride, collision_stride, begins_ix - 1, sub_steps) > 0;
}

// A particle's path through a sub-step.
struct Path {
    vec4 from; // w: not 0 for a particle that is astray
    vec4 to;   // w: the normal of the last contact, packed
};

// Of one that is `astray`, 1, or not, 0.
Path path_of(vec3 from, vec3 to, float astray) {
    return Path(vec4(from, astray), vec4(to, 0.0));
}

// Seconds in which the distance of a particle that follows the skin from its skinned place falls to a third. Usually 0.08; less and cloth jumps
// there, more and it floats beside a running body.
const float GLIDE_SECONDS = 0.08;

// To where skinning puts the particle, in one sub-step as long as the step. Nothing holds it meanwhile, and it meets nothing.
Path follow_skin(uint target_ix, vec3 from) {
    vec3 offset = from - previous_targets[target_ix];
    float left = exp(-sub_step * float(sub_steps) / GLIDE_SECONDS);
    return path_of(from, targets[target_ix] + left * offset, 1.0);
}

// Asleep, as the skin under it moves, which is little: see cloth/sleep.comp. It has no speed when it wakes.
Path ride(uint target_ix, Path last) {
    vec3 place = targets[target_ix] + (last.to.xyz - previous_targets[target_ix]);
    return path_of(place, place, last.from.w);
}

// What a sub-step of the particle's own is.
struct OwnSubStep {
    float seconds;
    float last_seconds; // of the one before it
    float time_before;  // part of the step that is over at its beginning
    float time_after;   // and at its end
};

OwnSubStep own_sub_step_of(GarmentSettings garment, uint span) {
    float last = begins_ix == 0 ? garment.last_sub_step : sub_step * float(min(garment.stride, begins_ix));
    return OwnSubStep(sub_step * float(span), last, float(begins_ix) / float(sub_steps), float(begins_ix + span) / float(sub_steps));
}

// By inertia, gravity and air, which drags the cloth along its normal: implicit, so that strong wind stays stable.
vec3 velocity_after(vec3 velocity, vec3 normal, GarmentSettings garment, float seconds) {
    vec3 against = normal * dot(normal, wind - velocity);
    float drag = garment.drag * seconds;
    velocity += against * (drag / (1.0 + drag)) + gravity * seconds;
    velocity /= 1.0 + garment.damping * seconds;
    return velocity * min(1.0, MAX_SPEED / max(length(velocity), 1e-6));
}

// That of the step before, which cloth that starts in this one has from wherever it was, or from nowhere: its skinned place's.
vec3 normal_of(uint particle_ix, Particle particle) {
    vec3 normal = normals[particle_ix].xyz;
    return starts[particle.garment_ix] != 0 || !is_somewhere(normal) ? target_normals[particle.target_ix] : normal;
}

// The path of a particle through its own sub-step, after its `last` one.
Path next_path(uint particle_ix, Particle particle, GarmentSettings garment, OwnSubStep own, Path last) {
    vec3 position = last.to.xyz;
    vec4 hold = hold_of(particle_ix, own.time_after);
    if (hold.w >= 1.0) return path_of(position, hold.xyz, 0.0);
    vec3 target = target_at(particle.target_ix, own.time_before);
    vec3 target_normal = target_normals[particle.target_ix];
    vec3 allowed = allowed_place(particle, garment.motion_scale, target, target_normal, position);
    float beyond = distance(allowed, position);
    bool goes_astray = beyond > ASTRAY * particle.size || is_through(particle, garment.motion_scale, target, target_normal, position);
    // Nor does what a hand holds go home by itself.
    if (hold.w == 0.0 && (last.from.w != 0.0 ? beyond > BACK * max(1.0, particle.size) : goes_astray)) {
        vec3 target_shift = target_at(particle.target_ix, own.time_after) - target;
        vec3 displacement = (allowed - position) * min(1.0, HOMING_SPEED * max(1.0, particle.size) * own.seconds / beyond);
        return path_of(position, position + target_shift + displacement, 1.0);
    }
    vec3 velocity = velocity_after((position - last.from.xyz) / own.last_seconds, normal_of(particle_ix, particle), garment, own.seconds);
    // Moving it to where it may be gives it no speed.
    if (hold.w == 0.0) position = allowed;
    vec3 next = above_ground(ground, garment.thickness, garment.friction, position, position + velocity * own.seconds);
    return path_of(position, mix(next, hold.xyz, hold.w), 0.0);
}

// The path of a particle through its own sub-step that begins with sub-step `begins_ix`, after its `last` path: that, if none does.
Path predict(uint particle_ix, Path last) {
    Particle particle = particles[particle_ix];
    GarmentSettings garment = garments[particle.garment_ix];
    bool is_lost = !is_somewhere(last.to.xyz);
    bool starts_anew = starts[particle.garment_ix] != 0 || is_lost;
    vec3 place = targets[particle.target_ix];
    if (garment.stride == 0) {
        if (begins_ix > 0) return last;
        if (garment.is_asleep != 0 && !is_lost) return ride(particle.target_ix, last);
        return starts_anew ? path_of(place, place, 0.0) : follow_skin(particle.target_ix, last.to.xyz);
    }
    uint span = own_sub_step_span_from(garment.stride, begins_ix, sub_steps);
    if (span == 0) return last;
    OwnSubStep own = own_sub_step_of(garment, span);
    // The first sub-step begins with the step.
    bool begins_anew = is_lost || (own.time_before == 0.0 && starts_anew);
    Path next = begins_anew ? path_of(place, place, 0.0) : next_path(particle_ix, particle, garment, own, last);
    if (begins_path(garment.stride)) path_starts[particle_ix] = vec4(next.from.xyz, 0.0);
    return next;
}

#endif
