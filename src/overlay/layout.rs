//! Where the panels lie: one at each side, so that the character stands free between them.

/// Width of the side panels, points.
const PANEL_WIDTH: f32 = 318.0;
/// Between panels and the window's edge, points.
const MARGIN: f32 = 10.0;
/// The least width left for the character; in a narrower window the panels start folded.
const FREE_WIDTH: f32 = 360.0;

/// A window's panels, in points from its upper left corner.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    size: [f32; 2],
}

/// One of the two side panels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
}

impl Layout {
    /// Of a window of that size, points.
    pub fn new(size: [f32; 2]) -> Self {
        Self { size }
    }

    /// The upper left corner of a side panel, and its width.
    pub fn panel(&self, side: Side) -> ([f32; 2], f32) {
        let width = PANEL_WIDTH.min(self.size[0] - 2.0 * MARGIN).max(1.0);
        let left = match side {
            Side::Left => MARGIN,
            Side::Right => (self.size[0] - MARGIN - width).max(MARGIN),
        };
        ([left, MARGIN], width)
    }

    /// The height panels may have.
    pub fn height(&self) -> f32 {
        (self.size[1] - 2.0 * MARGIN).max(1.0)
    }

    /// Whether both panels and the character find room beside each other.
    pub fn is_roomy(&self) -> bool {
        self.size[0] >= 2.0 * (PANEL_WIDTH + MARGIN) + FREE_WIDTH
    }

    /// Points left free between the panels.
    pub fn free_width(&self) -> f32 {
        if self.is_roomy() {
            self.size[0] - 2.0 * (PANEL_WIDTH + 2.0 * MARGIN)
        } else {
            self.size[0] - 2.0 * MARGIN
        }
    }

    /// Where the part of the window that the panels leave free begins, and how wide it is.
    fn free(&self) -> (f32, f32) {
        let width = self.free_width();
        (0.5 * (self.size[0] - width), width)
    }

    /// The line between two pictures beside each other.
    pub fn divider(&self) -> [[f32; 2]; 2] {
        let [width, height] = self.size;
        [[0.5 * width, 0.0], [0.5 * width, height]]
    }

    /// The middle of a caption's lower edge, of the first or the second of two pictures beside each other.
    pub fn caption(&self, ix: usize) -> [f32; 2] {
        /// Room for the help line below.
        const ABOVE: f32 = 46.0;
        let (left, width) = self.free();
        let middle = left + width * (ix as f32 + 0.5) / 2.0;
        [middle, (self.size[1] - ABOVE).max(0.0)]
    }

    /// The middle of the messages' upper edge, and their width.
    pub fn messages(&self) -> ([f32; 2], f32) {
        const WIDEST: f32 = 560.0;
        (
            [0.5 * self.size[0], MARGIN],
            self.free_width().clamp(1.0, WIDEST),
        )
    }

    /// The middle of the help line's lower edge, and the width it may have.
    pub fn help_line(&self) -> ([f32; 2], f32) {
        (
            [0.5 * self.size[0], self.size[1] - MARGIN],
            self.free_width(),
        )
    }

    /// The middle of the window.
    pub fn middle(&self) -> [f32; 2] {
        self.size.map(|side| 0.5 * side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_panels_leave_the_middle_free() {
        let layout = Layout::new([1280.0, 720.0]);
        let ([left, _], width) = layout.panel(Side::Left);
        let ([right, _], _) = layout.panel(Side::Right);
        assert!(layout.is_roomy());
        assert!(right - (left + width) >= FREE_WIDTH);
        assert!(
            (left + width + right - 1280.0).abs() < 1e-3,
            "the character is in the middle"
        );
    }

    #[test]
    fn a_tiny_window_has_panels_of_a_size_still() {
        let layout = Layout::new([120.0, 8.0]);
        for side in [Side::Left, Side::Right] {
            let ([left, _], width) = layout.panel(side);
            assert!(width >= 1.0 && left + width <= 120.0);
        }
        assert!(!layout.is_roomy() && layout.height() >= 1.0);
    }
}
