//! The events page of the inspector: the events of an agent, latest first.

use crate::debugger::past_event;
use crate::tui::draw::facts::Facts;
use crate::words;

use super::about::About;

/// Maximum number of events on the page.
const LISTED: usize = 300;

/// Adds a line for each event up to the current frame. If older events are omitted or discarded,
/// adds their numbers.
pub fn describe(about: &About, facts: &mut Facts) {
    let theme = facts.theme;
    let history = about.session.history();
    let events = history.run().events();
    let all = about.events().count();
    for event in about.events().take(LISTED) {
        let style = if event.frame == about.world.frame() { theme.strong } else { theme.text };
        let text = past_event::text(event, history);
        facts.aside(&event.frame.to_string(), [(text, style)]);
    }
    if all == 0 {
        facts.fact("events", format!("none up to frame {}", about.world.frame()));
    }
    if all > LISTED {
        let earlier = words::count((all - LISTED) as u64, "earlier event");
        let text = format!("{earlier}: see the event log");
        facts.aside("", [(text, theme.dim)]);
    }
    if events.lost() > 0 {
        let text = format!("{} discarded", words::count(events.lost(), "older event"));
        facts.aside("", [(text, theme.dim)]);
    }
}
