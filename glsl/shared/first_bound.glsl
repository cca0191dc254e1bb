// How far off a particle's nearest triangle is at most, before any is looked for: what was nearest in the collision before is still there,
// if elsewhere by now. Includers include shared/skin.glsl first.
#ifndef SHARED_FIRST_BOUND
#define SHARED_FIRST_BOUND

// Metres. What a triangle says, give or take more than the roundings of world coordinates.
const float BOUND_MARGIN = 1e-4;

// Squared metres that no nearest triangle is beyond when some triangle is at `squared`.
float widened(float squared) {
    float distance = sqrt(squared) + BOUND_MARGIN;
    return distance * distance;
}

// Squared metres that no nearest triangle within `reach` is beyond. `last_ix`: the triangle that was nearest in the collision before.
float bound_by(uint last_ix, vec3 p, float reach) {
    float best_squared = reach * reach;
    uint best_ix = NO_TRIANGLE;
    if (last_ix != NO_TRIANGLE) consider(last_ix, p, best_squared, best_ix);
    return min(widened(best_squared), reach * reach);
}

#endif
