// The shaders' interfaces, and their SPIR-V beside this file. Compiled from glsl by tools/compile_shaders: change them there.

/// `glsl/bvh/descend.comp`
// from 7cfcd42fadc0a686, content 7cb8c1aa5bb0336d
pub const BVH_DESCEND_COMP: Shader = Shader {
    name: "bvh/descend.comp",
    spirv: include_bytes!("bvh/descend.comp.spv"),
    bindings: &[Binding { number: 0, name: "Predicted", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Nodes", kind: BindingKind::StorageRead }, Binding { number: 2, name: "QueueStates", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "InJobs", kind: BindingKind::StorageRead }, Binding { number: 4, name: "OutJobs", kind: BindingKind::StorageWrite }, Binding { number: 5, name: "Nearest", kind: BindingKind::StorageWrite }, Binding { number: 6, name: "Spilled", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 8,
    local_size: [64, 1, 1],
    shared_bytes: 8,
    structs: &[StructLayout { name: "QueueState", members: &[("group_count_x", 0), ("group_count_y", 4), ("group_count_z", 8), ("wanted", 12)] }, StructLayout { name: "QueueStates", members: &[("queue_states", 0)] }, StructLayout { name: "Push", members: &[("level", 0), ("capacity", 4)] }, StructLayout { name: "OutJobs", members: &[("out_jobs", 0)] }, StructLayout { name: "Spilled", members: &[("spilled", 0)] }, StructLayout { name: "InJobs", members: &[("in_jobs", 0)] }, StructLayout { name: "BoxNode", members: &[("low", 0), ("first", 12), ("high", 16), ("count", 28)] }, StructLayout { name: "Nodes", members: &[("nodes", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }, StructLayout { name: "Nearest", members: &[("nearest", 0)] }],
};

/// `glsl/bvh/leaves.comp`
// from 1d4a0f1260e19007, content 0ff912906c99a747
pub const BVH_LEAVES_COMP: Shader = Shader {
    name: "bvh/leaves.comp",
    spirv: include_bytes!("bvh/leaves.comp.spv"),
    bindings: &[Binding { number: 0, name: "Particles", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Garments", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Current", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "Predicted", kind: BindingKind::StorageWrite }, Binding { number: 4, name: "Contacts", kind: BindingKind::StorageWrite }, Binding { number: 5, name: "SkinTriangles", kind: BindingKind::StorageRead }, Binding { number: 6, name: "SkinBefore", kind: BindingKind::StorageRead }, Binding { number: 7, name: "SkinAfter", kind: BindingKind::StorageRead }, Binding { number: 8, name: "Rings", kind: BindingKind::StorageRead }, Binding { number: 9, name: "RingCorners", kind: BindingKind::StorageRead }, Binding { number: 10, name: "Nodes", kind: BindingKind::StorageRead }, Binding { number: 11, name: "QueueStates", kind: BindingKind::StorageRead }, Binding { number: 12, name: "InJobs", kind: BindingKind::StorageRead }, Binding { number: 13, name: "Found", kind: BindingKind::StorageWrite }, Binding { number: 14, name: "Nearest", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 12,
    local_size: [64, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "SkinBefore", members: &[("skin_before", 0)] }, StructLayout { name: "SkinAfter", members: &[("skin_after", 0)] }, StructLayout { name: "SkinTriangle", members: &[("vertices", 0), ("neighbours", 12)] }, StructLayout { name: "SkinTriangles", members: &[("skin_triangles", 0)] }, StructLayout { name: "Push", members: &[("level", 0), ("capacity", 4), ("part_after", 8)] }, StructLayout { name: "QueueState", members: &[("group_count_x", 0), ("group_count_y", 4), ("group_count_z", 8), ("wanted", 12)] }, StructLayout { name: "QueueStates", members: &[("queue_states", 0)] }, StructLayout { name: "InJobs", members: &[("in_jobs", 0)] }, StructLayout { name: "BoxNode", members: &[("low", 0), ("first", 12), ("high", 16), ("count", 28)] }, StructLayout { name: "Nodes", members: &[("nodes", 0)] }, StructLayout { name: "Nearest", members: &[("nearest", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }, StructLayout { name: "Found", members: &[("found", 0)] }, StructLayout { name: "Particle", members: &[("area", 0), ("attachment_compliance", 4), ("garment_ix", 8), ("clearance", 12), ("target_ix", 16), ("max_distance", 20), ("backstop_distance", 24), ("backstop_radius", 28), ("size", 32)] }, StructLayout { name: "Particles", members: &[("particles", 0)] }, StructLayout { name: "GarmentSettings", members: &[("compliance", 0), ("density", 16), ("strain_limit", 20), ("damping", 24), ("drag", 28), ("friction", 32), ("thickness", 36), ("tethered", 40), ("motion_scale", 44), ("stride", 48), ("last_sub_step", 52), ("is_asleep", 56), ("first_beneath", 60), ("end_beneath", 64)] }, StructLayout { name: "Garments", members: &[("garments", 0)] }, StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "Contacts", members: &[("contacts", 0)] }, StructLayout { name: "Rings", members: &[("rings", 0)] }, StructLayout { name: "RingCorners", members: &[("ring_corners", 0)] }],
};

/// `glsl/bvh/respond.comp`
// from c651250467784b22, content 23fabc5caff13fd6
pub const BVH_RESPOND_COMP: Shader = Shader {
    name: "bvh/respond.comp",
    spirv: include_bytes!("bvh/respond.comp.spv"),
    bindings: &[Binding { number: 0, name: "Particles", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Garments", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Current", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "Predicted", kind: BindingKind::StorageWrite }, Binding { number: 4, name: "Contacts", kind: BindingKind::StorageWrite }, Binding { number: 5, name: "SkinTriangles", kind: BindingKind::StorageRead }, Binding { number: 6, name: "SkinBefore", kind: BindingKind::StorageRead }, Binding { number: 7, name: "SkinAfter", kind: BindingKind::StorageRead }, Binding { number: 8, name: "Rings", kind: BindingKind::StorageRead }, Binding { number: 9, name: "RingCorners", kind: BindingKind::StorageRead }, Binding { number: 10, name: "NearestTriangles", kind: BindingKind::StorageWrite }, Binding { number: 11, name: "QueueStates", kind: BindingKind::StorageWrite }, Binding { number: 12, name: "Counters", kind: BindingKind::StorageWrite }, Binding { number: 13, name: "Nodes", kind: BindingKind::StorageRead }, Binding { number: 14, name: "Nearest", kind: BindingKind::StorageRead }, Binding { number: 15, name: "Spilled", kind: BindingKind::StorageRead }, Binding { number: 16, name: "PathStarts", kind: BindingKind::StorageRead }],
    push_constant_bytes: 40,
    local_size: [64, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "PathStarts", members: &[("path_starts", 0)] }, StructLayout { name: "SkinBefore", members: &[("skin_before", 0)] }, StructLayout { name: "SkinAfter", members: &[("skin_after", 0)] }, StructLayout { name: "SkinTriangle", members: &[("vertices", 0), ("neighbours", 12)] }, StructLayout { name: "SkinTriangles", members: &[("skin_triangles", 0)] }, StructLayout { name: "Push", members: &[("particle_count", 0), ("friction_model", 4), ("first_collision", 8), ("is_reduced", 12), ("since", 16), ("part_before", 20), ("part_after", 24), ("level_count", 28), ("capacity", 32), ("search_radius", 36)] }, StructLayout { name: "Rings", members: &[("rings", 0)] }, StructLayout { name: "RingCorners", members: &[("ring_corners", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }, StructLayout { name: "Contacts", members: &[("contacts", 0)] }, StructLayout { name: "GarmentSettings", members: &[("compliance", 0), ("density", 16), ("strain_limit", 20), ("damping", 24), ("drag", 28), ("friction", 32), ("thickness", 36), ("tethered", 40), ("motion_scale", 44), ("stride", 48), ("last_sub_step", 52), ("is_asleep", 56), ("first_beneath", 60), ("end_beneath", 64)] }, StructLayout { name: "Garments", members: &[("garments", 0)] }, StructLayout { name: "Particle", members: &[("area", 0), ("attachment_compliance", 4), ("garment_ix", 8), ("clearance", 12), ("target_ix", 16), ("max_distance", 20), ("backstop_distance", 24), ("backstop_radius", 28), ("size", 32)] }, StructLayout { name: "Particles", members: &[("particles", 0)] }, StructLayout { name: "BoxNode", members: &[("low", 0), ("first", 12), ("high", 16), ("count", 28)] }, StructLayout { name: "Nodes", members: &[("nodes", 0)] }, StructLayout { name: "QueueState", members: &[("group_count_x", 0), ("group_count_y", 4), ("group_count_z", 8), ("wanted", 12)] }, StructLayout { name: "QueueStates", members: &[("queue_states", 0)] }, StructLayout { name: "Counters", members: &[("overflow_count", 0), ("max_jobs", 4)] }, StructLayout { name: "Spilled", members: &[("spilled", 0)] }, StructLayout { name: "Nearest", members: &[("nearest", 0)] }, StructLayout { name: "NearestTriangles", members: &[("nearest_triangles", 0)] }],
};

/// `glsl/bvh/seed.comp`
// from f8823b6fe0e17bef, content baead008e0a3c16c
pub const BVH_SEED_COMP: Shader = Shader {
    name: "bvh/seed.comp",
    spirv: include_bytes!("bvh/seed.comp.spv"),
    bindings: &[Binding { number: 0, name: "Particles", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Garments", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Current", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "Predicted", kind: BindingKind::StorageWrite }, Binding { number: 4, name: "Contacts", kind: BindingKind::StorageWrite }, Binding { number: 5, name: "SkinTriangles", kind: BindingKind::StorageRead }, Binding { number: 6, name: "SkinBefore", kind: BindingKind::StorageRead }, Binding { number: 7, name: "SkinAfter", kind: BindingKind::StorageRead }, Binding { number: 8, name: "Rings", kind: BindingKind::StorageRead }, Binding { number: 9, name: "RingCorners", kind: BindingKind::StorageRead }, Binding { number: 10, name: "Nodes", kind: BindingKind::StorageRead }, Binding { number: 11, name: "QueueStates", kind: BindingKind::StorageWrite }, Binding { number: 12, name: "OutJobs", kind: BindingKind::StorageWrite }, Binding { number: 13, name: "Nearest", kind: BindingKind::StorageWrite }, Binding { number: 14, name: "NearestTriangles", kind: BindingKind::StorageWrite }, Binding { number: 15, name: "Spilled", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 16,
    local_size: [64, 1, 1],
    shared_bytes: 8,
    structs: &[StructLayout { name: "SkinBefore", members: &[("skin_before", 0)] }, StructLayout { name: "SkinAfter", members: &[("skin_after", 0)] }, StructLayout { name: "SkinTriangle", members: &[("vertices", 0), ("neighbours", 12)] }, StructLayout { name: "SkinTriangles", members: &[("skin_triangles", 0)] }, StructLayout { name: "Push", members: &[("particle_count", 0), ("capacity", 4), ("search_radius", 8), ("part_after", 12)] }, StructLayout { name: "QueueState", members: &[("group_count_x", 0), ("group_count_y", 4), ("group_count_z", 8), ("wanted", 12)] }, StructLayout { name: "QueueStates", members: &[("queue_states", 0)] }, StructLayout { name: "OutJobs", members: &[("out_jobs", 0)] }, StructLayout { name: "Spilled", members: &[("spilled", 0)] }, StructLayout { name: "BoxNode", members: &[("low", 0), ("first", 12), ("high", 16), ("count", 28)] }, StructLayout { name: "Nodes", members: &[("nodes", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }, StructLayout { name: "NearestTriangles", members: &[("nearest_triangles", 0)] }, StructLayout { name: "Nearest", members: &[("nearest", 0)] }, StructLayout { name: "Particle", members: &[("area", 0), ("attachment_compliance", 4), ("garment_ix", 8), ("clearance", 12), ("target_ix", 16), ("max_distance", 20), ("backstop_distance", 24), ("backstop_radius", 28), ("size", 32)] }, StructLayout { name: "Particles", members: &[("particles", 0)] }, StructLayout { name: "GarmentSettings", members: &[("compliance", 0), ("density", 16), ("strain_limit", 20), ("damping", 24), ("drag", 28), ("friction", 32), ("thickness", 36), ("tethered", 40), ("motion_scale", 44), ("stride", 48), ("last_sub_step", 52), ("is_asleep", 56), ("first_beneath", 60), ("end_beneath", 64)] }, StructLayout { name: "Garments", members: &[("garments", 0)] }, StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "Contacts", members: &[("contacts", 0)] }, StructLayout { name: "Rings", members: &[("rings", 0)] }, StructLayout { name: "RingCorners", members: &[("ring_corners", 0)] }],
};

/// `glsl/bvh/select.comp`
// from d18433028d6c2e94, content a6108105ad128bf3
pub const BVH_SELECT_COMP: Shader = Shader {
    name: "bvh/select.comp",
    spirv: include_bytes!("bvh/select.comp.spv"),
    bindings: &[Binding { number: 0, name: "QueueStates", kind: BindingKind::StorageRead }, Binding { number: 1, name: "InJobs", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Found", kind: BindingKind::StorageRead }, Binding { number: 3, name: "Nearest", kind: BindingKind::StorageRead }, Binding { number: 4, name: "NearestTriangles", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 8,
    local_size: [64, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "QueueState", members: &[("group_count_x", 0), ("group_count_y", 4), ("group_count_z", 8), ("wanted", 12)] }, StructLayout { name: "QueueStates", members: &[("queue_states", 0)] }, StructLayout { name: "Push", members: &[("level", 0), ("capacity", 4)] }, StructLayout { name: "InJobs", members: &[("in_jobs", 0)] }, StructLayout { name: "Found", members: &[("found", 0)] }, StructLayout { name: "Nearest", members: &[("nearest", 0)] }, StructLayout { name: "NearestTriangles", members: &[("nearest_triangles", 0)] }],
};

/// `glsl/cloth/contact_apply.comp`
// from 8f51145e90bfa4b5, content 02a3583ae5eefff4
pub const CLOTH_CONTACT_APPLY_COMP: Shader = Shader {
    name: "cloth/contact_apply.comp",
    spirv: include_bytes!("cloth/contact_apply.comp.spv"),
    bindings: &[Binding { number: 0, name: "ContactParticles", kind: BindingKind::StorageWrite }, Binding { number: 1, name: "Current", kind: BindingKind::StorageWrite }, Binding { number: 2, name: "Predicted", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "Triangles", kind: BindingKind::StorageRead }, Binding { number: 4, name: "Edges", kind: BindingKind::StorageRead }, Binding { number: 5, name: "Sums", kind: BindingKind::StorageWrite }, Binding { number: 6, name: "Limits", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 56,
    local_size: [64, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "ContactParticle", members: &[("start", 0), ("thickness", 12), ("motion", 16), ("garment", 28), ("apart", 32), ("inverse_mass", 44), ("carried", 48), ("friction", 60)] }, StructLayout { name: "ContactParticles", members: &[("contact_particles", 0)] }, StructLayout { name: "Push", members: &[("particle_count", 0), ("triangle_count", 4), ("edge_count", 8), ("order_count", 12), ("sub_step_ix", 16), ("sub_steps", 20), ("pair_threads", 24), ("grab_ix", 28), ("up", 32), ("is_resolved", 44), ("own_strides", 48), ("sub_step", 52)] }, StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "Sums", members: &[("sums", 0)] }, StructLayout { name: "Limits", members: &[("limits", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }, StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "ClothEdge", members: &[("ends", 0), ("opposite", 8)] }, StructLayout { name: "Edges", members: &[("edges", 0)] }],
};

/// `glsl/cloth/contact_bound.comp`
// from f512409dd055d3f5, content 02d178b1832698c8
pub const CLOTH_CONTACT_BOUND_COMP: Shader = Shader {
    name: "cloth/contact_bound.comp",
    spirv: include_bytes!("cloth/contact_bound.comp.spv"),
    bindings: &[Binding { number: 0, name: "ContactParticles", kind: BindingKind::StorageWrite }, Binding { number: 1, name: "Current", kind: BindingKind::StorageWrite }, Binding { number: 2, name: "Predicted", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "Triangles", kind: BindingKind::StorageRead }, Binding { number: 4, name: "Edges", kind: BindingKind::StorageRead }, Binding { number: 5, name: "Balls", kind: BindingKind::StorageWrite }, Binding { number: 6, name: "Tiles", kind: BindingKind::StorageWrite }, Binding { number: 7, name: "Targets", kind: BindingKind::StorageRead }, Binding { number: 8, name: "PreviousTargets", kind: BindingKind::StorageRead }, Binding { number: 9, name: "Vertices", kind: BindingKind::StorageRead }, Binding { number: 10, name: "Order", kind: BindingKind::StorageRead }, Binding { number: 11, name: "Particles", kind: BindingKind::StorageRead }, Binding { number: 12, name: "Garments", kind: BindingKind::StorageRead }],
    push_constant_bytes: 56,
    local_size: [32, 1, 1],
    shared_bytes: 1792,
    structs: &[StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }, StructLayout { name: "Push", members: &[("particle_count", 0), ("triangle_count", 4), ("edge_count", 8), ("order_count", 12), ("sub_step_ix", 16), ("sub_steps", 20), ("pair_threads", 24), ("grab_ix", 28), ("up", 32), ("is_resolved", 44), ("own_strides", 48), ("sub_step", 52)] }, StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "ClothEdge", members: &[("ends", 0), ("opposite", 8)] }, StructLayout { name: "Edges", members: &[("edges", 0)] }, StructLayout { name: "MovingBounds", members: &[("low", 0), ("reach", 12), ("high", 16), ("halt", 28), ("end_low", 32), ("end_high", 48)] }, StructLayout { name: "Tiles", members: &[("tiles", 0)] }, StructLayout { name: "GarmentSettings", members: &[("compliance", 0), ("density", 16), ("strain_limit", 20), ("damping", 24), ("drag", 28), ("friction", 32), ("thickness", 36), ("tethered", 40), ("motion_scale", 44), ("stride", 48), ("last_sub_step", 52), ("is_asleep", 56), ("first_beneath", 60), ("end_beneath", 64)] }, StructLayout { name: "Garments", members: &[("garments", 0)] }, StructLayout { name: "Particle", members: &[("area", 0), ("attachment_compliance", 4), ("garment_ix", 8), ("clearance", 12), ("target_ix", 16), ("max_distance", 20), ("backstop_distance", 24), ("backstop_radius", 28), ("size", 32)] }, StructLayout { name: "Particles", members: &[("particles", 0)] }, StructLayout { name: "Order", members: &[("order", 0)] }, StructLayout { name: "ClothVertex", members: &[("rest_position", 0), ("layer", 12), ("sheet", 16)] }, StructLayout { name: "Vertices", members: &[("vertices", 0)] }, StructLayout { name: "Targets", members: &[("targets", 0)] }, StructLayout { name: "PreviousTargets", members: &[("previous_targets", 0)] }, StructLayout { name: "ContactParticle", members: &[("start", 0), ("thickness", 12), ("motion", 16), ("garment", 28), ("apart", 32), ("inverse_mass", 44), ("carried", 48), ("friction", 60)] }, StructLayout { name: "ContactParticles", members: &[("contact_particles", 0)] }, StructLayout { name: "Ball", members: &[("middle", 0), ("within", 12), ("motion", 16), ("halt_length", 28), ("at_rest", 32), ("sheet", 44), ("halt", 48), ("radius", 60)] }, StructLayout { name: "Balls", members: &[("balls", 0)] }],
};

/// `glsl/cloth/contact_bound_blocks.comp`
// from cf6ae92dcbf261d5, content 5dc8d7b21566d262
pub const CLOTH_CONTACT_BOUND_BLOCKS_COMP: Shader = Shader {
    name: "cloth/contact_bound_blocks.comp",
    spirv: include_bytes!("cloth/contact_bound_blocks.comp.spv"),
    bindings: &[Binding { number: 0, name: "ContactParticles", kind: BindingKind::StorageWrite }, Binding { number: 1, name: "Current", kind: BindingKind::StorageWrite }, Binding { number: 2, name: "Predicted", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "Triangles", kind: BindingKind::StorageRead }, Binding { number: 4, name: "Edges", kind: BindingKind::StorageRead }, Binding { number: 5, name: "Balls", kind: BindingKind::StorageWrite }, Binding { number: 6, name: "Tiles", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 56,
    local_size: [32, 1, 1],
    shared_bytes: 1792,
    structs: &[StructLayout { name: "Push", members: &[("particle_count", 0), ("triangle_count", 4), ("edge_count", 8), ("order_count", 12), ("sub_step_ix", 16), ("sub_steps", 20), ("pair_threads", 24), ("grab_ix", 28), ("up", 32), ("is_resolved", 44), ("own_strides", 48), ("sub_step", 52)] }, StructLayout { name: "MovingBounds", members: &[("low", 0), ("reach", 12), ("high", 16), ("halt", 28), ("end_low", 32), ("end_high", 48)] }, StructLayout { name: "Tiles", members: &[("tiles", 0)] }, StructLayout { name: "ContactParticle", members: &[("start", 0), ("thickness", 12), ("motion", 16), ("garment", 28), ("apart", 32), ("inverse_mass", 44), ("carried", 48), ("friction", 60)] }, StructLayout { name: "ContactParticles", members: &[("contact_particles", 0)] }, StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }, StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "ClothEdge", members: &[("ends", 0), ("opposite", 8)] }, StructLayout { name: "Edges", members: &[("edges", 0)] }, StructLayout { name: "Ball", members: &[("middle", 0), ("within", 12), ("motion", 16), ("halt_length", 28), ("at_rest", 32), ("sheet", 44), ("halt", 48), ("radius", 60)] }, StructLayout { name: "Balls", members: &[("balls", 0)] }],
};

/// `glsl/cloth/contact_find.comp`
// from 00c508982f1e3dec, content 0263158d914c2373
pub const CLOTH_CONTACT_FIND_COMP: Shader = Shader {
    name: "cloth/contact_find.comp",
    spirv: include_bytes!("cloth/contact_find.comp.spv"),
    bindings: &[Binding { number: 0, name: "ContactParticles", kind: BindingKind::StorageWrite }, Binding { number: 1, name: "Current", kind: BindingKind::StorageWrite }, Binding { number: 2, name: "Predicted", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "Triangles", kind: BindingKind::StorageRead }, Binding { number: 4, name: "Edges", kind: BindingKind::StorageRead }, Binding { number: 5, name: "Balls", kind: BindingKind::StorageWrite }, Binding { number: 6, name: "Tiles", kind: BindingKind::StorageWrite }, Binding { number: 7, name: "Order", kind: BindingKind::StorageRead }, Binding { number: 8, name: "Tangled", kind: BindingKind::StorageWrite }, Binding { number: 9, name: "Vertices", kind: BindingKind::StorageRead }, Binding { number: 10, name: "Normals", kind: BindingKind::StorageRead }, Binding { number: 11, name: "NearBefore", kind: BindingKind::StorageRead }, Binding { number: 12, name: "Lists", kind: BindingKind::StorageWrite }, Binding { number: 13, name: "Overflow", kind: BindingKind::StorageWrite }, Binding { number: 14, name: "Counts", kind: BindingKind::StorageWrite }, Binding { number: 15, name: "ContactPairs", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 56,
    local_size: [256, 1, 1],
    shared_bytes: 24360,
    structs: &[StructLayout { name: "ContactParticle", members: &[("start", 0), ("thickness", 12), ("motion", 16), ("garment", 28), ("apart", 32), ("inverse_mass", 44), ("carried", 48), ("friction", 60)] }, StructLayout { name: "ContactParticles", members: &[("contact_particles", 0)] }, StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "Push", members: &[("particle_count", 0), ("triangle_count", 4), ("edge_count", 8), ("order_count", 12), ("sub_step_ix", 16), ("sub_steps", 20), ("pair_threads", 24), ("grab_ix", 28), ("up", 32), ("is_resolved", 44), ("own_strides", 48), ("sub_step", 52)] }, StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "ClothEdge", members: &[("ends", 0), ("opposite", 8)] }, StructLayout { name: "Edges", members: &[("edges", 0)] }, StructLayout { name: "Ball", members: &[("middle", 0), ("within", 12), ("motion", 16), ("halt_length", 28), ("at_rest", 32), ("sheet", 44), ("halt", 48), ("radius", 60)] }, StructLayout { name: "Balls", members: &[("balls", 0)] }, StructLayout { name: "Order", members: &[("order", 0)] }, StructLayout { name: "NearBefore", members: &[("near_before", 0)] }, StructLayout { name: "ClothVertex", members: &[("rest_position", 0), ("layer", 12), ("sheet", 16)] }, StructLayout { name: "Vertices", members: &[("vertices", 0)] }, StructLayout { name: "Normals", members: &[("normals", 0)] }, StructLayout { name: "Tangled", members: &[("tangled", 0)] }, StructLayout { name: "MovingBounds", members: &[("low", 0), ("reach", 12), ("high", 16), ("halt", 28), ("end_low", 32), ("end_high", 48)] }, StructLayout { name: "Tiles", members: &[("tiles", 0)] }, StructLayout { name: "Lists", members: &[("lists", 0)] }, StructLayout { name: "SearchCounts", members: &[("tile_pair_count", 0), ("has_no_room", 4), ("pair_count", 8), ("contact_count", 12)] }, StructLayout { name: "Counts", members: &[("search_counts", 0)] }, StructLayout { name: "ContactPair", members: &[("searcher_ix", 0), ("id", 4)] }, StructLayout { name: "ContactPairs", members: &[("contact_pairs", 0)] }, StructLayout { name: "Overflow", members: &[("overflow_count", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }],
};

/// `glsl/cloth/contact_limit.comp`
// from 792e4fc4ef0c22f4, content 5202516901e48161
pub const CLOTH_CONTACT_LIMIT_COMP: Shader = Shader {
    name: "cloth/contact_limit.comp",
    spirv: include_bytes!("cloth/contact_limit.comp.spv"),
    bindings: &[Binding { number: 0, name: "ContactParticles", kind: BindingKind::StorageWrite }, Binding { number: 1, name: "Current", kind: BindingKind::StorageWrite }, Binding { number: 2, name: "Predicted", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "Triangles", kind: BindingKind::StorageRead }, Binding { number: 4, name: "Edges", kind: BindingKind::StorageRead }, Binding { number: 5, name: "NearTriangles", kind: BindingKind::StorageRead }, Binding { number: 6, name: "NearEdges", kind: BindingKind::StorageRead }, Binding { number: 7, name: "CrossedTriangles", kind: BindingKind::StorageRead }, Binding { number: 8, name: "NearTriangleCounts", kind: BindingKind::StorageRead }, Binding { number: 9, name: "NearEdgeCounts", kind: BindingKind::StorageRead }, Binding { number: 10, name: "CrossedTriangleCounts", kind: BindingKind::StorageRead }, Binding { number: 11, name: "Sums", kind: BindingKind::StorageRead }, Binding { number: 12, name: "Limits", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 56,
    local_size: [64, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "ContactParticle", members: &[("start", 0), ("thickness", 12), ("motion", 16), ("garment", 28), ("apart", 32), ("inverse_mass", 44), ("carried", 48), ("friction", 60)] }, StructLayout { name: "ContactParticles", members: &[("contact_particles", 0)] }, StructLayout { name: "Push", members: &[("particle_count", 0), ("triangle_count", 4), ("edge_count", 8), ("order_count", 12), ("sub_step_ix", 16), ("sub_steps", 20), ("pair_threads", 24), ("grab_ix", 28), ("up", 32), ("is_resolved", 44), ("own_strides", 48), ("sub_step", 52)] }, StructLayout { name: "SearchCounts", members: &[("tile_pair_count", 0), ("has_no_room", 4), ("pair_count", 8), ("contact_count", 12)] }, StructLayout { name: "NearTriangleCounts", members: &[("near_triangle_counts", 0)] }, StructLayout { name: "NearEdgeCounts", members: &[("near_edge_counts", 0)] }, StructLayout { name: "CrossedTriangleCounts", members: &[("crossed_triangle_counts", 0)] }, StructLayout { name: "ContactPair", members: &[("searcher_ix", 0), ("id", 4)] }, StructLayout { name: "NearTriangles", members: &[("near_triangles", 0)] }, StructLayout { name: "NearEdges", members: &[("near_edges", 0)] }, StructLayout { name: "CrossedTriangles", members: &[("crossed_triangles", 0)] }, StructLayout { name: "Sums", members: &[("sums", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }, StructLayout { name: "Limits", members: &[("limits", 0)] }, StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "ClothEdge", members: &[("ends", 0), ("opposite", 8)] }, StructLayout { name: "Edges", members: &[("edges", 0)] }, StructLayout { name: "Current", members: &[("current", 0)] }],
};

/// `glsl/cloth/contact_list.comp`
// from c2f2745b8461e558, content 75b7ce61349e932a
pub const CLOTH_CONTACT_LIST_COMP: Shader = Shader {
    name: "cloth/contact_list.comp",
    spirv: include_bytes!("cloth/contact_list.comp.spv"),
    bindings: &[Binding { number: 0, name: "ContactParticles", kind: BindingKind::StorageWrite }, Binding { number: 1, name: "Current", kind: BindingKind::StorageWrite }, Binding { number: 2, name: "Predicted", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "Triangles", kind: BindingKind::StorageRead }, Binding { number: 4, name: "Edges", kind: BindingKind::StorageRead }, Binding { number: 5, name: "Balls", kind: BindingKind::StorageWrite }, Binding { number: 6, name: "Tiles", kind: BindingKind::StorageWrite }, Binding { number: 7, name: "Order", kind: BindingKind::StorageRead }, Binding { number: 8, name: "Pairs", kind: BindingKind::StorageRead }, Binding { number: 9, name: "FirstMet", kind: BindingKind::StorageRead }, Binding { number: 10, name: "Counts", kind: BindingKind::StorageWrite }, Binding { number: 11, name: "Lists", kind: BindingKind::StorageWrite }, Binding { number: 12, name: "Overflow", kind: BindingKind::StorageWrite }, Binding { number: 13, name: "ContactPairs", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 56,
    local_size: [64, 1, 1],
    shared_bytes: 2636,
    structs: &[StructLayout { name: "Push", members: &[("particle_count", 0), ("triangle_count", 4), ("edge_count", 8), ("order_count", 12), ("sub_step_ix", 16), ("sub_steps", 20), ("pair_threads", 24), ("grab_ix", 28), ("up", 32), ("is_resolved", 44), ("own_strides", 48), ("sub_step", 52)] }, StructLayout { name: "Order", members: &[("order", 0)] }, StructLayout { name: "Lists", members: &[("lists", 0)] }, StructLayout { name: "ContactPair", members: &[("searcher_ix", 0), ("id", 4)] }, StructLayout { name: "ContactPairs", members: &[("contact_pairs", 0)] }, StructLayout { name: "FirstMet", members: &[("first_met", 0)] }, StructLayout { name: "Pairs", members: &[("pairs", 0)] }, StructLayout { name: "SearchCounts", members: &[("tile_pair_count", 0), ("has_no_room", 4), ("pair_count", 8), ("contact_count", 12)] }, StructLayout { name: "Counts", members: &[("search_counts", 0)] }, StructLayout { name: "Overflow", members: &[("overflow_count", 0)] }, StructLayout { name: "ContactParticle", members: &[("start", 0), ("thickness", 12), ("motion", 16), ("garment", 28), ("apart", 32), ("inverse_mass", 44), ("carried", 48), ("friction", 60)] }, StructLayout { name: "ContactParticles", members: &[("contact_particles", 0)] }, StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }, StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "ClothEdge", members: &[("ends", 0), ("opposite", 8)] }, StructLayout { name: "Edges", members: &[("edges", 0)] }, StructLayout { name: "Ball", members: &[("middle", 0), ("within", 12), ("motion", 16), ("halt_length", 28), ("at_rest", 32), ("sheet", 44), ("halt", 48), ("radius", 60)] }, StructLayout { name: "Balls", members: &[("balls", 0)] }, StructLayout { name: "MovingBounds", members: &[("low", 0), ("reach", 12), ("high", 16), ("halt", 28), ("end_low", 32), ("end_high", 48)] }, StructLayout { name: "Tiles", members: &[("tiles", 0)] }],
};

/// `glsl/cloth/contact_pairs.comp`
// from f7f5606c9464e23f, content c4d85c6d91f367ce
pub const CLOTH_CONTACT_PAIRS_COMP: Shader = Shader {
    name: "cloth/contact_pairs.comp",
    spirv: include_bytes!("cloth/contact_pairs.comp.spv"),
    bindings: &[Binding { number: 0, name: "ContactParticles", kind: BindingKind::StorageWrite }, Binding { number: 1, name: "Current", kind: BindingKind::StorageWrite }, Binding { number: 2, name: "Predicted", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "Triangles", kind: BindingKind::StorageRead }, Binding { number: 4, name: "Edges", kind: BindingKind::StorageRead }, Binding { number: 5, name: "Balls", kind: BindingKind::StorageWrite }, Binding { number: 6, name: "Tiles", kind: BindingKind::StorageWrite }, Binding { number: 7, name: "Order", kind: BindingKind::StorageRead }, Binding { number: 8, name: "Counts", kind: BindingKind::StorageWrite }, Binding { number: 9, name: "TilePairs", kind: BindingKind::StorageRead }, Binding { number: 10, name: "Pairs", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 56,
    local_size: [32, 1, 1],
    shared_bytes: 3344,
    structs: &[StructLayout { name: "Push", members: &[("particle_count", 0), ("triangle_count", 4), ("edge_count", 8), ("order_count", 12), ("sub_step_ix", 16), ("sub_steps", 20), ("pair_threads", 24), ("grab_ix", 28), ("up", 32), ("is_resolved", 44), ("own_strides", 48), ("sub_step", 52)] }, StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "ClothEdge", members: &[("ends", 0), ("opposite", 8)] }, StructLayout { name: "Edges", members: &[("edges", 0)] }, StructLayout { name: "Ball", members: &[("middle", 0), ("within", 12), ("motion", 16), ("halt_length", 28), ("at_rest", 32), ("sheet", 44), ("halt", 48), ("radius", 60)] }, StructLayout { name: "Balls", members: &[("balls", 0)] }, StructLayout { name: "Order", members: &[("order", 0)] }, StructLayout { name: "MovingBounds", members: &[("low", 0), ("reach", 12), ("high", 16), ("halt", 28), ("end_low", 32), ("end_high", 48)] }, StructLayout { name: "Tiles", members: &[("tiles", 0)] }, StructLayout { name: "SearchCounts", members: &[("tile_pair_count", 0), ("has_no_room", 4), ("pair_count", 8), ("contact_count", 12)] }, StructLayout { name: "Counts", members: &[("search_counts", 0)] }, StructLayout { name: "Pairs", members: &[("pairs", 0)] }, StructLayout { name: "TilePairs", members: &[("tile_pairs", 0)] }, StructLayout { name: "ContactParticle", members: &[("start", 0), ("thickness", 12), ("motion", 16), ("garment", 28), ("apart", 32), ("inverse_mass", 44), ("carried", 48), ("friction", 60)] }, StructLayout { name: "ContactParticles", members: &[("contact_particles", 0)] }, StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }],
};

/// `glsl/cloth/contact_resolve.comp`
// from 363559c1f70edfb4, content e7d3938ff6efa022
pub const CLOTH_CONTACT_RESOLVE_COMP: Shader = Shader {
    name: "cloth/contact_resolve.comp",
    spirv: include_bytes!("cloth/contact_resolve.comp.spv"),
    bindings: &[Binding { number: 0, name: "ContactParticles", kind: BindingKind::StorageWrite }, Binding { number: 1, name: "Current", kind: BindingKind::StorageWrite }, Binding { number: 2, name: "Predicted", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "Triangles", kind: BindingKind::StorageRead }, Binding { number: 4, name: "Edges", kind: BindingKind::StorageRead }, Binding { number: 5, name: "NearTriangles", kind: BindingKind::StorageRead }, Binding { number: 6, name: "NearEdges", kind: BindingKind::StorageRead }, Binding { number: 7, name: "CrossedTriangles", kind: BindingKind::StorageRead }, Binding { number: 8, name: "NearTriangleCounts", kind: BindingKind::StorageRead }, Binding { number: 9, name: "NearEdgeCounts", kind: BindingKind::StorageRead }, Binding { number: 10, name: "CrossedTriangleCounts", kind: BindingKind::StorageRead }, Binding { number: 11, name: "Sums", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 56,
    local_size: [64, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "ContactParticle", members: &[("start", 0), ("thickness", 12), ("motion", 16), ("garment", 28), ("apart", 32), ("inverse_mass", 44), ("carried", 48), ("friction", 60)] }, StructLayout { name: "ContactParticles", members: &[("contact_particles", 0)] }, StructLayout { name: "Push", members: &[("particle_count", 0), ("triangle_count", 4), ("edge_count", 8), ("order_count", 12), ("sub_step_ix", 16), ("sub_steps", 20), ("pair_threads", 24), ("grab_ix", 28), ("up", 32), ("is_resolved", 44), ("own_strides", 48), ("sub_step", 52)] }, StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "SearchCounts", members: &[("tile_pair_count", 0), ("has_no_room", 4), ("pair_count", 8), ("contact_count", 12)] }, StructLayout { name: "NearTriangleCounts", members: &[("near_triangle_counts", 0)] }, StructLayout { name: "NearEdgeCounts", members: &[("near_edge_counts", 0)] }, StructLayout { name: "CrossedTriangleCounts", members: &[("crossed_triangle_counts", 0)] }, StructLayout { name: "ContactPair", members: &[("searcher_ix", 0), ("id", 4)] }, StructLayout { name: "NearTriangles", members: &[("near_triangles", 0)] }, StructLayout { name: "NearEdges", members: &[("near_edges", 0)] }, StructLayout { name: "CrossedTriangles", members: &[("crossed_triangles", 0)] }, StructLayout { name: "Sums", members: &[("sums", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }, StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "ClothEdge", members: &[("ends", 0), ("opposite", 8)] }, StructLayout { name: "Edges", members: &[("edges", 0)] }],
};

/// `glsl/cloth/contact_test.comp`
// from 3d9eb5a93201b8c8, content 200d82b47fb852df
pub const CLOTH_CONTACT_TEST_COMP: Shader = Shader {
    name: "cloth/contact_test.comp",
    spirv: include_bytes!("cloth/contact_test.comp.spv"),
    bindings: &[Binding { number: 0, name: "ContactParticles", kind: BindingKind::StorageWrite }, Binding { number: 1, name: "Current", kind: BindingKind::StorageWrite }, Binding { number: 2, name: "Predicted", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "Triangles", kind: BindingKind::StorageRead }, Binding { number: 4, name: "Edges", kind: BindingKind::StorageRead }, Binding { number: 5, name: "Balls", kind: BindingKind::StorageWrite }, Binding { number: 6, name: "Tiles", kind: BindingKind::StorageWrite }, Binding { number: 7, name: "Order", kind: BindingKind::StorageRead }, Binding { number: 8, name: "Tangled", kind: BindingKind::StorageWrite }, Binding { number: 9, name: "Vertices", kind: BindingKind::StorageRead }, Binding { number: 10, name: "Normals", kind: BindingKind::StorageRead }, Binding { number: 11, name: "NearBefore", kind: BindingKind::StorageRead }, Binding { number: 12, name: "Counts", kind: BindingKind::StorageRead }, Binding { number: 13, name: "Pairs", kind: BindingKind::StorageWrite }, Binding { number: 14, name: "FirstMet", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 56,
    local_size: [128, 1, 1],
    shared_bytes: 1792,
    structs: &[StructLayout { name: "ContactParticle", members: &[("start", 0), ("thickness", 12), ("motion", 16), ("garment", 28), ("apart", 32), ("inverse_mass", 44), ("carried", 48), ("friction", 60)] }, StructLayout { name: "ContactParticles", members: &[("contact_particles", 0)] }, StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "Push", members: &[("particle_count", 0), ("triangle_count", 4), ("edge_count", 8), ("order_count", 12), ("sub_step_ix", 16), ("sub_steps", 20), ("pair_threads", 24), ("grab_ix", 28), ("up", 32), ("is_resolved", 44), ("own_strides", 48), ("sub_step", 52)] }, StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "ClothEdge", members: &[("ends", 0), ("opposite", 8)] }, StructLayout { name: "Edges", members: &[("edges", 0)] }, StructLayout { name: "Ball", members: &[("middle", 0), ("within", 12), ("motion", 16), ("halt_length", 28), ("at_rest", 32), ("sheet", 44), ("halt", 48), ("radius", 60)] }, StructLayout { name: "Balls", members: &[("balls", 0)] }, StructLayout { name: "NearBefore", members: &[("near_before", 0)] }, StructLayout { name: "ClothVertex", members: &[("rest_position", 0), ("layer", 12), ("sheet", 16)] }, StructLayout { name: "Vertices", members: &[("vertices", 0)] }, StructLayout { name: "Normals", members: &[("normals", 0)] }, StructLayout { name: "Tangled", members: &[("tangled", 0)] }, StructLayout { name: "Order", members: &[("order", 0)] }, StructLayout { name: "SearchCounts", members: &[("tile_pair_count", 0), ("has_no_room", 4), ("pair_count", 8), ("contact_count", 12)] }, StructLayout { name: "Counts", members: &[("search_counts", 0)] }, StructLayout { name: "Pairs", members: &[("pairs", 0)] }, StructLayout { name: "FirstMet", members: &[("first_met", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }, StructLayout { name: "MovingBounds", members: &[("low", 0), ("reach", 12), ("high", 16), ("halt", 28), ("end_low", 32), ("end_high", 48)] }, StructLayout { name: "Tiles", members: &[("tiles", 0)] }],
};

/// `glsl/cloth/contact_tile_pairs.comp`
// from 3c872412cf64193e, content 29ff5994049f6edf
pub const CLOTH_CONTACT_TILE_PAIRS_COMP: Shader = Shader {
    name: "cloth/contact_tile_pairs.comp",
    spirv: include_bytes!("cloth/contact_tile_pairs.comp.spv"),
    bindings: &[Binding { number: 0, name: "ContactParticles", kind: BindingKind::StorageWrite }, Binding { number: 1, name: "Current", kind: BindingKind::StorageWrite }, Binding { number: 2, name: "Predicted", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "Triangles", kind: BindingKind::StorageRead }, Binding { number: 4, name: "Edges", kind: BindingKind::StorageRead }, Binding { number: 5, name: "Balls", kind: BindingKind::StorageWrite }, Binding { number: 6, name: "Tiles", kind: BindingKind::StorageWrite }, Binding { number: 7, name: "Order", kind: BindingKind::StorageRead }, Binding { number: 8, name: "Counts", kind: BindingKind::StorageWrite }, Binding { number: 9, name: "TilePairs", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 56,
    local_size: [32, 1, 1],
    shared_bytes: 5904,
    structs: &[StructLayout { name: "Push", members: &[("particle_count", 0), ("triangle_count", 4), ("edge_count", 8), ("order_count", 12), ("sub_step_ix", 16), ("sub_steps", 20), ("pair_threads", 24), ("grab_ix", 28), ("up", 32), ("is_resolved", 44), ("own_strides", 48), ("sub_step", 52)] }, StructLayout { name: "MovingBounds", members: &[("low", 0), ("reach", 12), ("high", 16), ("halt", 28), ("end_low", 32), ("end_high", 48)] }, StructLayout { name: "Tiles", members: &[("tiles", 0)] }, StructLayout { name: "SearchCounts", members: &[("tile_pair_count", 0), ("has_no_room", 4), ("pair_count", 8), ("contact_count", 12)] }, StructLayout { name: "Counts", members: &[("search_counts", 0)] }, StructLayout { name: "TilePairs", members: &[("tile_pairs", 0)] }, StructLayout { name: "ContactParticle", members: &[("start", 0), ("thickness", 12), ("motion", 16), ("garment", 28), ("apart", 32), ("inverse_mass", 44), ("carried", 48), ("friction", 60)] }, StructLayout { name: "ContactParticles", members: &[("contact_particles", 0)] }, StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }, StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "ClothEdge", members: &[("ends", 0), ("opposite", 8)] }, StructLayout { name: "Edges", members: &[("edges", 0)] }, StructLayout { name: "Ball", members: &[("middle", 0), ("within", 12), ("motion", 16), ("halt_length", 28), ("at_rest", 32), ("sheet", 44), ("halt", 48), ("radius", 60)] }, StructLayout { name: "Balls", members: &[("balls", 0)] }, StructLayout { name: "Order", members: &[("order", 0)] }],
};

/// `glsl/cloth/finish.comp`
// from 48bb6db56ed0b266, content 6e3a0d89957740d2
pub const CLOTH_FINISH_COMP: Shader = Shader {
    name: "cloth/finish.comp",
    spirv: include_bytes!("cloth/finish.comp.spv"),
    bindings: &[Binding { number: 0, name: "Predicted", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Offsets", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Corners", kind: BindingKind::StorageRead }, Binding { number: 3, name: "Shown", kind: BindingKind::StorageWrite }, Binding { number: 4, name: "PreviousShown", kind: BindingKind::StorageWrite }, Binding { number: 5, name: "Normals", kind: BindingKind::StorageWrite }, Binding { number: 6, name: "Particles", kind: BindingKind::StorageRead }, Binding { number: 7, name: "Garments", kind: BindingKind::StorageRead }, Binding { number: 8, name: "Current", kind: BindingKind::StorageRead }, Binding { number: 9, name: "Targets", kind: BindingKind::StorageRead }, Binding { number: 10, name: "TargetNormals", kind: BindingKind::StorageRead }, Binding { number: 11, name: "Starts", kind: BindingKind::StorageRead }],
    push_constant_bytes: 40,
    local_size: [64, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "Push", members: &[("ground", 0), ("particle_count", 16), ("grab_ix", 20), ("grab_target", 24), ("grab_radius", 36)] }, StructLayout { name: "Particle", members: &[("area", 0), ("attachment_compliance", 4), ("garment_ix", 8), ("clearance", 12), ("target_ix", 16), ("max_distance", 20), ("backstop_distance", 24), ("backstop_radius", 28), ("size", 32)] }, StructLayout { name: "Particles", members: &[("particles", 0)] }, StructLayout { name: "TargetNormals", members: &[("target_normals", 0)] }, StructLayout { name: "Targets", members: &[("targets", 0)] }, StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "GarmentSettings", members: &[("compliance", 0), ("density", 16), ("strain_limit", 20), ("damping", 24), ("drag", 28), ("friction", 32), ("thickness", 36), ("tethered", 40), ("motion_scale", 44), ("stride", 48), ("last_sub_step", 52), ("is_asleep", 56), ("first_beneath", 60), ("end_beneath", 64)] }, StructLayout { name: "Garments", members: &[("garments", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }, StructLayout { name: "Offsets", members: &[("corner_offsets", 0)] }, StructLayout { name: "Corners", members: &[("corners", 0)] }, StructLayout { name: "Shown", members: &[("shown", 0)] }, StructLayout { name: "Starts", members: &[("starts", 0)] }, StructLayout { name: "PreviousShown", members: &[("previous_shown", 0)] }, StructLayout { name: "Normals", members: &[("normals", 0)] }],
};

/// `glsl/cloth/limit_strain.comp`
// from 2e12014bced533e5, content e3a723be259826ee
pub const CLOTH_LIMIT_STRAIN_COMP: Shader = Shader {
    name: "cloth/limit_strain.comp",
    spirv: include_bytes!("cloth/limit_strain.comp.spv"),
    bindings: &[Binding { number: 0, name: "Particles", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Garments", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Targets", kind: BindingKind::StorageRead }, Binding { number: 3, name: "PreviousTargets", kind: BindingKind::StorageRead }, Binding { number: 4, name: "TargetNormals", kind: BindingKind::StorageRead }, Binding { number: 5, name: "Normals", kind: BindingKind::StorageRead }, Binding { number: 6, name: "Starts", kind: BindingKind::StorageRead }, Binding { number: 7, name: "PathStarts", kind: BindingKind::StorageWrite }, Binding { number: 8, name: "Before", kind: BindingKind::StorageRead }, Binding { number: 9, name: "After", kind: BindingKind::StorageWrite }, Binding { number: 10, name: "Current", kind: BindingKind::StorageRead }, Binding { number: 11, name: "Patches", kind: BindingKind::StorageRead }, Binding { number: 12, name: "PatchParticles", kind: BindingKind::StorageRead }, Binding { number: 13, name: "Constraints", kind: BindingKind::StorageRead }],
    push_constant_bytes: 104,
    local_size: [128, 1, 1],
    shared_bytes: 8192,
    structs: &[StructLayout { name: "PreviousTargets", members: &[("previous_targets", 0)] }, StructLayout { name: "Targets", members: &[("targets", 0)] }, StructLayout { name: "Push", members: &[("ground", 0), ("gravity", 16), ("particle_count", 28), ("wind", 32), ("sub_step", 44), ("grab_target", 48), ("grab_ix", 60), ("grab_radius", 64), ("sub_steps", 68), ("collision_stride", 72), ("begins_ix", 76), ("sub_step_ix", 80), ("target_time", 84), ("first_iteration", 88), ("last_iteration", 92), ("sweeps", 96), ("end_strain_limit", 100)] }, StructLayout { name: "Particle", members: &[("area", 0), ("attachment_compliance", 4), ("garment_ix", 8), ("clearance", 12), ("target_ix", 16), ("max_distance", 20), ("backstop_distance", 24), ("backstop_radius", 28), ("size", 32)] }, StructLayout { name: "Particles", members: &[("particles", 0)] }, StructLayout { name: "TargetNormals", members: &[("target_normals", 0)] }, StructLayout { name: "Constraints", members: &[("constraints", 0)] }, StructLayout { name: "Before", members: &[("before", 0)] }, StructLayout { name: "PatchParticles", members: &[("patch_particles", 0)] }, StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "After", members: &[("after", 0)] }, StructLayout { name: "Patch", members: &[("first_particle", 0), ("owned", 4), ("free", 8), ("particle_count", 12), ("first_constraint", 16), ("colour_size", 20), ("stretch_colours", 24), ("bend_colours", 28), ("long_range_colours", 32), ("garment_ix", 36)] }, StructLayout { name: "Patches", members: &[("patches", 0)] }, StructLayout { name: "GarmentSettings", members: &[("compliance", 0), ("density", 16), ("strain_limit", 20), ("damping", 24), ("drag", 28), ("friction", 32), ("thickness", 36), ("tethered", 40), ("motion_scale", 44), ("stride", 48), ("last_sub_step", 52), ("is_asleep", 56), ("first_beneath", 60), ("end_beneath", 64)] }, StructLayout { name: "Garments", members: &[("garments", 0)] }, StructLayout { name: "Normals", members: &[("normals", 0)] }, StructLayout { name: "Starts", members: &[("starts", 0)] }, StructLayout { name: "PathStarts", members: &[("path_starts", 0)] }],
};

/// `glsl/cloth/predict.comp`
// from 32eddff298cc43f4, content 3a72d86567fac7bb
pub const CLOTH_PREDICT_COMP: Shader = Shader {
    name: "cloth/predict.comp",
    spirv: include_bytes!("cloth/predict.comp.spv"),
    bindings: &[Binding { number: 0, name: "Particles", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Garments", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Targets", kind: BindingKind::StorageRead }, Binding { number: 3, name: "PreviousTargets", kind: BindingKind::StorageRead }, Binding { number: 4, name: "TargetNormals", kind: BindingKind::StorageRead }, Binding { number: 5, name: "Normals", kind: BindingKind::StorageRead }, Binding { number: 6, name: "Starts", kind: BindingKind::StorageRead }, Binding { number: 7, name: "PathStarts", kind: BindingKind::StorageWrite }, Binding { number: 8, name: "Current", kind: BindingKind::StorageWrite }, Binding { number: 9, name: "Predicted", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 104,
    local_size: [64, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "PreviousTargets", members: &[("previous_targets", 0)] }, StructLayout { name: "Targets", members: &[("targets", 0)] }, StructLayout { name: "Push", members: &[("ground", 0), ("gravity", 16), ("particle_count", 28), ("wind", 32), ("sub_step", 44), ("grab_target", 48), ("grab_ix", 60), ("grab_radius", 64), ("sub_steps", 68), ("collision_stride", 72), ("begins_ix", 76), ("sub_step_ix", 80), ("target_time", 84), ("first_iteration", 88), ("last_iteration", 92), ("sweeps", 96), ("end_strain_limit", 100)] }, StructLayout { name: "Particle", members: &[("area", 0), ("attachment_compliance", 4), ("garment_ix", 8), ("clearance", 12), ("target_ix", 16), ("max_distance", 20), ("backstop_distance", 24), ("backstop_radius", 28), ("size", 32)] }, StructLayout { name: "Particles", members: &[("particles", 0)] }, StructLayout { name: "TargetNormals", members: &[("target_normals", 0)] }, StructLayout { name: "Normals", members: &[("normals", 0)] }, StructLayout { name: "Starts", members: &[("starts", 0)] }, StructLayout { name: "GarmentSettings", members: &[("compliance", 0), ("density", 16), ("strain_limit", 20), ("damping", 24), ("drag", 28), ("friction", 32), ("thickness", 36), ("tethered", 40), ("motion_scale", 44), ("stride", 48), ("last_sub_step", 52), ("is_asleep", 56), ("first_beneath", 60), ("end_beneath", 64)] }, StructLayout { name: "Garments", members: &[("garments", 0)] }, StructLayout { name: "PathStarts", members: &[("path_starts", 0)] }, StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }],
};

/// `glsl/cloth/sleep.comp`
// from aba99654a54d5823, content b2ee2f6ab40a510a
pub const CLOTH_SLEEP_COMP: Shader = Shader {
    name: "cloth/sleep.comp",
    spirv: include_bytes!("cloth/sleep.comp.spv"),
    bindings: &[Binding { number: 0, name: "Uploaded", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Stirred", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Rests", kind: BindingKind::StorageRead }, Binding { number: 3, name: "MovedBounds", kind: BindingKind::StorageRead }, Binding { number: 4, name: "Garments", kind: BindingKind::StorageWrite }, Binding { number: 5, name: "SecondsAtRest", kind: BindingKind::StorageWrite }, Binding { number: 6, name: "NextRests", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 20,
    local_size: [64, 1, 1],
    shared_bytes: 4,
    structs: &[StructLayout { name: "Push", members: &[("garment_count", 0), ("body_count", 4), ("meets_cloth", 8), ("step_seconds", 12), ("sleep_seconds", 16)] }, StructLayout { name: "BodyBounds", members: &[("low", 0), ("high", 12)] }, StructLayout { name: "MovedBounds", members: &[("moved_bounds", 0)] }, StructLayout { name: "GarmentRest", members: &[("bounds", 0), ("restless_count", 24), ("moving_count", 28), ("particle_count", 32)] }, StructLayout { name: "Rests", members: &[("rests", 0)] }, StructLayout { name: "GarmentSettings", members: &[("compliance", 0), ("density", 16), ("strain_limit", 20), ("damping", 24), ("drag", 28), ("friction", 32), ("thickness", 36), ("tethered", 40), ("motion_scale", 44), ("stride", 48), ("last_sub_step", 52), ("is_asleep", 56), ("first_beneath", 60), ("end_beneath", 64)] }, StructLayout { name: "Uploaded", members: &[("uploaded", 0)] }, StructLayout { name: "Stirred", members: &[("stirred_by_host", 0)] }, StructLayout { name: "SecondsAtRest", members: &[("seconds_at_rest", 0)] }, StructLayout { name: "Garments", members: &[("garments", 0)] }, StructLayout { name: "NextRests", members: &[("next_rests", 0)] }],
};

/// `glsl/cloth/sleep_measure.comp`
// from b264bf1f1b7417f0, content f0ace50732754d24
pub const CLOTH_SLEEP_MEASURE_COMP: Shader = Shader {
    name: "cloth/sleep_measure.comp",
    spirv: include_bytes!("cloth/sleep_measure.comp.spv"),
    bindings: &[Binding { number: 0, name: "Particles", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Shown", kind: BindingKind::StorageRead }, Binding { number: 2, name: "PreviousShown", kind: BindingKind::StorageRead }, Binding { number: 3, name: "Targets", kind: BindingKind::StorageRead }, Binding { number: 4, name: "PreviousTargets", kind: BindingKind::StorageRead }, Binding { number: 5, name: "Rests", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 8,
    local_size: [64, 1, 1],
    shared_bytes: 36,
    structs: &[StructLayout { name: "Particle", members: &[("area", 0), ("attachment_compliance", 4), ("garment_ix", 8), ("clearance", 12), ("target_ix", 16), ("max_distance", 20), ("backstop_distance", 24), ("backstop_radius", 28), ("size", 32)] }, StructLayout { name: "Particles", members: &[("particles", 0)] }, StructLayout { name: "Shown", members: &[("shown", 0)] }, StructLayout { name: "PreviousShown", members: &[("previous_shown", 0)] }, StructLayout { name: "Targets", members: &[("targets", 0)] }, StructLayout { name: "PreviousTargets", members: &[("previous_targets", 0)] }, StructLayout { name: "Push", members: &[("particle_count", 0), ("still_distance", 4)] }, StructLayout { name: "BodyBounds", members: &[("low", 0), ("high", 12)] }, StructLayout { name: "GarmentRest", members: &[("bounds", 0), ("restless_count", 24), ("moving_count", 28), ("particle_count", 32)] }, StructLayout { name: "Rests", members: &[("rests", 0)] }],
};

/// `glsl/cloth/sleep_motion.comp`
// from 2fd7c4bae3141894, content cd799056c63c5d52
pub const CLOTH_SLEEP_MOTION_COMP: Shader = Shader {
    name: "cloth/sleep_motion.comp",
    spirv: include_bytes!("cloth/sleep_motion.comp.spv"),
    bindings: &[Binding { number: 0, name: "Transforms", kind: BindingKind::StorageRead }, Binding { number: 1, name: "FieldBounds", kind: BindingKind::StorageRead }, Binding { number: 2, name: "BodiesOfFields", kind: BindingKind::StorageRead }, Binding { number: 3, name: "MovedBounds", kind: BindingKind::StorageWrite }, Binding { number: 4, name: "Anchors", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 12,
    local_size: [64, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "Push", members: &[("field_count", 0), ("sub_steps", 4), ("still_distance", 8)] }, StructLayout { name: "BodyBounds", members: &[("low", 0), ("high", 12)] }, StructLayout { name: "MovedBounds", members: &[("moved_bounds", 0)] }, StructLayout { name: "Bounds", members: &[("low", 0), ("high", 12)] }, StructLayout { name: "FieldBounds", members: &[("field_bounds", 0)] }, StructLayout { name: "FieldTransform", members: &[("field_from_world", 0), ("world_from_field", 48), ("max_scale", 96), ("unused", 100)] }, StructLayout { name: "Transforms", members: &[("transforms", 0)] }, StructLayout { name: "Anchors", members: &[("anchors", 0)] }, StructLayout { name: "BodiesOfFields", members: &[("bodies_of_fields", 0)] }],
};

/// `glsl/cloth/solve.comp`
// from d54aea4df7592bdf, content d5a1a538e6255c90
pub const CLOTH_SOLVE_COMP: Shader = Shader {
    name: "cloth/solve.comp",
    spirv: include_bytes!("cloth/solve.comp.spv"),
    bindings: &[Binding { number: 0, name: "Particles", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Garments", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Targets", kind: BindingKind::StorageRead }, Binding { number: 3, name: "PreviousTargets", kind: BindingKind::StorageRead }, Binding { number: 4, name: "TargetNormals", kind: BindingKind::StorageRead }, Binding { number: 5, name: "Normals", kind: BindingKind::StorageRead }, Binding { number: 6, name: "Starts", kind: BindingKind::StorageRead }, Binding { number: 7, name: "PathStarts", kind: BindingKind::StorageWrite }, Binding { number: 8, name: "Before", kind: BindingKind::StorageRead }, Binding { number: 9, name: "After", kind: BindingKind::StorageWrite }, Binding { number: 10, name: "Current", kind: BindingKind::StorageRead }, Binding { number: 11, name: "Patches", kind: BindingKind::StorageRead }, Binding { number: 12, name: "PatchParticles", kind: BindingKind::StorageRead }, Binding { number: 13, name: "Constraints", kind: BindingKind::StorageRead }, Binding { number: 14, name: "CurrentAfter", kind: BindingKind::StorageWrite }, Binding { number: 15, name: "Multipliers", kind: BindingKind::StorageWrite }, Binding { number: 16, name: "AttachmentMultipliers", kind: BindingKind::StorageWrite }, Binding { number: 17, name: "Tethers", kind: BindingKind::StorageRead }],
    push_constant_bytes: 104,
    local_size: [128, 1, 1],
    shared_bytes: 8192,
    structs: &[StructLayout { name: "PreviousTargets", members: &[("previous_targets", 0)] }, StructLayout { name: "Targets", members: &[("targets", 0)] }, StructLayout { name: "Push", members: &[("ground", 0), ("gravity", 16), ("particle_count", 28), ("wind", 32), ("sub_step", 44), ("grab_target", 48), ("grab_ix", 60), ("grab_radius", 64), ("sub_steps", 68), ("collision_stride", 72), ("begins_ix", 76), ("sub_step_ix", 80), ("target_time", 84), ("first_iteration", 88), ("last_iteration", 92), ("sweeps", 96), ("end_strain_limit", 100)] }, StructLayout { name: "Particle", members: &[("area", 0), ("attachment_compliance", 4), ("garment_ix", 8), ("clearance", 12), ("target_ix", 16), ("max_distance", 20), ("backstop_distance", 24), ("backstop_radius", 28), ("size", 32)] }, StructLayout { name: "Particles", members: &[("particles", 0)] }, StructLayout { name: "TargetNormals", members: &[("target_normals", 0)] }, StructLayout { name: "Normals", members: &[("normals", 0)] }, StructLayout { name: "Starts", members: &[("starts", 0)] }, StructLayout { name: "GarmentSettings", members: &[("compliance", 0), ("density", 16), ("strain_limit", 20), ("damping", 24), ("drag", 28), ("friction", 32), ("thickness", 36), ("tethered", 40), ("motion_scale", 44), ("stride", 48), ("last_sub_step", 52), ("is_asleep", 56), ("first_beneath", 60), ("end_beneath", 64)] }, StructLayout { name: "Garments", members: &[("garments", 0)] }, StructLayout { name: "PathStarts", members: &[("path_starts", 0)] }, StructLayout { name: "Constraints", members: &[("constraints", 0)] }, StructLayout { name: "Before", members: &[("before", 0)] }, StructLayout { name: "PatchParticles", members: &[("patch_particles", 0)] }, StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "Multipliers", members: &[("multipliers", 0)] }, StructLayout { name: "AttachmentMultipliers", members: &[("attachment_multipliers", 0)] }, StructLayout { name: "Tether", members: &[("anchor_ix", 0), ("max_length", 4)] }, StructLayout { name: "Tethers", members: &[("tethers", 0)] }, StructLayout { name: "CurrentAfter", members: &[("current_after", 0)] }, StructLayout { name: "After", members: &[("after", 0)] }, StructLayout { name: "Patch", members: &[("first_particle", 0), ("owned", 4), ("free", 8), ("particle_count", 12), ("first_constraint", 16), ("colour_size", 20), ("stretch_colours", 24), ("bend_colours", 28), ("long_range_colours", 32), ("garment_ix", 36)] }, StructLayout { name: "Patches", members: &[("patches", 0)] }],
};

/// `glsl/distance_field/bound.comp`
// from ba98f9d1024d0bbc, content b277e5de9a096cfd
pub const DISTANCE_FIELD_BOUND_COMP: Shader = Shader {
    name: "distance_field/bound.comp",
    spirv: include_bytes!("distance_field/bound.comp.spv"),
    bindings: &[Binding { number: 0, name: "Grids", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Transforms", kind: BindingKind::StorageRead }, Binding { number: 2, name: "FieldBounds", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "BodiesOfFields", kind: BindingKind::StorageRead }, Binding { number: 4, name: "BodiesBounds", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 12,
    local_size: [32, 1, 1],
    shared_bytes: 408,
    structs: &[StructLayout { name: "BodyBounds", members: &[("low", 0), ("high", 12)] }, StructLayout { name: "BodiesBounds", members: &[("body_bounds", 0)] }, StructLayout { name: "Bounds", members: &[("low", 0), ("high", 12)] }, StructLayout { name: "FieldBounds", members: &[("field_bounds", 0)] }, StructLayout { name: "BodiesOfFields", members: &[("bodies_of_fields", 0)] }, StructLayout { name: "Push", members: &[("field_count", 0), ("transform_stride", 4), ("sub_steps", 8)] }, StructLayout { name: "FieldTransform", members: &[("field_from_world", 0), ("world_from_field", 48), ("max_scale", 96), ("unused", 100)] }, StructLayout { name: "Transforms", members: &[("transforms", 0)] }, StructLayout { name: "Grid", members: &[("first_cell", 0), ("size", 4), ("cell_size", 16)] }, StructLayout { name: "Grids", members: &[("grids", 0)] }],
};

/// `glsl/distance_field/collide.comp`
// from 31a3f4dfb1ae009b, content 2c961a4719967452
pub const DISTANCE_FIELD_COLLIDE_COMP: Shader = Shader {
    name: "distance_field/collide.comp",
    spirv: include_bytes!("distance_field/collide.comp.spv"),
    bindings: &[Binding { number: 0, name: "Particles", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Garments", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Current", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "Predicted", kind: BindingKind::StorageWrite }, Binding { number: 4, name: "Contacts", kind: BindingKind::StorageWrite }, Binding { number: 5, name: "Transforms", kind: BindingKind::StorageRead }, Binding { number: 6, name: "FieldBounds", kind: BindingKind::StorageRead }, Binding { number: 7, name: "Candidates", kind: BindingKind::StorageRead }, Binding { number: 8, name: "Solids", kind: BindingKind::StorageRead }, Binding { number: 9, name: "SolidWords", kind: BindingKind::StorageRead }, Binding { number: 10, name: "PathStarts", kind: BindingKind::StorageRead }, Binding { number: 11, name: "Grids", kind: BindingKind::StorageRead }, Binding { number: 12, name: "Cells", kind: BindingKind::StorageRead }],
    push_constant_bytes: 40,
    local_size: [32, 1, 1],
    shared_bytes: 1668,
    structs: &[StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "PathStarts", members: &[("path_starts", 0)] }, StructLayout { name: "Push", members: &[("field_count", 0), ("sub_step_ix", 4), ("sub_steps", 8), ("path_samples", 12), ("friction_model", 16), ("goes_on", 20), ("is_reduced", 24), ("first_solid", 28), ("collision_stride", 32), ("first_layer_field", 36)] }, StructLayout { name: "FieldTransform", members: &[("field_from_world", 0), ("world_from_field", 48), ("max_scale", 96), ("unused", 100)] }, StructLayout { name: "Transforms", members: &[("transforms", 0)] }, StructLayout { name: "SolidWords", members: &[("solid_words", 0)] }, StructLayout { name: "SolidField", members: &[("low", 0), ("cell_size", 12), ("bricks", 16), ("first_brick", 28), ("first_corner", 32), ("first_sample", 36)] }, StructLayout { name: "Solid", members: &[("kind", 0), ("size", 4), ("field", 16), ("friction", 56), ("restitution", 60)] }, StructLayout { name: "Solids", members: &[("solids", 0)] }, StructLayout { name: "Bounds", members: &[("low", 0), ("high", 12)] }, StructLayout { name: "FieldBounds", members: &[("field_bounds", 0)] }, StructLayout { name: "CandidateGroup", members: &[("low", 0), ("count", 12), ("high", 16), ("first_particle", 28), ("end_particle", 32), ("range_count", 36), ("ranges", 40), ("fields", 104)] }, StructLayout { name: "Candidates", members: &[("candidate_groups", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }, StructLayout { name: "Particle", members: &[("area", 0), ("attachment_compliance", 4), ("garment_ix", 8), ("clearance", 12), ("target_ix", 16), ("max_distance", 20), ("backstop_distance", 24), ("backstop_radius", 28), ("size", 32)] }, StructLayout { name: "Particles", members: &[("particles", 0)] }, StructLayout { name: "Contacts", members: &[("contacts", 0)] }, StructLayout { name: "GarmentSettings", members: &[("compliance", 0), ("density", 16), ("strain_limit", 20), ("damping", 24), ("drag", 28), ("friction", 32), ("thickness", 36), ("tethered", 40), ("motion_scale", 44), ("stride", 48), ("last_sub_step", 52), ("is_asleep", 56), ("first_beneath", 60), ("end_beneath", 64)] }, StructLayout { name: "Garments", members: &[("garments", 0)] }, StructLayout { name: "Cells", members: &[("cells", 0)] }, StructLayout { name: "Grid", members: &[("first_cell", 0), ("size", 4), ("cell_size", 16)] }, StructLayout { name: "Grids", members: &[("grids", 0)] }],
};

/// `glsl/distance_field/show_slice.vert`
// from b9a5af500029168d, content 5f89269d5ba45488
pub const DISTANCE_FIELD_SHOW_SLICE_VERT: Shader = Shader {
    name: "distance_field/show_slice.vert",
    spirv: include_bytes!("distance_field/show_slice.vert.spv"),
    bindings: &[Binding { number: 0, name: "Views", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Grids", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Transforms", kind: BindingKind::StorageRead }, Binding { number: 3, name: "Cells", kind: BindingKind::StorageRead }],
    push_constant_bytes: 20,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "View", members: &[("clip_from_world", 0), ("key_from_world", 64), ("sky_from_world", 112), ("eye", 160), ("alpha", 172), ("to_key", 176), ("exposure", 188), ("right", 192), ("ground_height", 204), ("target", 208), ("ground_fade", 220), ("key_size", 224), ("key_texel", 236), ("sky_size", 240), ("unused", 252), ("pixels", 256), ("pixel_offset", 264)] }, StructLayout { name: "Views", members: &[("view", 0)] }, StructLayout { name: "Push", members: &[("transform_stride", 0), ("sub_steps", 4), ("grid_ix", 8), ("across", 12), ("band", 16)] }, StructLayout { name: "FieldTransform", members: &[("field_from_world", 0), ("world_from_field", 48), ("max_scale", 96), ("unused", 100)] }, StructLayout { name: "Transforms", members: &[("transforms", 0)] }, StructLayout { name: "Grid", members: &[("first_cell", 0), ("size", 4), ("cell_size", 16)] }, StructLayout { name: "Grids", members: &[("grids", 0)] }, StructLayout { name: "Cells", members: &[("cells", 0)] }],
};

/// `glsl/distance_field/update.comp`
// from 884c9ec26d95244c, content d659255f59b167a5
pub const DISTANCE_FIELD_UPDATE_COMP: Shader = Shader {
    name: "distance_field/update.comp",
    spirv: include_bytes!("distance_field/update.comp.spv"),
    bindings: &[Binding { number: 0, name: "PairTriangles", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Grids", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Transforms", kind: BindingKind::StorageRead }, Binding { number: 3, name: "Cells", kind: BindingKind::StorageWrite }, Binding { number: 4, name: "PairGrids", kind: BindingKind::StorageRead }, Binding { number: 5, name: "SkinTriangles", kind: BindingKind::StorageRead }, Binding { number: 6, name: "SkinBefore", kind: BindingKind::StorageRead }, Binding { number: 7, name: "SkinAfter", kind: BindingKind::StorageRead }, Binding { number: 8, name: "Rings", kind: BindingKind::StorageRead }, Binding { number: 9, name: "RingCorners", kind: BindingKind::StorageRead }],
    push_constant_bytes: 12,
    local_size: [64, 1, 1],
    shared_bytes: 1184,
    structs: &[StructLayout { name: "SkinBefore", members: &[("skin_before", 0)] }, StructLayout { name: "SkinAfter", members: &[("skin_after", 0)] }, StructLayout { name: "SkinTriangle", members: &[("vertices", 0), ("neighbours", 12)] }, StructLayout { name: "SkinTriangles", members: &[("skin_triangles", 0)] }, StructLayout { name: "Rings", members: &[("rings", 0)] }, StructLayout { name: "RingCorners", members: &[("ring_corners", 0)] }, StructLayout { name: "Push", members: &[("pair_count", 0), ("transform_offset", 4), ("band", 8)] }, StructLayout { name: "PairTriangles", members: &[("pair_triangles", 0)] }, StructLayout { name: "PairGrids", members: &[("pair_grids", 0)] }, StructLayout { name: "FieldTransform", members: &[("field_from_world", 0), ("world_from_field", 48), ("max_scale", 96), ("unused", 100)] }, StructLayout { name: "Transforms", members: &[("transforms", 0)] }, StructLayout { name: "Grid", members: &[("first_cell", 0), ("size", 4), ("cell_size", 16)] }, StructLayout { name: "Grids", members: &[("grids", 0)] }, StructLayout { name: "Cells", members: &[("cells", 0)] }],
};

/// `glsl/lbvh/collide.comp`
// from 8b5e08c1dc20e290, content 5fad68f72b53933c
pub const LBVH_COLLIDE_COMP: Shader = Shader {
    name: "lbvh/collide.comp",
    spirv: include_bytes!("lbvh/collide.comp.spv"),
    bindings: &[Binding { number: 0, name: "Particles", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Garments", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Current", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "Predicted", kind: BindingKind::StorageWrite }, Binding { number: 4, name: "Contacts", kind: BindingKind::StorageWrite }, Binding { number: 5, name: "SkinTriangles", kind: BindingKind::StorageRead }, Binding { number: 6, name: "SkinBefore", kind: BindingKind::StorageRead }, Binding { number: 7, name: "SkinAfter", kind: BindingKind::StorageRead }, Binding { number: 8, name: "Rings", kind: BindingKind::StorageRead }, Binding { number: 9, name: "RingCorners", kind: BindingKind::StorageRead }, Binding { number: 10, name: "Nodes", kind: BindingKind::StorageRead }, Binding { number: 11, name: "NearestTriangles", kind: BindingKind::StorageWrite }, Binding { number: 12, name: "PathStarts", kind: BindingKind::StorageRead }],
    push_constant_bytes: 32,
    local_size: [64, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "PathStarts", members: &[("path_starts", 0)] }, StructLayout { name: "SkinBefore", members: &[("skin_before", 0)] }, StructLayout { name: "SkinAfter", members: &[("skin_after", 0)] }, StructLayout { name: "SkinTriangle", members: &[("vertices", 0), ("neighbours", 12)] }, StructLayout { name: "SkinTriangles", members: &[("skin_triangles", 0)] }, StructLayout { name: "Push", members: &[("particle_count", 0), ("friction_model", 4), ("first_collision", 8), ("is_reduced", 12), ("since", 16), ("part_before", 20), ("part_after", 24), ("search_radius", 28)] }, StructLayout { name: "Rings", members: &[("rings", 0)] }, StructLayout { name: "RingCorners", members: &[("ring_corners", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }, StructLayout { name: "Contacts", members: &[("contacts", 0)] }, StructLayout { name: "GarmentSettings", members: &[("compliance", 0), ("density", 16), ("strain_limit", 20), ("damping", 24), ("drag", 28), ("friction", 32), ("thickness", 36), ("tethered", 40), ("motion_scale", 44), ("stride", 48), ("last_sub_step", 52), ("is_asleep", 56), ("first_beneath", 60), ("end_beneath", 64)] }, StructLayout { name: "Garments", members: &[("garments", 0)] }, StructLayout { name: "Particle", members: &[("area", 0), ("attachment_compliance", 4), ("garment_ix", 8), ("clearance", 12), ("target_ix", 16), ("max_distance", 20), ("backstop_distance", 24), ("backstop_radius", 28), ("size", 32)] }, StructLayout { name: "Particles", members: &[("particles", 0)] }, StructLayout { name: "BoxNode", members: &[("low", 0), ("first", 12), ("high", 16), ("count", 28)] }, StructLayout { name: "Nodes", members: &[("nodes", 0)] }, StructLayout { name: "NearestTriangles", members: &[("nearest_triangles", 0)] }],
};

/// `glsl/overlay/panels.frag`
// from d0fd01de6fb3b5c7, content ff44eb3973b4cc0b
pub const OVERLAY_PANELS_FRAG: Shader = Shader {
    name: "overlay/panels.frag",
    spirv: include_bytes!("overlay/panels.frag.spv"),
    bindings: &[Binding { number: 2, name: "atlas", kind: BindingKind::SampledImage }],
    push_constant_bytes: 0,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[],
};

/// `glsl/overlay/panels.vert`
// from 55bd1321f8cf463c, content fb806da150d32456
pub const OVERLAY_PANELS_VERT: Shader = Shader {
    name: "overlay/panels.vert",
    spirv: include_bytes!("overlay/panels.vert.spv"),
    bindings: &[Binding { number: 0, name: "Indices", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Vertices", kind: BindingKind::StorageRead }],
    push_constant_bytes: 20,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "PanelVertex", members: &[("position", 0), ("at_atlas", 8), ("colour", 16)] }, StructLayout { name: "Vertices", members: &[("vertices", 0)] }, StructLayout { name: "Push", members: &[("corner", 0), ("clip_from_points", 8), ("first_vertex", 16)] }, StructLayout { name: "Indices", members: &[("indices", 0)] }],
};

/// `glsl/radial/bound.comp`
// from 07a8739311f7b9f1, content 3b7fca4d9e02e6a9
pub const RADIAL_BOUND_COMP: Shader = Shader {
    name: "radial/bound.comp",
    spirv: include_bytes!("radial/bound.comp.spv"),
    bindings: &[Binding { number: 0, name: "Portions", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Cells", kind: BindingKind::StorageWrite }, Binding { number: 2, name: "Radii", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "Transforms", kind: BindingKind::StorageRead }, Binding { number: 4, name: "FieldBounds", kind: BindingKind::StorageWrite }, Binding { number: 5, name: "BodiesOfFields", kind: BindingKind::StorageRead }, Binding { number: 6, name: "BodiesBounds", kind: BindingKind::StorageWrite }, Binding { number: 7, name: "PortionsDone", kind: BindingKind::StorageWrite }, Binding { number: 8, name: "RowsOfFields", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 12,
    local_size: [128, 1, 1],
    shared_bytes: 8624,
    structs: &[StructLayout { name: "BodyBounds", members: &[("low", 0), ("high", 12)] }, StructLayout { name: "BodiesBounds", members: &[("body_bounds", 0)] }, StructLayout { name: "Bounds", members: &[("low", 0), ("high", 12)] }, StructLayout { name: "FieldBounds", members: &[("field_bounds", 0)] }, StructLayout { name: "BodiesOfFields", members: &[("bodies_of_fields", 0)] }, StructLayout { name: "Push", members: &[("portion_count", 0), ("transform_stride", 4), ("sub_steps", 8)] }, StructLayout { name: "FieldTransform", members: &[("field_from_world", 0), ("world_from_field", 48), ("max_scale", 96), ("unused", 100)] }, StructLayout { name: "Transforms", members: &[("transforms", 0)] }, StructLayout { name: "Cells", members: &[("cells", 0)] }, StructLayout { name: "Row", members: &[("furthest", 0), ("skin", 4)] }, StructLayout { name: "RowsOfFields", members: &[("rows_of_fields", 0)] }, StructLayout { name: "PortionsDone", members: &[("portions_done", 0)] }, StructLayout { name: "Portion", members: &[("field_ix", 0), ("first_cell", 4), ("width", 8), ("first_row", 12), ("end_row", 16), ("first_open", 20), ("end_open", 24), ("count", 28), ("rows_offset", 32), ("least", 36)] }, StructLayout { name: "Portions", members: &[("portions", 0)] }, StructLayout { name: "Radii", members: &[("radii", 0)] }],
};

/// `glsl/radial/collide.comp`
// from 45a0cfeb8938de6c, content b0f865e1fa6fb3aa
pub const RADIAL_COLLIDE_COMP: Shader = Shader {
    name: "radial/collide.comp",
    spirv: include_bytes!("radial/collide.comp.spv"),
    bindings: &[Binding { number: 0, name: "Particles", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Garments", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Current", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "Predicted", kind: BindingKind::StorageWrite }, Binding { number: 4, name: "Contacts", kind: BindingKind::StorageWrite }, Binding { number: 5, name: "Transforms", kind: BindingKind::StorageRead }, Binding { number: 6, name: "FieldBounds", kind: BindingKind::StorageRead }, Binding { number: 7, name: "Candidates", kind: BindingKind::StorageRead }, Binding { number: 8, name: "Solids", kind: BindingKind::StorageRead }, Binding { number: 9, name: "SolidWords", kind: BindingKind::StorageRead }, Binding { number: 10, name: "PathStarts", kind: BindingKind::StorageRead }, Binding { number: 11, name: "Fields", kind: BindingKind::StorageRead }, Binding { number: 12, name: "Cells", kind: BindingKind::StorageRead }, Binding { number: 13, name: "Radii", kind: BindingKind::StorageRead }],
    push_constant_bytes: 40,
    local_size: [32, 1, 1],
    shared_bytes: 1668,
    structs: &[StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "PathStarts", members: &[("path_starts", 0)] }, StructLayout { name: "Push", members: &[("field_count", 0), ("sub_step_ix", 4), ("sub_steps", 8), ("path_samples", 12), ("friction_model", 16), ("goes_on", 20), ("is_reduced", 24), ("first_solid", 28), ("collision_stride", 32), ("first_layer_field", 36)] }, StructLayout { name: "FieldTransform", members: &[("field_from_world", 0), ("world_from_field", 48), ("max_scale", 96), ("unused", 100)] }, StructLayout { name: "Transforms", members: &[("transforms", 0)] }, StructLayout { name: "SolidWords", members: &[("solid_words", 0)] }, StructLayout { name: "SolidField", members: &[("low", 0), ("cell_size", 12), ("bricks", 16), ("first_brick", 28), ("first_corner", 32), ("first_sample", 36)] }, StructLayout { name: "Solid", members: &[("kind", 0), ("size", 4), ("field", 16), ("friction", 56), ("restitution", 60)] }, StructLayout { name: "Solids", members: &[("solids", 0)] }, StructLayout { name: "Bounds", members: &[("low", 0), ("high", 12)] }, StructLayout { name: "FieldBounds", members: &[("field_bounds", 0)] }, StructLayout { name: "CandidateGroup", members: &[("low", 0), ("count", 12), ("high", 16), ("first_particle", 28), ("end_particle", 32), ("range_count", 36), ("ranges", 40), ("fields", 104)] }, StructLayout { name: "Candidates", members: &[("candidate_groups", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }, StructLayout { name: "Particle", members: &[("area", 0), ("attachment_compliance", 4), ("garment_ix", 8), ("clearance", 12), ("target_ix", 16), ("max_distance", 20), ("backstop_distance", 24), ("backstop_radius", 28), ("size", 32)] }, StructLayout { name: "Particles", members: &[("particles", 0)] }, StructLayout { name: "Contacts", members: &[("contacts", 0)] }, StructLayout { name: "GarmentSettings", members: &[("compliance", 0), ("density", 16), ("strain_limit", 20), ("damping", 24), ("drag", 28), ("friction", 32), ("thickness", 36), ("tethered", 40), ("motion_scale", 44), ("stride", 48), ("last_sub_step", 52), ("is_asleep", 56), ("first_beneath", 60), ("end_beneath", 64)] }, StructLayout { name: "Garments", members: &[("garments", 0)] }, StructLayout { name: "Cells", members: &[("cells", 0)] }, StructLayout { name: "Field", members: &[("cell_offset", 0), ("width", 4), ("height", 8), ("pixel_x", 12), ("pixel_y", 16), ("axis_length", 20), ("caps", 24)] }, StructLayout { name: "Fields", members: &[("fields", 0)] }, StructLayout { name: "Radii", members: &[("radii", 0)] }],
};

/// `glsl/radial/collide_edges.comp`
// from 90af7ad8fa5852ee, content 222913221cd69c29
pub const RADIAL_COLLIDE_EDGES_COMP: Shader = Shader {
    name: "radial/collide_edges.comp",
    spirv: include_bytes!("radial/collide_edges.comp.spv"),
    bindings: &[Binding { number: 0, name: "Particles", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Garments", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Before", kind: BindingKind::StorageRead }, Binding { number: 3, name: "After", kind: BindingKind::StorageWrite }, Binding { number: 4, name: "Current", kind: BindingKind::StorageRead }, Binding { number: 5, name: "CurrentAfter", kind: BindingKind::StorageWrite }, Binding { number: 6, name: "Offsets", kind: BindingKind::StorageRead }, Binding { number: 7, name: "Neighbours", kind: BindingKind::StorageRead }, Binding { number: 8, name: "Transforms", kind: BindingKind::StorageRead }, Binding { number: 9, name: "FieldBounds", kind: BindingKind::StorageRead }, Binding { number: 10, name: "Candidates", kind: BindingKind::StorageRead }, Binding { number: 11, name: "Fields", kind: BindingKind::StorageRead }, Binding { number: 12, name: "Cells", kind: BindingKind::StorageRead }, Binding { number: 13, name: "Radii", kind: BindingKind::StorageRead }],
    push_constant_bytes: 28,
    local_size: [64, 1, 1],
    shared_bytes: 2368,
    structs: &[StructLayout { name: "Push", members: &[("field_count", 0), ("sub_step_ix", 4), ("sub_steps", 8), ("first_solid", 12), ("friction_model", 16), ("is_reduced", 20), ("first_layer_field", 24)] }, StructLayout { name: "Bounds", members: &[("low", 0), ("high", 12)] }, StructLayout { name: "FieldBounds", members: &[("field_bounds", 0)] }, StructLayout { name: "CandidateGroup", members: &[("low", 0), ("count", 12), ("high", 16), ("first_particle", 28), ("end_particle", 32), ("range_count", 36), ("ranges", 40), ("fields", 104)] }, StructLayout { name: "Candidates", members: &[("candidate_groups", 0)] }, StructLayout { name: "Before", members: &[("before", 0)] }, StructLayout { name: "Neighbours", members: &[("neighbours", 0)] }, StructLayout { name: "Offsets", members: &[("neighbour_offsets", 0)] }, StructLayout { name: "CurrentAfter", members: &[("current_after", 0)] }, StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "After", members: &[("after", 0)] }, StructLayout { name: "Particle", members: &[("area", 0), ("attachment_compliance", 4), ("garment_ix", 8), ("clearance", 12), ("target_ix", 16), ("max_distance", 20), ("backstop_distance", 24), ("backstop_radius", 28), ("size", 32)] }, StructLayout { name: "Particles", members: &[("particles", 0)] }, StructLayout { name: "GarmentSettings", members: &[("compliance", 0), ("density", 16), ("strain_limit", 20), ("damping", 24), ("drag", 28), ("friction", 32), ("thickness", 36), ("tethered", 40), ("motion_scale", 44), ("stride", 48), ("last_sub_step", 52), ("is_asleep", 56), ("first_beneath", 60), ("end_beneath", 64)] }, StructLayout { name: "Garments", members: &[("garments", 0)] }, StructLayout { name: "Cells", members: &[("cells", 0)] }, StructLayout { name: "Field", members: &[("cell_offset", 0), ("width", 4), ("height", 8), ("pixel_x", 12), ("pixel_y", 16), ("axis_length", 20), ("caps", 24)] }, StructLayout { name: "Fields", members: &[("fields", 0)] }, StructLayout { name: "Radii", members: &[("radii", 0)] }, StructLayout { name: "FieldTransform", members: &[("field_from_world", 0), ("world_from_field", 48), ("max_scale", 96), ("unused", 100)] }, StructLayout { name: "Transforms", members: &[("transforms", 0)] }],
};

/// `glsl/radial/rasterise.comp`
// from 6234f8812650edf6, content 1b8635f506ca45b6
pub const RADIAL_RASTERISE_COMP: Shader = Shader {
    name: "radial/rasterise.comp",
    spirv: include_bytes!("radial/rasterise.comp.spv"),
    bindings: &[Binding { number: 0, name: "Positions", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Triangles", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Fields", kind: BindingKind::StorageRead }, Binding { number: 3, name: "Transforms", kind: BindingKind::StorageRead }, Binding { number: 4, name: "Cells", kind: BindingKind::StorageWrite }, Binding { number: 5, name: "Drawing", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 8,
    local_size: [128, 1, 1],
    shared_bytes: 3712,
    structs: &[StructLayout { name: "Cells", members: &[("cells", 0)] }, StructLayout { name: "Push", members: &[("triangle_count", 0), ("transform_offset", 4)] }, StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "Field", members: &[("cell_offset", 0), ("width", 4), ("height", 8), ("pixel_x", 12), ("pixel_y", 16), ("axis_length", 20), ("caps", 24)] }, StructLayout { name: "Fields", members: &[("fields", 0)] }, StructLayout { name: "FieldTransform", members: &[("field_from_world", 0), ("world_from_field", 48), ("max_scale", 96), ("unused", 100)] }, StructLayout { name: "Transforms", members: &[("transforms", 0)] }, StructLayout { name: "Positions", members: &[("positions", 0)] }, StructLayout { name: "DrawnTriangles", members: &[("vertex_count", 0), ("instance_count", 4), ("first_vertex", 8), ("first_instance", 12)] }, StructLayout { name: "Drawing", members: &[("drawing", 0), ("drawn_triangles", 16)] }],
};

/// `glsl/radial/rasterise.frag`
// from 495cbf0b04ac3623, content eeb61c9b5b5ec71a
pub const RADIAL_RASTERISE_FRAG: Shader = Shader {
    name: "radial/rasterise.frag",
    spirv: include_bytes!("radial/rasterise.frag.spv"),
    bindings: &[Binding { number: 2, name: "Fields", kind: BindingKind::StorageRead }, Binding { number: 4, name: "Cells", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 0,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "Cells", members: &[("cells", 0)] }, StructLayout { name: "Field", members: &[("cell_offset", 0), ("width", 4), ("height", 8), ("pixel_x", 12), ("pixel_y", 16), ("axis_length", 20), ("caps", 24)] }, StructLayout { name: "Fields", members: &[("fields", 0)] }],
};

/// `glsl/radial/rasterise.vert`
// from e74af3672c594b5c, content 2d5d602da8675001
pub const RADIAL_RASTERISE_VERT: Shader = Shader {
    name: "radial/rasterise.vert",
    spirv: include_bytes!("radial/rasterise.vert.spv"),
    bindings: &[Binding { number: 0, name: "Positions", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Triangles", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Fields", kind: BindingKind::StorageRead }, Binding { number: 3, name: "Transforms", kind: BindingKind::StorageRead }, Binding { number: 5, name: "Drawing", kind: BindingKind::StorageRead }],
    push_constant_bytes: 12,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "DrawnTriangles", members: &[("vertex_count", 0), ("instance_count", 4), ("first_vertex", 8), ("first_instance", 12)] }, StructLayout { name: "Drawing", members: &[("drawing", 0), ("drawn_triangles", 16)] }, StructLayout { name: "Field", members: &[("cell_offset", 0), ("width", 4), ("height", 8), ("pixel_x", 12), ("pixel_y", 16), ("axis_length", 20), ("caps", 24)] }, StructLayout { name: "Fields", members: &[("fields", 0)] }, StructLayout { name: "FieldTransform", members: &[("field_from_world", 0), ("world_from_field", 48), ("max_scale", 96), ("unused", 100)] }, StructLayout { name: "Transforms", members: &[("transforms", 0)] }, StructLayout { name: "Push", members: &[("pixels", 0), ("transform_offset", 8)] }, StructLayout { name: "Positions", members: &[("positions", 0)] }],
};

/// `glsl/radial/show_cylinders.vert`
// from d4ca0dcd427c55a1, content d0978e553b0d47d0
pub const RADIAL_SHOW_CYLINDERS_VERT: Shader = Shader {
    name: "radial/show_cylinders.vert",
    spirv: include_bytes!("radial/show_cylinders.vert.spv"),
    bindings: &[Binding { number: 0, name: "Views", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Radii", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Transforms", kind: BindingKind::StorageRead }],
    push_constant_bytes: 8,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "View", members: &[("clip_from_world", 0), ("key_from_world", 64), ("sky_from_world", 112), ("eye", 160), ("alpha", 172), ("to_key", 176), ("exposure", 188), ("right", 192), ("ground_height", 204), ("target", 208), ("ground_fade", 220), ("key_size", 224), ("key_texel", 236), ("sky_size", 240), ("unused", 252), ("pixels", 256), ("pixel_offset", 264)] }, StructLayout { name: "Views", members: &[("view", 0)] }, StructLayout { name: "Push", members: &[("transform_stride", 0), ("sub_steps", 4)] }, StructLayout { name: "FieldTransform", members: &[("field_from_world", 0), ("world_from_field", 48), ("max_scale", 96), ("unused", 100)] }, StructLayout { name: "Transforms", members: &[("transforms", 0)] }, StructLayout { name: "Radii", members: &[("radii", 0)] }],
};

/// `glsl/radial/show_surface.vert`
// from 0b8dae3ab8c29b6f, content 25a4f6f19be45a55
pub const RADIAL_SHOW_SURFACE_VERT: Shader = Shader {
    name: "radial/show_surface.vert",
    spirv: include_bytes!("radial/show_surface.vert.spv"),
    bindings: &[Binding { number: 0, name: "Views", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Fields", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Transforms", kind: BindingKind::StorageRead }, Binding { number: 3, name: "Cells", kind: BindingKind::StorageRead }, Binding { number: 4, name: "Radii", kind: BindingKind::StorageRead }],
    push_constant_bytes: 16,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "Cells", members: &[("cells", 0)] }, StructLayout { name: "View", members: &[("clip_from_world", 0), ("key_from_world", 64), ("sky_from_world", 112), ("eye", 160), ("alpha", 172), ("to_key", 176), ("exposure", 188), ("right", 192), ("ground_height", 204), ("target", 208), ("ground_fade", 220), ("key_size", 224), ("key_texel", 236), ("sky_size", 240), ("unused", 252), ("pixels", 256), ("pixel_offset", 264)] }, StructLayout { name: "Views", members: &[("view", 0)] }, StructLayout { name: "Push", members: &[("transform_stride", 0), ("sub_steps", 4), ("coloured_by", 8), ("field_count", 12)] }, StructLayout { name: "FieldTransform", members: &[("field_from_world", 0), ("world_from_field", 48), ("max_scale", 96), ("unused", 100)] }, StructLayout { name: "Transforms", members: &[("transforms", 0)] }, StructLayout { name: "Field", members: &[("cell_offset", 0), ("width", 4), ("height", 8), ("pixel_x", 12), ("pixel_y", 16), ("axis_length", 20), ("caps", 24)] }, StructLayout { name: "Fields", members: &[("fields", 0)] }, StructLayout { name: "Radii", members: &[("radii", 0)] }],
};

/// `glsl/render/backdrop.frag`
// from 7d69c50656ad0b05, content 782f4defd7b1a056
pub const RENDER_BACKDROP_FRAG: Shader = Shader {
    name: "render/backdrop.frag",
    spirv: include_bytes!("render/backdrop.frag.spv"),
    bindings: &[Binding { number: 0, name: "Views", kind: BindingKind::StorageRead }],
    push_constant_bytes: 0,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "View", members: &[("clip_from_world", 0), ("key_from_world", 64), ("sky_from_world", 112), ("eye", 160), ("alpha", 172), ("to_key", 176), ("exposure", 188), ("right", 192), ("ground_height", 204), ("target", 208), ("ground_fade", 220), ("key_size", 224), ("key_texel", 236), ("sky_size", 240), ("unused", 252), ("pixels", 256), ("pixel_offset", 264)] }, StructLayout { name: "Views", members: &[("view", 0)] }],
};

/// `glsl/render/backdrop.vert`
// from 2ae60a170a2b086a, content 56e7e6b89f4a6b8e
pub const RENDER_BACKDROP_VERT: Shader = Shader {
    name: "render/backdrop.vert",
    spirv: include_bytes!("render/backdrop.vert.spv"),
    bindings: &[],
    push_constant_bytes: 0,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[],
};

/// `glsl/render/body.frag`
// from a712dc3665eb55c8, content 6224d3a46386b89d
pub const RENDER_BODY_FRAG: Shader = Shader {
    name: "render/body.frag",
    spirv: include_bytes!("render/body.frag.spv"),
    bindings: &[Binding { number: 0, name: "Views", kind: BindingKind::StorageRead }, Binding { number: 1, name: "key_map", kind: BindingKind::SampledImage }, Binding { number: 2, name: "key_depths", kind: BindingKind::SampledImage }, Binding { number: 10, name: "base_texture", kind: BindingKind::SampledImage }],
    push_constant_bytes: 28,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "View", members: &[("clip_from_world", 0), ("key_from_world", 64), ("sky_from_world", 112), ("eye", 160), ("alpha", 172), ("to_key", 176), ("exposure", 188), ("right", 192), ("ground_height", 204), ("target", 208), ("ground_fade", 220), ("key_size", 224), ("key_texel", 236), ("sky_size", 240), ("unused", 252), ("pixels", 256), ("pixel_offset", 264)] }, StructLayout { name: "Views", members: &[("view", 0)] }, StructLayout { name: "Push", members: &[("base_colour", 0), ("wireframe", 16), ("coloured_by", 20), ("alpha_cutoff", 24)] }],
};

/// `glsl/render/body.vert`
// from a40dc47f4db9c03c, content 0800e0dba1834ab7
pub const RENDER_BODY_VERT: Shader = Shader {
    name: "render/body.vert",
    spirv: include_bytes!("render/body.vert.spv"),
    bindings: &[Binding { number: 0, name: "Views", kind: BindingKind::StorageRead }, Binding { number: 3, name: "tops", kind: BindingKind::SampledImage }, Binding { number: 4, name: "undersides", kind: BindingKind::SampledImage }, Binding { number: 5, name: "Positions", kind: BindingKind::StorageRead }, Binding { number: 6, name: "PreviousPositions", kind: BindingKind::StorageRead }, Binding { number: 7, name: "Normals", kind: BindingKind::StorageRead }, Binding { number: 8, name: "Triangles", kind: BindingKind::StorageRead }, Binding { number: 9, name: "Surface", kind: BindingKind::StorageRead }],
    push_constant_bytes: 0,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "View", members: &[("clip_from_world", 0), ("key_from_world", 64), ("sky_from_world", 112), ("eye", 160), ("alpha", 172), ("to_key", 176), ("exposure", 188), ("right", 192), ("ground_height", 204), ("target", 208), ("ground_fade", 220), ("key_size", 224), ("key_texel", 236), ("sky_size", 240), ("unused", 252), ("pixels", 256), ("pixel_offset", 264)] }, StructLayout { name: "Views", members: &[("view", 0)] }, StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "PreviousPositions", members: &[("previous_positions", 0)] }, StructLayout { name: "Positions", members: &[("positions", 0)] }, StructLayout { name: "Normals", members: &[("normals", 0)] }, StructLayout { name: "SkinSurface", members: &[("rest", 0), ("uv", 12), ("covered", 20)] }, StructLayout { name: "Surface", members: &[("surface", 0)] }],
};

/// `glsl/render/cloth.frag`
// from 204c4f65af1ede88, content 9de014553165577b
pub const RENDER_CLOTH_FRAG: Shader = Shader {
    name: "render/cloth.frag",
    spirv: include_bytes!("render/cloth.frag.spv"),
    bindings: &[Binding { number: 0, name: "Views", kind: BindingKind::StorageRead }, Binding { number: 1, name: "key_map", kind: BindingKind::SampledImage }, Binding { number: 2, name: "key_depths", kind: BindingKind::SampledImage }, Binding { number: 12, name: "base_texture", kind: BindingKind::SampledImage }],
    push_constant_bytes: 40,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "View", members: &[("clip_from_world", 0), ("key_from_world", 64), ("sky_from_world", 112), ("eye", 160), ("alpha", 172), ("to_key", 176), ("exposure", 188), ("right", 192), ("ground_height", 204), ("target", 208), ("ground_fade", 220), ("key_size", 224), ("key_texel", 236), ("sky_size", 240), ("unused", 252), ("pixels", 256), ("pixel_offset", 264)] }, StructLayout { name: "Views", members: &[("view", 0)] }, StructLayout { name: "Push", members: &[("base_colour", 0), ("alpha_cutoff", 16), ("wireframe", 20), ("coloured_by", 24), ("depth_of_red", 28), ("stretch_of_red", 32), ("fabric", 36)] }],
};

/// `glsl/render/cloth.vert`
// from 6c8df97ecbadc8e3, content 818debb850ffbf85
pub const RENDER_CLOTH_VERT: Shader = Shader {
    name: "render/cloth.vert",
    spirv: include_bytes!("render/cloth.vert.spv"),
    bindings: &[Binding { number: 0, name: "Views", kind: BindingKind::StorageRead }, Binding { number: 3, name: "tops", kind: BindingKind::SampledImage }, Binding { number: 4, name: "undersides", kind: BindingKind::SampledImage }, Binding { number: 5, name: "Positions", kind: BindingKind::StorageRead }, Binding { number: 6, name: "PreviousPositions", kind: BindingKind::StorageRead }, Binding { number: 7, name: "Normals", kind: BindingKind::StorageRead }, Binding { number: 8, name: "Triangles", kind: BindingKind::StorageRead }, Binding { number: 9, name: "Vertices", kind: BindingKind::StorageRead }, Binding { number: 10, name: "Surface", kind: BindingKind::StorageRead }, Binding { number: 11, name: "Contacts", kind: BindingKind::StorageRead }],
    push_constant_bytes: 0,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "View", members: &[("clip_from_world", 0), ("key_from_world", 64), ("sky_from_world", 112), ("eye", 160), ("alpha", 172), ("to_key", 176), ("exposure", 188), ("right", 192), ("ground_height", 204), ("target", 208), ("ground_fade", 220), ("key_size", 224), ("key_texel", 236), ("sky_size", 240), ("unused", 252), ("pixels", 256), ("pixel_offset", 264)] }, StructLayout { name: "Views", members: &[("view", 0)] }, StructLayout { name: "PreviousPositions", members: &[("previous_positions", 0)] }, StructLayout { name: "Positions", members: &[("positions", 0)] }, StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "Normals", members: &[("normals", 0)] }, StructLayout { name: "ClothSurface", members: &[("at", 0), ("hem", 8), ("rest", 12), ("uv", 24)] }, StructLayout { name: "Surface", members: &[("surface", 0)] }, StructLayout { name: "Vertices", members: &[("vertices", 0)] }, StructLayout { name: "Contacts", members: &[("contacts", 0)] }],
};

/// `glsl/render/cloth_rim.vert`
// from bed6ff1f3a108db5, content b1f7bccd44f7a0c6
pub const RENDER_CLOTH_RIM_VERT: Shader = Shader {
    name: "render/cloth_rim.vert",
    spirv: include_bytes!("render/cloth_rim.vert.spv"),
    bindings: &[Binding { number: 0, name: "Views", kind: BindingKind::StorageRead }, Binding { number: 3, name: "tops", kind: BindingKind::SampledImage }, Binding { number: 4, name: "undersides", kind: BindingKind::SampledImage }, Binding { number: 5, name: "Positions", kind: BindingKind::StorageRead }, Binding { number: 6, name: "PreviousPositions", kind: BindingKind::StorageRead }, Binding { number: 7, name: "Normals", kind: BindingKind::StorageRead }, Binding { number: 8, name: "Triangles", kind: BindingKind::StorageRead }, Binding { number: 9, name: "Vertices", kind: BindingKind::StorageRead }, Binding { number: 10, name: "Surface", kind: BindingKind::StorageRead }, Binding { number: 11, name: "Rims", kind: BindingKind::StorageRead }],
    push_constant_bytes: 0,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "View", members: &[("clip_from_world", 0), ("key_from_world", 64), ("sky_from_world", 112), ("eye", 160), ("alpha", 172), ("to_key", 176), ("exposure", 188), ("right", 192), ("ground_height", 204), ("target", 208), ("ground_fade", 220), ("key_size", 224), ("key_texel", 236), ("sky_size", 240), ("unused", 252), ("pixels", 256), ("pixel_offset", 264)] }, StructLayout { name: "Views", members: &[("view", 0)] }, StructLayout { name: "PreviousPositions", members: &[("previous_positions", 0)] }, StructLayout { name: "Positions", members: &[("positions", 0)] }, StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "Normals", members: &[("normals", 0)] }, StructLayout { name: "Rims", members: &[("rims", 0)] }, StructLayout { name: "ClothSurface", members: &[("at", 0), ("hem", 8), ("rest", 12), ("uv", 24)] }, StructLayout { name: "Surface", members: &[("surface", 0)] }, StructLayout { name: "Vertices", members: &[("vertices", 0)] }],
};

/// `glsl/render/contacts.vert`
// from 03003ad71a08ac93, content 2de610f6e82a6b87
pub const RENDER_CONTACTS_VERT: Shader = Shader {
    name: "render/contacts.vert",
    spirv: include_bytes!("render/contacts.vert.spv"),
    bindings: &[Binding { number: 0, name: "Views", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Positions", kind: BindingKind::StorageRead }, Binding { number: 2, name: "PreviousPositions", kind: BindingKind::StorageRead }, Binding { number: 3, name: "Contacts", kind: BindingKind::StorageRead }],
    push_constant_bytes: 4,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "View", members: &[("clip_from_world", 0), ("key_from_world", 64), ("sky_from_world", 112), ("eye", 160), ("alpha", 172), ("to_key", 176), ("exposure", 188), ("right", 192), ("ground_height", 204), ("target", 208), ("ground_fade", 220), ("key_size", 224), ("key_texel", 236), ("sky_size", 240), ("unused", 252), ("pixels", 256), ("pixel_offset", 264)] }, StructLayout { name: "Views", members: &[("view", 0)] }, StructLayout { name: "Contacts", members: &[("contacts", 0)] }, StructLayout { name: "PreviousPositions", members: &[("previous_positions", 0)] }, StructLayout { name: "Positions", members: &[("positions", 0)] }, StructLayout { name: "Push", members: &[("depth_of_red", 0)] }],
};

/// `glsl/render/difference.frag`
// from bfb593db9e34ca8d, content 6fc17070ee526e0b
pub const RENDER_DIFFERENCE_FRAG: Shader = Shader {
    name: "render/difference.frag",
    spirv: include_bytes!("render/difference.frag.spv"),
    bindings: &[Binding { number: 0, name: "picture_a", kind: BindingKind::SampledImage }, Binding { number: 1, name: "picture_b", kind: BindingKind::SampledImage }],
    push_constant_bytes: 0,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[],
};

/// `glsl/render/flat.frag`
// from b421fa0530e7088b, content bce3f909ce944617
pub const RENDER_FLAT_FRAG: Shader = Shader {
    name: "render/flat.frag",
    spirv: include_bytes!("render/flat.frag.spv"),
    bindings: &[],
    push_constant_bytes: 0,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[],
};

/// `glsl/render/ground.frag`
// from 07bea7d459d48f1c, content ff1b7e00a7a156aa
pub const RENDER_GROUND_FRAG: Shader = Shader {
    name: "render/ground.frag",
    spirv: include_bytes!("render/ground.frag.spv"),
    bindings: &[Binding { number: 0, name: "Views", kind: BindingKind::StorageRead }, Binding { number: 1, name: "key_map", kind: BindingKind::SampledImage }, Binding { number: 2, name: "key_depths", kind: BindingKind::SampledImage }, Binding { number: 3, name: "tops", kind: BindingKind::SampledImage }, Binding { number: 4, name: "undersides", kind: BindingKind::SampledImage }],
    push_constant_bytes: 0,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "View", members: &[("clip_from_world", 0), ("key_from_world", 64), ("sky_from_world", 112), ("eye", 160), ("alpha", 172), ("to_key", 176), ("exposure", 188), ("right", 192), ("ground_height", 204), ("target", 208), ("ground_fade", 220), ("key_size", 224), ("key_texel", 236), ("sky_size", 240), ("unused", 252), ("pixels", 256), ("pixel_offset", 264)] }, StructLayout { name: "Views", members: &[("view", 0)] }],
};

/// `glsl/render/ground.vert`
// from f401a91a769e57d6, content 0288b24be80e2cc3
pub const RENDER_GROUND_VERT: Shader = Shader {
    name: "render/ground.vert",
    spirv: include_bytes!("render/ground.vert.spv"),
    bindings: &[Binding { number: 0, name: "Views", kind: BindingKind::StorageRead }],
    push_constant_bytes: 0,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "View", members: &[("clip_from_world", 0), ("key_from_world", 64), ("sky_from_world", 112), ("eye", 160), ("alpha", 172), ("to_key", 176), ("exposure", 188), ("right", 192), ("ground_height", 204), ("target", 208), ("ground_fade", 220), ("key_size", 224), ("key_texel", 236), ("sky_size", 240), ("unused", 252), ("pixels", 256), ("pixel_offset", 264)] }, StructLayout { name: "Views", members: &[("view", 0)] }],
};

