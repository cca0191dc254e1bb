//! Solver and collision, for all garments.

use imgui::Ui;

use super::Action;
use super::facts::Facts;
use super::form::{choice, count, in_units, label, magnitude, switch, vector};
use crate::cloth::{ClothSettings, MAX_SUB_STEPS, Sleep};
use crate::collide::{CollideSettings, Detection, FrictionModel};

/// The most iterations that can be set: more than enough for the stiffest cloth.
const MAX_ITERATIONS: u32 = 32;
/// The most points tested on a particle's path.
const MAX_PATH_SAMPLES: u32 = 16;
/// m/s: a gale.
const MAX_WIND: f32 = 20.0;
/// m/s²: three times the Earth's.
const MAX_GRAVITY: f32 = 30.0;

/// Whose settings the sections below show and change, where two worlds are shown.
pub fn choose_edited(ui: &Ui, facts: &Facts, actions: &mut Vec<Action>) {
    let row = label(
        "Settings of",
        "Change solver, collision and cloth of one world alone to compare two settings on the same motion: choose the same technique beside it.",
    );
    let current = facts.edited_ix.map_or(0, |ix| ix + 1);
    if let Some(ix) = choice(ui, row, &["A and B", "A", "B"], Some(current)) {
        actions.push(Action::Edit(ix.checked_sub(1)));
    }
}

/// Draws the solver's rows.
pub fn draw_cloth(ui: &Ui, cloth: &mut ClothSettings) {
    let row = label(
        "Sub-steps",
        "Parts of a step. More make the cloth stiffer and catch faster limbs, at a proportional cost.",
    );
    count(ui, row, (1, MAX_SUB_STEPS), &mut cloth.sub_steps);
    let row = label(
        "Iterations",
        "How often the patches of a garment are solved in a sub-step, the last time after collision. With more, fewer sub-steps will do.",
    );
    count(ui, row, (1, MAX_ITERATIONS), &mut cloth.iterations);
    let row = label(
        "Sweeps",
        "Over a patch's constraints in an iteration. Fewer leave patches unsettled.",
    );
    count(ui, row, (1, MAX_ITERATIONS), &mut cloth.sweeps);
    draw_end_strain_limit(ui, &mut cloth.end_strain_limit);
    let row = label("Gravity", "Metres per second squared; +Y is up.");
    vector(ui, row, MAX_GRAVITY, &mut cloth.gravity);
    let row = label(
        "Wind",
        "Metres per second. How much of it the cloth catches is the garment's drag.",
    );
    vector(ui, row, MAX_WIND, &mut cloth.wind);
    draw_sleep(ui, &mut cloth.sleep);
}

/// Draws from what strain on edges are shortened when a step ends.
fn draw_end_strain_limit(ui: &Ui, limit: &mut Option<f32>) {
    let row = label(
        "Limits strain",
        "Shortens edges at a step's end that its last collision has stretched.",
    );
    let mut is_limited = limit.is_some();
    if switch(ui, row, &mut is_limited) {
        *limit = ClothSettings::default()
            .end_strain_limit
            .filter(|_| is_limited);
    }
    let Some(limit) = limit else {
        return;
    };
    let row = label(
        "Beyond",
        "Part of its length that an edge may be too long by. With less, cloth that limbs pinch tears more often.",
    );
    in_units(ui, row, (0.0, 100.0), ("%.0f %%", 100.0), limit);
}

/// Draws whether cloth sleeps, and when.
fn draw_sleep(ui: &Ui, sleep: &mut Option<Sleep>) {
    let row = label(
        "Sleeps",
        "Cloth that is at rest is not simulated until something near it moves. With techniques whose fields are attached to bones.",
    );
    let mut sleeps = sleep.is_some();
    if switch(ui, row, &mut sleeps) {
        *sleep = sleeps.then(Sleep::default);
    }
    let Some(sleep) = sleep else {
        return;
    };
    let row = label(
        "At rest below",
        "Metres per second against the skin. With 0.03 a shirt whose armpits tremble never sleeps; with 0.2 slow swinging stops in the air.",
    );
    magnitude(ui, row, (0.001, 1.0), "%.3f m/s", &mut sleep.speed);
    let row = label(
        "Wakes beyond",
        "Metres that limbs and solids near it may move: they may be that far inside sleeping cloth.",
    );
    magnitude(ui, row, (0.001, 0.1), "%.3f m", &mut sleep.motion);
    let row = label("Sleeps after", "Seconds at rest.");
    magnitude(ui, row, (0.05, 10.0), "%.2f s", &mut sleep.seconds);
}

/// Draws whether cloth meets cloth.
pub fn draw_cloth_contacts(ui: &Ui, facts: &Facts, actions: &mut Vec<Action>) {
    let row = label(
        "Meets cloth",
        "Keeps folds of a garment apart, and garments worn over each other. The step takes about twice as long.",
    );
    let mut meets_cloth = facts.meets_cloth;
    switch(ui, row, &mut meets_cloth);
    if meets_cloth != facts.meets_cloth {
        actions.push(Action::MeetCloth(meets_cloth));
    }
}

/// Draws how finely cloth is simulated.
pub fn draw_detail(ui: &Ui, facts: &Facts, actions: &mut Vec<Action>) {
    let row = label(
        "Detail",
        "Full takes every sub-step, half and quarter every second and fourth, skinned follows the skin. Auto has each character as coarse as a pixel of the picture hides.",
    );
    if let Some(ix) = choice(ui, row, facts.details, Some(facts.detail_ix)) {
        actions.push(Action::ChooseDetail(ix));
    }
}

/// Draws the collision's rows.
pub fn draw_collide(ui: &Ui, collide: &mut CollideSettings) {
    let row = label(
        "Path test",
        "Samples tests points of each particle's path, as the paper does. March visits every cell on it: nothing is too fast.",
    );
    let names = Detection::ALL.map(Detection::name);
    if let Some(ix) = choice(ui, row, &names, Some(collide.detection as usize)) {
        collide.detection = Detection::ALL[ix];
    }
    let row = label(
        "Collision stride",
        "Sub-steps from one collision to the next. With 1 collisions take nearly twice as long and find little more; with 4 knees come through trousers.",
    );
    count(ui, row, (1, MAX_SUB_STEPS), &mut collide.stride);
    let row = label(
        "Path samples",
        "Points tested on each particle's path in a sub-step. With 1 only the end is tested, and fast limbs pass through.",
    );
    count(ui, row, (1, MAX_PATH_SAMPLES), &mut collide.path_samples);
    let row = label(
        "Friction law",
        "Coulomb holds cloth at rest. The paper's takes a constant share of the motion along the skin. Fuhrmann's simple one takes a share of all motion; his enhanced one, as much as the motion into the surface.",
    );
    if let Some(ix) = choice(
        ui,
        row,
        &["Coulomb", "paper", "simple", "enhanced"],
        Some(collide.friction_model as usize),
    ) {
        collide.friction_model = FrictionModel::ALL[ix];
    }
    let row = label(
        "Edge midpoints",
        "Keeps the middle of every edge outside too, in a step's last collision; without it skin shows through between the particles of coarse cloth.",
    );
    switch(ui, row, &mut collide.edge_midpoints);
}
