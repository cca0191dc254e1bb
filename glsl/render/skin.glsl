// Skin, or the plastic of a mannequin: soft where the light ends, a faint double gloss.
#ifndef RENDER_SKIN
#define RENDER_SKIN

// Diffuse light that wanders below the surface before it leaves: each colour as far as the surface returns it, so skin
// reddens where shadow begins and grey stays grey.
vec3 wandering(float facing, vec3 albedo) {
    vec3 reach = 0.30 * pow(albedo / max(max(albedo.r, albedo.g), max(albedo.b, 0.02)), vec3(1.6));
    vec3 wrapped = clamp((facing + reach) / (1.0 + reach), 0.0, 1.0);
    return mix(wrapped, wrapped * wrapped, reach * 1.6);
}

float hash3(vec3 p) {
    uvec3 q = uvec3(ivec3(p)) * uvec3(1597334673u, 3812015801u, 2798796415u);
    return float((q.x ^ q.y ^ q.z) * 1597334673u) / 4294967295.0;
}

// Smooth noise of a point, from 0 to 1.
float space_noise(vec3 p) {
    vec3 cell = floor(p), at = fract(p);
    at = at * at * (3.0 - 2.0 * at);
    float sum = 0.0;
    for (uint i = 0; i < 8; ++i) {
        vec3 corner = vec3(i & 1u, (i >> 1) & 1u, i >> 2);
        vec3 share = mix(1.0 - at, at, corner);
        sum += share.x * share.y * share.z * hash3(cell + corner);
    }
    return sum;
}

// Blood shows through living skin, unevenly; colourless albedo is left unchanged.
vec3 mottled(vec3 albedo, vec3 rest) {
    float colourful = clamp(1.6 * (1.0 - min(albedo.g, albedo.b) / max(albedo.r, 1e-3)), 0.0, 1.0);
    float patches = space_noise(rest * 14.0) + 0.6 * space_noise(rest * 55.0) - 0.8;
    return albedo * (1.0 + colourful * patches * vec3(0.03, -0.07, -0.06));
}

vec3 shade_skin(Place place, vec3 albedo) {
    float facing = dot(place.normal, view.to_key);
    // The edge of a cast shadow wanders too.
    vec3 tint = albedo / max(max(albedo.r, albedo.g), max(albedo.b, 0.02));
    vec3 key = mix(vec3(place.key), vec3(sqrt(place.key)), 0.35 * tint);
    vec3 light = KEY_LIGHT * key * wandering(facing, albedo);
    light += ambient_light(place, albedo);
    vec3 rim = to_rim();
    light += RIM_LIGHT * place.sky * 0.35 * max(dot(place.normal, rim), 0.0);
    vec3 shown = albedo * light;

    float gloss = 0.7 * shine(place.normal, place.to_eye, view.to_key, 0.52, 0.03)
        + 0.3 * shine(place.normal, place.to_eye, view.to_key, 0.34, 0.03);
    // Hair and brows are dark and not wet.
    float wet = mix(0.25, 1.0, smoothstep(0.02, 0.14, dot(albedo, vec3(0.2126, 0.7152, 0.0722))));
    shown += PI * KEY_LIGHT * place.key * gloss * wet;
    shown += PI * RIM_LIGHT * place.sky * shine(place.normal, place.to_eye, rim, 0.48, 0.03) * 0.5 * wet;
    // What the surroundings mirror at grazing angles.
    float grazing = pow(1.0 - max(dot(place.normal, place.to_eye), 0.0), 5.0);
    vec3 mirrored = reflect(-place.to_eye, place.normal);
    vec3 around = mix(GROUND_LIGHT, SKY_LIGHT, smoothstep(-0.3, 0.6, mirrored.y));
    return shown + around * place.sky * (0.02 + 0.22 * grazing) * wet;
}

#endif