/// `glsl/render/shadow_body.vert`
// from 2467368d7285ec9e, content 96c805442c29a968
pub const RENDER_SHADOW_BODY_VERT: Shader = Shader {
    name: "render/shadow_body.vert",
    spirv: include_bytes!("render/shadow_body.vert.spv"),
    bindings: &[Binding { number: 0, name: "Views", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Positions", kind: BindingKind::StorageRead }, Binding { number: 2, name: "PreviousPositions", kind: BindingKind::StorageRead }, Binding { number: 3, name: "Triangles", kind: BindingKind::StorageRead }],
    push_constant_bytes: 4,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "View", members: &[("clip_from_world", 0), ("key_from_world", 64), ("sky_from_world", 112), ("eye", 160), ("alpha", 172), ("to_key", 176), ("exposure", 188), ("right", 192), ("ground_height", 204), ("target", 208), ("ground_fade", 220), ("key_size", 224), ("key_texel", 236), ("sky_size", 240), ("unused", 252), ("pixels", 256), ("pixel_offset", 264)] }, StructLayout { name: "Views", members: &[("view", 0)] }, StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "PreviousPositions", members: &[("previous_positions", 0)] }, StructLayout { name: "Positions", members: &[("positions", 0)] }, StructLayout { name: "Push", members: &[("seen_from", 0)] }],
};

