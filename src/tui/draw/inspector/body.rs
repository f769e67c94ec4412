//! The body page of the inspector: motion, limits, and the detectors of missing progress.

use crate::agent::Drive;
use crate::condition::states::STATES;
use crate::geom::{Vec2, heading};
use crate::pattern::Pattern;
use crate::report::point;
use crate::report::summary::Totals;
use crate::steering::is_oriented;
use crate::tui::draw::facts::{Facts, Phrase};
use crate::words;
use crate::world::Flags;
use crate::world::progress::STUCK_AFTER;

use super::about::About;
use super::shown::{self, Number};

/// Adds the lines of the body page.
pub fn page(about: &About, facts: &mut Facts) {
    motion(about, true, facts);
    forces(about, facts);
    flags(about, facts);
    limits(about, facts);
    craft(about, facts);
    detectors(about, facts);
}

/// Adds position, velocity and heading of an agent. If `exact`, also adds the tile's kind and the
/// heading as a vector.
pub fn motion(about: &About, exact: bool, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let now = &about.report.now;
    let on = format!("on tile {}", now.tile_text());
    let mut at = vec![(point(now.position()), theme.strong), (on, theme.strong)];
    let mut heading = vec![(now.heading_text(), theme.text)];
    if exact {
        let ground = world.scenario().map().kind(world.tile(id));
        at.push((ground.map_or_else(String::new, |kind| kind.name.clone()), theme.text));
        heading.push((words::point(world.heading(id)), theme.dim));
    }
    if world.body(id).smoothing > 0 {
        let smoothed = heading::to_degrees(world.shown_heading(id));
        heading.push((format!("smoothed {smoothed:.1}°"), theme.dim));
    }
    facts.phrases("at", at);
    facts.phrases("velocity", [(now.speed_text(), theme.text), (point(now.velocity()), theme.dim)]);
    facts.phrases("heading", heading);
}

/// Adds rotation, steering force and distance from home.
fn forces(about: &About, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    facts.fact("rotation", words::turn(about.report.now.angular_velocity, "°/s"));
    let steering = about.report.steering.as_ref();
    if let Some(steering) = steering.filter(|steering| !steering.rows.is_empty()) {
        let force = Vec2::from_array(steering.force);
        let text = format!("{:.3} {}", force.length(), words::arrow(force));
        facts.aside("force", [(text, theme.text), (words::point(force), theme.dim)]);
    }
    let home = world.home(id);
    let distance = world.scenario().map().offset(home, world.position(id)).length();
    let away = format!("{distance:.2} tiles away");
    facts.phrases("home", [(words::point(home), theme.text), (away, theme.dim)]);
}

fn flags(about: &About, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let flags = world.flags(id);
    let states = Flags::WORDS.map(|(flag, word)| (flags.has(flag), word));
    let states = || states.into_iter().chain([(world.is_overlapping(id), "overlapping")]);
    let phrases = states().map(|(is_set, word)| {
        let (value, style) = if is_set { ("yes", theme.warn) } else { ("no", theme.dim) };
        (format!("{word} {value}"), style)
    });
    facts.phrases("flags", phrases);
    for (_, word) in states().filter(|(is_set, _)| *is_set) {
        if let Some(state) = STATES.iter().find(|state| state.word == word) {
            facts.phrases("", [(format!("{word}: {}", state.meaning), theme.dim)]);
        }
    }
    if let Some(reason) = &about.report.obstruction {
        facts.fact("blocked", reason.line());
    }
    if let Some(touch) = world.touches(id) {
        facts.fact("touches", words::touch(world.scenario().map(), touch));
    }
}

