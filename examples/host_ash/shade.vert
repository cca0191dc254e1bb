// Positions and normals come as the library left them, in world space, bound as vertex buffers.
#version 460

layout(location = 0) in vec3 pos_in_world;
layout(location = 1) in vec3 normal_in_world;
layout(location = 0) out vec3 normal;
layout(push_constant) uniform Push {
    mat4 clip_from_world;
    vec4 colour; // linear
};

void main() {
    gl_Position = clip_from_world * vec4(pos_in_world, 1.0);
    normal = normal_in_world;
}
