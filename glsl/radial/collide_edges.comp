// Keeps the middle of every edge outside too: coarse cloth lies over thin limbs with its edges, not its particles.
// Reads: predicted positions, edges, fields, cells, radii, transforms. Writes: the other buffer of predicted
// positions.
// One thread a particle, which moves with the deepest of its edges' middles: both ends find the same middle, so both move
// alike. A middle deeper than half its edge is long belongs to an edge that goes through a limb: no way out is right for it,
// and its ends are left to collide. Runs after the constraints, before collide.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "shared/cylinder.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer Particles { Particle particles[]; };
layout(scalar, binding = 1) readonly buffer Garments { GarmentSettings garments[]; };
layout(scalar, binding = 2) readonly buffer Before { vec4 before[]; };
layout(scalar, binding = 3) writeonly buffer After { vec4 after[]; };
layout(scalar, binding = 4) readonly buffer Offsets { uint neighbour_offsets[]; };
layout(scalar, binding = 5) readonly buffer Neighbours { uint neighbours[]; };
layout(scalar, binding = 6) readonly buffer Fields { Field fields[]; };
layout(scalar, binding = 7) readonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, binding = 8) readonly buffer Cells { uint cells[]; };
layout(scalar, binding = 9) readonly buffer Radii { float radii[]; };
layout(scalar, push_constant) uniform Push {
    uint particle_count;
    uint field_count;
    uint transform_offset; // of the moment before this sub-step; the one after follows
};

#include "radial/surface.glsl"
#include "radial/near.glsl"

// More edges than this round one particle are not looked at; cloth meshes have six.
const uint MAX_EDGES = 12;

// How far a point lacks to be `thickness` outside of one field, and which way out.
vec4 push_out(uint field_ix, vec3 pos_in_world, float thickness) {
    Field field = fields[field_ix];
    FieldTransform moment = transforms[transform_offset + field_count + field_ix];
    vec3 at = affine(moment.field_from_world) * vec4(pos_in_world, 1.0);
    Plane plane;
    if (!passes_cylinder(field_ix, at, at, thickness * moment.stretch) || !surface_at(field, at, plane)) return vec4(0.0);
    vec3 normal = transpose(mat3(affine(moment.field_from_world))) * plane.normal;
    float size = length(normal);
    if (!(size > 0.0)) return vec4(0.0);
    return vec4(normal / size, thickness - dot(plane.normal, at - plane.point) / size);
}

void main() {
    uint particle_ix = gl_GlobalInvocationID.x;
    bool alive = particle_ix < particle_count;
    uint safe_ix = min(particle_ix, particle_count - 1);
    vec3 position = before[safe_ix].xyz;
    Particle particle = particles[safe_ix];
    float thickness = max(garments[particle.garment_ix].thickness, particle.clearance);
    vec4 middles[MAX_EDGES]; // and the depth beyond which they do not count
    uint middle_count = 0;
    vec3 low = position, high = position;
    for (uint i = neighbour_offsets[safe_ix]; i < neighbour_offsets[safe_ix + 1] && middle_count < MAX_EDGES; ++i) {
        vec3 other = before[neighbours[i]].xyz;
        vec3 middle = 0.5 * (position + other);
        low = min(low, middle);
        high = max(high, middle);
        middles[middle_count++] = vec4(middle, 0.5 * length(position - other) + thickness);
    }
    vec4 deepest = vec4(0.0);
    gather_bounds(low, high, thickness);
    for (uint chunk = 0; chunk < field_count; chunk += NEAR_CHUNK) {
        find_near_fields(chunk);
        if (!alive) continue;
        for (uint word = 0; word < NEAR_CHUNK / 32; ++word) {
            for (uint bits = near_fields[word]; bits != 0; bits &= bits - 1) {
                uint field_ix = chunk + word * 32 + findLSB(bits);
                for (uint i = 0; i < middle_count; ++i) {
                    vec4 push = push_out(field_ix, middles[i].xyz, thickness);
                    if (push.w > deepest.w && push.w < middles[i].w) deepest = push;
                }
            }
        }
    }
    if (alive) after[particle_ix] = vec4(position + deepest.xyz * deepest.w, 0.0);
}
