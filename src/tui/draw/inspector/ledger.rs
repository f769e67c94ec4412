//! The force ledger: what each behaviour proposed, and what became of it.

use ratatui::style::Style;
use ratatui::text::Span;

use crate::agent::Drive;
use crate::id::AgentId;
use crate::steering::{LedgerRow, RowState};
use crate::tui::draw::pane::Facts;
use crate::tui::draw::words;
use crate::tui::glyph;
use crate::tui::session::Session;
use crate::tui::theme::Theme;

/// Columns of a behaviour's word.
const NAME: usize = 11;

/// Columns of a number, with the gap before it.
const NUMBER: usize = 6;

/// Columns of a fate, with the gap before it.
const FATE: usize = 9;

/// The lines of a vehicle.
pub fn describe(session: &Session, id: AgentId, facts: &mut Facts) {
    let (world, theme) = (session.world(), facts.theme);
    let Drive::Steer { combine, rows } = &world.mode(id).drive else { return };
    let Some(explanation) = session.explanation() else {
        let names: Vec<_> = rows.iter().map(|row| row.behaviour.word()).collect();
        facts.fact("steering", format!("{}: {}", combine.word(), names.join(", ")));
        return;
    };
    let limit = world.body(id).max_force;
    let (force, length) = (explanation.force, explanation.force.length());
    facts.phrases(
        "force",
        [
            (format!("{length:.2} of {limit} {}", words::arrow(force)), theme.strong),
            (words::point(force), theme.dim),
        ],
    );
    let [raw, weighted, taken, total] = ["raw", "×w", "taken", "total"];
    let head = format!(
        "{:<NAME$}{raw:>NUMBER$}{weighted:>NUMBER$}{taken:>NUMBER$}{total:>NUMBER$}",
        combine.word()
    );
    facts.line(vec![Span::styled(head, theme.dim)]);
    for row in &explanation.ledger.rows {
        let spans = line(row, limit, facts.width(), theme);
        facts.line(spans);
    }
}

/// A behaviour in a line: its force as proposed, weighted and taken, the sum so far, its fate.
fn line(row: &LedgerRow, limit: f32, width: usize, theme: &Theme) -> Vec<Span<'static>> {
    let fate = match row.state {
        RowState::Accepted => theme.good,
        RowState::Cut | RowState::NoRoom => theme.warn,
        RowState::Zero | RowState::Disabled => theme.dim,
    };
    let raw = row.raw.length();
    let number =
        |value: f32, style: Style| Span::styled(format!("{:>NUMBER$}", short(value)), style);
    let mut spans = vec![
        Span::styled(format!("{:<NAME$}", row.behaviour), theme.text),
        number(raw, theme.text),
        number(raw * row.weight, theme.text),
        number(row.accepted.length(), theme.strong),
        number(row.total.length(), theme.text),
        Span::styled(format!(" {:<8}", row.state.words()), fate),
    ];
    let used = NAME + 4 * NUMBER + FATE;
    let room = width.saturating_sub(used + 1).min(12);
    if room >= 4 && limit > 0.0 {
        let bar = glyph::bar(row.accepted.length() / limit, room);
        spans.push(Span::styled(format!(" {bar}"), theme.bar));
    }
    spans
}

/// A length in five columns, with as many decimals as there is room for.
fn short(value: f32) -> String {
    match value {
        value if value < 99.995 => format!("{value:.2}"),
        value if value < 999.95 => format!("{value:.1}"),
        value => format!("{value:.0}"),
    }
}
