// Where a particle may be: motion constraints relative to where skinning puts it, and the ground; src/cloth/motion.rs is its twin.
#ifndef CLOTH_MOTION
#define CLOTH_MOTION

#include "shared/direction.glsl"

// How a particle lies to its backstop, a ball behind the place to which skinning moves it.
struct Backstop {
    vec3 from_middle; // from the ball's middle
    float ahead; // metres along the skinned normal from there; negative behind the middle
};

Backstop backstop_of(Particle particle, vec3 target, vec3 normal, vec3 position) {
    Backstop backstop;
    backstop.from_middle = position - target + normal * (particle.backstop_distance + particle.backstop_radius);
    backstop.ahead = dot(backstop.from_middle, normal);
    return backstop;
}

// Out of the ball: in the shortest direction, but never out of its back, which would lead through the limb.
vec3 out_of_ball(Particle particle, Backstop backstop, vec3 normal, vec3 position) {
    vec3 offset = backstop.from_middle + normal * max(0.0, -backstop.ahead);
    float size = length(offset);
    vec3 direction = size > 1e-6 ? offset / size : normal;
    return position - backstop.from_middle + direction * max(size, particle.backstop_radius);
}

// The place nearest to `position` that a particle's motion constraints allow: no further from its skinned place than its greatest
// distance, and outside its backstop. `target`, `normal`: the skinned place; world space.
vec3 allowed_place(Particle particle, float motion_scale, vec3 target, vec3 normal, vec3 position) {
    if (motion_scale <= 0.0) return position;
    vec3 apart = position - target;
    float most = particle.max_distance * motion_scale;
    float far = length(apart);
    // A place within the distance is left unchanged to the bit.
    if (far > most) position = target + apart * (most / far);
    Backstop backstop = backstop_of(particle, target, normal, position);
    bool is_inside = dot(backstop.from_middle, backstop.from_middle) < particle.backstop_radius * particle.backstop_radius;
    is_inside = is_inside || (particle.backstop_radius > 0.0 && backstop.ahead < 0.0);
    return is_inside ? out_of_ball(particle, backstop, normal, position) : position;
}

// Whether a particle has come through its limb: it lies behind the ball's middle, within 45 degrees of straight behind it.
bool is_through(Particle particle, float motion_scale, vec3 target, vec3 normal, vec3 position) {
    if (motion_scale <= 0.0 || particle.backstop_radius <= 0.0) return false;
    Backstop backstop = backstop_of(particle, target, normal, position);
    float behind = -backstop.ahead;
    return behind > 0.5 * particle.backstop_radius && 2.0 * behind * behind > dot(backstop.from_middle, backstop.from_middle);
}

// Puts a particle on the ground if it is below; `ground`: unit normal and height, minus infinity for none. Coulomb friction takes
// up to its share of the push off the motion along the ground since `from`.
vec3 above_ground(vec4 ground, float thickness, float friction, vec3 from, vec3 position) {
    float depth = ground.w + thickness - dot(ground.xyz, position);
    if (!(depth > 0.0)) return position;
    vec3 slip = position - from;
    slip -= ground.xyz * dot(ground.xyz, slip);
    float slip_length = length(slip);
    vec3 friction_shift = slip_length > 0.0 ? slip * min(1.0, friction * depth / slip_length) : vec3(0.0);
    return position + ground.xyz * depth - friction_shift;
}

// The plane of the contact in which collision left a particle, `found`: unit normal, and metres along it from the world's origin.
vec4 contact_plane(vec4 found) {
    vec3 normal = unpack_direction(found.w);
    return vec4(normal, dot(normal, found.xyz));
}

// Puts a particle back in front of the plane of the contact in which collision left it, `found`, and takes what is left of the contact's
// friction off its motion along that plane.
vec3 in_front_of_contact(vec4 found, vec3 position) {
    vec3 normal = unpack_direction(found.w);
    position += normal * max(0.0, dot(normal, found.xyz - position));
    vec3 slip = position - found.xyz;
    slip -= normal * dot(normal, slip);
    return position - slip * min(1.0, unpack_friction(found.w) / max(length(slip), 1e-12));
}

#endif
