//! The panels' share of what is shown, the same with a window and without: what is measured, what it is called, the facts of both.

pub mod board;
pub mod facts_of;
pub mod measured;
pub mod names;

use imgui::Context;
use radial_fields::overlay::Fonts;
use radial_fields::overlay::theme;

/// imgui's context in the panels' looks, with their fonts. `scale`: pixels a point.
pub fn make_context(scale: f32) -> (Context, Fonts) {
    let mut context = Context::create();
    context.set_ini_filename(None);
    context.set_renderer_name(Some("radial_fields".to_owned()));
    context.io_mut().backend_flags |= imgui::BackendFlags::RENDERER_HAS_VTX_OFFSET;
    theme::apply(&mut context);
    let fonts = theme::load_fonts(&mut context, scale);
    (context, fonts)
}
