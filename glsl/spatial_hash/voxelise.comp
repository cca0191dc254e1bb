// Lists every triangle of the skin in all cells it touches: triangle-parallel, 26-separating, that is every cell whose cube
// meets the triangle (Schwarz and Seidel, "Fast parallel surface and solid voxelization on GPUs", 2010, section 3.1).
// Reads: triangles, skin before and after the step. Writes: the lists of triangles, the stamps of touched entries and blocks,
// the overflow count.
// The first SCAN_SIZE threads of a workgroup place a triangle each; then all divide the cells of their bounding boxes. Runs after the
// bake, before collide, once per sub-step.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer SkinTriangles { SkinTriangle skin_triangles[]; };
layout(scalar, binding = 1) readonly buffer SkinBefore { vec3 skin_before[]; };
layout(scalar, binding = 2) readonly buffer SkinAfter { vec3 skin_after[]; };
layout(scalar, binding = 3) writeonly buffer Stamps { uint stamps[]; };
layout(scalar, binding = 4) buffer ListsLow { uint lists_low[]; };
layout(scalar, binding = 5) buffer ListsHigh { uint lists_high[]; };
layout(scalar, binding = 6) writeonly buffer BlockStamps { uint block_stamps[]; };
layout(scalar, binding = 7) buffer Counters { uint overflow_count; }; // listings that found no room, since the world was made
layout(scalar, push_constant) uniform Push {
    uint triangle_count;
    float part;
    float cell_size;
    uint entry_count;
    uint row;
    uint column;
    uint generation;
    uint triangle_bits;
    uint half_list;
};

const uint SCAN_SIZE = 8;
#include "shared/workgroup_scan.glsl"
#include "spatial_hash/table.glsl"

// A triangle larger than this many cells each way is torn skin; it is counted as lost instead of holding up the device.
const float MAX_CELLS = 256.0;

uint lower(uint entry, uint slot, uint listed) {
    return slot < HALF_LIST ? atomicMin(lists_low[entry * HALF_LIST + slot], listed)
                            : atomicMin(lists_high[entry * HALF_LIST + slot - HALF_LIST], listed);
}

// Puts the triangle into a free slot, whatever the order of arrival: what is larger than it meets on its way round moves on. A full
// list ends up with the triangles of the smallest indices, for what is dropped has met something smaller in every slot.
void list(uint entry, uint triangle_ix) {
    uint listed = listing(triangle_ix);
    stamps[entry] = generation;
    for (uint i = 0; i < LIST; ++i) {
        uint was = lower(entry, (triangle_ix + i) % LIST, listed);
        listed = max(was, listed);
        if (!is_current(listed)) return;
    }
    atomicAdd(overflow_count, 1);
}

// A triangle seen along one axis: three edges, each with a bound below which a cell's corner lies beyond it.
struct Shadow {
    vec2 normals[3];
    float offsets[3];
};

Shadow shadow_of(vec2 a, vec2 b, vec2 c, float winding) {
    Shadow shadow;
    vec2 corners[3] = vec2[](a, b, c);
    for (uint i = 0; i < 3; ++i) {
        vec2 edge = corners[(i + 1) % 3] - corners[i];
        vec2 normal = vec2(-edge.y, edge.x) * winding;
        shadow.normals[i] = normal;
        shadow.offsets[i] = -dot(normal, corners[i]) + cell_size * (max(normal.x, 0.0) + max(normal.y, 0.0));
    }
    return shadow;
}

bool overlaps(Shadow shadow, vec2 low) {
    for (uint i = 0; i < 3; ++i) {
        if (dot(shadow.normals[i], low) + shadow.offsets[i] < 0.0) return false;
    }
    return true;
}

// A triangle as its cells need it: its plane, its shadows, and the box round it.
struct Prism {
    vec3 normal;
    float ahead, behind; // of the plane, for the furthest and the nearest corner of a cell
    Shadow along_x, along_y, along_z;
    ivec3 first; // cells
    uvec2 size;  // cells along x and y
};

shared Prism prisms[SCAN_SIZE];

// Places the thread's triangle and returns how many cells its bounding box holds.
uint place() {
    uint triangle_ix;
    if (!owns_triangle(triangle_count, triangle_ix)) return 0;
    SkinTriangle triangle = skin_triangles[triangle_ix];
    vec3 corners[3];
    for (uint i = 0; i < 3; ++i) corners[i] = mix(skin_before[triangle.vertices[i]], skin_after[triangle.vertices[i]], part);
    vec3 low = min(corners[0], min(corners[1], corners[2])), high = max(corners[0], max(corners[1], corners[2]));
    // Written so that a NaN is lost too.
    if (!all(lessThan(high - low, vec3(MAX_CELLS * cell_size)))) {
        atomicAdd(overflow_count, 1);
        return 0;
    }
    Prism prism;
    prism.normal = cross(corners[1] - corners[0], corners[2] - corners[0]);
    vec3 furthest = mix(vec3(0.0), vec3(cell_size), greaterThan(prism.normal, vec3(0.0)));
    prism.ahead = dot(prism.normal, furthest - corners[0]);
    prism.behind = dot(prism.normal, vec3(cell_size) - furthest - corners[0]);
    vec3 winding = mix(vec3(1.0), vec3(-1.0), lessThan(prism.normal, vec3(0.0)));
    prism.along_x = shadow_of(corners[0].yz, corners[1].yz, corners[2].yz, winding.x);
    prism.along_y = shadow_of(corners[0].zx, corners[1].zx, corners[2].zx, winding.y);
    prism.along_z = shadow_of(corners[0].xy, corners[1].xy, corners[2].xy, winding.z);
    prism.first = cell_of(low);
    uvec3 size = uvec3(cell_of(high) - prism.first + 1);
    prism.size = size.xy;
    prisms[gl_LocalInvocationID.x] = prism;
    return size.x * size.y * size.z;
}

// Lists the triangle in the cell if it touches it.
void visit(uint number) {
    uint local_ix;
    uint owner = scan_owner(number, local_ix);
    ivec3 cell = prisms[owner].first + ivec3(cell_in_box(local_ix, prisms[owner].size));
    vec3 corner = vec3(cell) * cell_size;
    float height = dot(prisms[owner].normal, corner);
    if ((height + prisms[owner].ahead) * (height + prisms[owner].behind) > 0.0) return;
    if (!overlaps(prisms[owner].along_x, corner.yz)) return;
    if (!overlaps(prisms[owner].along_y, corner.zx)) return;
    if (!overlaps(prisms[owner].along_z, corner.xy)) return;
    block_stamps[block_entry_of(block_of(cell))] = generation;
    list(entry_of(cell), gl_WorkGroupID.x * SCAN_SIZE + owner);
}

void main() {
    uint total = workgroup_scan(place());
    // All threads go round as often: some drivers lose the last turn of those that leave a loop later than others.
    for (uint first = 0; first < total; first += 64) {
        uint number = first + gl_LocalInvocationID.x;
        if (number < total) visit(number);
    }
}
