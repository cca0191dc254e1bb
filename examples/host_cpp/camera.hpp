// A camera for a picture of 4 by 5.
#pragma once

#include <array>
#include <cmath>

using Matrix = std::array<float, 16>; // column after column

// Looks from `eye` at `at`: clip from world.
inline Matrix look(const float eye[3], const float at[3]) {
    float back[3], right[3], up[3];
    for (int i = 0; i < 3; ++i) back[i] = eye[i] - at[i];
    const float distance = std::hypot(back[0], back[1], back[2]);
    for (float& x : back) x /= distance;
    const float width = std::hypot(back[2], back[0]);
    right[0] = back[2] / width, right[1] = 0, right[2] = -back[0] / width;
    for (int i = 0; i < 3; ++i) up[i] = back[(i + 1) % 3] * right[(i + 2) % 3] - back[(i + 2) % 3] * right[(i + 1) % 3];
    const float near = 0.1f, far = 20, height = 1 / std::tan(0.3f), depth = far / (near - far), scale = height * 5 / 4;
    Matrix clip{};
    float ahead = 0, sideways = 0, above = 0;
    for (int i = 0; i < 3; ++i) {
        clip[4 * i] = scale * right[i], clip[4 * i + 1] = height * up[i];
        clip[4 * i + 2] = depth * back[i], clip[4 * i + 3] = -back[i];
        sideways -= right[i] * eye[i], above -= up[i] * eye[i], ahead -= back[i] * eye[i];
    }
    clip[12] = scale * sideways, clip[13] = height * above, clip[14] = depth * ahead + depth * near, clip[15] = -ahead;
    return clip;
}
