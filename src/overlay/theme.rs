//! Fonts and colours of the panels.

use imgui::{Context, FontConfig, FontGlyphRanges, FontId, FontSource, StyleColor};

use crate::stage::Stage;

/// Height of the text, in points: pixels on a screen of scale 1. Below 13 it cannot be read on a laptop.
const TEXT_POINTS: f32 = 15.0;
const TITLE_POINTS: f32 = 24.0;

const REGULAR: &[u8] = include_bytes!("../../assets/fonts/Roboto-Regular.ttf");
const MEDIUM: &[u8] = include_bytes!("../../assets/fonts/Roboto-Medium.ttf");

/// Characters of the fonts: Latin, dashes and quotes, arrows, a few signs. Pairs of first and last, closed by a zero.
const GLYPHS: &[u32] = &[
    0x20, 0xff, 0x2013, 0x2026, 0x2190, 0x2193, 0x2212, 0x2212, 0x2248, 0x2265, 0,
];

/// An sRGB colour with alpha.
pub type Colour = [f32; 4];

/// What can be grasped, and what is chosen.
pub const ACCENT: Colour = rgb(0x4c, 0x9f, 0xff);
/// The first and the second of two worlds beside each other.
pub const CONTENDERS: [Colour; 2] = [ACCENT, rgb(0xff, 0x9d, 0x4d)];
/// Secondary text.
pub const FAINT: Colour = rgb(0x93, 0x9d, 0xab);
/// All is well.
pub const GOOD: Colour = rgb(0x6f, 0xcf, 0x8e);
/// Something to know.
pub const WARNING: Colour = rgb(0xf2, 0xc1, 0x4e);
/// Something is wrong.
pub const FAULT: Colour = rgb(0xff, 0x7b, 0x72);
const TEXT: Colour = rgb(0xe7, 0xea, 0xef);
const PANEL: Colour = with_alpha(rgb(0x14, 0x17, 0x1c), 0.90);
const FIELD: Colour = rgb(0x26, 0x2b, 0x34);
const FIELD_HOVERED: Colour = rgb(0x30, 0x37, 0x43);
const FIELD_ACTIVE: Colour = rgb(0x3a, 0x44, 0x54);
const LINE: Colour = with_alpha(rgb(0x5b, 0x66, 0x76), 0.35);

/// The fonts of the panels.
#[derive(Clone, Copy, Debug)]
pub struct Fonts {
    pub text: FontId,
    pub heading: FontId,
    pub title: FontId,
}

/// A stage's colour in table and plot: alike stages have alike colours.
pub const fn stage_colour(stage: Stage) -> Colour {
    match stage {
        Stage::Upload => rgb(0x8a, 0x93, 0xa1),
        Stage::Bake => rgb(0xf2, 0xc1, 0x4e),
        Stage::CollideClear => rgb(0xd9, 0x5f, 0x8c),
        Stage::CollideUpdate => rgb(0xf0, 0x7a, 0x6a),
        Stage::ClothPredict => rgb(0x3f, 0x7f, 0xbf),
        Stage::ClothSolve => rgb(0x4c, 0x9f, 0xff),
        Stage::ClothContact => rgb(0x2f, 0xd0, 0xd8),
        Stage::Collide => rgb(0xff, 0x9d, 0x4d),
        Stage::ClothFinish => rgb(0x86, 0xc5, 0xff),
        Stage::Shadow => rgb(0x5d, 0x9e, 0x6f),
        Stage::Draw => rgb(0x7f, 0xd1, 0x9b),
        Stage::Overlay => rgb(0xa9, 0x8b, 0xe0),
    }
}

