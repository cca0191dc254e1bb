// What a draw of a material with holes pushes to the maps that shadows are taken from.
layout(scalar, push_constant) uniform Push {
    uint seen_from;     // 0: the key light, 1: above, 2: below
    float opacity;      // times the texture's
    float alpha_cutoff; // less opaque than this, nothing is drawn
};
