//! The force breakdown of the inspector: the output of each behaviour, and the applied part of that
//! output.

use ratatui::style::Style;
use ratatui::text::Span;

use crate::report::point;
use crate::report::steering::{BehaviourReport, Listed, Output, Steering};
use crate::steering::{LIMIT, RowState};
use crate::tui::draw::facts::{Facts, Phrase, Shown};
use crate::tui::glyph;
use crate::tui::theme::Theme;
use crate::words;

use super::about::About;

/// Minimum width of the column with names of behaviours, in terminal columns.
const NAME: usize = 11;

/// Width of the column with a behaviour's label, such as `1`, in terminal columns, including the
/// gap after it.
const SIGN: usize = 2;

/// Width of a column with numbers in a wide pane, in terminal columns, including the gap before it.
const NUMBER: usize = 6;

/// Width of a column with numbers in a narrow pane, in terminal columns, including the gap before
/// it.
const SHORT_NUMBER: usize = 5;

/// Width of the column with states, in terminal columns, including the gap before it.
const STATE: usize = 13;

/// Minimum and maximum width of a force bar in terminal columns. The minimum applies only if the
/// state has a column of its own.
const BAR: core::ops::RangeInclusive<usize> = 6..=16;

/// The widths of the table's columns, in terminal columns.
///
/// In a narrow pane, bar and state share a column. An applied output is shown as a bar. Any other
/// output is shown as its state.
#[derive(Debug, Clone, Copy)]
struct Columns {
    name: usize,
    /// Width of each of the four columns with numbers.
    number: usize,
    /// Width of the force bar, without the gap before the bar.
    bar: usize,
    /// Whether the state has a column of its own.
    state: bool,
}

impl Columns {
    fn fitting(rows: &[BehaviourReport], width: usize) -> Self {
        let name = rows.iter().map(|row| row.behaviour.len()).fold(NAME, usize::max);
        let left = |number| width.saturating_sub(SIGN + name + 4 * number);
        let roomy = left(NUMBER) > STATE + BAR.start();
        let turns = rows.iter().any(|row| row.raw.turn != 0.0 || row.total.turn != 0.0);
        let number = if roomy || turns { NUMBER } else { SHORT_NUMBER };
        let rest = left(number);
        let bar = if roomy { rest - STATE - 1 } else { rest.saturating_sub(1) };
        Self { name, number, bar: bar.min(*BAR.end()), state: roomy }
    }
}

/// The quantity that a row shows: the magnitude of a force, or a turn in °/s².
#[derive(Debug, Clone, Copy)]
struct Measure {
    turns: bool,
    /// Maximum of the quantity, which a full bar shows.
    limit: f32,
}

impl Measure {
    /// Returns the quantity that a row shows: a turn if the row has no force, otherwise a force.
    ///
    /// `limits` are the maximum force and the maximum turn. If `angular`, a row without any output
    /// also shows a turn.
    fn of(row: &BehaviourReport, limits: [f32; 2], angular: bool) -> Self {
        let pushes = row.raw.force != [0.0; 2] || row.accepted.force != [0.0; 2];
        let turns = !pushes && (angular || row.raw.turn != 0.0 || row.accepted.turn != 0.0);
        Self { turns, limit: limits[usize::from(turns)] }
    }

    fn value(self, output: Output) -> f32 {
        if self.turns { output.turn } else { output.length() }
    }

    fn text(self, value: f32, room: usize) -> String {
        let degrees = format!("{value:.0}°");
        if self.turns && degrees.chars().count() <= room { degrees } else { short(value, room) }
    }

    fn share(self, value: f32) -> f32 {
        if self.limit > 0.0 { value.abs() / self.limit } else { 0.0 }
    }
}

/// Adds the force of manual control as a table. Adds nothing if the step had no such force.
pub fn manual(about: &About, facts: &mut Facts) {
    let steering = about.report.steering.as_ref().filter(|steering| !steering.rows.is_empty());
    let Some(steering) = steering else { return };
    force(steering, facts);
    let columns = Columns::fitting(&steering.rows, facts.width());
    facts.line(vec![Span::styled(head("manual", columns), facts.theme.dim)]);
    for (index, row) in steering.rows.iter().enumerate() {
        let spans =
            line(index, row, Measure::of(row, limits(steering), false), columns, facts.theme);
        facts.line(spans);
    }
}

