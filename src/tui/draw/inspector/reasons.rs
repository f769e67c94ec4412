//! The force breakdown page of the inspector: the output of each behaviour, and the reason for that
//! output.

use crate::agent::Drive;
use crate::report::steering::Steering;
use crate::tui::draw::facts::{Facts, Phrase};
use crate::words;

use super::about::About;
use super::{drive, forces};

/// Adds the lines of the force breakdown page. Without steering, adds facts about the drive that
/// moves the agent.
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
            let phrases = [name].into_iter().chain(forces::parameters(index, listed, facts.theme));
            facts.phrases(words::behaviour_label(index), phrases);
        }
    }
}

/// Adds the force breakdown as labelled facts instead of a table, so that two agents fit side by
/// side.
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
        let details = forces::details(steering, index, row, theme);
        facts.aside(
            words::behaviour_label(index),
            phrases.map(Phrase::from).into_iter().chain(details),
        );
    }
}

/// Returns the steering of the current mode. Returns `None` if the mode has another drive.
fn steered<'a>(about: &'a About) -> Option<&'a Steering> {
    let steers = matches!(about.world.mode(about.id).drive, Drive::Steer { .. });
    about.report.steering.as_ref().filter(|_| steers)
}
