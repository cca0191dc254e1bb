// Where the transforms of fields lie for both ends of the sub-step of a garment's own. Includers declare the push constants `field_count`,
// `sub_step_ix` and `sub_steps` first, and call set_sub_step_ends() before anything that reads transforms.
#ifndef SHARED_SUB_STEP_ENDS
#define SHARED_SUB_STEP_ENDS

#include "shared/detail.glsl"

// Of the first field.
uint first_before;
uint first_after;

// `span`: how many sub-steps of the step it takes; it ends with the one that is collided.
void set_sub_step_ends(uint span) {
    first_after = (sub_step_ix + 1) * field_count;
    first_before = first_after - span * field_count;
}

#endif
