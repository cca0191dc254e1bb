//! Rows of controls: the label at the left, the control at the right, a word of explanation when the mouse rests on it.

use glam::Vec3;
use imgui::{SliderFlags, TreeNodeFlags, Ui};

use super::theme::{Colour, Fonts};

/// Width of the labels, in parts of the panel's: the longest ones must fit.
const LABEL_PART: f32 = 0.36;

/// A section that folds; `open` is how it starts.
pub fn section(ui: &Ui, fonts: Fonts, title: &str, open: Open, rows: impl FnOnce()) {
    let flags = match open {
        Open::AtFirst => TreeNodeFlags::DEFAULT_OPEN,
        Open::OnDemand => TreeNodeFlags::empty(),
    };
    let heading = ui.push_font(fonts.heading);
    let is_open = ui.collapsing_header(title, flags);
    heading.pop();
    if is_open {
        let _id = ui.push_id(title);
        ui.spacing();
        rows();
        ui.spacing();
    }
}

/// Whether a section starts open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    AtFirst,
    OnDemand,
}

/// What a control is called, and what a newcomer should know of it.
#[derive(Clone, Copy)]
pub struct Label<'a> {
    pub name: &'a str,
    pub tip: &'a str,
}

/// Shorthand for a [`Label`].
pub const fn label<'a>(name: &'a str, tip: &'a str) -> Label<'a> {
    Label { name, tip }
}

impl Label<'_> {
    /// Writes the label and makes the control that follows fill the rest of the row.
    pub fn write(self, ui: &Ui) {
        let full = ui.content_region_avail()[0];
        let left = ui.cursor_pos()[0];
        ui.align_text_to_frame_padding();
        ui.text(self.name);
        self.explain(ui);
        ui.same_line_with_pos(left + LABEL_PART * full);
        ui.set_next_item_width(-f32::MIN_POSITIVE);
    }

    /// Shows the tip while the mouse is over the last item.
    fn explain(self, ui: &Ui) {
        if !self.tip.is_empty() && ui.is_item_hovered() {
            tip(ui, self.tip);
        }
    }

    fn id(self) -> String {
        format!("##{}", self.name)
    }
}

/// A tooltip no wider than a few words.
pub fn tip(ui: &Ui, text: &str) {
    const WIDTH_IN_LINES: f32 = 20.0;
    ui.tooltip(|| {
        let _wrap = ui.push_text_wrap_pos_with_pos(WIDTH_IN_LINES * ui.current_font_size());
        ui.text(text);
    });
}

/// A whole number from `low` to `high`.
pub fn count(ui: &Ui, label: Label, (low, high): (u32, u32), value: &mut u32) -> bool {
    label.write(ui);
    let changed = ui
        .slider_config(label.id(), low, high)
        .flags(SliderFlags::ALWAYS_CLAMP)
        .build(value);
    label.explain(ui);
    changed
}

/// A whole number over several powers of ten.
pub fn magnitude_of_count(ui: &Ui, label: Label, (low, high): (u32, u32), value: &mut u32) -> bool {
    label.write(ui);
    let changed = ui
        .slider_config(label.id(), low, high)
        .flags(SliderFlags::ALWAYS_CLAMP | SliderFlags::LOGARITHMIC)
        .build(value);
    label.explain(ui);
    changed
}

/// Two whole numbers up to `most`, side by side; the first stays below the second.
pub fn range(ui: &Ui, label: Label, most: u32, ends: &mut [u32; 2]) -> bool {
    label.write(ui);
    let before = *ends;
    let changed = ui
        .slider_config(label.id(), 0, most)
        .flags(SliderFlags::ALWAYS_CLAMP)
        .build_array(ends);
    if ends[0] >= ends[1] {
        *ends = before;
    }
    label.explain(ui);
    changed
}

/// A number from `low` to `high`; `format` as of `printf`, with the unit.
pub fn number(ui: &Ui, label: Label, range: (f32, f32), format: &str, value: &mut f32) -> bool {
    slider(ui, label, range, format, SliderFlags::empty(), value)
}