fn limits(about: &About, facts: &mut Facts) {
    let (body, style) = (about.world.body(about.id), facts.theme.text);
    let phrases = |numbers: &[Number]| -> Vec<Phrase> {
        numbers.iter().map(|number| number.of(body, style)).collect()
    };
    let solid = if body.solid { "solid" } else { "not solid" };
    let mut size = phrases(&[shown::MASS, shown::RADIUS]);
    size.push((solid.to_owned(), style).into());
    facts.phrases("body", size);
    facts.phrases("limits", phrases(&[shown::SPEED, shown::FORCE, shown::TURN, shown::TURN_ACCEL]));
    facts.phrases("motion", phrases(&[shown::GAIN, shown::DRAG, shown::SMOOTHING]));
    facts.phrases("view", phrases(&[shown::VIEW_RANGE, shown::VIEW_ANGLE]));
    let others = shown::others(body, style);
    if !others.is_empty() {
        facts.phrases("other", others);
    }
}

/// Adds the values of a craft (thrust, drag, keel) if one of the agent's modes uses a thrust
/// pattern.
fn craft(about: &About, facts: &mut Facts) {
    let mut patterns =
        about.world.kind(about.id).modes.iter().flat_map(|mode| mode.drive.patterns());
    if patterns.any(|used| matches!(used.pattern.as_ref(), Pattern::Thrust(_))) {
        let (body, style) = (about.world.body(about.id), facts.theme.text);
        facts.phrases("craft", shown::CRAFT.map(|number| number.of(body, style)));
    }
}

/// Adds the state of the stuck, circling and oscillation detectors, and the totals of all
/// detectors.
fn detectors(about: &About, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let state = world.detectors(id);
    let most = (STUCK_AFTER / world.scenario().tick()).round();
    let distance = |from: Vec2| {
        let offset = world.scenario().map().offset(from, world.position(id));
        (format!("{:.2} from {}", offset.length(), words::point(from)), theme.dim)
    };
    let waits = format!("no progress for {} of {most} frames", state.frames);
    facts.phrases("stuck", [(waits, theme.text), distance(state.anchor)]);
    let turned = format!("{}, limit 1080°", words::turn(state.turned.to_degrees(), "°"));
    facts.phrases("circling", [(turned, theme.text), distance(state.centre)]);
    if let Some(detector) = world.oscillation(id) {
        let turns = words::count(detector.turns.into(), "turn");
        let mut phrases = vec![(format!("{turns} without headway"), theme.text)];
        if let Some(place) = detector.place.filter(|_| detector.turns > 0) {
            phrases.push((format!("towards {}", words::point(place)), theme.dim));
        }
        facts.phrases("to and fro", phrases);
    }
    let totals = Totals::of(world, id);
    let counts = [
        ("bumps", totals.bumps),
        ("blocked", totals.blocked),
        ("stuck", totals.stuck),
        ("circling", totals.circling),
        ("oscillating", totals.oscillating),
        ("deadlocked", totals.deadlocked),
    ];
    facts.phrases("totals", counts.map(|(word, count)| (format!("{word} {count}"), theme.text)));
}

/// Adds the values of the body that apply in the current mode, and the home position.
pub fn describe(about: &About, facts: &mut Facts) {
    let (world, id) = (about.world, about.id);
    let (body, style) = (world.body(id), facts.theme.text);
    let mut phrases = vec![shown::RADIUS.of(body, style)];
    // Limits apply only to bodies moved by forces.
    let driven = about.is_driven() && !world.is_on_tiles(id);
    let pushed =
        matches!(world.mode(id).drive, Drive::Steer { .. } | Drive::Keys { on_tiles: false });
    if pushed || driven {
        let numbers = [shown::MASS, shown::SPEED, shown::FORCE];
        phrases.extend(numbers.map(|number| number.of(body, style)));
        if is_oriented(world.mode(id).drive.steering()) {
            phrases.extend([shown::SPIN, shown::TURN_ACCEL].map(|number| number.of(body, style)));
            facts.fact("rotation", words::turn(about.report.now.angular_velocity, "°/s"));
        } else if body.max_turn_rate.is_some() {
            phrases.push(shown::TURN.of(body, style));
        }
        phrases.extend((body.drag > 0.0).then(|| shown::DRAG.of(body, style)));
    }
    phrases.extend(body.solid.then(|| ("solid".to_owned(), style).into()));
    facts.phrases("body", phrases);
    facts.fact("home", words::point(world.home(id)));
}
