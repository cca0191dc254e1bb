// Collides the midpoint of every edge with the fields too: coarse cloth lies over thin limbs with its edges, not its particles.
// Reads: predicted and current positions, edges, fields, cells, radii, transforms, candidates. Writes: the other buffers of predicted
// positions and of current ones, those by as much, so that no edge makes its particles fast.
// Runs after the constraints, before the solids' own pass and collide.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
const bool HAS_TRIANGLES = false;
#include "shared/edges.glsl"
#include "shared/cylinder.glsl"

layout(scalar, binding = 11) readonly buffer Fields { Field fields[]; };
layout(scalar, binding = 12) readonly buffer Cells { uint cells[]; };
layout(scalar, binding = 13) readonly buffer Radii { float radii[]; };

#include "radial/surface.glsl"
#include "radial/overlap.glsl"

bool is_met(uint field_ix) {
    return field_ix < first_solid;
}

bool is_near(uint field_ix, vec3 position, float margin) {
    FieldTransform after = transforms[first_after + field_ix];
    vec3 at = affine(after.field_from_world) * vec4(position, 1.0);
    return path_overlaps_cylinder(field_ix, at, at, margin * after.max_scale);
}

vec4 push_out(uint field_ix, vec3 pos_in_world, float thickness, float body_size) {
    Field field = fields[field_ix];
    FieldTransform after = transforms[first_after + field_ix];
    vec3 at = affine(after.field_from_world) * vec4(pos_in_world, 1.0);
    Plane plane;
    if (!path_overlaps_cylinder(field_ix, at, at, thickness * after.max_scale) || !surface_at(field, at, plane)) return vec4(0.0);
    vec3 normal = transpose(mat3(affine(after.field_from_world))) * plane.normal;
    float size = length(normal);
    if (!(size > 0.0)) return vec4(0.0);
    return vec4(normal / size, thickness - dot(plane.normal, at - plane.point) / size);
}

void test_triangles(uint particle_ix, uint lane, float thickness, float body_size, inout Deepest best) {}

vec3 slip_at(Deepest deepest, float friction) {
    return vec3(0.0);
}
