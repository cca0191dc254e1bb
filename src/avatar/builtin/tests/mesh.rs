//! Mesh, parts, and the files in `assets`.

use super::*;

fn assert_closed(avatar: &Avatar, budget: usize) {
    let count = avatar.skin.triangles.len();
    assert!(
        count.abs_diff(budget) * 50 <= budget,
        "{count} triangles instead of {budget}"
    );
    assert_eq!(euler_number(&avatar.skin), Ok(2), "{}", avatar.name);
    assert!(fans_are_whole(&avatar.skin), "{}", avatar.name);
    assert!(
        volume(&avatar.skin.positions, &avatar.skin.triangles) > 0.0,
        "{}",
        avatar.name
    );
}

#[test]
fn closed_manifolds_of_genus_zero_in_every_detail() {
    assert_closed(&LOW, 10_827);
    assert_closed(&OGRE, 17_211);
    assert_closed(&mannequin(Detail::Med), 37_744);
    assert_closed(&mannequin(Detail::High), 64_176);
}

#[test]
fn a_missing_triangle_is_noticed() {
    let mut mesh = LOW.skin.clone();
    mesh.triangles.swap_remove(100);
    assert!(euler_number(&mesh).is_err());
}

#[test]
fn generating_twice_gives_the_same_bits() {
    let again = mannequin(Detail::Low);
    assert_eq!(again.skin.positions, LOW.skin.positions);
    assert_eq!(again.skin.triangles, LOW.skin.triangles);
    assert_eq!(again.skin.weights, LOW.skin.weights);
}

#[test]
fn stand_on_the_floor_at_full_height() {
    for (avatar, height) in [(&LOW, 1.75), (&OGRE, 4.0)] {
        let ys = || avatar.skin.positions.iter().map(|p| p.y);
        assert!(
            (ys().fold(f32::MIN, f32::max) - height).abs() < 0.003 * height,
            "{}",
            avatar.name
        );
        assert!(
            ys().fold(f32::MAX, f32::min).abs() < 0.0005 * height,
            "{}",
            avatar.name
        );
    }
}

#[test]
fn triangles_are_no_slivers_and_face_along_their_normals() {
    for avatar in both() {
        let SkinMesh {
            positions,
            normals,
            triangles,
            ..
        } = &avatar.skin;
        let mut turned_count = 0;
        for triangle in triangles {
            let [a, b, c] = triangle.map(|v| positions[v as usize]);
            let cross = (b - a).cross(c - a);
            assert!(cross.length() > 1e-8, "{}: zero area at {a}", avatar.name);
            let mean: Vec3 = triangle.iter().map(|&v| normals[v as usize]).sum();
            turned_count += usize::from(cross.dot(mean) <= 0.0);
        }
        // In a fold as sharp as that of the ogre's ears no normal suits all faces round a vertex.
        let most = triangles.len() / 2000;
        assert!(
            turned_count <= most,
            "{}: {turned_count} turned",
            avatar.name
        );
        assert!(normals.iter().all(|n| n.is_normalized()), "{}", avatar.name);
    }
}

#[test]
fn parts_cover_all_triangles_in_order() {
    for (avatar, part_count) in [(&LOW, 2), (&OGRE, 4)] {
        assert_eq!(avatar.parts.len(), part_count);
        let mut next = 0;
        for part in &avatar.parts {
            assert_eq!(part.triangles.start, next);
            next = part.triangles.end;
        }
        assert_eq!(next as usize, avatar.skin.triangles.len());
    }
}

/// Files round weights to 16 bits.
const FILE_WEIGHT_TOLERANCE: f32 = 2.0 / 65_535.0;

#[test]
fn the_files_in_assets_are_what_the_generator_makes() {
    for (loaded, made) in [(load_mannequin(), &LOW), (load_ogre(), &OGRE)] {
        let stale = "assets are stale: run tools/make_assets and commit what it writes";
        assert_eq!(loaded.name, made.name);
        assert_eq!(loaded.skin.positions, made.skin.positions, "{stale}");
        assert_eq!(loaded.skin.triangles, made.skin.triangles, "{stale}");
        assert_eq!(loaded.skin.joints, made.skin.joints, "{stale}");
        let close = |(a, b): (&f32, &f32)| (a - b).abs() <= FILE_WEIGHT_TOLERANCE;
        let weights = loaded
            .skin
            .weights
            .iter()
            .flatten()
            .zip(made.skin.weights.iter().flatten());
        assert!(weights.into_iter().all(close), "{stale}");
        let names = |avatar: &Avatar| {
            avatar
                .skeleton
                .nodes
                .iter()
                .map(|n| n.name.clone())
                .collect::<BTreeSet<_>>()
        };
        assert_eq!(names(&loaded), names(made));
        assert_eq!(loaded.clips.len(), 1, "{stale}");
    }
}
