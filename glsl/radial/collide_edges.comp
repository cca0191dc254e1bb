// Collides the midpoint of every edge with the fields too: coarse cloth lies over thin limbs with its edges, not its particles. A particle goes
// with the mean of its edges' middles in all fields, each by the square of its depth: with the deepest alone, which is another one in the next
// step, cloth that lies still trembles.
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

// Part of the thickness that the middle of a short edge keeps, and the radius of a limb in metres, a person's: an edge whose ends touch it has its middle
// deeper by length² / (8 · radius), and the triangles beside it sag by about as much again. Usually 0.5 and 0.06; with more of the first or less of
// the second, cloth that is pulled tight is stretched by its edges; the other way limbs stand out of coarse cloth.
const float LEAST_KEPT = 0.5;
const float LIMB_RADIUS = 0.06;

float kept_by_middle(float thickness, float length_of_edge, float body_size) {
    float sag = length_of_edge * length_of_edge / (8.0 * LIMB_RADIUS * body_size);
    return min(thickness, LEAST_KEPT * thickness + sag);
}

// Of each particle's edges, summed over the fields that the middle is in: the push in metres times the square of the depth, and that square.
shared vec4 pushes[THREADS / LANES * MAX_EDGES];

void forget_met(uint lane) {
    uint first = gl_LocalInvocationID.x / LANES * MAX_EDGES;
    for (uint edge = lane; edge < MAX_EDGES; edge += LANES) pushes[first + edge] = vec4(0.0);
}

void consider(Met met) {
    float depth = max(met.push.w, 0.0);
    pushes[gl_LocalInvocationID.x / LANES * MAX_EDGES + met.point.number] += depth * depth * vec4(met.push.xyz * depth, 1.0);
}

// In the order of edges and, of each, of fields, so that it does not matter which thread had which.
Correction correction_of_lanes(uint edge_count, float friction) {
    barrier();
    uint first = gl_LocalInvocationID.x / LANES * MAX_EDGES;
    vec4 sum = vec4(0.0);
    for (uint edge = 0; edge < edge_count; ++edge) sum += pushes[first + edge];
    return Correction(sum.w > 0.0 ? sum.xyz / sum.w : vec3(0.0), vec3(0.0));
}

void test_triangles(uint particle_ix, uint lane, float thickness, float body_size) {}
