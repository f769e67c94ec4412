//! The page of the force breakdown: why each behaviour got its output.

use crate::agent::Drive;
use crate::report::steering::{Listed, Row, Steering};
use crate::tui::draw::facts::{Facts, Phrase, Shown};
use crate::tui::theme::Theme;
use crate::words;

use super::about::About;
use super::{drive, forces};

/// Adds the page of the force breakdown, or what moves the agent instead.
pub fn describe(about: &About, facts: &mut Facts) {
    let Some(steering) = steered(about) else {
        facts.fact("steering", format!("none: mode uses {}", about.report.drive));
        drive::describe(about, drive::LISTED, facts);
        return;
    };
    forces::describe(about, true, facts);
    if !about.is_explained() {
        for (index, listed) in steering.list.iter().enumerate() {
            let name = (listed.behaviour.to_owned(), facts.theme.text).into();
            let phrases = [name].into_iter().chain(parameters(index, listed, facts.theme));
            facts.phrases(words::row_sign(index), phrases);
        }
    }
}

/// Adds the force breakdown as facts, a label for each row, so that two agents fit beside each other.
pub fn rows(about: &About, facts: &mut Facts) {
    let Some(steering) = steered(about).filter(|_| about.is_explained()) else {
        describe(about, facts);
        return;
    };
    let (theme, most) = (facts.theme, steering.max_force);
    facts.aside("steering", [(steering.combine.to_owned(), theme.text)]);
    forces::force(steering, facts);
    for (index, row) in steering.rows.iter().enumerate() {
        let phrases = [
            (row.behaviour.to_owned(), theme.strong),
            (row.reason(most), theme.text),
            (format!("desired {}", row.raw.strength_text()), theme.text),
            (format!("applied {}", row.accepted.strength_text()), theme.text),
        ];
        let details = details(steering, index, row, theme);
        facts.aside(words::row_sign(index), phrases.map(Phrase::from).into_iter().chain(details));
    }
}

/// The steering of an agent whose mode steers it.
fn steered<'a>(about: &'a About) -> Option<&'a Steering> {
    let steers = matches!(about.world.mode(about.id).drive, Drive::Steer { .. });
    about.report.steering.as_ref().filter(|_| steers)
}

/// The parameters, outputs and inputs of a behaviour.
pub fn details(steering: &Steering, index: usize, row: &Row, theme: &Theme) -> Vec<Phrase> {
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

/// The targets, weight and probability of a behaviour.
fn parameters(index: usize, listed: &Listed, theme: &Theme) -> Vec<Phrase> {
    let target = |target| (format!("target {target}"), theme.text).into();
    let mut phrases: Vec<Phrase> = listed.targets.iter().map(target).collect();
    let number = |key, number: f32| {
        Phrase::from((format!("{key} {number}"), theme.dim)).showing(Shown::OfRow(index, key))
    };
    phrases.push(number("weight", listed.weight));
    phrases.extend(listed.probability.map(|probability| number("probability", probability)));
    phrases
}
