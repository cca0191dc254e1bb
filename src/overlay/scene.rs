//! Scene, character, garment, clip and technique.

use imgui::Ui;

use super::Action;
use super::facts::{Facts, SceneFacts};
use super::form::{choice, label, magnitude_of_count, number, thousands};
use super::theme;

/// What the section remembers: a file name on its way in.
#[derive(Default)]
pub struct SceneSection {
    file: String,
    garment_file: String,
    /// Changes that are not finished.
    particles: Option<u32>,
    cell_size_mm: Option<f32>,
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
        self.open_garment(ui, actions);
        self.fineness(ui, scene, actions);
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
        if scene.beside_ix.is_some() {
            choose_picture(ui, facts, actions);
        }
        if scene.triangle_count > 0 {
            sizes(ui, scene);
        }
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

impl SceneSection {
    fn open_garment(&mut self, ui: &Ui, actions: &mut Vec<Action>) {
        let tip = "Clothes out of a file of their own: an .obj that lies over the character as it was made, in metres, or a .glb or .gltf skinned to joints of the same names.";
        label("Its file", tip).write(ui);
        let entered = ui
            .input_text("##garment file", &mut self.garment_file)
            .hint(".obj or .glb, then Enter")
            .enter_returns_true(true)
            .build();
        let file = self.garment_file.trim();
        if entered && !file.is_empty() {
            actions.push(Action::OpenGarment(file.to_owned()));
        }
    }

    /// How finely cloth and skin are divided: all is made anew when the mouse is let go.
    fn fineness(&mut self, ui: &Ui, scene: &SceneFacts, actions: &mut Vec<Action>) {
        if let Some(wanted) = scene.wanted_particles {
            let mut count = self.particles.unwrap_or(wanted);
            let row = label(
                "Particles",
                "Of all the outfit's garments together. The outfit is made anew when the mouse is let go.",
            );
            magnitude_of_count(ui, row, PARTICLES, &mut count);
            self.particles = Some(count).filter(|count| *count != wanted);
        }
        let shown_mm = 1e3 * scene.cell_size;
        if shown_mm <= 0.0 {
            return; // Nothing is shown yet.
        }
        let mut cell_mm = self.cell_size_mm.unwrap_or(shown_mm);
        let row = label(
            "Cell size",
            "Of radial fields and the hash table: smaller cells follow the skin more closely and cost memory and time. Fitted anew when the mouse is let go.",
        );
        number(ui, row, CELL_SIZES_MM, "%.1f mm", &mut cell_mm);
        let is_other = (cell_mm - shown_mm).abs() > 0.01;
        self.cell_size_mm = is_other.then_some(cell_mm);
        if !ui.is_any_item_active() {
            let particles = self.particles.take().map(Action::ChooseParticles);
            let cells = self.cell_size_mm.take();
            let cells = cells.map(|mm| Action::ChooseCellSize(1e-3 * mm));
            actions.extend(particles.into_iter().chain(cells));
        }
    }
}

/// What an outfit can be asked for with the mouse.
const PARTICLES: (u32, u32) = (200, 50_000);
/// Millimetres, as [`PARTICLES`].
const CELL_SIZES_MM: (f32, f32) = (2.0, 60.0);

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

/// How two worlds are seen.
fn choose_picture(ui: &Ui, facts: &Facts, actions: &mut Vec<Action>) {
    let row = label(
        "Shown",
        "Side by side, or in one picture where the two differ: grey where they are alike, yellow to red where not.",
    );
    let current = usize::from(facts.shows_difference);
    if let Some(ix) = choice(ui, row, &["side by side", "as a difference"], Some(current)) {
        actions.push(Action::ShowDifference(ix == 1));
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
