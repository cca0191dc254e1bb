// A vertex of the panels, pulled by its place in imgui's index list.
// Reads: indices, vertices. Writes: its position, colour and place in the atlas.
#version 460
#extension GL_EXT_scalar_block_layout : require

struct PanelVertex {
    vec2 position;
    vec2 at_atlas;
    uint colour;
};

layout(set = 0, binding = 0, scalar) readonly buffer Indices { uint indices[]; };
layout(set = 0, binding = 1, scalar) readonly buffer Vertices { PanelVertex vertices[]; };

layout(push_constant, scalar) uniform Push {
    // Points of the upper left corner, and clip units per point.
    vec2 corner;
    vec2 clip_from_points;
    // Added to every index of the list being drawn.
    uint first_vertex;
} push;

layout(location = 0) out vec4 out_colour;
layout(location = 1) out vec2 out_at_atlas;

void main() {
    PanelVertex vertex = vertices[push.first_vertex + indices[gl_VertexIndex]];
    out_colour = unpackUnorm4x8(vertex.colour);
    out_at_atlas = vertex.at_atlas;
    gl_Position = vec4((vertex.position - push.corner) * push.clip_from_points - 1.0, 0.0, 1.0);
}
