// Empties the rows of each field that a row without skin parts from its joint's own skin, and finds how far the skin in its cells reaches from
// its axis: the radius of the cylinder that the collision tests first, and the box that this cylinder sweeps during the step. Poses bulge, and
// skin that joints bend before an axis is written too, so that no bound of the bind pose holds.
// Reads: portions of fields, cells, transforms. Writes: cells, radii, boxes of fields and bodies; rows of fields that have several portions;
// portions_done, which ends as it began: 0.
// One workgroup per portion; groups take further portions in turn. Of a field's portions the last to be done goes on. Runs after the cells are
// filled, before collide.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#include "shared/structs.glsl"

// Rows of one field.
struct Portion {
    uint field_ix;
    uint first_cell; // of the field
    uint width;
    uint first_row; // of the portion
    uint end_row;   // behind the last
    uint first_open; // row of the field that is no cap
    uint end_open;   // behind the last
    uint count; // portions of the field
    uint rows_offset; // of the field's rows in `rows_of_fields`, where it has several portions
    float least; // metres from the axis that the field reaches at least: 0 where it closes onto it, elsewhere less than any path comes near
};

// The skin in one row, or in a part of it.
struct Row {
    uint furthest; // a key_of_number; 0 without skin
    uint skin; // a bit per sector with skin, and OWN_SKIN
};

const Row WITHOUT_SKIN = Row(0, 0);

// The most rows of a field: `MAX_HEIGHT` of src/collide/radial/field.rs.
const uint MAX_ROWS = 1024;
// Parts of the revolution that are told apart, and in how many of them a row has skin at least, or counts as one without. Usually 3 of 8: where an
// axis is inside the body it sees most of its row, outside it a cell or two. With 1 a single cell joins what lies behind it.
const uint SECTORS = 8;
const uint LEAST_SECTORS = 3;
const uint ALL_SECTORS = (1 << SECTORS) - 1;
// That a row has some of the joint's own.
const uint OWN_SKIN = 1 << SECTORS;

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
layout(scalar, binding = 7) coherent buffer PortionsDone { uint portions_done[]; };
layout(scalar, binding = 8) coherent buffer RowsOfFields { Row rows_of_fields[]; };
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

// Of the portion's field: the portion's own, and all of them once the last portion is done.
shared Row rows[MAX_ROWS];
// The rows with the joint's own skin lie from the first to before the second, and those that are kept.
shared uint first_own;
shared uint end_own;
shared uint first_kept;
shared uint end_kept;
// A key_of_number.
shared uint furthest;
// Whether the workgroup's portion is the last of its field.
shared bool is_last;

// The skin in one sector of a row. No branches among cells, for the reason that distance_of_key gives.
Row sector_of_row(Portion portion, uint row, uint sector) {
    uint first_of_row = portion.first_cell + row * portion.width;
    uint first = first_of_row + (sector * portion.width + SECTORS - 1) / SECTORS, end = first_of_row + ((sector + 1) * portion.width + SECTORS - 1) / SECTORS;
    float reach = -FARTHEST;
    bool has_own = false;
    for (uint ix = first; ix < end; ix += AT_ONCE) {
        uint keys[AT_ONCE];
        [[unroll]] for (uint i = 0; i < AT_ONCE; ++i) keys[i] = cells[min(ix + i, end - 1)];
        [[unroll]] for (uint i = 0; i < AT_ONCE; ++i) {
            float distance = distance_of_key(keys[i]);
            bool has_skin = distance < FARTHEST, is_own = has_skin && keys[i] >> 30 == RANK_OWN;
            reach = max(reach, has_skin ? distance : reach);
            has_own = has_own || is_own;
        }
    }
    if (reach < 0.0) return WITHOUT_SKIN;
    return Row(key_of_number(reach), 1 << sector | (has_own ? OWN_SKIN : 0));
}

