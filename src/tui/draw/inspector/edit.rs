//! What an edit has changed about an agent: since when, and what is not the same in this frame.

use crate::history::diff;
use crate::tui::draw::facts::Facts;

use super::about::About;

/// Fields that are told at most.
const FIELDS: usize = 4;

/// Since when it differs from the run before an edit.
pub fn since(about: &About, facts: &mut Facts) {
    let (session, id) = (about.session, about.id);
    let theme = facts.theme;
    let name = session.scenario().name(id).to_string();
    if let Some((run, first)) = session.differs(&name) {
        let since = format!("differs from run {} since frame {}", run.0 + 1, first.frame);
        facts.phrases("edit", [(since, theme.key), (first.field.clone(), theme.dim)]);
    }
}

/// What is not the same in the ghost's run in this frame.
pub fn describe(about: &About, facts: &mut Facts) {
    let (session, id) = (about.session, about.id);
    let theme = facts.theme;
    let name = session.scenario().name(id).to_string();
    let history = session.history();
    let (Some(ghost), Some(world)) = (history.ghost(), history.ghost_world()) else { return };
    let Some(other) = world.scenario().find(&name) else {
        let told = format!("run {} has no {name}", ghost.0 + 1);
        facts.phrases("ghost", [(told, theme.dim)]);
        return;
    };
    let all = diff::differences((session.world(), id), (world, other));
    for (index, each) in all.iter().take(FIELDS).enumerate() {
        let label = if index == 0 { format!("run {}", ghost.0 + 1) } else { String::new() };
        let told = [
            (each.field.clone(), theme.text),
            (format!("ghost {}", each.b), theme.key),
            (format!("this run {}", each.a), theme.strong),
        ];
        facts.phrases(&label, told);
    }
    if all.len() > FIELDS {
        facts.phrases("", [("more fields differ".to_owned(), theme.dim)]);
    }
}
