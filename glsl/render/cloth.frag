// Lights the cloth, or shows how deep the collision pushed it or how much it is stretched.
// Reads: shadow maps, the part's texture. Writes: the picture.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/view.glsl"
#include "shared/picture.glsl"
#include "shared/heat.glsl"
#include "render/shadow.glsl"
#include "render/light.glsl"
#include "render/fabric.glsl"
#include "render/wire.glsl"

layout(binding = 12) uniform sampler2D base_texture;
layout(scalar, push_constant) uniform Push {
    vec4 base_colour;   // linear
    float alpha_cutoff; // less opaque than this, nothing is drawn
    uint wireframe;     // 0 or 1
    uint coloured_by;   // 0: its dye, 1: depth of contact, 2: stretch
    float depth_of_red; // metres
    float stretch_of_red; // a part of the length
    uint fabric;        // 0: cotton, 1: denim, 2: silk, 3: jersey
};

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_at;
layout(location = 3) in float in_hem;
layout(location = 4) in float in_depth;
layout(location = 5) in vec3 in_corner;
layout(location = 6) in vec2 in_uv;
layout(location = 7) in float in_sky;
layout(location = 8) flat in float in_stretch;

layout(location = 0) out vec4 out_colour;

// Metres from the border to the seam of the hem, and half its width.
const float SEAM = 0.016;
const float SEAM_WIDTH = 0.0016;

// 0 to 1: how much of the seam a point lies in; gone where it would be thinner than a pixel.
float seam_at(float hem) {
    float pixel = fwidth(hem);
    float within = 1.0 - smoothstep(SEAM_WIDTH, SEAM_WIDTH + max(pixel, 0.0006), abs(hem - SEAM));
    return within * min(1.0, 1.5 * SEAM_WIDTH / max(pixel, 1e-6));
}

// Metres by which the cloth stands higher where it is folded over and sewn.
float fold_at(float hem) {
    // Where it would be thinner than pixels it would flicker.
    float seen = clamp(0.003 / max(fwidth(hem), 1e-6) - 0.5, 0.0, 1.0);
    float folded = 1.0 - smoothstep(SEAM - 0.0015, SEAM + 0.001, hem);
    float rounded = 1.0 - smoothstep(0.0, 0.004, hem);
    float groove = 1.0 - smoothstep(0.0, 0.0018, abs(hem - SEAM));
    return seen * (0.0012 * folded - 0.0012 * rounded * rounded - 0.0009 * groove);
}

void main() {
    vec4 dye = base_colour * texture(base_texture, in_uv);
    float noise = noise_of_pixel(gl_FragCoord.xy);
    Weave weave = weave_at(in_at, fabric);
    Place place;
    place.position = in_position;
    place.to_eye = normalize(view.eye - in_position);
    vec3 normal = towards_eye(normalize(in_normal) * (gl_FrontFacing ? 1.0 : -1.0), place.to_eye);
    // Denim is dyed in the warp alone.
    vec3 thread = fabric == DENIM ? mix(dye.rgb, vec3(0.42, 0.43, 0.44), 0.3 * weave.over) : dye.rgb;
    vec3 albedo = thread * weave.tone * (1.0 - 0.32 * seam_at(in_hem));
    if (!gl_FrontFacing) albedo *= 0.8; // the wrong side of the cloth
    if (coloured_by == 1) albedo = heat(in_depth / depth_of_red);
    if (coloured_by == 2) albedo = heat(max(in_stretch - 1.0, 0.0) / stretch_of_red);
    place.key = key_seen(in_position, normal, noise);
    place.sky = gl_FrontFacing ? in_sky : 0.6 * in_sky; // the wrong side is in the dark
    // Where the key light only grazes the cloth, creases would turn its edge into blotches.
    float calm = mix(0.3, 1.0, smoothstep(-0.05, 0.45, dot(normal, view.to_key)));
    place.normal = tilted(normal, in_position, in_at, weave.tilt + calm * wrinkles_at(in_at));
    place.normal = towards_eye(raised(place.normal, in_position, fold_at(in_hem)), place.to_eye);
    vec3 light = shade_fabric(place, albedo, fabric);
    if (wireframe != 0) light = mix(light, light * 0.2, 0.85 * edge_coverage(in_corner));
    // Last: a fragment that is discarded still takes part in its neighbours' derivatives.
    if (dye.a < alpha_cutoff) discard;
    out_colour = picture_of(light, view.exposure, gl_FragCoord.xy);
}
