// The C interface of radial_fields. Made from src/capi by cbindgen: change it there, then `cargo run -p header`.
//
// Structs begin with struct_size, which the caller sets to sizeof the struct; fields that are not set otherwise should be
// zero. In arrays it is also the way from one struct to the next. Matrices are column after column. Functions may be called
// from any thread, but only one at a time may use a handle. Handles may be destroyed in any order: a world keeps copies of
// what it was given.


#ifndef RADIAL_FIELDS_H
#define RADIAL_FIELDS_H

#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

// How a call went. Whatever is not `RF_RESULT_OK` comes with a message, see rf_last_error.
typedef enum RfResult {
  RF_RESULT_OK = 0,
  // An argument is null, out of range, or does not fit the others.
  RF_RESULT_INVALID_ARGUMENT = 1,
  // The device, or what it was made with, will not do.
  RF_RESULT_UNSUPPORTED_HOST = 2,
  // The character's file cannot be used.
  RF_RESULT_UNUSABLE_FILE = 3,
  // No GPU memory is left.
  RF_RESULT_OUT_OF_MEMORY = 4,
  // The device is lost.
  RF_RESULT_DEVICE_LOST = 5,
  // Another call of Vulkan's failed.
  RF_RESULT_VULKAN = 6,
  // A struct holds more than this version of the library knows.
  RF_RESULT_NEWER_HEADER = 7,
  // A fault of the library's own. Destroy the objects that were involved.
  RF_RESULT_PANIC = 8,
  // The library was built without the feature that this takes; the message names it.
  RF_RESULT_NOT_BUILT = 9,
} RfResult;

// How much the cloth of a body is simulated in a step. It may change from step to step: cloth goes on from where it is.
typedef enum RfDetail {
  // Every sub-step.
  RF_DETAIL_FULL = 0,
  // Half as many sub-steps, twice as long.
  RF_DETAIL_HALF = 1,
  // A quarter of them.
  RF_DETAIL_QUARTER = 2,
  // None: cloth follows the body where skinning puts it, and collides with nothing.
  RF_DETAIL_SKINNED = 3,
} RfDetail;

// What can be made for a humanoid.
typedef enum RfGarmentKind {
  // Two garments: trousers, and a top over them.
  RF_GARMENT_KIND_TROUSERS_AND_TOP = 0,
  RF_GARMENT_KIND_OVERCOAT = 1,
  RF_GARMENT_KIND_CAPE = 2,
  RF_GARMENT_KIND_SKIRT = 3,
  // A sheet laid over any character, humanoid or not.
  RF_GARMENT_KIND_SHEET = 4,
  // Three garments: trousers, a top, and an overcoat over both.
  RF_GARMENT_KIND_OVERCOAT_OVER_ALL = 5,
  // Trousers that begin at the hips and that nothing holds: they stay on by friction alone.
  RF_GARMENT_KIND_LOOSE_TROUSERS = 6,
  // Two garments: an overcoat, and a cape over it.
  RF_GARMENT_KIND_CAPE_OVER_COAT = 7,
  // Two garments: a skirt, and a top over it.
  RF_GARMENT_KIND_SKIRT_AND_TOP = 8,
  // Three garments: trousers, a top, and a scarf wound twice round the neck.
  RF_GARMENT_KIND_SCARF_OVER_TOP = 9,
} RfGarmentKind;

// The shape of a rigid solid, in its own space.
typedef enum RfSolidShape {
  // Everything below y = 0.
  RF_SOLID_SHAPE_HALF_SPACE = 0,
  // `size[0]`: radius.
  RF_SOLID_SHAPE_SPHERE = 1,
  // Along y. `size[0]`: half the length of its axis; `size[1]`: radius.
  RF_SOLID_SHAPE_CAPSULE = 2,
  // `size`: half its sides.
  RF_SOLID_SHAPE_BOX = 3,
  // Round y. `size[0]`: radius; `size[1]`: its tube's, less than that.
  RF_SOLID_SHAPE_TORUS = 4,
  // That of `field`.
  RF_SOLID_SHAPE_FIELD = 5,
} RfSolidShape;

