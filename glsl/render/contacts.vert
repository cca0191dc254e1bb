// A line along the contact normal of every particle that touches the body, longer where it was pushed deeper.
// Reads: positions and contacts of the particles. Six vertices per particle.
// Runs last in the picture.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/view.glsl"
#include "shared/heat.glsl"

layout(scalar, binding = 1) readonly buffer Positions { vec4 positions[]; };
layout(scalar, binding = 2) readonly buffer PreviousPositions { vec4 previous_positions[]; };
layout(scalar, binding = 3) readonly buffer Contacts { vec4 contacts[]; };
layout(scalar, push_constant) uniform Push {
    float depth_of_red; // metres
};

layout(location = 0) out vec4 out_colour;
layout(location = 1) out float out_side;

const float SHORTEST = 0.008; // metres
const float STRETCH = 2.0;    // metres of line per metre of depth
const float LINE = 2.2;       // pixels

void main() {
    uint particle_ix = gl_VertexIndex / 6;
    vec4 contact = contacts[particle_ix];
    vec3 position = mix(previous_positions[particle_ix].xyz, positions[particle_ix].xyz, view.alpha);
    out_colour = vec4(heat(contact.w / depth_of_red), 1.0);
    out_side = 0.0;
    gl_Position = vec4(0.0);
    if (contact.w <= 0.0) return;
    vec3 tip = position + contact.xyz * (SHORTEST + STRETCH * contact.w);
    gl_Position = line_corner(position, tip, LINE, gl_VertexIndex % 6, out_side);
}
