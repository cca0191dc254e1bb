// Tests points of every particle's path against the grids near it and resolves its contact (paper, sections 6.1 to 6.3, with
// the reconstruction of section 9.3).
// Reads: grids, their cells, their transforms before and after this sub-step. Writes: predicted positions, contacts; current
// positions where a particle began inside, so that resolving a penetration gives it no speed.
// One thread per particle; a workgroup first finds the grids near all of its particles. Runs after update and the constraints.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"
#include "shared/iterations.glsl"
#include "distance_field/cell.glsl"

layout(local_size_x = 64) in;
#include "shared/particles.glsl"
layout(scalar, binding = 5) readonly buffer Grids { Grid grids[]; };
layout(scalar, binding = 6) readonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, binding = 7) readonly buffer Cells { uint cells[]; };
layout(scalar, push_constant) uniform Push {
    uint particle_count;
    uint field_count;
    uint transform_offset; // of the transforms before this sub-step; those after it follow
    uint path_samples;     // pseudo-continuous: how many points of the path are tested
    uint friction_model;
    uint first_sub_step;   // 0 or 1: contacts start anew
};

#include "shared/candidates.glsl"
#include "distance_field/surface.glsl"

// A particle and one grid during this sub-step.
struct Pair {
    Grid grid;
    FieldTransform after;
    vec3 to;    // predicted, world space
    vec3 start; // of the path relative to the grid, field space
    vec3 end;
    float thickness;
};

// Whether a path in field space may come between the grid's cells.
bool overlaps_grid(Grid grid, vec3 start, vec3 end) {
    vec3 size = grid.cell_size * (vec3(grid.size[0], grid.size[1], grid.size[2]) - 1.0);
    return all(greaterThanEqual(max(start, end), vec3(0.0))) && all(lessThanEqual(min(start, end), size));
}

bool overlaps_ball(uint field_ix, vec3 centre, float radius) {
    FieldTransform before = transforms[transform_offset + field_ix];
    FieldTransform after = transforms[transform_offset + field_count + field_ix];
    vec3 start = affine(before.field_from_world) * vec4(centre, 1.0);
    vec3 end = affine(after.field_from_world) * vec4(centre, 1.0);
    float margin = radius * max(before.max_scale, after.max_scale);
    return overlaps_grid(grids[field_ix], max(start, end) + margin, min(start, end) - margin);
}

// Whether the particle is less than the thickness outside at a point of its path, and the verdict. Where it meets `best` at
// the same time it must be less deep.
uint test_point(Pair pair, float time, inout Hit best) {
    Plane plane;
    if (!surface_at(pair.grid, mix(pair.start, pair.end, time), plane)) return MISSES;
    vec3 normal = transpose(mat3(affine(pair.after.field_from_world))) * plane.normal;
    float size = length(normal);
    if (!(size > 0.0) || plane.distance >= pair.thickness * size) return MISSES;
    Contact contact;
    contact.normal = normal / size;
    contact.point = affine(pair.after.world_from_field) * vec4(plane.point, 1.0);
    float depth = depth_of(contact, pair.to, pair.thickness);
    if (!(depth > MIN_DEPTH)) return MISSES;
    if (time > best.time || (time == best.time && depth >= best.depth)) return LOSES;
    contact.co_moving = affine(pair.after.world_from_field) * vec4(pair.start, 1.0);
    best = Hit(time, depth, contact);
    return DECIDES;
}

// Follows the particle's path relative to one grid, up to where it meets `best`.
void test_grid(uint field_ix, vec3 from, vec3 to, float thickness, inout Hit best) {
    Pair pair;
    pair.grid = grids[field_ix];
    pair.after = transforms[transform_offset + field_count + field_ix];
    pair.to = to;
    pair.start = affine(transforms[transform_offset + field_ix].field_from_world) * vec4(from, 1.0);
    pair.end = affine(pair.after.field_from_world) * vec4(to, 1.0);
    pair.thickness = thickness;
    if (!overlaps_grid(pair.grid, pair.start, pair.end)) return;
    for (uint i = 1; i <= path_samples; ++i) {
        float time = float(i) / float(path_samples);
        if (time > best.time || test_point(pair, time, best) != MISSES) return;
    }
}

// The first contact of a particle with the near grids; its time is more than 1 if there is none.
Hit find_first_contact(uint chunk, vec3 from, vec3 to, float thickness) {
    Hit best;
    best.time = 2.0;
    best.depth = 0.0;
    best.contact = Contact(vec3(0.0), vec3(0.0), vec3(0.0));
    uint word_count = (min(field_count - chunk, CANDIDATE_CHUNK) + 31) / 32;
    for (uint word = 0; word < word_count; ++word) {
        for (uint bits = candidate_bits[word]; bits != 0; bits &= bits - 1) {
            test_grid(chunk + word * 32 + findLSB(bits), from, to, thickness, best);
        }
    }
    return best;
}

void main() {
    uint particle_ix = gl_GlobalInvocationID.x;
    uint safe_ix = min(particle_ix, particle_count - 1);
    vec3 from = current[safe_ix].xyz;
    vec3 to = predicted[safe_ix].xyz;
    GarmentSettings garment = garments[particles[safe_ix].garment_ix];
    float thickness = max(garment.thickness, particles[safe_ix].clearance);
    vec4 deepest = first_sub_step != 0 ? vec4(0.0) : contacts[safe_ix];
    vec3 shift = vec3(0.0);
    float last_normal = 0.0; // packed

    gather_bounds(from, to, thickness);
    for (uint chunk = 0; chunk < field_count; chunk += CANDIDATE_CHUNK) {
        find_candidates(chunk);
        for (uint iteration = 0; iteration < RESPONSE_ITERATIONS && !is_astray(safe_ix); ++iteration) {
            float kept = thickness_in(iteration, thickness);
            Hit hit = find_first_contact(chunk, from, to, kept);
            if (hit.time > 1.0) break;
            // What was missing already when the sub-step began is corrected without giving the particle speed.
            shift += hit.contact.normal * clamp(depth_of(hit.contact, hit.contact.co_moving, kept), 0.0, hit.depth);
            to = respond(hit.contact, from, to, hit.depth, garment.friction, friction_model);
            last_normal = pack_direction(hit.contact.normal);
            if (hit.depth > deepest.w) deepest = vec4(hit.contact.normal, hit.depth);
        }
    }
    if (particle_ix >= particle_count) return;
    current[particle_ix].xyz = from + shift;
    predicted[particle_ix] = vec4(to, last_normal);
    contacts[particle_ix] = deepest;
}
