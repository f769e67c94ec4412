//! Facts about what moves an agent: manual control, steering, a pattern or a route.

use ratatui::text::Span;

use crate::agent::Drive;
use crate::files::show;
use crate::report::explanation::{Attempt, TracedValue};
use crate::report::pattern::{
    Choice, Leg, Matrix, Path, Pattern, Program, Steps, StepsRow, Thrust,
};
use crate::report::target::{Chase, Flight, Journey, Target};
use crate::report::{DirectionName, Tile, tile_text};
use crate::tui::draw::facts::{self, Facts};
use crate::tui::glyph;
use crate::words;

use super::about::About;
use super::{forces, shown};

/// Maximum number of program lines on all pages except the pattern page.
pub const LISTED: usize = 7;

/// Adds the facts about what moves an agent. A pattern shows at most `listed` lines of its program.
pub fn describe(about: &About, listed: usize, facts: &mut Facts) {
    if manual(about, facts) {
        return;
    }
    if about.is_traced() {
        traced(about, facts);
        return;
    }
    if let Some(report) = &about.report.pattern {
        pattern(about, report, listed, facts);
    } else if let Some(report) = &about.report.target {
        target(about, report, facts);
    } else if about.report.steering.is_some() {
        forces::describe(about, false, facts);
    } else if matches!(about.world.mode(about.id).drive, Drive::Stand) {
        facts.fact("drive", "stand: no movement");
    }
}

/// Adds the values of an agent that follows the run of another program. A vector has the number of its
/// arrow on the map.
fn traced(about: &About, facts: &mut Facts) {
    let scenario = about.world.scenario();
    if let Some(run) = &scenario.sources().run {
        facts.fact("drive", format!("trace {}", run.table.label));
    }
    let vectors = scenario.traced().map_or(&[][..], |traced| traced.trace.vectors());
    for (name, value) in TracedValue::lines(&about.report.values) {
        let theme = facts.theme;
        let vector = vectors.iter().position(|vector| vector.name == name);
        let number = vector.map(|it| (words::behaviour_label(it).to_owned(), theme.vector(it)));
        let (name, value) = (show::text(&name), show::text(&value));
        let fits = name.chars().count() < facts::LABEL;
        let (label, text) =
            if fits { (name, value) } else { (String::new(), format!("{name} {value}")) };
        facts.phrases(&label, number.into_iter().chain([(text, theme.text)]));
    }
}

/// Adds the facts about manual control. Returns true if the facts about the mode must be omitted.
fn manual(about: &About, facts: &mut Facts) -> bool {
    let waits = matches!(about.world.mode(about.id).drive, Drive::Keys { .. });
    let (driven, was_driven) = (about.is_driven(), about.was_driven());
    if !driven && !was_driven && !waits {
        return false;
    }
    if !driven && waits {
        facts.fact("drive", "keys: waiting for manual control");
    }
    if !about.world.is_on_tiles(about.id) {
        forces::manual(about, facts);
        return waits || was_driven;
    }
    if driven || was_driven {
        let attempt = about.report.attempt.as_ref().filter(|attempt| attempt.purpose == "keys");
        let step = attempt.map_or_else(|| "no step".to_owned(), Attempt::short_text);
        facts.aside("keys", [(step, facts.theme.text)]);
        facts.fact("step", words::due(about.world.step_due_in(about.id)));
    }
    true
}

fn pattern(about: &About, pattern: &Pattern, listed: usize, facts: &mut Facts) {
    let due = due_text(about, pattern.due_in);
    if pattern.joining && (pattern.path.is_some() || pattern.matrix.is_some()) {
        facts.fact(pattern.kind, "joining: moving to the nearest tile");
        facts.fact("next", format!("step {due}"));
        return;
    }
    if let Some(report) = &pattern.path {
        path(report, due, facts);
    } else if let Some(report) = &pattern.matrix {
        matrix(about, report, pattern.finished, due, facts);
    } else if let Some(report) = &pattern.steps {
        steps(report, due, facts);
        program(about, listed, facts);
    } else if let Some(report) = &pattern.thrust {
        thrust(report, facts);
        program(about, listed, facts);
        let numbers = core::iter::once(shown::MASS).chain(shown::CRAFT);
        let (body, style) = (about.world.body(about.id), facts.theme.text);
        facts.phrases("craft", numbers.map(|number| number.of(body, style)));
    }
}

