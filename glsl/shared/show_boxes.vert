// Boxes of one level of a tree, as lines.
// Reads: nodes. One instance per node, six vertices per line, twelve lines per box. Runs last in the picture.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "shared/view.glsl"
#include "shared/heat.glsl"

layout(scalar, binding = 1) readonly buffer Nodes { BoxNode nodes[]; };
layout(scalar, push_constant) uniform Push {
    uint first_node;
};

layout(location = 0) out vec4 out_colour;
layout(location = 1) out float out_side;

const float LINE = 1.2; // pixels

void main() {
    BoxNode node = nodes[first_node + gl_InstanceIndex];
    uint line_ix = gl_VertexIndex / 6;
    vec3 from = vec3(0.0, float(line_ix & 1), float(line_ix >> 1 & 1)), to = vec3(1.0, from.yz);
    uint axis = line_ix / 4;
    if (axis == 1) { from = from.yxz; to = to.yxz; }
    if (axis == 2) { from = from.yzx; to = to.yzx; }
    out_colour = vec4(distinct(first_node + gl_InstanceIndex), 0.8);
    gl_Position = line_corner(mix(node.low, node.high, from), mix(node.low, node.high, to), LINE, gl_VertexIndex % 6, out_side);
}
