// Where a segment goes through a triangle.
#ifndef CLOTH_CROSSING
#define CLOTH_CROSSING

struct Crossing {
    bool exists;
    float along;  // of the segment, from 0 to 1
    vec3 weights; // of the corners
    vec3 normal;  // unit, of the triangle
};

Crossing crossing_of(vec3 from, vec3 to, vec3 a, vec3 b, vec3 c) {
    Crossing crossing = Crossing(false, 0.0, vec3(0.0), vec3(0.0));
    vec3 normal = cross(b - a, c - a);
    float before = dot(normal, from - a), behind = dot(normal, to - a);
    if (before * behind >= 0.0) return crossing;
    float along = before / (before - behind);
    vec3 p = mix(from, to, along);
    float size = dot(normal, normal);
    vec3 weights = vec3(dot(normal, cross(c - b, p - b)), dot(normal, cross(a - c, p - c)), dot(normal, cross(b - a, p - a))) / size;
    if (any(lessThan(weights, vec3(0.0)))) return crossing;
    return Crossing(true, along, weights, normal * inversesqrt(size));
}

#endif
