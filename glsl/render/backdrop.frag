// The studio's wall. Writes: the picture.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/view.glsl"
#include "shared/picture.glsl"
#include "render/backdrop.glsl"

layout(location = 0) out vec4 out_colour;

void main() {
    out_colour = picture_of(backdrop_here(gl_FragCoord), view.exposure, gl_FragCoord.xy);
}