/// A number that people think of in another unit, of which so many make one of its own.
pub fn in_units(
    ui: &Ui,
    label: Label,
    range: (f32, f32),
    (format, per_one): (&str, f32),
    value: &mut f32,
) -> bool {
    let mut shown = per_one * *value;
    let changed = number(ui, label, range, format, &mut shown);
    if changed {
        *value = shown / per_one;
    }
    changed
}

/// A number over several powers of ten, zero included.
pub fn magnitude(ui: &Ui, label: Label, range: (f32, f32), format: &str, value: &mut f32) -> bool {
    slider(ui, label, range, format, SliderFlags::LOGARITHMIC, value)
}

fn slider(
    ui: &Ui,
    label: Label,
    (low, high): (f32, f32),
    format: &str,
    flags: SliderFlags,
    value: &mut f32,
) -> bool {
    label.write(ui);
    let changed = ui
        .slider_config(label.id(), low, high)
        .display_format(format)
        .flags(SliderFlags::ALWAYS_CLAMP | flags)
        .build(value);
    label.explain(ui);
    changed
}

/// A vector, dragged component by component within `±reach`.
pub fn vector(ui: &Ui, label: Label, reach: f32, value: &mut Vec3) -> bool {
    label.write(ui);
    let mut parts = value.to_array();
    let changed = imgui::Drag::new(label.id())
        .range(-reach, reach)
        .speed(0.01 * reach)
        .display_format("%.2f")
        .flags(SliderFlags::ALWAYS_CLAMP)
        .build_array(ui, &mut parts);
    label.explain(ui);
    let parts = Vec3::from(parts);
    *value = if parts.is_finite() { parts } else { *value };
    changed
}

/// Yes or no.
pub fn switch(ui: &Ui, label: Label, value: &mut bool) -> bool {
    label.write(ui);
    let changed = ui.checkbox(label.id(), value);
    label.explain(ui);
    changed
}

/// One of several; the place of what was chosen just now.
pub fn choice(ui: &Ui, label: Label, names: &[&str], current: Option<usize>) -> Option<usize> {
    label.write(ui);
    let preview = current
        .and_then(|ix| names.get(ix))
        .map_or("-", |name| name);
    let mut chosen = None;
    if let Some(_list) = ui.begin_combo(label.id(), preview) {
        for (ix, name) in names.iter().enumerate() {
            let is_current = current == Some(ix);
            if ui.selectable_config(name).selected(is_current).build() && !is_current {
                chosen = Some(ix);
            }
        }
    } else {
        label.explain(ui);
    }
    chosen
}

/// The width of each of so many buttons that fill a row.
pub fn button_width(ui: &Ui, count: usize) -> f32 {
    let gap = ui.clone_style().item_spacing[0];
    (ui.content_region_avail()[0] - (count - 1) as f32 * gap) / count as f32
}

/// A button with a word of explanation; whether it was pressed.
pub fn button(ui: &Ui, label: Label, width: f32) -> bool {
    let pressed = ui.button_with_size(label.name, [width, 0.0]);
    label.explain(ui);
    pressed
}

/// Text that ends where its column does, so that decimal points stand under each other.
pub fn right_aligned(ui: &Ui, colour: Colour, text: &str) {
    let [left, top] = ui.cursor_pos();
    let spare = ui.content_region_avail()[0] - ui.calc_text_size(text)[0];
    ui.set_cursor_pos([left + spare.max(0.0), top]);
    ui.text_colored(colour, text);
}

/// `12345` as `12,345`.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (ix, digit) in digits.chars().enumerate() {
        if ix > 0 && (digits.len() - ix).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Bytes in the unit that suits them.
pub fn bytes(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.2} MB", bytes as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        let written = [0, 999, 1000, 38_105, 1_234_567].map(thousands);
        assert_eq!(written, ["0", "999", "1,000", "38,105", "1,234,567"]);
    }

    #[test]
    fn bytes_have_the_unit_that_suits_them() {
        let written = [12, 1_500, 240_000, 3_456_789].map(bytes);
        assert_eq!(written, ["12 B", "1.5 kB", "240.0 kB", "3.46 MB"]);
    }
}