// A skinned character.
typedef struct RfAvatar RfAvatar;

// The radial fields of a character, as rf_world_add_fitted_body takes them.
typedef struct RfFields RfFields;

// Something to wear.
typedef struct RfGarment RfGarment;

// The distances of a rigid mesh, made once; solids of one mesh share them.
typedef struct RfSolidField RfSolidField;

// Bodies and garments on one device. Destroy it only when the GPU is done with its frames.
typedef struct RfWorld RfWorld;

// A skinned mesh of the host, in its bind pose, +Y up, in metres. Lists are tightly packed and copied.
typedef struct RfMesh {
  // `sizeof(RfMesh)`.
  uint32_t struct_size;
  uint32_t vertex_count;
  // 3 per vertex.
  const float *positions;
  // 3 per vertex, of unit length.
  const float *normals;
  // 8 per vertex; unused ones have weight 0.
  const uint16_t *joints;
  // 8 per vertex; need not be sorted nor sum to one.
  const float *weights;
  // 3 per triangle, counter-clockwise seen from outside.
  const uint32_t *indices;
  uint32_t triangle_count;
  uint32_t joint_count;
  // 16 per joint: the inverse bind matrices.
  const float *bone_from_bind;
  // One per joint: the joint it hangs under, smaller than its own number, or -1.
  const int32_t *parents;
  // One per joint, null-terminated UTF-8, or NULL for all of them: garments are cut by the names of a person's joints, or by
  // where the joints are.
  const char *const *names;
  // 2 per vertex, or NULL: which way a garment's threads run. Without, it is as soft one way as the other.
  const float *uvs;
} RfMesh;

// How large a character is.
typedef struct RfAvatarInfo {
  // `sizeof(RfAvatarInfo)`.
  uint32_t struct_size;
  uint32_t vertex_count;
  // To draw: of the body, and then of what cloth never meets.
  uint32_t triangle_count;
  uint32_t joint_count;
  uint32_t clip_count;
  // Runs of triangles of one colour.
  uint32_t part_count;
  // What the file brings along to wear.
  uint32_t garment_count;
} RfAvatarInfo;

// A run of triangles of one colour.
typedef struct RfPart {
  // `sizeof(RfPart)`.
  uint32_t struct_size;
  uint32_t first_triangle;
  uint32_t triangle_count;
  // Linear RGBA.
  float base_colour[4];
} RfPart;

// A particle that is pulled to where skinning puts it.
typedef struct RfAttachment {
  uint32_t particle_index;
  // The inverse of a spring's stiffness, m/N: usually 0.01 for a waistband, 0.2 for cloth that lies on a shoulder.
  float compliance;
} RfAttachment;

// How large a garment is.
typedef struct RfGarmentInfo {
  // `sizeof(RfGarmentInfo)`.
  uint32_t struct_size;
  uint32_t particle_count;
  uint32_t triangle_count;
  // Linear RGBA.
  float base_colour[4];
} RfGarmentInfo;

// The motion constraint of one particle, in metres of the bind pose.
typedef struct RfMotionConstraint {
  // The particle is never further than this from where skinning puts it, or a twentieth more at a step's end; infinite for free cloth.
  float max_distance;
  // From there, against the normal, to the nearest point of a ball that the particle keeps out of.
  float backstop_distance;
  // Of the ball; 0 for none.
  float backstop_radius;
} RfMotionConstraint;

// Settings of one garment.
typedef struct RfGarmentSettings {
  // `sizeof(RfGarmentSettings)`.
  uint32_t struct_size;
  // Of the cloth: m/N along warp and weft and in shear, 1/(N m) in bending: 0 is stiff.
  float compliance[4];
  // kg/m²; usually 0.07 to 0.4.
  float density;
  // Part of its length beyond which an edge does not stretch; usually 0.01.
  float strain_limit;
  // 1/s; usually 0.2 to 2.
  float damping;
  // How strongly air drags the cloth, 1/s; usually 0.5 to 5.
  float drag;
  // Coefficient of friction with the skin; usually 0.3 to 0.6.
  float friction;
  // Metres kept from the skin; usually 0.003 to 0.008.
  float thickness;
  // Not 0: particles are kept within the length of the cloth from where it is attached.
  uint32_t is_tethered;
  // What the maximum distances of motion constraints are multiplied by: 1 as made, 0 switches motion constraints off.
  float motion_scale;
} RfGarmentSettings;

