//! Garments on a person of capsules: outside the body, clean, even, held at the top, the same every time.

use crate::avatar::{Avatar, NamedSkin, SkinMesh, builtin};
use crate::math::triangle_tree::TriangleTree;
use glam::{Mat4, Vec3};
use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::figure::{capsule_person, moved};
use super::surface::Surface;
use super::*;

const KINDS: [(GarmentKind, usize); 7] = [
    (GarmentKind::TrousersAndTop, 1297),
    (GarmentKind::OvercoatOverAll, 2900),
    (GarmentKind::Cape, 1500),
    (GarmentKind::Skirt, 900),
    (GarmentKind::CapeOverCoat, 3000),
    (GarmentKind::SkirtAndTop, 1700),
    (GarmentKind::ScarfOverTop, 1800),
];

fn made(kind: GarmentKind, avatar: &Avatar, particle_count: usize) -> Vec<Garment> {
    make(kind, avatar, particle_count).unwrap_or_else(|error| panic!("{kind:?}: {error}"))
}

/// What the person of capsules wears of the one of [`KINDS`]: made once for all tests.
pub(super) fn worn(kind: GarmentKind) -> &'static [Garment] {
    static WORN: [OnceLock<Vec<Garment>>; KINDS.len()] = [const { OnceLock::new() }; KINDS.len()];
    let of_kind = KINDS.iter().zip(&WORN).find(|(of, _)| of.0 == kind);
    let ((_, count), worn) = of_kind.expect("it is one of them");
    worn.get_or_init(|| made(kind, &capsule_person(), *count))
}

/// Least distance to the skin, and whether anything is inside it, over particles and middles of triangles.
fn clearance(body: &SkinMesh, garment: &SkinMesh) -> (f64, usize) {
    let tree = TriangleTree::new(&body.positions, &body.triangles);
    let middles = garment
        .triangles
        .iter()
        .map(|triangle| triangle.map(|ix| garment.positions[ix as usize]));
    let middles = middles.map(|corners| corners.iter().sum::<Vec3>() / 3.0);
    let (mut least, mut inside_count) = (f64::INFINITY, 0);
    for point in garment
        .positions
        .iter()
        .copied()
        .chain(middles)
        .map(|point| point.as_dvec3())
    {
        let nearest = tree.nearest_point(point, f64::INFINITY);
        least = least.min(nearest.map_or(0.0, |nearest| nearest.distance));
        inside_count += usize::from(tree.contains(point));
    }
    (least, inside_count)
}

fn surface(mesh: &SkinMesh) -> Surface {
    Surface {
        positions: mesh.positions.clone(),
        triangles: mesh.triangles.clone(),
    }
}

/// How many edges of one mesh pass through triangles of the other.
fn crossing_count(a: &SkinMesh, b: &SkinMesh) -> usize {
    let tree = TriangleTree::new(&b.positions, &b.triangles);
    let crosses = |edge: &surface::Edge| {
        let [from, to] = edge.ends.map(|ix| a.positions[ix as usize].as_dvec3());
        tree.first_hit(from, to - from, 1.0).is_some()
    };
    surface(a)
        .edges()
        .iter()
        .filter(|edge| crosses(edge))
        .count()
}

fn assert_clean(garment: &Garment, border_count: usize) {
    let name = &garment.name;
    let surface = surface(&garment.mesh);
    let mut uses: BTreeMap<[u32; 2], usize> = BTreeMap::new();
    for [a, b, c] in &garment.mesh.triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *uses.entry([*from.min(to), *from.max(to)]).or_default() += 1;
        }
    }
    assert!(uses.values().all(|&count| count <= 2), "{name} branches");
    let borders = surface.border_loops();
    let starts: Vec<Vec3> = borders
        .iter()
        .map(|border| surface.positions[border[0] as usize])
        .collect();
    assert_eq!(
        borders.len(),
        border_count,
        "the {name} has borders from {starts:?}"
    );
    assert_eq!(
        surface.largest_piece().positions.len(),
        surface.positions.len(),
        "{name} is in pieces"
    );
}

/// Metres, the shortest first.
fn edge_lengths(surface: &Surface) -> Vec<f32> {
    let place = |ix: u32| surface.positions[ix as usize];
    let mut lengths: Vec<f32> = surface
        .edges()
        .iter()
        .map(|edge| place(edge.ends[0]).distance(place(edge.ends[1])))
        .collect();
    lengths.sort_by(f32::total_cmp);
    lengths
}

