//! Errors for settings that are invalid or do not fit the map.

use super::Setting;
use crate::show;
use crate::text::span_tree::{NoPlace, Part, SpanTree};
use crate::values::{EntryId, InnerTable, TablePath, ValuePath};

/// Error for an invalid setting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// The setting has invalid syntax.
    #[error("invalid setting `{0}`: write `agent.key=value`, as in `guard.max_speed=6`")]
    Malformed(String),
    /// The map has no such agent.
    #[error("unknown agent `{name}`{}", show::did_you_mean(.near.as_deref()))]
    UnknownAgent {
        /// Unknown name, safe to print.
        name: String,
        /// Similar agent name; `None` if no name is similar.
        near: Option<String>,
    },
    /// The agent has no such mode.
    #[error("agent `{agent}` has no mode `{name}`{}", show::did_you_mean(.near.as_deref()))]
    UnknownMode {
        /// Name of the agent.
        agent: String,
        /// Unknown name, safe to print.
        name: String,
        /// Similar mode name; `None` if no name is similar.
        near: Option<String>,
    },
    /// The list has no such entry.
    #[error("`{setting}`: {}", rows(.list, *.count))]
    UnknownRow {
        /// Setting as typed.
        setting: String,
        /// Key of the list that the setting refers to.
        list: String,
        /// Number of entries in the list.
        count: usize,
    },
    /// The list has no such behaviour.
    #[error("`{list}` has no behaviour `{word}`{}", show::did_you_mean(.near.as_deref()))]
    UnknownBehaviour {
        /// Path of the list.
        list: String,
        /// Unknown word, safe to print.
        word: String,
        /// Similar word or path; `None` if nothing is similar.
        near: Option<String>,
    },
    /// The path has several meanings.
    #[error("`{path}` is ambiguous: write {}", alternatives(.readings))]
    Ambiguous {
        /// Path as typed.
        path: String,
        /// Unambiguous paths that the user can write instead.
        readings: Vec<String>,
    },
    /// The value at the path can't be replaced by a single value.
    #[error("`{0}` can't be set: only single values can be set")]
    NoPlace(String),
}

fn rows(list: &str, count: usize) -> String {
    match count {
        0 => format!("`{list}` has no entries"),
        1 => format!("`{list}` has only one entry"),
        _ => format!("`{list}` has {count} entries, numbered from 1"),
    }
}

fn alternatives(paths: &[String]) -> String {
    let quoted: Vec<_> = paths.iter().map(|path| format!("`{path}`")).collect();
    quoted.join(" or ")
}

impl Setting {
    /// Converts a [`NoPlace`] error of the map to an error for the user.
    pub(super) fn refused(&self, error: NoPlace, map: &SpanTree) -> SettingError {
        let no_place = || SettingError::NoPlace(self.typed.clone());
        let Some(table) = &self.path.table else { return no_place() };
        if let InnerTable::Entry(list, EntryId::Word(word)) = &table.inner
            && let Some(error) = self.refused_word((table, list, word), &error, map)
        {
            return error;
        }
        let agent = || show::text(&table.agent);
        match error {
            NoPlace::Row(list, count) => {
                SettingError::UnknownRow { setting: self.to_string(), list, count }
            }
            NoPlace::Name(list, near) => match &table.mode {
                Some(mode) if list == "mode" => {
                    SettingError::UnknownMode { agent: agent(), name: show::text(mode), near }
                }
                _ => SettingError::UnknownAgent { name: agent(), near },
            },
            NoPlace::Behaviour(_) | NoPlace::Ambiguous(_) | NoPlace::Other => no_place(),
        }
    }

    /// Returns the error for a behaviour word that matches no entry of its list, or several
    /// entries. Returns `None` for other errors.
    fn refused_word(
        &self,
        (table, list, word): (&TablePath, &str, &str),
        error: &NoPlace,
        map: &SpanTree,
    ) -> Option<SettingError> {
        let path = |table: TablePath| {
            ValuePath { table: Some(table), key: self.path.key.clone() }.to_string()
        };
        let ambiguous =
            |readings| Some(SettingError::Ambiguous { path: self.typed.clone(), readings });
        let words = match error {
            NoPlace::Ambiguous(numbers) => {
                let entry = |&number| InnerTable::Entry(list.to_owned(), EntryId::Number(number));
                return ambiguous(numbers.iter().map(|it| path(table.inner(entry(it)))).collect());
            }
            NoPlace::Row(_, 0) => &[][..],
            NoPlace::Behaviour(words) => words,
            NoPlace::Row(..) | NoPlace::Name(..) | NoPlace::Other => return None,
        };
        let modes = map.names(&[Part::Named("agent", &table.agent), Part::Key("mode")]);
        let in_modes = modes
            .into_iter()
            .filter(|_| table.mode.is_none())
            .map(|mode| TablePath { mode: Some(mode.to_owned()), ..table.clone() });
        let mut readings: Vec<_> =
            in_modes.filter(|table| map.number(&table.parts()).is_ok()).map(path).collect();
        if readings.len() > 1 {
            return ambiguous(readings);
        }
        let near = || show::nearest(word, words.iter().map(String::as_str)).map(str::to_owned);
        Some(SettingError::UnknownBehaviour {
            list: ValuePath { table: Some(table.inner(InnerTable::Own)), key: list.to_owned() }
                .to_string(),
            word: show::text(word),
            near: readings.pop().or_else(near),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::settings::apply;

    #[test]
    fn unclear_words_of_behaviours_are_reported() {
        let map = "[[agent]]\nname = 'a'\nsteer = [{ do = 'seek' }, { do = 'wander' }, { do = 'seek' }]\n\
                   [[agent]]\nname = 'b'\n[[agent.mode]]\nname = 'x'\nsteer = [{ do = 'seek' }]\n\
                   [[agent.mode]]\nname = 'y'\nsteer = [{ do = 'seek' }, { do = 'flee' }]\n";
        let error = |text: &str| apply(map, &[text.parse().unwrap()]).unwrap_err().to_string();
        assert_eq!(
            error("a.steer.seek.weight=1"),
            "`a.steer.seek.weight` is ambiguous: write `a.steer.1.weight` or `a.steer.3.weight`"
        );
        assert_eq!(
            error("a.steer.wandr.weight=1"),
            "`a.steer` has no behaviour `wandr`: did you mean `wander`?"
        );
        assert_eq!(
            error("b.steer.seek.weight=1"),
            "`b.steer.seek.weight` is ambiguous: write `b.x.steer.seek.weight` or \
             `b.y.steer.seek.weight`"
        );
        assert_eq!(
            error("b.steer.flee.weight=1"),
            "`b.steer` has no behaviour `flee`: did you mean `b.y.steer.flee.weight`?"
        );
        assert_eq!(error("b.x.steer.flee.weight=1"), "`b.x.steer` has no behaviour `flee`");
        assert_eq!(error("c.steer.flee.weight=1"), "unknown agent `c`: did you mean `a`?");
    }
}
