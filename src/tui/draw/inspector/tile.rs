//! A tile: what it is, what it does to those who enter it, and who is there.

use crate::geom::TilePos;
use crate::tui::draw::facts::Facts;
use crate::tui::glyph;
use crate::tui::session::Session;

/// Agents on the tile that are listed.
const LISTED: usize = 8;

/// The lines of a tile.
pub fn describe(session: &Session, at: TilePos, facts: &mut Facts) {
    let (world, scenario) = (session.world(), session.scenario());
    let Some(kind) = scenario.map.kind(at) else {
        facts.fact("tile", "off the map");
        return;
    };
    facts.fact("tile", format!("{} “{}”", kind.name, glyph::safe(&kind.glyph)));
    let yes_no = |yes, a: &str, b: &str| if yes { a.to_owned() } else { b.to_owned() };
    let theme = facts.theme;
    let walk = yes_no(kind.walk, "can be walked", "can't be walked");
    let sight = yes_no(kind.opaque, "hides what is behind it", "can be seen across");
    facts.phrases("ground", [(walk, theme.text), (sight, theme.text)]);
    facts.fact("cost", format!("{} to enter", kind.cost));
    if kind.drag > 0.0 {
        facts.fact("drag", format!("{} /s on vehicles", kind.drag));
    }
    if let Some(radius) = kind.obstacle {
        facts.fact("obstacle", format!("round, radius {radius}"));
    }
    for place in scenario.places.iter().filter(|place| TilePos::containing(place.at) == at) {
        facts.fact("place", place.name.clone());
    }
    let here = world.ids().filter(|&id| world.tile(id) == at);
    for id in here.take(LISTED) {
        facts.fact("agent", scenario.name(id).to_string());
    }
    facts.phrases("", [("Esc leads back to the agent".to_owned(), theme.dim)]);
}
