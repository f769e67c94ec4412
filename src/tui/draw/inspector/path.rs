//! A path pattern as a program: how far it is, and what comes next.

use crate::geom::Notch;
use crate::pattern::PathPattern;
use crate::pattern::path::PathState;
use crate::tui::draw::facts::Facts;
use crate::words;
use crate::world::{Flags, Walk};

use super::about::About;

/// The lines of a path walker.
pub fn describe(about: About, path: &PathPattern, at: PathState, walk: Walk, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    if world.flags(id).has(Flags::JOINING) {
        facts.fact("path", "joining: moving to the nearest tile");
        facts.fact("next", format!("step {}", words::due(walk.due_in)));
        return;
    }
    let back = if at.back { ", backward" } else { "" };
    facts.phrases(
        "path",
        [
            (format!("tile {} of {}{back}", at.index + 1, path.tiles().len()), theme.strong),
            (format!("segment {} of {}", path.segment(at) + 1, path.segments()), theme.text),
        ],
    );
    let Some(next) = path.next(at) else {
        facts.fact("next", "none: end of the path");
        return;
    };
    let Some((_, anchor)) = world.pattern(id) else { return };
    let map = &world.scenario().map;
    let to = anchor + path.tile(next);
    let to = map.resolve(to).unwrap_or(to);
    let way: Option<Notch> = map.notch_between(world.tile(id), to);
    facts.phrases(
        "next",
        [
            (format!("{to} {}", way.map(words::way).unwrap_or_default()), theme.strong),
            (words::due(walk.due_in), theme.text),
        ],
    );
}
