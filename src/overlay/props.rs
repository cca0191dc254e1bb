//! Rigid things about, and the ground.

use imgui::Ui;

use super::Action;
use super::facts::Facts;
use super::form::{choice, label, number, switch, vector};
use crate::cloth::{ClothSettings, Ground};
use crate::solid::{PlacedProp, PropShape};

/// Metres: how far off things may be put with the mouse.
const REACH: f32 = 5.0;
/// Metres: the largest that can be set with the mouse.
const LARGEST: f32 = 2.0;
/// Metres: the smallest, about a finger.
const SMALLEST: f32 = 0.02;
/// Metres over and under the origin that the ground can be put.
const GROUND_REACH: f32 = 1.0;

/// What the section remembers: changes that are not finished.
#[derive(Default)]
pub struct PropsSection {
    pending: Option<Vec<PlacedProp>>,
}

impl PropsSection {
    /// Draws the section. A thing that is moved goes along with the mouse; another shape or number of things, for which the world is made
    /// anew, waits until the mouse is let go.
    pub fn draw(&mut self, ui: &Ui, facts: &Facts, actions: &mut Vec<Action>) {
        let mut props = self.pending.take().unwrap_or_else(|| facts.props.to_vec());
        let mut removed = None;
        for (ix, prop) in props.iter_mut().enumerate() {
            let _id = ui.push_id_usize(ix);
            rows(ui, ix, prop);
            if ui.small_button("Remove") {
                removed = Some(ix);
            }
            ui.separator();
        }
        if let Some(ix) = removed {
            props.remove(ix);
        }
        for (ix, (name, shape)) in PropShape::USUAL.into_iter().enumerate() {
            if ix > 0 {
                ui.same_line();
            }
            if ui.button(format!("+ {name}")) {
                props.push(PlacedProp {
                    shape,
                    ..PlacedProp::default()
                });
            }
        }
        if props == facts.props {
            return;
        }
        let shapes = |props: &[PlacedProp]| props.iter().map(|prop| prop.shape).collect::<Vec<_>>();
        if shapes(&props) == shapes(facts.props) || !ui.is_any_item_active() {
            actions.push(Action::SetProps(props));
        } else {
            self.pending = Some(props);
        }
    }
}

fn rows(ui: &Ui, ix: usize, prop: &mut PlacedProp) {
    let names = PropShape::USUAL.map(|(name, _)| name);
    let row = format!("Thing {}", ix + 1);
    let kind = label(&row, "What the cloth meets besides the character.");
    if let Some(ix) = choice(ui, kind, &names, Some(prop.shape.kind())) {
        prop.shape = PropShape::USUAL[ix].1;
    }
    vector(
        ui,
        label("Place", "Of its middle, metres; +Y is up."),
        REACH,
        &mut prop.at,
    );
    let length = |name, value: &mut f32| {
        let row = label(name, "Metres.");
        number(ui, row, (SMALLEST, LARGEST), "%.2f m", value);
    };
    match &mut prop.shape {
        PropShape::Sphere { radius } => length("Radius", radius),
        PropShape::Capsule {
            half_length,
            radius,
        } => {
            length("Half length", half_length);
            length("Radius", radius);
        }
        PropShape::Box { size } => {
            length("Width", &mut size.x);
            length("Height", &mut size.y);
            length("Depth", &mut size.z);
        }
        PropShape::Torus {
            radius,
            tube_radius,
        } => {
            length("Radius", radius);
            length("Thickness", tube_radius);
            *tube_radius = tube_radius.min(0.9 * *radius);
        }
    }
    let turns = label(
        "Goes round",
        "Turns per second round the character; 0: it stands.",
    );
    number(
        ui,
        turns,
        (-1.0, 1.0),
        "%.2f /s",
        &mut prop.turns_per_second,
    );
}

/// Whether there is ground, and how high.
pub fn draw_ground(ui: &Ui, cloth: &mut ClothSettings) {
    let mut is_there = cloth.ground.is_some();
    if switch(
        ui,
        label("Ground", "Whether cloth comes to lie on it."),
        &mut is_there,
    ) {
        cloth.ground = is_there.then(|| Ground::level(0.0));
    }
    if let Some(ground) = &mut cloth.ground {
        let row = label(
            "Its height",
            "Metres over the origin, where soles usually are.",
        );
        number(
            ui,
            row,
            (-GROUND_REACH, GROUND_REACH),
            "%.3f m",
            &mut ground.height,
        );
    }
}
