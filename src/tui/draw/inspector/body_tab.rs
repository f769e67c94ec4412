//! All of a body: where it is and how it moves, what it is like, what is true of it, and what tells
//! whether it gets anywhere.

use crate::geom::{Notch, Vec2, heading};
use crate::pattern::Pattern;
use crate::tui::draw::facts::{Facts, Phrase};
use crate::words;
use crate::world::Flags;
use crate::world::watch::STUCK_AFTER;

use super::about::About;
use super::shown::{self, Number};

/// The lines of a body.
pub fn describe(about: About, facts: &mut Facts) {
    motion(about, facts);
    flags(about, facts);
    limits(about, facts);
    craft(about, facts);
    detectors(about, facts);
}

fn motion(about: About, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let (map, at) = (&world.scenario().map, world.position(id));
    let tile = world.tile(id);
    let kind = map.kind(tile).map_or_else(String::new, |kind| kind.name.clone());
    let on = format!("on tile {tile}");
    facts.phrases("at", [(words::point(at), theme.strong), (on, theme.strong), (kind, theme.text)]);
    let velocity = world.velocity(id);
    let speed = format!("{:.3} tiles/s", velocity.length());
    facts.phrases("velocity", [(speed, theme.text), (words::point(velocity), theme.dim)]);
    let way = words::way(Notch::nearest(world.heading(id), false));
    let mut phrases = vec![
        (format!("{:.1}° {way}", world.heading_degrees(id)), theme.text),
        (words::point(world.heading(id)), theme.dim),
    ];
    if world.body(id).smoothing > 0 {
        let shown = heading::to_degrees(world.shown_heading(id));
        phrases.push((format!("smoothed {shown:.1}°"), theme.dim));
    }
    facts.phrases("heading", phrases);
    let spin = world.motion(id).angular_velocity.to_degrees();
    facts.fact("rotation", words::turn(spin, "°/s"));
    if let Some(why) = about.explanation().filter(|why| !why.ledger.rows.is_empty()) {
        let force = why.wish.force;
        let text = format!("{:.3} {}", force.length(), words::arrow(force));
        facts.aside("force", [(text, theme.text), (words::point(force), theme.dim)]);
    }
    let home = world.home(id);
    let off = format!("{:.2} tiles away", map.offset(home, at).length());
    facts.phrases("home", [(words::point(home), theme.text), (off, theme.dim)]);
}

fn flags(about: About, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let flags = world.flags(id);
    let all = Flags::WORDS.into_iter().chain([(Flags::OVERLAPPING, "overlapping")]);
    let phrases: Vec<_> = all
        .map(|(flag, word)| {
            if flags.has(flag) {
                (format!("{word} yes"), theme.warn)
            } else {
                (format!("{word} no"), theme.dim)
            }
        })
        .collect();
    facts.phrases("flags", phrases);
    if let Some(reason) = world.obstruction(id) {
        facts.fact("blocked", words::obstruction(reason, world.scenario()));
    }
    if let Some(tile) = world.touches(id) {
        let kind = world.scenario().map.kind(tile).map_or("obstacle", |kind| &kind.name);
        facts.fact("touches", format!("{kind} {tile}"));
    }
}

fn limits(about: About, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let body = world.body(id);
    let told = |numbers: &[Number]| -> Vec<Phrase> {
        numbers.iter().map(|number| number.of(body, theme.text)).collect()
    };
    let solid = if body.solid { "solid" } else { "not solid" };
    let mut words = told(&[shown::MASS, shown::RADIUS]);
    words.push((solid.to_owned(), theme.text).into());
    facts.phrases("body", words);
    facts.phrases("limits", told(&[shown::SPEED, shown::FORCE, shown::TURN, shown::TURN_ACCEL]));
    facts.phrases("motion", told(&[shown::GAIN, shown::DRAG, shown::SMOOTHING]));
    facts.phrases("view", told(&[shown::VIEW_RANGE, shown::VIEW_ANGLE]));
}

/// Only of one that some mode makes a craft.
fn craft(about: About, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let mut patterns = world.kind(id).modes.iter().flat_map(|mode| mode.drive.patterns());
    if patterns.any(|used| matches!(used.pattern.as_ref(), Pattern::Thrust(_))) {
        let body = world.body(id);
        facts.phrases("craft", shown::CRAFT.map(|number| number.of(body, theme.text)));
    }
}

/// What tells whether it is stuck or goes in circles, and what has happened so far.
fn detectors(about: About, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let spot = world.spot(id);
    let most = (STUCK_AFTER / world.scenario().tick).round();
    let off = |from: Vec2| {
        let off = world.scenario().map.offset(from, world.position(id)).length();
        (format!("{off:.2} from {}", words::point(from)), theme.dim)
    };
    let waits = format!("no progress for {} of {most} frames", spot.frames);
    facts.phrases("stuck", [(waits, theme.text), off(spot.anchor)]);
    let turned = words::turn(spot.turned.to_degrees(), "°");
    facts.phrases("circling", [(format!("{turned}, limit 1080°"), theme.text), off(spot.centre)]);
    let tally = world.tally(id);
    let counts = [
        format!("bumps {}", tally.bumps),
        format!("blocked {}", tally.blocked),
        format!("stuck {}", tally.stuck),
        format!("circling {}", tally.circling),
    ];
    facts.phrases("totals", counts.into_iter().map(|count| (count, theme.text)));
}
