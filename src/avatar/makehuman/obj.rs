//! The base mesh: Wavefront OBJ, of which we need vertices, faces and group names.

use super::MakeHumanError;
use glam::Vec3;
use std::collections::BTreeMap;

/// MakeHuman's base mesh: the body together with the helper geometry that carries joints and eyes.
#[derive(Clone, Debug, Default)]
pub struct BaseMesh {
    /// Decimetres, +Y up, facing +Z.
    pub positions: Vec<Vec3>,
    /// The faces of each group, counter-clockwise from outside.
    pub groups: BTreeMap<String, Vec<Vec<u32>>>,
}

impl BaseMesh {
    /// Reads OBJ text.
    ///
    /// # Errors
    /// [`MakeHumanError::Malformed`] with the line when a number is none or an index is out of range.
    pub fn parse(text: &str) -> Result<Self, MakeHumanError> {
        Self::parse_named("base.obj", text)
    }

    /// As [`BaseMesh::parse`], of any file, which errors call by its name.
    ///
    /// # Errors
    /// As [`BaseMesh::parse`].
    pub fn parse_named(name: &str, text: &str) -> Result<Self, MakeHumanError> {
        let mut mesh = Self::default();
        let mut group = String::new();
        for (line_ix, line) in text.lines().enumerate() {
            let at = |what| MakeHumanError::malformed(name, line_ix + 1, what);
            let mut words = line.split_whitespace();
            match words.next() {
                Some("v") => mesh
                    .positions
                    .push(vertex(words).ok_or_else(|| at("three numbers expected"))?),
                Some("g") => group = words.next().unwrap_or_default().to_owned(),
                Some("f") => {
                    let face = face(words, mesh.positions.len())
                        .ok_or_else(|| at("vertex index out of range"))?;
                    mesh.groups.entry(group.clone()).or_default().push(face);
                }
                _ => {}
            }
        }
        Ok(mesh)
    }

    /// The faces of a group.
    ///
    /// # Errors
    /// [`MakeHumanError::NoGroup`] when there is no such group.
    pub fn faces(&self, group: &str) -> Result<&[Vec<u32>], MakeHumanError> {
        let faces = self
            .groups
            .get(group)
            .ok_or_else(|| MakeHumanError::NoGroup {
                name: group.to_owned(),
            })?;
        Ok(faces)
    }

    /// The vertices of a group, ascending, each once.
    ///
    /// # Errors
    /// [`MakeHumanError::NoGroup`] when there is no such group.
    pub fn vertices(&self, group: &str) -> Result<Vec<u32>, MakeHumanError> {
        let mut vertices: Vec<u32> = self.faces(group)?.iter().flatten().copied().collect();
        vertices.sort_unstable();
        vertices.dedup();
        Ok(vertices)
    }
}

fn vertex<'a>(words: impl Iterator<Item = &'a str>) -> Option<Vec3> {
    let numbers: Vec<f32> = words.take(3).map_while(|word| word.parse().ok()).collect();
    Some(Vec3::from_array(numbers.try_into().ok()?)).filter(|position| position.is_finite())
}

/// Vertex indices from zero; `7/3` means vertex 7 with texture coordinate 3, which we do not need.
fn face<'a>(words: impl Iterator<Item = &'a str>, vertex_count: usize) -> Option<Vec<u32>> {
    let corner = |word: &str| {
        let number: u32 = word.split('/').next()?.parse().ok()?;
        number
            .checked_sub(1)
            .filter(|&ix| (ix as usize) < vertex_count)
    };
    let face: Vec<u32> = words.map(corner).collect::<Option<_>>()?;
    (face.len() >= 3).then_some(face)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: &str =
        "# a comment\nv 0 0 0\nv 1 0 0\nv 1 1 0.5\nv 0 1 0\nvt 0 0\ng body\nf 1/1 2/1 3/1 4/1\n";

    #[test]
    fn vertices_groups_and_faces_are_read() {
        let mesh = BaseMesh::parse(SQUARE).unwrap();
        assert_eq!(mesh.positions[2], Vec3::new(1.0, 1.0, 0.5));
        assert_eq!(mesh.faces("body").unwrap(), [vec![0, 1, 2, 3]]);
        assert_eq!(mesh.vertices("body").unwrap(), [0, 1, 2, 3]);
    }

    #[test]
    fn a_group_may_come_in_pieces() {
        let text = format!("{SQUARE}g helper\nf 1 2 3\ng body\nf 1 3 4\n");
        assert_eq!(
            BaseMesh::parse(&text).unwrap().faces("body").unwrap().len(),
            2
        );
    }

    #[test]
    fn bad_lines_are_named() {
        for (text, line) in [
            ("v 0 0\n", 1),
            ("v 0 0 nan\n", 1),
            ("v 0 0 0\nf 1 1 2\n", 2),
            ("v 0 0 0\nf 0 1 1\n", 2),
        ] {
            let message = BaseMesh::parse(text).unwrap_err().to_string();
            assert!(message.contains(&format!("line {line}")), "{message}");
        }
    }

    #[test]
    fn a_missing_group_is_named() {
        let message = BaseMesh::parse(SQUARE)
            .unwrap()
            .faces("helper-l-eye")
            .unwrap_err()
            .to_string();
        assert!(message.contains("helper-l-eye"), "{message}");
    }
}
