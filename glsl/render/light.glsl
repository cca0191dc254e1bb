// The studio: one key light, the soft light of sky and ground, a rim light behind the figure.
// A light's value is the radiance of a white diffuser that faces it: irradiance over pi.
#ifndef RENDER_LIGHT
#define RENDER_LIGHT

const float PI = 3.14159265;

const vec3 KEY_LIGHT = vec3(1.00, 0.94, 0.86) * 1.78; // warm
const vec3 SKY_LIGHT = vec3(0.50, 0.58, 0.70) * 1.15; // cool, from above
const vec3 GROUND_LIGHT = vec3(0.34, 0.30, 0.27) * 0.75; // what the ground throws back
const vec3 FILL_LIGHT = vec3(0.95, 0.97, 1.00) * 0.20; // from beside the camera
const vec3 RIM_LIGHT = vec3(0.75, 0.86, 1.00) * 1.5;

// Where a surface is lit and how much of the lights it sees.
struct Place {
    vec3 position;
    vec3 normal; // unit, towards the eye's side
    vec3 to_eye; // unit
    float key;   // part of the key light seen
    float sky;   // part of the sky seen
};

// The rim light stands behind the figure as the camera sees it, to its upper right.
vec3 to_rim() {
    vec3 back = normalize(cross(view.right, vec3(0.0, 1.0, 0.0)));
    return normalize(back * -0.85 + view.right * 0.45 + vec3(0.0, 0.55, 0.0));
}

// Light between a surface's own hollows counts again: dark creases of bright things are not as dark.
vec3 among_itself(float seen, vec3 albedo) {
    return seen / (1.0 - 0.8 * albedo * (1.0 - seen));
}

// Diffuse light from all round, not yet multiplied by albedo.
vec3 ambient_light(Place place, vec3 albedo) {
    float up = 0.5 + 0.5 * place.normal.y;
    vec3 sky = SKY_LIGHT * up * among_itself(place.sky, albedo);
    float near_ground = exp(-max(0.0, place.position.y - view.ground_height) * 0.7);
    vec3 ground = GROUND_LIGHT * (1.0 - up) * (0.45 + 0.55 * near_ground) * mix(0.35, 1.0, place.sky);
    float towards = 0.5 + 0.5 * dot(place.normal, place.to_eye);
    return sky + ground + FILL_LIGHT * towards * towards * mix(0.4, 1.0, place.sky);
}

// Trowbridge-Reitz distribution with Smith's masking and Schlick's Fresnel; times the cosine.
float shine(vec3 normal, vec3 to_eye, vec3 to_light, float roughness, float facing_reflectance) {
    vec3 halfway = normalize(to_eye + to_light);
    float nl = max(dot(normal, to_light), 0.0);
    float nv = max(dot(normal, to_eye), 1e-3);
    float nh = max(dot(normal, halfway), 0.0);
    float vh = max(dot(to_eye, halfway), 0.0);
    float a2 = roughness * roughness * roughness * roughness;
    float bell = nh * nh * (a2 - 1.0) + 1.0;
    float masking = 0.5 / (nl * sqrt(nv * nv * (1.0 - a2) + a2) + nv * sqrt(nl * nl * (1.0 - a2) + a2) + 1e-4);
    float fresnel = facing_reflectance + (1.0 - facing_reflectance) * pow(1.0 - vh, 5.0);
    return a2 / (PI * bell * bell) * masking * fresnel * nl;
}

#endif
