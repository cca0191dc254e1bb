// Lines of debug views, smooth at their edges. Writes: the picture, blended.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/picture.glsl"

layout(location = 0) in vec4 in_colour; // linear
layout(location = 1) in float in_side;  // -1 to 1 across the line

layout(location = 0) out vec4 out_colour;

void main() {
    float soft = fwidth(in_side);
    float covered = 1.0 - smoothstep(1.0 - soft, 1.0, abs(in_side));
    out_colour = picture_of_colour(vec4(in_colour.rgb, in_colour.a * covered));
}
