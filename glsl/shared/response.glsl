// The collision response that all techniques share; src/collide/response.rs is its twin.
#ifndef SHARED_RESPONSE
#define SHARED_RESPONSE

const uint FRICTION_COULOMB = 0;
const uint FRICTION_PAPER = 1;
const uint FRICTION_SIMPLE = 2;
const uint FRICTION_ENHANCED = 3;

// Metres. A particle that is less deep counts as outside: what is left of an earlier push is rounding, and would hide the depth in another
// field.
const float MIN_DEPTH = 5e-6;

// Metres. What comes into a surface by less in a sub-step lies on it, and does not bounce.
const float MIN_BOUNCE = 0.001;

// Where a particle meets a surface.
struct Contact {
    vec3 normal;  // unit, world space, out of the body
    vec3 point;   // on the surface, world space
    vec3 co_moving; // where the particle would be had it moved rigidly with the body during this step
};

// How far the predicted position is from being `thickness` outside, metres.
float depth_of(Contact contact, vec3 predicted, float thickness) {
    return thickness - dot(contact.normal, predicted - contact.point);
}

// Coulomb: the push out of the surface is the normal impulse; friction may take back up to its share of the motion along the
// surface, all of it at rest.
vec3 coulomb_slip(Contact contact, vec3 predicted, float depth, float friction) {
    vec3 slip = predicted - contact.co_moving;
    slip -= contact.normal * dot(contact.normal, slip);
    float speed = length(slip);
    return speed > 0.0 ? slip * min(1.0, friction * depth / speed) : vec3(0.0);
}

// The paper's equations 7 to 10, for the motion relative to the moved body and turned against it: a share of the way along the
// surface of what lies within the thickness.
vec3 paper_slip(Contact contact, vec3 predicted, float depth, float friction) {
    vec3 motion = predicted - contact.co_moving;
    float deepened = -dot(contact.normal, motion);
    // Of the motion, the part behind the paper's p_true: all of one that begins there, none of one that leads out.
    float below = deepened > depth ? depth / deepened : 1.0;
    if (deepened < 0.0) below = 0.0;
    return friction * below * (motion + contact.normal * deepened);
}

// Fuhrmann, Sobottka and Gross, equations 2 and 3: a share of the whole motion along the surface, however little presses. `motion`: relative
// to the body.
vec3 simple_slip(Contact contact, vec3 motion, float friction) {
    return friction * (motion - contact.normal * dot(contact.normal, motion));
}

// Fuhrmann, Sobottka and Gross, equations 5 and 6: as much as the motion into the surface, times the coefficient, and no more than all.
vec3 enhanced_slip(Contact contact, vec3 motion, float friction) {
    float into = dot(contact.normal, motion);
    vec3 along = motion - contact.normal * into;
    float size = length(along);
    if (!(size > 0.0)) return vec3(0.0);
    float kept = max((size - friction * abs(into)) / size, 0.0);
    return (1.0 - kept) * along;
}

vec3 slip_of(Contact contact, vec3 predicted, float depth, float friction, uint model) {
    switch (model) {
        case FRICTION_PAPER: return paper_slip(contact, predicted, depth, friction);
        case FRICTION_SIMPLE: return simple_slip(contact, predicted - contact.co_moving, friction);
        case FRICTION_ENHANCED: return enhanced_slip(contact, predicted - contact.co_moving, friction);
    }
    return coulomb_slip(contact, predicted, depth, friction);
}

// Moves the predicted position outside: the paper's equation 11.
vec3 respond(Contact contact, vec3 predicted, float depth, float friction, uint model) {
    return predicted + contact.normal * depth - slip_of(contact, predicted, depth, friction, model);
}

// What is left of the friction that a contact may exert, metres: in a sub-step's last solve it yet holds what lies there. None by the models
// that take a share of the motion, whatever presses.
float unused_friction(Contact contact, vec3 predicted, float depth, float friction, uint model) {
    if (model == FRICTION_PAPER || model == FRICTION_SIMPLE) return 0.0;
    return max(0.0, friction * depth - length(slip_of(contact, predicted, depth, friction, model)));
}

// What a bounce adds along the normal, metres: to the predicted position, which lies on the surface by then, and to the current one. The
// part of the way behind the surface is thrown back, scaled (Fuhrmann, Sobottka and Gross, section 4.2), and the speed with it.
vec2 bounce(Contact contact, vec3 predicted, float depth, float thickness, float restitution) {
    float above = -depth_of(contact, contact.co_moving, thickness);
    float into = dot(contact.normal, contact.co_moving - predicted);
    if (!(restitution > 0.0) || into < MIN_BOUNCE) return vec2(0.0);
    return vec2(restitution * (depth - clamp(-above, 0.0, depth)), -(1.0 + restitution) * max(above, 0.0));
}

#endif
