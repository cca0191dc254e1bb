// Ends a step: stores the positions for drawing and computes the normals of the cloth.
// Reads: final positions, triangles round each particle, the skinned places, which garments start anew. Writes: shown positions, normals.
// One thread per particle. Runs last in a step; the renderer and the host's own draw come after.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "cloth/motion.glsl"
#include "cloth/brush.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer Predicted { vec4 predicted[]; };
layout(scalar, binding = 1) readonly buffer Offsets { uint corner_offsets[]; };
layout(scalar, binding = 2) readonly buffer Corners { uvec2 corners[]; }; // the other two corners, in winding order
layout(scalar, binding = 3) writeonly buffer Shown { vec4 shown[]; };
layout(scalar, binding = 4) writeonly buffer PreviousShown { vec4 previous_shown[]; };
layout(scalar, binding = 5) buffer Normals { vec4 normals[]; };
layout(scalar, binding = 6) readonly buffer Particles { Particle particles[]; };
layout(scalar, binding = 7) readonly buffer Garments { GarmentSettings garments[]; };
layout(scalar, binding = 8) readonly buffer Current { vec4 current[]; };
layout(scalar, binding = 9) readonly buffer Targets { vec3 targets[]; };
layout(scalar, binding = 10) readonly buffer TargetNormals { vec3 target_normals[]; };
layout(scalar, binding = 11) readonly buffer Starts { uint starts[]; }; // 1 for a garment that did not move here from anywhere
layout(scalar, push_constant) uniform Push {
    vec4 ground; // unit normal and height, minus infinity: none
    uint particle_count;
    uint grab_ix;
    vec3 grab_target; // world space
    float grab_radius; // metres round the grabbed particle that go along
};

// How far beyond its greatest distance a particle is shown, as a factor: limit_strain.comp, which comes before, may have moved it there. Usually
// 1.05; with 1 edges are longer where one end swings freely and the other as far as it may, with much more that distance is none.
const float SHOWN_BEYOND = 1.05;

// Whether a hand holds a particle.
bool is_held(uint particle_ix) {
    if (grab_ix == NOBODY || particle_ix == grab_ix) return particle_ix == grab_ix;
    Particle particle = particles[particle_ix], grabbed = particles[grab_ix];
    if (grab_radius <= 0.0 || grabbed.garment_ix != particle.garment_ix) return false;
    float alignment = dot(target_normals[particle.target_ix], target_normals[grabbed.target_ix]);
    return brushed(targets[particle.target_ix], targets[grabbed.target_ix], alignment, grab_target, grab_radius).w > 0.0;
}

// Collision is the last to move particles, but none may pass through its own limb or the ground. The next step's first
// sub-step finds the same.
vec3 final_place(uint particle_ix, vec3 position) {
    if (current[particle_ix].w != 0.0 || is_held(particle_ix)) return position;
    Particle particle = particles[particle_ix];
    GarmentSettings garment = garments[particle.garment_ix];
    vec3 normal = target_normals[particle.target_ix];
    float scale = SHOWN_BEYOND * garment.motion_scale;
    position = allowed_place(particle, scale, targets[particle.target_ix], normal, position);
    return above_ground(ground, 0.0, 0.0, position, position);
}

void main() {
    uint particle_ix = gl_GlobalInvocationID.x;
    if (particle_ix >= particle_count) return;
    vec3 position = predicted[particle_ix].xyz;
    vec3 sum = vec3(0.0); // weighted by area
    for (uint i = corner_offsets[particle_ix]; i < corner_offsets[particle_ix + 1]; ++i) {
        sum += cross(predicted[corners[i].x].xyz - position, predicted[corners[i].y].xyz - position);
    }
    float size = length(sum);
    vec3 place = final_place(particle_ix, position);
    shown[particle_ix] = vec4(place, 1.0);
    if (starts[particles[particle_ix].garment_ix] != 0) previous_shown[particle_ix] = vec4(place, 1.0);
    // A particle whose triangles have collapsed keeps its last normal.
    if (size > 0.0) normals[particle_ix] = vec4(sum / size, 0.0);
}
