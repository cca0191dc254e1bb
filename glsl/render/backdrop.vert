// A triangle over the whole picture, as far away as can be.
// Reads: nothing. Writes: nothing.
// Runs after everything opaque.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
void main() {
    vec2 at = vec2(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0);
    gl_Position = vec4(at, 0.0, 1.0);
}