// Settings of the solver, for all garments of a world.
typedef struct RfClothSettings {
  // `sizeof(RfClothSettings)`.
  uint32_t struct_size;
  // How many sub-steps a step has, at most 16; usually 8; 16 hold clothes better.
  uint32_t sub_steps;
  // How often the patches of a garment are solved in a sub-step; usually 1.
  uint32_t iterations;
  // Sweeps over a patch's constraints in an iteration; usually 4.
  uint32_t sweeps;
  // m/s².
  float gravity[3];
  // m/s.
  float wind[3];
  // Not 0: cloth comes to rest on a plane.
  uint32_t has_ground;
  // Unit, world space: up.
  float ground_normal[3];
  // Metres along the normal from the world's origin.
  float ground_height;
  // Sub-steps from one collision with bodies and solids to the next, at most 16; usually 2. 0: as it is.
  uint32_t collision_stride;
  // Seconds at rest after which a garment is no longer simulated until something stirs it; usually 0.5. Negative: never. 0: as it is,
  // whatever the next two say.
  float sleep_seconds;
  // m/s against the skin up to which a particle is at rest; usually 0.05.
  float sleep_speed;
  // Metres that limbs and solids near sleeping cloth may move before they wake it; usually 0.01.
  float sleep_motion;
  // Part of its length beyond which edges are shortened when a step ends; usually 0.04. Negative: they are not. 0: as it is.
  float end_strain_limit;
} RfClothSettings;

// A rigid solid. rf_solid_default fills it.
typedef struct RfSolid {
  // `sizeof(RfSolid)`.
  uint32_t struct_size;
  // One of RfSolidShape.
  uint32_t shape;
  // Metres; see RfSolidShape.
  float size[3];
  // Coefficient, 0 or more; between it and cloth of another the geometric mean of both counts. Negative: the cloth's own.
  float friction;
  // Part of the speed into it with which cloth bounces off, 0 to 1.
  float restitution;
  uint32_t reserved;
  // Of `RF_SOLID_SHAPE_FIELD`; it may be destroyed afterwards. Otherwise null.
  const struct RfSolidField *field;
  // Column after column; may scale, evenly.
  float world_from_solid[16];
} RfSolid;

// One body in one step.
typedef struct RfBodyStep {
  // `sizeof(RfBodyStep)`.
  uint32_t struct_size;
  uint32_t joint_count;
  // 16 per joint, column after column: world from bone. Null when they are in `bones`.
  const float *world_from_bone;
  // Not 0: the body did not move here but was put here, and its cloth starts anew on it. So it does by itself in a body's
  // first step.
  uint32_t is_teleported;
  // One of RfDetail: how much its cloth is simulated.
  uint32_t detail;
  // Null, or a storage buffer with the body's skinned positions in world space; then it is not skinned here. They must be
  // visible to storage reads of compute shaders.
  VkBuffer skin;
  // Of the first x, in bytes; a multiple of 4.
  uint64_t skin_offset;
  // What may be read from there on.
  uint64_t skin_bytes;
  // From one vertex to the next, in bytes; a multiple of 4, at least 12.
  uint64_t skin_stride;
  // Null, or a storage buffer that has world from bone of each joint, in place of `world_from_bone`: 16 floats, column after
  // column. They are read on the device, and must be visible to storage reads of compute shaders.
  VkBuffer bones;
  // Of the first matrix, in bytes; a multiple of 4.
  uint64_t bones_offset;
  // What may be read from there on.
  uint64_t bones_bytes;
  // From one matrix to the next, in bytes; a multiple of 4, at least 64.
  uint64_t bones_stride;
} RfBodyStep;