/// Adds the force breakdown of a steering mode as a table. Adds nothing if the mode has no
/// steering.
///
/// If `detailed`, adds the reason and the details below each behaviour. Without an explained step,
/// adds only the names of the behaviours.
pub fn describe(about: &About, detailed: bool, facts: &mut Facts) {
    let Some(steering) = &about.report.steering else { return };
    let theme = facts.theme;
    let combine = steering.combine;
    if !about.is_explained() {
        let names: Vec<_> = steering.list.iter().map(|listed| listed.behaviour).collect();
        facts.fact("steering", format!("{combine}: {}", names.join(", ")));
        return;
    }
    force(steering, facts);
    if steering.is_oriented {
        let most = steering.max_turn_accel;
        let turn = words::turn(steering.turn, &format!(" of {most:.0}°/s²"));
        facts.aside("turn", [(turn, theme.text)]);
    }
    let columns = Columns::fitting(&steering.rows, facts.width());
    facts.line(vec![Span::styled(head(combine, columns), theme.dim)]);
    for (index, row) in steering.rows.iter().enumerate() {
        let listed = steering.list.get(index);
        let angular = listed.is_some_and(|listed| listed.is_angular);
        let mut spans =
            line(index, row, Measure::of(row, limits(steering), angular), columns, theme);
        if about.fate_changed(index) {
            mark(index, row, &mut spans, theme);
        }
        // The row of the limit has no behaviour in the map file.
        match listed {
            Some(_) => facts.line_about(spans, Shown::OfRow(index, "weight")),
            None => facts.line(spans),
        }
        if detailed {
            facts.aside("", [(row.reason(steering.max_force), theme.text)]);
            facts.aside("", details(steering, index, row, theme));
        }
    }
}

/// Returns the maximum force, and the maximum angular acceleration in °/s².
fn limits(steering: &Steering) -> [f32; 2] {
    [steering.max_force, steering.max_turn_accel]
}

/// Inserts a change mark after the label of the behaviour at `index` in the steering list.
fn mark(index: usize, row: &BehaviourReport, spans: &mut Vec<Span<'static>>, theme: &Theme) {
    if let Some(first) = spans.first_mut() {
        *first = Span::styled(sign(index, row), theme.vector(index));
        spans.insert(1, Span::styled(glyph::CHANGED, theme.key));
    }
}

fn sign(index: usize, row: &BehaviourReport) -> &'static str {
    if row.behaviour == LIMIT { " " } else { words::behaviour_label(index) }
}

/// Adds the total applied force: its magnitude, and its components along x and y.
pub fn force(steering: &Steering, facts: &mut Facts) {
    let theme = facts.theme;
    facts.aside(
        "force",
        [(steering.force_text(), theme.strong), (point(steering.force), theme.dim)],
    );
}

/// Returns the table's header. `word` is the combination method, which heads the column of names.
fn head(word: &str, columns: Columns) -> String {
    let factor = if word == "dithered" { "×w/p" } else { "×w" };
    let Columns { name, number, .. } = columns;
    let total = if columns.state { "total" } else { "sum" };
    let name = name + SIGN;
    format!("{word:<name$}{:>number$}{factor:>number$}{:>number$}{total:>number$}", "raw", "used")
}

/// Returns the table row of a behaviour: its desired, weighted and applied output, the running
/// total, and its state.
///
/// If a random draw left out a behaviour, the row shows the drawn number and the behaviour's
/// probability. If a behaviour was not evaluated, the row shows dashes.
fn line(
    index: usize,
    row: &BehaviourReport,
    measure: Measure,
    columns: Columns,
    theme: &Theme,
) -> Vec<Span<'static>> {
    let Columns { name, number: width, .. } = columns;
    let number = |output: Output, style: Style| {
        let text = measure.text(measure.value(output), width - 1);
        Span::styled(format!("{text:>width$}"), style)
    };
    let sign = sign(index, row);
    let mut spans = vec![
        Span::styled(format!("{sign:<SIGN$}"), theme.vector(index)),
        Span::styled(format!("{:<name$}", row.behaviour), theme.text),
    ];
    match row.state {
        RowState::DitheredOut { drawn, probability } => {
            let draw = format!("{drawn:.2} ≥ p {probability:.2}");
            spans.push(Span::styled(format!("{draw:>0$}", 3 * width), theme.text));
        }
        RowState::NoRoom | RowState::Disabled => {
            let nothing = format!("{:>width$}", "–").repeat(3);
            spans.push(Span::styled(nothing, theme.dim));
        }
        RowState::Accepted | RowState::Cut | RowState::Zero => {
            spans.push(number(row.raw, theme.text));
            spans.push(number(row.raw.scaled(row.weight), theme.text));
            spans.push(number(row.accepted, theme.strong));
        }
    }
    spans.push(number(row.total, theme.text));
    spans.extend(state(index, row, measure, columns, theme));
    spans
}