/// `glsl/render/shadow_cloth.vert`
// from ac219fc9d7502c4b, content 5444db5ba233eee8
pub const RENDER_SHADOW_CLOTH_VERT: Shader = Shader {
    name: "render/shadow_cloth.vert",
    spirv: include_bytes!("render/shadow_cloth.vert.spv"),
    bindings: &[Binding { number: 0, name: "Views", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Positions", kind: BindingKind::StorageRead }, Binding { number: 2, name: "PreviousPositions", kind: BindingKind::StorageRead }, Binding { number: 3, name: "Normals", kind: BindingKind::StorageRead }, Binding { number: 4, name: "Triangles", kind: BindingKind::StorageRead }],
    push_constant_bytes: 4,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "View", members: &[("clip_from_world", 0), ("key_from_world", 64), ("sky_from_world", 112), ("eye", 160), ("alpha", 172), ("to_key", 176), ("exposure", 188), ("right", 192), ("ground_height", 204), ("target", 208), ("ground_fade", 220), ("key_size", 224), ("key_texel", 236), ("sky_size", 240), ("unused", 252), ("pixels", 256), ("pixel_offset", 264)] }, StructLayout { name: "Views", members: &[("view", 0)] }, StructLayout { name: "PreviousPositions", members: &[("previous_positions", 0)] }, StructLayout { name: "Positions", members: &[("positions", 0)] }, StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "Normals", members: &[("normals", 0)] }, StructLayout { name: "Push", members: &[("seen_from", 0)] }],
};

