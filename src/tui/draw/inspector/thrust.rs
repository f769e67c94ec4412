//! A thrust pattern as a program: its legs, the present one marked, what it burns, and how far the
//! craft came and turned in it.

use ratatui::text::Span;

use crate::body::Body;
use crate::pattern::ThrustPattern;
use crate::pattern::thrust::{HeadingFrom, Leg, ThrustState};
use crate::tui::draw::facts::Facts;
use crate::tui::draw::first_shown;
use crate::tui::glyph;
use crate::words;

use super::shown;

/// The lines of a craft and its legs; so many of them around the present one.
pub fn describe(
    pattern: &ThrustPattern,
    at: ThrustState,
    body: &Body,
    listed: u16,
    facts: &mut Facts,
) {
    let count = pattern.legs.len();
    match pattern.leg(at) {
        Some(leg) => present(pattern, at, leg, facts),
        None => facts.fact("legs", format!("all {count} legs done; engine off")),
    }
    let theme = facts.theme;
    if pattern.leg(at).is_some() {
        let first = first_shown(at.leg as usize, count, listed);
        for (index, leg) in pattern.legs.iter().enumerate().skip(first).take(listed.into()) {
            let present = index == at.leg as usize;
            let sign = if present { glyph::MARKER } else { " " };
            let style = if present { theme.strong } else { theme.text };
            facts.line(vec![
                Span::styled(format!("{sign} "), theme.key),
                Span::styled(format!("{:>4}   ", index + 1), theme.dim),
                Span::styled(words::thrust_leg(leg), style),
            ]);
        }
    }
    let numbers = core::iter::once(shown::MASS).chain(shown::CRAFT);
    facts.phrases("craft", numbers.map(|number| number.of(body, theme.text)));
}

/// The present leg: what burns, and how far it is.
fn present(pattern: &ThrustPattern, at: ThrustState, leg: &Leg, facts: &mut Facts) {
    let theme = facts.theme;
    let share = pattern.side_share(at).abs() * 100.0;
    let burns = if share > 0.0 {
        format!("{} at {share:.0}%", thrusters(leg))
    } else {
        thrusters(leg).to_owned()
    };
    let row = format!("leg {} of {}", at.leg + 1, pattern.legs.len());
    facts.phrases("legs", [(row, theme.strong), (burns, theme.text)]);
    let style = |limit: Option<f32>| if limit.is_some() { theme.strong } else { theme.dim };
    // Adding 0 turns −0 into 0.
    let turned = of(&format!("{:.1}", at.turned + 0.0), leg.until_turned, "°");
    let measure = match (pattern.heading_from, at.course) {
        (HeadingFrom::Orientation, _) => "by orientation",
        (HeadingFrom::Velocity, Some(_)) => "by velocity",
        (HeadingFrom::Velocity, None) => "by velocity, from the next frame on",
    };
    facts.phrases("turned", [(turned, style(leg.until_turned)), (measure.to_owned(), theme.dim)]);
    let moved = of(&format!("{:.2}", at.moved.length()), leg.until_moved, " tiles");
    facts.phrases("moved", [(moved, style(leg.until_moved))]);
}

/// So much of a limit, if there is one.
fn of(amount: &str, limit: Option<f32>, unit: &str) -> String {
    match limit {
        Some(limit) => format!("{amount} of {limit}{unit}"),
        None => format!("{amount}{unit}"),
    }
}

/// The side thrusters that burn on a leg.
fn thrusters(leg: &Leg) -> &'static str {
    match (leg.port, leg.starboard) {
        (false, false) => "engine only",
        (true, false) => "port thruster",
        (false, true) => "starboard thruster",
        (true, true) => "both thrusters",
    }
}