fn path(path: &Path, due: String, facts: &mut Facts) {
    let theme = facts.theme;
    facts.phrases("path", [(path.tile_text(), theme.strong), (path.segment_text(), theme.text)]);
    match path.next {
        Some(next) => {
            facts.phrases("next", [(step(next, path.way), theme.strong), (due, theme.text)]);
        }
        None => facts.fact("next", "none: end of the path"),
    }
}

/// Formats a step on tiles, such as `(3, 4) → E`.
fn step(to: Tile, way: Option<DirectionName>) -> String {
    let way = way.map(|way| words::compass(way.0)).unwrap_or_default();
    format!("{} {way}", tile_text(to))
}

fn matrix(about: &About, matrix: &Matrix, finished: bool, due: String, facts: &mut Facts) {
    let theme = facts.theme;
    let size = format!("{} tiles, {} directions", matrix.tiles, matrix.directions);
    facts.phrases("matrix", [(size, theme.dim)]);
    if let Some((way, from)) = matrix.came_by.zip(matrix.came_from) {
        facts.fact("moved", format!("{} from {}", words::compass(way.0), tile_text(from)));
    }
    if let Some(report) = &matrix.choice {
        choice("choice", report, facts);
    }
    if finished {
        facts.fact("next", "none: stays at the dead end");
        return;
    }
    if let Some(coming) = about.coming() {
        choice("next", &coming, facts);
        return;
    }
    let open: Vec<_> = matrix.open.iter().map(|way| words::compass(way.0)).collect();
    let open = if open.is_empty() { "back only".to_owned() } else { open.join("  ") };
    facts.phrases("next", [(open, theme.strong), (due, theme.text)]);
}

/// Adds a random choice of a matrix pattern: the chosen direction, the open directions, and the
/// position of the choice among them. At a dead end, describes the reaction instead.
fn choice(label: &str, choice: &Choice, facts: &mut Facts) {
    let theme = facts.theme;
    let Some(way) = choice.taken() else {
        let text = if choice.dead_end { "dead end: stays here" } else { "no open direction" };
        facts.aside(label, [(text.to_owned(), theme.warn)]);
        return;
    };
    let mut phrases = vec![(words::compass(way.0), theme.strong)];
    if choice.dead_end {
        phrases.push(("dead end: turns back".to_owned(), theme.warn));
    } else {
        let open = choice.words();
        phrases.push((format!("open: {}", open.join(" ")), theme.text));
        let number = words::ordinal(choice.number());
        phrases.push((format!("(random: {number} of {})", open.len()), theme.dim));
    }
    facts.aside(label, phrases);
}

fn steps(steps: &Steps, due: String, facts: &mut Facts) {
    let (theme, rows) = (facts.theme, steps.rows);
    let Some(StepsRow { index, done, .. }) = &steps.next else {
        facts.fact("steps", format!("all {rows} rows done"));
        return;
    };
    let row = format!("row {} of {rows}", index + 1);
    facts.phrases("steps", [(row, theme.strong), (done.clone(), theme.text)]);
    if !steps.is_free {
        facts.fact("next", due);
    }
}

