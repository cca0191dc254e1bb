//! Which pixels a triangle covers, by the rules a GPU follows.

use glam::Vec2;

/// Corners snap to 1/256 of a pixel, as on most GPUs (`subPixelPrecisionBits` = 8): edge functions are then exact
/// integers, and two triangles that share an edge leave no crack and draw no pixel twice.
const SUBPIXELS: i64 = 256;

/// Beyond this a corner is off any field, and its edge functions would overflow.
const MAX_PIXEL: f32 = 1e6;

/// Calls `draw(col, row)` for every pixel of a `width` x `height` image whose centre lies in the triangle, of either
/// winding. A centre on an edge belongs to the triangle if the edge is a left or a top one. Nothing for corners that
/// are not finite.
pub fn cover(corners: [Vec2; 3], width: i32, height: i32, mut draw: impl FnMut(i32, i32)) {
    if !corners.iter().all(|p| p.abs().max_element() < MAX_PIXEL) {
        return;
    }
    let Some(edges) = edges(corners) else { return };
    let low = corners[0]
        .min(corners[1])
        .min(corners[2])
        .floor()
        .max(Vec2::ZERO);
    let high = corners[0].max(corners[1]).max(corners[2]).ceil();
    let (last_col, last_row) = ((high.x as i32).min(width), (high.y as i32).min(height));
    for row in low.y as i32..last_row {
        for col in low.x as i32..last_col {
            let centre = [col, row].map(|pixel| i64::from(pixel) * SUBPIXELS + SUBPIXELS / 2);
            if edges.iter().all(|edge| edge.holds(centre)) {
                draw(col, row);
            }
        }
    }
}

/// The triangle's edges, turned so that the inside is on their left. None for a triangle without area.
fn edges(corners: [Vec2; 3]) -> Option<[Edge; 3]> {
    let snap = |x: f32| (x * SUBPIXELS as f32).round() as i64;
    let [a, b, c] = corners.map(|p| [snap(p.x), snap(p.y)]);
    match cross(a, b, c).signum() {
        1 => Some([Edge::new(a, b), Edge::new(b, c), Edge::new(c, a)]),
        -1 => Some([Edge::new(a, c), Edge::new(c, b), Edge::new(b, a)]),
        _ => None,
    }
}

struct Edge {
    from: [i64; 2],
    to: [i64; 2],
    /// Whether a centre exactly on the edge is inside.
    owns_its_line: bool,
}

impl Edge {
    fn new(from: [i64; 2], to: [i64; 2]) -> Self {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        // Rows run with y here: with the inside on the left a left edge falls and a top one (at the least y) runs on.
        Self {
            from,
            to,
            owns_its_line: dy < 0 || (dy == 0 && dx > 0),
        }
    }

    fn holds(&self, p: [i64; 2]) -> bool {
        let side = cross(self.from, self.to, p);
        side > 0 || (side == 0 && self.owns_its_line)
    }
}

/// Twice the area of `abc`: positive when it turns from +x to +y.
fn cross(a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(triangles: &[[Vec2; 3]], size: i32) -> Vec<u32> {
        let mut hits = vec![0; (size * size) as usize];
        for &triangle in triangles {
            cover(triangle, size, size, |col, row| {
                hits[(row * size + col) as usize] += 1;
            });
        }
        hits
    }

    #[test]
    fn a_split_square_covers_every_pixel_once_whatever_the_windings() {
        let [a, b, c, d] = [(0.5, 0.5), (6.5, 0.5), (6.5, 6.5), (0.5, 6.5)].map(Vec2::from);
        for halves in [
            [[a, b, c], [a, c, d]],
            [[a, c, b], [a, c, d]],
            [[b, d, a], [d, b, c]],
        ] {
            let hits = count(&halves, 8);
            assert!(
                hits.iter().all(|&n| n <= 1),
                "a pixel on the diagonal was drawn twice"
            );
            assert_eq!(
                hits.iter().sum::<u32>(),
                36,
                "centres 0.5 to 5.5 are in, 6.5 is on a right or bottom edge"
            );
        }
    }

    #[test]
    fn pixels_outside_the_image_and_broken_corners_draw_nothing() {
        let far = [(-9.0, -9.0), (30.0, -9.0), (-9.0, 30.0)].map(Vec2::from);
        assert_eq!(count(&[far], 4).iter().sum::<u32>(), 16);
        let broken = [Vec2::NAN, Vec2::ONE, Vec2::ZERO];
        assert_eq!(count(&[broken], 4).iter().sum::<u32>(), 0);
        assert_eq!(count(&[[Vec2::ONE; 3]], 4).iter().sum::<u32>(), 0);
    }
}
