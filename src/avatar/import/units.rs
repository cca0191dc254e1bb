//! Setting a file's units right.

use glam::Vec3;

use crate::avatar::{Avatar, TrackValues};

/// Characters taller than this are probably in centimetres or inches, in metres.
const TALLEST: f32 = 10.0;
/// Characters shorter than this are probably in kilometres or in units of their own, in metres.
const SHORTEST: f32 = 0.1;

/// A sentence for the user, if the body's height in the bind pose is not that of a character in metres: 10 cm to 10 m.
pub fn unit_warning(avatar: &Avatar) -> Option<String> {
    let height = avatar.bind_height();
    if (SHORTEST..=TALLEST).contains(&height) {
        return None;
    }
    let likely = [
        ("centimetres", 0.01),
        ("inches", 0.0254),
        ("millimetres", 0.001),
        ("kilometres", 1000.0),
    ];
    let fits = |scale: f32| (SHORTEST..=2.5).contains(&(height * scale));
    let hint = likely.iter().find(|(_, scale)| fits(*scale));
    let hint = hint.map_or("set its units with --scale".to_owned(), |(unit, scale)| {
        format!("if its file is in {unit}, give --scale {scale}")
    });
    let size = if height < 1.0 {
        format!("{:.1} mm", 1000.0 * height)
    } else {
        format!("{height:.1} m")
    };
    Some(format!("{} stands {size} tall; {hint}", avatar.name))
}

/// Makes a character `factor` times as large, motion included; scales and rotations of bones stay as they are.
pub(super) fn rescale(avatar: &mut Avatar, factor: f32) {
    let garments = avatar.garments.iter_mut().map(|garment| &mut garment.mesh);
    for mesh in std::iter::once(&mut avatar.skin).chain(garments) {
        scale_all(&mut mesh.positions, factor);
    }
    let motion = avatar
        .garments
        .iter_mut()
        .flat_map(|garment| &mut garment.motion);
    motion.flatten().for_each(|length| *length *= factor);
    for node in &mut avatar.skeleton.nodes {
        node.rest.translation *= factor;
    }
    for joint in &mut avatar.skeleton.joints {
        // Bone and bind space grow alike: only the way between their origins changes.
        joint.bone_from_bind.w_axis *= Vec3::splat(factor).extend(1.0);
    }
    for track in avatar.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        if let TrackValues::Translation(values) = &mut track.values {
            scale_all(values, factor);
        }
    }
}

fn scale_all(values: &mut [Vec3], factor: f32) {
    values.iter_mut().for_each(|value| *value *= factor);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::SkinMesh;

    fn warning_at(height: f32) -> Option<String> {
        let positions = vec![Vec3::ZERO, Vec3::Y * height];
        unit_warning(&Avatar {
            name: "Bob".into(),
            skin: SkinMesh {
                positions,
                ..SkinMesh::default()
            },
            ..Avatar::default()
        })
    }

    #[test]
    fn people_and_ogres_pass() {
        for height in [0.1, 1.75, 4.0, 10.0] {
            assert_eq!(warning_at(height), None, "{height}");
        }
    }

    #[test]
    fn suggests_a_scale() {
        let tall = warning_at(175.0).unwrap();
        assert_eq!(
            tall,
            "Bob stands 175.0 m tall; if its file is in centimetres, give --scale 0.01"
        );
        assert!(warning_at(1750.0).unwrap().contains("--scale 0.001"));
        let short = warning_at(0.00175).unwrap();
        assert!(
            short.starts_with("Bob stands 1.8 mm tall; ") && short.ends_with("--scale 1000"),
            "{short}"
        );
        assert!(warning_at(1e9).unwrap().contains("--scale"));
    }
}
