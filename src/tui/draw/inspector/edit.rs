//! Facts about the effect of an edit on an agent.

use crate::history::diff;
use crate::tui::draw::facts::Facts;

use super::about::About;

/// Maximum number of differing fields shown.
const FIELDS: usize = 4;

/// Adds the first frame at which the agent differs from the same agent before the edit, and the
/// differing field. Adds nothing if there is no difference.
pub fn since(about: &About, facts: &mut Facts) {
    let session = about.session;
    let theme = facts.theme;
    let name = about.world.name(about.id).to_string();
    if let Some((run, first)) = session.differs(&name) {
        let since = format!("differs from run {} since frame {}", run.0 + 1, first.frame);
        facts.phrases("edit", [(since, theme.key), (first.field.clone(), theme.dim)]);
    }
}

/// Adds the fields in which the agent differs from the compared run at the current frame. Adds nothing
/// without a comparison.
pub fn describe(about: &About, facts: &mut Facts) {
    let session = about.session;
    let theme = facts.theme;
    // The page of the previous frame can have an agent that this frame does not have.
    let Some(id) = about.world.same_agent(about.id, session.world()) else { return };
    let compared = session.history().comparison();
    let (Some(compared), Some((world, other))) = (compared, session.counterpart(id)) else {
        return;
    };
    let Some(other) = other else {
        let name = session.world().name(id);
        let text = format!("run {} has no {name}", compared.0 + 1);
        facts.phrases("ghost", [(text, theme.dim)]);
        return;
    };
    let all = diff::differences((session.world(), id), (world, other));
    for (index, each) in all.iter().take(FIELDS).enumerate() {
        let label = if index == 0 { format!("run {}", compared.0 + 1) } else { String::new() };
        let phrases = [
            (each.field.clone(), theme.text),
            (format!("ghost {}", each.b), theme.key),
            (format!("this run {}", each.a), theme.strong),
        ];
        facts.phrases(&label, phrases);
    }
    if all.len() > FIELDS {
        facts.phrases("", [("more fields differ".to_owned(), theme.dim)]);
    }
}
