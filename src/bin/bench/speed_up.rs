//! How many times faster radial fields are than each rival.

use radial_fields::Technique;
use radial_fields::scenes::conditions::{Condition, PaperCost};
use serde::Serialize;

use crate::results::Trial;

/// Means over the conditions that both were measured under, as the paper's averages are: of the rival's time as a multiple
/// of radial fields' time.
#[derive(Clone, Debug, Serialize)]
pub struct SpeedUp {
    pub rival: Technique,
    pub condition_count: usize,
    /// One update and one collision, medians.
    pub one_of_each: f64,
    /// All updates and collisions of a frame, medians.
    pub whole_frame: f64,
    /// The paper's figures for the same conditions, one update and one collision; none for a technique it does not have.
    pub paper: Option<f64>,
}

/// One a rival that was measured beside radial fields.
pub fn speed_ups(trials: &[Trial]) -> Vec<SpeedUp> {
    let rivals = Technique::ALL
        .into_iter()
        .filter(|&technique| technique != Technique::Radial);
    rivals.filter_map(|rival| speed_up(rival, trials)).collect()
}

fn speed_up(rival: Technique, trials: &[Trial]) -> Option<SpeedUp> {
    let pairs: Vec<(&Trial, &Trial)> = trials
        .iter()
        .filter(|trial| trial.technique == rival)
        .filter_map(|trial| Some((trial, beside(trial, trials)?)))
        .collect();
    let mean_of = |ms: fn(&Trial) -> f32| {
        let ratios = pairs
            .iter()
            .map(|(rival, radial)| f64::from(ms(rival)) / f64::from(ms(radial)));
        ratios.sum::<f64>() / pairs.len() as f64
    };
    let paper: Option<Vec<f64>> = pairs
        .iter()
        .map(|(trial, _)| paper_ratio(trial.condition, rival))
        .collect();
    (!pairs.is_empty()).then(|| SpeedUp {
        rival,
        condition_count: pairs.len(),
        one_of_each: mean_of(|trial| trial.both_ms.median),
        whole_frame: mean_of(|trial| trial.frame_ms.median),
        paper: paper.map(|ratios| ratios.iter().sum::<f64>() / ratios.len() as f64),
    })
}

/// Radial fields under the same condition, if they could be timed.
fn beside<'a>(trial: &Trial, trials: &'a [Trial]) -> Option<&'a Trial> {
    let is_it = |other: &&Trial| {
        other.condition == trial.condition
            && other.technique == Technique::Radial
            && other.both_ms.median > 0.0
    };
    trials.iter().find(is_it)
}

fn paper_ratio(condition: u32, rival: Technique) -> Option<f64> {
    let costs = Condition::find(condition)?.paper;
    let ms = |technique: Technique| costs.named(technique.name()).map(PaperCost::both_ms);
    Some(f64::from(ms(rival)?) / f64::from(ms(Technique::Radial)?))
}
