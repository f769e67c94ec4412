//! The commands of the screen. One table defines the keys, the command line, the footer, the help
//! and docs/keys.md.
//!
//! To add a command, add a row to `action/table.rs`. The row ends with the code that runs the command.

mod context;
mod keymap;
mod meanings;
mod search;
mod section;
mod table;

use super::argument::ArgumentKind::{
    Agent, Condition, Count, Field, File, Frame, Map, Overlay, Setting, Speed, Text, Theme,
};
use super::argument::{Argument, ArgumentKind};
use super::input::Key::{self, Char};
use Heading::{
    Agents, Breakpoints, EventsAndBookmarks, FilesAndRuns, Inspector, Program, Time, Values, View,
};
use Parameter::{Optional, Required};

pub(in crate::tui) use table::{command_rows, context_rows};

pub use context::Context;

pub use keymap::{Keymap, spelled};
pub use meanings::{mistyped, nearest};
pub use search::{ConditionHit, FEATURES, Feature, conditions, matches};
pub use section::{Heading, Section, all_sections, document, key_sections, sections};

/// An action to run, with its argument.
#[derive(Debug, Clone, PartialEq)]
pub struct Invocation {
    pub action: Action,
    /// The argument, or `None` if no argument was given. Its kind matches the command's
    /// [`Parameter`].
    pub argument: Option<Argument>,
}

impl From<Action> for Invocation {
    fn from(action: Action) -> Self {
        Self { action, argument: None }
    }
}

/// Whether a command takes an argument, and of which kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameter {
    /// The command takes no argument.
    None,
    /// The command takes an optional argument of this kind.
    Optional(ArgumentKind),
    /// The command requires an argument of this kind.
    Required(ArgumentKind),
}

impl Parameter {
    /// Returns the kind of the argument, or `None` if the command takes no argument.
    pub fn kind(self) -> Option<ArgumentKind> {
        match self {
            Self::None => None,
            Self::Optional(kind) | Self::Required(kind) => Some(kind),
        }
    }
}

/// A command: one row of [`TABLE`].
#[derive(Debug, Clone, Copy)]
pub struct Command {
    /// The action that the command runs. Several commands may run the same action.
    pub action: Action,
    /// The default keys, possibly none. Hints show the first key.
    pub keys: &'static [Key],
    /// The unique name, for the command line and the configuration.
    pub name: &'static str,
    /// The description: an imperative of one to six words, without a full stop.
    pub about: &'static str,
    /// One line of details, shown after the description. Empty if there are no details.
    pub detail: &'static str,
    /// Other words users search for, separated by spaces.
    pub keywords: &'static str,
    /// Short names that the command line accepts, as in other programs.
    pub short: &'static [&'static str],
    /// Whether the help hides the command, except in search results.
    pub is_rare: bool,
    /// The key hint in the footer, or `None` if the footer does not show the command.
    pub hint: Option<&'static str>,
    /// The contexts in which the command's keys and name work, and that come before the lists.
    before: &'static [Context],
    /// Whether the command's keys and name also work in all lists, except in lists with a row of
    /// their own for one of the keys.
    is_for_lists: bool,
    /// The contexts in which the command's keys and name work, and that come after the lists.
    after: &'static [Context],
    /// The argument that follows the name on the command line.
    pub parameter: Parameter,
    /// The heading in the help, and the position of the command below this heading. `None` for
    /// commands that do not belong to [`Context::Map`].
    pub under: Option<(Heading, u8)>,
}

impl Command {
    const fn new(
        action: Action,
        name: &'static str,
        keys: &'static [Key],
        before: &'static [Context],
        about: &'static str,
    ) -> Self {
        Self {
            action,
            keys,
            name,
            about,
            detail: "",
            keywords: "",
            short: &[],
            is_rare: false,
            hint: None,
            before,
            is_for_lists: false,
            after: &[],
            parameter: Parameter::None,
            under: None,
        }
    }

    const fn lists(self, after: &'static [Context]) -> Self {
        Self { is_for_lists: true, after, ..self }
    }

