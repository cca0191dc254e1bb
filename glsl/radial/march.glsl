// The path of a particle through one field, quad by quad of cell centres, so that nothing is too fast or too thin to be met; not in
// the paper. src/collide/radial/twin/march.rs is its twin.
// A path is a straight line in field space. It leaves a quad through a half-plane of a column or a plane of a row, and changes
// half where it passes the quad's diagonal. Includers include radial/surface.glsl first.
#ifndef RADIAL_MARCH
#define RADIAL_MARCH

// How far along its path a walk has come.
struct Walk {
    vec3 start; // field space
    vec3 displacement;   // from the start to the end of the path
    ivec2 quad;    // low corner of the quad that comes next
    ivec2 heading; // where the quad after it lies: 1 or -1 columns, 1, -1 or 0 rows
    vec2 within;   // where the path enters the quad, 0 to 1
    float time;    // part of the path
    float end;     // where the path leaves the rows
    int quads_left; // a bound that only a broken path meets
};

// The part of a path that lies in one quad.
struct Crossing {
    ivec2 quad;
    float times[3]; // enters, passes the diagonal, leaves
    bool lower[2];  // the half before the diagonal and the half behind it; alike if it stays in one
};

float cross2(vec2 a, vec2 b) {
    return a.x * b.y - a.y * b.x;
}

// Where in a quad a point of field space lies, 0 to 1.
vec2 within_quad(Field field, vec3 pos_in_field, ivec2 quad) {
    vec2 size = vec2(field.width, field.height);
    vec2 at = vec2(revolution_of(pos_in_field.xy), pos_in_field.z) * size - 0.5 - vec2(quad);
    at.x -= size.x * floor((at.x + 0.5) / size.x); // the seam
    return clamp(at, vec2(0.0), vec2(1.0));
}

Walk begin_walk(Field field, vec3 start, vec3 end) {
    Walk walk;
    walk.start = start;
    walk.displacement = end - start;
    vec2 rows = vec2(0.5, float(field.height) - 0.5) / float(field.height); // centres of the first and the last
    walk.time = 0.0;
    walk.end = 1.0;
    if (walk.displacement.z != 0.0) {
        vec2 times = (rows - start.z) / walk.displacement.z;
        walk.time = max(0.0, min(times.x, times.y));
        walk.end = min(1.0, max(times.x, times.y));
    } else if (start.z < rows.x || start.z > rows.y) {
        walk.end = -1.0;
    }
    vec3 at = start + walk.time * walk.displacement;
    // What starts on the axis takes its heading's column at once.
    if (at.xy == vec2(0.0)) at.xy = walk.displacement.xy;
    vec2 place = vec2(revolution_of(at.xy), at.z) * vec2(field.width, field.height) - 0.5;
    int column = int(floor(place.x));
    walk.quad.x = (column + int(field.width)) % int(field.width);
    walk.quad.y = clamp(int(floor(place.y)), 0, int(field.height) - 2);
    // A straight line goes round the axis in one direction only.
    walk.heading.x = cross2(start.xy, walk.displacement.xy) < 0.0 ? -1 : 1;
    walk.heading.y = int(sign(walk.displacement.z));
    walk.within = within_quad(field, at, walk.quad);
    walk.quads_left = walk.time <= walk.end ? int(field.width + field.height) : 0;
    return walk;
}

// When the path meets the half-plane of the next column; later than its end if it never turns that far.
float column_time(Field field, Walk walk) {
    int border = walk.quad.x + (walk.heading.x > 0 ? 1 : 0);
    vec2 direction = direction_of((float(border) + 0.5) / float(field.width));
    float approach = cross2(direction, walk.displacement.xy);
    return approach * float(walk.heading.x) > 0.0 ? -cross2(direction, walk.start.xy) / approach : 2.0;
}

float row_time(Field field, Walk walk) {
    int border = walk.quad.y + (walk.heading.y > 0 ? 1 : 0);
    return walk.heading.y != 0 ? (row_z(field, border) - walk.start.z) / walk.displacement.z : 2.0;
}

// The next quad on the path; false when it has come to its end.
bool next_quad(Field field, inout Walk walk, out Crossing crossing) {
    if (walk.quads_left <= 0) return false;
    float column = column_time(field, walk), row = row_time(field, walk);
    float leaves = max(walk.time, min(min(column, row), walk.end));
    vec3 at = walk.start + leaves * walk.displacement;
    vec2 entered = walk.within, left = within_quad(field, at, walk.quad);
    crossing.quad = walk.quad;
    crossing.lower[0] = in_lower_half(field, walk.quad.y, entered);
    crossing.lower[1] = in_lower_half(field, walk.quad.y, left);
    // Over less than a quad the path is nearly straight over angle and height too.
    float above = entered.y - entered.x, still_above = left.y - left.x;
    float diagonal_time = crossing.lower[0] == crossing.lower[1] ? 1.0 : clamp(above / (above - still_above), 0.0, 1.0);
    crossing.times[0] = walk.time;
    crossing.times[1] = mix(walk.time, leaves, diagonal_time);
    crossing.times[2] = leaves;

    walk.quads_left -= 1;
    if (column <= min(row, walk.end)) walk.quad.x = (walk.quad.x + walk.heading.x + int(field.width)) % int(field.width);
    else walk.quad.y += walk.heading.y;
    bool ends = min(column, row) > walk.end || walk.quad.y < 0 || walk.quad.y + 2 > int(field.height);
    if (ends) walk.quads_left = 0;
    walk.time = leaves;
    walk.within = within_quad(field, at, walk.quad);
    return true;
}

// When, from one time to another, the path first comes below a height over a plane; false if it stays above. `margin` is that
// height times the length of the plane's normal in world space.
bool comes_below(Plane plane, Walk walk, float from, float to, float margin, out float time) {
    float first = dot(plane.normal, walk.start + from * walk.displacement - plane.point) - margin;
    float last = dot(plane.normal, walk.start + to * walk.displacement - plane.point) - margin;
    time = first < 0.0 ? from : mix(from, to, clamp(first / (first - last), 0.0, 1.0));
    return first < 0.0 || last < 0.0;
}

#endif
