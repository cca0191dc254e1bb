// The skin as a grid represents it: trilinear between eight cells (Fuhrmann, Sobottka and Gross, "Distance fields for rapid collision
// detection in physically based modeling", 2003). src/collide/distance_field/twin/surface.rs is its twin. Includers declare `cells`
// and include distance_field/cell.glsl first.
#ifndef DISTANCE_FIELD_SURFACE
#define DISTANCE_FIELD_SURFACE

// Change of distance per metre, usually 1. Where it is less, ways out in opposite directions cancel and none is right: the
// middle of a limb no thicker than two cells.
const float MIN_SLOPE = 0.1;

struct Plane {
    vec3 normal;    // unit, field space
    vec3 point;     // on the skin, field space
    float distance; // from it to where was looked, metres of the bind pose, negative inside
};

// The skin nearest to a point; false where a cell round it is empty: outside the band, and beyond the grid.
bool surface_at(Grid grid, vec3 pos_in_field, out Plane plane) {
    vec3 at = pos_in_field / grid.cell_size;
    vec3 low = floor(at), within = at - low;
    vec3 last = vec3(grid.size[0], grid.size[1], grid.size[2]) - 1.0;
    // Written so that a NaN is outside.
    if (!(all(greaterThanEqual(low, vec3(0.0))) && all(lessThan(low, last)))) return false;
    uint first_ix = cell_ix_of(grid, uvec3(low));
    float corners[8];
    for (uint i = 0; i < 8; ++i) {
        uvec3 offset = uvec3(i, i >> 1, i >> 2) & 1u;
        uint key = cells[first_ix + (offset.z * grid.size[1] + offset.y) * grid.size[0] + offset.x];
        if (key == EMPTY_KEY) return false;
        corners[i] = signed_distance_of_key(key);
    }
    vec4 along_x = vec4(corners[1] - corners[0], corners[3] - corners[2], corners[5] - corners[4], corners[7] - corners[6]);
    vec4 at_x = vec4(corners[0], corners[2], corners[4], corners[6]) + along_x * within.x;
    vec2 along_y = at_x.yw - at_x.xz;
    vec2 at_y = at_x.xz + along_y * within.y;
    vec2 along_x_at_y = mix(along_x.xz, along_x.yw, within.y);
    vec3 slope = vec3(mix(along_x_at_y.x, along_x_at_y.y, within.z), mix(along_y.x, along_y.y, within.z), at_y.y - at_y.x);
    float steepness = length(slope);
    if (!(steepness >= MIN_SLOPE * grid.cell_size)) return false;
    plane.distance = mix(at_y.x, at_y.y, within.z);
    plane.normal = slope / steepness;
    plane.point = pos_in_field - plane.normal * plane.distance;
    return true;
}

#endif