/// `glsl/render/shadow_cut.frag`
// from 974eadda01e80d84, content 318f6f61a73a33cc
pub const RENDER_SHADOW_CUT_FRAG: Shader = Shader {
    name: "render/shadow_cut.frag",
    spirv: include_bytes!("render/shadow_cut.frag.spv"),
    bindings: &[Binding { number: 1, name: "base_texture", kind: BindingKind::SampledImage }],
    push_constant_bytes: 12,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "Push", members: &[("seen_from", 0), ("opacity", 4), ("alpha_cutoff", 8)] }],
};

/// `glsl/render/shadow_cut_body.vert`
// from 4316ed3048657e15, content 9924bbb643794a67
pub const RENDER_SHADOW_CUT_BODY_VERT: Shader = Shader {
    name: "render/shadow_cut_body.vert",
    spirv: include_bytes!("render/shadow_cut_body.vert.spv"),
    bindings: &[Binding { number: 0, name: "Views", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Positions", kind: BindingKind::StorageRead }, Binding { number: 3, name: "PreviousPositions", kind: BindingKind::StorageRead }, Binding { number: 4, name: "Triangles", kind: BindingKind::StorageRead }, Binding { number: 5, name: "Surface", kind: BindingKind::StorageRead }],
    push_constant_bytes: 12,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "View", members: &[("clip_from_world", 0), ("key_from_world", 64), ("sky_from_world", 112), ("eye", 160), ("alpha", 172), ("to_key", 176), ("exposure", 188), ("right", 192), ("ground_height", 204), ("target", 208), ("ground_fade", 220), ("key_size", 224), ("key_texel", 236), ("sky_size", 240), ("unused", 252), ("pixels", 256), ("pixel_offset", 264)] }, StructLayout { name: "Views", members: &[("view", 0)] }, StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "PreviousPositions", members: &[("previous_positions", 0)] }, StructLayout { name: "Positions", members: &[("positions", 0)] }, StructLayout { name: "SkinSurface", members: &[("rest", 0), ("uv", 12), ("covered", 20)] }, StructLayout { name: "Surface", members: &[("surface", 0)] }, StructLayout { name: "Push", members: &[("seen_from", 0), ("opacity", 4), ("alpha_cutoff", 8)] }],
};

