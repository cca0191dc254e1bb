//! Panels over the picture: what is shown, how it is simulated, what that costs.
//!
//! [`Panels`] draw themselves from [`Facts`], plain values of the frame, and hand back [`Action`]s; they change nothing
//! and know neither window nor device. The [`Painter`] turns what imgui made of them into draws.

mod action;
mod caption;
mod cost;
mod facts;
mod form;
mod garments;
mod help;
mod history;
mod layout;
mod messages;
mod pace;
mod painter;
mod passes;
mod pipelines;
mod playback;
mod plot;
mod props;
mod quality;
mod row;
mod scene;
mod setup;
mod side_panel;
mod simulation;
#[cfg(test)]
mod tests;
pub mod theme;
mod view;

use imgui::Ui;

pub use action::Action;
pub use facts::{
    Contender, Cost, Facts, Machine, Message, Named, PassCost, Playback, PlayedFrames,
    QualityFigures, SLOWEST, SceneFacts, Severity, TraceState, Validation,
};
pub use history::{FRAME_COUNT, Ring, StageColumn, Summary, Times, join, total};
pub use layout::Layout;
pub use painter::{Painter, PainterDesc};
pub use theme::Fonts;

use form::Open::{AtFirst, OnDemand};
use form::section;
use layout::Side;
use side_panel::SidePanels;

/// All panels, with what they remember from frame to frame.
pub struct Panels {
    fonts: Fonts,
    scene: scene::SceneSection,
    setup: setup::SetupSection,
    props: props::PropsSection,
    pace: pace::PaceSection,
    pipelines: pipelines::PipelinesSection,
    sides: SidePanels,
    /// Of the last frame, points.
    messages_height: f32,
    /// Whether the list of mouse and keys is shown.
    pub shows_help: bool,
}

impl Panels {
    /// Panels in their usual places, all as they open.
    pub fn new(fonts: Fonts) -> Self {
        Self {
            fonts,
            scene: scene::SceneSection::default(),
            setup: setup::SetupSection::default(),
            props: props::PropsSection::default(),
            pace: pace::PaceSection::default(),
            pipelines: pipelines::PipelinesSection::default(),
            sides: SidePanels::default(),
            messages_height: 0.0,
            shows_help: false,
        }
    }

    /// Where setups are saved to.
    pub fn setup_file(&self) -> &str {
        self.setup.file()
    }

    /// Whether the left and the right panel are open.
    pub fn are_open(&self) -> [bool; 2] {
        self.sides.are_open()
    }

    /// Fonts loaded anew, for a screen of another scale.
    pub fn set_fonts(&mut self, fonts: Fonts) {
        self.fonts = fonts;
    }

    /// Draws everything and returns what the user asks for.
    pub fn draw(&mut self, ui: &Ui, facts: &Facts) -> Vec<Action> {
        let mut actions = Vec::new();
        let layout = Layout::new(ui.io().display_size);
        let fonts = self.fonts;
        let text = ui.push_font(fonts.text);
        self.messages_height = messages::draw(ui, &layout, facts, &mut actions);
        let layout = layout.with_messages(self.messages_height);
        let mut sides = std::mem::take(&mut self.sides);
        sides.suit(&layout);
        sides.draw(ui, fonts, &layout, (Side::Left, "Radial Fields"), || {
            self.controls(ui, facts, &mut actions);
        });
        sides.draw(ui, fonts, &layout, (Side::Right, "Performance"), || {
            self.measurements(ui, facts, &mut actions);
        });
        self.sides = sides;
        caption::draw(ui, fonts, &layout, facts, self.are_open());
        help::draw_line(ui, &layout);
        if self.shows_help {
            help::draw_list(ui, &layout, &mut self.shows_help);
        }
        text.pop();
        actions
    }

    /// The left panel.
    fn controls(&mut self, ui: &Ui, facts: &Facts, actions: &mut Vec<Action>) {
        let fonts = self.fonts;
        section(ui, fonts, "Stage", AtFirst, || {
            self.scene.draw(ui, facts, actions);
        });
        section(ui, fonts, "Setup", AtFirst, || {
            self.setup.draw(ui, facts, actions);
        });
        section(ui, fonts, "Playback", AtFirst, || {
            playback::draw(ui, &facts.playback, actions);
        });
        section(ui, fonts, "View", AtFirst, || {
            view::draw(ui, facts, actions);
        });
        let mut settings = facts.settings.clone();
        if facts.contenders.len() > 1 {
            simulation::choose_edited(ui, facts, actions);
        }
        section(ui, fonts, "Things and ground", OnDemand, || {
            self.props.draw(ui, facts, actions);
            props::draw_ground(ui, &mut settings.cloth);
        });
        section(ui, fonts, "Solver", OnDemand, || {
            simulation::draw_cloth(ui, &mut settings.cloth);
            simulation::draw_cloth_contacts(ui, facts, actions);
            simulation::draw_detail(ui, facts, actions);
        });
        section(ui, fonts, "Collision", OnDemand, || {
            simulation::draw_collide(ui, &mut settings.collide);
        });
        for (name, garment) in facts.garments.iter().zip(&mut settings.garments) {
            section(ui, fonts, &format!("Cloth: {name}"), OnDemand, || {
                garments::draw(ui, garment);
            });
        }
        if settings != *facts.settings {
            actions.push(Action::Change(settings));
        }
    }

    /// The right panel.
    fn measurements(&mut self, ui: &Ui, facts: &Facts, actions: &mut Vec<Action>) {
        let fonts = self.fonts;
        self.pace.draw(ui, fonts, facts, actions);
        section(ui, fonts, "Quality", AtFirst, || {
            quality::draw(ui, facts, actions);
        });
        section(ui, fonts, "Memory", AtFirst, || {
            cost::draw_memory(ui, facts);
        });
        section(ui, fonts, "Launches", OnDemand, || {
            cost::draw_launches(ui, facts);
            passes::draw(ui, facts, actions);
        });
        section(ui, fonts, "Pipelines", OnDemand, || {
            self.pipelines.draw(ui, facts);
        });
        section(ui, fonts, "Device", AtFirst, || {
            cost::draw_machine(ui, &facts.machine, facts.validation.as_ref());
        });
    }
}
