//! A body: what it is like, and its limits.

use crate::id::AgentId;
use crate::tui::draw::pane::Facts;
use crate::tui::draw::words;
use crate::tui::session::Session;

/// The lines of a body.
pub fn describe(session: &Session, id: AgentId, facts: &mut Facts) {
    let (world, theme) = (session.world(), facts.theme);
    let body = world.body(id);
    let mut phrases = vec![
        (format!("mass {}", body.mass), theme.text),
        (format!("radius {}", body.radius), theme.text),
        (format!("speed ≤ {}", body.max_speed), theme.text),
        (format!("force ≤ {}", body.max_force), theme.text),
    ];
    if let Some(rate) = body.max_turn_rate {
        phrases.push((format!("turns ≤ {:.0}°/s", rate.to_degrees()), theme.text));
    }
    if body.drag > 0.0 {
        phrases.push((format!("drag {}", body.drag), theme.text));
    }
    if body.solid {
        phrases.push(("solid".to_owned(), theme.text));
    }
    facts.phrases("body", phrases);
    facts.fact("home", words::point(world.home(id)));
}
