//! A body: what it is like, and its limits.

use crate::agent::Drive;
use crate::steering::is_oriented;
use crate::tui::draw::facts::Facts;
use crate::words;

use super::about::About;

/// The lines of a body.
pub fn describe(about: About, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let body = world.body(id);
    let mut words = vec![format!("radius {}", body.radius)];
    // Limits bind what is pushed by a force; a pattern moves its body as it says.
    let driven = about.session.driven() == Some(id) && !world.is_on_tiles(id);
    let pushed =
        matches!(world.mode(id).drive, Drive::Steer { .. } | Drive::Keys { on_tiles: false });
    if pushed || driven {
        words.push(format!("mass {}", body.mass));
        words.push(format!("speed ≤ {}", body.max_speed));
        words.push(format!("force ≤ {}", body.max_force));
        let oriented = is_oriented(world.mode(id).drive.steering());
        let rate = if oriented { Some(body.top_turn_rate()) } else { body.max_turn_rate };
        words.extend(rate.map(|rate| format!("turns ≤ {:.0}°/s", rate.to_degrees())));
        if oriented {
            words.push(format!("by ≤ {:.0}°/s²", body.max_turn_accel.to_degrees()));
            let spin = world.motion(id).angular_velocity.to_degrees();
            facts.fact("turns", words::turn(spin, "°/s"));
        }
        words.extend((body.drag > 0.0).then(|| format!("drag {}", body.drag)));
    }
    words.extend(body.solid.then(|| "solid".to_owned()));
    facts.phrases("body", words.into_iter().map(|word| (word, theme.text)));
    facts.fact("home", words::point(world.home(id)));
}
