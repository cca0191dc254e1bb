//! The comparisons, each of which some mistakes must make fail.

use std::sync::Arc;

use radial_fields::engine::Device;

use crate::{
    bake, bones, boxes, cloth, cloth_contacts, collide, contact_candidates, contact_crossings,
    detail, distance_field, edges, end_of_step, layer_fields, sleep, slope, solid, solid_response,
    solids, transforms, triangles, update,
};

/// A comparison that the library's own shaders pass.
#[derive(Clone, Copy)]
pub struct Guard {
    pub name: &'static str,
    pub check: fn(&Arc<Device>) -> Result<(), String>,
}

pub const BAKE: Guard = guard("bake::odd_bones", bake::odd_bones);
pub const BONES: Guard = guard("bones::taken_over", bones::taken_over);
pub const BROKEN_BONES: Guard = guard("bones::healed", bones::healed);
pub const LAYER_SKIN: Guard = guard("layer_fields::lies_as_skin", layer_fields::lies_as_skin);
pub const LAYER_FIELDS: Guard = guard(
    "layer_fields::met_by_nobody_else",
    layer_fields::met_by_nobody_else,
);
pub const BENEATH: Guard = guard("layer_fields::brings_out", layer_fields::brings_out);
pub const TRANSFORMS: Guard = guard("transforms::of_odd_bones", transforms::of_odd_bones);
pub const UPDATE: Guard = guard("update::columns", update::columns);
pub const IN_PART: Guard = guard("update::drawn_in_part", update::drawn_in_part);
pub const BORROWED: Guard = guard("update::mannequin", update::mannequin);
pub const FINE: Guard = guard("update::fine_cells", update::fine_cells);
pub const SLIPPED: Guard = guard("update::slipped_skin", update::slipped_skin);
pub const COLLIDE: Guard = guard("collide::round_a_column", collide::round_a_column);
pub const CROWDED: Guard = guard("collide::round_the_mannequin", collide::round_the_mannequin);
pub const MANY: Guard = guard(
    "collide::many_round_the_mannequin",
    collide::many_round_the_mannequin,
);
pub const PAPER: Guard = guard(
    "collide::with_the_papers_friction",
    collide::with_the_papers_friction,
);
pub const BY_THE_PAPER: Guard = guard("collide::by_the_paper", collide::by_the_paper);
pub const SLIPPED_BY_THE_PAPER: Guard =
    guard("update::slipped_by_the_paper", update::slipped_by_the_paper);
pub const MARCH: Guard = guard("collide::marching", collide::marching);
pub const SWEPT: Guard = guard("collide::swept", collide::swept);
pub const EDGES: Guard = guard("edges::on_a_column", edges::on_a_column);
pub const EDGE_CONTACTS: Guard = guard("edges::leave_contacts", edges::leave_contacts);
pub const END_OF_STEP: Guard = guard("end_of_step::puts_outside", end_of_step::puts_outside);
pub const OVER_CORNERS: Guard = guard("solids::over_corners", solids::over_corners);
pub const GRIDS: Guard = guard("distance_field::on_a_column", distance_field::on_a_column);
pub const CROWDED_GRIDS: Guard = guard(
    "distance_field::on_the_mannequin",
    distance_field::on_the_mannequin,
);
pub const CROSSED: Guard = guard("contact_crossings::found", contact_crossings::found);
pub const HASH: Guard = guard(
    "triangles::hash_round_a_column",
    triangles::hash_round_a_column,
);
pub const BVH: Guard = guard(
    "triangles::bvh_round_a_column",
    triangles::bvh_round_a_column,
);
pub const LBVH: Guard = guard(
    "triangles::lbvh_round_a_column",
    triangles::lbvh_round_a_column,
);
pub const WIDE_BVH: Guard = guard(
    "triangles::wide_bvh_round_a_column",
    triangles::wide_bvh_round_a_column,
);
pub const HALVED: Guard = guard("detail::halved", detail::halved);
pub const MIXED: Guard = guard("detail::mixed", detail::mixed);
pub const BOXES: Guard = guard("boxes::of_a_column", boxes::of_a_column);
pub const CLOTH: Guard = guard("cloth::stiff", cloth::stiff);
pub const SOFT: Guard = guard("cloth::soft", cloth::soft);
pub const PIECES: Guard = guard("cloth::pieces", cloth::pieces);
pub const CONSTRAINED: Guard = guard("cloth::constrained", cloth::constrained);
pub const GROUNDED: Guard = guard("cloth::grounded", cloth::grounded);
pub const BRUSHED: Guard = guard("cloth::brushed", cloth::brushed);
pub const DRAPED: Guard = guard("cloth::draped", cloth::draped);
pub const CONTACTS: Guard = guard(
    "cloth_contacts::with_the_twin",
    cloth_contacts::with_the_twin,
);
pub const LAYERED: Guard = guard(
    "cloth_contacts::layers_with_the_twin",
    cloth_contacts::layers_with_the_twin,
);
pub const SHORT_STEPS: Guard = guard(
    "cloth_contacts::short_steps_with_the_twin",
    cloth_contacts::short_steps_with_the_twin,
);
pub const FALLING_FAR: Guard = guard("cloth_contacts::fall_far", cloth_contacts::fall_far);
pub const LAYERS: Guard = guard("cloth_contacts::in_layers", cloth_contacts::in_layers);
pub const CLOUDS: Guard = guard(
    "contact_candidates::of_clouds",
    contact_candidates::of_clouds,
);
pub const SWELLING: Guard = guard(
    "contact_candidates::of_swelling_clouds",
    contact_candidates::of_swelling_clouds,
);
pub const LARGE: Guard = guard(
    "contact_candidates::of_a_large_world",
    contact_candidates::of_a_large_world,
);
pub const SMALL_MOTIONS: Guard = guard("sleep::small_motions", sleep::small_motions);
pub const NEIGHBOURS: Guard = guard("sleep::neighbours", sleep::neighbours);
pub const HOST_CHANGES: Guard = guard("sleep::host_changes", sleep::host_changes);
pub const ON_SLEEPING: Guard = guard("sleep::falls_on_sleeping", sleep::falls_on_sleeping);
pub const CLOTH_ON_SLOPE: Guard = guard("slope::sticks_to_cloth", slope::sticks_to_cloth);
pub const SLIVERS: Guard = guard(
    "contact_candidates::of_slivers",
    contact_candidates::of_slivers,
);
pub const AMONG_SOLIDS: Guard = guard("solids::among_solids", solids::among_solids);
pub const FUHRMANN: Guard = guard(
    "collide::with_fuhrmanns_frictions",
    collide::with_fuhrmanns_frictions,
);
pub const LAID: Guard = guard("cloth::laid", cloth::laid);
pub const USED_ONCE: Guard = guard(
    "solid_response::friction_is_used_once",
    solid_response::friction_is_used_once,
);
pub const PINCHED: Guard = guard(
    "solid_response::a_pinch_holds_nothing",
    solid_response::a_pinch_holds_nothing,
);
pub const SOLID: Guard = guard("solid::query::of_two_fields", solid::query::of_two_fields);
pub const SPIKE: Guard = guard("solid::fill::of_a_spike", solid::fill::of_a_spike);
pub const BY_FACES: Guard = guard("solid::fill::by_faces", solid::fill::by_faces);

const fn guard(name: &'static str, check: fn(&Arc<Device>) -> Result<(), String>) -> Guard {
    Guard { name, check }
}
