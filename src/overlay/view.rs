//! What is drawn: the lit picture and the debug views.

use std::f32::consts::{FRAC_PI_2, PI};

use imgui::Ui;

use super::Action;
use super::facts::Facts;
use super::form::{button_width, choice, label, number, tip};
use crate::render::{
    BodyColours, ClothColours, Follow, STEEPEST, ShownStructure, SolidColours, ViewOptions,
};

/// Draws the section.
pub fn draw(ui: &Ui, facts: &Facts, actions: &mut Vec<Action>) {
    let mut view = facts.view;
    preset(ui, &mut view);
    surfaces(ui, &mut view);
    layers(ui, &mut view);
    let exposure = label("Exposure", "A factor on all light.");
    number(ui, exposure, (0.25, 3.0), "%.2f", &mut view.exposure);
    let brush = label(
        "Hand",
        "How much cloth a pull takes along round the mouse, the less the further away. 0 takes a single particle.",
    );
    let mut brush_cm = 1e2 * facts.brush_radius;
    if number(ui, brush, (0.0, 50.0), "%.0f cm", &mut brush_cm) {
        actions.push(Action::SetBrush(1e-2 * brush_cm));
    }
    if view != facts.view {
        actions.push(Action::Show(view));
    }
    camera(ui, facts, actions);
    buttons(ui, actions);
}

/// From where the camera can be asked to look: name, yaw, pitch, radians.
const SIDES: [(&str, f32, f32); 4] = [
    ("Front", 0.0, 0.0),
    ("Left", FRAC_PI_2, 0.0),
    ("Back", PI, 0.0),
    ("Top", 0.0, STEEPEST),
];

fn camera(ui: &Ui, facts: &Facts, actions: &mut Vec<Action>) {
    let row = label(
        "Field of view",
        "From the lower to the upper edge of the picture. The camera goes as near as it takes.",
    );
    let mut degrees = facts.field_of_view.to_degrees();
    if number(ui, row, (10.0, 90.0), "%.0f degrees", &mut degrees) {
        actions.push(Action::SetFieldOfView(degrees.to_radians()));
    }
    let row = label(
        "Camera",
        "Goes along so that all of the character is seen; keeps its pelvis in one place, so that limbs alone move; turns with it as well, so that who is seen from the front stays so; or stays where it is.",
    );
    let names = [
        "follows all of it",
        "follows the pelvis",
        "turns with it",
        "stays",
    ];
    if let Some(ix) = choice(ui, row, &names, Some(facts.follow as usize)) {
        actions.push(Action::Follow(Follow::ALL[ix]));
    }
    let width = button_width(ui, SIDES.len());
    for (ix, (name, yaw, pitch)) in SIDES.into_iter().enumerate() {
        if ix > 0 {
            ui.same_line();
        }
        if ui.button_with_size(name, [width, 0.0]) {
            actions.push(Action::LookFrom(yaw, pitch));
        }
    }
}

fn preset(ui: &Ui, view: &mut ViewOptions) {
    let tip = "The usual combinations of what is below.";
    let names = ViewOptions::NAMED.map(|(name, _)| name);
    let current = ViewOptions::NAMED.iter().position(|(_, make)| {
        ViewOptions {
            exposure: view.exposure,
            ..make()
        } == *view
    });
    if let Some(ix) = choice(ui, label("View", tip), &names, current) {
        let exposure = view.exposure;
        *view = ViewOptions {
            exposure,
            ..(ViewOptions::NAMED[ix].1)()
        };
    }
}

fn surfaces(ui: &Ui, view: &mut ViewOptions) {
    let colours = label(
        "Cloth colours",
        "Penetration: how deep the collision pushed each particle out in the last step, blue for not at all, red for as much as the cloth is thick. Stretch: how much longer the edges of a triangle are than they were made, red from a quarter on.",
    );
    if let Some(ix) = choice(
        ui,
        colours,
        &["fabric", "penetration", "stretch"],
        Some(view.cloth_colours as usize),
    ) {
        view.cloth_colours = [
            ClothColours::Fabric,
            ClothColours::Penetration,
            ClothColours::Stretch,
        ][ix];
    }
    let body = label(
        "Body colours",
        "Covered: magenta where the clothes cover the skin as they were made, so that what is seen of it shows through.",
    );
    let colours = Some(view.body_colours as usize);
    if let Some(ix) = choice(ui, body, &["skin", "covered"], colours) {
        view.body_colours = [BodyColours::Skin, BodyColours::Covered][ix];
    }
    let solids = label(
        "Solid colours",
        "Field error: how far the surface of a solid's distance field lies from its mesh, blue for none, red for a quarter of a cell and more.",
    );
    let colours = Some(view.solid_colours as usize);
    if let Some(ix) = choice(ui, solids, &["clay", "field error"], colours) {
        view.solid_colours = [SolidColours::Clay, SolidColours::Error][ix];
    }
    let fields = label(
        "Structure",
        "What the cloth collides with: the surface of radial fields, slices through grids, the occupied cells of a hash table, the boxes of a tree. Fields by distance from their axis, or each in a colour of its own.",
    );
    let names = ["hidden", "by distance", "by field"];
    if let Some(ix) = choice(ui, fields, &names, Some(view.structure as usize)) {
        view.structure = [
            ShownStructure::Hidden,
            ShownStructure::ByDistance,
            ShownStructure::ByField,
        ][ix];
    }
}

fn layers(ui: &Ui, view: &mut ViewOptions) {
    let switches = [
        ("Body", &mut view.show_body),
        ("Cloth", &mut view.show_cloth),
        ("Ground", &mut view.show_ground),
        ("Body mesh", &mut view.body_wireframe),
        ("Cloth mesh", &mut view.cloth_wireframe),
        ("Contacts", &mut view.contacts),
        ("Cylinders", &mut view.broad_phase),
    ];
    let column = ui.content_region_avail()[0] / 3.0;
    let left = ui.cursor_pos()[0];
    for (ix, (name, value)) in switches.into_iter().enumerate() {
        if ix % 3 != 0 {
            ui.same_line_with_pos(left + (ix % 3) as f32 * column);
        }
        ui.checkbox(name, value);
        if ui.is_item_hovered() {
            tip(ui, about(name));
        }
    }
}

fn about(layer: &str) -> &'static str {
    match layer {
        "Body mesh" | "Cloth mesh" => "The edges of its triangles.",
        "Contacts" => "A line along the normal of every contact.",
        "Cylinders" => {
            "The cylinder of each field: a particle outside all of them is not looked at further."
        }
        _ => "Whether it is drawn.",
    }
}

fn buttons(ui: &Ui, actions: &mut Vec<Action>) {
    let half = button_width(ui, 2);
    if ui.button_with_size("Frame character", [half, 0.0]) {
        actions.push(Action::FrameCharacter);
    }
    ui.same_line();
    if ui.button_with_size("Screenshot", [half, 0.0]) {
        actions.push(Action::Screenshot);
    }
}