fn assert_even(garment: &Garment) {
    let name = &garment.name;
    let surface = surface(&garment.mesh);
    let lengths = edge_lengths(&surface);
    let (low, high) = (
        lengths[lengths.len() / 20],
        lengths[lengths.len() * 19 / 20],
    );
    assert!(
        high < 1.6 * low,
        "{name}: 90 % of the edges are {low} to {high}"
    );
    for ix in 0..surface.triangles.len() as u32 {
        let [a, b, c] = surface.corners(ix);
        let least = [(a, b, c), (b, c, a), (c, a, b)].map(|(a, b, c)| (b - a).angle_between(c - a));
        let least = least.into_iter().fold(f32::INFINITY, f32::min).to_degrees();
        assert!(
            least > 15.0,
            "{name} has an angle of {least} degrees near {a}"
        );
    }
}

fn border_count(name: &str) -> usize {
    match name {
        // An open front joins collar and hem.
        "trousers" | "overcoat" => 3,
        "top" => 4,
        "skirt" => 2,
        _ => 1,
    }
}

#[test]
fn garments_are_clean_even_and_outside_the_body() {
    let person = capsule_person();
    for (kind, count) in KINDS {
        let garments = worn(kind);
        let particles: usize = garments
            .iter()
            .map(|garment| garment.mesh.positions.len())
            .sum();
        // A scarf is woven in whole rows.
        let off = if kind == GarmentKind::ScarfOverTop {
            count / 100
        } else {
            0
        };
        assert!(particles.abs_diff(count) <= off, "{kind:?}: {particles}");
        for garment in garments {
            assert_clean(garment, border_count(&garment.name));
            assert_even(garment);
            let (least, inside_count) = clearance(&person.skin, &garment.mesh);
            assert_eq!(inside_count, 0, "{}", garment.name);
            assert!(
                least > 0.004,
                "{} comes within {least} of the skin",
                garment.name
            );
            assert_eq!(crossing_count(&garment.mesh, &person.skin), 0);
            assert_eq!(crossing_count(&person.skin, &garment.mesh), 0);
        }
    }
}

/// The capsules' thighs are far apart, the mannequin's nearly touch.
#[test]
fn a_crotch_is_cut_where_there_is_room_for_the_cloth_of_both_legs() {
    let mannequin = builtin::load_mannequin();
    let trousers = &made(GarmentKind::TrousersAndTop, &mannequin, 4825)[0];
    let lengths = edge_lengths(&surface(&trousers.mesh));
    let median = lengths[lengths.len() / 2];
    let pressed = lengths.partition_point(|&length| length < 0.5 * median);
    assert_eq!(pressed, 0, "the shortest is {} m of {median}", lengths[0]);
}

#[test]
fn garments_that_are_worn_together_do_not_cross() {
    let alone = [
        GarmentKind::Cape,
        GarmentKind::Skirt,
        GarmentKind::OvercoatOverAll,
    ];
    let together = KINDS.iter().filter(|(kind, _)| !alone.contains(kind));
    let finer = made(GarmentKind::TrousersAndTop, &capsule_person(), 4825);
    for garments in together.map(|&(kind, _)| worn(kind)).chain([&finer[..]]) {
        for (ix, one) in garments.iter().enumerate() {
            for other in garments.iter().enumerate().filter(|other| other.0 != ix) {
                let found = crossing_count(&one.mesh, &other.1.mesh);
                assert_eq!(found, 0, "{} through {}", one.name, other.1.name);
            }
        }
    }
}

#[test]
fn weights_sum_to_one_and_attachments_are_at_the_top() {
    for (kind, _) in KINDS {
        for garment in worn(kind) {
            let mesh = &garment.mesh;
            for weights in &mesh.weights {
                assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
                assert!(weights.windows(2).all(|pair| pair[0] >= pair[1]));
            }
            let heights = mesh.positions.iter().map(|position| position.y);
            let (low, high) = heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| {
                (low.min(y), high.max(y))
            });
            assert!(
                !garment.attachments.is_empty(),
                "{} falls off",
                garment.name
            );
            assert!(
                garment
                    .attachments
                    .windows(2)
                    .all(|pair| pair[0].particle_ix < pair[1].particle_ix)
            );
            for attachment in &garment.attachments {
                let y = mesh.positions[attachment.particle_ix as usize].y;
                assert!(
                    y > low + 0.6 * (high - low),
                    "{} is held at {y}",
                    garment.name
                );
            }
        }
    }
}

