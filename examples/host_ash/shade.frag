// A sun, a sky and a floor that gives some of the light back. Cloth has two sides.
#version 460

layout(location = 0) in vec3 normal;
layout(location = 0) out vec4 out_colour;
layout(push_constant) uniform Push {
    mat4 clip_from_world;
    vec4 colour; // linear
};

const vec3 TO_SUN = normalize(vec3(0.5, 0.8, 0.6));

void main() {
    vec3 n = normalize(gl_FrontFacing ? normal : -normal);
    vec3 sky = mix(vec3(0.20, 0.17, 0.14), vec3(0.38, 0.42, 0.50), 0.5 + 0.5 * n.y);
    vec3 sun = vec3(1.0, 0.94, 0.84) * max(dot(n, TO_SUN), 0.0);
    out_colour = vec4(colour.rgb * (sky + 0.75 * sun), 1.0);
}
