// Tests every particle against the fields and puts it outside (paper, sections 6.1 to 6.3).
// Reads: fields, their cells, their transforms before and after this sub-step. Writes: predicted positions, contacts;
// current positions where a particle began inside, so that being put outside does not make it fast.
// One thread a particle; a workgroup first finds the fields near all of its particles. Runs after the constraints.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "shared/cylinder.glsl"
#include "shared/response.glsl"

layout(local_size_x = 64) in;
#include "shared/particles.glsl"
layout(scalar, binding = 5) readonly buffer Fields { Field fields[]; };
layout(scalar, binding = 6) readonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, binding = 7) readonly buffer Cells { uint cells[]; };
layout(scalar, push_constant) uniform Push {
    uint particle_count;
    uint field_count;
    uint transform_offset; // of the moment before this sub-step; the one after follows
    uint path_samples;     // pseudo-continuous: how many points of the path are tested
    uint friction_model;
    uint first_sub_step;   // 0 or 1: contacts start anew
};

#include "radial/surface.glsl"
#include "radial/near.glsl"

// The paper's response is run this often: the passes after the first settle a particle that several fields hold.
const uint RESPONSE_PASSES = 8;

// The passes from this one on only keep a particle out of the skin: between two surfaces there may be no room for its
// thickness on both sides, and to keep it from one would push it into the other.
const uint FIRST_NARROW_PASS = 2;

// Metres kept from the skin where there is no room for more.
const float NARROW_THICKNESS = 0.001;

// Metres. A particle that lacks less is outside: what is left of the push before is rounding, and would hide what another
// field still lacks.
const float LEAST_DEPTH = 5e-6;

struct Hit {
    float time;  // part of the path
    float depth; // metres
    Contact contact;
};

// Walks the particle's path relative to one field; true when it meets the surface before `best` does, or at the same time
// but less deep.
bool first_contact(uint field_ix, vec3 from, vec3 to, float thickness, inout Hit best) {
    Field field = fields[field_ix];
    FieldTransform before = transforms[transform_offset + field_ix];
    FieldTransform after = transforms[transform_offset + field_count + field_ix];
    vec3 start = before.field_from_world * vec4(from, 1.0);
    vec3 end = after.field_from_world * vec4(to, 1.0);
    float scale = length(after.field_from_world[0]); // metres of the bind pose a metre of the world, near enough here
    if (!passes_cylinder(field, start, end, thickness * scale)) return false;
    mat3 world_normal_from_field = transpose(mat3(after.field_from_world));
    for (uint i = 1; i <= path_samples; ++i) {
        float time = float(i) / float(path_samples);
        if (time > best.time) return false;
        vec3 at = mix(start, end, time);
        Plane plane;
        if (!surface_at(field, at, plane)) continue;
        vec3 normal = world_normal_from_field * plane.normal;
        float size = length(normal);
        if (!(size > 0.0) || dot(plane.normal, at - plane.point) >= thickness * size) continue;
        Contact contact;
        contact.normal = normal / size;
        contact.point = after.world_from_field * vec4(plane.point, 1.0);
        float depth = depth_of(contact, to, thickness);
        if (depth <= LEAST_DEPTH || (time == best.time && depth >= best.depth)) continue;
        contact.carried = after.world_from_field * vec4(start, 1.0);
        best = Hit(time, depth, contact);
        return true;
    }
    return false;
}

void main() {
    uint particle_ix = gl_GlobalInvocationID.x;
    bool alive = particle_ix < particle_count;
    uint safe_ix = min(particle_ix, particle_count - 1);
    vec3 from = current[safe_ix].xyz;
    vec3 to = predicted[safe_ix].xyz;
    GarmentSettings garment = garments[particles[safe_ix].garment_ix];
    float thickness = max(garment.thickness, particles[safe_ix].clearance);
    vec4 deepest = first_sub_step != 0 ? vec4(0.0) : contacts[safe_ix];
    vec3 shift = vec3(0.0);

    gather_bounds(from, to, thickness);
    for (uint chunk = 0; chunk < field_count; chunk += NEAR_CHUNK) {
        find_near_fields(chunk);
        if (!alive) continue;
        for (uint pass = 0; pass < RESPONSE_PASSES; ++pass) {
            Hit best;
            best.time = 2.0;
            best.depth = 0.0;
            float kept = pass < FIRST_NARROW_PASS ? thickness : min(thickness, NARROW_THICKNESS);
            for (uint word = 0; word < NEAR_CHUNK / 32; ++word) {
                for (uint bits = near_fields[word]; bits != 0; bits &= bits - 1) {
                    first_contact(chunk + word * 32 + findLSB(bits), from, to, kept, best);
                }
            }
            if (best.time > 1.0) break;
            // What the particle already lacked when the sub-step began is put right without giving it speed.
            shift += best.contact.normal * clamp(depth_of(best.contact, best.contact.carried, kept), 0.0, best.depth);
            to = respond(best.contact, from, to, best.depth, garment.friction, friction_model);
            if (best.depth > deepest.w) deepest = vec4(best.contact.normal, best.depth);
        }
    }
    if (!alive) return;
    current[particle_ix].xyz = from + shift;
    predicted[particle_ix].xyz = to;
    contacts[particle_ix] = deepest;
}
