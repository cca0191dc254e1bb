// What of a triangle a point is nearest to: corner 0 to 2, or an edge, from corner 0, 1 or 2 to the next, or the face.
#ifndef SHARED_FEATURE
#define SHARED_FEATURE

const uint FIRST_EDGE = 3;
const uint FACE = 6;

#endif
