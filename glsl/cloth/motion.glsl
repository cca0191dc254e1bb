// Where a particle may be: motion constraints relative to where the body carries it, and the ground; src/cloth/motion.rs is its twin.
#ifndef CLOTH_MOTION
#define CLOTH_MOTION

// The place nearest to `position` that a particle's motion constraints allow: no further from its skinned place than its greatest
// distance, and outside its backstop, a ball behind that place. `target`, `normal`: the skinned place; world space.
vec3 allowed_place(Particle particle, float motion_scale, vec3 target, vec3 normal, vec3 position) {
    if (motion_scale <= 0.0) return position;
    vec3 apart = position - target;
    float most = particle.max_distance * motion_scale;
    position = target + apart * min(1.0, most / max(length(apart), 1e-6));
    if (particle.backstop_radius <= 0.0) return position;
    vec3 centre = target - normal * (particle.backstop_distance + particle.backstop_radius);
    vec3 way = position - centre;
    // Behind the ball's middle the shortest way out is the way through the limb: it goes back to the front instead.
    way += normal * max(0.0, -dot(way, normal));
    float size = length(way);
    if (size < particle.backstop_radius) way = size > 1e-6 ? way * (particle.backstop_radius / size) : normal * particle.backstop_radius;
    return centre + way;
}

// Puts a particle on the ground if it is below; `ground`: unit normal and height, minus infinity for none. Coulomb friction takes
// up to its share of the push off the motion along the ground since `from`.
vec3 above_ground(vec4 ground, float thickness, float friction, vec3 from, vec3 position) {
    float depth = ground.w + thickness - dot(ground.xyz, position);
    if (!(depth > 0.0)) return position;
    vec3 slip = position - from;
    slip -= ground.xyz * dot(ground.xyz, slip);
    float way = length(slip);
    vec3 held = way > 0.0 ? slip * min(1.0, friction * depth / way) : vec3(0.0);
    return position + ground.xyz * depth - held;
}

#endif
