// The response iterations of the techniques whose fields are attached to bones; src/collide/iterations.rs is its twin.
#ifndef SHARED_ITERATIONS
#define SHARED_ITERATIONS

#include "shared/response.glsl"

// How often the paper's response is repeated: the iterations after the first resolve a particle that several fields hold.
const uint RESPONSE_ITERATIONS = 8;

// From this iteration on the thickness is reduced, so that a particle is only kept out of the skin: between two surfaces there
// may be no room for its thickness on both sides, and keeping it from one would push it into the other.
const uint FIRST_REDUCED_ITERATION = 2;

// Metres of a person kept from the skin where there is no room for more.
const float REDUCED_THICKNESS = 0.001;

// Metres of a person in the bind pose, relative to the body: only particles that go further follow their path; the others cannot get behind
// the axis of the thinnest limb, a finger, and what decides is where they end up.
const float SLOW = 0.008;

// The same in reduced-thickness iterations, where particles that begin inside two fields would be pushed back and forth.
const float FAST = 0.05;

// What an iteration looks for contacts with.
struct Iteration {
    float thickness; // metres to be kept
    float size;      // of the body against a person
    bool is_reduced; // the thickness may be less than the particle's own
};

struct Hit {
    float time;  // part of the path
    float depth; // metres
    Contact contact;
};

const uint MISSES = 0;  // no contact: continue
const uint DECIDES = 1; // a contact that comes before `best`
const uint LOSES = 2;   // a contact that does not

// On a contact at that time on the path: where it meets `best` at the same time it must be less deep.
uint verdict_on(float time, float depth, Hit best) {
    if (!(depth > MIN_DEPTH)) return MISSES;
    return time > best.time || (time == best.time && depth >= best.depth) ? LOSES : DECIDES;
}

// The thickness kept where there is no room for more, on a body of that size.
float reduced(float thickness, float size) {
    return min(thickness, REDUCED_THICKNESS * size);
}

// The one of that number, of a particle that keeps so much where there is room.
Iteration iteration_of(uint number, float thickness, float size) {
    bool is_reduced = number >= FIRST_REDUCED_ITERATION;
    return Iteration(is_reduced ? reduced(thickness, size) : thickness, size, is_reduced);
}

// Whether the path is tested, or only its end; `path`: from its start to its end relative to the body, in metres of the bind pose; `slow`: what
// is tested anyway where there is room for the thickness.
bool follows_path(Iteration iteration, vec3 path, float slow) {
    float fast = (iteration.is_reduced ? FAST : slow) * iteration.size;
    return dot(path, path) >= fast * fast;
}

// How many points of a path are tested, of at most `most`: no two nearer to each other than what is tested at its end alone.
uint samples_of_path(Iteration iteration, vec3 path, float slow, uint most) {
    if (!follows_path(iteration, path, slow)) return 1;
    return clamp(uint(ceil(length(path) / (slow * iteration.size))), 1u, most);
}

#endif
