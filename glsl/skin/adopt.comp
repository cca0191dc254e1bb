// Takes over the positions of a body that the host has skinned, whatever lies between them in its buffer.
// Reads: the host's vertices. Writes: positions of this step; of the last step too when the body was teleported, so that
// it did not move in between.
// One thread per vertex of the body. Runs first in a step, in place of the bake.
#version 460
#extension GL_EXT_scalar_block_layout : require

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer Source { float source[]; };
layout(scalar, binding = 1) writeonly buffer Positions { vec3 positions[]; };
layout(scalar, binding = 2) writeonly buffer PreviousPositions { vec3 previous_positions[]; };
layout(scalar, push_constant) uniform Push {
    uint first_vertex;
    uint end_vertex;
    uint first_float;   // of the first vertex, in the source
    uint stride_floats; // from one vertex to the next
    uint teleported;    // 0 or 1
};

void main() {
    uint vertex_ix = first_vertex + gl_GlobalInvocationID.x;
    if (vertex_ix >= end_vertex) return;
    uint from = first_float + gl_GlobalInvocationID.x * stride_floats;
    vec3 position = vec3(source[from], source[from + 1], source[from + 2]);
    positions[vertex_ix] = position;
    if (teleported != 0) previous_positions[vertex_ix] = position;
}