    const fn takes(self, parameter: Parameter) -> Self {
        Self { parameter, ..self }
    }

    const fn detail(self, detail: &'static str) -> Self {
        Self { detail, ..self }
    }

    const fn keywords(self, keywords: &'static str) -> Self {
        Self { keywords, ..self }
    }

    const fn short(self, short: &'static [&'static str]) -> Self {
        Self { short, ..self }
    }

    const fn rare(self) -> Self {
        Self { is_rare: true, ..self }
    }

    const fn hint(self, hint: &'static str) -> Self {
        Self { hint: Some(hint), ..self }
    }

    const fn under(self, heading: Heading, place: u8) -> Self {
        Self { under: Some((heading, place)), ..self }
    }
}

/// Declares [`Action`] and [`TABLE`] from the rows of the table.
macro_rules! declare {
    ($(
        ($name:literal, [$($key:expr),*], [$($context:ident),* $(; lists $(, $after:ident)*)?], $about:literal)
        $(.$set:ident($($value:tt)*))*
        => $action:ident $($kind:ident |$($given:pat_param),*| $run:expr)?;
    )*) => {
        /// The actions that users can run.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Action {
            $($(
                #[doc = concat!("`", stringify!($run), "`")]
                $action,
            )?)*
        }

        /// All commands, in the order of command line, footer and help.
        pub const TABLE: &[Command] = &[$(
            Command::new(Action::$action, $name, &[$($key),*], &[$(Context::$context),*], $about)
                $(.lists(&[$(Context::$after),*]))?
                $(.$set($($value)*))*,
        )*];
    };
}

command_rows!(declare);

/// Returns the rows of [`TABLE`] that belong to a context, in table order.
pub fn rows(context: Context) -> impl Iterator<Item = &'static Command> {
    TABLE.iter().filter(move |entry| entry.is_in(context))
}

/// Returns the commands that can be run by name in a context. Each action is listed once. Contexts
/// that show the map also include the commands of the map.
pub fn commands(context: Context) -> Vec<&'static Command> {
    let mut found: Vec<&Command> = Vec::new();
    for entry in nameable(context) {
        if found.iter().all(|row| row.action != entry.action) {
            found.push(entry);
        }
    }
    found
}

/// Returns the commands whose names are valid on the command line of a context. Can contain several
/// commands with the same action. Callers then use the first one.
fn nameable(context: Context) -> impl Iterator<Item = &'static Command> {
    let typed = context.is_over_map() || rows(context).any(|row| row.action == Action::CommandLine);
    let takes_map_commands = context.is_over_map() || context.runs_map_commands();
    let others = takes_map_commands.then(|| rows(Context::Map)).into_iter().flatten();
    rows(context).chain(others).filter(move |row| typed && row.action != Action::CommandLine)
}

impl Command {
    /// Returns true if the command's keys and name work in a context.
    pub fn is_in(&self, context: Context) -> bool {
        self.before.contains(&context)
            || self.after.contains(&context)
            || (self.is_for_lists && context.is_list() && !self.has_own_row(context))
    }

    /// Returns true if another row binds one of the keys in this context.
    fn has_own_row(&self, context: Context) -> bool {
        let is_own = |row: &Command| row.before.contains(&context) || row.after.contains(&context);
        let shares = |row: &Command| row.keys.iter().any(|key| self.keys.contains(key));
        TABLE.iter().any(|row| is_own(row) && shares(row))
    }

    /// Returns the contexts in which the command's keys and name work, most important first.
    pub fn contexts(&self) -> Vec<Context> {
        let lists = Context::ALL.into_iter().filter(|context| context.is_list());
        let lists = lists.filter(|&context| self.is_in(context));
        let listed: Vec<_> =
            lists.filter(|it| !self.before.contains(it) && !self.after.contains(it)).collect();
        [self.before, &listed, self.after].concat()
    }

    /// Returns true if the command can be run by its name in at least one context.
    pub fn is_command(&self) -> bool {
        Context::ALL.into_iter().any(|context| {
            let first = nameable(context).find(|row| row.action == self.action);
            first.is_some_and(|row| row.name == self.name)
        })
    }