#[test]
fn the_same_character_gets_the_same_garment() {
    let first = worn(GarmentKind::Skirt);
    let second = made(GarmentKind::Skirt, &capsule_person(), 900);
    assert_eq!(first[0].mesh.positions, second[0].mesh.positions);
    assert_eq!(first[0].mesh.triangles, second[0].mesh.triangles);
    assert_eq!(first[0].mesh.weights, second[0].mesh.weights);
}

#[test]
fn both_sides_are_alike() {
    for garment in worn(GarmentKind::TrousersAndTop) {
        let positions = &garment.mesh.positions;
        let right = positions
            .iter()
            .map(|position| position.x)
            .fold(f32::INFINITY, f32::min);
        let left = positions
            .iter()
            .map(|position| position.x)
            .fold(f32::NEG_INFINITY, f32::max);
        assert!(
            (left + right).abs() < 0.01,
            "{} reaches from {right} to {left}",
            garment.name
        );
    }
}

#[test]
fn giants_and_characters_that_lie_down_are_dressed_alike() {
    let person = capsule_person();
    let moves = [
        Mat4::from_scale(Vec3::splat(2.3)),
        Mat4::from_rotation_x(std::f32::consts::FRAC_PI_2),
    ];
    for moved_from_bind in moves {
        let other = moved(person.clone(), moved_from_bind);
        for garment in made(GarmentKind::TrousersAndTop, &other, 1297) {
            assert_clean(&garment, border_count(&garment.name));
            let (least, inside_count) = clearance(&other.skin, &garment.mesh);
            assert_eq!(inside_count, 0);
            assert!(least > 0.004);
        }
    }
}

#[test]
fn a_skeleton_without_telling_names_is_dressed_by_its_shape() {
    let mut person = capsule_person();
    for (ix, node) in person.skeleton.nodes.iter_mut().enumerate() {
        node.name = format!("node.{ix:03}");
    }
    for garment in made(GarmentKind::TrousersAndTop, &person, 1297) {
        assert_clean(&garment, border_count(&garment.name));
        assert_eq!(clearance(&person.skin, &garment.mesh).1, 0);
    }
}

#[test]
fn what_is_no_humanoid_is_refused_and_gets_a_sheet() {
    let mut worm = capsule_person();
    worm.skeleton.joints.truncate(3);
    worm.skin
        .joints
        .iter_mut()
        .flatten()
        .for_each(|joint_ix| *joint_ix = (*joint_ix).min(2));
    let error = make(GarmentKind::Skirt, &worm, 900);
    assert!(
        matches!(
            error,
            Err(GarmentError::NotHumanoid {
                missing: "two legs",
                ..
            })
        ),
        "{error:?}"
    );
    let sheet = sheet_over(&worm, 1000);
    assert!(sheet.mesh.positions.len().abs_diff(1000) <= 20);
    assert!(sheet.attachments.is_empty());
    assert_clean(&sheet, 1);
    assert_even(&sheet);
    let highest = worm
        .skin
        .positions
        .iter()
        .map(|position| position.y)
        .fold(0.0, f32::max);
    assert!(
        sheet
            .mesh
            .positions
            .iter()
            .all(|position| position.y > highest)
    );
    assert!(
        surface(&sheet.mesh)
            .vertex_normals()
            .iter()
            .all(|normal| normal.y > 0.99)
    );
}

#[test]
fn a_sheet_follows_the_joints_that_carry_the_skin_and_covers_where_it_will_be() {
    let mut person = capsule_person();
    // A root that moves nothing, such as the ground a rig stands on, comes first.
    person
        .skeleton
        .joints
        .insert(0, person.skeleton.joints[0].clone());
    person
        .skin
        .joints
        .iter_mut()
        .flatten()
        .for_each(|joint_ix| *joint_ix += 1);
    let away = Vec3::new(2.0, 0.0, 0.5);
    let sheet = sheet_covering(&person, &[away], 1000);
    assert!(
        sheet
            .mesh
            .weights
            .iter()
            .all(|weights| (weights.iter().sum::<f32>() - 1.0).abs() < 1e-5)
    );
    let follows = |joints: &[u16; 8], weights: &[f32; 8]| {
        joints
            .iter()
            .zip(weights)
            .all(|(&joint_ix, &weight)| joint_ix > 0 || weight == 0.0)
    };
    assert!(follows(&sheet.mesh.joints[0], &sheet.mesh.weights[0]));
    let corners = |pick: fn(Vec3, Vec3) -> Vec3| sheet.mesh.positions.iter().copied().reduce(pick);
    let (low, high) = (
        corners(Vec3::min).unwrap_or_default(),
        corners(Vec3::max).unwrap_or_default(),
    );
    for place in person.skin.positions.iter().chain([&away]) {
        assert!(low.x < place.x && place.x < high.x && low.z < place.z && place.z < high.z);
    }
}

