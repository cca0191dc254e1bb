// Which sub-steps of a step are a garment's own: how finely its cloth is simulated. src/collide/sub_step.rs is the twin.
#ifndef SHARED_DETAIL
#define SHARED_DETAIL

// How many sub-steps of the step the garment's own one spans that ends with sub-step `ix` of `count`; 0: none of it ends there. The last
// sub-step is always the end of one.
uint own_sub_step_span(uint stride, uint ix, uint count) {
    if (stride == 0 || (count - 1 - ix) % stride != 0) return 0;
    return min(stride, ix + 1);
}

// How many sub-steps of the step a collision is for that comes in sub-step `ix`: those since the one before it. 0: there is none. Cloth
// collides once in `collision_stride` sub-steps, or in its own where those are longer.
uint collision_span(uint stride, uint collision_stride, uint ix, uint count) {
    if (stride == 0) return 0;
    return own_sub_step_span(stride * ((collision_stride + stride - 1) / stride), ix, count);
}

// How often the motion of its newest own sub-step goes into a whole step, once the cloth has been predicted in sub-step `ix`.
float own_sub_steps_per_step(uint stride, uint ix, uint count) {
    uint span = own_sub_step_span(stride, ix, count);
    return float(count) / float(max(span > 0 ? span : stride, 1));
}

#endif
