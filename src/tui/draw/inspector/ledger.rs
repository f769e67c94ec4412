//! The force ledger: what each behaviour proposed, and what became of it.

use ratatui::style::Style;
use ratatui::text::Span;

use crate::agent::Drive;
use crate::body::Body;
use crate::geom::Vec2;
use crate::steering::combine::Combine;
use crate::steering::{LIMIT, LedgerRow, RowState, Wish, is_oriented};
use crate::step::Explanation;
use crate::tui::draw::facts::{Facts, Shown};
use crate::tui::glyph;
use crate::tui::plots::Fates;
use crate::tui::theme::Theme;
use crate::words;

use super::about::About;

/// Columns of a behaviour's word, if none is longer.
const NAME: usize = 11;

/// Columns of the sign of a row, with the gap after it.
const SIGN: usize = 2;

/// Columns of a number, with the gap before it.
const NUMBER: usize = 6;

/// The same where words are long and room is short.
const SHORT_NUMBER: usize = 5;

/// Columns of a fate, with the gap before it.
const FATE: usize = 13;

/// Columns of a bar at most and, with a fate beside it, at least.
const BAR: core::ops::RangeInclusive<usize> = 6..=16;

/// How wide the columns are, so that all fit.
///
/// Where room is short bar and fate share a column: a row that took something shows a bar, which
/// tells whether it was cut, and a row that took nothing tells why.
#[derive(Debug, Clone, Copy)]
struct Columns {
    /// Of the words.
    name: usize,
    /// Of each of the four numbers.
    number: usize,
    /// Of a bar, without the gap before it.
    bar: usize,
    /// Has the fate a column of its own?
    fate: bool,
}

impl Columns {
    fn fitting(rows: &[LedgerRow], width: usize) -> Self {
        let name = rows.iter().map(|row| row.behaviour.len()).fold(NAME, usize::max);
        let left = |number| width.saturating_sub(SIGN + name + 4 * number);
        let roomy = left(NUMBER) > FATE + BAR.start();
        // Turns have more digits than forces.
        let turns = rows.iter().any(|row| row.raw.turn != 0.0 || row.total.turn != 0.0);
        let number = if roomy || turns { NUMBER } else { SHORT_NUMBER };
        let rest = left(number);
        let bar = if roomy { rest - FATE - 1 } else { rest.saturating_sub(1) };
        Self { name, number, bar: bar.min(*BAR.end()), fate: roomy }
    }
}

/// What a row is measured by: lengths of forces, or turns in degrees.
#[derive(Debug, Clone, Copy)]
struct Measure {
    turns: bool,
    /// The largest that may be wished.
    limit: f32,
}

impl Measure {
    /// That of a row: a turn counts when there is no force in it.
    fn of(row: &LedgerRow, body: &Body, angular: bool) -> Self {
        let pushes = row.raw.force != Vec2::ZERO || row.accepted.force != Vec2::ZERO;
        let turns = !pushes && (angular || row.raw.turn != 0.0 || row.accepted.turn != 0.0);
        let limit = if turns { body.max_turn_accel.to_degrees() } else { body.max_force };
        Self { turns, limit }
    }

    fn value(self, wish: Wish) -> f32 {
        if self.turns { wish.turn.to_degrees() } else { wish.force.length() }
    }

    fn text(self, value: f32, room: usize) -> String {
        let degrees = format!("{value:.0}°");
        if self.turns && degrees.chars().count() <= room { degrees } else { short(value, room) }
    }

    /// Which part of the limit a value is.
    fn share(self, value: f32) -> f32 {
        if self.limit > 0.0 { value.abs() / self.limit } else { 0.0 }
    }
}

/// The lines of a vehicle.
pub fn describe(about: About, facts: &mut Facts) {
    describe_with(about, facts, |_, _, _| ());
}

/// The same, with more about each row below it.
pub fn describe_with(
    about: About,
    facts: &mut Facts,
    detail: impl Fn(usize, &LedgerRow, &mut Facts),
) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let Drive::Steer { combine, rows } = &world.mode(id).drive else { return };
    let Some(explanation) = about.explanation() else {
        let names: Vec<_> = rows.iter().map(|row| row.behaviour.word()).collect();
        facts.fact("steering", format!("{}: {}", combine.word(), names.join(", ")));
        return;
    };
    let body = world.body(id);
    force(explanation, body, facts);
    if is_oriented(rows) {
        let turn = explanation.wish.turn.to_degrees();
        let most = body.max_turn_accel.to_degrees();
        let turn = words::turn(turn, &format!(" of {most:.0}°/s²"));
        facts.aside("turn", [(turn, theme.text)]);
    }
    let ledger_rows = &explanation.ledger.rows;
    let columns = Columns::fitting(ledger_rows, facts.width());
    facts.line(vec![Span::styled(
        head(combine.word(), *combine == Combine::Dithered, columns),
        theme.dim,
    )]);
    let fates = Fates::of(ledger_rows);
    for (index, row) in ledger_rows.iter().enumerate() {
        let angular = rows.get(index).is_some_and(|row| row.behaviour.is_angular());
        let mut spans = line(index, row, Measure::of(row, body, angular), columns, theme);
        if about.noted_before().is_some_and(|before| before.fates.differ(fates, index)) {
            mark(index, row, &mut spans, theme);
        }
        // The limit is no row of the file.
        if index < rows.len() {
            facts.line_about(spans, Shown::OfRow(index, "weight"));
        } else {
            facts.line(spans);
        }
        detail(index, row, facts);
    }
}