// Called by all threads of a workgroup, as the functions below are.
void look_through(Portion portion) {
    uint lane = gl_LocalInvocationID.x, first = portion.first_row, count = portion.end_row - first;
    for (uint i = lane; i < count; i += THREADS) rows[first + i] = WITHOUT_SKIN;
    barrier();
    for (uint i = lane; i < count * SECTORS; i += THREADS) {
        uint row = first + i / SECTORS;
        Row found = sector_of_row(portion, row, i % SECTORS);
        if (found.skin == 0) continue;
        atomicMax(rows[row].furthest, found.furthest);
        atomicOr(rows[row].skin, found.skin);
    }
    barrier();
}

// Adds what a portion has to its field, and returns whether all portions have: the field's rows are in `rows` then.
bool finish(Portion portion) {
    if (portion.count == 1) return true;
    uint lane = gl_LocalInvocationID.x;
    for (uint row = portion.first_row + lane; row < portion.end_row; row += THREADS) rows_of_fields[portion.rows_offset + row] = rows[row];
    // What was written before must be visible to the last.
    memoryBarrierBuffer();
    barrier();
    if (lane == 0) is_last = atomicAdd(portions_done[portion.field_ix], 1) + 1 == portion.count;
    barrier();
    if (!is_last) return false;
    memoryBarrierBuffer();
    for (uint row = portion.first_open + lane; row < portion.end_open; row += THREADS) rows[row] = rows_of_fields[portion.rows_offset + row];
    if (lane == 0) portions_done[portion.field_ix] = 0;
    barrier();
    return true;
}

// Finds the rows that are kept: from the joint's own skin on up to rows with hardly any; all where nothing says which is its own.
void find_kept_rows(Portion portion) {
    uint lane = gl_LocalInvocationID.x;
    for (uint row = portion.first_open + lane; row < portion.end_open; row += THREADS) {
        if ((rows[row].skin & OWN_SKIN) == 0) continue;
        atomicMin(first_own, row);
        atomicMax(end_own, row + 1);
    }
    barrier();
    if (end_own == 0) return;
    for (uint row = portion.first_open + lane; row < portion.end_open; row += THREADS) {
        if (bitCount(rows[row].skin & ALL_SECTORS) >= LEAST_SECTORS) continue;
        if (row < first_own) atomicMax(first_kept, row + 1);
        if (row >= end_own) atomicMin(end_kept, row);
    }
    barrier();
}

void empty_rows(Portion portion, uint first_row, uint end_row) {
    uint end = portion.first_cell + end_row * portion.width;
    for (uint ix = portion.first_cell + first_row * portion.width + gl_LocalInvocationID.x; ix < end; ix += THREADS) cells[ix] = EMPTY_KEY;
}

// Metres from the axis to the furthest skin of a field; `rows` are the field's. Empties what is loose.
float keep_one_piece(Portion portion) {
    uint lane = gl_LocalInvocationID.x;
    if (lane == 0) {
        first_own = MAX_ROWS;
        end_own = 0;
        first_kept = portion.first_open;
        end_kept = portion.end_open;
        furthest = key_of_number(portion.least);
    }
    barrier();
    if (ONE_PIECE) find_kept_rows(portion);
    for (uint row = first_kept + lane; row < end_kept; row += THREADS) atomicMax(furthest, rows[row].furthest);
    empty_rows(portion, portion.first_open, first_kept);
    empty_rows(portion, end_kept, portion.end_open);
    barrier();
    return number_of_key(furthest);
}

void main() {
    for (uint ix = gl_WorkGroupID.x; ix < portion_count; ix += gl_NumWorkGroups.x) {
        Portion portion = portions[ix];
        look_through(portion);
        if (finish(portion)) {
            float radius = keep_one_piece(portion);
            if (gl_LocalInvocationID.x == 0) radii[portion.field_ix] = radius;
            // In field space the axis is 1 long, and both other directions are in metres.
            write_field_bounds(portion.field_ix, Bounds(vec3(-radius, -radius, 0.0), vec3(radius, radius, 1.0)));
        }
        barrier();
    }
}
