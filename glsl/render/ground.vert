// The ground: one large square under what the camera looks at. Six vertices.
// Reads: the view. Writes: nothing.
// Runs after the shadow maps and the draws of what stands on it.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/view.glsl"

layout(location = 0) out vec3 out_position;

void main() {
    // Counter-clockwise from above.
    const vec2 CORNERS[6] = vec2[](vec2(-1, -1), vec2(-1, 1), vec2(1, 1), vec2(-1, -1), vec2(1, 1), vec2(1, -1));
    vec2 corner = CORNERS[gl_VertexIndex] * view.ground_fade * 1.5 + view.target.xz;
    out_position = vec3(corner.x, view.ground_height, corner.y);
    gl_Position = view.clip_from_world * vec4(out_position, 1.0);
}
