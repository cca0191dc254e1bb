//! What the driver made of the shaders: registers, memory and whatever else it tells.

use imgui::{TableColumnFlags, TableColumnSetup, TableFlags, Ui};

use super::facts::{Contender, Facts};
use super::form::{choice, label, tip};
use super::theme;
use crate::gpu::{ExecutableStatistic, PipelineExecutable};

/// What the section remembers: the figure that is listed.
#[derive(Default)]
pub struct PipelinesSection {
    figure: Option<String>,
}

impl PipelinesSection {
    /// Draws the choice of a figure, and a table of it for each world.
    pub fn draw(&mut self, ui: &Ui, facts: &Facts) {
        let told: Vec<_> = facts
            .contenders
            .iter()
            .map(|contender| contender.pipelines)
            .collect();
        let figures = figures(told.iter().copied().flatten().flatten());
        if figures.is_empty() {
            let _wrap = ui.push_text_wrap_pos();
            ui.text_colored(theme::FAINT, UNTOLD);
            return;
        }
        let chosen = self.figure.as_deref();
        let current = figures
            .iter()
            .position(|name| Some(*name) == chosen)
            .unwrap_or_default();
        let row = label(
            "Figure",
            "As the driver calls them: which there are, and what they mean, is its own.",
        );
        let chosen = choice(ui, row, &figures, Some(current)).unwrap_or(current);
        self.figure = Some(figures[chosen].to_owned());
        for (ix, pipelines) in told.into_iter().enumerate() {
            if facts.contenders.len() > 1 {
                ui.text_colored(theme::CONTENDERS[ix], Contender::LETTERS[ix]);
            }
            let _id = ui.push_id_usize(ix);
            table(ui, pipelines.unwrap_or_default(), figures[chosen]);
        }
    }
}

/// What is said of a device that tells nothing.
const UNTOLD: &str = "This driver does not tell what it makes of shaders: it lacks VK_KHR_pipeline_executable_properties.";

/// Every figure's name once, in the driver's order.
fn figures<'a>(all: impl Iterator<Item = &'a PipelineExecutable>) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for statistic in all.flat_map(|executable| &executable.statistics) {
        if !names.contains(&statistic.name.as_str()) {
            names.push(&statistic.name);
        }
    }
    names
}

fn table(ui: &Ui, executables: &[PipelineExecutable], figure: &str) {
    let flags = TableFlags::SIZING_FIXED_FIT | TableFlags::ROW_BG;
    let Some(_table) = ui.begin_table_with_flags("pipelines", 2, flags) else {
        return;
    };
    ui.table_setup_column_with(TableColumnSetup {
        flags: TableColumnFlags::WIDTH_STRETCH,
        ..TableColumnSetup::new("shader")
    });
    ui.table_setup_column(figure);
    for (executable, statistic) in most_first(executables, figure) {
        ui.table_next_row();
        ui.table_next_column();
        ui.text(&executable.pipeline);
        if ui.is_item_hovered() {
            tip(ui, &about(executable));
        }
        ui.table_next_column();
        ui.text(statistic.value.to_string());
    }
}

/// Those that have the figure, the largest first.
fn most_first<'a>(
    executables: &'a [PipelineExecutable],
    figure: &str,
) -> Vec<(&'a PipelineExecutable, &'a ExecutableStatistic)> {
    let with = executables.iter().filter_map(|executable| {
        let mut statistics = executable.statistics.iter();
        Some((executable, statistics.find(|known| known.name == figure)?))
    });
    let mut rows: Vec<_> = with.collect();
    rows.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
    rows
}

fn about(executable: &PipelineExecutable) -> String {
    let PipelineExecutable {
        name,
        subgroup_size,
        statistics,
        ..
    } = executable;
    let mut text = format!("{name}, {subgroup_size} threads in step");
    for ExecutableStatistic { name, about, value } in statistics {
        text.push_str(&format!("\n{name}: {value} ({about})"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn executable(pipeline: &str, statistics: &[(&str, f64)]) -> PipelineExecutable {
        let statistic = |&(name, value): &(&str, f64)| ExecutableStatistic {
            name: name.to_owned(),
            about: String::new(),
            value,
        };
        PipelineExecutable {
            pipeline: pipeline.to_owned(),
            name: "Compute Shader".to_owned(),
            subgroup_size: 32,
            statistics: statistics.iter().map(statistic).collect(),
        }
    }

    #[test]
    fn the_most_of_a_figure_stands_first_and_what_has_none_nowhere() {
        let all = [
            executable("a", &[("Registers", 16.0), ("Stack", 0.0)]),
            executable("b", &[("Stack", 8.0)]),
            executable("c", &[("Registers", 40.0)]),
        ];
        assert_eq!(figures(all.iter()), ["Registers", "Stack"]);
        let rows = most_first(&all, "Registers");
        let names: Vec<_> = rows
            .iter()
            .map(|(executable, _)| &executable.pipeline)
            .collect();
        assert_eq!(names, ["c", "a"]);
    }
}
