// Skins every vertex of every body and every garment's attachment targets with linear blend skinning.
// Reads: bind-pose vertices, the palette, how bones get into the step. Writes: positions and normals of this step; of the last step too
// when the body was teleported, so that it did not move in between.
// One thread per vertex of a range. Runs first in a step, but for adopt_bones.comp; the field update and the cloth come after.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer Vertices { SkinVertex vertices[]; };
layout(std430, binding = 1) readonly buffer Palette { mat4x3 world_from_bind[]; };
layout(scalar, binding = 2) writeonly buffer Positions { vec3 positions[]; };
layout(scalar, binding = 3) writeonly buffer PreviousPositions { vec3 previous_positions[]; };
layout(scalar, binding = 4) writeonly buffer Normals { vec3 normals[]; };
layout(scalar, binding = 5) readonly buffer Sources { FrameSource sources[]; };
layout(scalar, push_constant) uniform Push {
    uint first_vertex;
    uint end_vertex;
    uint starts; // 1: they were not there before, whether or not their body was
};

void main() {
    uint vertex_ix = first_vertex + gl_GlobalInvocationID.x;
    if (vertex_ix >= end_vertex) return;
    SkinVertex vertex = vertices[vertex_ix];
    mat4x3 blended = mat4x3(0.0);
    for (uint i = 0; i < 8; ++i) {
        if (vertex.weights[i] == 0.0) break; // strongest first
        uint joint_ix = (vertex.joints[i / 2] >> (16 * (i % 2))) & 0xFFFFu;
        blended += vertex.weights[i] * world_from_bind[joint_ix];
    }
    vec3 position = blended * vec4(vertex.position, 1.0);
    // The cofactor matrix is the inverse transpose up to scale, and exists for a collapsed bone too.
    mat3 cofactor = mat3(cross(blended[1], blended[2]), cross(blended[2], blended[0]), cross(blended[0], blended[1]));
    vec3 normal = cofactor * vertex.normal;
    float size = length(normal);
    positions[vertex_ix] = position;
    bool is_teleported = starts != 0 || sources[vertex.joints[0] & 0xFFFFu].teleported != 0;
    if (is_teleported) previous_positions[vertex_ix] = position;
    normals[vertex_ix] = size > 0.0 ? normal / size : vertex.normal;
}
