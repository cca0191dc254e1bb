// Collides the midpoint of every edge and points within every triangle with rigid solids, which have corners, whatever the technique; with
// friction (Fuhrmann, Sobottka and Gross, section 4.3).
// Reads: predicted and current positions, edges, triangles, solids, their fields, transforms, candidates. Writes: the other buffers of predicted
// positions and of current ones, those by as much but for friction, so that no edge makes its particles fast.
// Runs after the constraints and a technique's own pass of this kind, before its collision.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
const bool HAS_TRIANGLES = true;
#include "shared/edges.glsl"

#define SOLIDS 11
#define SOLID_WORDS 12
#include "shared/solid_contacts.glsl"

layout(scalar, binding = 13) readonly buffer CornerOffsets { uint corner_offsets[]; };
layout(scalar, binding = 14) readonly buffer Corners { uvec2 corners[]; }; // the other two corners of each triangle round a particle

bool is_met(uint field_ix) {
    return field_ix >= first_solid;
}

// Points of triangles are up to twice as far away as middles of edges.
bool is_near(uint field_ix, vec3 position, float margin) {
    FieldTransform after = transforms[first_after + field_ix];
    vec3 at = affine(after.field_from_world) * vec4(position, 1.0);
    return overlap(bounds_of_solid(solids[field_ix - first_solid]), widened(Bounds(at, at), 2.0 * margin * after.max_scale));
}

// Only out of the solid itself: with the whole thickness edges over its corners would be pushed sideways in every step, and creep.
float kept_by_middle(float thickness, float length_of_edge, float body_size) {
    return reduced(thickness, body_size);
}

vec4 push_out(uint field_ix, vec3 pos_in_world, float thickness, float body_size) {
    uint after = first_after + field_ix;
    vec3 at = affine(transforms[after].field_from_world) * vec4(pos_in_world, 1.0);
    float outside;
    SolidPlane plane;
    if (!plane_of_solid(solids[field_ix - first_solid], after, at, outside, plane)) return vec4(0.0);
    return vec4(plane.normal, thickness - dot(plane.normal, pos_in_world - plane.point));
}

// Points of a triangle that are tested at first: its middle, and those of the thirds round its corners. No point of it is further from one
// of them, a corner or the middle of an edge than a sixth of an edge.
const uint FACE_POINTS = 4;

// Further points, from the deepest of those on, each nearer to a corner of the solid that stands between them: usually 2, since the first goes
// to where the nearest place of the solid would come through. With none a box's corner stood through edges of 3 cm by 3 mm.
const uint FURTHER_POINTS = 2;

// Part of a triangle's size that a further point goes on where the last is inside already.
const float STEP_INSIDE = 0.25;

// Cosine between the ways out of the solid and of the cloth from which on the cloth's is taken: smaller and cloth is pushed much further than
// it is deep, larger and corners that stand through it push it sideways over them, and back in the next step.
const float MIN_SLOPE = 0.3;

// Part of a triangle's size: a further point that is nearer to the last tells nothing new.
const float SAME_POINT = 0.05;

// A triangle round a particle.
struct Face {
    mat3 from; // its corners, in the same order for each of them, so that all compute the same
    mat3 to;
    uint own_place; // the particle's, among them
    uint number; // of its first point
    float reach; // metres from its middle to the furthest corner
    vec3 normal; // to either side; not finite if it has no area
};

Face face_of(uint particle_ix, uvec2 others, uint number) {
    uint low = min(others.x, others.y), high = max(others.x, others.y);
    uvec3 order = particle_ix < low ? uvec3(particle_ix, low, high)
        : particle_ix < high ? uvec3(low, particle_ix, high) : uvec3(low, high, particle_ix);
    Face face;
    face.own_place = particle_ix < low ? 0 : particle_ix < high ? 1 : 2;
    face.from = mat3(current[order.x].xyz, current[order.y].xyz, current[order.z].xyz);
    face.to = mat3(before[order.x].xyz, before[order.y].xyz, before[order.z].xyz);
    face.number = number * (FACE_POINTS + FURTHER_POINTS);
    face.normal = normalize(cross(face.to[1] - face.to[0], face.to[2] - face.to[0]));
    vec3 middle = face.to * vec3(1.0 / 3.0);
    face.reach = max(distance(middle, face.to[0]), max(distance(middle, face.to[1]), distance(middle, face.to[2])));
    return face;
}

// Each corner's part of one of the points.
vec3 weights_of(uint point) {
    vec3 weights = vec3(point == 0 ? 1.0 / 3.0 : 1.0 / 6.0);
    if (point != 0) weights[point - 1] = 2.0 / 3.0;
    return weights;
}

// All corners together move the point by the whole: over the sum of the squares.
Point point_of(Face face, vec3 weights, uint point) {
    float share = weights[face.own_place] / dot(weights, weights);
    return Point(face.from * weights, face.to * weights, share, face.number + point);
}

