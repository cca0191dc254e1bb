use super::*;
use crate::math::test_meshes::TestMesh;
use std::f32::consts::TAU;

const AIR: Surroundings = Surroundings {
    ground_height: -10.0,
    frame_seconds: 0.5,
    scale: 1.0,
};

/// A level sheet of squares 4 cm wide, at a height, facing up, its middle over the origin.
fn sheet(squares: u32, height: f32) -> TestMesh {
    let side = squares + 1;
    let at = |ix: u32| (ix as f32 - squares as f32 * 0.5) * 0.04;
    let square = |ix: u32| {
        let first = ix / squares * side + ix % squares;
        let [a, b, c, d] = [first, first + 1, first + side, first + side + 1];
        [[a, c, b], [b, c, d]]
    };
    TestMesh {
        positions: (0..side * side)
            .map(|ix| Vec3::new(at(ix % side), height, at(ix / side)))
            .collect(),
        triangles: (0..squares * squares).flat_map(square).collect(),
    }
}

/// An upright tube open at both ends, 60 cm long, seen from outside.
fn tube(radius: f32, segments: u32, rings: u32) -> TestMesh {
    let place = |ix: u32| {
        let (sin, cos) = (TAU * (ix % segments) as f32 / segments as f32).sin_cos();
        let height = 0.6 * (ix / segments) as f32 / rings as f32 - 0.3;
        Vec3::new(radius * sin, height, radius * cos)
    };
    let quad = |ix: u32| {
        let (ring, segment) = (ix / segments, ix % segments);
        let at = |ring: u32, segment: u32| ring * segments + segment % segments;
        let [a, b] = [at(ring, segment), at(ring, segment + 1)];
        let [c, d] = [at(ring + 1, segment), at(ring + 1, segment + 1)];
        [[a, b, c], [b, d, c]]
    };
    TestMesh {
        positions: (0..segments * (rings + 1)).map(place).collect(),
        triangles: (0..segments * rings).flat_map(quad).collect(),
    }
}

/// A closed limb 1 m long and 10 cm thick.
fn limb() -> TestMesh {
    let mut mesh = TestMesh::sphere(Vec3::ZERO, 1.0, 24, 24);
    for p in &mut mesh.positions {
        let round = Vec3::new(p.x, 0.0, p.z).normalize_or_zero() * 0.05;
        *p = round * (1.0 - p.y.powi(8)) + Vec3::Y * 0.5 * p.y;
    }
    mesh
}

fn moved(positions: &[Vec3], by: Vec3) -> Vec<Vec3> {
    positions.iter().map(|&p| p + by).collect()
}

fn oracle(body: &TestMesh, garments: &[&TestMesh]) -> SeenOracle {
    let worn: Vec<_> = garments
        .iter()
        .map(|mesh| Worn {
            name: "cloth",
            triangles: &mesh.triangles,
            bind_positions: &mesh.positions,
            rest_positions: &mesh.positions,
        })
        .collect();
    SeenOracle::new(&body.positions, &body.triangles, &worn, AIR).expect("sound meshes")
}

/// The figures of a body and a garment as they are made, with both moved in the frame.
fn look(body: &TestMesh, cloth: &TestMesh, body_by: Vec3, cloth_by: Vec3) -> FrameFigures {
    let mut oracle = oracle(body, &[cloth]);
    let found = oracle.measure(
        &moved(&body.positions, body_by),
        &[&moved(&cloth.positions, cloth_by)],
    );
    found.expect("finite positions")[0]
}

fn a_box(height: f32) -> TestMesh {
    let low = Vec3::new(-0.31, -0.5, -0.31);
    TestMesh::cuboid(low, Vec3::new(0.31, height, 0.31))
}

#[test]
fn skin_that_stands_four_millimetres_out_of_a_sheet_is_deep_and_two_are_not() {
    let cloth = sheet(20, 0.0);
    let through = |mm: f32| look(&a_box(0.0), &cloth, Vec3::Y * mm * 1e-3, Vec3::ZERO);
    assert_eq!(through(2.0).deep, 0);
    // The four upright edges of the box and the diagonals of its sides.
    assert!((4..=16).contains(&through(4.0).deep), "{:?}", through(4.0));
    assert_eq!(through(4.0).deep, through(4.0).deep_seen);
    assert_eq!(through(-1.0).deep, 0, "beneath the sheet");
    assert_eq!(through(0.0).deep, 0, "touches");
}