#[test]
fn cloth_rides_up_no_more_than_a_part_of_a_short_leg() {
    let mut tall = capsule_person();
    // A high hat: what is in proportion to the height is out of proportion to the legs.
    let hat = tall
        .skin
        .positions
        .iter_mut()
        .filter(|position| position.y > 1.7);
    hat.for_each(|position| position.y += 1.5);
    let body = body::Body::new(&tall, humanoid::Humanoid::find(&tall).expect("a person"));
    let shin = body.humanoid.legs[0]
        .mid
        .distance(body.humanoid.legs[0].end);
    let trousers = &made(GarmentKind::TrousersAndTop, &tall, 1297)[0];
    let calf = tall
        .skeleton
        .nodes
        .iter()
        .position(|node| node.name == "calf_l");
    let calf = calf.expect("it has calves") as u16;
    let on_calf = trousers.mesh.joints.iter().zip(&trousers.motion);
    let slides: Vec<_> = on_calf
        .filter(|(joints, _)| joints[0] == calf)
        .map(|(_, motion)| motion.max_distance)
        .collect();
    assert!(slides.len() > 20, "{}", slides.len());
    let least = slides.iter().copied().fold(f32::INFINITY, f32::min);
    assert!(
        least > 0.2 * shin && least < 0.6 * shin,
        "{least} m of {shin} m"
    );
}

#[test]
fn skin_that_is_missing_or_elsewhere_is_an_error_or_a_garment_but_no_panic() {
    let mut bare = capsule_person();
    bare.skin = SkinMesh::default();
    assert!(matches!(
        make(GarmentKind::Cape, &bare, 900),
        Err(GarmentError::NoSurface { .. })
    ));
    let mut huge = capsule_person();
    huge.skin
        .positions
        .iter_mut()
        .for_each(|position| *position *= 100.0);
    let _ = make(GarmentKind::TrousersAndTop, &huge, 900);
    let mut far = capsule_person();
    far.skin
        .positions
        .iter_mut()
        .for_each(|position| *position += Vec3::splat(50.0));
    let _ = make(GarmentKind::Overcoat, &far, 900);
    let mut collapsed = capsule_person();
    collapsed.skeleton.joints[1].bone_from_bind = Mat4::ZERO;
    let _ = make(GarmentKind::Skirt, &collapsed, 900);
}

#[test]
fn too_few_particles_are_refused() {
    let error = make(GarmentKind::Cape, &capsule_person(), 10);
    assert_eq!(
        error.err(),
        Some(GarmentError::TooFewParticles { count: 10 })
    );
}

#[test]
fn a_skirt_from_a_file_is_held_at_its_waist() {
    let person = capsule_person();
    let skirt = worn(GarmentKind::Skirt)[0].clone();
    let named = NamedSkin {
        name: "kilt".to_owned(),
        mesh: skirt.mesh.clone(),
        motion: vec![[0.1, 0.02, 0.05]; skirt.mesh.positions.len()],
        parts: Vec::new(),
    };
    let taken = from_named_skin(&named, &person);
    assert_eq!(taken.mesh.positions, skirt.mesh.positions);
    let top = skirt
        .mesh
        .positions
        .iter()
        .map(|position| position.y)
        .fold(0.0, f32::max);
    assert!(taken.attachments.len() > 10);
    assert!(taken.motion.iter().all(|motion| motion.max_distance == 0.1));
    for attachment in &taken.attachments {
        assert!(taken.mesh.positions[attachment.particle_ix as usize].y > top - 0.01);
    }
}

