//! Setting a file's units right.

use glam::Vec3;

use crate::avatar::{Avatar, PERSON_HEIGHT, TrackValues};

/// Heights, metres, that are never taken for wrong units: toddlers to giants.
const USUAL: std::ops::RangeInclusive<f32> = 0.6..=4.0;
/// Metres of grown people: a unit that makes one of a character is probably its file's.
const GROWN: std::ops::RangeInclusive<f32> = 1.4..=2.2;

/// A sentence for the user, if the body's height in the bind pose is not that of a character in metres: 60 cm to 4 m. `given` is
/// the scale that the file was read with; the one that is suggested takes its place.
pub fn unit_warning(avatar: &Avatar, given: f32) -> Option<String> {
    let height = avatar.bind_height();
    if USUAL.contains(&height) {
        return None;
    }
    let size = length_in_words(height);
    let units = [
        ("centimetres", 0.01),
        ("inches", 0.0254),
        ("feet", 0.3048),
        ("millimetres", 0.001),
        ("decimetres", 0.1),
        ("kilometres", 1000.0),
    ];
    let in_file = height / given;
    let fits = |scale: f32| GROWN.contains(&(in_file * scale)) && scale != given;
    let person = PERSON_HEIGHT / in_file;
    let hint = match units.iter().find(|(_, scale)| fits(*scale)) {
        Some((unit, scale)) => format!("if its file is in {unit}, give --scale {scale}"),
        None if person.is_normal() => {
            format!("if it is a person, give --scale {}", two_digits(person))
        }
        None => "set its units with --scale".to_owned(),
    };
    Some(format!("{} stands {size} tall; {hint}", avatar.name))
}

fn length_in_words(metres: f32) -> String {
    match metres {
        metres if metres < 0.01 => format!("{:.1} mm", 1000.0 * metres),
        metres if metres < 1.0 => format!("{:.0} cm", 100.0 * metres),
        metres => format!("{metres:.1} m"),
    }
}

/// Rounded to two digits that count.
fn two_digits(number: f32) -> f64 {
    format!("{number:.1e}").parse().unwrap_or(f64::from(number))
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
    for solid in &mut avatar.solids {
        solid.form.rescale(factor);
        solid.frame_from_solid.w_axis *= Vec3::splat(factor).extend(1.0);
    }
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

    fn warning_at(height: f32, given: f32) -> Option<String> {
        let positions = vec![Vec3::ZERO, Vec3::Y * height];
        let avatar = Avatar {
            name: "Bob".into(),
            skin: SkinMesh {
                positions,
                ..SkinMesh::default()
            },
            ..Avatar::default()
        };
        unit_warning(&avatar, given)
    }

    #[test]
    fn people_and_ogres_pass() {
        for height in [0.6, 1.75, 4.0] {
            assert_eq!(warning_at(height, 1.0), None, "{height}");
        }
    }

    #[test]
    fn suggests_a_scale_that_makes_a_person_of_it() {
        let tall = warning_at(175.0, 1.0).unwrap();
        assert_eq!(
            tall,
            "Bob stands 175.0 m tall; if its file is in centimetres, give --scale 0.01"
        );
        for (height, scale) in [
            (1750.0, "0.001"),
            (0.00175, "1000"),
            (17.5, "0.1"),
            (70.0, "0.0254"),
            (5.8, "0.3048"),
            (24.0, "0.073"),
            (0.21, "8.3"),
        ] {
            let warning = warning_at(height, 1.0).unwrap();
            assert!(warning.ends_with(&format!("--scale {scale}")), "{warning}");
        }
        assert!(warning_at(0.21, 1.0).unwrap().contains("21 cm tall"));
        assert!(warning_at(0.00175, 1.0).unwrap().contains("1.8 mm tall"));
        assert!(warning_at(1e9, 1.0).unwrap().contains("--scale"));
    }

    #[test]
    fn what_it_suggests_takes_the_place_of_the_scale_that_was_given() {
        // 175 units in the file, read as half centimetres and as metres.
        assert!(warning_at(0.875, 0.005).is_none());
        let doubled = warning_at(350.0, 2.0).unwrap();
        assert!(
            doubled.ends_with("in centimetres, give --scale 0.01"),
            "{doubled}"
        );
        // What was given is not suggested again.
        let again = warning_at(24.0 * 0.01, 0.01).unwrap();
        assert!(again.ends_with("--scale 0.073"), "{again}");
    }
}