#[test]
fn a_limb_through_a_sheet_from_the_wrong_side_is_deep_only_on_the_outer_side() {
    // The box's top is beneath the sheet's outer side as far as its edges go: only ends above it count.
    let cloth = sheet(20, 0.0);
    let mut turned = cloth.clone();
    turned.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    let body = a_box(0.001);
    assert_eq!(look(&body, &cloth, Vec3::ZERO, Vec3::ZERO).deep, 0);
    // Seen from below the outer side is down, where the box's other ends stand half a metre out.
    assert!(look(&body, &turned, Vec3::ZERO, Vec3::ZERO).deep >= 4);
}

#[test]
fn what_comes_out_of_another_part_under_the_cloth_is_deep_but_not_seen() {
    // A table under the sheet, and a pole that comes out of it.
    let cloth = sheet(20, 0.0);
    let table =
        |top: f32| TestMesh::cuboid(Vec3::new(-0.31, -0.5, -0.31), Vec3::new(0.31, top, 0.31));
    let pole = TestMesh::cuboid(Vec3::new(-0.05, -0.3, -0.05), Vec3::new(0.05, 0.1, 0.05));
    let through = |top: f32| {
        let both = pole.clone().with(table(top));
        look(&both, &cloth, Vec3::ZERO, Vec3::ZERO)
    };
    let lying = through(-0.01);
    assert!(lying.deep > 0, "{lying:?}");
    assert_eq!(
        lying.deep_seen, 0,
        "cloth on the table has the pole through it, whatever it does"
    );
    let hanging = through(-0.1);
    assert_eq!(
        hanging.deep, hanging.deep_seen,
        "10 cm over the table it could lie over the pole"
    );
}

#[test]
fn what_stands_out_inside_another_part_of_the_body_is_deep_but_not_seen() {
    let cloth = sheet(20, 0.0);
    let pole = TestMesh::cuboid(Vec3::new(-0.05, -0.3, -0.05), Vec3::new(0.05, 0.1, 0.05));
    let alone = look(&pole, &cloth, Vec3::ZERO, Vec3::ZERO);
    assert!(alone.deep > 0 && alone.deep == alone.deep_seen, "{alone:?}");
    // A lump above the sheet holds the pole's end.
    let lump = TestMesh::cuboid(Vec3::new(-0.2, 0.01, -0.2), Vec3::new(0.2, 0.4, 0.2));
    let both = look(&pole.clone().with(lump), &cloth, Vec3::ZERO, Vec3::ZERO);
    assert_eq!((both.deep, both.deep_seen), (alone.deep, 0));
}

#[test]
fn a_limb_in_its_sleeve_is_not_bare_and_beside_it_it_is() {
    let (limb, sleeve) = (limb(), tube(0.06, 24, 12));
    let worn = look(&limb, &sleeve, Vec3::ZERO, Vec3::ZERO);
    assert_eq!((worn.bare_percent, worn.deep), (0.0, 0));
    let with_its_limb = look(&limb, &sleeve, Vec3::X, Vec3::X);
    assert_eq!((with_its_limb.bare_percent, with_its_limb.deep), (0.0, 0));
    let beside = look(&limb, &sleeve, Vec3::X * 0.2, Vec3::ZERO);
    assert!((beside.bare_percent - 100.0).abs() < 1e-9, "{beside:?}");
    // A mantle 5 cm round, and what lies 5 cm from the hems is not judged: 50 cm of it.
    let mantle_cm2 = f64::from(TAU) * 5.0 * 50.0;
    assert!(
        (beside.bare_cm2 / mantle_cm2 - 1.0).abs() < 0.15,
        "{beside:?}"
    );
    let half_off = look(&limb, &sleeve, Vec3::ZERO, Vec3::Y * 0.3);
    assert!(
        (40.0..60.0).contains(&half_off.bare_percent),
        "{half_off:?}"
    );
}