fn thrust(thrust: &Thrust, facts: &mut Facts) {
    let (theme, legs) = (facts.theme, thrust.legs);
    let Some(leg) = &thrust.next else {
        facts.fact("legs", format!("all {legs} legs done; engine off"));
        return;
    };
    let Leg { index, moved, turned, thrusters, until_moved, until_turned, .. } = leg;
    let burns = if leg.side_share == 0.0 {
        (*thrusters).to_owned()
    } else {
        format!("{thrusters} at {}", leg.share_text())
    };
    let leg_text = format!("leg {} of {legs}", index + 1);
    facts.phrases("legs", [(leg_text, theme.strong), (burns, theme.text)]);
    let of = |amount: String, limit: &Option<f32>, unit: &str| match limit {
        Some(limit) => (format!("{amount} of {limit}{unit}"), theme.strong),
        None => (format!("{amount}{unit}"), theme.dim),
    };
    let turned = of(format!("{turned:.1}"), until_turned, "°");
    facts.phrases("turned", [turned, (leg.measured.to_owned(), theme.dim)]);
    facts.phrases("moved", [of(format!("{moved:.2}"), until_moved, " tiles")]);
}

/// Adds at most `listed` lines of the agent's program around the current line, and marks that line.
/// Adds nothing without a program.
pub fn program(about: &About, listed: usize, facts: &mut Facts) {
    let Some(Program { current, first, lines }) = Program::of(about.world, about.id, listed) else {
        return;
    };
    let theme = facts.theme;
    for (index, text) in (first..).zip(lines) {
        let is_current = index == current;
        let sign = if is_current { glyph::MARKER } else { " " };
        let style = if is_current { theme.strong } else { theme.text };
        facts.line(vec![
            Span::styled(format!("{sign} "), theme.key),
            Span::styled(format!("{:>4}   ", index + 1), theme.dim),
            Span::styled(glyph::clean(&text), style),
        ]);
    }
}

/// Returns the time until the next step. A blocked agent then tries the same step again.
fn due_text(about: &About, frames: u32) -> String {
    let due = words::due(frames);
    if about.report.obstruction.is_some() { format!("retries {due}") } else { due }
}

fn target(about: &About, target: &Target, facts: &mut Facts) {
    let (theme, due) = (facts.theme, due_text(about, target.due_in));
    let Target { verb, name, at: Some(at), .. } = target else {
        let why = target.absence.clone().unwrap_or_else(|| "no target yet".to_owned());
        facts.fact(target.verb, why);
        return;
    };
    let at = tile_text(*at);
    if let Some(Chase { aimed_from, step: done, steps }) = &target.chase {
        let line = format!("step {done} of {steps}, line from {}", tile_text(*aimed_from));
        facts.phrases(verb, [(format!("{name} on {at}"), theme.strong), (line, theme.text)]);
        match target.way.zip(target.next) {
            Some((way, next)) => {
                facts.phrases("next", [(step(next, Some(way)), theme.strong), (due, theme.text)]);
            }
            None => facts.fact("next", "none: on the target tile"),
        }
    } else if let Some(Flight { distance }) = &target.flight {
        let distance = format!("{distance:.2} tiles away");
        facts.phrases(
            verb,
            [(format!("from {name} on {at}"), theme.strong), (distance, theme.text)],
        );
        facts.fact("next", format!("farthest from target, {due}"));
    } else if let Some(journey) = &target.journey {
        let mut phrases = vec![(format!("to {name} on {at}"), theme.strong)];
        if journey.detour {
            phrases.push(("detour around agents".to_owned(), theme.warn));
        }
        facts.phrases(verb, phrases);
        route(target, journey, due, facts);
    }
}

fn route(target: &Target, journey: &Journey, due: String, facts: &mut Facts) {
    let theme = facts.theme;
    if journey.arrived {
        facts.fact("next", "none: arrived");
        return;
    }
    let Journey { step: done, steps: Some(steps), cost: Some(cost), cost_left: Some(left), .. } =
        journey
    else {
        facts.fact("next", format!("step {due}"));
        return;
    };
    let progress = format!("step {done} of {steps}");
    let cost = format!("cost {left:.2} of {cost:.2} left");
    facts.phrases("route", [(progress, theme.text), (cost, theme.text)]);
    if let Some((way, next)) = target.way.zip(target.next) {
        facts.phrases("next", [(step(next, Some(way)), theme.strong), (due, theme.text)]);
    }
}
