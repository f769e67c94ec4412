//! The ledger row by row: what each behaviour is about, and why it got what it got.

use crate::agent::Drive;
use crate::scenario::Scenario;
use crate::steering::combine::Combine;
use crate::steering::{LedgerRow, Note, Row, RowState, Wish};
use crate::step::Explanation;
use crate::tui::draw::facts::{Facts, Phrase, Shown};
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
        let none = format!("none: mode uses {}", world.mode(id).drive.word());
        facts.fact("steering", none);
        agent::drive(about, LISTED, facts);
        return;
    };
    let Some(why) = about.explanation() else {
        ledger::describe(about, facts);
        for (index, row) in rows.iter().enumerate() {
            let name = (row.behaviour.word().to_owned(), facts.theme.text).into();
            let told = about_row(index, row, *combine, world.scenario(), facts.theme);
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
        let phrases = [
            (row.behaviour.to_owned(), theme.strong),
            (reason(row, most), theme.text),
            (format!("desired {}", length_of(row.raw)), theme.text),
            (format!("applied {}", length_of(row.accepted)), theme.text),
        ];
        let details = details(about, why, index, row, theme);
        facts.aside(words::row_sign(index), phrases.map(Phrase::from).into_iter().chain(details));
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
) -> Vec<Phrase> {
    let mut phrases = Vec::new();
    if let Drive::Steer { combine, rows } = &about.world.mode(about.id).drive
        && let Some(row) = rows.get(index)
    {
        phrases = about_row(index, row, *combine, about.world.scenario(), theme);
    }
    let unasked =
        matches!(row.state, RowState::NoRoom | RowState::Disabled | RowState::DitheredOut { .. });
    if !unasked && row.raw != Wish::NONE {
        phrases.push((format!("desired {}", vector(row.raw)), theme.dim).into());
        phrases.push((format!("applied {}", vector(row.accepted)), theme.dim).into());
    }
    phrases.extend(notes(why, index).into_iter().map(|note| (note, theme.dim).into()));
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
    index: usize,
    row: &Row,
    combine: Combine,
    scenario: &Scenario,
    theme: &Theme,
) -> Vec<Phrase> {
    let targets = [row.target, row.other].into_iter().flatten();
    let mut phrases: Vec<_> = targets
        .map(|target| (format!("target {}", words::target(target, scenario)), theme.text).into())
        .collect();
    let number = |key, number: f32| {
        Phrase::from((format!("{key} {number}"), theme.dim)).showing(Shown::OfRow(index, key))
    };
    phrases.push(number("weight", row.weight));
    if combine == Combine::Dithered {
        phrases.push(number("probability", row.probability));
    }
    phrases
}

/// Why it got what it got.
fn reason(row: &LedgerRow, most: f32) -> String {
    let taken = row.accepted.force.length();
    match row.state {
        RowState::Accepted => "accepted: applied in full".to_owned(),
        RowState::Cut => format!("cut: applied {taken:.2}, force limit {most}"),
        RowState::NoRoom => format!("no room: earlier behaviours reached the limit {most}"),
        RowState::Zero => "zero: no steering output".to_owned(),
        RowState::DitheredOut { die, probability } => {
            format!("dithered out: random number {die:.2} ≥ {probability:.2}")
        }
        RowState::Disabled => "disabled: turned off in the file".to_owned(),
    }
}

/// What it looked at.
fn notes(why: &Explanation, index: usize) -> Vec<String> {
    let mine = || why.ledger.notes.iter().filter(move |(row, _)| *row == index);
    let mut told: Vec<String> = mine()
        .filter_map(|(_, note)| {
            Some(match note {
                Note::Target(at) => format!("target at {}", words::point(*at)),
                Note::Predicted(at) => format!("predicted at {}", words::point(*at)),
                Note::Waypoint(at) => format!("waypoint at {}", words::point(*at)),
                Note::HidingSpot { at, chosen: true } => {
                    format!("hiding spot at {}", words::point(*at))
                }
                Note::Feeler { hit: Some(at), .. } => {
                    format!("feeler hit at {}", words::point(*at))
                }
                Note::DetectionBox { hit: Some(it), .. } => {
                    format!("obstacle at {}", words::point(it.centre))
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
