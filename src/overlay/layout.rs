//! Where panels and messages lie: in a wide window a panel at each side and the messages between them, in a narrower one the
//! messages above the panels, so that neither ever covers the other.

/// Width of the side panels, points.
const PANEL_WIDTH: f32 = 318.0;
/// Between panels and the window's edge, points.
const MARGIN: f32 = 10.0;
/// The least width left for the character; in a narrower window the panels start folded.
const FREE_WIDTH: f32 = 360.0;
/// Height of a folded panel with the margin above it, points.
const TITLE_BAR: f32 = 34.0;

/// A window's panels, in points from its upper left corner.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    size: [f32; 2],
    /// What the messages above the panels take of the height.
    messages_height: f32,
}

/// One of the two side panels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
}

/// How much a window has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// Both panels, and the character between them.
    Ample,
    /// Both panels beside each other, over the character.
    Scant,
    /// One panel above the other.
    Narrow,
}

impl Side {
    /// Both, from left to right.
    pub const ALL: [Self; 2] = [Self::Left, Self::Right];
}

impl Layout {
    /// Height of the help line at the bottom with its margins, points.
    pub const HELP_LINE: f32 = 44.0;

    /// Of a window of that size, points, without messages.
    pub fn new(size: [f32; 2]) -> Self {
        Self {
            size,
            messages_height: 0.0,
        }
    }

    /// The same with messages of that height, 0 for none.
    pub fn with_messages(self, messages_height: f32) -> Self {
        Self {
            messages_height,
            ..self
        }
    }

    /// What there is room for.
    pub fn room(&self) -> Room {
        let width = self.size[0];
        if width >= 2.0 * (PANEL_WIDTH + MARGIN) + FREE_WIDTH {
            Room::Ample
        } else if width >= 2.0 * PANEL_WIDTH + 3.0 * MARGIN {
            Room::Scant
        } else {
            Room::Narrow
        }
    }

    /// The upper left corner of a side panel, and its width. `left_height`: of the left panel as it is.
    pub fn panel(&self, side: Side, left_height: f32) -> ([f32; 2], f32) {
        let width = PANEL_WIDTH.min(self.size[0] - 2.0 * MARGIN).max(1.0);
        let below_messages = match (self.room(), self.messages_height > 0.0) {
            (Room::Scant | Room::Narrow, true) => self.messages_height + MARGIN,
            _ => 0.0,
        };
        let top = MARGIN + below_messages;
        match (self.room(), side) {
            (_, Side::Left) => ([MARGIN, top], width),
            (Room::Narrow, Side::Right) => ([MARGIN, top + left_height + MARGIN], width),
            (_, Side::Right) => ([(self.size[0] - MARGIN - width).max(MARGIN), top], width),
        }
    }

    /// The height that a panel may have whose upper edge is at `top`.
    pub fn panel_height(&self, side: Side, top: f32) -> f32 {
        let below = match (self.room(), side) {
            (Room::Ample, _) => MARGIN,
            (Room::Narrow, Side::Left) => Self::HELP_LINE + MARGIN + TITLE_BAR,
            _ => Self::HELP_LINE + MARGIN,
        };
        (self.size[1] - below - top).max(1.0)
    }

    /// Where the part of the window that the panels leave free begins and ends, points. What lies in it stays there when a panel of a
    /// wide window folds. `open`: whether the left and the right one are open.
    pub fn free(&self, open: [bool; 2]) -> [f32; 2] {
        let (panel, width) = (PANEL_WIDTH + 2.0 * MARGIN, self.size[0]);
        match (self.room(), open) {
            (Room::Ample, _) => [panel, width - panel],
            (Room::Scant, [true, false]) => [panel, width - MARGIN],
            (Room::Scant, [false, true]) => [MARGIN, width - panel],
            _ => [MARGIN, (width - MARGIN).max(MARGIN + 1.0)],
        }
    }

    /// Points that the panels leave free, whichever of them are open.
    fn free_width(&self) -> f32 {
        let [left, right] = self.free([true; 2]);
        right - left
    }

    /// The line between two pictures beside each other.
    pub fn divider(&self) -> [[f32; 2]; 2] {
        let [width, height] = self.size;
        [[0.5 * width, 0.0], [0.5 * width, height]]
    }

    /// The middle of a caption's lower edge, of the first or the second of two worlds. `open`: as [`Self::free`] takes it.
    pub fn caption(&self, ix: usize, open: [bool; 2]) -> [f32; 2] {
        let [left, right] = self.free(open);
        let middle = left + (right - left) * (ix as f32 + 0.5) / 2.0;
        [middle, (self.size[1] - Self::HELP_LINE - 2.0).max(0.0)]
    }

    /// The middle of the messages' upper edge, and their width and greatest height.
    pub fn messages(&self) -> ([f32; 2], [f32; 2]) {
        const WIDEST: f32 = 560.0;
        let most = match self.room() {
            Room::Ample => self.size[1] - 2.0 * MARGIN,
            // The titles of the panels stay in sight.
            Room::Scant | Room::Narrow => 0.5 * self.size[1],
        };
        (
            [0.5 * self.size[0], MARGIN],
            [self.free_width().clamp(1.0, WIDEST), most.max(1.0)],
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
        let ([left, _], width) = layout.panel(Side::Left, 500.0);
        let ([right, _], _) = layout.panel(Side::Right, 500.0);
        assert_eq!(layout.room(), Room::Ample);
        assert!(right - (left + width) >= FREE_WIDTH);
        assert!(
            (left + width + right - 1280.0).abs() < 1e-3,
            "the character is in the middle"
        );
    }

    #[test]
    fn one_panel_of_a_small_window_leaves_the_rest_free() {
        let layout = Layout::new([800.0, 500.0]);
        let ([right, _], _) = layout.panel(Side::Right, 0.0);
        assert!(layout.free([false, true])[1] < right);
        let ([left, _], width) = layout.panel(Side::Left, 0.0);
        assert!(layout.free([true, false])[0] > left + width);
        assert_eq!(layout.free([true; 2]), layout.free([false; 2]));
    }

    #[test]
    fn a_tiny_window_has_panels_of_a_size_still() {
        let layout = Layout::new([120.0, 8.0]);
        for side in Side::ALL {
            let ([left, top], width) = layout.panel(side, 20.0);
            assert!(width >= 1.0 && left + width <= 120.0);
            assert!(layout.panel_height(side, top) >= 1.0);
        }
        assert_eq!(layout.room(), Room::Narrow);
    }
}
