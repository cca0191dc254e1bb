//! Triangles of lists, strips and fans.

use gltf::json::mesh::Mode;
use gltf::json::validation::Checked;

/// Triangles of a list, strip or fan. A strip's stitches (an index twice) are dropped; left-over indices are ignored.
pub(super) fn assemble(indices: &[u32], mode: Checked<Mode>) -> Vec<[u32; 3]> {
    let is_stitch = |[a, b, c]: &[u32; 3]| a == b || b == c || c == a;
    match mode {
        Checked::Valid(Mode::TriangleStrip) => {
            let turned = |(ix, window): (usize, &[u32])| match ix % 2 {
                0 => [window[0], window[1], window[2]],
                _ => [window[1], window[0], window[2]],
            };
            indices
                .windows(3)
                .enumerate()
                .map(turned)
                .filter(|triangle| !is_stitch(triangle))
                .collect()
        }
        Checked::Valid(Mode::TriangleFan) => {
            let Some((&hub, rim)) = indices.split_first() else {
                return Vec::new();
            };
            rim.windows(2)
                .map(|edge| [edge[0], edge[1], hub])
                .filter(|triangle| !is_stitch(triangle))
                .collect()
        }
        _ => indices
            .chunks_exact(3)
            .map(|corners| [corners[0], corners[1], corners[2]])
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_alternate_and_drop_stitches() {
        let triangles = assemble(
            &[0, 1, 2, 3, 3, 4, 4, 5, 6],
            Checked::Valid(Mode::TriangleStrip),
        );
        assert_eq!(triangles, [[0, 1, 2], [2, 1, 3], [4, 5, 6]]);
    }

    #[test]
    fn fans_turn_round_their_hub() {
        assert_eq!(
            assemble(&[7, 1, 2, 3], Checked::Valid(Mode::TriangleFan)),
            [[1, 2, 7], [2, 3, 7]]
        );
        assert!(assemble(&[], Checked::Valid(Mode::TriangleFan)).is_empty());
    }

    #[test]
    fn lists_ignore_what_is_left_over() {
        assert_eq!(
            assemble(&[0, 1, 2, 3], Checked::Valid(Mode::Triangles)),
            [[0, 1, 2]]
        );
    }
}
