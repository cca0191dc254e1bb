// Where a point lies in one of the maps that shadows are taken from. Includers declare `view` first.
#ifndef RENDER_MAP
#define RENDER_MAP

// As SeenFrom of src/render/targets.rs.
const uint SEEN_FROM_KEY = 0;
const uint SEEN_FROM_BELOW = 2;

// Clip space; depth is greatest nearest to the viewer.
vec4 place_in_map(vec3 position, uint seen_from) {
    mat4x3 map_from_world = seen_from == SEEN_FROM_KEY ? view.key_from_world : view.sky_from_world;
    vec3 at = map_from_world * vec4(position, 1.0);
    return vec4(at.xy * 2.0 - 1.0, seen_from == SEEN_FROM_BELOW ? 1.0 - at.z : at.z, 1.0);
}

#endif
