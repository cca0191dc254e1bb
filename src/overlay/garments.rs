//! The cloth of each garment.

use imgui::Ui;

use super::form::{choice, in_units, label, magnitude, number, switch};
use crate::cloth::{GarmentSettings, Material};

/// Draws one garment's rows.
pub fn draw(ui: &Ui, garment: &mut GarmentSettings) {
    fabric(ui, garment);
    let row = label(
        "Damping",
        "Share of the speed lost a second. Much of it and the cloth moves as through honey.",
    );
    number(ui, row, (0.0, 5.0), "%.2f /s", &mut garment.damping);
    let row = label(
        "Drag",
        "How strongly air drags the cloth along its normals.",
    );
    number(ui, row, (0.0, 10.0), "%.2f /s", &mut garment.drag);
    let row = label("Friction", "Coefficient of friction with the skin.");
    number(ui, row, (0.0, 1.5), "%.2f", &mut garment.friction);
    thickness(ui, garment);
    let row = label(
        "Free play",
        "Times how far the cloth may be from where skinning puts it. 0 switches motion constraints off.",
    );
    number(ui, row, (0.0, 4.0), "%.2f", &mut garment.motion_scale);
    let mut tethered = garment.tethered != 0;
    let row = label(
        "Tethers",
        "Keeps particles within the length of the cloth from where it is attached.",
    );
    if switch(ui, row, &mut tethered) {
        garment.tethered = u32::from(tethered);
    }
}

/// Fabrics to begin with, then their stiffness one by one.
fn fabric(ui: &Ui, garment: &mut GarmentSettings) {
    let worn = garment.material();
    let chosen = Material::ALL.iter().position(|known| Some(*known) == worn);
    let row = label("Fabric", "Stiffness and weight of a usual one.");
    if let Some(ix) = choice(ui, row, &Material::ALL.map(Material::name), chosen) {
        *garment = garment.made_of(Material::ALL[ix]);
    }
    let rows = [
        (
            "Warp",
            "Stiffness along the threads that run down the cloth.",
            1e4,
            "%.0f N/m",
        ),
        (
            "Weft",
            "Stiffness along the threads that run across it.",
            1e4,
            "%.0f N/m",
        ),
        (
            "Shear",
            "Stiffness between the threads: how it resists being pulled along the bias.",
            1e4,
            "%.0f N/m",
        ),
        (
            "Bending",
            "Flexural rigidity: 6 is cotton, 80 denim.",
            1e4,
            "%.1f µN·m",
        ),
    ];
    for ((name, tip, most, format), value) in rows.into_iter().zip(&mut garment.compliance) {
        let unit = if name == "Bending" { 1e6 } else { 1.0 };
        let mut stiffness = unit / value.max(1e-9);
        if magnitude(ui, label(name, tip), (0.1, most), format, &mut stiffness) {
            *value = unit / stiffness;
        }
    }
    let row = label("Weight", "Mass of a square metre.");
    number(ui, row, (0.03, 1.0), "%.2f kg/m²", &mut garment.density);
    let row = label(
        "Strain limit",
        "Part of its length that the cloth gives at most.",
    );
    let limit = &mut garment.strain_limit;
    in_units(ui, row, (0.0, 20.0), ("%.1f %%", 100.0), limit);
}

fn thickness(ui: &Ui, garment: &mut GarmentSettings) {
    let row = label(
        "Thickness",
        "Kept between particle and skin. Less than 2 mm lets skin show through between particles.",
    );
    let thickness = &mut garment.thickness;
    in_units(ui, row, (1.0, 20.0), ("%.1f mm", 1e3), thickness);
}
