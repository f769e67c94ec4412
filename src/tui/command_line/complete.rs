//! Completion of the command line.

use crate::condition::functions::CALLS;
use crate::condition::words::{EVENTS, FIELDS, KEYWORDS, WORLD_FIELDS};
use crate::files::keys::old_names;
use crate::id::EVERYONE;
use crate::tui::action::{
    Action, Command, ConditionHit, FEATURES, Feature, commands, conditions, matches, nearest,
};
use crate::tui::argument::{ArgumentKind, written};
use crate::tui::clock::Speed;
use crate::tui::map_screen::popup::search;
use crate::tui::theme::Name;
use crate::tui::{gallery, overlays, rank};
use crate::world::World;

use super::Scene;
use super::parse::{self, Parts, parts};

/// Maximum number of suggestions.
const MOST: usize = 100;

/// Completions of a command line.
#[derive(Debug, Clone, Default)]
pub struct Suggestions {
    /// Number of bytes of the line before the completed word.
    pub from: usize,
    /// The command whose argument is being typed. `None` while the name is typed.
    pub entry: Option<&'static Command>,
    /// The suggestions, best first.
    pub list: Vec<Suggestion>,
    /// The name or keyword that the suggestions stand for, because nothing matches the typed words.
    /// `None` if the suggestions match, or if nothing is near.
    pub nearest: Option<&'static str>,
}

/// A completion of the line.
#[derive(Debug, Clone)]
pub struct Suggestion {
    /// The text to insert into the line.
    pub text: String,
    /// Kind of the suggestion, such as a command or a word of an argument.
    pub meaning: Meaning,
}

/// Kind of a suggestion, with the command or overlay that it stands for.
#[derive(Debug, Clone)]
pub enum Meaning {
    /// A word of an argument, such as the name of an agent.
    Word,
    /// A command of the screen.
    Command(&'static Command),
    /// The command that shows or hides this overlay.
    Overlay(&'static overlays::Overlay),
    /// A shell command, which the screen cannot run.
    Shell(&'static Feature),
    /// A command that pauses at a state or an event. The text describes it.
    Condition(String),
}

impl Meaning {
    /// Returns the screen command that the suggestion stands for. Returns `None` if it stands for
    /// something else, such as a word of a condition.
    pub fn command(&self) -> Option<&'static Command> {
        match self {
            Self::Command(entry) => Some(entry),
            Self::Word | Self::Overlay(_) | Self::Shell(_) | Self::Condition(_) => None,
        }
    }
}

/// Returns the completions of the last word of a command line.
pub fn suggestions(text: &str, scene: Scene) -> Suggestions {
    let Parts { begin, name, argument } = parts(text);
    let Some(at) = argument else { return names(begin, name, scene) };
    let entry = parse::find(name, scene).ok();
    if entry.is_none() {
        // Without a command, all words are a search.
        return names(begin, text[begin..].trim_end(), scene);
    }
    let kind = entry.and_then(|entry| entry.parameter.kind());
    let (before, words) = match (kind, scene.world) {
        (Some(ArgumentKind::Theme), _) => {
            (0, rank::best(Name::WORDS.map(String::from), String::clone, &text[at..], MOST))
        }
        (Some(ArgumentKind::Map), _) => {
            let text = &text[at..];
            let mut words = gallery::names(scene.maps, text);
            words.extend(scene.host.map_or_else(Vec::new, |host| host.complete_path(text)));
            words.truncate(MOST);
            (0, words)
        }
        (Some(kind), Some(world)) => arguments(kind, &text[at..], world),
        (None, _) => (0, Vec::new()),
        (Some(_), None) => return Suggestions { entry, ..Suggestions::default() },
    };
    // Words that are no argument are a search, such as `slow motion`.
    let takes_names = !matches!(
        kind,
        Some(
            ArgumentKind::Frame
                | ArgumentKind::Count
                | ArgumentKind::File
                | ArgumentKind::Text
                | ArgumentKind::Field
                | ArgumentKind::Condition
                | ArgumentKind::Setting
        )
    );
    let phrase = text[begin..].trim_end();
    if takes_names && words.is_empty() && phrase.contains(' ') {
        let list = named(phrase, scene);
        if !list.is_empty() {
            return Suggestions { from: begin, entry: None, list, nearest: None };
        }
    }
    let list = words.into_iter().map(|text| Suggestion { text, meaning: Meaning::Word }).collect();
    Suggestions { from: at + before, entry, list, nearest: None }
}

/// Returns the features that match the typed words, or the nearest feature if nothing matches.
fn names(from: usize, typed: &str, scene: Scene) -> Suggestions {
    let mut list = named(typed, scene);
    let nearest = if list.is_empty() { nearest(typed) } else { None };
    if let Some(near) = nearest {
        list = named(near, scene);
    }
    list.truncate(MOST);
    Suggestions { from, entry: None, list, nearest }
}

/// Returns matches in this order: commands by name, states and events, commands by description or
/// keyword, overlays, and shell commands.
fn named(typed: &str, scene: Scene) -> Vec<Suggestion> {
    let command = |entry: &'static Command| Suggestion {
        text: entry.name.to_owned(),
        meaning: Meaning::Command(entry),
    };
    let commands = commands(scene.context);
    let wanted = old_names::current(old_names::AliasKind::Action, typed).to_lowercase();
    if typed.is_empty() {
        return commands.into_iter().map(command).collect();
    }
    let is_short = |row: &&&Command| row.short.contains(&typed);
    let mut rows: Vec<&'static Command> = commands.iter().filter(is_short).copied().collect();
    let add = |rows: &mut Vec<&'static Command>, row: &'static Command| {
        if rows.iter().all(|other| other.name != row.name) {
            rows.push(row);
        }
    };
    for row in rank::best(commands.clone(), |entry| entry.name.to_owned(), &wanted, MOST) {
        // Names that only contain the letters in order mean something else.
        if matches(core::slice::from_ref(&wanted), &[row.name]) {
            add(&mut rows, row);
        }
    }
    let named = rows.len();
    let words: Vec<String> = typed.split_whitespace().map(str::to_lowercase).collect();
    for row in commands.iter().filter(|row| matches(&words, &row.texts())) {
        add(&mut rows, row);
    }
    let has_breaks = commands.iter().any(|row| row.action == Action::Breakpoint);
    let conditions = if has_breaks { conditions(&words) } else { Vec::new() };
    let condition = |ConditionHit { command, about }| Suggestion {
        text: command,
        meaning: Meaning::Condition(about),
    };
    let has_overlays = commands.iter().any(|row| row.action == Action::ToggleOverlay);
    let overlays =
        overlays::TABLE.iter().filter(|entry| has_overlays && matches(&words, &entry.texts()));
    let overlay = |entry: &'static overlays::Overlay| Suggestion {
        text: format!("overlay {}", entry.name),
        meaning: Meaning::Overlay(entry),
    };
    let features = FEATURES.iter().filter(|it| matches(&words, &it.texts()));
    let feature = |it: &'static Feature| Suggestion {
        text: it.usage.to_owned(),
        meaning: Meaning::Shell(it),
    };
    let described = rows.split_off(named);
    let first = rows.into_iter().map(command).chain(conditions.into_iter().map(condition));
    let others = overlays.map(overlay).chain(features.map(feature));
    first.chain(described.into_iter().map(command)).chain(others).collect()
}

