// Which sub-steps of a step are a garment's own: how finely its cloth is simulated. src/collide/sub_step.rs is the twin.
#ifndef SHARED_DETAIL
#define SHARED_DETAIL

// The sub-step with which the garment's own one ends that sub-step `ix` of `count` is part of. The last is always the end of one. `stride`: at least 1.
uint own_sub_step_end(uint stride, uint ix, uint count) {
    return ix + (count - 1 - ix) % stride;
}

// How many sub-steps of the step the garment's own one spans that ends with sub-step `end`.
uint span_to(uint stride, uint end) {
    return min(stride, end + 1);
}

// The same of sub-step `ix` of `count`; 0: none of the garment's own ends there.
uint own_sub_step_span(uint stride, uint ix, uint count) {
    return stride == 0 || own_sub_step_end(stride, ix, count) != ix ? 0 : span_to(stride, ix);
}

// The same where one of the garment's own begins with sub-step `ix`, with which cloth moves on; 0: none does.
uint own_sub_step_span_from(uint stride, uint ix, uint count) {
    if (stride == 0 || ix > 0 && own_sub_step_end(stride, ix - 1, count) != ix - 1) return 0;
    return span_to(stride, own_sub_step_end(stride, ix, count));
}

// The sub-step with which the garment's own one began that sub-step `ix` of `count` is part of; 0 where it has none.
uint own_sub_step_begin(uint stride, uint ix, uint count) {
    if (stride == 0) return 0;
    uint end = own_sub_step_end(stride, ix, count);
    return end + 1 - span_to(stride, end);
}

// How many sub-steps of the step a collision is for that comes in sub-step `ix`: those since the one before it. 0: there is none. Cloth
// collides once in `collision_stride` sub-steps, or in its own where those are longer.
uint collision_span(uint stride, uint collision_stride, uint ix, uint count) {
    if (stride == 0) return 0;
    return own_sub_step_span(stride * ((collision_stride + stride - 1) / stride), ix, count);
}

// How often the motion of the garment's own sub-step that sub-step `ix` of `count` is part of goes into a whole step; 1 where it has none, and moves once.
float own_sub_steps_per_step(uint stride, uint ix, uint count) {
    return stride == 0 ? 1.0 : float(count) / float(span_to(stride, own_sub_step_end(stride, ix, count)));
}

#endif
