// Positions and normals come as the library left them, in world space, bound as vertex buffers.

struct Push {
    clip_from_world: mat4x4f,
    colour: vec4f, // linear
}
var<immediate> push: Push;

struct Corner {
    @builtin(position) pos_in_clip: vec4f,
    @location(0) normal: vec3f,
}

@vertex
fn place(@location(0) pos_in_world: vec3f, @location(1) normal_in_world: vec3f) -> Corner {
    return Corner(push.clip_from_world * vec4f(pos_in_world, 1.0), normal_in_world);
}

// A sun, a sky and a floor that gives some of the light back. Cloth has two sides.
@fragment
fn shade(corner: Corner, @builtin(front_facing) is_front: bool) -> @location(0) vec4f {
    let n = normalize(select(-corner.normal, corner.normal, is_front));
    let sky = mix(vec3f(0.20, 0.17, 0.14), vec3f(0.38, 0.42, 0.50), 0.5 + 0.5 * n.y);
    let sun = vec3f(1.0, 0.94, 0.84) * max(dot(n, normalize(vec3f(0.5, 0.8, 0.6))), 0.0);
    return vec4f(push.colour.rgb * (sky + 0.75 * sun), 1.0);
}
