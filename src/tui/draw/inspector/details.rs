//! Details of a behaviour in the force breakdown: its parameters, outputs and inputs.

use crate::report::steering::{BehaviourReport, Listed, Steering};
use crate::tui::draw::facts::{Phrase, Shown};
use crate::tui::theme::Theme;

/// Returns the details of the behaviour at `index` in the steering list, as the phrases of one
/// line. Omits the outputs if the behaviour was not evaluated or has no output.
pub fn of(steering: &Steering, index: usize, row: &BehaviourReport, theme: &Theme) -> Vec<Phrase> {
    let listed = steering.list.get(index);
    let mut phrases = listed.map_or_else(Vec::new, |listed| parameters(index, listed, theme));
    let dim = |text| Phrase::from((text, theme.dim));
    if row.was_asked() && !row.raw.is_none() {
        phrases.push(dim(format!("desired {}", row.raw.vector_text())));
        phrases.push(dim(format!("applied {}", row.accepted.vector_text())));
    }
    phrases.extend(row.short_inputs().into_iter().map(dim));
    phrases
}

/// Returns the targets, weight and probability of the behaviour at `index` in the steering list.
/// Weight and probability can be clicked to edit them.
pub fn parameters(index: usize, listed: &Listed, theme: &Theme) -> Vec<Phrase> {
    let target = |target| (format!("target {target}"), theme.text).into();
    let mut phrases: Vec<Phrase> = listed.targets.iter().map(target).collect();
    let number = |key, number: f32| {
        Phrase::from((format!("{key} {number}"), theme.dim)).showing(Shown::OfRow(index, key))
    };
    phrases.push(number("weight", listed.weight));
    phrases.extend(listed.probability.map(|probability| number("probability", probability)));
    phrases
}
