//! What may stand where a person types.

use crate::condition::words::{CALLS, EVENTS, FIELDS, KEYWORDS, WORLD_FIELDS};
use crate::scenario::Scenario;
use crate::tui::action::{Entry, commands};
use crate::tui::argument::{Kind, written};
use crate::tui::clock::Speed;
use crate::tui::theme::Name;
use crate::tui::{gallery, rank, search};

use super::Scene;
use super::parse::{self, Parts, parts};

/// Suggestions at most.
const MOST: usize = 100;

/// What may stand at the end of a line.
#[derive(Debug, Clone, Default)]
pub struct Suggestions {
    /// Bytes of the line that stay before a suggestion.
    pub from: usize,
    /// The command whose argument is being typed.
    pub entry: Option<&'static Entry>,
    /// The suggestions, the best first.
    pub list: Vec<Suggestion>,
}

/// A word that may stand at the end of a line.
#[derive(Debug, Clone)]
pub struct Suggestion {
    /// The word.
    pub text: String,
    /// The command, if it is the name of one.
    pub entry: Option<&'static Entry>,
}

/// What may stand at the end of a line.
pub fn suggestions(text: &str, scene: Scene) -> Suggestions {
    let Parts { begin, name, argument } = parts(text);
    let Some(at) = argument else { return names(begin, name, scene) };
    let entry = parse::find(name, scene).ok();
    let kind = entry.and_then(|entry| entry.parameter.kind());
    let (before, words) = match (kind, scene.scenario) {
        (Some(Kind::Theme), _) => {
            (0, rank::best(Name::WORDS.map(String::from), String::clone, &text[at..], MOST))
        }
        (Some(Kind::Map), _) => {
            let text = &text[at..];
            let mut words = gallery::names(scene.maps, text);
            words.extend((scene.paths)(text));
            words.truncate(MOST);
            (0, words)
        }
        (Some(kind), Some(scenario)) => arguments(kind, &text[at..], scenario),
        _ => return Suggestions { entry, ..Suggestions::default() },
    };
    let list = words.into_iter().map(|text| Suggestion { text, entry: None }).collect();
    Suggestions { from: at + before, entry, list }
}

fn names(from: usize, name: &str, scene: Scene) -> Suggestions {
    let found = rank::best(commands(scene.context), |entry| entry.name.to_owned(), name, MOST);
    let suggestion =
        |entry: &'static Entry| Suggestion { text: entry.name.to_owned(), entry: Some(entry) };
    Suggestions { from, entry: None, list: found.into_iter().map(suggestion).collect() }
}

/// What may stand at the end of an argument, and how many of its bytes stay before that.
fn arguments(kind: Kind, text: &str, scenario: &Scenario) -> (usize, Vec<String>) {
    match kind {
        Kind::Speed => (0, rank::best(Speed::all().map(written), String::clone, text, MOST)),
        Kind::Agent => (0, agents(text, scenario)),
        Kind::Field | Kind::Condition => {
            let letter = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
            let before = text.trim_end_matches(letter).len();
            (before, words(&text[..before], &text[before..], scenario))
        }
        Kind::Setting if text.contains('.') => (0, Vec::new()),
        Kind::Setting => {
            let kinds = scenario.kinds.iter().map(|kind| format!("{}.", kind.name));
            (0, rank::best(kinds, String::clone, text, MOST))
        }
        Kind::Frame | Kind::Count | Kind::File | Kind::Map | Kind::Text | Kind::Theme => {
            (0, Vec::new())
        }
    }
}

fn agents(text: &str, scenario: &Scenario) -> Vec<String> {
    let found = search::agents(scenario, text, MOST);
    found.into_iter().map(|id| scenario.name(id).to_string()).collect()
}

/// The words a condition may go on with: the fields of an agent after its name and a point, events
/// where one is asked for, and everything that can be named elsewhere.
fn words(before: &str, word: &str, scenario: &Scenario) -> Vec<String> {
    let best = |words: Vec<String>| rank::best(words, String::clone, word, MOST);
    if let Some((name, _)) = word.rsplit_once('.')
        && scenario.find(name).is_some()
    {
        return best(FIELDS.iter().map(|(field, _)| format!("{name}.{field}")).collect());
    }
    if before.ends_with("event(") {
        return best(EVENTS.iter().map(ToString::to_string).collect());
    }
    let calls = CALLS.iter().map(|(call, ..)| format!("{call}("));
    let plain = WORLD_FIELDS.iter().chain(&KEYWORDS).map(ToString::to_string);
    let groups = scenario.groups.iter().map(|group| group.name.clone());
    let places = scenario.places.iter().map(|place| place.name.clone());
    let mut all = agents(word, scenario);
    all.extend(groups.chain(places).chain(calls).chain(plain));
    best(all)
}