    /// Returns the description, with the details in parentheses.
    pub fn described(&self) -> String {
        match self.detail {
            "" => self.about.to_owned(),
            detail => format!("{} ({detail})", self.about),
        }
    }

    /// Returns the command's name and a placeholder for the argument, such as `goto FRAME`.
    pub fn usage(&self) -> String {
        match self.parameter {
            Parameter::None => self.name.to_owned(),
            Optional(kind) => format!("{} [{}]", self.name, kind.word()),
            Required(kind) => format!("{} {}", self.name, kind.word()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_actions_share_a_key_in_a_context() {
        for context in Context::ALL {
            let mut seen = BTreeSet::new();
            for entry in rows(context) {
                for &key in entry.keys {
                    assert!(seen.insert(key), "{key} is bound twice in {context:?}");
                }
            }
        }
    }

    #[test]
    fn every_action_has_a_unique_name_and_a_description() {
        let mut names = BTreeSet::new();
        for entry in TABLE {
            assert!(!entry.contexts().is_empty(), "{}", entry.name);
            assert!(!entry.name.contains(char::is_whitespace), "{}", entry.name);
            assert!(names.insert(entry.name), "two rows are called {}", entry.name);
            let words = entry.about.split_whitespace().filter(|word| *word != "/").count();
            assert!((1..=6).contains(&words), "{}: {}", entry.name, entry.about);
            assert!(!entry.about.ends_with('.'), "{}", entry.name);
        }
    }

    #[test]
    fn every_action_has_a_key_or_a_command() {
        for entry in TABLE {
            assert!(!entry.keys.is_empty() || entry.is_command(), "{}", entry.name);
            let named = entry.parameter == Parameter::None || entry.is_command();
            assert!(named, "no key or name gives {} its argument", entry.name);
            let required = matches!(entry.parameter, Required(_));
            assert!(!required || entry.keys.is_empty(), "a key can't say: {}", entry.name);
        }
    }

    #[test]
    fn actions_with_a_key_have_a_command_except_in_text_fields() {
        let not_command_line = |entry: &&Command| entry.action != Action::CommandLine;
        for context in [Context::Map, Context::Drive, Context::Overlays, Context::Gallery] {
            let named = commands(context);
            for entry in rows(context).filter(not_command_line) {
                assert!(named.iter().any(|row| row.action == entry.action), "{}", entry.name);
            }
        }
        assert!(commands(Context::Search).is_empty() && commands(Context::CommandLine).is_empty());
    }

    #[test]
    fn ctrl_c_quits_in_every_context_and_every_context_has_a_hint() {
        for context in Context::ALL {
            let action = Keymap::default().bound(Key::Ctrl('c'), context);
            assert_eq!(action, Some(Action::Quit), "{context:?}");
            assert!(rows(context).any(|entry| entry.hint.is_some()), "{context:?}");
        }
    }

    #[test]
    fn every_list_has_the_keys_that_all_lists_share() {
        let keys = [
            (Key::Esc, Action::Close),
            (Key::Up, Action::Up),
            (Key::Down, Action::Down),
            (Key::PageUp, Action::PageUp),
            (Key::PageDown, Action::PageDown),
            (Key::Home, Action::Top),
            (Key::End, Action::Bottom),
            (Char('q'), Action::Quit),
            (Char('?'), Action::Help),
            (Char(':'), Action::CommandLine),
            (Key::Ctrl('z'), Action::Suspend),
        ];
        for context in Context::ALL.into_iter().filter(|context| context.is_list()) {
            for (key, action) in keys {
                let bound = Keymap::default().bound(key, context);
                assert_eq!(bound, Some(action), "{context:?} needs a row for {key}");
            }
        }
    }

    #[test]
    fn the_key_reference_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/keys.md");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(path, document()).expect("docs/keys.md can be written");
        }
        let written = std::fs::read_to_string(path).unwrap_or_default();
        assert_eq!(written, document(), "run `UPDATE_DOCS=1 cargo test` to write it again");
    }
}
