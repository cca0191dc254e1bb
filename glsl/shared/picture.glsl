// From light to what the screen shows.
#ifndef SHARED_PICTURE
#define SHARED_PICTURE

// Whether the target is a plain UNORM image, so that the transfer curve is ours to apply.
layout(constant_id = 0) const bool ENCODE_SRGB = true;

// Evenly spread noise from 0 to 1, another value for each pixel (Jimenez 2014).
float noise_of_pixel(vec2 pixel) {
    return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
}

// Film: a soft toe and shoulder on colours that are first mixed a little, so that bright ones pale instead of turning into
// another hue. The curve is Narkowicz's fit of ACES.
vec3 film(vec3 light) {
    const float MIXED = 0.05;
    mat3 mixing = mat3(1.0 - 2.0 * MIXED, MIXED, MIXED, MIXED, 1.0 - 2.0 * MIXED, MIXED, MIXED, MIXED, 1.0 - 2.0 * MIXED);
    vec3 x = mixing * max(light, vec3(0.0)) * 0.6;
    vec3 shown = (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14);
    float grey = dot(shown, vec3(0.2126, 0.7152, 0.0722));
    return clamp(mix(vec3(grey), shown, 1.12), 0.0, 1.0);
}

vec3 encode_srgb(vec3 colour) {
    vec3 low = 12.92 * colour;
    vec3 high = 1.055 * pow(max(colour, vec3(1e-6)), vec3(1.0 / 2.4)) - 0.055;
    return mix(high, low, lessThanEqual(colour, vec3(0.0031308)));
}

// What to write into the target for linear light; a little noise hides the steps of 8 bits in slow gradients.
vec4 picture_of(vec3 light, float exposure, vec2 pixel) {
    vec3 shown = film(light * exposure);
    float step = (noise_of_pixel(pixel) - 0.5) / 255.0;
    if (ENCODE_SRGB) return vec4(encode_srgb(shown) + step, 1.0);
    // The same step before the device's own curve, which is about the power of 2.2.
    return vec4(shown + step * max(2.2 * pow(shown, vec3(0.545)), vec3(1.0 / 12.92)), 1.0);
}

// The same for colours that are to appear as they are: lines and labels.
vec4 picture_of_colour(vec4 colour) {
    return ENCODE_SRGB ? vec4(encode_srgb(colour.rgb), colour.a) : colour;
}

#endif
