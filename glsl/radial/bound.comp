// Empties the rows of each field that a row without skin parts from its joint's own skin, and finds how far the skin in its cells reaches from
// its axis: the radius of the cylinder that the collision tests first, and the box that this cylinder sweeps during the step. Poses bulge, and
// skin that joints bend before an axis is written too, so that no bound of the bind pose holds.
// Reads: portions of fields, cells, transforms. Writes: cells, radii, boxes of fields and bodies; progress, which ends as it began: 0.
// One workgroup per portion; groups take further portions in turn. Of a field's portions the last to be done goes on. Runs after the cells are
// filled, before collide.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#include "shared/structs.glsl"

// Cells of one field.
struct Portion {
    uint field_ix;
    uint first;
    uint end;
    uint count; // portions of its field
    float least; // metres from the axis that the field reaches at least: 0 where it closes onto it, elsewhere less than any path comes near
    uint first_of_field; // its first cell
    uint width;
    uint first_row; // of the field that is no cap
    uint end_row;   // behind the last
};

// Rows that are told apart: of higher fields all are kept. Usually 1,024, which is 10 m.
const uint MAX_ROWS = 1024;
// Parts of the revolution that are told apart, and in how many of them a row has skin at least, or counts as one without. Usually 3 of 8: where an
// axis is inside the body it sees most of its row, outside it a cell or two. With 1 a single cell joins what lies behind it.
const uint SECTORS = 8;
const uint LEAST_SECTORS = 3;

// How far a field's portions are.
struct Progress {
    uint furthest; // a key_of_number; 0: nothing yet
    uint done;
    uint before_own; // all bits turned round, the first cell with the joint's own skin; 0: nothing yet
    uint end_own;    // behind the last one
};

// Whether what is parted from the joint's own skin is emptied: `FieldRules::one_piece`.
layout(constant_id = 0) const bool ONE_PIECE = true;

layout(local_size_x = 128) in; // THREADS
layout(scalar, binding = 0) readonly buffer Portions { Portion portions[]; };
layout(scalar, binding = 1) buffer Cells { uint cells[]; };
layout(scalar, binding = 2) writeonly buffer Radii { float radii[]; };
layout(scalar, binding = 3) readonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, binding = 4) writeonly buffer FieldBounds { Bounds field_bounds[]; };
layout(scalar, binding = 5) readonly buffer BodiesOfFields { uint bodies_of_fields[]; };
layout(scalar, binding = 6) buffer BodiesBounds { BodyBounds body_bounds[]; };
layout(scalar, binding = 7) coherent buffer FieldsProgress { Progress progress[]; };
layout(scalar, push_constant) uniform Push {
    uint portion_count;
    uint transform_stride; // fields of all kinds
    uint sub_steps;
};

#include "shared/field_bounds.glsl"

#include "radial/cell.glsl"

// The most that every Vulkan 1.3 device has in a workgroup.
const uint THREADS = 128;

// Cells that a thread loads at a time. The dispatch is short, and with one at a time most of it is spent waiting for memory.
const uint AT_ONCE = 16;

shared float furthest[THREADS];
// The first cell with the joint's own skin, and the one behind the last; 0: there is none.
shared uint first_own;
shared uint end_own;
// In how many sectors each row has skin, of those beyond the joint's own; and the first row that is kept, and the one behind the last.
shared uint skin_sectors[MAX_ROWS];
shared uint first_kept;
shared uint end_kept;
// Whether the workgroup's portion is the last of its field.
shared bool is_last;

// What a thread has found in its cells.
struct Share {
    float furthest;
    uint first_own;
    uint end_own;
};

// Of every 128th of a portion's cells. No branches, for the reason that distance_of_key gives.
Share share_of(Portion portion) {
    Share share = Share(portion.least, 0xFFFFFFFFu, 0);
    for (uint first = portion.first + gl_LocalInvocationID.x; first < portion.end; first += THREADS * AT_ONCE) {
        uint keys[AT_ONCE];
        [[unroll]] for (uint round = 0; round < AT_ONCE; ++round) keys[round] = cells[min(first + round * THREADS, portion.end - 1)];
        [[unroll]] for (uint round = 0; round < AT_ONCE; ++round) {
            uint ix = min(first + round * THREADS, portion.end - 1);
            float distance = distance_of_key(keys[round]);
            bool has_skin = distance < FARTHEST, has_own = has_skin && keys[round] >> 30 == RANK_OWN;
            share.furthest = max(share.furthest, has_skin ? distance : share.furthest);
            share.first_own = min(share.first_own, has_own ? ix : 0xFFFFFFFFu);
            share.end_own = max(share.end_own, has_own ? ix + 1 : 0);
        }
    }
    return share;
}

// Called by all threads of a workgroup, as the functions below are.
void look_through(Portion portion) {
    uint lane = gl_LocalInvocationID.x;
    Share share = share_of(portion);
    furthest[lane] = share.furthest;
    if (share.end_own > 0) {
        atomicMin(first_own, share.first_own);
        atomicMax(end_own, share.end_own);
    }
    barrier();
    for (uint stride = THREADS / 2; stride > 0; stride /= 2) {
        if (lane < stride) furthest[lane] = max(furthest[lane], furthest[lane + stride]);
        barrier();
    }
}

