// Ends a step: keeps the positions for drawing and computes the normals of the cloth.
// Reads: final positions, triangles round each particle. Writes: shown positions, normals.
// One thread a particle of a run of them. Runs last in a step; the renderer and the host's own draw come after.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer Predicted { vec4 predicted[]; };
layout(scalar, binding = 1) readonly buffer Offsets { uint corner_offsets[]; };
layout(scalar, binding = 2) readonly buffer Corners { uvec2 corners[]; }; // the other two corners, in winding order
layout(scalar, binding = 3) writeonly buffer Shown { vec4 shown[]; };
layout(scalar, binding = 4) writeonly buffer PreviousShown { vec4 previous_shown[]; };
layout(scalar, binding = 5) buffer Normals { vec4 normals[]; };
layout(scalar, push_constant) uniform Push {
    uint first_particle;
    uint end_particle;
    uint teleported; // 0 or 1: it did not move here from anywhere
};

void main() {
    uint particle_ix = first_particle + gl_GlobalInvocationID.x;
    if (particle_ix >= end_particle) return;
    vec3 position = predicted[particle_ix].xyz;
    vec3 sum = vec3(0.0); // weighted by area
    for (uint i = corner_offsets[particle_ix]; i < corner_offsets[particle_ix + 1]; ++i) {
        sum += cross(predicted[corners[i].x].xyz - position, predicted[corners[i].y].xyz - position);
    }
    float size = length(sum);
    shown[particle_ix] = vec4(position, 1.0);
    if (teleported != 0) previous_shown[particle_ix] = vec4(position, 1.0);
    // A particle whose triangles have collapsed keeps its last normal.
    if (size > 0.0) normals[particle_ix] = vec4(sum / size, 0.0);
}
