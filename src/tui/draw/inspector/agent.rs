//! An agent: where it is, exactly and on tiles; how it moves; and what its drive is doing.

use crate::agent::{Choose, Drive};
use crate::geom::Notch;
use crate::pattern::Pattern;
use crate::tui::draw::facts::{self, Facts};
use crate::tui::draw::pane;
use crate::words;
use crate::world::{DriveState, Flags};

use super::about::About;
use super::{body, edit, hunt, keys, ledger, matrix, path, rules, steps, thrust, travel};

/// Events that are listed.
const EVENTS: usize = 6;

/// Rows of a program that are listed.
const LISTED: u16 = 7;

/// Everything about an agent.
pub fn describe(about: About, facts: &mut Facts) {
    place(about, facts);
    state(about, facts);
    rules::came(about, facts);
    edit::since(about, facts);
    rules::describe(about, facts);
    drive(about, LISTED, facts);
    edit::describe(about, facts);
    if about.world.frame().0 == 0 {
        facts.fact("step", "none: frame 0 is the initial state");
    }
    changed(about, facts);
    events(about, facts);
    tally(about, facts);
    body::describe(about, facts);
}

/// The values of its kind that its file doesn't have.
fn changed(about: About, facts: &mut Facts) {
    let kind = format!("{}.", about.world.kind(about.id).name);
    let mine = about.session.unwritten().iter().filter_map(|setting| {
        let place = setting.place();
        let place = place.strip_prefix(&kind)?;
        Some(format!("* {place} = {}", setting.value_text()))
    });
    for (index, text) in mine.enumerate() {
        let style = facts.theme.warn;
        facts.aside(if index == 0 { "changed" } else { "" }, [(text, style)]);
    }
}

/// The two truths, and the movement.
fn place(about: About, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    facts.phrases(
        "at",
        [
            (words::point(world.position(id)), theme.strong),
            (format!("on tile {}", world.tile(id)), theme.strong),
        ],
    );
    let velocity = world.velocity(id);
    facts.phrases(
        "velocity",
        [
            (format!("{:.3} tiles/s", velocity.length()), theme.text),
            (words::point(velocity), theme.dim),
        ],
    );
    let heading = words::way(Notch::nearest(world.heading(id), false));
    let mut phrases = vec![(format!("{:.1}° {heading}", world.heading_degrees(id)), theme.text)];
    if world.body(id).smoothing > 0 {
        let shown = crate::geom::heading::to_degrees(world.shown_heading(id));
        phrases.push((format!("smoothed {shown:.1}°"), theme.dim));
    }
    facts.phrases("heading", phrases);
}

pub fn state(about: About, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let mode = world.mode(id);
    let frames = world.frames_in_mode(id);
    let seconds = f64::from(frames) * world.scenario().tick;
    let mut phrases = vec![
        (mode.name.clone(), theme.text),
        (format!("{}, {seconds:.2} s", words::count(frames.into(), "frame")), theme.dim),
    ];
    match &mode.drive {
        Drive::Pattern { name, .. } => phrases.push((name.clone(), theme.text)),
        Drive::Patterns { list, choose } => {
            let pick = usize::from(world.pick(id));
            let name = world.pattern_use(id).map_or("", |used| used.name);
            phrases.push((name.to_owned(), theme.text));
            let how = match choose {
                Choose::Cycle => "in turn",
                Choose::Random => "at random",
            };
            phrases.push((format!("{} of {}, {how}", pick + 1, list.len()), theme.dim));
        }
        drive if drive.word() != mode.name => phrases.push((drive.word().to_owned(), theme.text)),
        _ => {}
    }
    if about.session.driven() == Some(id) {
        phrases.push(("manual control".to_owned(), theme.key));
    }
    facts.phrases("mode", phrases);
    let flags = world.flags(id);
    let mut phrases: Vec<_> = flags.words().map(|word| (word.to_owned(), theme.warn)).collect();
    if let (true, Some(reason)) = (flags.has(Flags::BLOCKED), world.obstruction(id)) {
        phrases.retain(|(word, _)| word != "blocked");
        let reason = words::obstruction(reason, world.scenario());
        phrases.insert(0, (format!("blocked: {reason}"), theme.warn));
    }
    if let Some(tile) = world.touches(id) {
        phrases.push((format!("touches {tile}"), theme.text));
    }
    if !phrases.is_empty() {
        facts.phrases("flags", phrases);
    }
}

/// What its drive is doing; of a program so many rows around the present one.
pub fn drive(about: About, listed: u16, facts: &mut Facts) {
    let (world, id) = (about.world, about.id);
    if keys::describe(about, facts) {
        return;
    }
    let pattern = world.pattern(id).map(|(pattern, _)| pattern);
    match (world.drive_state(id), pattern) {
        (DriveState::Stand, _) => facts.fact("drive", "stand: no movement"),
        (DriveState::Steer(_), _) => ledger::describe(about, facts),
        (DriveState::Path { at, walk }, Some(Pattern::Path(path))) => {
            path::describe(about, path, at, walk, facts);
        }
        (DriveState::Matrix { at, walk }, Some(Pattern::Matrix(matrix))) => {
            matrix::describe(about, matrix, at, walk, facts);
        }
        (DriveState::Steps { at, walk }, Some(Pattern::Steps(steps))) => {
            steps::describe(steps, at, walk, listed, facts);
        }
        (DriveState::Chase { aim, walk }, _) => hunt::chase(about, aim, walk, facts),
        (DriveState::FleeTiles { from, walk }, _) => hunt::flee(about, from, walk, facts),
        (DriveState::Travel { trip, walk }, _) => travel::describe(about, trip, walk, facts),
        (DriveState::Thrust { at }, Some(Pattern::Thrust(pattern))) => {
            thrust::describe(pattern, at, world.body(id), listed, facts);
        }
        (_, _) => {}
    }
}

/// How often it ran into something, was in trouble, or was held up.
fn tally(about: About, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let tally = world.tally(id);
    let counts = [
        (tally.bumps, "bump"),
        (tally.blocked, "time blocked"),
        (tally.stuck, "time stuck"),
        (tally.circling, "time circling"),
    ];
    let mut phrases = Vec::new();
    for (count, word) in counts.into_iter().filter(|(count, _)| *count > 0) {
        let word = if count == 1 { word.to_owned() } else { word.replacen("time", "times", 1) };
        let plural = if word == "bump" && count != 1 { "s" } else { "" };
        phrases.push((format!("{count} {word}{plural}"), theme.text));
    }
    if let Some(seconds) = tally.seconds_between_bumps(world.time()) {
        phrases.push((format!("{seconds:.1} s per bump"), theme.dim));
    }
    if !phrases.is_empty() {
        facts.phrases("totals", phrases);
    }
}

fn events(about: About, facts: &mut Facts) {
    for (index, event) in about.events().take(EVENTS).enumerate() {
        let label = if index == 0 { "events" } else { "" };
        let theme = facts.theme;
        let text = words::event(event, about.world);
        let number = format!("{:>5}", event.frame);
        let room = facts.width().saturating_sub(facts::LABEL + number.len() + 2);
        for (row, text) in pane::wrapped(&text, room).into_iter().enumerate() {
            // What is broken goes on below itself.
            let (label, number) = match row {
                0 => (label, number.clone()),
                _ => ("", " ".repeat(number.len())),
            };
            facts.aside(label, [(number, theme.dim), (text, theme.text)]);
        }
    }
}