#[test]
fn a_sleeve_slid_by_less_than_its_hem_leaves_nothing_bare() {
    let slid = look(&limb(), &tube(0.06, 24, 12), Vec3::ZERO, Vec3::Y * 0.04);
    assert_eq!(slid.bare_percent, 0.0);
}

#[test]
fn the_cloth_of_another_limb_covers_nothing() {
    // Two legs in one garment; then the left stands out of its tube, beside the right one that is still clothed.
    let apart = Vec3::X * 0.16;
    let shift = |mesh: TestMesh, by: Vec3| TestMesh {
        positions: moved(&mesh.positions, by),
        triangles: mesh.triangles,
    };
    let legs = limb().with(shift(limb(), apart));
    let tubes = tube(0.06, 24, 12).with(shift(tube(0.06, 24, 12), apart));
    let mut oracle = oracle(&legs, &[&tubes]);
    let worn = oracle.measure(&legs.positions, &[&tubes.positions]);
    assert_eq!(worn.expect("finite")[0].bare_percent, 0.0);
    let mut off = tubes.positions.clone();
    let half = off.len() / 2;
    off[..half].iter_mut().for_each(|p| p.x -= 0.5);
    let bare = oracle.measure(&legs.positions, &[&off]).expect("finite")[0];
    assert!((bare.bare_percent - 50.0).abs() < 1.0, "{bare:?}");
}

#[test]
fn skin_that_the_body_covers_itself_is_not_bare() {
    let sleeve = tube(0.06, 24, 12);
    let lump = TestMesh::cuboid(Vec3::new(1.0, -0.6, -0.3), Vec3::new(2.0, 0.6, 0.3));
    let body = limb().with(lump);
    let mut oracle = oracle(&body, &[&sleeve]);
    let mut folded = body.positions.clone();
    let limb_count = limb().positions.len();
    folded[limb_count..].iter_mut().for_each(|p| p.x -= 1.5);
    let away = moved(&sleeve.positions, Vec3::Z * 2.0);
    let bare = oracle.measure(&body.positions, &[&away]).expect("finite")[0];
    let hidden = oracle.measure(&folded, &[&away]).expect("finite")[0];
    assert!((bare.bare_percent - 100.0).abs() < 1e-9, "{bare:?}");
    assert_eq!(hidden.bare_percent, 0.0);
}

/// A box under a sheet 1 cm above it, and a lid that is elsewhere when the clothes are made. In the frame the lid's lower
/// side is `lid_at` above the box, and the sheet `sheet_at`.
fn bare_under_a_lid(lid_at: f32, sheet_at: f32) -> f64 {
    let lid = TestMesh::cuboid(Vec3::new(2.0, 0.0, -0.4), Vec3::new(2.8, 0.03, 0.4));
    let body = a_box(0.0).with(lid);
    let cloth = sheet(20, 0.01);
    let mut oracle = oracle(&body, &[&cloth]);
    let mut frame = body.positions.clone();
    frame[8..]
        .iter_mut()
        .for_each(|p| *p += Vec3::new(-2.4, lid_at, 0.0));
    let sheet = moved(&cloth.positions, Vec3::Y * (sheet_at - 0.01));
    oracle.measure(&frame, &[&sheet]).expect("finite")[0].bare_percent
}

#[test]
fn skin_close_under_other_skin_is_hidden_and_cloth_beyond_that_covers_nothing() {
    assert_eq!(bare_under_a_lid(0.005, -9.0), 0.0);
    assert_eq!(bare_under_a_lid(0.03, -9.0), 100.0);
    assert_eq!(bare_under_a_lid(0.03, 0.1), 100.0, "the lid's own cover");
    assert_eq!(bare_under_a_lid(9.0, 0.1), 0.0, "nothing in between");
}

