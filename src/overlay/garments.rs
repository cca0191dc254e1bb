//! The cloth of each garment.

use imgui::Ui;

use super::form::{label, magnitude, number, switch};
use crate::cloth::GarmentSettings;

/// Draws one garment's rows.
pub fn draw(ui: &Ui, garment: &mut GarmentSettings) {
    compliance(ui, garment);
    let row = label(
        "Damping",
        "Share of the speed lost a second. Much of it and the cloth moves as through honey.",
    );
    number(ui, row, (0.0, 5.0), "%.2f /s", &mut garment.damping);
    let row = label(
        "Drag",
        "How strongly air carries the cloth along its normals.",
    );
    number(ui, row, (0.0, 10.0), "%.2f /s", &mut garment.drag);
    let row = label("Friction", "Coefficient of friction with the skin.");
    number(ui, row, (0.0, 1.5), "%.2f", &mut garment.friction);
    thickness(ui, garment);
    let mut tethered = garment.tethered != 0;
    let row = label(
        "Tethers",
        "Keeps particles within the length of the cloth from where it is attached.",
    );
    if switch(ui, row, &mut tethered) {
        garment.tethered = u32::from(tethered);
    }
}

fn compliance(ui: &Ui, garment: &mut GarmentSettings) {
    let rows = [
        ("Stretch", "Compliance along the threads: 0 is stiff."),
        ("Shear", "Compliance across the threads: 0 is stiff."),
        ("Bend", "Compliance of folds: 0.001 is canvas, 1 is silk."),
    ];
    for ((name, tip), value) in rows.into_iter().zip(&mut garment.compliance) {
        magnitude(ui, label(name, tip), (0.0, 1.0), "%.1e m/N", value);
    }
}

/// In millimetres, as people think of cloth.
fn thickness(ui: &Ui, garment: &mut GarmentSettings) {
    const MM: f32 = 1e3;
    let mut thickness_mm = garment.thickness * MM;
    let row = label(
        "Thickness",
        "Kept between particle and skin. Less than 2 mm lets skin show through between particles.",
    );
    if number(ui, row, (1.0, 20.0), "%.1f mm", &mut thickness_mm) {
        garment.thickness = thickness_mm / MM;
    }
}
