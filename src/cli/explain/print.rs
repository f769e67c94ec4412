//! Formats an explanation as lines of at most 80 columns.

mod page;

use crate::files::show;
use crate::geom::Vec2;
use crate::map::TILE_RADIUS;
use crate::report::explanation::{Attempt, Explanation, Removal, TracedValue, Transition};
use crate::report::frame::State;
use crate::report::parts::Part;
use crate::report::pattern::{Choice, Leg, Matrix, Pattern, Several, StepsRow, Thrust};
use crate::report::steering::{BehaviourReport, Output, Steering};
use crate::report::target::{Chase, Flight, Journey, Target};
use crate::report::{DirectionName, point, tile_text};
use crate::steering::{MANUAL_CONTROL, RowState};
use crate::words;

use page::{LABEL, Page};

/// Returns the formatted explanation, line by line.
pub(super) fn lines(report: &Explanation) -> Vec<String> {
    let mut page = Page::default();
    let Explanation { agent, frame, time, file, seed, .. } = report;
    page.wrapped("", &format!("{agent} at frame {frame} ({time} s) in {file}, seed {seed}"));
    page.blank();
    page.motion(report);
    page.mode(report);
    if report.before.is_none() && report.frame == 0 {
        page.fact("step", "none: frame 0 is the initial state");
    } else if report.before.is_none() {
        page.fact("step", "none: the agent appeared in this frame");
    }
    if let Some(steering) = &report.steering {
        page.steering(steering);
        if let Some(before) = &report.before {
            let change = before.change(&report.now);
            page.fact("summary", &format!("{change}; {}", steering.largest()));
            page.inputs(steering);
        }
    }
    if let Some(pattern) = &report.pattern {
        page.pattern(pattern);
    }
    if let Some(target) = &report.target {
        page.target(target);
    }
    for (index, (name, value)) in TracedValue::lines(&report.values).into_iter().enumerate() {
        let (name, value) = (show::text(&name), show::text(&value));
        page.fact(if index == 0 { "values" } else { "" }, &format!("{name} {value}"));
    }
    for (index, event) in report.events.iter().enumerate() {
        page.fact(if index == 0 { "events" } else { "" }, &event.text);
    }
    page.0
}

/// A function that formats one value of an agent's state.
type Column = fn(&State) -> String;

impl Page {
    /// Adds a table of position and motion. One column shows the frame before the step, the other
    /// the frame after it.
    fn motion(&mut self, report: &Explanation) {
        let mut rows: Vec<(&str, Column)> = vec![
            ("position", |state| point(state.position())),
            ("tile", State::tile_text),
            ("velocity", |state| point(state.velocity())),
            ("speed", State::speed_text),
            ("heading", State::heading_text),
        ];
        let smooths = |state: &State| state.smoothed_heading != state.heading;
        if smooths(&report.now) || report.before.as_ref().is_some_and(smooths) {
            rows.push(("smoothed", State::smoothed_text));
        }
        let Some(before) = &report.before else {
            for (label, text) in rows {
                self.fact(label, &text(&report.now));
            }
            return;
        };
        self.0.push(format!("{:<LABEL$}{:<22}now", "", "before"));
        for (label, text) in rows {
            let (before, now) = (text(before), text(&report.now));
            let same = if before == now { "unchanged" } else { &now };
            self.0.push(format!("{label:<LABEL$}{before:<22}{same}"));
        }
    }

