// Sums of corrections in whole numbers: the same in whatever order they are added up.
#ifndef CLOTH_CONTACT_SUMS
#define CLOTH_CONTACT_SUMS

// A particle's three coordinates of all corrections, each times how much it counts, of their part that gives it no speed, and how much they
// count together.
const uint SUM_WORDS = 7;
// Whole numbers per metre: a quarter of a micrometre each, with room for 512 m.
const float UNITS_PER_METRE = 4194304.0;
// How much a correction counts for a particle that is the point in contact. Usually 1024, so that shares are told apart by a thousandth; beyond
// 2^21 the sum of a particle with a thousand contacts overflows.
const float WHOLE = 1024.0;
// And for one that makes next to nothing of that point. Usually 16: with 0 a particle without other contacts divides nothing by nothing; as much
// as WHOLE, and what concerns a particle least moves it as far as what lies on it: high piles cross ten times as much.
const float LEAST = 16.0;
// Metres: no correction is longer, so that no sum overflows.
const float MAX_CORRECTION = 1.0;

// What a particle's contacts want of it altogether.
struct Corrections {
    vec3 whole; // metres
    vec3 calm;  // the part of it that gives no speed
};

ivec3 words_of(vec3 correction) {
    return ivec3(round(clamp(correction, -MAX_CORRECTION, MAX_CORRECTION) * UNITS_PER_METRE));
}

// Includers declare `sums` first.
bool is_corrected(uint particle_ix) {
    return sums[SUM_WORDS * particle_ix + 6] != 0;
}

Corrections corrections_of(uint particle_ix) {
    uint first = SUM_WORDS * particle_ix;
    int counts = sums[first + 6];
    if (counts == 0) return Corrections(vec3(0.0), vec3(0.0));
    float units = UNITS_PER_METRE * (float(counts) / WHOLE);
    vec3 whole = vec3(sums[first], sums[first + 1], sums[first + 2]);
    vec3 calm = vec3(sums[first + 3], sums[first + 4], sums[first + 5]);
    return Corrections(whole / units, calm / units);
}

#endif
