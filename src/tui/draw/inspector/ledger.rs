//! The force ledger: what each behaviour proposed, and what became of it.

use ratatui::style::Style;
use ratatui::text::Span;

use crate::agent::Drive;
use crate::id::AgentId;
use crate::steering::combine::Combine;
use crate::steering::{LedgerRow, RowState};
use crate::tui::draw::pane::Facts;
use crate::tui::glyph;
use crate::tui::session::Session;
use crate::tui::theme::Theme;
use crate::words;

/// Columns of a behaviour's word, if none is longer.
const NAME: usize = 11;

/// Columns of a number, with the gap before it.
const NUMBER: usize = 6;

/// The same where words are long and room is short.
const SHORT_NUMBER: usize = 5;

/// Columns of a fate, with the gap before it.
const FATE: usize = 9;

/// How wide the columns are, so that all fit.
#[derive(Debug, Clone, Copy)]
struct Columns {
    /// Of the words.
    name: usize,
    /// Of each of the four numbers.
    number: usize,
    /// Left for a bar.
    rest: usize,
}

impl Columns {
    fn fitting(rows: &[LedgerRow], width: usize) -> Self {
        let name = rows.iter().map(|row| row.behaviour.len()).fold(NAME, usize::max);
        let fits = name + 4 * NUMBER + FATE <= width;
        let number = if fits { NUMBER } else { SHORT_NUMBER };
        Self { name, number, rest: width.saturating_sub(name + 4 * number + FATE) }
    }
}

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
    let (force, length) = (explanation.wish.force, explanation.wish.force.length());
    facts.phrases(
        "force",
        [
            (format!("{length:.2} of {limit} {}", words::arrow(force)), theme.strong),
            (words::point(force), theme.dim),
        ],
    );
    let ledger_rows = &explanation.ledger.rows;
    let columns = Columns::fitting(ledger_rows, facts.width());
    facts.line(vec![Span::styled(head(*combine, columns), theme.dim)]);
    for row in ledger_rows {
        let spans = line(row, limit, columns, theme);
        facts.line(spans);
    }
}

/// What the columns hold.
fn head(combine: Combine, columns: Columns) -> String {
    let factor = if combine == Combine::Dithered { "×w/p" } else { "×w" };
    let Columns { name, number, .. } = columns;
    let (taken, total) = if number == NUMBER { ("taken", "total") } else { ("took", "sum") };
    let word = combine.word();
    format!("{word:<name$}{:>number$}{factor:>number$}{taken:>number$}{total:>number$}", "raw")
}

/// A behaviour in a line: its force as proposed, weighted and taken, the sum so far, its fate.
///
/// One that its die kept out shows the die instead, and the probability it had to fall below.
fn line(row: &LedgerRow, limit: f32, columns: Columns, theme: &Theme) -> Vec<Span<'static>> {
    let fate = match row.state {
        RowState::Accepted => theme.good,
        RowState::Cut | RowState::NoRoom => theme.warn,
        RowState::Zero | RowState::Disabled | RowState::DitheredOut { .. } => theme.dim,
    };
    let Columns { name, number: width, rest } = columns;
    let number = |value: f32, style: Style| {
        Span::styled(format!("{:>width$}", short(value, width - 1)), style)
    };
    let mut spans = vec![Span::styled(format!("{:<name$}", row.behaviour), theme.text)];
    if let RowState::DitheredOut { die, probability } = row.state {
        let dice = format!("{die:.2} ≥ p {probability:.2}");
        spans.push(Span::styled(format!("{dice:>0$}", 3 * width), theme.text));
    } else {
        let raw = row.raw.force.length();
        spans.push(number(raw, theme.text));
        spans.push(number(raw * row.weight, theme.text));
        spans.push(number(row.accepted.force.length(), theme.strong));
    }
    spans.push(number(row.total.force.length(), theme.text));
    spans.push(Span::styled(format!(" {:<8}", row.state.words()), fate));
    let room = rest.saturating_sub(1).min(12);
    if room >= 4 && limit > 0.0 {
        let bar = glyph::bar(row.accepted.force.length() / limit, room);
        spans.push(Span::styled(format!(" {bar}"), theme.bar));
    }
    spans
}

/// A length in so many columns, with as many decimals as there is room for, two at most.
fn short(value: f32, room: usize) -> String {
    let texts = [format!("{value:.2}"), format!("{value:.1}")];
    let fitting = texts.into_iter().find(|text| text.len() <= room);
    fitting.unwrap_or_else(|| format!("{value:.0}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Vec2;
    use crate::steering::Wish;
    use crate::tui::theme::PLAIN_TEXT;

    fn text(row: &LedgerRow, width: usize) -> String {
        let columns = Columns::fitting(std::slice::from_ref(row), width);
        line(row, 12.0, columns, &PLAIN_TEXT).iter().map(|span| span.content.as_ref()).collect()
    }

    #[test]
    fn long_words_and_numbers_fit_a_narrow_pane() {
        let row = LedgerRow {
            behaviour: "avoid_obstacles",
            raw: Wish::force(Vec2::new(12.34, 0.0)),
            weight: 10.0,
            accepted: Wish::force(Vec2::new(12.0, 0.0)),
            state: RowState::Accepted,
            total: Wish::force(Vec2::new(12.0, 0.0)),
        };
        assert_eq!(text(&row, 44), "avoid_obstacles 12.3  123 12.0 12.0 accepted");
        assert_eq!(text(&row, 48), "avoid_obstacles 12.34 123.4 12.00 12.00 accepted");
    }

    #[test]
    fn a_row_that_was_dithered_out_shows_its_die() {
        let state = RowState::DitheredOut { die: 0.8314, probability: 0.5 };
        let row = LedgerRow {
            behaviour: "seek",
            raw: Wish::NONE,
            weight: 2.0,
            accepted: Wish::NONE,
            state,
            total: Wish::NONE,
        };
        assert_eq!(text(&row, 44), "seek            0.83 ≥ p 0.50  0.00 dithered out");
    }
}
