//! Scene, character, garment, clip and technique.

use imgui::Ui;

use super::Action;
use super::facts::{Cast, Facts};
use super::form::{choice, label, thousands};
use super::theme;

/// What the section remembers: a file name on its way in.
#[derive(Default)]
pub struct CastSection {
    file: String,
}

impl CastSection {
    pub fn draw(&mut self, ui: &Ui, facts: &Facts, wishes: &mut Vec<Action>) {
        let cast = &facts.cast;
        let _loading = ui.begin_disabled(cast.loading.is_some());
        choose_scene(ui, cast, wishes);
        self.choose_character(ui, cast, wishes);
        let garment = label(
            "Garment",
            "Made to the character's shape when it is chosen.",
        );
        if let Some(ix) = choice(ui, garment, cast.outfits, Some(cast.outfit_ix)) {
            wishes.push(Action::ChooseOutfit(ix));
        }
        let clip = label("Clip", "The motion the character plays, round and round.");
        if let Some(ix) = choice(ui, clip, cast.clips, cast.clip_ix) {
            wishes.push(Action::ChooseClip(ix));
        }
        let technique = label("Technique", "How the cloth is kept out of the body.");
        if let Some(ix) = choice(ui, technique, cast.techniques, Some(cast.technique_ix)) {
            wishes.push(Action::ChooseTechnique(ix));
        }
        choose_beside(ui, cast, wishes);
        sizes(ui, cast);
    }

    fn choose_character(&mut self, ui: &Ui, cast: &Cast, wishes: &mut Vec<Action>) {
        let tip = "The characters that need no file. Any other comes from a glTF file: name it below, or drop it on the window.";
        let current = cast
            .characters
            .iter()
            .position(|&name| name == cast.character);
        let row = label("Character", tip);
        if let Some(ix) = choice(ui, row, cast.characters, current) {
            wishes.push(Action::ChooseCharacter(cast.characters[ix].to_owned()));
        }
        label("File", tip).write(ui);
        let hint = if current.is_none() {
            cast.character
        } else {
            ".glb or .gltf, then Enter"
        };
        let entered = ui
            .input_text("##file", &mut self.file)
            .hint(hint)
            .enter_returns_true(true)
            .build();
        let file = self.file.trim();
        if entered && !file.is_empty() {
            wishes.push(Action::ChooseCharacter(as_file(file)));
            self.file.clear();
        }
    }
}

fn choose_scene(ui: &Ui, cast: &Cast, wishes: &mut Vec<Action>) {
    let names: Vec<_> = cast.scenes.iter().map(|scene| scene.name).collect();
    let about = cast
        .scenes
        .get(cast.scene_ix)
        .map_or("", |scene| scene.about);
    if let Some(ix) = choice(ui, label("Scene", about), &names, Some(cast.scene_ix)) {
        wishes.push(Action::ChooseScene(ix));
    }
}

/// The list of techniques once more, after the choice of none.
fn choose_beside(ui: &Ui, cast: &Cast, wishes: &mut Vec<Action>) {
    let row = label(
        "Beside it",
        "Another technique on the same motion, each in a half of the picture with its own times and quality.",
    );
    let names = [&["none"], cast.techniques].concat();
    let current = cast.beside_ix.map_or(0, |ix| ix + 1);
    if let Some(ix) = choice(ui, row, &names, Some(current)) {
        wishes.push(Action::ChooseBeside(ix.checked_sub(1)));
    }
}

/// A bare name is a file here too, not a built-in character.
fn as_file(name: &str) -> String {
    if name.contains(['/', '\\', '.']) {
        name.to_owned()
    } else {
        format!("./{name}")
    }
}

fn sizes(ui: &Ui, cast: &Cast) {
    let body = format!(
        "{} triangles, {} joints",
        thousands(cast.triangle_count),
        cast.joint_count
    );
    let particles = thousands(cast.particle_count);
    let cloth = match cast.field_count {
        0 => format!("{particles} cloth particles"),
        fields => format!("{fields} fields, {particles} cloth particles"),
    };
    ui.text_colored(theme::FAINT, body);
    ui.text_colored(theme::FAINT, cloth);
}
