// Structs that the host writes and shaders read, in scalar layout. Their Rust mirrors are compared with them, member by
// member, by tests/gpu/layout.rs.
#ifndef SHARED_STRUCTS
#define SHARED_STRUCTS

// A vertex of the skin or of a garment in the bind pose.
struct SkinVertex {
    vec3 position; // metres, bind space
    vec3 normal;   // unit, bind space
    uint joints[4]; // two 16-bit palette indices per word, low half first
    float weights[8]; // sum to one
};

// One radial field, attached to a bone; see src/collide/radial/field.rs.
struct Field {
    uint cell_offset;
    uint width;  // cells round the axis, even
    uint height; // cells along the axis
    uint pixel_x; // where the field's rectangle lies in the update's viewport
    uint pixel_y;
    float axis_length; // metres of the bind pose along the axis
    uint caps;    // bit 0: the first row closes onto the axis, bit 1: the last row does
};

// One grid of distances, attached to a bone; see src/collide/distance_field/fit.rs.
struct Grid {
    uint first_cell;
    uint size[3];    // cells each way
    float cell_size; // metres of the bind pose
};

// A field's frame, attached to a moving frame: usually a bone.
struct Attachment {
    vec4 bone_from_field[3]; // by rows
    vec3 axis_lengths; // metres of the bind pose for 1 along each axis of the field
    uint frame_ix;     // among the moving frames
};

// How a moving frame gets into a step.
struct FrameSource {
    uint first_float; // where its matrix begins in a buffer of the host's; UPLOADED: it is among those that were uploaded
    uint teleported;  // 1: it did not move there, so it was there before the step, too
};

const uint UPLOADED = 0xFFFFFFFF;

// The transform of a field at one boundary between sub-steps. Each matrix by rows: three aligned loads instead of twelve.
struct FieldTransform {
    vec4 field_from_world[3];
    vec4 world_from_field[3];
    float max_scale; // an upper bound on the length in field space, in metres, of one metre of the world
    float unused[3];
};

// A box in world space; with its low corner above its high one, nothing is in it.
struct Bounds {
    vec3 low;
    vec3 high;
};

// The box round all of a body's fields, as words of which the smallest stays (see key_of_number): those of its high corner have all bits
// turned round. All ones: nothing is in it.
struct BodyBounds {
    uint low[3];
    uint high[3];
};

const uint MAX_CANDIDATES = 102;
// The most runs of fields that stand for the bodies near a group: usually one or two, its own body and a neighbour. A group with more tests
// every field where its list does not hold.
const uint MAX_RANGES = 8;

// Neighbouring particles of one garment, and the fields that they may meet during a step.
struct CandidateGroup {
    vec3 low;  // what the particles' paths must stay in for the list to hold, world space
    uint count; // more than MAX_CANDIDATES: there is no list
    vec3 high;
    uint first_particle;
    uint end_particle; // one past the last
    uint range_count; // more than MAX_RANGES: too many bodies are near
    uint ranges[2 * MAX_RANGES]; // fields of the bodies within FAR, of each run the first and one past the last
    uint fields[MAX_CANDIDATES]; // ascending
};

mat4x3 affine(vec4 rows[3]) {
    return transpose(mat3x4(rows[0], rows[1], rows[2]));
}

// A triangle of skin and those it shares edges with.
struct SkinTriangle {
    uint vertices[3];
    uint neighbours[3]; // across the edges from corner 0, 1 and 2 to the next; 0xFFFFFFFF where the skin ends
};

// A box round skin, in a tree.
struct BoxNode {
    vec3 low;   // world space
    uint first; // first child, or first triangle of a leaf
    vec3 high;
    uint count; // of children, or of triangles and LEAF
};

const uint LEAF = 0x80000000;

// The arguments of the indirect draw of field triangles, before their list.
struct DrawnTriangles {
    uint vertex_count;
    uint instance_count;
    uint first_vertex;
    uint first_instance;
};

// The jobs of one level of a tree, and the arguments of the indirect dispatch over them.
struct QueueState {
    uint group_count_x;
    uint group_count_y;
    uint group_count_z;
    uint wanted; // jobs appended, with those that found no room
};

// The constant data of a particle.
struct Particle {
    float area; // m² of cloth
    float attachment_compliance; // m/N, negative: not attached
    uint garment_ix;
    float clearance; // metres kept from the skin at least, whatever the garment's thickness
    uint target_ix; // its vertex among the skinned vertices: where skinning puts it
    float max_distance;      // metres it may be from there
    float backstop_distance; // metres from there, against the normal, to a ball that it keeps out of
    float backstop_radius;   // metres; 0: no backstop
    float size; // of the body that wears it against a person: what is given in metres for people counts as often
};

// A part of a garment that a workgroup solves. Its particles: its own, those that it moves too, those that it holds still.
struct Patch {
    uint first_particle; // in the list of all patches' particles
    uint owned;          // how many, from the first, are its own
    uint free;           // how many, from the first, are moved
    uint particle_count;
    uint first_constraint;
    uint colour_size; // places that each of its colours has in the list of constraints
    uint stretch_colours;
    uint bend_colours;
    uint long_range_colours;
    uint garment_ix;
};

// A particle is never further from its anchor than the cloth between them is long.
struct Tether {
    uint anchor_ix; // a particle that is attached; 0xFFFFFFFF: none
    float max_length; // metres
};

// A particle as other cloth meets it.
struct ClothVertex {
    vec3 rest_position; // metres, bind space
    uint layer; // the body in the upper 16 bits, the place among the body's garments, innermost first, in the lower 16
    uint sheet; // which of the world's pieces of cloth that hang together, by triangles
};

// An edge of cloth.
struct ClothEdge {
    uvec2 ends;     // particles
    uvec2 opposite; // far corners of the triangles at the edge; 0xFFFFFFFF where the cloth ends
};

// The settings of one garment, which may change between steps.
struct GarmentSettings {
    float compliance[4]; // m/N along warp and weft and in shear, 1/(N·m) in bending
    float density;       // kg/m²
    float strain_limit;  // part of its length that an edge gives
    float damping;       // 1/s
    float drag;          // how strongly air drags the cloth, 1/s for a face across the wind
    float friction;      // coefficient
    float thickness;     // metres kept between particle and skin
    uint tethered;       // 0 or 1
    float motion_scale;  // times the maximum distances of motion constraints; 0: none
    uint stride;         // sub-steps of the step that one of its own takes, see shared/detail.glsl; 0: it follows the skin
    float last_sub_step; // s, of its last own sub-step before this step
    uint is_asleep;      // 0 or 1: it rides on the skin as it lies, and has no sub-step of its own
    uint first_beneath;  // the garments worn beneath that it meets by their fields, among the bodies, from the first to one past the last
    uint end_beneath;
};

// How a garment lies after a step.
struct GarmentRest {
    BodyBounds bounds;   // round its particles
    uint restless_count; // particles that have moved against the skin
    uint moving_count;   // and in the world
    uint particle_count;
};

#endif