// Where a solid is in one step.
typedef struct RfSolidStep {
  // `sizeof(RfSolidStep)`.
  uint32_t struct_size;
  // Not 0: it did not move here but was put here.
  uint32_t is_teleported;
  // Column after column; may scale, evenly.
  float world_from_solid[16];
} RfSolidStep;

// A particle that the user drags, and the cloth round it.
typedef struct RfGrab {
  // `sizeof(RfGrab)`.
  uint32_t struct_size;
  // Counted over all garments of the world; see rf_world_first_particle.
  uint32_t particle_index;
  // Where it is dragged to, world space.
  float target[3];
  // Metres round it that go along, the less the further away; usually 0.1. With 0 it goes alone.
  float radius;
} RfGrab;

// The poses of one step.
typedef struct RfStep {
  // `sizeof(RfStep)`.
  uint32_t struct_size;
  uint32_t body_count;
  // One per body, in the order they were added.
  const struct RfBodyStep *bodies;
  // Of the world's solids, or 0: then all stay where they are.
  uint32_t solid_count;
  uint32_t reserved;
  // One per solid, in the order they were added. It moves there from where it was, and cloth feels how fast.
  const struct RfSolidStep *solids;
  // Null, or what the user drags.
  const struct RfGrab *grab;
} RfStep;

// A device and what goes with it. The device must have the extensions of rf_required_extension and the features that
// rf_enable_features sets, and outlive every world made on it. It is better made with those of rf_optional_extension that it has.
typedef struct RfHost {
  // `sizeof(RfHost)`.
  uint32_t struct_size;
  // Whose queue will get the command buffers: a family with graphics and compute, or, if the technique does not draw, with
  // compute alone.
  uint32_t queue_family_index;
  PFN_vkGetInstanceProcAddr get_instance_proc_addr;
  // Made for Vulkan 1.3 or newer, as its `VkApplicationInfo::apiVersion` says.
  VkInstance instance;
  VkPhysicalDevice physical_device;
  VkDevice device;
  // May be null. Outlives the world, as all handles do: edits make pipelines too.
  VkPipelineCache pipeline_cache;
  // How many frames the GPU may fall behind; usually 2.
  uint32_t frames_in_flight;
  // Not 0 when the instance has `VK_EXT_debug_utils`: then every object and pass carries a name.
  uint32_t has_debug_utils;
  // How many other families have queues that read the world's buffers, usually 0.
  uint32_t shared_with_count;
  uint32_t reserved;
  // Those families: the buffers are then shared among them.
  const uint32_t *shared_with;
} RfHost;

// What a world is to hold. Zero but for its size, it is an empty world.
typedef struct RfContents {
  // `sizeof(RfContents)`.
  uint32_t struct_size;
  uint32_t body_count;
  // The character of each body.
  const struct RfAvatar *const *bodies;
  // Null, or the fields that were fitted to each; those that are null are fitted anew.
  const struct RfFields *const *fields;
  const struct RfGarment *const *garments;
  // The index of the body that each garment is on; null: all are on the first.
  const uint32_t *garment_bodies;
  uint32_t garment_count;
  uint32_t solid_count;
  const struct RfSolid *solids;
  // Not 0: cloth meets cloth, as after rf_world_set_cloth_contacts.
  uint32_t cloth_contacts;
  uint32_t reserved;
} RfContents;

// Memory in bytes, of buffers. The driver gives it in blocks, of which the last may be nearly empty.
typedef struct RfMemory {
  // `sizeof(RfMemory)`.
  uint32_t struct_size;
  // Allocations made so far, freed ones included; of requirements, those that making the world takes.
  uint32_t allocation_count;
  // Held now; of requirements, as long as the world lives.
  uint64_t bytes;
  // Of requirements: held on top until the first frames are over. Otherwise 0.
  uint64_t staging_bytes;
} RfMemory;