/// Returns the state of a behaviour as text, and a bar of its applied and cut output. A narrow
/// table has only one of both: the bar, or the text if no output was applied.
fn state(
    index: usize,
    row: &BehaviourReport,
    measure: Measure,
    columns: Columns,
    theme: &Theme,
) -> Vec<Span<'static>> {
    let (style, applied) = match row.state {
        RowState::Accepted => (theme.good, true),
        RowState::Cut => (theme.warn, true),
        RowState::NoRoom => (theme.warn, false),
        RowState::Zero | RowState::Disabled | RowState::DitheredOut { .. } => (theme.dim, false),
    };
    let mut spans = Vec::new();
    if columns.state {
        spans.push(Span::styled(format!(" {:<12}", row.state.words()), style));
    }
    if applied && row.behaviour != LIMIT && columns.bar > 0 {
        let wanted = measure.share(measure.value(row.raw.scaled(row.weight)));
        let share = measure.share(measure.value(row.accepted));
        let (bar, cut) = bars(share, wanted, columns.bar);
        spans.push(Span::styled(format!(" {bar}"), theme.vector(index)));
        spans.push(Span::styled(cut, theme.warn));
    } else if !columns.state {
        // In a narrow column, `dithered out` is shortened to `out`.
        let word = row.state.words();
        let word = word.strip_prefix("dithered ").unwrap_or(word);
        spans.push(Span::styled(format!(" {word}"), style));
    }
    spans
}

/// Returns two bars: the applied output and the part that was cut. `applied` and `wanted` are
/// shares of the limit.
///
/// Both bars together have at most `width` columns. A cut takes at least one column.
fn bars(applied: f32, wanted: f32, width: usize) -> (String, String) {
    let is_cut = wanted > applied * 1.001;
    let room = width - usize::from(is_cut && width > 1);
    let bar = glyph::bar(applied.min(1.0) * width as f32 / room as f32, room);
    let used = bar.chars().count();
    let end = (wanted.clamp(0.0, 1.0) * width as f32 + 0.5) as usize;
    let cut = if is_cut { end.max(used + 1).min(width) - used } else { 0 };
    (bar, glyph::UNAPPLIED.repeat(cut))
}

/// Formats a number with as many decimals as fit into `room` columns, at most two. Larger numbers
/// are formatted in thousands, such as `12k`.
fn short(value: f32, room: usize) -> String {
    let texts = [format!("{value:.2}"), format!("{value:.1}"), format!("{value:.0}")];
    let fitting = texts.into_iter().find(|text| text.len() <= room);
    fitting.unwrap_or_else(|| format!("{:.0}k", value / 1000.0))
}

/// Returns the details of the behaviour at `index` in the steering list, as the phrases of one
/// line. Omits the outputs if the behaviour was not evaluated or has no output.
pub fn details(
    steering: &Steering,
    index: usize,
    row: &BehaviourReport,
    theme: &Theme,
) -> Vec<Phrase> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::tui::theme::MONO;

    fn text_of(row: &BehaviourReport, width: usize, angular: bool) -> String {
        let columns = Columns::fitting(std::slice::from_ref(row), width);
        let body = Body::default();
        let limits = [body.max_force, body.max_turn_accel.to_degrees()];
        let measure = Measure::of(row, limits, angular);
        let spans = line(0, row, measure, columns, &MONO);
        spans.iter().map(|span| span.content.as_ref()).collect()
    }

    fn text(row: &BehaviourReport, width: usize) -> String {
        text_of(row, width, false)
    }

    fn row(raw: f32, weight: f32, taken: f32, state: RowState) -> BehaviourReport {
        let force = |x| Output { force: [x, 0.0], turn: 0.0 };
        BehaviourReport {
            behaviour: "avoid_obstacles",
            raw: force(raw),
            weight,
            accepted: force(taken),
            state,
            total: force(taken),
            die: None,
            probability: None,
            looked_at: Vec::new(),
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
    fn a_bar_shows_how_much_of_a_force_was_cut() {
        assert_eq!(bars(0.5, 0.5, 8), ("████".into(), String::new()));
        assert_eq!(bars(0.5, 1.0, 8), ("████".into(), "░░░░".into()));
        assert_eq!(bars(0.999, 1.004, 8), ("███████".into(), "░".into()));
        assert_eq!(bars(1.0, 1.0, 8), ("████████".into(), String::new()));
        assert_eq!(bars(0.0, 30.0, 8), (String::new(), "░░░░░░░░".into()));
    }

    #[test]
    fn a_row_that_was_dithered_out_shows_its_random_draw() {
        let state = RowState::DitheredOut { drawn: 0.8314, probability: 0.5 };
        let row = BehaviourReport { behaviour: "seek", ..row(0.0, 2.0, 0.0, state) };
        assert_eq!(text(&row, 45), "1 seek         0.83 ≥ p 0.50 0.00 out");
    }

    #[test]
    fn a_turn_is_in_degrees_and_has_its_own_limit() {
        let turn = |turn: f32| Output { force: [0.0; 2], turn };
        let row = BehaviourReport {
            behaviour: "align",
            raw: turn(-2880.0),
            accepted: turn(-720.0),
            total: turn(-720.0),
            ..row(0.0, 1.0, 0.0, RowState::Cut)
        };
        assert_eq!(text_of(&row, 45, true), "1 align       -2880 -2880 -720° -720° ███▌░░░");
    }
}
