//! Target files: sparse displacements of the base mesh, gzipped text.

use super::MakeHumanError;
use glam::Vec3;
use std::io::Read;
use std::path::Path;

/// One displacement a line: `vertex dx dy dz`, decimetres.
pub type Target = Vec<(u32, Vec3)>;

/// Reads a gzipped target.
///
/// # Errors
/// [`MakeHumanError::Unreadable`] when the file is missing or not gzip, [`MakeHumanError::Malformed`] when a line is
/// not an index below `vertex_count` and three numbers.
pub fn read(path: &Path, vertex_count: usize) -> Result<Target, MakeHumanError> {
    let unreadable = |reason| MakeHumanError::Unreadable {
        path: path.to_owned(),
        reason,
    };
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let mut text = String::new();
    flate2::read::GzDecoder::new(file)
        .read_to_string(&mut text)
        .map_err(unreadable)?;
    parse(&text, vertex_count, &path.display().to_string())
}

/// Reads the text of a target; `name` is for the error message.
///
/// # Errors
/// See [`read`].
pub fn parse(text: &str, vertex_count: usize, name: &str) -> Result<Target, MakeHumanError> {
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|(line_ix, line)| {
            displacement(line)
                .filter(|&(ix, delta)| (ix as usize) < vertex_count && delta.is_finite())
                .ok_or_else(|| {
                    MakeHumanError::malformed(
                        name,
                        line_ix + 1,
                        "a vertex and three numbers expected",
                    )
                })
        })
        .collect()
}

fn displacement(line: &str) -> Option<(u32, Vec3)> {
    let mut words = line.split_whitespace();
    let ix = words.next()?.parse().ok()?;
    let mut number = || words.next()?.parse::<f32>().ok();
    Some((ix, Vec3::new(number()?, number()?, number()?)))
}

/// Adds `weight` times the target to the positions.
pub fn apply(target: &Target, weight: f32, positions: &mut [Vec3]) {
    for &(ix, delta) in target {
        positions[ix as usize] += delta * weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_moves_its_vertices_by_its_weight() {
        let target = parse("# note\n1 .5 -.25 0\n\n0 0 0 1e-1\n", 2, "x").unwrap();
        let mut positions = vec![Vec3::ZERO, Vec3::ONE];
        apply(&target, 2.0, &mut positions);
        assert_eq!(
            positions,
            [Vec3::new(0.0, 0.0, 0.2), Vec3::new(2.0, 0.5, 1.0)]
        );
    }

    #[test]
    fn bad_lines_are_named() {
        for text in ["2 0 0 0", "0 0 0", "0 0 0 inf", "x 0 0 0"] {
            let message = parse(text, 2, "nose.target").unwrap_err().to_string();
            assert!(
                message.contains("nose.target") && message.contains("line 1"),
                "{message}"
            );
        }
    }

    #[test]
    fn a_missing_file_is_named() {
        let message = read(Path::new("/no/such.target.gz"), 2)
            .unwrap_err()
            .to_string();
        assert!(message.contains("/no/such.target.gz"), "{message}");
    }
}