// Where the results of the newest frame are. Positions swap between two buffers with every step, and adding or removing makes
// new ones: ask after each rf_world_record.
typedef struct RfBuffers {
  // `sizeof(RfBuffers)`.
  uint32_t struct_size;
  uint32_t particle_count;
  // 4 floats per particle, the last 1, in world space; all are 0 until its garment has taken part in a step, as skin's are.
  VkBuffer cloth_positions;
  // 4 floats per particle, the last unused.
  VkBuffer cloth_normals;
  // 3 floats per vertex, in world space.
  VkBuffer skin_positions;
  // 3 floats per vertex.
  VkBuffer skin_normals;
  // As the two above were after the step before: for motion vectors.
  VkBuffer previous_cloth_positions;
  VkBuffer previous_skin_positions;
} RfBuffers;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// What went wrong in the last call on this thread that did not return `RF_RESULT_OK`: one line of UTF-8 that says what to
// change. Empty when nothing did. Lives until the next such call on this thread.
const char *rf_last_error(void);

// The version of the library: major << 22 | minor << 12 | patch, as Vulkan counts.
uint32_t rf_version(void);

// The device extensions that must be enabled: names for indices from 0 on, NULL past the last. At present there are none.
const char *rf_required_extension(uint32_t index);

// The device extensions to enable where the physical device has them, and done without where not: names for indices from 0 on,
// NULL past the last. Without VK_KHR_push_descriptor passes get descriptor sets, from pools of the library's own.
const char *rf_optional_extension(uint32_t index);

// Switches on what worlds of a technique need, on top of what the host wants for itself. The rest is left as it is.
// `technique` is as in rf_world_create.
enum RfResult rf_enable_features(VkPhysicalDeviceFeatures *core,
                                 VkPhysicalDeviceVulkan12Features *vulkan12,
                                 VkPhysicalDeviceVulkan13Features *vulkan13,
                                 const char *technique);

// Checks that a physical device has what worlds of a technique need. `technique` is as in rf_world_create.
enum RfResult rf_check_support(PFN_vkGetInstanceProcAddr get_instance_proc_addr,
                               VkInstance instance,
                               VkPhysicalDevice physical_device,
                               const char *technique);

// The mannequin that comes with the library, 1.75 m tall. Takes the feature `authoring`.
enum RfResult rf_avatar_mannequin(struct RfAvatar **out);

// A character out of the bytes of a .glb file, or of a .gltf that needs no other files. `metres_per_unit`: 0 for 1.
// Takes the feature `import`.
enum RfResult rf_avatar_from_gltf(const uint8_t *bytes,
                                  size_t byte_count,
                                  float metres_per_unit,
                                  struct RfAvatar **out);

// A character defined by the host.
enum RfResult rf_avatar_from_mesh(const struct RfMesh *mesh, struct RfAvatar **out);

// How large the character is.
enum RfResult rf_avatar_info(const struct RfAvatar *avatar, struct RfAvatarInfo *out);

// One of the character's parts.
enum RfResult rf_avatar_part(const struct RfAvatar *avatar, uint32_t part_index, struct RfPart *out);

// Copies the indices of the character's triangles: 3 per triangle, into room for `capacity` of them.
enum RfResult rf_avatar_indices(const struct RfAvatar *avatar, uint32_t *out, size_t capacity);

// Where the joints are at a time of a clip: 16 floats each, world from bone, into room for `capacity` floats.
//
// `ease` goes from the pose that clothes are made in, 0, to the clip's, 1: ease in before a clip plays. `world_from_root`
// places the character; NULL leaves it where it is. Hosts with an animation of their own don't need this.
enum RfResult rf_avatar_pose(const struct RfAvatar *avatar,
                             uint32_t clip_index,
                             float seconds,
                             float ease,
                             const float *world_from_root,
                             float *out,
                             size_t capacity);

// Gives a character back; NULL is none.
void rf_avatar_destroy(struct RfAvatar *avatar);

