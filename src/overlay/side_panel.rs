//! The two side panels: folded and unfolded by a click anywhere on the title, and by a change of the window's size.

use imgui::{Condition, MouseButton, Ui, WindowFlags};

use super::layout::{Layout, Room, Side};
use super::theme::Fonts;

/// A rectangle in points: its upper left corner and its size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    pub at: [f32; 2],
    pub size: [f32; 2],
}

/// What the panels remember from frame to frame.
#[derive(Default)]
pub struct SidePanels {
    is_folded: [bool; 2],
    /// What there was room for in the last frame. A change folds or unfolds.
    room: Option<Room>,
    /// Where they were drawn last.
    shown: [Rect; 2],
}

impl Rect {
    pub fn holds(&self, [x, y]: [f32; 2]) -> bool {
        let ([left, top], [width, height]) = (self.at, self.size);
        (left..left + width).contains(&x) && (top..top + height).contains(&y)
    }
}

impl SidePanels {
    /// Begins a frame: where what there is room for has changed, panels fold if they would hide the character, and unfold if not.
    pub fn suit(&mut self, layout: &Layout) {
        let room = layout.room();
        if self.room.replace(room) != Some(room) {
            self.is_folded = [room != Room::Ample; 2];
        }
    }

    /// Draws a panel, as high as what is in it.
    pub fn draw(
        &mut self,
        ui: &Ui,
        fonts: Fonts,
        layout: &Layout,
        (side, title): (Side, &str),
        rows: impl FnOnce(),
    ) {
        let heading = ui.push_font(fonts.heading);
        let (at, width) = layout.panel(side, self.shown[Side::Left as usize].size[1]);
        let bar = Rect {
            at,
            size: [width, ui.frame_height()],
        };
        let was_folded = self.is_folded[side as usize] != is_clicked(ui, &bar);
        let mut height = bar.size[1];
        let window = ui
            .window(title)
            .flags(
                WindowFlags::NO_RESIZE
                    | WindowFlags::NO_MOVE
                    | WindowFlags::NO_SAVED_SETTINGS
                    | WindowFlags::ALWAYS_AUTO_RESIZE,
            )
            .position(at, Condition::Always)
            .collapsed(was_folded, Condition::Always)
            .size_constraints([width, 0.0], [width, layout.panel_height(side, at[1])])
            .begin();
        // The arrow in the title folds it too. What imgui still measures has begun although it is folded.
        let mut is_folded = true;
        if let Some(window) = window {
            is_folded = ui.is_window_collapsed();
            let text = ui.push_font(fonts.text);
            rows();
            text.pop();
            height = match is_folded {
                true => height,
                false => ui.window_size()[1],
            };
            window.end();
        }
        self.fold(side, is_folded, layout.room());
        self.shown[side as usize] = Rect {
            at,
            size: [width, height],
        };
        heading.pop();
    }

    /// In a narrow window one of them may be open.
    fn fold(&mut self, side: Side, is_folded: bool, room: Room) {
        let was_folded = std::mem::replace(&mut self.is_folded[side as usize], is_folded);
        if room == Room::Narrow && was_folded && !is_folded {
            self.is_folded[1 - side as usize] = true;
        }
    }

    /// Where a panel was drawn last.
    #[cfg(test)]
    pub fn shown(&self, side: Side) -> Rect {
        self.shown[side as usize]
    }

    /// Whether the left and the right one are open.
    pub fn are_open(&self) -> [bool; 2] {
        self.is_folded.map(|is_folded| !is_folded)
    }
}

/// Whether a title was clicked beside its arrow, and nothing that lies over it. Of the second click of two imgui makes a change of
/// its own, which takes this one back: two clicks are as good as one.
fn is_clicked(ui: &Ui, bar: &Rect) -> bool {
    let is_click = ui.is_mouse_clicked(MouseButton::Left) && !ui.is_any_item_hovered();
    is_click && bar.holds(ui.io().mouse_pos)
}
