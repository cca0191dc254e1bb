// The cloth's surface between its particles: each triangle is cut into smaller ones that bulge as the normals say (Phong
// tessellation, Boubekeur and Alexa 2008), so that coarse cloth has round folds. Includers declare `view` and the buffers
// `positions`, `previous_positions`, `normals` and `triangles` first.
#ifndef RENDER_DRAPE
#define RENDER_DRAPE

// Each edge is cut into this many.
layout(constant_id = 1) const uint CUTS = 2;
// How far the surface follows the normals; 0 is flat, 3/4 the authors' choice.
const float BULGE = 0.7;

struct DrapeVertex {
    uint first;      // place of that triangle's first corner in the list
    uvec3 particles; // the simulated triangle it lies in
    vec3 corner;     // how near it is to each
    vec3 position;   // world space
    vec3 normal;     // unit
};

// Where the corners of the small triangles lie: `row` counts from the first corner, `column` from the second to the third.
vec3 corner_at(uint row, uint column) {
    return vec3(CUTS - row, row - column, column) / float(CUTS);
}

vec3 corner_of(uint small_ix, uint vertex) {
    uint row = uint(sqrt(float(small_ix) + 0.5));
    uint within = small_ix - row * row, column = within / 2;
    bool upright = within % 2 == 0;
    if (vertex == 0) return corner_at(row, column);
    if (vertex == 1) return corner_at(row + 1, upright ? column : column + 1);
    return upright ? corner_at(row + 1, column + 1) : corner_at(row, column + 1);
}

vec3 shown_position(uint particle_ix) {
    return mix(previous_positions[particle_ix].xyz, positions[particle_ix].xyz, view.alpha);
}

// The point of a triangle, whose first corner stands at `first` in the list, that is so near to its corners.
DrapeVertex drape_at(uint first, vec3 corner) {
    DrapeVertex drape;
    drape.first = first;
    drape.particles = uvec3(triangles[first], triangles[first + 1], triangles[first + 2]);
    drape.corner = corner;
    vec3 places[3], directions[3];
    for (uint i = 0; i < 3; ++i) {
        places[i] = shown_position(drape.particles[i]);
        directions[i] = normals[drape.particles[i]].xyz;
    }
    vec3 c = drape.corner;
    vec3 flat_position = c.x * places[0] + c.y * places[1] + c.z * places[2];
    vec3 bulged = vec3(0.0);
    for (uint i = 0; i < 3; ++i) {
        bulged += c[i] * (flat_position - directions[i] * dot(directions[i], flat_position - places[i]));
    }
    drape.position = mix(flat_position, bulged, BULGE);
    vec3 normal = c.x * directions[0] + c.y * directions[1] + c.z * directions[2];
    float size = length(normal);
    drape.normal = size > 1e-4 ? normal / size : vec3(0.0, 1.0, 0.0);
    return drape;
}

DrapeVertex drape_vertex(uint vertex_ix) {
    uint small_ix = vertex_ix / 3, per_triangle = CUTS * CUTS;
    return drape_at(small_ix / per_triangle * 3, corner_of(small_ix % per_triangle, vertex_ix % 3));
}

// Metres by which cloth that faces the eye counts as nearer than it is. 0.002: where cloth lies on skin their depths would flicker. More
// would hide skin that comes through.
const float NEARER = 0.002;
// The same at a hem, however it faces, and how far from the border it is so. What stands more than 3 mm out of cloth counts as a fault.
const float HEM_NEARER = 0.003, HEM_REACH = 0.02;

// Where a point of the cloth lies on the screen, as deep as if it were nearer by as much as it faces the eye. `hem`: metres to the
// border.
vec4 clip_position(vec3 position, vec3 normal, float hem) {
    vec3 to_eye = normalize(view.eye - position);
    float nearer = NEARER * max(dot(normal, to_eye), 0.0);
    nearer = mix(HEM_NEARER, nearer, clamp(hem / HEM_REACH, 0.0, 1.0));
    vec4 clip = view.clip_from_world * vec4(position, 1.0);
    vec4 moved = view.clip_from_world * vec4(position + nearer * to_eye, 1.0);
    return vec4(clip.xy, moved.z / moved.w * clip.w, clip.w);
}

#endif