// Fits the fields of a character, with the usual settings: seconds, on all cores. Worlds do it for themselves; a game may do it while it is
// built, keep rf_fields_bytes in a file and make them from it where it runs.
enum RfResult rf_fields_fit(const struct RfAvatar *avatar,
                            struct RfFields **out);

// Fields out of the bytes that rf_fields_bytes gave, which are copied.
enum RfResult rf_fields_from_bytes(const uint8_t *bytes, size_t byte_count, struct RfFields **out);

// The fields as bytes for a file, which stay where they are until rf_fields_destroy: some hundred kilobytes for a person.
enum RfResult rf_fields_bytes(const struct RfFields *fields,
                              const uint8_t **out_bytes,
                              size_t *out_count);

// Gives fields back; NULL is none. Worlds keep what they were given.
void rf_fields_destroy(struct RfFields *fields);

// Makes garments of about `particle_count` particles, 500,000 at most, to the character's shape, innermost first. `kind` is one of
// RfGarmentKind.
//
// `count` says how many there is room for at `out`, and is set to how many were made; 3 is enough for every kind. Takes the
// feature `authoring`.
enum RfResult rf_garment_make(const struct RfAvatar *avatar,
                              uint32_t kind,
                              uint32_t particle_count,
                              struct RfGarment **out,
                              uint32_t *count);

// As rf_garment_make, cut for some of the character's clips, by their indices: on a body of several pieces that stand in each other in those, and
// where arms go deep into one of one piece, clothes end before what is buried. Others get what rf_garment_make makes. Takes the feature
// `authoring`.
enum RfResult rf_garment_make_for_clips(const struct RfAvatar *avatar,
                                        uint32_t kind,
                                        uint32_t particle_count,
                                        const uint32_t *clips,
                                        uint32_t clip_count,
                                        struct RfGarment **out,
                                        uint32_t *count);

// A garment defined by the host: every vertex of the mesh is a particle, skinned to the joints of the body that will wear it.
// Of the mesh, joint_count, bone_from_bind, parents and names are not looked at. Vertices at one place fall apart: weld them.
enum RfResult rf_garment_from_mesh(const struct RfMesh *mesh,
                                   const struct RfAttachment *attachments,
                                   size_t attachment_count,
                                   struct RfGarment **out);

// One of the garments that a character's file brings along, from 0 to its info's garment_count, with the motion constraints that artists
// painted. Vertices at one place are one particle. Takes the feature `authoring`.
enum RfResult rf_avatar_garment(const struct RfAvatar *avatar,
                                uint32_t garment_index,
                                struct RfGarment **out);

// How large a garment is.
enum RfResult rf_garment_info(const struct RfGarment *garment, struct RfGarmentInfo *out);

// Copies the indices of a garment's triangles: 3 per triangle, into room for `capacity` of them.
enum RfResult rf_garment_indices(const struct RfGarment *garment, uint32_t *out, size_t capacity);

// Replaces a garment's motion constraints: `count` is 0, for free cloth, or the number of its particles.
enum RfResult rf_garment_set_motion(struct RfGarment *garment,
                                    const struct RfMotionConstraint *constraints,
                                    size_t count);

// Replaces a garment's shape at rest, from which lengths, areas and angles of its cloth are taken: `positions` has 3 floats per particle, metres.
// `count` is the number of its particles, or 0 for the shape that its mesh has in the bind pose.
enum RfResult rf_garment_set_rest_shape(struct RfGarment *garment,
                                        const float *positions,
                                        size_t count);

// Prepares garments of one character to be worn over each other, innermost first; before they are added to a world. Outer ones keep off the skin by what
// is beneath. Those that one call of rf_garment_make has made are prepared already.
enum RfResult rf_garment_layer(const struct RfAvatar *avatar,
                               struct RfGarment *const *garments,
                               uint32_t count);

// Gives a garment back; NULL is none.
void rf_garment_destroy(struct RfGarment *garment);

// The usual settings of a garment.
enum RfResult rf_garment_settings_default(struct RfGarmentSettings *out);

