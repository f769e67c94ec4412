//! A body: what it is like, and its limits.

use crate::agent::Drive;
use crate::steering::is_oriented;
use crate::tui::draw::facts::Facts;
use crate::words;

use super::about::About;
use super::shown;

/// The lines of a body.
pub fn describe(about: About, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let body = world.body(id);
    let style = theme.text;
    let mut told = vec![shown::RADIUS.of(body, style)];
    // Limits bind what is pushed by a force; a pattern moves its body as it says.
    let driven = about.session.driven() == Some(id) && !world.is_on_tiles(id);
    let pushed =
        matches!(world.mode(id).drive, Drive::Steer { .. } | Drive::Keys { on_tiles: false });
    if pushed || driven {
        told.extend([shown::MASS, shown::SPEED, shown::FORCE].map(|number| number.of(body, style)));
        let oriented = is_oriented(world.mode(id).drive.steering());
        if oriented {
            told.extend([shown::SPIN, shown::TURN_ACCEL].map(|number| number.of(body, style)));
            let spin = world.motion(id).angular_velocity.to_degrees();
            facts.fact("rotation", words::turn(spin, "°/s"));
        } else if body.max_turn_rate.is_some() {
            told.push(shown::TURN.of(body, style));
        }
        told.extend((body.drag > 0.0).then(|| shown::DRAG.of(body, style)));
    }
    told.extend(body.solid.then(|| ("solid".to_owned(), style).into()));
    facts.phrases("body", told);
    facts.fact("home", words::point(world.home(id)));
}
