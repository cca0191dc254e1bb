//! Scene, character, garment, clip and technique.

use imgui::Ui;

use super::Action;
use super::facts::{Facts, SceneFacts};
use super::form::{choice, label, thousands};
use super::theme;

/// What the section remembers: a file name on its way in.
#[derive(Default)]
pub struct SceneSection {
    file: String,
}

impl SceneSection {
    pub fn draw(&mut self, ui: &Ui, facts: &Facts, actions: &mut Vec<Action>) {
        let scene = &facts.scene;
        let _loading = ui.begin_disabled(scene.loading.is_some());
        choose_scene(ui, scene, actions);
        self.choose_character(ui, scene, actions);
        choose_count(ui, scene, actions);
        let garment = label(
            "Garment",
            "Made to the character's shape when it is chosen; then the clip starts over.",
        );
        if let Some(ix) = choice(ui, garment, scene.outfits, Some(scene.outfit_ix)) {
            actions.push(Action::ChooseOutfit(ix));
        }
        let clip = label("Clip", "The motion the character plays, round and round.");
        if let Some(ix) = choice(ui, clip, scene.clips, scene.clip_ix) {
            actions.push(Action::ChooseClip(ix));
        }
        let technique = label(
            "Technique",
            "How the cloth is kept out of the body. Another one is fitted to the character, in a second or two; clip, cloth and settings stay as they are.",
        );
        if let Some(ix) = choice(ui, technique, scene.techniques, Some(scene.technique_ix)) {
            actions.push(Action::ChooseTechnique(ix));
        }
        choose_beside(ui, scene, actions);
        sizes(ui, scene);
    }

    fn choose_character(&mut self, ui: &Ui, scene: &SceneFacts, actions: &mut Vec<Action>) {
        let tip = "The characters that need no file. Any other comes from a glTF file: name it below, or drop it on the window.";
        let current = scene.character_ix;
        let row = label("Character", tip);
        if let Some(ix) = choice(ui, row, scene.characters, current) {
            actions.push(Action::ChooseCharacter(ix));
        }
        label("File", tip).write(ui);
        let hint = if current.is_none() {
            scene.character
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
            actions.push(Action::OpenCharacter(as_file(file)));
            self.file.clear();
        }
    }
}

/// Numbers of characters to choose from: squares, but for the first few.
const COUNTS: [u32; 8] = [1, 2, 4, 9, 16, 25, 64, 100];

fn choose_count(ui: &Ui, scene: &SceneFacts, actions: &mut Vec<Action>) {
    let row = label(
        "How many",
        "Copies of the character in its clothes, in one world, each somewhere else in the clip.",
    );
    let names = COUNTS.map(|count| count.to_string());
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    let shown = scene.character_count.to_string();
    let known = |count: &u32| *count as usize == scene.character_count;
    let current = COUNTS.iter().position(known).unwrap_or(names.len());
    if current == names.len() {
        names.push(&shown);
    }
    if let Some(&count) = choice(ui, row, &names, Some(current)).and_then(|ix| COUNTS.get(ix)) {
        actions.push(Action::ChooseCount(count));
    }
}

fn choose_scene(ui: &Ui, scene: &SceneFacts, actions: &mut Vec<Action>) {
    let names: Vec<_> = scene.scenes.iter().map(|scene| scene.name).collect();
    let about = scene
        .scenes
        .get(scene.scene_ix)
        .map_or("", |scene| scene.about);
    if let Some(ix) = choice(ui, label("Scene", about), &names, Some(scene.scene_ix)) {
        actions.push(Action::ChooseScene(ix));
    }
}

/// The list of techniques once more, after the choice of none.
fn choose_beside(ui: &Ui, scene: &SceneFacts, actions: &mut Vec<Action>) {
    let row = label(
        "Beside it",
        "Another technique on the same motion, each in a half of the picture with its own times and quality.",
    );
    let names = [&["none"], scene.techniques].concat();
    let current = scene.beside_ix.map_or(0, |ix| ix + 1);
    if let Some(ix) = choice(ui, row, &names, Some(current)) {
        actions.push(Action::ChooseBeside(ix.checked_sub(1)));
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

fn sizes(ui: &Ui, scene: &SceneFacts) {
    let each = if scene.character_count > 1 {
        " each"
    } else {
        ""
    };
    let body = format!(
        "{} triangles, {} joints{each}",
        thousands(scene.triangle_count),
        scene.joint_count
    );
    let particles = thousands(scene.particle_count);
    let cloth = match scene.field_count {
        0 => format!("{particles} cloth particles"),
        fields => format!("{fields} fields, {particles} cloth particles"),
    };
    ui.text_colored(theme::FAINT, body);
    ui.text_colored(theme::FAINT, cloth);
}