/// Returns the suggestions for an argument, and the number of bytes before the completed word.
fn arguments(kind: ArgumentKind, text: &str, world: &World) -> (usize, Vec<String>) {
    match kind {
        ArgumentKind::Speed => {
            (0, rank::best(Speed::all().map(written), String::clone, text, MOST))
        }
        ArgumentKind::Agent => (0, agents(text, world)),
        ArgumentKind::Overlay => {
            let names = overlays::TABLE.iter().map(|entry| entry.name.to_owned());
            (0, rank::best(names, String::clone, text, MOST))
        }
        ArgumentKind::Field | ArgumentKind::Condition => {
            let letter = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
            let before = text.trim_end_matches(letter).len();
            (before, words(&text[..before], &text[before..], world))
        }
        ArgumentKind::Setting if text.contains('.') => (0, Vec::new()),
        ArgumentKind::Setting => {
            let kinds = world.scenario().kinds().iter().map(|kind| format!("{}.", kind.name));
            (0, rank::best(kinds, String::clone, text, MOST))
        }
        ArgumentKind::Frame
        | ArgumentKind::Count
        | ArgumentKind::File
        | ArgumentKind::Map
        | ArgumentKind::Text
        | ArgumentKind::Theme => (0, Vec::new()),
    }
}

fn agents(text: &str, world: &World) -> Vec<String> {
    let found = search::agents(world, text, MOST);
    found.into_iter().map(|id| world.name(id).to_string()).collect()
}

/// Returns the words that can continue a condition: fields after an agent name and a dot, events
/// after `event(`, and all names elsewhere.
fn words(before: &str, word: &str, world: &World) -> Vec<String> {
    let scenario = world.scenario();
    let best = |words: Vec<String>| rank::best(words, String::clone, word, MOST);
    if let Some((name, _)) = word.rsplit_once('.')
        && (scenario.find(name).is_some() || scenario.find_instance(name).is_some())
    {
        return best(FIELDS.iter().map(|(field, _)| format!("{name}.{field}")).collect());
    }
    if before.ends_with("event(") {
        return best(EVENTS.iter().map(ToString::to_string).collect());
    }
    let calls = CALLS.iter().map(|row| format!("{}(", row.name));
    let plain = WORLD_FIELDS.iter().chain(&KEYWORDS).map(ToString::to_string);
    let groups = scenario.groups().iter().map(|group| group.name.clone());
    let groups = groups.chain([EVERYONE.to_owned()]);
    let places = scenario.places().iter().map(|place| place.name.clone());
    let mut all = agents(word, world);
    all.extend(groups.chain(places).chain(calls).chain(plain));
    best(all)
}
