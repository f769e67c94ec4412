//! Finds the key to which a value path refers.

use crate::keys::agent::{AGENT, BODY, MODE, TRANSITION, VIEW};
use crate::keys::map::MAP;
use crate::keys::steer;
use crate::keys::table::{Key, Table};
use crate::show;
use crate::text::diagnostic::suggestion;
use crate::values::{EntryId, InnerTable, TablePath, ValuePath};
use tilewalk_sim::agent::AgentKind;

/// An unknown key, with a line of advice.
#[derive(Debug)]
pub struct UnknownKey {
    pub message: String,
    pub help: String,
}

/// Returns the key of a path; `None` for a key of a behaviour that a setting adds. `kinds` are the
/// agents of the map.
///
/// # Errors
/// Returns an error for a key that its table does not have.
pub fn find<'a>(
    path: &ValuePath,
    kinds: impl IntoIterator<Item = &'a AgentKind>,
) -> Result<Option<&'static Key>, UnknownKey> {
    let table = match &path.table {
        Some(table) => table_of(table, kinds),
        None => Some(&*MAP),
    };
    let Some(table) = table else { return Ok(None) };
    if let Some(key) = table.key(&path.key) {
        return Ok(Some(key));
    }
    // A key of the body can be given without `body`.
    let body = BODY.names().filter(|_| table.title == AGENT.title);
    let all = || format!("valid keys: {}", show::list(table.names()));
    let help = suggestion(&path.key, table.names().chain(body), all);
    Err(UnknownKey { message: format!("unknown key `{}` of {}", path.key, table.title), help })
}

/// Returns the list of keys that a table of an agent can have; `None` for a behaviour that a
/// setting adds.
fn table_of<'a>(
    path: &TablePath,
    kinds: impl IntoIterator<Item = &'a AgentKind>,
) -> Option<&'static Table> {
    Some(match &path.inner {
        InnerTable::Own if path.mode.is_some() => &MODE,
        InnerTable::Own => &AGENT,
        InnerTable::Body => &BODY,
        InnerTable::View => &VIEW,
        InnerTable::Entry(list, _) if list == "switch" => &TRANSITION,
        InnerTable::Entry(_, entry) => {
            let kind = kinds.into_iter().find(|kind| kind.name == path.agent);
            let mut modes = kind.iter().flat_map(|kind| &kind.modes);
            let mode = modes.find(|mode| path.mode.as_ref().is_none_or(|name| *name == mode.name));
            let mut rows = mode?.drive.steering().iter();
            let row = match entry {
                EntryId::Number(number) => rows.nth(number.checked_sub(1)?)?,
                EntryId::Word(word) => rows.find(|row| row.behaviour.word() == word)?,
            };
            steer::table(row.behaviour.spec())
        }
    })
}
