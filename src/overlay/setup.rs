//! What is shown as a whole: saved, opened, one change back.

use imgui::Ui;

use super::Action;
use super::facts::Facts;
use super::form::{button, button_width, label};

/// What the section remembers: a file's name.
pub struct SetupSection {
    file: String,
}

/// What a setup is called until it is called otherwise.
const USUAL_FILE: &str = "setup.json";

impl Default for SetupSection {
    fn default() -> Self {
        Self {
            file: USUAL_FILE.to_owned(),
        }
    }
}

impl SetupSection {
    pub fn draw(&mut self, ui: &Ui, facts: &Facts, actions: &mut Vec<Action>) {
        let width = button_width(ui, 3);
        let button = |name: &str, about: &str, is_possible: bool, width: f32| {
            let _off = ui.begin_disabled(!is_possible);
            button(ui, label(name, about), width)
        };
        if button("Undo", "One change back (Ctrl+Z)", facts.can_undo, width) {
            actions.push(Action::Undo);
        }
        ui.same_line();
        if button(
            "Redo",
            "One change on again (Ctrl+Y)",
            facts.can_redo,
            width,
        ) {
            actions.push(Action::Redo);
        }
        ui.same_line();
        let about = "The scene as it comes, with usual settings; Undo brings back what was.";
        if button("Defaults", about, true, width) {
            actions.push(Action::Defaults);
        }
        let about = "All that is set here, as JSON: the viewer takes it as --setup FILE too, with a window or without.";
        label("Setup", about).write(ui);
        ui.input_text("##setup", &mut self.file).build();
        let half = button_width(ui, 2);
        let file = self.file.trim().to_owned();
        let is_named = !file.is_empty();
        if button("Save", "Save to this file (Ctrl+S)", is_named, half) {
            actions.push(Action::SaveSetup(file.clone()));
        }
        ui.same_line();
        if button("Open", "Show what this file says", is_named, half) {
            actions.push(Action::OpenSetup(file));
        }
    }

    /// Where it is saved to.
    pub fn file(&self) -> &str {
        match self.file.trim() {
            "" => USUAL_FILE,
            file => file,
        }
    }
}
