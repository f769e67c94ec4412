//! An agent that a person drives, or could: what the keys asked of it in the last frame.

use crate::agent::Drive;
use crate::geom::Notch;
use crate::step::{Attempt, Due};
use crate::tui::draw::facts::Facts;
use crate::words;

use super::about::About;
use super::ledger;

/// Its lines; of whoever goes by its mode there are none, which is answered.
pub fn describe(about: About, facts: &mut Facts) -> bool {
    let (world, id) = (about.world, about.id);
    let drive = &world.mode(id).drive;
    let waits = matches!(drive, Drive::Keys { .. });
    let told = about.explanation();
    let driven = about.session.driven() == Some(id);
    let was_driven = told.is_some_and(|why| why.held.is_some());
    if !driven && !was_driven && !waits {
        return false;
    }
    if !driven && waits {
        facts.fact("drive", "keys: waiting for manual control");
    }
    if !world.is_on_tiles(id) {
        if let Some(why) = told.filter(|why| !why.ledger.rows.is_empty()) {
            ledger::driven(why, world.body(id), facts);
        }
        return waits || was_driven;
    }
    if driven || was_driven {
        let attempt = told.and_then(|why| why.attempt).filter(|attempt| attempt.due == Due::Keys);
        let tried = attempt.map_or_else(|| "no step".to_owned(), tried);
        facts.aside("keys", [(tried, facts.theme.text)]);
        facts.fact("step", words::due(world.step_due_in(id)));
    }
    true
}

/// A step that was tried.
fn tried(attempt: Attempt) -> String {
    let way = attempt.way.map_or_else(String::new, |way: Notch| format!(" {}", words::way(way)));
    match attempt.refused {
        None => format!("step{way}"),
        Some(_) => format!("step{way}, blocked"),
    }
}
