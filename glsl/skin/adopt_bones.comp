// Takes over bones that the host keeps in a buffer of its own, whatever lies between them there, and makes their palette.
// Reads: the host's matrices, where each begins, the inverse bind matrices. Writes: moving frames of this step, the palette.
// One thread per joint of neighbouring bodies whose bones lie in one buffer. Runs first in a step, before the bake and
// shared/sub_step_transforms.comp.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer Bones { float bones[]; };
layout(scalar, binding = 1) readonly buffer Sources { FrameSource sources[]; };
layout(std430, binding = 2) readonly buffer BonesFromBind { mat4x3 bones_from_bind[]; };
layout(std430, binding = 3) writeonly buffer Frames { mat4x3 frames[]; };
layout(std430, binding = 4) writeonly buffer Palette { mat4x3 world_from_bind[]; };
layout(scalar, push_constant) uniform Push {
    uint first_frame;
    uint end_frame;
};

void main() {
    uint frame_ix = first_frame + gl_GlobalInvocationID.x;
    if (frame_ix >= end_frame) return;
    uint from = sources[frame_ix].first_float;
    mat4x3 bone;
    // Column by column, four floats each.
    for (uint i = 0; i < 4; ++i) bone[i] = vec3(bones[from + 4 * i], bones[from + 4 * i + 1], bones[from + 4 * i + 2]);
    frames[frame_ix] = bone;
    mat4x3 bind = bones_from_bind[frame_ix];
    // Products and sums rounded one by one, in the order in which the CPU makes a palette: not contracted, so that the bits are the same.
    mat4x3 blended;
    for (uint i = 0; i < 4; ++i) {
        precise vec3 column = bone[0] * bind[i].x + bone[1] * bind[i].y + bone[2] * bind[i].z;
        precise vec3 moved = column + bone[3];
        blended[i] = i < 3 ? column : moved;
    }
    world_from_bind[frame_ix] = blended;
}