/// `glsl/render/shadow_cut_cloth.vert`
// from 1dfd58035d74a47d, content 16136e996be9b20f
pub const RENDER_SHADOW_CUT_CLOTH_VERT: Shader = Shader {
    name: "render/shadow_cut_cloth.vert",
    spirv: include_bytes!("render/shadow_cut_cloth.vert.spv"),
    bindings: &[Binding { number: 0, name: "Views", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Positions", kind: BindingKind::StorageRead }, Binding { number: 3, name: "PreviousPositions", kind: BindingKind::StorageRead }, Binding { number: 4, name: "Normals", kind: BindingKind::StorageRead }, Binding { number: 5, name: "Triangles", kind: BindingKind::StorageRead }, Binding { number: 6, name: "Vertices", kind: BindingKind::StorageRead }, Binding { number: 7, name: "Surface", kind: BindingKind::StorageRead }],
    push_constant_bytes: 12,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "View", members: &[("clip_from_world", 0), ("key_from_world", 64), ("sky_from_world", 112), ("eye", 160), ("alpha", 172), ("to_key", 176), ("exposure", 188), ("right", 192), ("ground_height", 204), ("target", 208), ("ground_fade", 220), ("key_size", 224), ("key_texel", 236), ("sky_size", 240), ("unused", 252), ("pixels", 256), ("pixel_offset", 264)] }, StructLayout { name: "Views", members: &[("view", 0)] }, StructLayout { name: "PreviousPositions", members: &[("previous_positions", 0)] }, StructLayout { name: "Positions", members: &[("positions", 0)] }, StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "Normals", members: &[("normals", 0)] }, StructLayout { name: "ClothSurface", members: &[("at", 0), ("hem", 8), ("rest", 12), ("uv", 24)] }, StructLayout { name: "Surface", members: &[("surface", 0)] }, StructLayout { name: "Vertices", members: &[("vertices", 0)] }, StructLayout { name: "Push", members: &[("seen_from", 0), ("opacity", 4), ("alpha_cutoff", 8)] }],
};

