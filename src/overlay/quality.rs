//! How well the cloth stays outside, judged against the exact skin.

use imgui::Ui;

use super::Action;
use super::facts::{Facts, QualityFigures};
use super::form::{label, switch};
use super::row::{fact, heading};

/// Draws the section: a switch, and what was found out since it was set.
pub fn draw(ui: &Ui, facts: &Facts, actions: &mut Vec<Action>) {
    let mut measures_quality = facts.measures_quality;
    let row = label(
        "Measure",
        "Judges frames against the exact skin, on the CPU beside the simulation: as many as the CPU has time for, since the last reset.",
    );
    if switch(ui, row, &mut measures_quality) {
        actions.push(Action::MeasureQuality(measures_quality));
    }
    let judged: Vec<_> = facts
        .contenders
        .iter()
        .map(|contender| contender.quality_figures)
        .collect();
    if !judged.iter().any(Option::is_some) {
        return;
    }
    heading(ui, facts);
    let tell = |name, about, of: fn(&QualityFigures) -> String| {
        let values = judged
            .iter()
            .map(|judged| judged.as_ref().map_or("-".to_owned(), of));
        fact(ui, name, about, &values.collect::<Vec<_>>());
    };
    tell(
        "Inside",
        "Particles more than 2 mm inside the body, of all in all judged frames.",
        |judged| percent(judged.inside_fraction),
    );
    tell("Deepest", "The deepest any particle went.", |judged| {
        format!("{:.1} mm", judged.deepest_mm)
    });
    tell(
        "False",
        "Particles that collision moved although they were further from the skin than a cell and the cloth's thickness.",
        |judged| percent(judged.false_contact_fraction),
    );
    tell(
        "Through",
        "Triangles of cloth that skin passes through by more than 3 mm, in the newest frame judged.",
        |judged| judged.deep_triangles.to_string(),
    );
    tell(
        "Bare",
        "Skin that a garment covered as it was made and does not in the newest frame judged; the worst garment's.",
        |judged| percent(judged.bare_fraction),
    );
    tell("Frames", "How many were judged.", |judged| {
        judged.frame_count.to_string()
    });
}

/// As short as it can be and still tell a few particles from none.
pub fn percent(part: f64) -> String {
    match part * 100.0 {
        0.0 => "0 %".to_owned(),
        percents if percents < 0.01 => "<0.01 %".to_owned(),
        percents => format!("{percents:.2} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn a_few_are_not_none() {
        assert_eq!(
            [0.0, 1e-6, 0.0001, 0.25].map(percent),
            ["0 %", "<0.01 %", "0.01 %", "25.00 %"]
        );
    }
}
