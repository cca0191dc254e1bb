// The collision response that all techniques share; src/collide/response.rs is its twin.
#ifndef SHARED_RESPONSE
#define SHARED_RESPONSE

const uint FRICTION_COULOMB = 0;
const uint FRICTION_PAPER = 1;

// Metres. A particle that is less deep counts as outside: what is left of an earlier push is rounding, and would hide the depth in another
// field.
const float MIN_DEPTH = 5e-6;

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

// Moves the predicted position outside: the paper's equation 11.
vec3 respond(Contact contact, vec3 predicted, float depth, float friction, uint model) {
    vec3 slip = model == FRICTION_PAPER ? paper_slip(contact, predicted, depth, friction)
                                        : coulomb_slip(contact, predicted, depth, friction);
    return predicted + contact.normal * depth - slip;
}

#endif