#[test]
fn bare_skin_that_no_line_leads_to_is_not_seen() {
    let (body, cloth) = (a_box(0.0), sheet(20, 0.01));
    let tent = TestMesh::cuboid(Vec3::splat(-2.0), Vec3::splat(2.0));
    let mut oracle = oracle(&body, &[&cloth, &tent]);
    let away = moved(&cloth.positions, Vec3::Y * -9.0);
    let mut beneath = |tent_at: Vec3| {
        let tent = moved(&tent.positions, tent_at);
        let figures = oracle.measure(&body.positions, &[&away, &tent]);
        let found = figures.expect("finite")[0];
        [found.bare_percent, found.bare_seen_percent]
    };
    assert_eq!(beneath(Vec3::ZERO), [100.0, 0.0], "in another garment");
    assert_eq!(beneath(Vec3::X * 9.0), [100.0, 100.0]);
}

#[test]
fn cloth_made_far_off_covers_nothing() {
    let (body, cloth) = (a_box(0.0), sheet(20, 0.15));
    let away = look(&body, &cloth, Vec3::ZERO, Vec3::Y * 9.0);
    assert_eq!((away.bare_percent, away.bare_cm2), (0.0, 0.0));
}

#[test]
fn a_stretched_edge_shows_against_its_rest_length_and_calm_is_two_seconds() {
    let cloth = sheet(10, 1.0);
    let body = a_box(0.0);
    let mut oracle = oracle(&body, &[&cloth]);
    let mut pulled = cloth.positions.clone();
    pulled[0] -= Vec3::X * 0.04;
    let wide: Vec<Vec3> = cloth.positions.iter().map(|&p| p * 3.0).collect();
    // Half a second a frame: the fifth begins at two seconds.
    let frames = [
        &cloth.positions,
        &pulled,
        &cloth.positions,
        &cloth.positions,
        &wide,
    ];
    for positions in frames {
        oracle
            .measure(&body.positions, &[positions])
            .expect("finite");
    }
    let figures = &oracle.figures()[0];
    assert!(
        (figures.stretch.first_max - 1.0).abs() < 1e-5,
        "{figures:?}"
    );
    assert!((figures.stretch.calm_max - 2.0).abs() < 1e-5, "{figures:?}");
    assert!((figures.stretch.p95 - 3.0).abs() < 1e-3, "{figures:?}");
    assert!((figures.series.stretch_max[1] - 2.0).abs() < 1e-5);
    assert!((figures.series.stretch_p99[1] - 1.0).abs() < 1e-5);
    assert!((figures.series.stretch_p99[4] - 3.0).abs() < 1e-5);
}

#[test]
fn sheets_that_cross_are_counted_on_both_sides_and_neighbours_are_not() {
    let flat = sheet(10, 0.5);
    let upright = TestMesh {
        positions: flat
            .positions
            .iter()
            .map(|p| Vec3::new(0.013, p.x + 0.507, p.z + 0.011))
            .collect(),
        triangles: flat.triangles.clone(),
    };
    let body = a_box(0.0);
    assert_eq!(look(&body, &flat, Vec3::ZERO, Vec3::ZERO).self_crossings, 0);
    let both = flat.clone().with(upright.clone());
    let tangled = look(&body, &both, Vec3::ZERO, Vec3::ZERO);
    assert!((30..=60).contains(&tangled.self_crossings), "{tangled:?}");
    let mut of_two = oracle(&body, &[&flat, &upright]);
    let found = of_two
        .measure(&body.positions, &[&flat.positions, &upright.positions])
        .expect("finite");
    let between: usize = found.iter().map(|frame| frame.garment_crossings).sum();
    assert_eq!(between, tangled.self_crossings);
    assert!(found.iter().all(|frame| frame.self_crossings == 0));
    let aside = moved(&upright.positions, Vec3::X * 3.0);
    let apart = of_two.measure(&body.positions, &[&flat.positions, &aside]);
    assert_eq!(apart.expect("finite")[0].garment_crossings, 0);
}

#[test]
fn triangles_that_share_a_corner_do_not_count_as_crossing() {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    let fold = [[0.3, -0.1, 0.3], [0.3, 0.1, 0.3], [0.0, 0.0, 0.0]];
    let positions = corners.into_iter().chain(fold).map(Vec3::from).collect();
    let sharing = |corner: u32| TestMesh {
        positions: Vec::clone(&positions),
        triangles: vec![[0, 1, 2], [3, 4, corner]],
    };
    let count = |mesh: &TestMesh| look(&a_box(-0.3), mesh, Vec3::ZERO, Vec3::ZERO).self_crossings;
    assert_eq!(count(&sharing(0)), 0);
    assert_eq!(count(&sharing(5)), 2);
}

