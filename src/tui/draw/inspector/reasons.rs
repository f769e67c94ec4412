//! The ledger row by row: what each behaviour is about, and why it got what it got.

use crate::agent::Drive;
use crate::scenario::Scenario;
use crate::steering::{LedgerRow, Note, Row, RowState, Wish};
use crate::step::Explanation;
use crate::tui::draw::facts::Facts;
use crate::words;

use super::about::About;
use super::{agent, ledger};

/// The lines of a vehicle's ledger; of any other agent, what moves it instead.
pub fn describe(about: About, facts: &mut Facts) {
    let (world, id) = (about.world, about.id);
    let Drive::Steer { rows, .. } = &world.mode(id).drive else {
        let theme = facts.theme;
        let word = world.mode(id).drive.word();
        let none = format!("none: in mode {} its drive is {word}", world.mode(id).name);
        facts.phrases("steering", [(none, theme.text)]);
        agent::drive(about, 7, facts);
        return;
    };
    let Some(why) = about.explanation() else {
        ledger::describe(about, facts);
        for (index, row) in rows.iter().enumerate() {
            let sign = words::row_sign(index);
            let phrases = vec![(row.behaviour.word().to_owned(), facts.theme.text)];
            facts.phrases(sign, phrases.into_iter().chain(about_row(row, world.scenario(), facts)));
        }
        return;
    };
    let most = world.body(id).max_force;
    ledger::describe_with(about, facts, |index, row, facts| {
        let theme = facts.theme;
        facts.aside("", [(reason(row, most), theme.text)]);
        let told = rows.get(index).map(|row| about_row(row, world.scenario(), facts));
        let told = told.unwrap_or_default();
        let asked = !matches!(
            row.state,
            RowState::NoRoom | RowState::Disabled | RowState::DitheredOut { .. }
        );
        let vectors = [("wished", row.raw), ("took", row.accepted)];
        let vectors = vectors.into_iter().filter(|_| asked && row.raw != Wish::NONE);
        let vectors = vectors.map(|(word, wish)| (format!("{word} {}", vector(wish)), theme.dim));
        let notes = notes(why, index).into_iter().map(|note| (note, theme.dim));
        facts.aside("", told.into_iter().chain(vectors).chain(notes));
    });
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
    scenario: &Scenario,
    facts: &Facts,
) -> Vec<(String, ratatui::style::Style)> {
    let theme = facts.theme;
    let targets = [row.target, row.other].into_iter().flatten();
    let mut phrases: Vec<_> = targets
        .map(|target| (format!("about {}", words::target(target, scenario)), theme.text))
        .collect();
    phrases.push((format!("weight {}", row.weight), theme.dim));
    if row.probability < 1.0 {
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
