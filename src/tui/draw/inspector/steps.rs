//! A steps pattern as a program: its rows, the present one marked.

use ratatui::text::Span;

use crate::pattern::StepsPattern;
use crate::pattern::steps::{StepsState, Unit};
use crate::tui::draw::facts::Facts;
use crate::tui::draw::first_shown;
use crate::tui::glyph;
use crate::words;
use crate::world::Walk;

/// The lines of a walker by control rows; so many rows around the present one.
pub fn describe(steps: &StepsPattern, at: StepsState, walk: Walk, listed: u16, facts: &mut Facts) {
    let theme = facts.theme;
    let Some(row) = steps.row(at) else {
        facts.fact("steps", format!("all {} rows done", steps.rows.len()));
        return;
    };
    let done = words::steps_done(steps.unit, row, at);
    facts.phrases(
        "steps",
        [(format!("row {} of {}", at.row + 1, steps.rows.len()), theme.strong), (done, theme.text)],
    );
    if steps.unit != Unit::Degrees {
        facts.phrases("next", [(words::due(walk.due_in), theme.text)]);
    }
    let first = first_shown(at.row as usize, steps.rows.len(), listed);
    for (index, row) in steps.rows.iter().enumerate().skip(first).take(listed.into()) {
        let present = index == at.row as usize;
        let sign = if present { glyph::MARKER } else { " " };
        let style = if present { theme.strong } else { theme.text };
        facts.line(vec![
            Span::styled(format!("{sign} "), theme.key),
            Span::styled(format!("{:>4}   ", index + 1), theme.dim),
            Span::styled(glyph::clean(&words::steps_row(row, steps.unit)), style),
        ]);
    }
}