#[test]
fn particles_more_than_a_millimetre_under_the_ground_count() {
    let cloth = sheet(1, 0.0);
    let mut oracle = oracle(&a_box(-0.2), &[&cloth]);
    oracle.surroundings.ground_height = 0.5;
    let heights = [0.5, 0.4995, 0.498, 0.0];
    let positions: Vec<_> = cloth
        .positions
        .iter()
        .zip(heights)
        .map(|(p, y)| Vec3::new(p.x, y, p.z))
        .collect();
    let body = a_box(-0.2).positions;
    let found = oracle.measure(&body, &[&positions]).expect("finite");
    assert_eq!(found[0].underground, 2);
}

#[test]
fn the_stand_off_is_that_of_touching_cloth_alone() {
    let cloth = sheet(10, 0.004);
    let body = a_box(0.0);
    let mut oracle = oracle(&body, &[&cloth]);
    let mut lifted = cloth.positions.clone();
    lifted[..40].iter_mut().for_each(|p| p.y = 0.5);
    oracle.measure(&body.positions, &[&lifted]).expect("finite");
    let stand_off = oracle.figures()[0].stand_off;
    assert!((stand_off.median_mm - 4.0).abs() < 0.02, "{stand_off:?}");
    assert!((stand_off.p95_mm - 4.0).abs() < 0.02, "{stand_off:?}");
}

#[test]
fn torn_frames_and_the_end_are_summed_up() {
    let cloth = sheet(20, 0.0);
    let body = a_box(-0.01);
    let out = moved(&body.positions, Vec3::Y * 0.1);
    let mut oracle = oracle(&body, &[&cloth]);
    for positions in [&body.positions, &out, &out, &body.positions] {
        oracle
            .measure(positions, &[&cloth.positions])
            .expect("finite");
    }
    let figures = &oracle.figures()[0];
    assert!(figures.deep.worst > 5.0, "{figures:?}");
    assert_eq!((figures.deep.end, figures.deep.worst_frame), (0.0, 1));
    assert_eq!(
        (figures.torn.percent, figures.torn.longest_seconds),
        (50.0, 1.0)
    );
    assert_eq!(figures.torn, figures.torn_seen);
    let json = serde_json::to_value(figures).expect("plain numbers");
    assert_eq!(json["series"]["deep"].as_array().map(Vec::len), Some(4));
}

#[test]
fn the_thread_count_changes_no_bit() {
    let (body, cloth) = (limb(), tube(0.048, 24, 12));
    let on_threads = |count: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
        pool.expect("a pool").install(|| {
            let mut oracle = oracle(&body, &[&cloth]);
            let frame =
                oracle.measure(&body.positions, &[&moved(&cloth.positions, Vec3::X * 0.01)]);
            (frame.expect("finite"), oracle.figures())
        })
    };
    assert!(on_threads(1).0[0].bare_percent > 0.0);
    assert_eq!(on_threads(1), on_threads(3));
}

#[test]
fn what_cannot_be_judged_is_refused_and_not_counted() {
    let (body, cloth) = (a_box(0.0), sheet(2, 0.1));
    let mut oracle = oracle(&body, &[&cloth]);
    let refused = |found: Result<Vec<FrameFigures>, OracleError>| found.expect_err("refused");
    let none = refused(oracle.measure(&body.positions, &[]));
    assert!(matches!(
        none,
        OracleError::Count {
            what: "garments",
            ..
        }
    ));
    let short = refused(oracle.measure(&body.positions, &[&cloth.positions[1..]]));
    assert!(matches!(
        short,
        OracleError::Count {
            what: "particles",
            ..
        }
    ));
    let mut broken = cloth.positions.clone();
    broken[3].x = f32::NAN;
    let broken = refused(oracle.measure(&body.positions, &[&broken]));
    assert_eq!(
        broken,
        OracleError::NotFinite {
            what: "particle",
            ix: 3
        }
    );
    assert_eq!(oracle.figures()[0].frames, 0);
}
