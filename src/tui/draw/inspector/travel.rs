//! A journey: where it leads, which tile is next, and what is left to pay.

use crate::tui::draw::facts::Facts;
use crate::words;
use crate::world::quarry::Trip;
use crate::world::{Flags, Walk};

use super::about::About;
use super::hunt::{nothing, whom};

/// The lines of a traveller.
pub fn describe(about: About, trip: Option<Trip>, walk: Walk, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let Some(trip) = trip else { return nothing(world.drive_state(id), facts) };
    let mut phrases = vec![(format!("to {} on {}", whom(world, id), trip.to), theme.strong)];
    if trip.held != 0 {
        phrases.push(("detour around agents".to_owned(), theme.warn));
    }
    facts.phrases("travels", phrases);
    if world.flags(id).has(Flags::ARRIVED) {
        facts.fact("next", "none: arrived");
        return;
    }
    let Some(way) = world.way(id) else {
        facts.fact("next", format!("step {}", words::due(walk.due_in)));
        return;
    };
    facts.phrases(
        "route",
        [
            (format!("step {} of {}", trip.done, way.steps.len()), theme.text),
            (format!("cost {:.2} of {:.2} left", world.cost_ahead(id), way.cost()), theme.text),
        ],
    );
    let next = way.steps.get(trip.done as usize).copied().zip(world.ahead(id).next());
    if let Some((way, to)) = next {
        let next = format!("{to} {}", words::way(way));
        facts.phrases("next", [(next, theme.strong), (words::due(walk.due_in), theme.text)]);
    }
}
