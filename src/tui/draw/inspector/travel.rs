//! A journey: where it leads, which tile is next, and what is left to pay.

use crate::geom::Notch;
use crate::id::AgentId;
use crate::tui::draw::pane::Facts;
use crate::tui::session::Session;
use crate::words;
use crate::world::quarry::Trip;
use crate::world::{Flags, Walk, World};

use super::hunt::nothing;

/// The lines of a traveller.
pub fn describe(session: &Session, id: AgentId, trip: Option<Trip>, walk: Walk, facts: &mut Facts) {
    let (world, theme) = (session.world(), facts.theme);
    let Some(trip) = trip else { return nothing(world.drive_state(id), facts) };
    let mut phrases = vec![(format!("to {}", trip.to), theme.strong)];
    if trip.held != 0 {
        phrases.push(("round who is in the way".to_owned(), theme.warn));
    }
    facts.phrases("travels", phrases);
    if world.flags(id).has(Flags::ARRIVED) {
        facts.fact("next", "nothing: it has arrived");
        return;
    }
    let Some(way) = world.way(id) else {
        facts.fact("next", format!("a step {}", words::due(walk.due_in)));
        return;
    };
    facts.phrases(
        "way",
        [
            (format!("step {} of {}", trip.done, way.steps.len()), theme.text),
            (format!("cost {:.2} of {:.2} left", left(world, id, trip), way.cost()), theme.text),
        ],
    );
    let next = way.steps.get(trip.done as usize).copied().zip(world.ahead(id).next());
    if let Some((way, to)) = next {
        let next = format!("{to} {}", words::way(way));
        facts.phrases("next", [(next, theme.strong), (words::due(walk.due_in), theme.text)]);
    }
}

/// What the rest of a trip costs.
fn left(world: &World, id: AgentId, trip: Trip) -> f64 {
    let map = &world.scenario().map;
    let steps = world.way(id).map_or(&[][..], |way| &way.steps);
    let steps = steps.get(trip.done as usize..).unwrap_or_default();
    let cost = |(&way, tile): (&Notch, _)| {
        let length = if way.is_diagonal() { core::f64::consts::SQRT_2 } else { 1.0 };
        length * map.kind(tile).map_or(1.0, |kind| f64::from(kind.cost))
    };
    steps.iter().zip(world.ahead(id)).map(cost).sum()
}
