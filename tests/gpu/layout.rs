//! Structs that host and shaders share lie in memory alike.

use std::mem::{offset_of, size_of};

use radial_fields::cloth::contacts::{ClothEdge, ClothVertex};
use radial_fields::cloth::{GarmentRest, GpuGarment, GpuPatch, GpuTether, Particle};
use radial_fields::collide::box_tree::BoxNode;
use radial_fields::collide::bvh::QueueState;
use radial_fields::collide::distance_field::GpuGrid;
use radial_fields::collide::radial::{DrawnTriangles, GpuField};
use radial_fields::collide::skin_triangles::SkinTriangle;
use radial_fields::collide::{
    BodyBounds, CandidateGroup, FieldTransform, GpuAttachment, GpuBounds,
};
use radial_fields::gpu::{StructLayout, shaders};
use radial_fields::skin::{FrameSource, SkinVertex};

/// A struct of glsl/shared/structs.glsl as mirrored in Rust.
struct Mirror {
    name: &'static str,
    bytes: usize,
    members: Vec<(&'static str, u32)>,
}

macro_rules! mirror {
    // `@ field`: the member is one of that field's.
    ($name:literal, $rust:ty, $($(@ $field:ident)? $member:ident),+) => {
        Mirror {
            name: $name,
            bytes: size_of::<$rust>(),
            members: vec![$((stringify!($member), offset_of!($rust, $($field .)? $member) as u32)),+],
        }
    };
}

#[rustfmt::skip]
fn mirrors() -> Vec<Mirror> {
    vec![
        mirror!("SkinVertex", SkinVertex, position, normal, joints, weights),
        mirror!("Field", GpuField, cell_offset, width, height, pixel_x, pixel_y, axis_length, caps),
        mirror!("Grid", GpuGrid, first_cell, size, cell_size),
        mirror!("Attachment", GpuAttachment, bone_from_field, axis_lengths, frame_ix),
        mirror!("FrameSource", FrameSource, first_float, teleported),
        mirror!("FieldTransform", FieldTransform, field_from_world, world_from_field, max_scale, unused),
        mirror!("Bounds", GpuBounds, low, high),
        mirror!("BodyBounds", BodyBounds, low, high),
        mirror!("CandidateGroup", CandidateGroup, low, count, high, first_particle, end_particle, range_count, ranges, fields),
        mirror!("SkinTriangle", SkinTriangle, vertices, neighbours),
        mirror!("BoxNode", BoxNode, low, first, high, count),
        mirror!("DrawnTriangles", DrawnTriangles, vertex_count, instance_count, first_vertex, first_instance),
        mirror!("QueueState", QueueState, group_count_x, group_count_y, group_count_z, wanted),
        mirror!("Particle", Particle, area, attachment_compliance, garment_ix, clearance, target_ix, max_distance, backstop_distance, backstop_radius, size),
        mirror!("Patch", GpuPatch, first_particle, owned, free, particle_count, first_constraint, colour_size, stretch_colours, bend_colours, long_range_colours, garment_ix),
        mirror!("Tether", GpuTether, anchor_ix, max_length),
        mirror!("ClothVertex", ClothVertex, rest_position, layer, sheet),
        mirror!("ClothEdge", ClothEdge, ends, opposite),
        mirror!("GarmentSettings", GpuGarment, @settings compliance, @settings density, @settings strain_limit, @settings damping, @settings drag, @settings friction, @settings thickness, @settings tethered, @settings motion_scale, stride, last_sub_step, is_asleep, first_beneath, end_beneath),
        mirror!("GarmentRest", GarmentRest, bounds, restless_count, moving_count, particle_count),
    ]
}

/// Every layout that some shader declares under this name, with the shader's own.
fn declared(name: &str) -> impl Iterator<Item = (&'static str, &'static StructLayout)> {
    let layouts = shaders::ALL
        .iter()
        .flat_map(|shader| shader.structs.iter().map(|layout| (shader.name, layout)));
    layouts.filter(move |(_, layout)| layout.name == name)
}

fn same(mirror: &Mirror, layout: &StructLayout) -> bool {
    mirror.members == layout.members
}

#[test]
fn every_struct_lies_as_its_shaders_have_it() {
    for mirror in mirrors() {
        let mut count = 0;
        for (shader, layout) in declared(mirror.name) {
            assert!(
                same(&mirror, layout),
                "{} in {shader}: {:?}, in Rust {:?}",
                mirror.name,
                layout.members,
                mirror.members
            );
            count += 1;
        }
        assert!(count > 0, "no shader declares {}", mirror.name);
    }
}

#[test]
fn every_struct_of_the_shared_file_is_compared() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/glsl/shared/structs.glsl");
    let code = std::fs::read_to_string(file).expect("the shaders are there");
    let structs: Vec<_> = code
        .lines()
        .filter_map(|line| line.strip_prefix("struct ")?.split_whitespace().next())
        .collect();
    let compared: Vec<_> = mirrors().iter().map(|mirror| mirror.name).collect();
    assert_eq!(structs, compared);
}

#[test]
fn no_mirror_has_bytes_that_shaders_know_nothing_of() {
    for Mirror {
        name,
        bytes,
        members,
    } in mirrors()
    {
        // All members are of 4-byte numbers without gaps: the last one ends where the struct does.
        let last = members.last().expect("no struct is empty").1 as usize;
        assert!(
            last < bytes && bytes.is_multiple_of(4),
            "{name}: {last}, {bytes}"
        );
    }
    assert_eq!(size_of::<SkinVertex>(), 72);
    assert_eq!(size_of::<FieldTransform>() % 16, 0);
}

#[test]
fn a_moved_or_renamed_member_is_seen() {
    let mut mirror = mirrors().remove(1);
    let (_, layout) = declared("Field").next().expect("shaders know fields");
    assert!(same(&mirror, layout));
    mirror.members[3].1 += 4;
    assert!(!same(&mirror, layout));
    mirror.members[3].1 -= 4;
    mirror.members[3].0 = "pixel";
    assert!(!same(&mirror, layout));
}
