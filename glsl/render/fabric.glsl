// Woven cloth: threads that catch the light, a rough diffuse ground, the fuzz of fibre ends at grazing angles.
#ifndef RENDER_FABRIC
#define RENDER_FABRIC

// Metres from thread to thread: coarse linen. Finer vanishes at any distance a figure is seen whole from.
const float THREAD = 0.0022;

// Their places in `Material::ALL`.
const uint COTTON = 0, DENIM = 1, SILK = 2, JERSEY = 3;

// Cosine to the eye that a normal has at least. 0.1: less and outlines are drawn as bright lines, more and folds look flat.
const float LEAST_FACING = 0.1;

// Smooth noise of a plane point, from 0 to 1.
float hash2(vec2 p) {
    uvec2 q = uvec2(ivec2(p)) * uvec2(1597334673u, 3812015801u);
    return float((q.x ^ q.y) * 1597334673u) / 4294967295.0;
}

float plane_noise(vec2 p) {
    vec2 cell = floor(p), at = fract(p);
    at = at * at * (3.0 - 2.0 * at);
    return mix(mix(hash2(cell), hash2(cell + vec2(1, 0)), at.x), mix(hash2(cell + vec2(0, 1)), hash2(cell + vec2(1, 1)), at.x), at.y);
}

// Smooth noise and how it rises along x and y.
vec3 plane_noise_slope(vec2 p) {
    vec2 cell = floor(p), at = fract(p);
    vec2 share = at * at * at * (at * (at * 6.0 - 15.0) + 10.0);
    vec2 rise = 30.0 * at * at * (at * (at - 2.0) + 1.0);
    float a = hash2(cell), b = hash2(cell + vec2(1, 0)), c = hash2(cell + vec2(0, 1)), d = hash2(cell + vec2(1, 1));
    float twist = a - b - c + d;
    return vec3(a + (b - a) * share.x + (c - a) * share.y + twist * share.x * share.y,
        rise * vec2(b - a + twist * share.y, c - a + twist * share.x));
}

// Creases too fine for the simulation, as a tilt of the normal along u and v.
vec2 wrinkles_at(vec2 at) {
    const mat2 ROTATION = mat2(0.8, -0.6, 0.6, 0.8);
    vec2 tilt = vec2(0.0);
    float finest = max(length(fwidth(at)), 1e-5);
    float per_metre = 18.0, strength = 0.065;
    vec2 p = at * vec2(1.0, 0.8);
    for (uint i = 0; i < 3; ++i) {
        p = ROTATION * p;
        float seen = clamp(0.35 / (per_metre * finest) - 0.5, 0.0, 1.0);
        tilt += plane_noise_slope(p * per_metre + 17.0 * float(i)).yz * strength * seen;
        per_metre *= 2.3;
        strength *= 0.85;
    }
    return tilt;
}

struct Weave {
    vec2 tilt;  // of the normal along u and v
    float tone; // factor on the albedo
    float over; // 1 where the weft lies on top
};

// How much threads so fine are seen: nothing where they get smaller than pixels.
float threads_seen(vec2 threads) {
    return 1.0 - smoothstep(0.2, 0.5, max(length(dFdx(threads)), length(dFdy(threads))));
}

// Threads over and under each other by turns; `float_length`: over how many each goes. 1 is a plain weave, 3 a twill with its
// diagonal ribs, 5 a satin that hides the other threads.
Weave woven(vec2 threads, int float_length, float relief) {
    ivec2 cell = ivec2(floor(threads));
    vec2 within = fract(threads) - 0.5;
    int period = float_length + 1, turn = ((cell.x + cell.y) % period + period) % period;
    bool warp_on_top = float_length == 1 ? turn == 0 : turn != 0;
    float across = warp_on_top ? within.x : within.y;
    float along = warp_on_top ? within.y : within.x;
    float seen = threads_seen(threads);
    float flatness = float_length == 1 ? 0.35 : 0.1;
    Weave weave;
    weave.tilt = (warp_on_top ? vec2(across, flatness * along) : vec2(flatness * along, across)) * relief * seen;
    float gap = 4.0 * across * across + 0.6 * along * along;
    weave.tone = 1.0 - 0.42 * seen * (gap - 0.38);
    weave.over = mix(0.5, warp_on_top ? 0.0 : 1.0, seen);
    return weave;
}

// Columns of stitches, each a V.
Weave knitted(vec2 stitches) {
    vec2 within = fract(stitches) - 0.5;
    float side = sign(within.x), arm = abs(within.x) - 0.25;
    float rise = fract(stitches.y + 1.4 * abs(within.x)) - 0.5;
    float seen = threads_seen(stitches);
    Weave weave;
    weave.tilt = vec2(side * arm * 2.2, rise * 0.9) * seen;
    weave.tone = 1.0 - 0.5 * seen * (6.0 * arm * arm + 1.6 * rise * rise - 0.26);
    weave.over = 0.5;
    return weave;
}

// What a fabric looks like at `at`, metres along the cloth.
Weave weave_at(vec2 at, uint fabric) {
    Weave weave;
    vec2 threads = at / (fabric == DENIM ? 0.0016 : THREAD);
    if (fabric == DENIM) weave = woven(threads, 2, 1.6);
    else if (fabric == SILK) weave = woven(at / 0.0007, 5, 0.5);
    else if (fabric == JERSEY) weave = knitted(at / vec2(0.0034, 0.0026));
    else weave = woven(threads, 1, 1.5);
    // Slubs: threads that are thicker for a stretch, and cloudy dye.
    float pixel = max(length(fwidth(at)), 1e-5);
    float slubs = plane_noise(threads * vec2(0.55, 0.02)) + plane_noise(threads * vec2(0.02, 0.55)) - 1.0;
    float dye = plane_noise(at * 55.0) - 0.5;
    float uneven = fabric == DENIM ? 2.4 : fabric == SILK ? 0.3 : 1.0;
    weave.tone += uneven * 0.07 * slubs * clamp(0.004 / pixel - 0.6, 0.0, 1.0);
    weave.tone += uneven * 0.05 * dye * clamp(0.012 / pixel - 0.6, 0.0, 1.0);
    return weave;
}

