// Finds where each attached frame is at every boundary between a step's sub-steps. The moving frame under it turns the short way round;
// scale, shear and place go in a straight line. src/math/motion.rs and src/collide/sub_step_transforms.rs are its twin.
// Reads: attachments, how each moving frame gets into the step, those uploaded, those of the step before, and those of this step that
// skin/adopt_bones.comp has written. Writes: transforms, boundary by boundary; the moving frames of this step that were uploaded.
// One thread per attachment and boundary and one per moving frame, whichever are more; groups take further ones in turn. Runs beside the
// bake, before all that reads transforms.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/structs.glsl"

layout(local_size_x = 64) in;
layout(scalar, binding = 0) readonly buffer Attachments { Attachment attachments[]; };
layout(scalar, binding = 1) readonly buffer Sources { FrameSource sources[]; };
layout(std430, binding = 2) readonly buffer Uploaded { mat4x3 uploaded[]; };
layout(std430, binding = 3) readonly buffer FramesBefore { mat4x3 frames_before[]; };
layout(std430, binding = 4) buffer FramesAfter { mat4x3 frames_after[]; };
layout(scalar, binding = 5) writeonly buffer Transforms { FieldTransform transforms[]; };
layout(scalar, push_constant) uniform Push {
    uint attachment_count;
    uint frame_count;
    uint sub_steps;
};

// What is left of a flattened frame by rounding: see src/math/motion.rs.
const float COLLAPSED = 1e-5;

// Metres along the axis of a field that has no inverse: past the end of every field.
const float FAR_AWAY = 1e9;

// From here on two rotations are so near each other that a straight line is as good.
const float NEARLY_ALIKE = 0.9999;

// The quaternion of a rotation; Mike Day, "Converting a rotation matrix to a quaternion", 2015.
vec4 quaternion(mat3 m) {
    vec4 q;
    if (m[2].z <= 0.0) {
        q = m[1].y <= m[0].x
            ? vec4(1.0 - m[2].z - (m[1].y - m[0].x), m[0].y + m[1].x, m[0].z + m[2].x, m[1].z - m[2].y)
            : vec4(m[0].y + m[1].x, 1.0 - m[2].z + (m[1].y - m[0].x), m[1].z + m[2].y, m[2].x - m[0].z);
    } else {
        q = m[1].y + m[0].x <= 0.0
            ? vec4(m[0].z + m[2].x, m[1].z + m[2].y, 1.0 + m[2].z - (m[1].y + m[0].x), m[0].y - m[1].x)
            : vec4(m[1].z - m[2].y, m[2].x - m[0].z, m[0].y - m[1].x, 1.0 + m[2].z + (m[1].y + m[0].x));
    }
    return normalize(q);
}

mat3 rotation_of(vec4 q) {
    vec3 twice = 2.0 * q.xyz;
    vec3 squares = twice * q.xyz;
    vec3 mixed = vec3(twice.x * q.y, twice.x * q.z, twice.y * q.z), turned = twice * q.w;
    return mat3(
        1.0 - (squares.y + squares.z), mixed.x + turned.z, mixed.y - turned.y,
        mixed.x - turned.z, 1.0 - (squares.x + squares.z), mixed.z + turned.x,
        mixed.y + turned.y, mixed.z - turned.x, 1.0 - (squares.x + squares.y));
}

// The rotation of the columns after Gram and Schmidt; the identity for a collapsed frame.
vec4 nearest_rotation(mat3 linear) {
    float size = length(linear[0]);
    vec3 x = size > 0.0 ? linear[0] / size : vec3(0.0);
    vec3 across = linear[1] - x * dot(x, linear[1]);
    if (!(size > 0.0 && length(across) > COLLAPSED * length(linear[1]))) return vec4(0.0, 0.0, 0.0, 1.0);
    vec3 y = normalize(across);
    return quaternion(mat3(x, y, cross(x, y)));
}

// From 0 to 1; Abramowitz and Stegun, "Handbook of mathematical functions", 4.4.46. Drivers' own is up to 2e-5 off, a fiftieth of a
// millimetre at the end of a limb, and their sine may be off by 5e-4.
float arc_cosine(float x) {
    float sum = -0.0012624911;
    sum = sum * x + 0.0066700901;
    sum = sum * x - 0.0170881256;
    sum = sum * x + 0.0308918810;
    sum = sum * x - 0.0501743046;
    sum = sum * x + 0.0889789874;
    sum = sum * x - 0.2145988016;
    sum = sum * x + 1.5707963050;
    return sqrt(1.0 - x) * sum;
}