/// The mesh with its vertices split along a seam from top to hem, as a texture's border splits them.
fn split_behind(mesh: &SkinMesh) -> SkinMesh {
    let mut split = mesh.clone();
    let mut copies = BTreeMap::new();
    let middle_x = |triangle: &[u32; 3]| {
        let corners = triangle.map(|ix| mesh.positions[ix as usize].x);
        corners.iter().sum::<f32>() / 3.0
    };
    for triangle in split
        .triangles
        .iter_mut()
        .filter(|triangle| middle_x(triangle) > 0.0)
    {
        for corner in triangle {
            let from = *corner as usize;
            *corner = *copies.entry(*corner).or_insert_with(|| {
                split.positions.push(mesh.positions[from]);
                split.normals.push(mesh.normals[from]);
                split.uvs.push(mesh.uvs[from] + glam::Vec2::ONE);
                split.joints.push(mesh.joints[from]);
                split.weights.push(mesh.weights[from]);
                split.positions.len() as u32 - 1
            });
        }
    }
    split
}

#[test]
fn a_garment_that_its_texture_splits_is_simulated_in_one_piece_and_drawn_as_it_was() {
    let person = capsule_person();
    let skirt = worn(GarmentKind::Skirt)[0].clone();
    let part = crate::avatar::Part {
        triangles: 0..skirt.mesh.triangles.len() as u32,
        base_colour: [1.0; 4],
        texture_ix: Some(0),
        alpha_cutoff: 0.0,
    };
    let named = NamedSkin {
        name: "kilt".to_owned(),
        mesh: split_behind(&skirt.mesh),
        motion: Vec::new(),
        parts: vec![part],
    };
    assert!(named.mesh.positions.len() > skirt.mesh.positions.len());
    let taken = from_named_skin(&named, &person);
    assert_eq!(taken.mesh.positions.len(), skirt.mesh.positions.len());
    assert_eq!(taken.mesh.triangles.len(), skirt.mesh.triangles.len());
    assert_clean(&taken, border_count("skirt"));
    let drawn = taken.drawn.expect("there are seams and a texture");
    assert!(drawn.is_sound(taken.mesh.positions.len(), 1));
    assert_eq!(
        (&drawn.triangles, &drawn.uvs),
        (&named.mesh.triangles, &named.mesh.uvs)
    );
    assert_eq!(drawn.parts[0].texture_ix, Some(0));
    for (vertex_ix, &particle_ix) in drawn.particles.iter().enumerate() {
        let particle = taken.mesh.positions[particle_ix as usize];
        assert_eq!(particle, named.mesh.positions[vertex_ix]);
    }
}

#[test]
fn copies_that_disagree_about_their_hold_are_held_by_all_of_it() {
    let mut mesh = worn(GarmentKind::Skirt)[0].mesh.clone();
    let count = mesh.positions.len();
    let last = mesh.positions.len() - 1;
    mesh.positions.push(mesh.positions[last]);
    mesh.normals.push(mesh.normals[last]);
    mesh.uvs.push(mesh.uvs[last]);
    let (mut joints, mut weights) = ([0; MAX_INFLUENCES], [0.0; MAX_INFLUENCES]);
    (joints[0], weights[0]) = (7, 1.0);
    mesh.joints[last] = [0; 8];
    mesh.weights[last] = weights;
    mesh.joints.push(joints);
    mesh.weights.push(weights);
    let mut motion = vec![[0.5, 0.0, 0.0]; count + 1];
    motion[count] = [0.1, 0.02, 0.05];
    let named = NamedSkin {
        name: "kilt".to_owned(),
        mesh,
        motion,
        parts: Vec::new(),
    };
    let taken = from_named_skin(&named, &capsule_person());
    assert_eq!(taken.mesh.positions.len(), count);
    assert_eq!(taken.motion[last].max_distance, 0.1);
    assert_eq!(taken.mesh.joints[last][..2], [0, 7]);
    assert_eq!(taken.mesh.weights[last][..2], [0.5, 0.5]);
}

#[test]
fn whoever_lies_is_known_to_lie() {
    let person = capsule_person();
    assert_eq!(upright_axis(&person), Some(Vec3::Y));
    let lying = moved(person, Mat4::from_rotation_x(std::f32::consts::FRAC_PI_2));
    assert_eq!(upright_axis(&lying), Some(Vec3::Z));
    assert_eq!(upright_axis(&Avatar::default()), None);
}