// Loads several cells at a time, as share_of() does.
bool has_skin(Portion portion, uint row, uint sector) {
    uint first_of_row = portion.first_of_field + row * portion.width;
    uint first = first_of_row + (sector * portion.width + SECTORS - 1) / SECTORS, end = first_of_row + ((sector + 1) * portion.width + SECTORS - 1) / SECTORS;
    float nearest = FARTHEST;
    for (uint ix = first; ix < end; ix += 8) {
        uint keys[8];
        [[unroll]] for (uint i = 0; i < 8; ++i) keys[i] = cells[min(ix + i, end - 1)];
        [[unroll]] for (uint i = 0; i < 8; ++i) nearest = min(nearest, distance_of_key(keys[i]));
    }
    return nearest < FARTHEST;
}

// Finds the rows that are kept: from the joint's own skin on up to rows without any. `own`: the first row with the joint's own, and the one behind
// the last.
void find_kept_rows(Portion portion, uvec2 own) {
    uint lane = gl_LocalInvocationID.x, before = own.x - portion.first_row, count = before + portion.end_row - own.y;
    for (uint i = lane; i < count; i += THREADS) skin_sectors[i] = 0;
    barrier();
    for (uint i = lane; i < count * SECTORS; i += THREADS) {
        uint place = i / SECTORS, row = place < before ? portion.first_row + place : own.y + place - before;
        if (has_skin(portion, row, i % SECTORS)) atomicAdd(skin_sectors[place], 1);
    }
    barrier();
    for (uint i = lane; i < count; i += THREADS) {
        if (skin_sectors[i] >= LEAST_SECTORS) continue;
        if (i < before) atomicMax(first_kept, portion.first_row + i + 1);
        if (i >= before) atomicMin(end_kept, own.y + i - before);
    }
    barrier();
}

// Empties the rows that a row without skin parts from the joint's own, and finds the furthest skin of the others.
void empty_loose_rows(Portion portion) {
    if (end_own == 0 || portion.end_row - portion.first_row > MAX_ROWS) return;
    uvec2 own = uvec2(first_own - portion.first_of_field, end_own - portion.first_of_field + portion.width - 1) / portion.width;
    if (gl_LocalInvocationID.x == 0) {
        first_kept = portion.first_row;
        end_kept = portion.end_row;
    }
    find_kept_rows(portion, own);
    if (first_kept == portion.first_row && end_kept == portion.end_row) return;
    portion.first = portion.first_of_field + first_kept * portion.width;
    portion.end = portion.first_of_field + end_kept * portion.width;
    uint end = portion.first_of_field + portion.end_row * portion.width;
    for (uint ix = portion.first_of_field + portion.first_row * portion.width + gl_LocalInvocationID.x; ix < end; ix += THREADS) {
        if (ix < portion.first || ix >= portion.end) cells[ix] = EMPTY_KEY;
    }
    look_through(portion);
}

// Adds what a portion has to its field, and returns whether all portions have; `radius` and the joint's own cells are the field's then. Called by one
// thread.
bool finish(Portion portion, inout float radius) {
    if (portion.count == 1) return true;
    atomicMax(progress[portion.field_ix].furthest, key_of_number(radius));
    atomicMax(progress[portion.field_ix].before_own, ~first_own);
    atomicMax(progress[portion.field_ix].end_own, end_own);
    // What was written before must be visible to the last.
    memoryBarrierBuffer();
    if (atomicAdd(progress[portion.field_ix].done, 1) + 1 < portion.count) return false;
    memoryBarrierBuffer();
    radius = number_of_key(atomicExchange(progress[portion.field_ix].furthest, 0));
    first_own = ~atomicExchange(progress[portion.field_ix].before_own, 0);
    end_own = atomicExchange(progress[portion.field_ix].end_own, 0);
    progress[portion.field_ix].done = 0;
    return true;
}

void main() {
    for (uint ix = gl_WorkGroupID.x; ix < portion_count; ix += gl_NumWorkGroups.x) {
        Portion portion = portions[ix];
        if (gl_LocalInvocationID.x == 0) {
            first_own = 0xFFFFFFFFu;
            end_own = 0;
        }
        barrier();
        look_through(portion);
        if (gl_LocalInvocationID.x == 0) is_last = finish(portion, furthest[0]);
        barrier();
        if (is_last) {
            if (ONE_PIECE) empty_loose_rows(portion);
            float radius = furthest[0];
            if (gl_LocalInvocationID.x == 0) radii[portion.field_ix] = radius;
            // In field space the axis is 1 long, and both other directions are in metres.
            write_field_bounds(portion.field_ix, Bounds(vec3(-radius, -radius, 0.0), vec3(radius, radius, 1.0)));
        }
        barrier();
    }
}
