//! A steps pattern as a program: its rows, the present one marked.

use ratatui::text::Span;

use crate::pattern::StepsPattern;
use crate::pattern::steps::{StepsRow, StepsState, Unit};
use crate::tui::draw::first_shown;
use crate::tui::draw::pane::Facts;
use crate::tui::glyph;
use crate::world::Walk;

use super::agent::due;

/// Rows that are listed around the present one.
const LISTED: u16 = 7;

/// The lines of a walker by control rows.
pub fn describe(steps: &StepsPattern, at: StepsState, walk: Walk, facts: &mut Facts) {
    let theme = facts.theme;
    let Some(row) = steps.row(at) else {
        facts.fact("steps", format!("all {} rows are done", steps.rows.len()));
        return;
    };
    let done = match steps.unit {
        Unit::Degrees if row.forward != 0.0 => {
            format!("{:.2} of {} tiles done", at.moved, row.forward.abs())
        }
        Unit::Degrees => format!("{} of {} frames done", at.done, at.pace * row.wait.max(1)),
        _ => format!("{} of {} done", at.done, row.paces()),
    };
    facts.phrases(
        "steps",
        [(format!("row {} of {}", at.row + 1, steps.rows.len()), theme.strong), (done, theme.text)],
    );
    if steps.unit != Unit::Degrees {
        facts.phrases("next", [(due(walk.due_in), theme.text)]);
    }
    let first = first_shown(at.row as usize, steps.rows.len(), LISTED);
    for (index, row) in steps.rows.iter().enumerate().skip(first).take(LISTED.into()) {
        let present = index == at.row as usize;
        let sign = if present { glyph::MARKER } else { " " };
        let style = if present { theme.strong } else { theme.text };
        facts.line(vec![
            Span::styled(format!("{sign} "), theme.key),
            Span::styled(format!("{:>4}   ", index + 1), theme.dim),
            Span::styled(glyph::clean(&text(row, steps.unit)), style),
        ]);
    }
}

/// A row in words.
fn text(row: &StepsRow, unit: Unit) -> String {
    let mut words = Vec::new();
    if row.turn != 0.0 {
        let side = if row.turn > 0.0 { "right" } else { "left" };
        let turn = row.turn.abs();
        let degrees = match unit {
            Unit::Notches => turn * 45.0,
            Unit::RightAngles => turn * 90.0,
            Unit::Degrees => turn,
        };
        words.push(format!("{side} {degrees}°"));
    }
    if row.forward != 0.0 {
        let way = if row.forward > 0.0 { "forward" } else { "backward" };
        words.push(format!("{way} {}", row.forward.abs()));
    }
    if row.wait > 0 {
        words.push(format!("wait {}", row.wait));
    }
    if let Some(pace) = row.pace {
        words.push(format!("pace {pace}"));
    }
    if let Some(signal) = &row.signal {
        words.push(format!("signal “{signal}”"));
    }
    if words.is_empty() { "stand".to_owned() } else { words.join(", ") }
}