// From 0 to a quarter of a turn; the same, 4.3.97.
vec2 sine(vec2 arc) {
    vec2 square = arc * arc, sum = vec2(-0.0000000239);
    sum = sum * square + 0.0000027526;
    sum = sum * square - 0.0001984090;
    sum = sum * square + 0.0083333315;
    sum = sum * square - 0.1666666664;
    return arc * (sum * square + 1.0);
}

// A part of the shorter arc between two rotations (Shoemake, "Animating rotation with quaternion curves", 1985).
vec4 turned(vec4 from, vec4 to, float part) {
    float alike = dot(from, to);
    to = alike < 0.0 ? -to : to;
    vec2 shares = vec2(1.0 - part, part);
    if (abs(alike) < NEARLY_ALIKE) {
        float arc = arc_cosine(abs(alike));
        // Over the sine of the whole arc, which the length of the sum comes to.
        shares = sine(shares * arc);
    }
    return normalize(from * shares.x + to * shares.y);
}

mat4x3 on_the_way(mat4x3 before, mat4x3 after, float part) {
    vec4 from = nearest_rotation(mat3(before)), to = nearest_rotation(mat3(after));
    mat3 stretch_before = transpose(rotation_of(from)) * mat3(before);
    mat3 stretch_after = transpose(rotation_of(to)) * mat3(after);
    mat3 stretch = stretch_before * (1.0 - part) + stretch_after * part;
    mat3 linear = rotation_of(turned(from, to, part)) * stretch;
    return mat4x3(linear[0], linear[1], linear[2], mix(before[3], after[3], part));
}

mat4x3 product(mat4x3 a, mat4x3 b) {
    mat3 linear = mat3(a);
    return mat4x3(linear * b[0], linear * b[1], linear * b[2], linear * b[3] + a[3]);
}

// Gershgorin's bound of the largest singular value: an upper bound on the scale over all directions.
float max_scale(vec4 field_from_world[3], vec3 axis_lengths) {
    vec3 rows[3];
    for (uint i = 0; i < 3; ++i) rows[i] = field_from_world[i].xyz * axis_lengths[i];
    float most = 0.0;
    for (uint i = 0; i < 3; ++i) {
        float sum = abs(dot(rows[i], rows[0])) + abs(dot(rows[i], rows[1])) + abs(dot(rows[i], rows[2]));
        most = max(most, sum);
    }
    return sqrt(most);
}

FieldTransform transform_of(mat4x3 world_from_field, vec3 axis_lengths) {
    mat3 linear = mat3(world_from_field);
    vec3 cofactors[3] = { cross(linear[1], linear[2]), cross(linear[2], linear[0]), cross(linear[0], linear[1]) };
    float volume = dot(linear[0], cofactors[0]);
    float box = length(linear[0]) * length(linear[1]) * length(linear[2]);
    FieldTransform transform;
    for (uint i = 0; i < 3; ++i) {
        // A collapsed bone has no inverse; its field is put where no particle is.
        vec4 row = vec4(0.0, 0.0, 0.0, i == 2 ? FAR_AWAY : 0.0);
        if (abs(volume) > COLLAPSED * box) {
            row.xyz = cofactors[i] / volume;
            row.w = -dot(row.xyz, world_from_field[3]);
        }
        transform.field_from_world[i] = row;
        transform.world_from_field[i] = vec4(linear[0][i], linear[1][i], linear[2][i], world_from_field[3][i]);
        transform.unused[i] = 0.0;
    }
    transform.max_scale = max_scale(transform.field_from_world, axis_lengths);
    return transform;
}

void write_transform(uint attachment_ix, uint boundary) {
    Attachment attachment = attachments[attachment_ix];
    uint frame_ix = attachment.frame_ix;
    FrameSource source = sources[frame_ix];
    mat4x3 after = uploaded[frame_ix];
    if (source.first_float != UPLOADED) after = frames_after[frame_ix];
    mat4x3 before = after;
    if (source.teleported == 0) before = frames_before[frame_ix];
    mat4x3 world_from_bone = on_the_way(before, after, float(boundary) / float(sub_steps));
    mat4x3 world_from_field = product(world_from_bone, affine(attachment.bone_from_field));
    transforms[boundary * attachment_count + attachment_ix] = transform_of(world_from_field, attachment.axis_lengths);
}

void main() {
    uint transform_count = attachment_count * (sub_steps + 1);
    uint task_count = max(transform_count, frame_count);
    uint at_once = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    // A group's threads stay together to the end.
    for (uint first = gl_WorkGroupID.x * gl_WorkGroupSize.x; first < task_count; first += at_once) {
        uint ix = first + gl_LocalInvocationID.x;
        if (ix < frame_count && sources[ix].first_float == UPLOADED) frames_after[ix] = uploaded[ix];
        if (ix < transform_count) write_transform(ix % attachment_count, ix / attachment_count);
    }
}
