// The nearest of what a vertex or an edge meets.
#ifndef CLOTH_CONTACT_NEAREST
#define CLOTH_CONTACT_NEAREST

#include "cloth/contact_lists.glsl"

// The nearest first, and how many there were.
uint found[MAX_NEAR];
float distances[MAX_NEAR];
uint found_count = 0;

void add_found(uint id, float distance) {
    uint place = min(found_count++, MAX_NEAR);
    if (place == MAX_NEAR && !comes_before(distance, id, distances[MAX_NEAR - 1], found[MAX_NEAR - 1])) return;
    for (place = min(place, MAX_NEAR - 1); place > 0 && comes_before(distance, id, distances[place - 1], found[place - 1]); --place) {
        found[place] = found[place - 1];
        distances[place] = distances[place - 1];
    }
    found[place] = id;
    distances[place] = distance;
}

#endif