// The weights of a point after a way along the triangle, and no further than its edges.
vec3 moved_along(Face face, vec3 weights, vec3 way) {
    vec3 a = face.to[1] - face.to[0], b = face.to[2] - face.to[0];
    float aa = dot(a, a), ab = dot(a, b), bb = dot(b, b), size = aa * bb - ab * ab;
    if (!(size > 0.0)) return weights;
    float way_a = dot(way, a), way_b = dot(way, b);
    vec2 along = vec2(bb * way_a - ab * way_b, aa * way_b - ab * way_a) / size;
    vec3 moved = max(weights + vec3(-along.x - along.y, along), 0.0);
    return moved / (moved.x + moved.y + moved.z);
}

// A push out of a solid as one along the triangle's normal, which takes the point as far out, and a corner between it and others too.
vec4 along_normal(Face face, vec4 push) {
    float slope = dot(push.xyz, face.normal);
    if (!(push.w > 0.0 && abs(slope) > MIN_SLOPE)) return push;
    return vec4(face.normal * sign(slope), push.w / abs(slope));
}

// Tests points of one triangle against one solid.
void test_face(Face face, uint field_ix, float thickness, float size) {
    float most = most_push(thickness, face.reach), kept = reduced(thickness, size);
    vec3 weights = vec3(0.0);
    vec4 deepest = vec4(0.0);
    bool has_any = false;
    for (uint i = 0; i < FACE_POINTS + FURTHER_POINTS; ++i) {
        vec3 tested = weights_of(i);
        if (i >= FACE_POINTS) {
            // To where the solid's nearest place is, seen along the triangle, or further in.
            float way = deepest.w > kept ? -STEP_INSIDE * face.reach : deepest.w - kept;
            tested = moved_along(face, weights, deepest.xyz * way);
            bool is_new = distance(face.to * tested, face.to * weights) > SAME_POINT * face.reach;
            if (!has_any || !is_new) return;
        }
        Point point = point_of(face, tested, i);
        vec4 push = push_out(field_ix, point.to, kept, size);
        // Nothing of the triangle is near; twice, as sampled fields are coarse beyond their band.
        if (i == 0 && push.w < -2.0 * face.reach) return;
        Met met = Met(along_normal(face, push), field_ix, point);
        if (met.push.w < most) consider(met);
        bool is_deeper = push.xyz != vec3(0.0) && (!has_any || push.w > deepest.w);
        if (i >= FACE_POINTS && !is_deeper) return;
        if (!is_deeper) continue;
        has_any = true;
        deepest = push;
        weights = tested;
    }
}

void test_triangles(uint particle_ix, uint lane, float thickness, float body_size) {
    uint first_word = gl_LocalInvocationID.x / LANES * CANDIDATE_WORDS;
    for (uint i = corner_offsets[particle_ix] + lane; i < corner_offsets[particle_ix + 1]; i += LANES) {
        Face face = face_of(particle_ix, corners[i], MAX_EDGES + i - corner_offsets[particle_ix]);
        for (uint word = 0; word < CANDIDATE_WORDS; ++word) {
            for (uint bits = overlapping[first_word + word]; bits != 0; bits &= bits - 1) {
                test_face(face, candidate_list[word * 32 + findLSB(bits)], thickness, body_size);
            }
        }
    }
}

// The deepest point that a thread met: its particle goes with the deepest of all, and so do the other ends.
Met own_deepest;
shared Met found[THREADS];

void forget_met(uint lane) {
    own_deepest = Met(vec4(0.0), 0, Point(vec3(0.0), vec3(0.0), 0.0, 0));
}

// Of two points the one that decides: the deeper, of equals the earlier field's, then the earlier edge's.
bool comes_before(Met a, Met b) {
    if (a.push.w != b.push.w) return a.push.w > b.push.w;
    return a.field_ix != b.field_ix ? a.field_ix < b.field_ix : a.point.number < b.point.number;
}

void consider(Met met) {
    if (comes_before(met, own_deepest)) own_deepest = met;
}

// The motion of a point that friction takes away.
vec3 slip_at(Met met, float friction) {
    uint after = first_after + met.field_ix;
    vec3 start = affine(transforms[first_before + met.field_ix].field_from_world) * vec4(met.point.from, 1.0);
    Contact contact;
    contact.normal = met.push.xyz;
    contact.point = met.point.to;
    contact.co_moving = affine(transforms[after].world_from_field) * vec4(start, 1.0);
    friction = friction_between(solids[met.field_ix - first_solid], friction);
    return slip_of(contact, met.point.to, met.push.w, friction, friction_model);
}

Correction correction_of_lanes(uint edge_count, float friction) {
    uint local_ix = gl_LocalInvocationID.x;
    found[local_ix] = own_deepest;
    barrier();
    uint first = local_ix - local_ix % LANES;
    for (uint i = first; i < first + LANES; ++i) consider(found[i]);
    if (!(own_deepest.push.w > 0.0)) return Correction(vec3(0.0), vec3(0.0));
    float share = own_deepest.point.share;
    return Correction(own_deepest.push.xyz * own_deepest.push.w * share, slip_at(own_deepest, friction) * share);
}