    fn mode(&mut self, report: &Explanation) {
        let Explanation { mode, drive, time_in_mode, .. } = report;
        let frames = words::count(report.frames_in_mode.into(), "frame");
        let drive = if drive == mode { String::new() } else { format!(" ({drive})") };
        self.fact("mode", &format!("{mode}{drive}, for {frames} ({time_in_mode} s)"));
        if !report.flags.is_empty() {
            self.fact("flags", &report.flags.join(", "));
        }
        // Transitions are tested in the mode before the step.
        let left = report.before.as_ref().filter(|before| before.mode != *mode);
        let from = left.map_or_else(String::new, |before| format!("from {} ", before.mode));
        for (index, transition) in report.rules.iter().enumerate() {
            self.transition(if index == 0 { "switch" } else { "" }, transition, &from);
        }
        for (index, removal) in report.removal.iter().enumerate() {
            let Removal { when, holds, parts } = removal;
            let label = if index == 0 { "remove" } else { "" };
            self.tested(label, &format!("when {when}"), *holds, parts);
        }
        if report.radius > TILE_RADIUS {
            self.fact("radius", &format!("{} tiles", report.radius));
        }
        if let Some(touched) = report.touched() {
            self.fact("touches", &touched);
        }
        if let Some(obstruction) = &report.obstruction {
            self.fact("blocked", &obstruction.line());
        }
        if let Some(cycle) = &report.deadlock {
            self.fact("deadlock", &format!("waits for {}", cycle.join(" → ")));
        }
        if let Some(behaviour) = &report.jitter {
            self.fact("jitter", &format!("caused by {behaviour}"));
        }
    }

    /// Adds a transition with the values of its condition's parts. `from` is empty, or `from MODE `
    /// with a trailing space if the agent changed its mode.
    fn transition(&mut self, label: &str, transition: &Transition, from: &str) {
        let Transition { when, holds, parts, decides, .. } = transition;
        let to = transition.target_text();
        self.tested(label, &format!("{from}to {to} when {when}"), *holds, parts);
        if parts.len() > 1 {
            self.fact("", decides);
        }
    }

    /// Adds a condition with its result and the reasons. A single part without a value shows its
    /// reason in the same line. Other parts follow with their values.
    fn tested(&mut self, label: &str, text: &str, holds: bool, parts: &[Part]) {
        let verdict = if holds { "yes" } else { "no" };
        match parts {
            [part @ Part { value: None, .. }] => {
                self.fact(label, &format!("{text}: {}", part.result_text()));
            }
            parts => {
                self.fact(label, &format!("{text}: {verdict}"));
                let values: Vec<_> = parts.iter().map(Part::value_text).collect();
                self.fact("", &format!("({})", values.join(", ")));
            }
        }
    }

    /// Adds the force breakdown.
    fn steering(&mut self, steering: &Steering) {
        let Steering { combine, max_force, max_turn_accel, .. } = steering;
        self.blank();
        if steering.rows.is_empty() {
            self.fact("steering", &format!("{combine}, maximum force {max_force}"));
            return;
        }
        let turns = steering.rows.iter().any(|row| row.raw.turn != 0.0);
        let limit =
            if turns { format!(", maximum turn {max_turn_accel}°/s²") } else { String::new() };
        let how = match *combine {
            MANUAL_CONTROL => "no manual control: the agent brakes".to_owned(),
            combine => format!("{combine} steering"),
        };
        self.0.push(format!("{how}, maximum force {max_force}{limit}"));
        let factor = if *combine == "dithered" { "× w/p" } else { "× weight" };
        self.0.push(format!(
            "  {:<16}{:>8}{factor:>10}{:>9}{:>9}{:>9}  {}",
            "behaviour", "desired", "weighted", "applied", "sum", "state"
        ));
        self.0.extend(
            steering
                .rows
                .iter()
                .enumerate()
                .flat_map(|(index, row)| row_lines(words::behaviour_label(index), row)),
        );
        let force = Vec2::from_array(steering.force);
        let direction = match words::arrow(force) {
            " " => String::new(),
            arrow => format!(" {arrow} {}", point(steering.force)),
        };
        self.fact("force", &format!("{:.2} of {max_force}{direction}", force.length()));
        if turns || steering.turn != 0.0 {
            let turn = match steering.turn {
                0.0 => "none".to_owned(),
                right if right > 0.0 => format!("{right:.1}°/s² right"),
                left => format!("{:.1}°/s² left", -left),
            };
            self.fact("turn", &turn);
        }
    }

