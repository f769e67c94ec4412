//! The ledger row by row: what each behaviour is about, and why it got what it got.

use ratatui::style::Style;

use crate::agent::Drive;
use crate::scenario::Scenario;
use crate::steering::combine::Combine;
use crate::steering::{LedgerRow, Note, Row, RowState, Wish};
use crate::step::Explanation;
use crate::tui::draw::facts::Facts;
use crate::tui::theme::Theme;
use crate::words;

use super::about::About;
use super::{agent, ledger};

/// Rows of a program that are listed.
const LISTED: u16 = 7;

/// The lines of a vehicle's ledger; of any other agent, what moves it instead.
pub fn describe(about: About, facts: &mut Facts) {
    let (world, id) = (about.world, about.id);
    let Drive::Steer { combine, rows } = &world.mode(id).drive else {
        let none = format!("none: its drive is {}", world.mode(id).drive.word());
        facts.fact("steering", none);
        agent::drive(about, LISTED, facts);
        return;
    };
    let Some(why) = about.explanation() else {
        ledger::describe(about, facts);
        for (index, row) in rows.iter().enumerate() {
            let name = (row.behaviour.word().to_owned(), facts.theme.text);
            let told = about_row(row, *combine, world.scenario(), facts.theme);
            facts.phrases(words::row_sign(index), [name].into_iter().chain(told));
        }
        return;
    };
    let most = world.body(id).max_force;
    ledger::describe_with(about, facts, |index, row, facts| {
        facts.aside("", [(reason(row, most), facts.theme.text)]);
        facts.aside("", details(about, why, index, row, facts.theme));
    });
}

/// The ledger as facts, a label for each row, so that those of two agents can stand beside each other.
pub fn rows(about: About, facts: &mut Facts) {
    let (Drive::Steer { combine, .. }, Some(why)) =
        (&about.world.mode(about.id).drive, about.explanation())
    else {
        describe(about, facts);
        return;
    };
    let (theme, most) = (facts.theme, about.world.body(about.id).max_force);
    let force = why.wish.force;
    facts.aside("steering", [(combine.word().to_owned(), theme.text)]);
    facts.aside(
        "force",
        [(ledger::strength(force, most), theme.strong), (words::point(force), theme.dim)],
    );
    for (index, row) in why.ledger.rows.iter().enumerate() {
        let phrases = vec![
            (row.behaviour.to_owned(), theme.strong),
            (reason(row, most), theme.text),
            (format!("raw {}", length_of(row.raw)), theme.text),
            (format!("taken {}", length_of(row.accepted)), theme.text),
        ];
        let details = details(about, why, index, row, theme);
        facts.aside(words::row_sign(index), phrases.into_iter().chain(details));
    }
}

/// How strong a wish is.
fn length_of(wish: Wish) -> String {
    if wish.turn == 0.0 {
        format!("{:.2}", wish.force.length())
    } else {
        words::turn(wish.turn.to_degrees(), "°/s²")
    }
}

/// What a row is about, what it wished and took, and what it looked at.
fn details(
    about: About,
    why: &Explanation,
    index: usize,
    row: &LedgerRow,
    theme: &Theme,
) -> Vec<(String, Style)> {
    let mut phrases = Vec::new();
    if let Drive::Steer { combine, rows } = &about.world.mode(about.id).drive
        && let Some(row) = rows.get(index)
    {
        phrases = about_row(row, *combine, about.world.scenario(), theme);
    }
    let unasked =
        matches!(row.state, RowState::NoRoom | RowState::Disabled | RowState::DitheredOut { .. });
    if !unasked && row.raw != Wish::NONE {
        phrases.push((format!("wished {}", vector(row.raw)), theme.dim));
        phrases.push((format!("took {}", vector(row.accepted)), theme.dim));
    }
    phrases.extend(notes(why, index).into_iter().map(|note| (note, theme.dim)));
    phrases
}

/// A wish, exactly.
fn vector(wish: Wish) -> String {
    if wish.turn == 0.0 {
        words::point(wish.force)
    } else {
        words::turn(wish.turn.to_degrees(), "°/s²")
    }
}

/// What a row of the file says: whom it is about, and how much it counts.
fn about_row(
    row: &Row,
    combine: Combine,
    scenario: &Scenario,
    theme: &Theme,
) -> Vec<(String, Style)> {
    let targets = [row.target, row.other].into_iter().flatten();
    let mut phrases: Vec<_> = targets
        .map(|target| (format!("about {}", words::target(target, scenario)), theme.text))
        .collect();
    phrases.push((format!("weight {}", row.weight), theme.dim));
    if combine == Combine::Dithered {
        phrases.push((format!("probability {}", row.probability), theme.dim));
    }
    phrases
}

/// Why it got what it got.
fn reason(row: &LedgerRow, most: f32) -> String {
    let taken = row.accepted.force.length();
    match row.state {
        RowState::Accepted => "accepted: taken whole".to_owned(),
        RowState::Cut => format!("cut: there was room for {taken:.2} of {most}"),
        RowState::NoRoom => format!("no room: those before it took all of {most}"),
        RowState::Zero => "zero: it wished for nothing".to_owned(),
        RowState::DitheredOut { die, probability } => {
            format!("dithered out: its die {die:.2} is not below {probability:.2}")
        }
        RowState::Disabled => "disabled: switched off in the file".to_owned(),
    }
}

/// What it looked at.
fn notes(why: &Explanation, index: usize) -> Vec<String> {
    let mine = || why.ledger.notes.iter().filter(move |(row, _)| *row == index);
    let mut told: Vec<String> = mine()
        .filter_map(|(_, note)| {
            Some(match note {
                Note::Target(at) => format!("to {}", words::point(*at)),
                Note::Predicted(at) => format!("expected at {}", words::point(*at)),
                Note::Waypoint(at) => format!("waypoint {}", words::point(*at)),
                Note::HidingSpot { at, chosen: true } => format!("hides at {}", words::point(*at)),
                Note::Feeler { hit: Some(at), .. } => format!("feels {}", words::point(*at)),
                Note::DetectionBox { hit: Some(it), .. } => {
                    format!("avoids what is at {}", words::point(it.centre))
                }
                _ => return None,
            })
        })
        .collect();
    let near = mine().filter(|(_, note)| matches!(note, Note::Neighbour(_))).count();
    if near > 0 {
        told.push(words::count(near as u64, "neighbour"));
    }
    told
}