/// The lines of a vehicle that a person drives, or could.
pub fn driven(explanation: &Explanation, body: &Body, facts: &mut Facts) {
    force(explanation, body, facts);
    let rows = &explanation.ledger.rows;
    let columns = Columns::fitting(rows, facts.width());
    facts.line(vec![Span::styled(head("manual", false, columns), facts.theme.dim)]);
    for (index, row) in rows.iter().enumerate() {
        let spans = line(index, row, Measure::of(row, body, false), columns, facts.theme);
        facts.line(spans);
    }
}

/// Says that the fate of a row is another one than in the frame before.
fn mark(index: usize, row: &LedgerRow, spans: &mut Vec<Span<'static>>, theme: &Theme) {
    if let Some(first) = spans.first_mut() {
        *first = Span::styled(sign(index, row), theme.vector(index));
        spans.insert(1, Span::styled(glyph::CHANGED, theme.key));
    }
}

/// The digit or letter of a row.
fn sign(index: usize, row: &LedgerRow) -> &'static str {
    if row.behaviour == LIMIT { " " } else { words::row_sign(index) }
}

/// What a vehicle is pushed by.
fn force(explanation: &Explanation, body: &Body, facts: &mut Facts) {
    let (theme, force) = (facts.theme, explanation.wish.force);
    let strength = (strength(force, body.max_force), theme.strong);
    facts.aside("force", [strength, (words::point(force), theme.dim)]);
}

/// How strong a force is, of how much, and where it goes, if it is any.
pub fn strength(force: Vec2, most: f32) -> String {
    let (length, way) = (format!("{:.2}", force.length()), words::arrow(force));
    if length == "0.00" { format!("0.00 of {most}") } else { format!("{length} of {most} {way}") }
}

/// What the columns hold.
fn head(word: &str, dithered: bool, columns: Columns) -> String {
    let factor = if dithered { "×w/p" } else { "×w" };
    let Columns { name, number, .. } = columns;
    let (taken, total) = if columns.fate { ("used", "total") } else { ("used", "sum") };
    let name = name + SIGN;
    format!("{word:<name$}{:>number$}{factor:>number$}{taken:>number$}{total:>number$}", "raw")
}

/// A behaviour in a line: its force as proposed, weighted and taken, the sum so far, its fate.
///
/// One that its die kept out shows the die instead, and the probability it had to fall below; one
/// that was not asked shows nothing, as nobody knows what it would have wished.
fn line(
    index: usize,
    row: &LedgerRow,
    measure: Measure,
    columns: Columns,
    theme: &Theme,
) -> Vec<Span<'static>> {
    let Columns { name, number: width, .. } = columns;
    let number = |wish: Wish, style: Style| {
        let text = measure.text(measure.value(wish), width - 1);
        Span::styled(format!("{text:>width$}"), style)
    };
    let sign = sign(index, row);
    let mut spans = vec![
        Span::styled(format!("{sign:<SIGN$}"), theme.vector(index)),
        Span::styled(format!("{:<name$}", row.behaviour), theme.text),
    ];
    match row.state {
        RowState::DitheredOut { die, probability } => {
            let dice = format!("{die:.2} ≥ p {probability:.2}");
            spans.push(Span::styled(format!("{dice:>0$}", 3 * width), theme.text));
        }
        RowState::NoRoom | RowState::Disabled => {
            let nothing = format!("{:>width$}", "–").repeat(3);
            spans.push(Span::styled(nothing, theme.dim));
        }
        _ => {
            spans.push(number(row.raw, theme.text));
            spans.push(number(row.raw * row.weight, theme.text));
            spans.push(number(row.accepted, theme.strong));
        }
    }
    spans.push(number(row.total, theme.text));
    spans.extend(fate(index, row, measure, columns, theme));
    spans
}

