//! Meshes as Wavefront OBJ text, for other people's checks and renderers.

use glam::Vec3;
use std::fmt::{self, Write as _};
use std::path::Path;

use crate::engine::output::{OutputError, write_whole};

/// One named mesh to write.
#[derive(Clone, Copy, Debug)]
pub struct Object<'a> {
    /// The OBJ object's name; line breaks and other control characters become spaces.
    pub name: &'a str,
    /// Metres.
    pub positions: &'a [Vec3],
    /// One a position, or none at all.
    pub normals: &'a [Vec3],
    /// Indices into the positions, counter-clockwise seen from outside.
    pub triangles: &'a [[u32; 3]],
}

/// Writes objects into one OBJ file, with every bit of the coordinates.
///
/// The file appears whole or not at all, see [`write_whole`].
///
/// # Errors
/// When normals or indices do not fit the positions, a number is not finite, or the file cannot be written.
pub fn write_obj(file: &Path, objects: &[Object]) -> Result<(), OutputError> {
    let text = text_of(objects).map_err(|fault| OutputError::File {
        file: file.to_owned(),
        cause: fault.into(),
    })?;
    write_whole(file, text.as_bytes())
}

fn text_of(objects: &[Object]) -> Result<String, String> {
    let mut text = String::new();
    let mut first_vertex = 1;
    let mut first_normal = 1;
    for object in objects {
        check(object)?;
        write_object(&mut text, object, first_vertex, first_normal)
            .expect("a string takes everything");
        first_vertex += object.positions.len();
        first_normal += object.normals.len();
    }
    Ok(text)
}

fn write_object(
    out: &mut String,
    object: &Object,
    first_vertex: usize,
    first_normal: usize,
) -> fmt::Result {
    writeln!(out, "o {}", object.name.replace(char::is_control, " "))?;
    for p in object.positions {
        writeln!(out, "v {} {} {}", p.x, p.y, p.z)?;
    }
    for n in object.normals {
        writeln!(out, "vn {} {} {}", n.x, n.y, n.z)?;
    }
    for triangle in object.triangles {
        write!(out, "f")?;
        for ix in triangle.map(|ix| ix as usize) {
            if object.normals.is_empty() {
                write!(out, " {}", first_vertex + ix)?;
            } else {
                write!(out, " {}//{}", first_vertex + ix, first_normal + ix)?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

fn check(object: &Object) -> Result<(), String> {
    let fault = |what: String| Err(what);
    let (vertex_count, normal_count) = (object.positions.len(), object.normals.len());
    if normal_count != 0 && normal_count != vertex_count {
        return fault(format!(
            "{} has {normal_count} normals for {vertex_count} vertices",
            object.name
        ));
    }
    if let Some(ix) = object
        .triangles
        .iter()
        .flatten()
        .find(|&&ix| ix as usize >= vertex_count)
    {
        return fault(format!(
            "{} names vertex {ix} of {vertex_count}",
            object.name
        ));
    }
    if let Some(ix) = object
        .positions
        .iter()
        .chain(object.normals)
        .position(|v| !v.is_finite())
    {
        let (what, ix) = if ix < vertex_count {
            ("vertex", ix)
        } else {
            ("normal", ix - vertex_count)
        };
        return fault(format!("{what} {ix} of {} is not finite", object.name));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::PathBuf;

    const TRIANGLE: [Vec3; 3] = [Vec3::ZERO, Vec3::new(0.1, 0.0, -2.5e-9), Vec3::Y];

    fn a_folder(name: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("radial_fields_obj_{name}_{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for the test");
        folder
    }

    fn object<'a>(positions: &'a [Vec3], normals: &'a [Vec3]) -> Object<'a> {
        Object {
            name: "a\nb",
            positions,
            normals,
            triangles: &[[0, 1, 2]],
        }
    }

    #[test]
    fn two_objects_count_their_vertices_on() {
        let folder = a_folder("two");
        let path = folder.join("two.obj");
        let normals = [Vec3::Z; 3];
        write_obj(
            &path,
            &[object(&TRIANGLE, &[]), object(&TRIANGLE, &normals)],
        )
        .expect("written");
        let text = fs::read_to_string(&path).expect("there");
        let faces: Vec<_> = text.lines().filter(|line| line.starts_with('f')).collect();
        assert_eq!(faces, ["f 1 2 3", "f 4//1 5//2 6//3"]);
        assert_eq!(text.lines().next(), Some("o a b"));
        assert_eq!(
            fs::read_dir(&folder).expect("there").count(),
            1,
            "something was left beside the file"
        );
        fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn coordinates_come_back_bit_by_bit() {
        let folder = a_folder("bits");
        let path = folder.join("bits.obj");
        write_obj(&path, &[object(&TRIANGLE, &[])]).expect("written");
        let text = fs::read_to_string(&path).expect("there");
        let read: Vec<f32> = text
            .lines()
            .filter_map(|line| line.strip_prefix("v "))
            .flat_map(|line| {
                line.split(' ')
                    .map(|number| number.parse().expect("a number"))
            })
            .collect();
        let written: Vec<f32> = TRIANGLE.iter().flat_map(|p| p.to_array()).collect();
        assert_eq!(read, written);
        fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn what_does_not_fit_is_refused_and_leaves_the_old_file() {
        let folder = a_folder("refused");
        let path = folder.join("old.obj");
        fs::write(&path, "old").expect("written");
        let broken = [Vec3::ZERO, Vec3::NAN, Vec3::Y];
        for fault in [
            object(&TRIANGLE[..2], &[]),
            object(&TRIANGLE, &TRIANGLE[..1]),
            object(&broken, &[]),
        ] {
            let error = write_obj(&path, &[fault]).expect_err("refused");
            assert!(error.to_string().contains("old.obj"), "{error}");
        }
        assert_eq!(fs::read_to_string(&path).expect("there"), "old");
        let missing = write_obj(&folder.join("no/such.obj"), &[object(&TRIANGLE, &[])]);
        let missing = missing.expect_err("no folder").to_string();
        assert!(missing.contains("such.obj"), "{missing}");
        fs::remove_dir_all(folder).expect("removed");
    }
}