    /// Adds the values that each behaviour sensed.
    fn inputs(&mut self, steering: &Steering) {
        let mut heading = Some("behaviour inputs");
        for (index, row) in steering.rows.iter().enumerate() {
            let mut label = format!("{} {:<16}", words::behaviour_label(index), row.behaviour);
            for text in row.inputs().into_iter().chain(row.search()) {
                if let Some(heading) = heading.take() {
                    self.blank();
                    self.0.push(heading.to_owned());
                }
                self.wrapped(&label, &text);
                label = " ".repeat(label.len());
            }
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        self.blank();
        let several =
            pattern.several.as_ref().map(|Several { index, patterns, choose, .. }| {
                format!(", {} of {patterns}, choose {choose}", index + 1)
            });
        let several = several.unwrap_or_default();
        self.fact("pattern", &format!("{} ({}){several}", pattern.name, pattern.kind));
        if let Some(path) = &pattern.path {
            self.fact("progress", &format!("{}, {}", path.tile_text(), path.segment_text()));
        }
        if let Some(Matrix { choice: Some(choice), .. }) = &pattern.matrix {
            self.choice(choice);
        }
        let row = pattern.steps.as_ref().and_then(|steps| steps.carried_out.as_ref());
        if let Some(StepsRow { index, text, done }) = row {
            self.fact("row", &format!("{}: {text} (before: {done})", index + 1));
        }
        if let Some(thrust) = &pattern.thrust {
            self.thrust(thrust);
            return;
        }
        let on_tiles = pattern.steps.as_ref().is_none_or(|steps| !steps.is_free);
        self.attempt(pattern.attempt.as_ref(), on_tiles && !pattern.finished);
        if let Some(next) = next(pattern) {
            self.fact("next", &next);
        }
    }

    fn thrust(&mut self, thrust: &Thrust) {
        let leg = |leg: &Leg| {
            let Leg { index, text, moved, turned, .. } = leg;
            let (number, of, share) = (index + 1, thrust.legs, leg.share_text());
            format!(
                "{number} of {of}: {text} (moved {moved:.2}, turned {turned:.1}°, side thrust {share})"
            )
        };
        if let Some(carried_out) = &thrust.carried_out {
            self.fact("leg", &leg(carried_out));
        }
        match &thrust.next {
            Some(next) => self.fact("next", &leg(next)),
            None => self.fact("next", "none: all legs are finished; the engine is off"),
        }
    }

    fn choice(&mut self, choice: &Choice) {
        let text = match (choice.taken(), choice.dead_end) {
            (None, _) => "none: no open direction".to_owned(),
            (Some(DirectionName(way)), true) => {
                format!("{}, turning back at a dead end", way.word())
            }
            (Some(DirectionName(way)), false) => {
                let (number, all) = (choice.number(), choice.words());
                let (way, count) = (way.word(), all.len());
                format!("{way} (random choice {number} of {count}: {})", all.join(", "))
            }
        };
        self.fact("chose", &text);
    }

    /// Adds the attempted step. If there was no attempt and `may_be_due` is true, adds that no step
    /// was due.
    fn attempt(&mut self, attempt: Option<&Attempt>, may_be_due: bool) {
        match attempt {
            Some(attempt) => self.fact("step", &attempt.text()),
            None if may_be_due => self.fact("step", "none due in this frame"),
            None => {}
        }
    }

    fn target(&mut self, target: &Target) {
        self.blank();
        let Target { name, at, .. } = target;
        if let Some(at) = at {
            self.fact("target", &format!("{name} at {}", tile_text(*at)));
        } else {
            let why = target.absence.clone().unwrap_or_else(|| format!("{name}: not found"));
            self.fact("target", &format!("{why}; the agent stands still"));
        }
        if let Some(Chase { aimed_from, step, steps }) = &target.chase {
            let from = tile_text(*aimed_from);
            self.fact("line", &format!("step {step} of {steps} from {from}"));
        }
        if let Some(Flight { distance }) = &target.flight {
            self.fact("distance", &format!("{distance:.2} tiles"));
        }
        if let Some(journey) = &target.journey {
            self.journey(journey);
        }
        self.attempt(target.attempt.as_ref(), at.is_some());
        let due = words::due(target.due_in);
        match (target.next, &target.journey) {
            _ if at.is_none() => {}
            (_, Some(journey)) if journey.arrived => self.fact("next", "none: arrived"),
            (Some(next), _) => self.fact("next", &format!("{}, {due}", tile_text(next))),
            (None, _) if target.flight.is_some() => {
                self.fact("next", &format!("tile farthest from the target, {due}"));
            }
            (None, Some(_)) => self.fact("next", &format!("route search, {due}")),
            (None, None) => self.fact("next", "none: on the target tile"),
        }
    }

    fn journey(&mut self, journey: &Journey) {
        let Journey { planned_from, step, steps, cost, cost_left, detour, .. } = journey;
        let (Some(steps), Some(cost), Some(left)) = (steps, cost, cost_left) else {
            self.fact("route", "none");
            return;
        };
        let detour = if *detour { ", detour around an agent" } else { "" };
        let from = tile_text(*planned_from);
        self.fact("route", &format!("step {step} of {steps} from {from}{detour}"));
        self.fact("cost", &format!("{left:.2} of {cost:.2} remaining"));
    }
}

/// Formats the next step of an agent that follows a pattern. Returns `None` if the pattern has no
/// next step to show.
fn next(pattern: &Pattern) -> Option<String> {
    if pattern.finished {
        return Some("none: the pattern has ended".to_owned());
    }
    let due = words::due(pattern.due_in);
    if pattern.joining {
        return Some(format!("step towards the nearest pattern tile, {due}"));
    }
    if let Some(next) = pattern.path.as_ref().and_then(|path| path.next) {
        return Some(format!("{}, {due}", tile_text(next)));
    }
    if let Some(matrix) = &pattern.matrix {
        let open: Vec<_> = matrix.open.iter().map(|way| way.0.word()).collect();
        let open = if open.is_empty() { "back".to_owned() } else { open.join(", ") };
        return Some(format!("{open}, {due}"));
    }
    let steps = pattern.steps.as_ref()?;
    let StepsRow { index, text, done } = steps.next.as_ref()?;
    let due = if steps.is_free { String::new() } else { format!(", {due}") };
    Some(format!("row {} of {}: {text} ({done}){due}", index + 1, steps.rows))
}

/// Returns the lines of a behaviour in the force breakdown: its force, its turn, or both.
fn row_lines(sign: &str, row: &BehaviourReport) -> Vec<String> {
    let BehaviourReport { behaviour, raw, accepted, total, state, .. } = row;
    let (word, sum) = (state.words(), total.length());
    let head = format!("{sign} {behaviour:<16}");
    match state {
        RowState::DitheredOut { drawn, probability } => {
            let draw = format!("random {drawn:.2} ≥ probability {probability:.2}");
            return vec![format!("{head}{draw:>36}{sum:>9.2}  {word}")];
        }
        // The behaviour was not evaluated, so the output is unknown.
        RowState::NoRoom | RowState::Disabled => {
            let [raw, factor, weighted, applied] = ["–", "", "–", "–"];
            return vec![format!(
                "{head}{raw:>8}{factor:>10}{weighted:>9}{applied:>9}{sum:>9.2}  {word}"
            )];
        }
        RowState::Accepted | RowState::Cut | RowState::Zero => {}
    }
    let weight = format!("{:.3}", row.weight);
    let factor = format!("× {}", weight.trim_end_matches('0').trim_end_matches('.'));
    let line = |head: &str, unit: &str, numbers: [f32; 3]| {
        let weighted = format!("{:.2}{unit}", numbers[0] * row.weight);
        let [raw, applied, sum] = numbers.map(|number| format!("{number:.2}{unit}"));
        format!("{head}{raw:>8}{factor:>10}{weighted:>9}{applied:>9}{sum:>9}  {word}")
    };
    let turns = raw.turn != 0.0 || accepted.turn != 0.0;
    let pushes = raw.length() != 0.0 || accepted.length() != 0.0 || !turns;
    let mut lines = Vec::new();
    if pushes {
        lines.push(line(&head, "", [raw, accepted, total].map(Output::length)));
    }
    if turns {
        let head = if pushes { " ".repeat(head.chars().count()) } else { head };
        lines.push(line(&head, "°", [raw, accepted, total].map(|output| output.turn)));
    }
    lines
}
