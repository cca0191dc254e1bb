//! The mistakes, and which comparison must notice each.

use std::sync::Arc;

use radial_fields::engine::Device;

use crate::{
    bake, bones, boxes, cloth, cloth_contacts, collide, contact_candidates, detail, distance_field,
    edges, solid, solid_response, solids, transforms, triangles, update,
};

/// A comparison that the library's own shaders pass.
#[derive(Clone, Copy)]
pub struct Guard {
    pub name: &'static str,
    pub check: fn(&Arc<Device>) -> Result<(), String>,
}

const BAKE: Guard = guard("bake::odd_bones", bake::odd_bones);
const BONES: Guard = guard("bones::taken_over", bones::taken_over);
const TRANSFORMS: Guard = guard("transforms::of_odd_bones", transforms::of_odd_bones);
const UPDATE: Guard = guard("update::columns", update::columns);
const BORROWED: Guard = guard("update::mannequin", update::mannequin);
const SLIPPED: Guard = guard("update::slipped_skin", update::slipped_skin);
const COLLIDE: Guard = guard("collide::round_a_column", collide::round_a_column);
const CROWDED: Guard = guard("collide::round_the_mannequin", collide::round_the_mannequin);
const PAPER: Guard = guard(
    "collide::with_the_papers_friction",
    collide::with_the_papers_friction,
);
const BY_THE_PAPER: Guard = guard("collide::by_the_paper", collide::by_the_paper);
const SLIPPED_BY_THE_PAPER: Guard =
    guard("update::slipped_by_the_paper", update::slipped_by_the_paper);
const MARCH: Guard = guard("collide::marching", collide::marching);
const SWEPT: Guard = guard("collide::swept", collide::swept);
const EDGES: Guard = guard("edges::on_a_column", edges::on_a_column);
const OVER_CORNERS: Guard = guard("solids::over_corners", solids::over_corners);
const GRIDS: Guard = guard("distance_field::on_a_column", distance_field::on_a_column);
const CROWDED_GRIDS: Guard = guard(
    "distance_field::on_the_mannequin",
    distance_field::on_the_mannequin,
);
const HASH: Guard = guard(
    "triangles::hash_round_a_column",
    triangles::hash_round_a_column,
);
const BVH: Guard = guard(
    "triangles::bvh_round_a_column",
    triangles::bvh_round_a_column,
);
const LBVH: Guard = guard(
    "triangles::lbvh_round_a_column",
    triangles::lbvh_round_a_column,
);
const HALVED: Guard = guard("detail::halved", detail::halved);
const BOXES: Guard = guard("boxes::of_a_column", boxes::of_a_column);
pub const CLOTH: Guard = guard("cloth::stiff", cloth::stiff);
const SOFT: Guard = guard("cloth::soft", cloth::soft);
const PIECES: Guard = guard("cloth::pieces", cloth::pieces);
const CONSTRAINED: Guard = guard("cloth::constrained", cloth::constrained);
const GROUNDED: Guard = guard("cloth::grounded", cloth::grounded);
const BRUSHED: Guard = guard("cloth::brushed", cloth::brushed);
const DRAPED: Guard = guard("cloth::draped", cloth::draped);

const CONTACTS: Guard = guard(
    "cloth_contacts::with_the_twin",
    cloth_contacts::with_the_twin,
);
const LAYERS: Guard = guard("cloth_contacts::in_layers", cloth_contacts::in_layers);
const CLOUDS: Guard = guard(
    "contact_candidates::of_clouds",
    contact_candidates::of_clouds,
);
const LARGE: Guard = guard(
    "contact_candidates::of_a_large_world",
    contact_candidates::of_a_large_world,
);
const AMONG_SOLIDS: Guard = guard("solids::among_solids", solids::among_solids);
const FUHRMANN: Guard = guard(
    "collide::with_fuhrmanns_frictions",
    collide::with_fuhrmanns_frictions,
);
const LAID: Guard = guard("cloth::laid", cloth::laid);
const USED_ONCE: Guard = guard(
    "solid_response::friction_is_used_once",
    solid_response::friction_is_used_once,
);
const PINCHED: Guard = guard(
    "solid_response::a_pinch_holds_nothing",
    solid_response::a_pinch_holds_nothing,
);
const SOLID: Guard = guard("solid::query::of_two_fields", solid::query::of_two_fields);

const SPIKE: Guard = guard("solid::fill::of_a_spike", solid::fill::of_a_spike);
const BY_FACES: Guard = guard("solid::fill::by_faces", solid::fill::by_faces);

const fn guard(name: &'static str, check: fn(&Arc<Device>) -> Result<(), String>) -> Guard {
    Guard { name, check }
}

/// A mistake, and who must notice.
pub struct Mutation {
    pub name: &'static str,
    /// Below `glsl/`.
    pub file: &'static str,
    /// Stands once in the file.
    pub right: &'static str,
    pub wrong: &'static str,
    pub guard: Guard,
}