// Where cloth turns away at its outline its normal, smooth over coarse triangles, points behind it: it is bent back, or the light that
// only grazes would draw the outline as a bright line.
vec3 towards_eye(vec3 normal, vec3 to_eye) {
    float facing = dot(normal, to_eye);
    return facing < LEAST_FACING ? normalize(normal + (LEAST_FACING - facing) * to_eye) : normal;
}

// The normal of a surface that stands higher by `height` metres than the one that is drawn (Mikkelsen 2010).
vec3 raised(vec3 normal, vec3 position, float height) {
    vec3 dx = dFdx(position), dy = dFdy(position);
    vec3 across = cross(dy, normal), along = cross(normal, dx);
    float area = dot(dx, across);
    vec3 slope = sign(area) * (dFdx(height) * across + dFdy(height) * along);
    vec3 bent = abs(area) * normal - slope;
    float size = length(bent);
    return size > 1e-12 ? bent / size : normal;
}

// The normal with a tilt along the cloth's own directions, which come from how `at` runs over the screen.
vec3 tilted(vec3 normal, vec3 position, vec2 at, vec2 tilt) {
    vec3 dx = dFdx(position), dy = dFdy(position);
    vec2 ux = dFdx(at), uy = dFdy(at);
    float turned = ux.x * uy.y - ux.y * uy.x;
    if (abs(turned) < 1e-12) return normal;
    vec3 along_u = (dx * uy.y - dy * ux.y) / turned;
    vec3 along_v = (dy * ux.x - dx * uy.x) / turned;
    vec3 bent = normal + tilt.x * normalize(along_u) + tilt.y * normalize(along_v);
    return normalize(bent);
}

// Fibre ends that stand off the cloth (Estevez and Kulla 2017, Neubelt and Pettineo's visibility), times the cosine.
float fuzz(vec3 normal, vec3 to_eye, vec3 to_light, float roughness) {
    vec3 halfway = normalize(to_eye + to_light);
    float nl = max(dot(normal, to_light), 0.0), nv = max(dot(normal, to_eye), 0.25);
    float nh = dot(normal, halfway);
    float sine = sqrt(max(1.0 - nh * nh, 1e-4));
    float spread = (2.0 + 1.0 / roughness) * pow(sine, 1.0 / roughness) / (2.0 * PI);
    return spread / (4.0 * (nl + nv - nl * nv) + 1e-3) * nl;
}

// Oren and Nayar's rough diffuse reflection, Fujii's form: flatter than Lambert's, brighter at grazing angles.
float rough_diffuse(vec3 normal, vec3 to_eye, vec3 to_light) {
    const float ROUGH = 0.65;
    // A little light comes through the threads from behind.
    float nl = max((dot(normal, to_light) + 0.12) / 1.12, 0.0), nv = max(dot(normal, to_eye), 0.0);
    float s = dot(to_light, to_eye) - nl * nv;
    float t = s > 0.0 ? max(max(nl, nv), 1e-3) : 1.0;
    return nl * (1.0 + ROUGH * s / t) / (1.0 + 0.287793 * ROUGH);
}

// What a fabric does with light besides scattering it.
struct Sheen {
    float fuzz;      // of fibre ends, towards the lights
    float edge;      // of fibre ends, at grazing angles
    float shine;     // of smooth threads
    float roughness; // of that
};

Sheen sheen_of(uint fabric) {
    if (fabric == DENIM) return Sheen(0.12, 0.22, 0.0, 0.6);
    if (fabric == SILK) return Sheen(0.05, 0.18, 1.0, 0.42);
    if (fabric == JERSEY) return Sheen(0.24, 0.4, 0.0, 0.6);
    return Sheen(0.17, 0.3, 0.0, 0.6);
}

vec3 shade_fabric(Place place, vec3 albedo, uint fabric) {
    vec3 rim = to_rim();
    Sheen sheen = sheen_of(fabric);
    vec3 fibre = mix(albedo, vec3(max(albedo.r, max(albedo.g, albedo.b))), 0.5);
    vec3 light = KEY_LIGHT * place.key * rough_diffuse(place.normal, place.to_eye, view.to_key);
    light += ambient_light(place, albedo);
    light += RIM_LIGHT * place.sky * 0.3 * max(dot(place.normal, rim), 0.0);
    vec3 shown = albedo * light;
    shown += PI * KEY_LIGHT * place.key * fibre * fuzz(place.normal, place.to_eye, view.to_key, 0.45) * sheen.fuzz;
    shown += PI * RIM_LIGHT * place.sky * fibre * fuzz(place.normal, place.to_eye, rim, 0.4) * 1.7 * sheen.fuzz;
    if (sheen.shine > 0.0) {
        vec3 gloss = mix(vec3(0.5), fibre, 0.6) * sheen.shine;
        shown += PI * KEY_LIGHT * place.key * gloss * shine(place.normal, place.to_eye, view.to_key, sheen.roughness, 0.08);
        shown += PI * RIM_LIGHT * place.sky * gloss * shine(place.normal, place.to_eye, rim, sheen.roughness, 0.08);
    }
    // No steeper: along outlines and folds the rest would be a bright line, a pixel wide.
    float grazing = pow(1.0 - max(dot(place.normal, place.to_eye), 0.3), 3.5);
    return shown + fibre * SKY_LIGHT * place.sky * grazing * sheen.edge;
}

#endif