/// `glsl/render/shadow_solid.vert`
// from 2bacf96710cfec25, content fbc78de01f7750a4
pub const RENDER_SHADOW_SOLID_VERT: Shader = Shader {
    name: "render/shadow_solid.vert",
    spirv: include_bytes!("render/shadow_solid.vert.spv"),
    bindings: &[Binding { number: 0, name: "Views", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Vertices", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Transforms", kind: BindingKind::StorageRead }],
    push_constant_bytes: 20,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "View", members: &[("clip_from_world", 0), ("key_from_world", 64), ("sky_from_world", 112), ("eye", 160), ("alpha", 172), ("to_key", 176), ("exposure", 188), ("right", 192), ("ground_height", 204), ("target", 208), ("ground_fade", 220), ("key_size", 224), ("key_texel", 236), ("sky_size", 240), ("unused", 252), ("pixels", 256), ("pixel_offset", 264)] }, StructLayout { name: "Views", members: &[("view", 0)] }, StructLayout { name: "Push", members: &[("transform_stride", 0), ("sub_steps", 4), ("field_ix", 8), ("seen_from", 12), ("error_of_red", 16)] }, StructLayout { name: "FieldTransform", members: &[("field_from_world", 0), ("world_from_field", 48), ("max_scale", 96), ("unused", 100)] }, StructLayout { name: "Transforms", members: &[("transforms", 0)] }, StructLayout { name: "SolidVertex", members: &[("position", 0), ("normal", 12), ("error", 24)] }, StructLayout { name: "Vertices", members: &[("vertices", 0)] }],
};

/// `glsl/render/show_surface.frag`
// from 00fe7c5912d57fd4, content baf645f7738006b4
pub const RENDER_SHOW_SURFACE_FRAG: Shader = Shader {
    name: "render/show_surface.frag",
    spirv: include_bytes!("render/show_surface.frag.spv"),
    bindings: &[Binding { number: 0, name: "Views", kind: BindingKind::StorageRead }],
    push_constant_bytes: 0,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "View", members: &[("clip_from_world", 0), ("key_from_world", 64), ("sky_from_world", 112), ("eye", 160), ("alpha", 172), ("to_key", 176), ("exposure", 188), ("right", 192), ("ground_height", 204), ("target", 208), ("ground_fade", 220), ("key_size", 224), ("key_texel", 236), ("sky_size", 240), ("unused", 252), ("pixels", 256), ("pixel_offset", 264)] }, StructLayout { name: "Views", members: &[("view", 0)] }],
};

/// `glsl/render/solid.frag`
// from c1085a851232f9ec, content e3018e6f913509e8
pub const RENDER_SOLID_FRAG: Shader = Shader {
    name: "render/solid.frag",
    spirv: include_bytes!("render/solid.frag.spv"),
    bindings: &[Binding { number: 0, name: "Views", kind: BindingKind::StorageRead }, Binding { number: 1, name: "key_map", kind: BindingKind::SampledImage }, Binding { number: 2, name: "key_depths", kind: BindingKind::SampledImage }],
    push_constant_bytes: 0,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "View", members: &[("clip_from_world", 0), ("key_from_world", 64), ("sky_from_world", 112), ("eye", 160), ("alpha", 172), ("to_key", 176), ("exposure", 188), ("right", 192), ("ground_height", 204), ("target", 208), ("ground_fade", 220), ("key_size", 224), ("key_texel", 236), ("sky_size", 240), ("unused", 252), ("pixels", 256), ("pixel_offset", 264)] }, StructLayout { name: "Views", members: &[("view", 0)] }],
};

/// `glsl/render/solid.vert`
// from 01cd61aed1231ad5, content 72789d29a0d07066
pub const RENDER_SOLID_VERT: Shader = Shader {
    name: "render/solid.vert",
    spirv: include_bytes!("render/solid.vert.spv"),
    bindings: &[Binding { number: 0, name: "Views", kind: BindingKind::StorageRead }, Binding { number: 3, name: "tops", kind: BindingKind::SampledImage }, Binding { number: 4, name: "undersides", kind: BindingKind::SampledImage }, Binding { number: 5, name: "Vertices", kind: BindingKind::StorageRead }, Binding { number: 6, name: "Transforms", kind: BindingKind::StorageRead }],
    push_constant_bytes: 20,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "View", members: &[("clip_from_world", 0), ("key_from_world", 64), ("sky_from_world", 112), ("eye", 160), ("alpha", 172), ("to_key", 176), ("exposure", 188), ("right", 192), ("ground_height", 204), ("target", 208), ("ground_fade", 220), ("key_size", 224), ("key_texel", 236), ("sky_size", 240), ("unused", 252), ("pixels", 256), ("pixel_offset", 264)] }, StructLayout { name: "Views", members: &[("view", 0)] }, StructLayout { name: "Push", members: &[("transform_stride", 0), ("sub_steps", 4), ("field_ix", 8), ("seen_from", 12), ("error_of_red", 16)] }, StructLayout { name: "FieldTransform", members: &[("field_from_world", 0), ("world_from_field", 48), ("max_scale", 96), ("unused", 100)] }, StructLayout { name: "Transforms", members: &[("transforms", 0)] }, StructLayout { name: "SolidVertex", members: &[("position", 0), ("normal", 12), ("error", 24)] }, StructLayout { name: "Vertices", members: &[("vertices", 0)] }],
};

