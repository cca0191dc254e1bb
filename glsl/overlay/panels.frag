// The panels' colour: as imgui made it, in sRGB, with the coverage that the atlas holds.
// Reads: atlas. Writes: the colour.
#version 460

// Whether the attachment turns linear values into sRGB by itself.
layout(constant_id = 0) const uint WRITES_LINEAR = 0;

layout(set = 0, binding = 2) uniform sampler2D atlas;

layout(location = 0) in vec4 in_colour;
layout(location = 1) in vec2 in_at_atlas;
layout(location = 0) out vec4 out_colour;

vec3 linear_from_srgb(vec3 srgb) {
    return mix(pow((srgb + 0.055) / 1.055, vec3(2.4)), srgb / 12.92, lessThan(srgb, vec3(0.04045)));
}

void main() {
    vec3 colour = WRITES_LINEAR != 0 ? linear_from_srgb(in_colour.rgb) : in_colour.rgb;
    out_colour = vec4(colour, in_colour.a * texture(atlas, in_at_atlas).r);
}