// The settings of a garment.
enum RfResult rf_world_garment_settings(const struct RfWorld *world,
                                        uint32_t garment_index,
                                        struct RfGarmentSettings *out);

// Changes the settings of a garment from the next frame on.
enum RfResult rf_world_set_garment_settings(struct RfWorld *world,
                                            uint32_t garment_index,
                                            const struct RfGarmentSettings *settings);

// The settings of the solver.
enum RfResult rf_world_cloth_settings(const struct RfWorld *world, struct RfClothSettings *out);

// Changes the settings of the solver from the next frame on.
enum RfResult rf_world_set_cloth_settings(struct RfWorld *world, const struct RfClothSettings *settings);

// Whether cloth meets cloth from the next frame on: folds of a garment, garments worn over each other, those of several characters. At first
// it does not. `meets`: not 0. Takes some 5 kB per particle while it does, and fields of garments that others lie over. A change is an edit of all
// that the world holds, whose state stays; what it replaces is freed once the frames in flight are over. The first time, pipelines are compiled
// besides.
enum RfResult rf_world_set_cloth_contacts(struct RfWorld *world,
                                          uint32_t meets);

// A ball of half a metre at the origin, as rough as the cloth that touches it.
enum RfResult rf_solid_default(struct RfSolid *out);

// Makes the distances of a mesh, 3 floats per vertex and 3 indices per triangle, in cells of `cell_size` metres. Usually a hundredth of
// its length; takes from tenths of a second to minutes, by the number of cells near the surface.
enum RfResult rf_solid_field_from_mesh(const float *positions,
                                       uint32_t vertex_count,
                                       const uint32_t *indices,
                                       uint32_t triangle_count,
                                       float cell_size,
                                       struct RfSolidField **out);

// Gives distances back; NULL are none. Solids that have them stay.
void rf_solid_field_destroy(struct RfSolidField *field);

// Adds a rigid solid behind the others; `out`, if not NULL, is set to its index. Takes memory.
enum RfResult rf_world_add_solid(struct RfWorld *world, const struct RfSolid *solid, uint32_t *out);

// Gives a solid another shape, place, friction and restitution; it does not sweep from its old place to the new. To move it, give its
// places to rf_world_record: this takes memory.
enum RfResult rf_world_set_solid(struct RfWorld *world,
                                 uint32_t solid_index,
                                 const struct RfSolid *solid);

// Takes a solid away. Solids behind it move down by one.
enum RfResult rf_world_remove_solid(struct RfWorld *world, uint32_t solid_index);

// Records a frame of up to 4 steps of `step_seconds` each into a command buffer that is recording, outside a render pass,
// primary or secondary. The frame recorded `frames_in_flight` calls ago must have finished on the GPU; the command buffer
// must be submitted once, in order with those of other frames. When it fails nothing is recorded, but for
// `RF_RESULT_OUT_OF_MEMORY`: throw the command buffer and the world away then.
enum RfResult rf_world_record(struct RfWorld *world,
                              VkCommandBuffer command_buffer,
                              const struct RfStep *steps,
                              uint32_t step_count,
                              float step_seconds);

// What a world with such contents will ask for, before anything is made. `technique`: as in rf_world_create.
enum RfResult rf_world_requirements(const struct RfHost *host,
                                    const char *technique,
                                    const struct RfContents *contents,
                                    struct RfMemory *out);

// The name of a way to find out where cloth meets skin, for indices from 0 on, the usual one first; NULL past the last.
const char *rf_technique_name(uint32_t technique_index);

// Makes a world without bodies, with the usual settings. `technique` is a name of rf_technique_name's, or NULL for the usual
// one; on a queue family that cannot draw it must be another than "radial".
enum RfResult rf_world_create(const struct RfHost *host,
                              const char *technique,
                              struct RfWorld **out);

// Memory that the world holds.
enum RfResult rf_world_memory(const struct RfWorld *world, struct RfMemory *out);