/// Loads the fonts, as sharp as a screen of this scale can show them. The painter's texture must be made anew after it.
pub fn load_fonts(context: &mut Context, scale: f32) -> Fonts {
    let atlas = context.fonts();
    atlas.clear();
    let mut add = |data, points: f32| {
        let config = FontConfig {
            glyph_ranges: FontGlyphRanges::from_slice(GLYPHS),
            oversample_h: 3,
            ..FontConfig::default()
        };
        atlas.add_font(&[FontSource::TtfData {
            data,
            size_pixels: (points * scale).round(),
            config: Some(config),
        }])
    };
    let fonts = Fonts {
        text: add(REGULAR, TEXT_POINTS),
        heading: add(MEDIUM, TEXT_POINTS),
        title: add(MEDIUM, TITLE_POINTS),
    };
    context.io_mut().font_global_scale = 1.0 / scale;
    fonts
}

/// Sets sizes and colours of all widgets.
pub fn apply(context: &mut Context) {
    let style = context.style_mut();
    style.window_padding = [12.0, 10.0];
    style.frame_padding = [8.0, 3.0];
    style.item_spacing = [8.0, 4.0];
    style.item_inner_spacing = [6.0, 4.0];
    style.cell_padding = [4.0, 2.0];
    style.indent_spacing = 14.0;
    style.scrollbar_size = 10.0;
    style.grab_min_size = 10.0;
    style.window_border_size = 0.0;
    style.popup_border_size = 0.0;
    style.window_rounding = 8.0;
    style.frame_rounding = 4.0;
    style.popup_rounding = 6.0;
    style.grab_rounding = 4.0;
    style.scrollbar_rounding = 6.0;
    style.window_title_align = [0.0, 0.5];
    for (colour, value) in colours() {
        style[colour] = value;
    }
}

fn colours() -> [(StyleColor, Colour); 34] {
    use StyleColor as C;
    [
        (C::Text, TEXT),
        (C::TextDisabled, FAINT),
        (C::WindowBg, PANEL),
        (C::PopupBg, with_alpha(PANEL, 0.97)),
        (C::Border, LINE),
        (C::FrameBg, FIELD),
        (C::FrameBgHovered, FIELD_HOVERED),
        (C::FrameBgActive, FIELD_ACTIVE),
        (C::TitleBg, PANEL),
        (C::TitleBgActive, PANEL),
        (C::TitleBgCollapsed, PANEL),
        (C::ScrollbarBg, with_alpha(FIELD, 0.0)),
        (C::ScrollbarGrab, FIELD_ACTIVE),
        (C::ScrollbarGrabHovered, FAINT),
        (C::ScrollbarGrabActive, ACCENT),
        (C::CheckMark, ACCENT),
        (C::SliderGrab, with_alpha(ACCENT, 0.8)),
        (C::SliderGrabActive, ACCENT),
        (C::Button, FIELD_HOVERED),
        (C::ButtonHovered, FIELD_ACTIVE),
        (C::ButtonActive, with_alpha(ACCENT, 0.7)),
        (C::Header, with_alpha(FIELD_HOVERED, 0.75)),
        (C::HeaderHovered, FIELD_ACTIVE),
        (C::HeaderActive, with_alpha(ACCENT, 0.5)),
        (C::Separator, LINE),
        (C::TableHeaderBg, with_alpha(FIELD, 0.0)),
        (C::TableBorderLight, LINE),
        (C::TableBorderStrong, LINE),
        (C::TableRowBg, with_alpha(FIELD, 0.0)),
        (C::TableRowBgAlt, with_alpha(FIELD, 0.35)),
        (C::PlotHistogram, with_alpha(ACCENT, 0.75)),
        (C::PlotLines, ACCENT),
        (C::TextSelectedBg, with_alpha(ACCENT, 0.35)),
        (C::NavHighlight, ACCENT),
    ]
}

const fn rgb(red: u8, green: u8, blue: u8) -> Colour {
    [
        red as f32 / 255.0,
        green as f32 / 255.0,
        blue as f32 / 255.0,
        1.0,
    ]
}

/// The colour, more or less see-through.
pub const fn with_alpha([red, green, blue, _]: Colour, alpha: f32) -> Colour {
    [red, green, blue, alpha]
}
