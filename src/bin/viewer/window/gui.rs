//! imgui between the window and the panels.

use std::time::Duration;

use imgui::{Context, DrawData};
use imgui_winit_support::{HiDpiMode, WinitPlatform};
use radial_fields::overlay::{Action, Facts, Panels, theme};
use winit::event::{Event, WindowEvent};
use winit::window::Window;

use crate::panels::make_context;

/// imgui's context, fed by a window.
pub struct Gui {
    pub context: Context,
    pub panels: Panels,
    pub shows_panels: bool,
    platform: WinitPlatform,
    scale: f32,
}

/// Whether letters must be made anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fonts {
    Same,
    Changed,
}

impl Gui {
    pub fn new(window: &Window, shows_panels: bool) -> Self {
        let scale = scale_of(window);
        let (mut context, fonts) = make_context(scale);
        let mut platform = WinitPlatform::new(&mut context);
        platform.attach_window(context.io_mut(), window, HiDpiMode::Default);
        Self {
            panels: Panels::new(fonts),
            context,
            shows_panels,
            platform,
            scale,
        }
    }

    /// Lets imgui hear of what happens to the window.
    pub fn hear(&mut self, window: &Window, event: &WindowEvent) -> Fonts {
        let event: Event<()> = Event::WindowEvent {
            window_id: window.id(),
            event: event.clone(),
        };
        self.platform
            .handle_event(self.context.io_mut(), window, &event);
        if self.scale == scale_of(window) {
            return Fonts::Same;
        }
        self.scale = scale_of(window);
        let fonts = theme::load_fonts(&mut self.context, self.scale);
        self.panels.set_fonts(fonts);
        Fonts::Changed
    }

    /// Whether the mouse is the panels'.
    pub fn wants_mouse(&self) -> bool {
        self.shows_panels && self.context.io().want_capture_mouse
    }

    /// Whether something in the panels is held at the moment: a slider, a field of text.
    pub fn is_held(&self) -> bool {
        self.shows_panels && self.context.io().mouse_down.iter().any(|&is_down| is_down)
    }

    /// Whether text is being entered.
    pub fn wants_text(&self) -> bool {
        self.shows_panels && self.context.io().want_text_input
    }

    /// Whether the list of mouse and keys is in sight.
    pub fn shows_help(&self) -> bool {
        self.shows_panels && self.panels.shows_help
    }

    /// Draws the panels, if they are shown, and returns what the user asks for.
    pub fn draw(&mut self, window: &Window, seconds: f32, facts: &Facts) -> Vec<Action> {
        let io = self.context.io_mut();
        io.update_delta_time(Duration::from_secs_f32(seconds.max(1e-4)));
        // A cursor that cannot be moved is no fault worth a word.
        let _ = self.platform.prepare_frame(io, window);
        let ui = self.context.new_frame();
        let actions = if self.shows_panels {
            self.panels.draw(ui, facts)
        } else {
            Vec::new()
        };
        self.platform.prepare_render(ui, window);
        actions
    }

    /// What [`Gui::draw`] drew.
    pub fn draw_data(&mut self) -> &DrawData {
        self.context.render()
    }

    /// Pixels a point.
    pub fn scale(&self) -> f32 {
        self.scale
    }
}

fn scale_of(window: &Window) -> f32 {
    (window.scale_factor() as f32).max(0.5)
}
