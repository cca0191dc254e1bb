// Broad phase of the techniques whose fields are attached to bones (paper, section 6.1): which fields a workgroup's particles may meet. They are
// searched once a step, for a group of particles, by shared/find_candidates.comp; particles that have left the box that was searched
// search the fields of the bodies nearby themselves, and all there are where they have gone FAR. More than a list holds are tested a window of them at a
// time.
// Includers declare `field_bounds`, `candidate_groups`, `field_count`, `first_layer_field` and `first_solid` first, and THREADS, the size of their
// workgroups: a multiple of 32.
#ifndef SHARED_CANDIDATES
#define SHARED_CANDIDATES

#include "shared/bounds.glsl"

// The most particles that share a list of candidates.
const uint GROUP_PARTICLES = 16;

// Metres that the response may push a particle with its candidates still those that it may meet: fields that come near only beyond that
// are missed until the next step. Usually it is pushed by a few millimetres; with much more there are more candidates than can matter.
const float RESPONSE_MARGIN = 0.04;

// Metres round the box that was searched, in which bodies count as near. Usually 1, more than any cloth moves in a step; with more so many of a
// dense crowd are near each other that MAX_RANGES do not hold them, with less cloth that is struck tests every field of the world.
const float FAR = 1.0;

// Fields of a window, one per thread.
const uint WINDOW = THREADS;

// Round all paths of the workgroup, after gather_bounds. Not a box per thread: how many workgroups run at once is decided by how much shared memory each has.
shared BodyBounds gathered;
// Whether a path has left the box that its group's list holds for.
shared uint any_escaped;
shared uint candidate_list[MAX_CANDIDATES];
shared uint candidate_count;
shared uint candidate_bits[WINDOW / 32];

// Called by all threads of a workgroup, as all that follow.
void gather_bounds(Bounds own) {
    barrier();
    if (gl_LocalInvocationID.x == 0) gathered = KEYS_OF_NOTHING;
    barrier();
    for (uint i = 0; i < 3; ++i) {
        atomicMin(gathered.low[i], key_of_number(own.low[i]));
        atomicMin(gathered.high[i], ~key_of_number(own.high[i]));
    }
    barrier();
}

Bounds gathered_bounds() {
    return bounds_of_keys(gathered);
}

void clear_candidates() {
    barrier();
    if (gl_LocalInvocationID.x == 0) candidate_count = 0;
}

// Appends those fields of a window, from `first` on and before `end`, that come into `bounds`, in ascending order. Counts those too for
// which there is no room.
void append_candidates(uint first, uint end, Bounds bounds) {
    uint lane = gl_LocalInvocationID.x;
    barrier();
    if (lane < WINDOW / 32) candidate_bits[lane] = 0;
    barrier();
    uint field_ix = first + lane;
    bool is_near = field_ix < end && overlap(field_bounds[field_ix], bounds);
    if (is_near) atomicOr(candidate_bits[lane / 32], 1u << lane % 32);
    barrier();
    uint slot = candidate_count, appended = 0;
    for (uint word = 0; word < WINDOW / 32; ++word) {
        uint before = word < lane / 32 ? 0xFFFFFFFFu : word > lane / 32 ? 0 : (1u << lane % 32) - 1u;
        slot += bitCount(candidate_bits[word] & before);
        appended += bitCount(candidate_bits[word]);
    }
    if (is_near && slot < MAX_CANDIDATES) candidate_list[slot] = field_ix;
    barrier();
    if (lane == 0) candidate_count += appended;
    barrier();
}

// The group that a workgroup works on, with so many threads per particle.
uint group_of_workgroup(uint lanes) {
    return gl_WorkGroupID.x * (THREADS / lanes) / GROUP_PARTICLES;
}

// The thread's particle; it is none of the group's if it is not before the group's end.
uint particle_of_thread(uint lanes) {
    uint place = (gl_WorkGroupID.x * (THREADS / lanes) + gl_LocalInvocationID.x / lanes) % GROUP_PARTICLES;
    return candidate_groups[group_of_workgroup(lanes)].first_particle + place;
}

// Takes the candidates that were found for a group, and returns whether they hold for all paths of the workgroup; `own`: the thread's.
bool load_candidates(uint group_ix, Bounds own) {
    uint lane = gl_LocalInvocationID.x, count = candidate_groups[group_ix].count;
    Bounds searched = Bounds(candidate_groups[group_ix].low, candidate_groups[group_ix].high);
    if (lane == 0) {
        candidate_count = count;
        any_escaped = 0;
    }
    for (uint slot = lane; slot < min(count, MAX_CANDIDATES); slot += THREADS) candidate_list[slot] = candidate_groups[group_ix].fields[slot];
    barrier();
    if (!contains(searched, own)) atomicOr(any_escaped, 1);
    barrier();
    return count <= MAX_CANDIDATES && any_escaped == 0;
}

uint windows_of(uint fields) {
    return (fields + WINDOW - 1) / WINDOW;
}

// Whether what gather_bounds has gathered last meets fields of the bodies near its group alone.
bool stays_near(uint group_ix) {
    Bounds searched = Bounds(candidate_groups[group_ix].low, candidate_groups[group_ix].high);
    return candidate_groups[group_ix].range_count <= MAX_RANGES
        && contains(widened(searched, FAR), widened(gathered_bounds(), RESPONSE_MARGIN));
}

// How many windows the fields of all bodies have. Those of garments that others are worn over come after them, and before solids; which of them a
// garment meets is known where it is near its body alone.
uint body_windows() {
    return windows_of(first_layer_field);
}

// How many windows of fields there are to look at; `listed`: what load_candidates or find_candidates returned.
uint window_count(uint group_ix, bool listed) {
    if (listed) return 1;
    if (!stays_near(group_ix)) return body_windows() + windows_of(field_count - first_solid);
    uint count = 0;
    for (uint i = 0; i < candidate_groups[group_ix].range_count; ++i) {
        count += windows_of(candidate_groups[group_ix].ranges[2 * i + 1] - candidate_groups[group_ix].ranges[2 * i]);
    }
    return count;
}

// Appends a window's fields near what gather_bounds has gathered last.
void append_window(uint group_ix, uint window) {
    uint first = 0, end = first_layer_field;
    if (stays_near(group_ix)) {
        for (uint i = 0; i < candidate_groups[group_ix].range_count; ++i) {
            first = candidate_groups[group_ix].ranges[2 * i];
            end = candidate_groups[group_ix].ranges[2 * i + 1];
            if (window < windows_of(end - first)) break;
            window -= windows_of(end - first);
        }
    } else if (window >= body_windows()) {
        first = first_solid;
        end = field_count;
        window -= body_windows();
    }
    append_candidates(first + window * WINDOW, end, widened(gathered_bounds(), RESPONSE_MARGIN));
}

// Lists the fields near the workgroup's paths, where the group's list does not hold, and returns whether there is room for all; `own`: the thread's.
bool find_candidates(uint group_ix, Bounds own) {
    gather_bounds(own);
    clear_candidates();
    uint windows = window_count(group_ix, false);
    for (uint window = 0; window < windows; ++window) append_window(group_ix, window);
    return candidate_count <= MAX_CANDIDATES;
}

// Lists a window's fields near what gather_bounds has gathered last; a list that holds all stays.
void begin_window(uint group_ix, bool listed, uint window) {
    if (listed) return;
    clear_candidates();
    append_window(group_ix, window);
}

#endif