/// `glsl/shared/find_candidates.comp`
// from 54ff428f1bfdaa4a, content ea2c379e19095463
pub const SHARED_FIND_CANDIDATES_COMP: Shader = Shader {
    name: "shared/find_candidates.comp",
    spirv: include_bytes!("shared/find_candidates.comp.spv"),
    bindings: &[Binding { number: 0, name: "Particles", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Garments", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Current", kind: BindingKind::StorageRead }, Binding { number: 3, name: "Predicted", kind: BindingKind::StorageRead }, Binding { number: 4, name: "Offsets", kind: BindingKind::StorageRead }, Binding { number: 5, name: "Neighbours", kind: BindingKind::StorageRead }, Binding { number: 6, name: "FieldBounds", kind: BindingKind::StorageRead }, Binding { number: 7, name: "FirstFields", kind: BindingKind::StorageRead }, Binding { number: 8, name: "BodiesBounds", kind: BindingKind::StorageRead }, Binding { number: 9, name: "Candidates", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 32,
    local_size: [64, 1, 1],
    shared_bytes: 456,
    structs: &[StructLayout { name: "Bounds", members: &[("low", 0), ("high", 12)] }, StructLayout { name: "FieldBounds", members: &[("field_bounds", 0)] }, StructLayout { name: "CandidateGroup", members: &[("low", 0), ("count", 12), ("high", 16), ("first_particle", 28), ("end_particle", 32), ("range_count", 36), ("ranges", 40), ("fields", 104)] }, StructLayout { name: "Candidates", members: &[("candidate_groups", 0)] }, StructLayout { name: "GarmentSettings", members: &[("compliance", 0), ("density", 16), ("strain_limit", 20), ("damping", 24), ("drag", 28), ("friction", 32), ("thickness", 36), ("tethered", 40), ("motion_scale", 44), ("stride", 48), ("last_sub_step", 52), ("is_asleep", 56), ("first_beneath", 60), ("end_beneath", 64)] }, StructLayout { name: "Garments", members: &[("garments", 0)] }, StructLayout { name: "Particle", members: &[("area", 0), ("attachment_compliance", 4), ("garment_ix", 8), ("clearance", 12), ("target_ix", 16), ("max_distance", 20), ("backstop_distance", 24), ("backstop_radius", 28), ("size", 32)] }, StructLayout { name: "Particles", members: &[("particles", 0)] }, StructLayout { name: "Push", members: &[("field_count", 0), ("body_count", 4), ("sub_step_ix", 8), ("sub_steps", 12), ("first_layer", 16), ("end_layer", 20), ("first_layer_field", 24), ("first_solid", 28)] }, StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }, StructLayout { name: "Offsets", members: &[("neighbour_offsets", 0)] }, StructLayout { name: "Neighbours", members: &[("neighbours", 0)] }, StructLayout { name: "BodyBounds", members: &[("low", 0), ("high", 12)] }, StructLayout { name: "BodiesBounds", members: &[("body_bounds", 0)] }, StructLayout { name: "FirstFields", members: &[("first_fields", 0)] }],
};

/// `glsl/shared/refit.comp`
// from 6ec86840e34a04a5, content 69a150da453dfb3e
pub const SHARED_REFIT_COMP: Shader = Shader {
    name: "shared/refit.comp",
    spirv: include_bytes!("shared/refit.comp.spv"),
    bindings: &[Binding { number: 0, name: "SkinTriangles", kind: BindingKind::StorageRead }, Binding { number: 1, name: "SkinBefore", kind: BindingKind::StorageRead }, Binding { number: 2, name: "SkinAfter", kind: BindingKind::StorageRead }, Binding { number: 3, name: "Nodes", kind: BindingKind::StorageWrite }, Binding { number: 4, name: "Parents", kind: BindingKind::StorageRead }, Binding { number: 5, name: "Arrivals", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 8,
    local_size: [64, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "BoxNode", members: &[("low", 0), ("first", 12), ("high", 16), ("count", 28)] }, StructLayout { name: "Nodes", members: &[("nodes", 0)] }, StructLayout { name: "SkinTriangle", members: &[("vertices", 0), ("neighbours", 12)] }, StructLayout { name: "SkinTriangles", members: &[("skin_triangles", 0)] }, StructLayout { name: "SkinBefore", members: &[("skin_before", 0)] }, StructLayout { name: "SkinAfter", members: &[("skin_after", 0)] }, StructLayout { name: "Push", members: &[("node_count", 0), ("level_count", 4)] }, StructLayout { name: "Parents", members: &[("parents", 0)] }, StructLayout { name: "Arrivals", members: &[("arrivals", 0)] }],
};

/// `glsl/shared/show_boxes.vert`
// from bc4b65738a780cd3, content 74951d5e8e1f5300
pub const SHARED_SHOW_BOXES_VERT: Shader = Shader {
    name: "shared/show_boxes.vert",
    spirv: include_bytes!("shared/show_boxes.vert.spv"),
    bindings: &[Binding { number: 0, name: "Views", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Nodes", kind: BindingKind::StorageRead }],
    push_constant_bytes: 4,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "View", members: &[("clip_from_world", 0), ("key_from_world", 64), ("sky_from_world", 112), ("eye", 160), ("alpha", 172), ("to_key", 176), ("exposure", 188), ("right", 192), ("ground_height", 204), ("target", 208), ("ground_fade", 220), ("key_size", 224), ("key_texel", 236), ("sky_size", 240), ("unused", 252), ("pixels", 256), ("pixel_offset", 264)] }, StructLayout { name: "Views", members: &[("view", 0)] }, StructLayout { name: "BoxNode", members: &[("low", 0), ("first", 12), ("high", 16), ("count", 28)] }, StructLayout { name: "Nodes", members: &[("nodes", 0)] }, StructLayout { name: "Push", members: &[("first_node", 0)] }],
};

/// `glsl/shared/sub_step_transforms.comp`
// from 5b46afd8a9d81314, content 4fccc27b5d1d1c0f
pub const SHARED_SUB_STEP_TRANSFORMS_COMP: Shader = Shader {
    name: "shared/sub_step_transforms.comp",
    spirv: include_bytes!("shared/sub_step_transforms.comp.spv"),
    bindings: &[Binding { number: 0, name: "Attachments", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Sources", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Uploaded", kind: BindingKind::StorageRead }, Binding { number: 3, name: "FramesBefore", kind: BindingKind::StorageRead }, Binding { number: 4, name: "FramesAfter", kind: BindingKind::StorageWrite }, Binding { number: 5, name: "Transforms", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 12,
    local_size: [64, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "Attachment", members: &[("bone_from_field", 0), ("axis_lengths", 48), ("frame_ix", 60)] }, StructLayout { name: "Attachments", members: &[("attachments", 0)] }, StructLayout { name: "FrameSource", members: &[("first_float", 0), ("teleported", 4)] }, StructLayout { name: "Sources", members: &[("sources", 0)] }, StructLayout { name: "Uploaded", members: &[("uploaded", 0)] }, StructLayout { name: "FramesAfter", members: &[("frames_after", 0)] }, StructLayout { name: "FramesBefore", members: &[("frames_before", 0)] }, StructLayout { name: "Push", members: &[("attachment_count", 0), ("frame_count", 4), ("sub_steps", 8)] }, StructLayout { name: "FieldTransform", members: &[("field_from_world", 0), ("world_from_field", 48), ("max_scale", 96), ("unused", 100)] }, StructLayout { name: "Transforms", members: &[("transforms", 0)] }],
};

/// `glsl/skin/adopt.comp`
// from d5c08994b4c2e642, content 18f679a0b5710a82
pub const SKIN_ADOPT_COMP: Shader = Shader {
    name: "skin/adopt.comp",
    spirv: include_bytes!("skin/adopt.comp.spv"),
    bindings: &[Binding { number: 0, name: "Source", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Positions", kind: BindingKind::StorageWrite }, Binding { number: 2, name: "PreviousPositions", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 20,
    local_size: [64, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "Push", members: &[("first_vertex", 0), ("end_vertex", 4), ("first_float", 8), ("stride_floats", 12), ("teleported", 16)] }, StructLayout { name: "Source", members: &[("source", 0)] }, StructLayout { name: "Positions", members: &[("positions", 0)] }, StructLayout { name: "PreviousPositions", members: &[("previous_positions", 0)] }],
};

/// `glsl/skin/adopt_bones.comp`
// from 333969f707c8b71a, content e163a18d3befbd46
pub const SKIN_ADOPT_BONES_COMP: Shader = Shader {
    name: "skin/adopt_bones.comp",
    spirv: include_bytes!("skin/adopt_bones.comp.spv"),
    bindings: &[Binding { number: 0, name: "Bones", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Sources", kind: BindingKind::StorageRead }, Binding { number: 2, name: "BonesFromBind", kind: BindingKind::StorageRead }, Binding { number: 3, name: "Frames", kind: BindingKind::StorageWrite }, Binding { number: 4, name: "Palette", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 8,
    local_size: [64, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "Push", members: &[("first_frame", 0), ("end_frame", 4)] }, StructLayout { name: "FrameSource", members: &[("first_float", 0), ("teleported", 4)] }, StructLayout { name: "Sources", members: &[("sources", 0)] }, StructLayout { name: "Bones", members: &[("bones", 0)] }, StructLayout { name: "Frames", members: &[("frames", 0)] }, StructLayout { name: "BonesFromBind", members: &[("bones_from_bind", 0)] }, StructLayout { name: "Palette", members: &[("world_from_bind", 0)] }],
};

/// `glsl/skin/bake.comp`
// from ad433e48604abef1, content 75d6e29f4358bf9e
pub const SKIN_BAKE_COMP: Shader = Shader {
    name: "skin/bake.comp",
    spirv: include_bytes!("skin/bake.comp.spv"),
    bindings: &[Binding { number: 0, name: "Vertices", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Palette", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Positions", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "PreviousPositions", kind: BindingKind::StorageWrite }, Binding { number: 4, name: "Normals", kind: BindingKind::StorageWrite }, Binding { number: 5, name: "Sources", kind: BindingKind::StorageRead }],
    push_constant_bytes: 12,
    local_size: [64, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "Push", members: &[("first_vertex", 0), ("end_vertex", 4), ("starts", 8)] }, StructLayout { name: "SkinVertex", members: &[("position", 0), ("normal", 12), ("joints", 24), ("weights", 40)] }, StructLayout { name: "Vertices", members: &[("vertices", 0)] }, StructLayout { name: "Palette", members: &[("world_from_bind", 0)] }, StructLayout { name: "Positions", members: &[("positions", 0)] }, StructLayout { name: "FrameSource", members: &[("first_float", 0), ("teleported", 4)] }, StructLayout { name: "Sources", members: &[("sources", 0)] }, StructLayout { name: "PreviousPositions", members: &[("previous_positions", 0)] }, StructLayout { name: "Normals", members: &[("normals", 0)] }],
};

/// `glsl/skin/wear.comp`
// from a8fbcace47adb9d8, content 29d17e599a280ee3
pub const SKIN_WEAR_COMP: Shader = Shader {
    name: "skin/wear.comp",
    spirv: include_bytes!("skin/wear.comp.spv"),
    bindings: &[Binding { number: 0, name: "Worn", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Particles", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Shown", kind: BindingKind::StorageRead }, Binding { number: 3, name: "Positions", kind: BindingKind::StorageWrite }, Binding { number: 4, name: "PreviousPositions", kind: BindingKind::StorageRead }, Binding { number: 5, name: "Starts", kind: BindingKind::StorageRead }],
    push_constant_bytes: 8,
    local_size: [64, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "Push", members: &[("first_vertex", 0), ("count", 4)] }, StructLayout { name: "Particle", members: &[("area", 0), ("attachment_compliance", 4), ("garment_ix", 8), ("clearance", 12), ("target_ix", 16), ("max_distance", 20), ("backstop_distance", 24), ("backstop_radius", 28), ("size", 32)] }, StructLayout { name: "Particles", members: &[("particles", 0)] }, StructLayout { name: "Worn", members: &[("worn_particles", 0)] }, StructLayout { name: "Shown", members: &[("shown", 0)] }, StructLayout { name: "Positions", members: &[("positions", 0)] }, StructLayout { name: "PreviousPositions", members: &[("previous_positions", 0)] }, StructLayout { name: "Starts", members: &[("starts", 0)] }],
};

/// `glsl/solid/bound.comp`
// from ca83897d54195404, content c8b58b4c4947c7a0
pub const SOLID_BOUND_COMP: Shader = Shader {
    name: "solid/bound.comp",
    spirv: include_bytes!("solid/bound.comp.spv"),
    bindings: &[Binding { number: 0, name: "Solids", kind: BindingKind::StorageRead }, Binding { number: 1, name: "SolidWords", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Transforms", kind: BindingKind::StorageRead }, Binding { number: 3, name: "FieldBounds", kind: BindingKind::StorageWrite }, Binding { number: 4, name: "BodiesOfFields", kind: BindingKind::StorageRead }, Binding { number: 5, name: "BodiesBounds", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 12,
    local_size: [32, 1, 1],
    shared_bytes: 408,
    structs: &[StructLayout { name: "BodyBounds", members: &[("low", 0), ("high", 12)] }, StructLayout { name: "BodiesBounds", members: &[("body_bounds", 0)] }, StructLayout { name: "Bounds", members: &[("low", 0), ("high", 12)] }, StructLayout { name: "FieldBounds", members: &[("field_bounds", 0)] }, StructLayout { name: "BodiesOfFields", members: &[("bodies_of_fields", 0)] }, StructLayout { name: "Push", members: &[("transform_stride", 0), ("sub_steps", 4), ("first_solid", 8)] }, StructLayout { name: "FieldTransform", members: &[("field_from_world", 0), ("world_from_field", 48), ("max_scale", 96), ("unused", 100)] }, StructLayout { name: "Transforms", members: &[("transforms", 0)] }, StructLayout { name: "SolidField", members: &[("low", 0), ("cell_size", 12), ("bricks", 16), ("first_brick", 28), ("first_corner", 32), ("first_sample", 36)] }, StructLayout { name: "Solid", members: &[("kind", 0), ("size", 4), ("field", 16), ("friction", 56), ("restitution", 60)] }, StructLayout { name: "Solids", members: &[("solids", 0)] }, StructLayout { name: "SolidWords", members: &[("solid_words", 0)] }],
};

/// `glsl/solid/collide.comp`
// from b5594a48e8065afa, content d57ac70df1403ea1
pub const SOLID_COLLIDE_COMP: Shader = Shader {
    name: "solid/collide.comp",
    spirv: include_bytes!("solid/collide.comp.spv"),
    bindings: &[Binding { number: 0, name: "Particles", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Garments", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Current", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "Predicted", kind: BindingKind::StorageWrite }, Binding { number: 4, name: "Contacts", kind: BindingKind::StorageWrite }, Binding { number: 5, name: "Transforms", kind: BindingKind::StorageRead }, Binding { number: 6, name: "FieldBounds", kind: BindingKind::StorageRead }, Binding { number: 7, name: "Candidates", kind: BindingKind::StorageRead }, Binding { number: 8, name: "Solids", kind: BindingKind::StorageRead }, Binding { number: 9, name: "SolidWords", kind: BindingKind::StorageRead }, Binding { number: 10, name: "PathStarts", kind: BindingKind::StorageRead }],
    push_constant_bytes: 40,
    local_size: [32, 1, 1],
    shared_bytes: 1668,
    structs: &[StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "PathStarts", members: &[("path_starts", 0)] }, StructLayout { name: "Push", members: &[("field_count", 0), ("sub_step_ix", 4), ("sub_steps", 8), ("path_samples", 12), ("friction_model", 16), ("goes_on", 20), ("is_reduced", 24), ("first_solid", 28), ("collision_stride", 32), ("first_layer_field", 36)] }, StructLayout { name: "FieldTransform", members: &[("field_from_world", 0), ("world_from_field", 48), ("max_scale", 96), ("unused", 100)] }, StructLayout { name: "Transforms", members: &[("transforms", 0)] }, StructLayout { name: "SolidWords", members: &[("solid_words", 0)] }, StructLayout { name: "SolidField", members: &[("low", 0), ("cell_size", 12), ("bricks", 16), ("first_brick", 28), ("first_corner", 32), ("first_sample", 36)] }, StructLayout { name: "Solid", members: &[("kind", 0), ("size", 4), ("field", 16), ("friction", 56), ("restitution", 60)] }, StructLayout { name: "Solids", members: &[("solids", 0)] }, StructLayout { name: "Bounds", members: &[("low", 0), ("high", 12)] }, StructLayout { name: "FieldBounds", members: &[("field_bounds", 0)] }, StructLayout { name: "CandidateGroup", members: &[("low", 0), ("count", 12), ("high", 16), ("first_particle", 28), ("end_particle", 32), ("range_count", 36), ("ranges", 40), ("fields", 104)] }, StructLayout { name: "Candidates", members: &[("candidate_groups", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }, StructLayout { name: "Particle", members: &[("area", 0), ("attachment_compliance", 4), ("garment_ix", 8), ("clearance", 12), ("target_ix", 16), ("max_distance", 20), ("backstop_distance", 24), ("backstop_radius", 28), ("size", 32)] }, StructLayout { name: "Particles", members: &[("particles", 0)] }, StructLayout { name: "Contacts", members: &[("contacts", 0)] }, StructLayout { name: "GarmentSettings", members: &[("compliance", 0), ("density", 16), ("strain_limit", 20), ("damping", 24), ("drag", 28), ("friction", 32), ("thickness", 36), ("tethered", 40), ("motion_scale", 44), ("stride", 48), ("last_sub_step", 52), ("is_asleep", 56), ("first_beneath", 60), ("end_beneath", 64)] }, StructLayout { name: "Garments", members: &[("garments", 0)] }],
};

/// `glsl/solid/collide_edges.comp`
// from 19dab568ea7713a3, content 97ef0bf18410fd46
pub const SOLID_COLLIDE_EDGES_COMP: Shader = Shader {
    name: "solid/collide_edges.comp",
    spirv: include_bytes!("solid/collide_edges.comp.spv"),
    bindings: &[Binding { number: 0, name: "Particles", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Garments", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Before", kind: BindingKind::StorageRead }, Binding { number: 3, name: "After", kind: BindingKind::StorageWrite }, Binding { number: 4, name: "Current", kind: BindingKind::StorageRead }, Binding { number: 5, name: "CurrentAfter", kind: BindingKind::StorageWrite }, Binding { number: 6, name: "Offsets", kind: BindingKind::StorageRead }, Binding { number: 7, name: "Neighbours", kind: BindingKind::StorageRead }, Binding { number: 8, name: "Transforms", kind: BindingKind::StorageRead }, Binding { number: 9, name: "FieldBounds", kind: BindingKind::StorageRead }, Binding { number: 10, name: "Candidates", kind: BindingKind::StorageRead }, Binding { number: 11, name: "Solids", kind: BindingKind::StorageRead }, Binding { number: 12, name: "SolidWords", kind: BindingKind::StorageRead }, Binding { number: 13, name: "CornerOffsets", kind: BindingKind::StorageRead }, Binding { number: 14, name: "Corners", kind: BindingKind::StorageRead }],
    push_constant_bytes: 28,
    local_size: [64, 1, 1],
    shared_bytes: 4160,
    structs: &[StructLayout { name: "Push", members: &[("field_count", 0), ("sub_step_ix", 4), ("sub_steps", 8), ("first_solid", 12), ("friction_model", 16), ("is_reduced", 20), ("first_layer_field", 24)] }, StructLayout { name: "Bounds", members: &[("low", 0), ("high", 12)] }, StructLayout { name: "FieldBounds", members: &[("field_bounds", 0)] }, StructLayout { name: "CandidateGroup", members: &[("low", 0), ("count", 12), ("high", 16), ("first_particle", 28), ("end_particle", 32), ("range_count", 36), ("ranges", 40), ("fields", 104)] }, StructLayout { name: "Candidates", members: &[("candidate_groups", 0)] }, StructLayout { name: "Before", members: &[("before", 0)] }, StructLayout { name: "Neighbours", members: &[("neighbours", 0)] }, StructLayout { name: "Offsets", members: &[("neighbour_offsets", 0)] }, StructLayout { name: "CurrentAfter", members: &[("current_after", 0)] }, StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "After", members: &[("after", 0)] }, StructLayout { name: "Particle", members: &[("area", 0), ("attachment_compliance", 4), ("garment_ix", 8), ("clearance", 12), ("target_ix", 16), ("max_distance", 20), ("backstop_distance", 24), ("backstop_radius", 28), ("size", 32)] }, StructLayout { name: "Particles", members: &[("particles", 0)] }, StructLayout { name: "GarmentSettings", members: &[("compliance", 0), ("density", 16), ("strain_limit", 20), ("damping", 24), ("drag", 28), ("friction", 32), ("thickness", 36), ("tethered", 40), ("motion_scale", 44), ("stride", 48), ("last_sub_step", 52), ("is_asleep", 56), ("first_beneath", 60), ("end_beneath", 64)] }, StructLayout { name: "Garments", members: &[("garments", 0)] }, StructLayout { name: "SolidWords", members: &[("solid_words", 0)] }, StructLayout { name: "FieldTransform", members: &[("field_from_world", 0), ("world_from_field", 48), ("max_scale", 96), ("unused", 100)] }, StructLayout { name: "Transforms", members: &[("transforms", 0)] }, StructLayout { name: "SolidField", members: &[("low", 0), ("cell_size", 12), ("bricks", 16), ("first_brick", 28), ("first_corner", 32), ("first_sample", 36)] }, StructLayout { name: "Solid", members: &[("kind", 0), ("size", 4), ("field", 16), ("friction", 56), ("restitution", 60)] }, StructLayout { name: "Solids", members: &[("solids", 0)] }, StructLayout { name: "CornerOffsets", members: &[("corner_offsets", 0)] }, StructLayout { name: "Corners", members: &[("corners", 0)] }],
};

/// `glsl/solid/corners.comp`
// from 3c871545ae8b188b, content ae717e46d323c980
pub const SOLID_CORNERS_COMP: Shader = Shader {
    name: "solid/corners.comp",
    spirv: include_bytes!("solid/corners.comp.spv"),
    bindings: &[Binding { number: 0, name: "Positions", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Triangles", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Nodes", kind: BindingKind::StorageRead }, Binding { number: 3, name: "Numbers", kind: BindingKind::StorageRead }, Binding { number: 4, name: "Normals", kind: BindingKind::StorageRead }, Binding { number: 5, name: "Sides", kind: BindingKind::StorageRead }, Binding { number: 6, name: "Words", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 64,
    local_size: [64, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "Push", members: &[("first", 0), ("count", 4), ("first_number", 8), ("number_count", 12), ("bricks", 16), ("first_brick", 28), ("first_corner", 32), ("first_sample", 36), ("node_count", 40), ("brick_count", 44), ("vertex_count", 48), ("cell_size", 52), ("rule", 56), ("envelope", 60)] }, StructLayout { name: "Positions", members: &[("positions", 0)] }, StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "FlatNode", members: &[("low", 0), ("next", 12), ("high", 16), ("triangles", 28)] }, StructLayout { name: "Nodes", members: &[("nodes", 0)] }, StructLayout { name: "Numbers", members: &[("numbers", 0)] }, StructLayout { name: "Sides", members: &[("sides", 0)] }, StructLayout { name: "Normals", members: &[("normals", 0)] }, StructLayout { name: "Words", members: &[("words", 0)] }],
};

/// `glsl/solid/finish.comp`
// from beb74de00166add0, content 52bb2e19cccff8ad
pub const SOLID_FINISH_COMP: Shader = Shader {
    name: "solid/finish.comp",
    spirv: include_bytes!("solid/finish.comp.spv"),
    bindings: &[Binding { number: 0, name: "Positions", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Triangles", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Normals", kind: BindingKind::StorageRead }, Binding { number: 3, name: "Sides", kind: BindingKind::StorageRead }, Binding { number: 4, name: "Places", kind: BindingKind::StorageRead }, Binding { number: 5, name: "Distances", kind: BindingKind::StorageRead }, Binding { number: 6, name: "Owners", kind: BindingKind::StorageRead }, Binding { number: 7, name: "Words", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 64,
    local_size: [64, 1, 1],
    shared_bytes: 2056,
    structs: &[StructLayout { name: "Push", members: &[("first", 0), ("count", 4), ("first_number", 8), ("number_count", 12), ("bricks", 16), ("first_brick", 28), ("first_corner", 32), ("first_sample", 36), ("node_count", 40), ("brick_count", 44), ("vertex_count", 48), ("cell_size", 52), ("rule", 56), ("envelope", 60)] }, StructLayout { name: "Positions", members: &[("positions", 0)] }, StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "Sides", members: &[("sides", 0)] }, StructLayout { name: "Normals", members: &[("normals", 0)] }, StructLayout { name: "Owners", members: &[("owners", 0)] }, StructLayout { name: "Distances", members: &[("distances", 0)] }, StructLayout { name: "Words", members: &[("words", 0)] }, StructLayout { name: "Places", members: &[("places", 0)] }],
};

/// `glsl/solid/query.comp`
// from f9bcfe91a96a332e, content 3b88891c2237da9a
pub const SOLID_QUERY_COMP: Shader = Shader {
    name: "solid/query.comp",
    spirv: include_bytes!("solid/query.comp.spv"),
    bindings: &[Binding { number: 0, name: "SolidFields", kind: BindingKind::StorageRead }, Binding { number: 1, name: "SolidWords", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Points", kind: BindingKind::StorageRead }, Binding { number: 3, name: "Answers", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 8,
    local_size: [64, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "SolidWords", members: &[("solid_words", 0)] }, StructLayout { name: "Push", members: &[("field_ix", 0), ("point_count", 4)] }, StructLayout { name: "SolidField", members: &[("low", 0), ("cell_size", 12), ("bricks", 16), ("first_brick", 28), ("first_corner", 32), ("first_sample", 36)] }, StructLayout { name: "SolidFields", members: &[("solid_fields", 0)] }, StructLayout { name: "Points", members: &[("points", 0)] }, StructLayout { name: "Answers", members: &[("answers", 0)] }],
};

/// `glsl/solid/search.comp`
// from e3a04deeeb47d0e4, content 059105bf59ca8dab
pub const SOLID_SEARCH_COMP: Shader = Shader {
    name: "solid/search.comp",
    spirv: include_bytes!("solid/search.comp.spv"),
    bindings: &[Binding { number: 0, name: "Positions", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Triangles", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Nodes", kind: BindingKind::StorageRead }, Binding { number: 3, name: "Numbers", kind: BindingKind::StorageRead }, Binding { number: 4, name: "Places", kind: BindingKind::StorageRead }, Binding { number: 5, name: "Distances", kind: BindingKind::StorageWrite }, Binding { number: 6, name: "Owners", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 64,
    local_size: [64, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "Positions", members: &[("positions", 0)] }, StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "FlatNode", members: &[("low", 0), ("next", 12), ("high", 16), ("triangles", 28)] }, StructLayout { name: "Nodes", members: &[("nodes", 0)] }, StructLayout { name: "Numbers", members: &[("numbers", 0)] }, StructLayout { name: "Push", members: &[("first", 0), ("count", 4), ("first_number", 8), ("number_count", 12), ("bricks", 16), ("first_brick", 28), ("first_corner", 32), ("first_sample", 36), ("node_count", 40), ("brick_count", 44), ("vertex_count", 48), ("cell_size", 52), ("rule", 56), ("envelope", 60)] }, StructLayout { name: "Places", members: &[("places", 0)] }, StructLayout { name: "Distances", members: &[("distances", 0)] }, StructLayout { name: "Owners", members: &[("owners", 0)] }],
};

/// `glsl/solid/splat.comp`
// from 96974cc8a3105fb2, content 53e8b681fdfb5a74
pub const SOLID_SPLAT_COMP: Shader = Shader {
    name: "solid/splat.comp",
    spirv: include_bytes!("solid/splat.comp.spv"),
    bindings: &[Binding { number: 0, name: "Positions", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Triangles", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Words", kind: BindingKind::StorageRead }, Binding { number: 3, name: "Distances", kind: BindingKind::StorageWrite }, Binding { number: 4, name: "Owners", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 64,
    local_size: [64, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "Push", members: &[("first", 0), ("count", 4), ("first_number", 8), ("number_count", 12), ("bricks", 16), ("first_brick", 28), ("first_corner", 32), ("first_sample", 36), ("node_count", 40), ("brick_count", 44), ("vertex_count", 48), ("cell_size", 52), ("rule", 56), ("envelope", 60)] }, StructLayout { name: "Positions", members: &[("positions", 0)] }, StructLayout { name: "Triangles", members: &[("triangles", 0)] }, StructLayout { name: "Distances", members: &[("distances", 0)] }, StructLayout { name: "Owners", members: &[("owners", 0)] }, StructLayout { name: "Words", members: &[("words", 0)] }],
};

/// `glsl/spatial_hash/collide.comp`
// from 5e57ed5ccf8f908b, content 3394f84b312c083f
pub const SPATIAL_HASH_COLLIDE_COMP: Shader = Shader {
    name: "spatial_hash/collide.comp",
    spirv: include_bytes!("spatial_hash/collide.comp.spv"),
    bindings: &[Binding { number: 0, name: "Particles", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Garments", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Current", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "Predicted", kind: BindingKind::StorageWrite }, Binding { number: 4, name: "Contacts", kind: BindingKind::StorageWrite }, Binding { number: 5, name: "SkinTriangles", kind: BindingKind::StorageRead }, Binding { number: 6, name: "SkinBefore", kind: BindingKind::StorageRead }, Binding { number: 7, name: "SkinAfter", kind: BindingKind::StorageRead }, Binding { number: 8, name: "Rings", kind: BindingKind::StorageRead }, Binding { number: 9, name: "RingCorners", kind: BindingKind::StorageRead }, Binding { number: 10, name: "Stamps", kind: BindingKind::StorageRead }, Binding { number: 11, name: "ListsLow", kind: BindingKind::StorageRead }, Binding { number: 12, name: "ListsHigh", kind: BindingKind::StorageRead }, Binding { number: 13, name: "BlockStamps", kind: BindingKind::StorageRead }, Binding { number: 14, name: "PathStarts", kind: BindingKind::StorageRead }],
    push_constant_bytes: 60,
    local_size: [64, 1, 1],
    shared_bytes: 4116,
    structs: &[StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "PathStarts", members: &[("path_starts", 0)] }, StructLayout { name: "SkinBefore", members: &[("skin_before", 0)] }, StructLayout { name: "SkinAfter", members: &[("skin_after", 0)] }, StructLayout { name: "SkinTriangle", members: &[("vertices", 0), ("neighbours", 12)] }, StructLayout { name: "SkinTriangles", members: &[("skin_triangles", 0)] }, StructLayout { name: "Push", members: &[("particle_count", 0), ("friction_model", 4), ("first_collision", 8), ("is_reduced", 12), ("since", 16), ("part_before", 20), ("part_after", 24), ("search_radius", 28), ("cell_size", 32), ("entry_count", 36), ("row", 40), ("column", 44), ("generation", 48), ("triangle_bits", 52), ("half_list", 56)] }, StructLayout { name: "Rings", members: &[("rings", 0)] }, StructLayout { name: "RingCorners", members: &[("ring_corners", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }, StructLayout { name: "Contacts", members: &[("contacts", 0)] }, StructLayout { name: "GarmentSettings", members: &[("compliance", 0), ("density", 16), ("strain_limit", 20), ("damping", 24), ("drag", 28), ("friction", 32), ("thickness", 36), ("tethered", 40), ("motion_scale", 44), ("stride", 48), ("last_sub_step", 52), ("is_asleep", 56), ("first_beneath", 60), ("end_beneath", 64)] }, StructLayout { name: "Garments", members: &[("garments", 0)] }, StructLayout { name: "Particle", members: &[("area", 0), ("attachment_compliance", 4), ("garment_ix", 8), ("clearance", 12), ("target_ix", 16), ("max_distance", 20), ("backstop_distance", 24), ("backstop_radius", 28), ("size", 32)] }, StructLayout { name: "Particles", members: &[("particles", 0)] }, StructLayout { name: "ListsLow", members: &[("lists_low", 0)] }, StructLayout { name: "ListsHigh", members: &[("lists_high", 0)] }, StructLayout { name: "BlockStamps", members: &[("block_stamps", 0)] }, StructLayout { name: "Stamps", members: &[("stamps", 0)] }],
};

/// `glsl/spatial_hash/show_cells.vert`
// from cc835710c6dbbee2, content 65fed49d68366d33
pub const SPATIAL_HASH_SHOW_CELLS_VERT: Shader = Shader {
    name: "spatial_hash/show_cells.vert",
    spirv: include_bytes!("spatial_hash/show_cells.vert.spv"),
    bindings: &[Binding { number: 0, name: "Views", kind: BindingKind::StorageRead }, Binding { number: 1, name: "SkinTriangles", kind: BindingKind::StorageRead }, Binding { number: 2, name: "SkinAfter", kind: BindingKind::StorageRead }, Binding { number: 3, name: "ListsLow", kind: BindingKind::StorageRead }, Binding { number: 4, name: "ListsHigh", kind: BindingKind::StorageRead }],
    push_constant_bytes: 28,
    local_size: [1, 1, 1],
    shared_bytes: 0,
    structs: &[StructLayout { name: "Push", members: &[("cell_size", 0), ("entry_count", 4), ("row", 8), ("column", 12), ("generation", 16), ("triangle_bits", 20), ("half_list", 24)] }, StructLayout { name: "ListsLow", members: &[("lists_low", 0)] }, StructLayout { name: "ListsHigh", members: &[("lists_high", 0)] }, StructLayout { name: "SkinTriangle", members: &[("vertices", 0), ("neighbours", 12)] }, StructLayout { name: "SkinTriangles", members: &[("skin_triangles", 0)] }, StructLayout { name: "SkinAfter", members: &[("skin_after", 0)] }, StructLayout { name: "View", members: &[("clip_from_world", 0), ("key_from_world", 64), ("sky_from_world", 112), ("eye", 160), ("alpha", 172), ("to_key", 176), ("exposure", 188), ("right", 192), ("ground_height", 204), ("target", 208), ("ground_fade", 220), ("key_size", 224), ("key_texel", 236), ("sky_size", 240), ("unused", 252), ("pixels", 256), ("pixel_offset", 264)] }, StructLayout { name: "Views", members: &[("view", 0)] }],
};

/// `glsl/spatial_hash/voxelise.comp`
// from 3c17a0afe849fba2, content 3db5b5de58cb0b71
pub const SPATIAL_HASH_VOXELISE_COMP: Shader = Shader {
    name: "spatial_hash/voxelise.comp",
    spirv: include_bytes!("spatial_hash/voxelise.comp.spv"),
    bindings: &[Binding { number: 0, name: "SkinTriangles", kind: BindingKind::StorageRead }, Binding { number: 1, name: "SkinBefore", kind: BindingKind::StorageRead }, Binding { number: 2, name: "SkinAfter", kind: BindingKind::StorageRead }, Binding { number: 3, name: "Stamps", kind: BindingKind::StorageWrite }, Binding { number: 4, name: "ListsLow", kind: BindingKind::StorageWrite }, Binding { number: 5, name: "ListsHigh", kind: BindingKind::StorageWrite }, Binding { number: 6, name: "BlockStamps", kind: BindingKind::StorageWrite }, Binding { number: 7, name: "Counters", kind: BindingKind::StorageWrite }],
    push_constant_bytes: 36,
    local_size: [64, 1, 1],
    shared_bytes: 1216,
    structs: &[StructLayout { name: "Push", members: &[("triangle_count", 0), ("part", 4), ("cell_size", 8), ("entry_count", 12), ("row", 16), ("column", 20), ("generation", 24), ("triangle_bits", 28), ("half_list", 32)] }, StructLayout { name: "ListsLow", members: &[("lists_low", 0)] }, StructLayout { name: "ListsHigh", members: &[("lists_high", 0)] }, StructLayout { name: "Stamps", members: &[("stamps", 0)] }, StructLayout { name: "Counters", members: &[("overflow_count", 0)] }, StructLayout { name: "SkinTriangle", members: &[("vertices", 0), ("neighbours", 12)] }, StructLayout { name: "SkinTriangles", members: &[("skin_triangles", 0)] }, StructLayout { name: "SkinBefore", members: &[("skin_before", 0)] }, StructLayout { name: "SkinAfter", members: &[("skin_after", 0)] }, StructLayout { name: "BlockStamps", members: &[("block_stamps", 0)] }],
};

/// `glsl/wide_bvh/collide.comp`
// from ec9712162b3f83c0, content 543a7202cf0b8789
pub const WIDE_BVH_COLLIDE_COMP: Shader = Shader {
    name: "wide_bvh/collide.comp",
    spirv: include_bytes!("wide_bvh/collide.comp.spv"),
    bindings: &[Binding { number: 0, name: "Particles", kind: BindingKind::StorageRead }, Binding { number: 1, name: "Garments", kind: BindingKind::StorageRead }, Binding { number: 2, name: "Current", kind: BindingKind::StorageWrite }, Binding { number: 3, name: "Predicted", kind: BindingKind::StorageWrite }, Binding { number: 4, name: "Contacts", kind: BindingKind::StorageWrite }, Binding { number: 5, name: "SkinTriangles", kind: BindingKind::StorageRead }, Binding { number: 6, name: "SkinBefore", kind: BindingKind::StorageRead }, Binding { number: 7, name: "SkinAfter", kind: BindingKind::StorageRead }, Binding { number: 8, name: "Rings", kind: BindingKind::StorageRead }, Binding { number: 9, name: "RingCorners", kind: BindingKind::StorageRead }, Binding { number: 10, name: "Nodes", kind: BindingKind::StorageRead }, Binding { number: 11, name: "NearestTriangles", kind: BindingKind::StorageWrite }, Binding { number: 12, name: "PathStarts", kind: BindingKind::StorageRead }],
    push_constant_bytes: 32,
    local_size: [32, 1, 1],
    shared_bytes: 3536,
    structs: &[StructLayout { name: "Current", members: &[("current", 0)] }, StructLayout { name: "PathStarts", members: &[("path_starts", 0)] }, StructLayout { name: "SkinBefore", members: &[("skin_before", 0)] }, StructLayout { name: "SkinAfter", members: &[("skin_after", 0)] }, StructLayout { name: "SkinTriangle", members: &[("vertices", 0), ("neighbours", 12)] }, StructLayout { name: "SkinTriangles", members: &[("skin_triangles", 0)] }, StructLayout { name: "Push", members: &[("particle_count", 0), ("friction_model", 4), ("first_collision", 8), ("is_reduced", 12), ("since", 16), ("part_before", 20), ("part_after", 24), ("search_radius", 28)] }, StructLayout { name: "Rings", members: &[("rings", 0)] }, StructLayout { name: "RingCorners", members: &[("ring_corners", 0)] }, StructLayout { name: "Predicted", members: &[("predicted", 0)] }, StructLayout { name: "Contacts", members: &[("contacts", 0)] }, StructLayout { name: "GarmentSettings", members: &[("compliance", 0), ("density", 16), ("strain_limit", 20), ("damping", 24), ("drag", 28), ("friction", 32), ("thickness", 36), ("tethered", 40), ("motion_scale", 44), ("stride", 48), ("last_sub_step", 52), ("is_asleep", 56), ("first_beneath", 60), ("end_beneath", 64)] }, StructLayout { name: "Garments", members: &[("garments", 0)] }, StructLayout { name: "Particle", members: &[("area", 0), ("attachment_compliance", 4), ("garment_ix", 8), ("clearance", 12), ("target_ix", 16), ("max_distance", 20), ("backstop_distance", 24), ("backstop_radius", 28), ("size", 32)] }, StructLayout { name: "Particles", members: &[("particles", 0)] }, StructLayout { name: "Nodes", members: &[("node_halves", 0)] }, StructLayout { name: "NearestTriangles", members: &[("nearest_triangles", 0)] }],
};

/// Every shader of the library.
pub const ALL: &[&Shader] = &[
    &BVH_DESCEND_COMP,
    &BVH_LEAVES_COMP,
    &BVH_RESPOND_COMP,
    &BVH_SEED_COMP,
    &BVH_SELECT_COMP,
    &CLOTH_CONTACT_APPLY_COMP,
    &CLOTH_CONTACT_BOUND_COMP,
    &CLOTH_CONTACT_BOUND_BLOCKS_COMP,
    &CLOTH_CONTACT_FIND_COMP,
    &CLOTH_CONTACT_LIMIT_COMP,
    &CLOTH_CONTACT_LIST_COMP,
    &CLOTH_CONTACT_PAIRS_COMP,
    &CLOTH_CONTACT_RESOLVE_COMP,
    &CLOTH_CONTACT_TEST_COMP,
    &CLOTH_CONTACT_TILE_PAIRS_COMP,
    &CLOTH_FINISH_COMP,
    &CLOTH_LIMIT_STRAIN_COMP,
    &CLOTH_PREDICT_COMP,
    &CLOTH_SLEEP_COMP,
    &CLOTH_SLEEP_MEASURE_COMP,
    &CLOTH_SLEEP_MOTION_COMP,
    &CLOTH_SOLVE_COMP,
    &DISTANCE_FIELD_BOUND_COMP,
    &DISTANCE_FIELD_COLLIDE_COMP,
    &DISTANCE_FIELD_SHOW_SLICE_VERT,
    &DISTANCE_FIELD_UPDATE_COMP,
    &LBVH_COLLIDE_COMP,
    &OVERLAY_PANELS_FRAG,
    &OVERLAY_PANELS_VERT,
    &RADIAL_BOUND_COMP,
    &RADIAL_COLLIDE_COMP,
    &RADIAL_COLLIDE_EDGES_COMP,
    &RADIAL_RASTERISE_COMP,
    &RADIAL_RASTERISE_FRAG,
    &RADIAL_RASTERISE_VERT,
    &RADIAL_SHOW_CYLINDERS_VERT,
    &RADIAL_SHOW_SURFACE_VERT,
    &RENDER_BACKDROP_FRAG,
    &RENDER_BACKDROP_VERT,
    &RENDER_BODY_FRAG,
    &RENDER_BODY_VERT,
    &RENDER_CLOTH_FRAG,
    &RENDER_CLOTH_VERT,
    &RENDER_CLOTH_RIM_VERT,
    &RENDER_CONTACTS_VERT,
    &RENDER_DIFFERENCE_FRAG,
    &RENDER_FLAT_FRAG,
    &RENDER_GROUND_FRAG,
    &RENDER_GROUND_VERT,
    &RENDER_SHADOW_BODY_VERT,
    &RENDER_SHADOW_CLOTH_VERT,
    &RENDER_SHADOW_CUT_FRAG,
    &RENDER_SHADOW_CUT_BODY_VERT,
    &RENDER_SHADOW_CUT_CLOTH_VERT,
    &RENDER_SHADOW_SOLID_VERT,
    &RENDER_SHOW_SURFACE_FRAG,
    &RENDER_SOLID_FRAG,
    &RENDER_SOLID_VERT,
    &SHARED_FIND_CANDIDATES_COMP,
    &SHARED_REFIT_COMP,
    &SHARED_SHOW_BOXES_VERT,
    &SHARED_SUB_STEP_TRANSFORMS_COMP,
    &SKIN_ADOPT_COMP,
    &SKIN_ADOPT_BONES_COMP,
    &SKIN_BAKE_COMP,
    &SKIN_WEAR_COMP,
    &SOLID_BOUND_COMP,
    &SOLID_COLLIDE_COMP,
    &SOLID_COLLIDE_EDGES_COMP,
    &SOLID_CORNERS_COMP,
    &SOLID_FINISH_COMP,
    &SOLID_QUERY_COMP,
    &SOLID_SEARCH_COMP,
    &SOLID_SPLAT_COMP,
    &SPATIAL_HASH_COLLIDE_COMP,
    &SPATIAL_HASH_SHOW_CELLS_VERT,
    &SPATIAL_HASH_VOXELISE_COMP,
    &WIDE_BVH_COLLIDE_COMP,
];
