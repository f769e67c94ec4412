//! A matrix walk: the last choice with its die, and the ways of the next one.

use crate::geom::Notch;
use crate::pattern::MatrixPattern;
use crate::pattern::matrix::{Candidates, Choice, MatrixState};
use crate::tui::draw::facts::Facts;
use crate::words;
use crate::world::{Flags, Walk};

use super::about::About;

/// The lines of a matrix walker.
pub fn describe(
    about: About,
    matrix: &MatrixPattern,
    at: MatrixState,
    walk: Walk,
    facts: &mut Facts,
) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    if world.flags(id).has(Flags::JOINING) {
        facts.fact("matrix", "joining: moving to the nearest tile");
        facts.fact("next", format!("step {}", words::due(walk.due_in)));
        return;
    }
    let size = format!("{} tiles, {} directions", matrix.tiles().len(), matrix.ways().len());
    facts.phrases("matrix", [(size, theme.dim)]);
    if let Some(way) = at.came_by {
        let map = &world.scenario().map;
        let from = world.tile(id).neighbour(way.turned(4));
        let from = map.resolve(from).unwrap_or(from);
        facts.fact("moved", format!("{} from {from}", words::way(way)));
    }
    if let Some(choice) = about.explanation().and_then(|explanation| explanation.choice) {
        told("choice", &choice, facts);
    }
    if world.flags(id).has(Flags::FINISHED) {
        facts.fact("next", "none: stays at the dead end");
        return;
    }
    if let Some(choice) = about.coming() {
        told("next", &choice, facts);
        return;
    }
    let candidates = world.candidates(id);
    let ways = candidates.iter().flat_map(Candidates::ways);
    let ways: Vec<_> = ways.map(|&way| words::way(way)).collect();
    let ways = if ways.is_empty() { "back only".to_owned() } else { ways.join("  ") };
    facts.phrases("next", [(ways, theme.strong), (words::due(walk.due_in), theme.text)]);
}

/// A choice: the way taken, of which, by which throw.
fn told(label: &str, choice: &Choice, facts: &mut Facts) {
    let theme = facts.theme;
    let Some(way) = choice.taken() else {
        let text = if choice.dead_end { "dead end: stays here" } else { "no open direction" };
        facts.aside(label, [(text.to_owned(), theme.warn)]);
        return;
    };
    let mut phrases = vec![(words::way(way), theme.strong)];
    if choice.dead_end {
        phrases.push(("dead end: turns back".to_owned(), theme.warn));
    } else {
        let ways: Vec<&str> = choice.candidates().iter().map(|&way| Notch::word(way)).collect();
        phrases.push((format!("open: {}", ways.join(" ")), theme.text));
        let throw = choice.picked.map_or(0, |index| usize::from(index) + 1);
        phrases.push((format!("(random: {} of {})", words::ordinal(throw), ways.len()), theme.dim));
    }
    facts.aside(label, phrases);
}