/// What became of a row: a bar of what was taken and what was cut, and the word for it.
fn fate(
    index: usize,
    row: &LedgerRow,
    measure: Measure,
    columns: Columns,
    theme: &Theme,
) -> Vec<Span<'static>> {
    let style = match row.state {
        RowState::Accepted => theme.good,
        RowState::Cut | RowState::NoRoom => theme.warn,
        RowState::Zero | RowState::Disabled | RowState::DitheredOut { .. } => theme.dim,
    };
    let mut spans = Vec::new();
    if columns.fate {
        spans.push(Span::styled(format!(" {:<12}", row.state.words()), style));
    }
    let took = matches!(row.state, RowState::Accepted | RowState::Cut) && row.behaviour != LIMIT;
    if took && columns.bar > 0 {
        let wanted = measure.share(measure.value(row.raw * row.weight));
        let share = measure.share(measure.value(row.accepted));
        let (bar, cut) = bars(share, wanted, columns.bar);
        spans.push(Span::styled(format!(" {bar}"), theme.vector(index)));
        spans.push(Span::styled(cut, theme.warn));
    } else if !columns.fate {
        let word = match row.state {
            RowState::DitheredOut { .. } => "out",
            state => state.words(),
        };
        spans.push(Span::styled(format!(" {word}"), style));
    }
    spans
}

/// A bar of what was taken, and one of what was wanted beyond it, both as shares of the limit,
/// together no longer than `width`. Something that was cut is always seen.
fn bars(taken: f32, wanted: f32, width: usize) -> (String, String) {
    let is_cut = wanted > taken * 1.001;
    let room = width - usize::from(is_cut && width > 1);
    let bar = glyph::bar(taken.min(1.0) * width as f32 / room as f32, room);
    let used = bar.chars().count();
    let end = (wanted.clamp(0.0, 1.0) * width as f32 + 0.5) as usize;
    let cut = if is_cut { end.max(used + 1).min(width) - used } else { 0 };
    (bar, glyph::CUT.repeat(cut))
}

/// A length in so many columns, with as many decimals as there is room for, two at most.
fn short(value: f32, room: usize) -> String {
    let texts = [format!("{value:.2}"), format!("{value:.1}"), format!("{value:.0}")];
    let fitting = texts.into_iter().find(|text| text.len() <= room);
    fitting.unwrap_or_else(|| format!("{:.0}k", value / 1000.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::theme::MONO;

    fn text_of(row: &LedgerRow, width: usize, angular: bool) -> String {
        let columns = Columns::fitting(std::slice::from_ref(row), width);
        let measure = Measure::of(row, &Body::default(), angular);
        let spans = line(0, row, measure, columns, &MONO);
        spans.iter().map(|span| span.content.as_ref()).collect()
    }

    fn text(row: &LedgerRow, width: usize) -> String {
        text_of(row, width, false)
    }

    /// A row that proposed and took these lengths of a limit of 12.
    fn row(raw: f32, weight: f32, taken: f32, state: RowState) -> LedgerRow {
        let force = |x| Wish::force(Vec2::new(x, 0.0));
        LedgerRow {
            behaviour: "avoid_obstacles",
            raw: force(raw),
            weight,
            accepted: force(taken),
            state,
            total: force(taken),
        }
    }

    #[test]
    fn long_words_and_numbers_fit_a_narrow_pane() {
        let cut = row(12.34, 10.0, 6.0, RowState::Cut);
        assert_eq!(text(&cut, 45), "1 avoid_obstacles 12.3  123 6.00 6.00 ███▌░░░");
        assert_eq!(
            text(&cut, 62),
            "1 avoid_obstacles 12.34 123.4  6.00  6.00 cut          ███▌░░░"
        );
        let zero = row(0.0, 10.0, 0.0, RowState::Zero);
        assert_eq!(text(&zero, 45), "1 avoid_obstacles 0.00 0.00 0.00 0.00 zero");
        let no_room = row(0.0, 10.0, 0.0, RowState::NoRoom);
        assert_eq!(text(&no_room, 45), "1 avoid_obstacles    –    –    – 0.00 no room");
    }

    #[test]
    fn a_bar_tells_what_was_cut_however_little() {
        assert_eq!(bars(0.5, 0.5, 8), ("████".into(), String::new()));
        assert_eq!(bars(0.5, 1.0, 8), ("████".into(), "░░░░".into()));
        assert_eq!(bars(0.999, 1.004, 8), ("███████".into(), "░".into()));
        assert_eq!(bars(1.0, 1.0, 8), ("████████".into(), String::new()));
        assert_eq!(bars(0.0, 30.0, 8), (String::new(), "░░░░░░░░".into()));
    }

    #[test]
    fn a_row_that_was_dithered_out_shows_its_die() {
        let state = RowState::DitheredOut { die: 0.8314, probability: 0.5 };
        let row = LedgerRow { behaviour: "seek", ..row(0.0, 2.0, 0.0, state) };
        assert_eq!(text(&row, 45), "1 seek         0.83 ≥ p 0.50 0.00 out");
    }

    #[test]
    fn a_turn_is_told_in_degrees_and_measured_by_its_own_limit() {
        let turn = |degrees: f32| Wish::turn(degrees.to_radians());
        let row = LedgerRow {
            behaviour: "align",
            raw: turn(-2880.0),
            accepted: turn(-720.0),
            total: turn(-720.0),
            ..row(0.0, 1.0, 0.0, RowState::Cut)
        };
        assert_eq!(text_of(&row, 45, true), "1 align       -2880 -2880 -720° -720° ███▌░░░");
    }
}