impl Mutation {
    /// # Panics
    /// If the text to be mutated does not occur exactly once in the shader's source.
    pub fn assert_matches_once(&self, source: &str) {
        let Self {
            name, file, right, ..
        } = self;
        let found = source.matches(right).count();
        assert_eq!(found, 1, "{name}: {right:?} occurs {found} times in {file}");
    }
}

pub const fn mutation(
    name: &'static str,
    guard: Guard,
    file: &'static str,
    right: &'static str,
    wrong: &'static str,
) -> Mutation {
    Mutation {
        name,
        file,
        right,
        wrong,
        guard,
    }
}

#[rustfmt::skip]
pub const MUTATIONS: &[Mutation] = &[
    mutation("wrong normal matrix", BAKE, "skin/bake.comp",
        "vec3 normal = cofactor * vertex.normal;", "vec3 normal = mat3(blended) * vertex.normal;"),
    mutation("last influence left out", BAKE, "skin/bake.comp",
        "if (vertex.weights[i] == 0.0) break;", "if (vertex.weights[i] == 0.0 || i == 1) break;"),
    mutation("bones that the next step does not know", BONES, "skin/adopt_bones.comp",
        "frames[frame_ix] = bone;", ""),
    mutation("everybody bound like the first joint", BONES, "skin/adopt_bones.comp",
        "bones_from_bind[frame_ix]", "bones_from_bind[first_frame]"),
    mutation("turned the long way round", TRANSFORMS, "shared/sub_step_transforms.comp",
        "to = alike < 0.0 ? -to : to;", ""),
    mutation("bones that shrink where they turn", TRANSFORMS, "shared/sub_step_transforms.comp",
        "mat3 linear = rotation_of(turned(from, to, part)) * stretch;",
        "mat3 linear = mat3(before) * (1.0 - part) + mat3(after) * part;"),
    mutation("teleported bodies that move there", TRANSFORMS, "shared/sub_step_transforms.comp",
        "if (source.teleported == 0) before", "before"),
    mutation("fields of flattened bones", TRANSFORMS, "shared/sub_step_transforms.comp",
        "if (abs(volume) > COLLAPSED * box) {", "if (abs(volume) > 0.0) {"),
    mutation("scale of field space, not of metres", TRANSFORMS, "shared/sub_step_transforms.comp",
        "rows[i] = field_from_world[i].xyz * axis_lengths[i];", "rows[i] = field_from_world[i].xyz;"),
    mutation("swapped axes", UPDATE, "shared/cylinder.glsl",
        "atan(across.y, across.x)", "atan(across.x, across.y)"),
    mutation("seam not seen", UPDATE, "radial/triangle.glsl",
        "placed.shifted = spread > 0.5;", "placed.shifted = spread > 2.0;"),
    mutation("seam not undone", UPDATE, "radial/write_cell.glsl",
        "if (shifted) cell.x", "if (false) cell.x"),
    mutation("one column off", UPDATE, "radial/write_cell.glsl",
        "+ cell.y * field.width + cell.x]", "+ cell.y * field.width + (cell.x + 1) % size.x]"),
    mutation("furthest skin kept", UPDATE, "radial/write_cell.glsl",
        "atomicMin(", "atomicMax("),
    mutation("skin that faces the axis drawn", SLIPPED, "radial/write_cell.glsl",
        "if (distance < 0.0 || (enters && rank == RANK_OWN)) return;", "if (distance < 0.0) return;"),
    mutation("skin that faces the axis kept in the paper's fields", SLIPPED_BY_THE_PAPER, "radial/write_cell.glsl",
        "if (enters && !KEEPS_ENTRIES) return;", ""),
    mutation("skin that holds the axis drawn in the paper's fields", SLIPPED_BY_THE_PAPER, "radial/triangle.glsl",
        "|| (holds_axis && !AXIS_RAYS);", ";"),
    mutation("half quads in the paper's fields", BY_THE_PAPER, "radial/surface.glsl",
        "if (!HALF_CELLS && cell_distance(", "if (false && cell_distance("),
    mutation("ways into the body not told from ways out", SLIPPED, "radial/cell.glsl",
        "(enters ? ENTERS : 0)", "0"),
    mutation("skin round the axis left out", SLIPPED, "radial/triangle.glsl",
        "float winding = enters ? -1.0 : 1.0;", "float winding = -1.0;"),
    mutation("planes that lie along the ray met anywhere", SLIPPED, "radial/triangle.glsl",
        "distance = min(max(distance, beside - slack), beside + slack);", ""),
    mutation("other skin drawn with edges as straight as own skin's", BORROWED, "radial/triangle.glsl",
        "rank == RANK_OWN ? NEAR_SPAN_OWN : NEAR_SPAN_SHARED", "NEAR_SPAN_OWN"),
    mutation("other skin met beside its outline", SLIPPED, "radial/write_cell.glsl",
        "rank == RANK_OWN ? RAY_SLACK_OWN : RAY_SLACK_SHARED", "RAY_SLACK_OWN"),
    mutation("a path's beginning one sub-step back, however long it is", HALVED, "shared/sub_step_ends.glsl",
        "first_after - span * field_count", "first_after - field_count"),
    mutation("a half's sub-steps as short as the step's", HALVED, "cloth/predict.glsl",
        "OwnSubStep(sub_step * float(span),", "OwnSubStep(sub_step,"),
    mutation("a half's speed over one sub-step", HALVED, "cloth/predict.glsl",
        "sub_step * float(min(garment.stride, begins))", "sub_step"),
    mutation("a half as soft as over one sub-step", HALVED, "cloth/solve.comp",
        "own_seconds = sub_step * float(span);", "own_seconds = sub_step;"),
    mutation("transform of the step's beginning", UPDATE, "radial/rasterise.vert",
        "transforms[transform_offset + field_ix]", "transforms[field_ix]"),
    mutation("one row off, in compute", UPDATE, "radial/rasterise.comp",
        "vec2 centre = vec2(cell) + 0.5;", "vec2 centre = vec2(cell) + vec2(0.5, 1.5);"),
    mutation("seam not undone, in compute", UPDATE, "radial/rasterise.comp",
        "write_cell_min(field, cell, triangle.shifted,", "write_cell_min(field, cell, false,"),
    mutation("half a cell off along the axis", COLLIDE, "radial/surface.glsl",
        "return (float(row) + 0.5) / float(field.height);", "return float(row) / float(field.height);"),
    mutation("one column off", COLLIDE, "radial/surface.glsl",
        "int right = left + 1 == width ? 0 : left + 1;", "int right = (left + 2) % width;"),
    mutation("empty cells taken for skin", COLLIDE, "radial/surface.glsl",
        "if (max(low_distance, max(high_distance, side_distance)) >= FARTHEST) return false;",
        "low_distance = min(low_distance, 0.2); high_distance = min(high_distance, 0.2); side_distance = min(side_distance, 0.2);"),
    mutation("other half of the quad", COLLIDE, "radial/surface.glsl",
        "(within.x > within.y && !closes_first)", "(within.x < within.y && !closes_first)"),
    mutation("ends not closed", COLLIDE, "radial/surface.glsl",
        "return capped ? 0.0 :", "return capped ? 2e30 :"),
    mutation("wrong normal matrix", COLLIDE, "radial/collide.comp",
        "return plane.normal * mat3(affine(transforms[pair.approach.after].field_from_world));",
        "return mat3(affine(transforms[pair.approach.after].world_from_field)) * plane.normal;"),
    mutation("stale pose", COLLIDE, "shared/approach.glsl",
        "affine(transforms[before].field_from_world) * vec4(from, 1.0)",
        "affine(transforms[after].field_from_world) * vec4(from, 1.0)"),
    mutation("plane of another half cell", COLLIDE, "radial/collide.comp",
        "if (half_cell != tested) {", "if (tested.x == -2) {"),
    mutation("candidates of another thread", COLLIDE, "shared/collide.glsl",
        "candidate_list[(word * 32 + findLSB(bits)) * LANES + lane]", "candidate_list[(word * 32 + findLSB(bits)) * LANES]"),
    mutation("room in a pinch as on a person", SWEPT, "shared/iterations.glsl",
        "REDUCED_THICKNESS * size", "REDUCED_THICKNESS"),
    mutation("fast particles tested where they end up alone", SWEPT, "radial/collide.comp",
        "if (!follows_path(iteration, path, SLOW)) return", "if (true) return"),
    mutation("the march's times as on a person", MARCH, "radial/collide.comp",
        "(SAME_PLACE * pair.approach.iteration.size)", "SAME_PLACE"),
    mutation("astray as on a person", CONSTRAINED, "cloth/predict.glsl",
        "beyond > ASTRAY * particle.size", "beyond > ASTRAY"),
    mutation("deeper contact decides", CROWDED, "shared/iterations.glsl",
        "depth >= best.depth)", "depth <= best.depth)"),
    mutation("deeper contact of two threads decides", MARCH, "shared/collide.glsl",
        "(ties && found_depths[i] < found_depths[best])", "(ties && found_depths[i] > found_depths[best])"),
    mutation("being put outside makes fast", COLLIDE, "shared/collide.glsl",
        "predicted[particle_ix].xyz, shift, since)", "predicted[particle_ix].xyz, vec3(0.0), since)"),
    mutation("paths of the last sub-step alone", COLLIDE, "shared/particles.glsl",
        "since == 1.0 ? current[particle_ix].xyz : path_starts[particle_ix].xyz", "current[particle_ix].xyz"),
    mutation("paths that begin where the last sub-step does", COLLIDE, "cloth/predict.glsl",
        "return begins == 0 || collision_span(", "return true || collision_span("),
    mutation("transforms of the last sub-step for a longer path", COLLIDE, "shared/collide.glsl",
        "set_sub_step_ends(span);", "set_sub_step_ends(1);"),
    mutation("all of a longer path's push in its last sub-step", COLLIDE, "shared/particles.glsl",
        "(moved - shift) * (1.0 - 1.0 / since)", "0.0 * moved"),
    mutation("what is pushed to and fro is fast", CROWDED, "shared/collide.glsl",
        "if (is_pinched) shift = moving.to - last_co_moving;", ""),
    mutation("half of the points of a path", SWEPT, "shared/iterations.glsl",
        "ceil(length(path) / (slow * iteration.size))", "ceil(0.5 * length(path) / (slow * iteration.size))"),
    mutation("triangles' paths of the last sub-step alone", LBVH, "shared/skin.glsl",
        "path_start(particle_ix, float(since))", "path_start(particle_ix, 1.0)"),
    mutation("broad phase too narrow", COLLIDE, "radial/overlap.glsl",
        "length(start.xy + along * edge) < radii[field_ix] + margin;", "length(start.xy + along * edge) < 0.5 * radii[field_ix] + margin;"),
    mutation("half of the cells not bounded", COLLIDE, "radial/bound.comp",
        "rows * field.width;", "rows / 4 * field.width;"),
    mutation("thickness left out", COLLIDE, "shared/response.glsl",
        "return thickness - dot(", "return -dot("),
    mutation("friction pushes along", COLLIDE, "shared/response.glsl",
        "+ contact.normal * depth - slip_of(", "+ contact.normal * depth + slip_of("),
    mutation("friction without a bound", COLLIDE, "shared/response.glsl",
        "min(1.0, friction * depth / speed)", "(friction * depth / speed)"),
    mutation("paper's friction on the whole way", PAPER, "shared/response.glsl",
        "deepened > depth ? depth / deepened : 1.0;", "1.0;"),
    mutation("paper's friction on what leads out", PAPER, "shared/response.glsl",
        "if (deepened < 0.0) below = 0.0;", ""),
    mutation("paper's friction against the body's own motion", PAPER, "shared/response.glsl",
        "vec3 motion = predicted - contact.co_moving;", "vec3 motion = predicted - contact.point;"),
    mutation("turns the other way", MARCH, "radial/march.glsl",
        "< 0.0 ? -1 : 1;", "< 0.0 ? 1 : -1;"),
    mutation("one row off", MARCH, "radial/march.glsl",
        "int border = walk.quad.y + (walk.heading.y > 0 ? 1 : 0);", "int border = walk.quad.y + (walk.heading.y > 0 ? 2 : 1);"),
    mutation("seam not undone on the way", MARCH, "radial/march.glsl",
        "at.x -= size.x * floor((at.x + 0.5) / size.x);", ""),
    mutation("diagonal not passed", MARCH, "radial/march.glsl",
        "crossing.lower[1] = in_lower_half(field, walk.quad.y, left);", "crossing.lower[1] = crossing.lower[0];"),
    mutation("edges' depth without a bound", EDGES, "shared/edges.glsl",
        "field_ix, middle);\n            if (met.push.w < limit && comes_before", "field_ix, middle);\n            if (comes_before"),
    mutation("fields near a particle alone", EDGES, "shared/edges.glsl",
        "float margin = 1.001 * (thickness + furthest_middle(safe_ix, lane, edge_count, position));", "float margin = 0.0;"),
    mutation("end of the edge for its middle", EDGES, "shared/edges.glsl",
        "0.5 * (position + before[other].xyz), 1.0, edge", "before[other].xyz, 1.0, edge"),
    mutation("an edge makes its ends fast", EDGES, "shared/edges.glsl",
        "current[particle_ix] + vec4(push, 0.0)", "current[particle_ix]"),
    mutation("a triangle's corners each move its point by the whole", OVER_CORNERS, "solid/collide_edges.comp",
        "weights[face.own_place] / dot(weights, weights);", "1.0;"),
    mutation("points within triangles left alone", OVER_CORNERS, "shared/edges.glsl",
        "if (HAS_TRIANGLES) test_triangles", "if (false) test_triangles"),
    mutation("no points beyond the first of a triangle", OVER_CORNERS, "solid/collide_edges.comp",
        "if (!has_any || !is_new) return;", "return;"),
    mutation("corners push triangles sideways", OVER_CORNERS, "solid/collide_edges.comp",
        "Deepest(along_normal(face, push), field_ix, point)", "Deepest(push, field_ix, point)"),
    mutation("edges slide on solids without friction", OVER_CORNERS, "shared/edges.glsl",
        "position + push - slip", "position + push"),
    mutation("the shallower of two edges decides", EDGES, "shared/edges.glsl",
        "return a.push.w > b.push.w;", "return a.push.w < b.push.w && a.push.w > 0.0;"),
    mutation("candidates listed in the wrong place", COLLIDE, "shared/candidates.glsl",
        "candidate_list[slot] = field_ix;", "candidate_list[slot] = slot;"),
    mutation("bodies' boxes without their high corners", COLLIDE, "shared/field_bounds.glsl",
        "~key_of_number(bounds.high[i])", "~key_of_number(bounds.low[i])"),
    mutation("candidates of the step's beginning alone", SWEPT, "shared/field_bounds.glsl",
        "bounds = united(bounds, bounds_over_step[i]);", "bounds = bounds;"),
    mutation("furthest triangle kept in a grid", GRIDS, "distance_field/update.comp",
        "atomicMin(", "atomicMax("),
    mutation("sides swapped", GRIDS, "distance_field/update.comp",
        "bool is_inside = dot(offset, normal) < 0.0;", "bool is_inside = dot(offset, normal) > 0.0;"),
    mutation("grids where the step began", GRIDS, "distance_field/update.comp",
        "transforms[transform_offset + grid_ix]", "transforms[grid_ix]"),
    mutation("slope across of the near side alone", GRIDS, "distance_field/surface.glsl",
        "mix(along_y.x, along_y.y, within.z), at_y.y - at_y.x", "along_y.x, at_y.y - at_y.x"),
    mutation("empty cells taken for skin in a grid", GRIDS, "distance_field/surface.glsl",
        "if (key == EMPTY_KEY) return false;", "if (key == EMPTY_KEY) key = 0;"),
    mutation("deeper contact of two grids decides", CROWDED_GRIDS, "shared/iterations.glsl",
        "depth >= best.depth)", "depth <= best.depth)"),
    mutation("cells the plane passes left out", HASH, "spatial_hash/voxelise.comp",
        "(height + prisms[owner].behind) > 0.0) return;", "(height + prisms[owner].behind) < 0.0) return;"),
    mutation("cells of the last update", HASH, "spatial_hash/table.glsl",
        "return listed >> triangle_bits == generation;", "return listed >> triangle_bits == generation + 1;"),
    mutation("search ends too early", HASH, "spatial_hash/collide.comp",
        "seen_squared = ball.radius * ball.radius;", "seen_squared = 4.0 * ball.radius * ball.radius;"),
    mutation("furthest triangle taken", HASH, "shared/skin.glsl",
        "if (squared < best_squared ||", "if (squared > best_squared ||"),
    mutation("skin where the sub-step began", LBVH, "shared/skin.glsl",
        "    corners_at(triangle_ix, part_after, corners);\n    corners_at(triangle_ix, part_before, corners_before);",
        "    corners_at(triangle_ix, part_before, corners);\n    corners_at(triangle_ix, part_before, corners_before);"),
    mutation("half of the tree not searched", LBVH, "lbvh/collide.comp",
        "stack[0] = 0;", "stack[0] = 1;"),
    mutation("nearer boxes left out", LBVH, "lbvh/collide.comp",
        "if (!(distances[depth] <= best_squared)) continue;", "if (distances[depth] <= best_squared) continue;"),
    mutation("far corners of boxes", BVH, "bvh/descend.comp",
        "if (distances[i].x <= nearest_squared)", "if (distances[i].y <= nearest_squared)"),
    mutation("first triangle of each leaf left out", BVH, "bvh/leaves.comp",
        "for (uint i = leaf.first; i <", "for (uint i = leaf.first + 1; i <"),
    mutation("boxes round the end of the step alone", BOXES, "shared/refit.comp",
        "low = min(low, min(skin_before[vertex_ix], skin_after[vertex_ix]));", "low = min(low, skin_after[vertex_ix]);"),
    mutation("last child left out of a box", BOXES, "shared/refit.comp",
        "child_ix < first + count", "child_ix + 1 < first + count"),
    mutation("garments that start anew in each sub-step", CLOTH, "cloth/predict.glsl",
        "own.time_before == 0.0 && starts_anew", "starts_anew"),
    mutation("the sub-step that begins taken for the last one's", CLOTH, "cloth/solve.comp",
        "Path path = Path(current[particle_ix], solved);", "Path path = Path(solved, solved);"),
    mutation("nothing kept of where the next sub-step begins", CLOTH, "cloth/solve.comp",
        "current_after[particle_ix] = path.from;", "current_after[particle_ix] = current[particle_ix];"),
    mutation("gravity upwards", CLOTH, "cloth/predict.glsl",
        "+ gravity * seconds;", "- gravity * seconds;"),
    mutation("constraints push apart", CLOTH, "cloth/solve.comp",
        "(rest_length - distance - compliance * multiplier)", "(distance - rest_length - compliance * multiplier)"),
    mutation("multipliers of the last sub-step", SOFT, "cloth/solve.comp",
        "first_iteration != 0 || place == NOTHING ? 0.0", "place == NOTHING ? 0.0"),
    mutation("strain limit left out", SOFT, "cloth/solve.comp",
        "change = min(change, (max_length - distance) / inverse_masses);", ""),
    mutation("constraints of the next place", CLOTH, "cloth/solve.comp",
        "(first_colour + ix) * patched.colour_size + lane", "(first_colour + ix) * patched.colour_size + lane + 1"),
    mutation("only every second particle of a patch loaded", CLOTH, "cloth/solve.comp",
        "if (other == i + LANES) local[other] = second;", ""),
    mutation("stretch compliance for bend", SOFT, "cloth/solve.comp",
        "along < 0.0 ? garment.compliance[3] : in_plane", "along < 0.0 ? garment.compliance[0] : in_plane"),
    mutation("shear left out", SOFT, "cloth/solve.comp",
        "+ along * across * garment.compliance[2];", ";"),
    mutation("multiplier of attachments left out", SOFT, "cloth/solve.comp",
        "(target - position - compliance * multiplier)", "(target - position)"),
    mutation("tethers longer than the cloth", CLOTH, "cloth/solve.comp",
        "min(0.0, tether.max_length /", "min(0.0, 1.1 * tether.max_length /"),
    mutation("tethers that take all back at once", CLOTH, "cloth/solve.comp",
        "position += TETHER_SHARE * apart", "position += apart"),
    mutation("long range beyond the cloth's length", CLOTH, "cloth/solve.comp",
        "constraint.rest_length * (1.0 + garment.strain_limit);", "1.5 * constraint.rest_length;"),
    mutation("long range pushes apart", CLOTH, "cloth/solve.comp",
        "if (distance <= max_length || inverse_masses", "if (inverse_masses"),
    mutation("bend in every sub-step", SOFT, "cloth/solve.comp",
        "garment.stride * BEND_STRIDE", "garment.stride"),
    mutation("bend with the impulse of one sub-step", SOFT, "cloth/solve.comp",
        "own_seconds * sub_step * float(since));", "own_seconds * own_seconds);"),
    mutation("patches move their rims", PIECES, "cloth/solve.comp",
        "i < patched.free ?", "i < patched.particle_count ?"),
    mutation("contacts ignored after the last sweep", LAID, "cloth/solve.comp",
        "if (found.w != 0.0) position", "if (false) position"),
    mutation("contact planes after the last sweep alone", DRAPED, "cloth/solve.comp",
        "        keep_in_front(planes);\n", ""),
    mutation("contact planes turned round", DRAPED, "shared/direction.glsl",
        "return normalize(direction);", "return -normalize(direction);"),
    mutation("astray particles hold their neighbours", CONSTRAINED, "cloth/solve.comp",
        "is_astray ? TAKES_NO_PART : inverse_mass", "is_astray ? 0.0 : inverse_mass"),
    mutation("backstops before the cloth", CONSTRAINED, "cloth/motion.glsl",
        "position - target + normal * (", "position - target - normal * ("),
    mutation("cloth before its limb taken to be through it", CONSTRAINED, "cloth/motion.glsl",
        "float behind = -backstop.ahead;", "float behind = backstop.ahead;"),
    mutation("greatest distances not scaled", CONSTRAINED, "cloth/motion.glsl",
        "particle.max_distance * motion_scale;", "particle.max_distance;"),
    mutation("out of the backstop's back", CONSTRAINED, "cloth/motion.glsl",
        "backstop.from_middle + normal * max(0.0, -backstop.ahead);", "backstop.from_middle;"),
    mutation("twice as fast home", CONSTRAINED, "cloth/predict.glsl",
        "HOMING_SPEED = 2.0;", "HOMING_SPEED = 4.0;"),
    mutation("astray particles left behind by the body", CONSTRAINED, "cloth/predict.glsl",
        "position + target_shift + displacement", "position + displacement"),
    mutation("ground without its coefficient of friction", GROUNDED, "cloth/motion.glsl",
        "min(1.0, friction * depth / slip_length)", "min(1.0, depth / slip_length)"),
    mutation("cloth in the ground", GROUNDED, "cloth/motion.glsl",
        "ground.w + thickness - dot(", "ground.w - dot("),
    mutation("targets of the step's end", CLOTH, "cloth/solve.comp",
        "return target_at(target_ix, target_time);", "return targets[target_ix];"),
    mutation("a brush without a falloff", BRUSHED, "cloth/brush.glsl",
        "nearness * nearness * clamp(", "ceil(nearness) * clamp("),
    mutation("normals inside out", CLOTH, "cloth/finish.comp",
        "sum += cross(", "sum -= cross("),
    mutation("solids that give cloth no speed", AMONG_SOLIDS, "shared/approach.glsl",
        "contact.co_moving = co_moving(approach);", "contact.co_moving = approach.to;"),
    mutation("scaled solids' normals too long", AMONG_SOLIDS, "shared/solid_contacts.glsl",
        "plane.normal /= length(plane.normal);", ""),
    mutation("paths through solids not followed", AMONG_SOLIDS, "shared/solid_contacts.glsl",
        "follows_path(iteration, end - start, 0.0) ? min(shortest, path) : path;", "path;"),
    mutation("a solid's friction without the cloth's", AMONG_SOLIDS, "shared/solids.glsl",
        "sqrt(solid.friction * of_cloth)", "solid.friction"),
    mutation("a bounce in every iteration", AMONG_SOLIDS, "shared/collide.glsl",
        "iteration == 0 ? solid.restitution : 0.0", "solid.restitution"),
    mutation("a bounce with the speed into the surface", AMONG_SOLIDS, "shared/response.glsl",
        "-(1.0 + restitution) * max(above, 0.0)", "0.0"),
    mutation("a bounce back to where it came from", AMONG_SOLIDS, "shared/response.glsl",
        "restitution * (depth - clamp(-above, 0.0, depth))", "restitution * depth"),
    mutation("friction without the motion into the surface", FUHRMANN, "shared/response.glsl",
        "(size - friction * abs(into)) / size", "(size - friction) / size"),
    mutation("friction that turns the motion round", FUHRMANN, "shared/response.glsl",
        "float kept = max((size - friction * abs(into)) / size, 0.0);", "float kept = (size - friction * abs(into)) / size;"),
    mutation("simple friction against the motion off the surface", FUHRMANN, "shared/response.glsl",
        "return friction * (motion - contact.normal * dot(contact.normal, motion));", "return friction * motion;"),
    mutation("cloth that lies on a solid not held", LAID, "cloth/motion.glsl",
        "unpack_friction(found.w) / max(", "0.0 / max("),
    mutation("what is pinched is held", PINCHED, "shared/collide.glsl",
        "is_pinched ? 0.0 : unused", "unused"),
    mutation("used friction left over", USED_ONCE, "shared/response.glsl",
        "max(0.0, friction * depth - length(", "max(0.0, friction * depth + length("),
    mutation("cloth pushed as if all weighed the same", CONTACTS, "cloth/contact_resolve.comp",
        "shares[i] * inverse_mass(ixs[i]);", "shares[i];"),
    mutation("cloth that slides on cloth", CONTACTS, "cloth/contact_resolve.comp",
        "vec3 shift = contact.normal * push - slip", "vec3 shift = contact.normal * push - 0.0 * slip"),
    mutation("contacts beyond a triangle's border", CONTACTS, "cloth/contact_resolve.comp",
        "> MAX_BESIDE * gap", "> 20.0 * gap"),
    mutation("crossed cloth left crossed", CONTACTS, "cloth/contact_resolve.comp",
        "(UNTANGLING * gap_between", "(0.0 * gap_between"),
    mutation("corrections added up instead of their mean", CONTACTS, "cloth/contact_apply.comp",
        "+= sum / units", "+= sum / UNITS_PER_METRE"),
    mutation("corrections that count alike", CONTACTS, "cloth/contact_resolve.comp",
        "clamp(round(WHOLE * abs(share)), LEAST, WHOLE)", "WHOLE"),
    mutation("sums kept for the next sub-step", CONTACTS, "cloth/contact_apply.comp",
        "sums[first + i] = 0;", "sums[first + i] = sums[first + i];"),
    mutation("all of a push gives speed", CONTACTS, "cloth/contact_apply.comp",
        "+= calm / units", "+= 0.0 * calm"),
    mutation("heaps not carried from below", CONTACTS, "cloth/contact_resolve.comp",
        "exp2(CARRIED * dot", "exp2(0.0 * dot"),
    mutation("layers the other way round", LAYERS, "cloth/contact_find.comp",
        "vertices[a].layer > vertices[b].layer", "vertices[a].layer < vertices[b].layer"),
    mutation("cloth found as it begins, not on its path", CLOUDS, "cloth/contact_search.glsl",
        "clamp(-dot(apart, motion) / size, 0.0, until)", "0.0"),
    mutation("a slice of the tiles left out", CLOUDS, "cloth/contact_search.glsl",
        "if (number++ % slice_count == slice_ix())", "if (number++ % slice_count == max(slice_ix(), 1))"),
    mutation("moving boxes that stay where they begin", CLOUDS, "cloth/contact_tiles.glsl",
        "ball.middle + size, end - size, end + size, ball.reach", "ball.middle + size, ball.middle - size, ball.middle + size, ball.reach"),
    mutation("all regions passed by with the first", LARGE, "cloth/contact_search.glsl",
        "box_of_tile(first_region_of(kind) + region)", "box_of_tile(first_region_of(kind))"),
    mutation("a helper's share of a tile left out", CLOUDS, "cloth/contact_search.glsl",
        "if ((in_reach >> i & 1) == 0) continue;", "if ((in_reach >> i & 1) == 0 || helper_ix() == 2) continue;"),
    mutation("boxes with cut corners", AMONG_SOLIDS, "shared/solids.glsl",
        "gradient = side * outside / size;", "gradient = normalize(side);"),
    mutation("a torus without its hole", AMONG_SOLIDS, "shared/solids.glsl",
        "distance_from(at - outward * radius, tube_radius, gradient);", "distance_from(at, tube_radius, gradient);"),
    mutation("the other half of a word", SOLID, "shared/solid_field.glsl",
        "int(16 * (sample_ix & 1u))", "int(16 * (~sample_ix & 1u))"),
    mutation("samples without a sign", SOLID, "shared/solid_field.glsl",
        "return bitfieldExtract(int(word), int(16 * (sample_ix & 1u)), 16);", "return int(bitfieldExtract(word, int(16 * (sample_ix & 1u)), 16));"),
    mutation("slope across of the near side alone", SOLID, "shared/solid_field.glsl",
        "gradient.y = along_y.x + (along_y.y - along_y.x) * within.z;", "gradient.y = along_y.x;"),
    mutation("the first field for every field", SOLID, "solid/query.comp",
        "solid_fields[field_ix]", "solid_fields[0]"),
    mutation("what is beyond the band taken for the band's end", SOLID, "shared/solid_field.glsl",
        "codes, beyond) && beyond == 0)", "codes, beyond))"),
    mutation("deep inside taken for outside", SOLID, "shared/solid_field.glsl",
        "if (beyond < 0) distance = min(distance, -least);", ""),
    mutation("coarse level's corners counted as bricks", SOLID, "shared/solid_field.glsl",
        "uvec3 counts = bricks_of(field) + 1;", "uvec3 counts = bricks_of(field);"),
    mutation("an edge's ends mixed up", SPIKE, "solid/mesh.glsl",
        "FIRST_EDGE + i : (i + part) % 3;", "FIRST_EDGE + i : i;"),
    mutation("the furthest edge taken", SPIKE, "solid/mesh.glsl",
        "if (best >= 0.0 && distance >= best) continue;", "if (best >= 0.0 && distance <= best) continue;"),
    mutation("the farther branch of the tree left out", SPIKE, "solid/tree.glsl",
        "deferred[count++] = far;", ""),
    mutation("the last of equally near triangles", BY_FACES, "solid/tree.glsl",
        "if (numbers[i] < first && distance", "if ((first == 0xFFFFFFFFu || numbers[i] > first) && distance"),
    mutation("furthest triangle kept by the splat", SPIKE, "solid/splat.comp",
        "atomicMin(distances[slot],", "atomicMax(distances[slot],"),
    mutation("the last of equally near triangles kept by the splat", BY_FACES, "solid/splat.comp",
        "atomicMin(owners[slot], triangle_ix);", "owners[slot] = triangle_ix;"),
    mutation("samples shared with the brick before left out", SPIKE, "solid/splat.comp",
        "uvec3(max(low - 1, ivec3(0)))", "uvec3(max(low + 6, ivec3(0)))"),
    mutation("the prism for the band", SPIKE, "solid/splat.comp",
        "if (envelope == ENVELOPE_PRISM) {", "if (envelope != ENVELOPE_PRISM) {"),
    mutation("corners' sides swapped", SPIKE, "solid/corners.comp",
        "is_inside ? -distance : distance", "is_inside ? distance : -distance"),
    mutation("edges' normals for corners'", SPIKE, "solid/sign.glsl",
        "if (feature < FIRST_EDGE) normal = normals[triangles[3 * triangle_ix + feature]];", "if (feature < FIRST_EDGE) normal = normals[vertex_count + 3 * triangle_ix + feature];"),
    mutation("the paper's rule at its own feature", BY_FACES, "solid/sign.glsl",
        "if (rule == RULE_FACE) return dot(corners[0], normal) > 0.0;", ""),
    mutation("sides not spread", SPIKE, "solid/finish.comp",
        "next[i] = side == UNKNOWN ? known_neighbour(lane + 64 * i) : UNKNOWN;", "next[i] = UNKNOWN;"),
    mutation("distances cut instead of rounded", SPIKE, "solid/finish.comp",
        "roundEven(uintBitsToFloat(bits) * quanta)", "floor(uintBitsToFloat(bits) * quanta - 0.6)"),
    mutation("band one sample too narrow", SPIKE, "solid/search.comp",
        "nearest_distance(point, BAND_CELLS);", "nearest_distance(point, BAND_CELLS - 1.0);"),
];