// Adds a body behind the others; `out`, if not NULL, is set to its index. Takes memory, as do the functions below; what
// they replace is given back once the frames in flight are over: between rf_world_begin_edit and rf_world_end_edit many take it once.
enum RfResult rf_world_add_body(struct RfWorld *world,
                                const struct RfAvatar *avatar,
                                uint32_t *out);

// The same with fields that were fitted to the character before, so that nothing is fitted. Bodies that are given the same character and the same
// fields share both.
enum RfResult rf_world_add_fitted_body(struct RfWorld *world,
                                       const struct RfAvatar *avatar,
                                       const struct RfFields *fields,
                                       uint32_t *out);

// Takes a body away, and its garments with it. Bodies behind it move down by one, as do garments behind its own.
enum RfResult rf_world_remove_body(struct RfWorld *world, uint32_t body_index);

// Puts a garment on a body, behind the other garments; `out`, if not NULL, is set to its index. `settings` may be NULL for
// the usual ones.
enum RfResult rf_world_add_garment(struct RfWorld *world,
                                   const struct RfGarment *garment,
                                   uint32_t body_index,
                                   const struct RfGarmentSettings *settings,
                                   uint32_t *out);

// Takes a garment off. Garments behind it move down by one.
enum RfResult rf_world_remove_garment(struct RfWorld *world, uint32_t garment_index);

// Where the results of the newest frame are.
enum RfResult rf_world_buffers(const struct RfWorld *world, struct RfBuffers *out);

// The first of a body's vertices among the skinned ones.
enum RfResult rf_world_first_vertex(const struct RfWorld *world, uint32_t body_index, uint32_t *out);

// The first of a garment's particles.
enum RfResult rf_world_first_particle(const struct RfWorld *world, uint32_t garment_index, uint32_t *out);

// A box round the bodies after the last recorded step: 3 floats each. Both are zero without a step yet, and when a body's bones
// were in a buffer of the host's: they are not seen here.
enum RfResult rf_world_bounds(const struct RfWorld *world,
                              float *low,
                              float *high);

// Gives a world back; NULL is none. The GPU must be done with its frames.
void rf_world_destroy(struct RfWorld *world);

// Begins an edit: what is added, changed and removed from here on is gathered until rf_world_end_edit. Until then frames are recorded of the
// world as it is; indices that adding gives, and those to remove, are those that the contents will have. Each change by itself lays the world
// out anew, and what it replaces is given back once frames have been recorded: many characters at once would take many times their memory.
enum RfResult rf_world_begin_edit(struct RfWorld *world);

// Makes the changes since rf_world_begin_edit, all at once. If that fails none is made: the world is as it was, and no edit is begun.
enum RfResult rf_world_end_edit(struct RfWorld *world);

// The name of a stage, for indices from 0 on; NULL past the last.
const char *rf_stage_name(uint32_t stage_index);

// Takes in the GPU times of the frame that was recorded `frames_in_flight` calls ago, and copies them: milliseconds for each
// stage, less than 0 for one that did not run, into room for `capacity` of them. Does not wait. Called before a frame is
// recorded.
enum RfResult rf_world_stage_ms(struct RfWorld *world,
                                float *out,
                                size_t capacity);

// How many queries rf_world_time_into takes for a frame of `step_count` steps.
enum RfResult rf_world_queries_needed(const struct RfWorld *world, uint32_t step_count, uint32_t *out);

// Has the next recorded frame, and none after it, write its timestamps into `count` queries of the caller's as well, two for
// each span of a stage: the i-th begins at query `first + 2 * i` and ends at the one behind it. The caller resets them before
// the frame runs on the GPU.
enum RfResult rf_world_time_into(struct RfWorld *world,
                                 VkQueryPool pool,
                                 uint32_t first,
                                 uint32_t count);

// The index of the stage that a span of the last recorded frame is of, as rf_stage_name counts. Fails past the last span, and
// when the frame was not timed into queries of the caller's.
enum RfResult rf_world_timed_stage(const struct RfWorld *world,
                                   uint32_t span_index,
                                   uint32_t *out);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* RADIAL_FIELDS_H */
