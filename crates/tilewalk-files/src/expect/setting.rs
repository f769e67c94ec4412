//! Reads the values that an expectation sets.

use std::ops::Range;

use toml::de::DeValue;

use super::Expectations;
use crate::agent::AgentDraft;
use crate::diagnostic::{Diagnostic, suggestion};
use crate::keys::agent::{AGENT, BODY, MODE, TRANSITION, VIEW};
use crate::keys::expect::SET;
use crate::keys::{Table, steer};
use crate::reader::{Entry, TableReader};
use crate::settings::Setting;
use crate::show;
use crate::span_tree::SpanTree;
use crate::value_path::{InnerTable, TablePath, ValuePath};

impl Expectations<'_> {
    /// Reads the settings, in the syntax of the command line. Reports paths that the map does not
    /// have; the values are checked when the expectation is run.
    pub(super) fn settings(&self, table: &TableReader) -> Option<Vec<String>> {
        let Some(entry) = table.take("set") else { return Some(Vec::new()) };
        let entries = entry.table(&SET)?.into_entries();
        let tree = self.tree.get_or_init(|| SpanTree::parse(self.scene.text));
        let mut tree = tree.clone();
        let read = |(path, span, value)| self.setting(path, span, &value, tree.as_mut());
        let settings: Vec<_> = entries.into_iter().map(read).collect();
        settings.into_iter().collect()
    }

    /// Reads a setting, and applies it to the map.
    fn setting(
        &self,
        text: &str,
        span: Range<usize>,
        value: &Entry,
        map: Option<&mut SpanTree>,
    ) -> Option<String> {
        let refuse = |message: String, help: String| {
            value.issues.push(Diagnostic::error(span.clone(), message).help(help));
        };
        let Ok(path) = text.parse::<ValuePath>() else {
            let help = if matches!(value.get(), DeValue::Table(_)) {
                "write the path in quotes, as in `\"guard.body.max_speed\" = 3.0`"
            } else {
                "write the path of a value, as in `\"guard.body.max_speed\" = 3.0`"
            };
            refuse(format!("invalid path `{}`", show::text(text)), help.to_owned());
            return None;
        };
        if value.written().contains('\n') {
            value.error("the value of a setting must be on one line");
            return None;
        }
        let setting = match Setting::of(&path, value.written()) {
            Ok(setting) => setting,
            Err(error) => {
                refuse(error.to_string(), String::new());
                return None;
            }
        };
        // The reader of the map has reported the errors of a map that can't be parsed.
        if let Some(map) = map.filter(|_| !value.issues.is_partial()) {
            if let Err(error) = setting.put_in(map) {
                refuse(error.to_string(), String::new());
                return None;
            }
            let keys = keys_of(&path.table, self.scene.drafts);
            if let Some(keys) = keys.filter(|keys| keys.key(&path.key).is_none()) {
                // A key of the body can be given without `body`.
                let body = BODY.names().filter(|_| keys.title == AGENT.title);
                let all = || format!("valid keys: {}", show::list(keys.names()));
                let help = suggestion(&path.key, keys.names().chain(body), all);
                refuse(format!("unknown key `{}` of {}", path.key, keys.title), help);
                return None;
            }
        }
        Some(setting.to_string())
    }
}

/// Returns the valid keys of a table in an agent; `None` for a behaviour that another setting adds.
fn keys_of(table: &TablePath, drafts: &[AgentDraft]) -> Option<&'static Table> {
    Some(match &table.inner {
        InnerTable::Own if table.mode.is_some() => &MODE,
        InnerTable::Own => &AGENT,
        InnerTable::Body => &BODY,
        InnerTable::View => &VIEW,
        InnerTable::Entry(list, _) if list == "switch" => &TRANSITION,
        InnerTable::Entry(_, number) => {
            let kind = drafts.iter().map(|draft| &draft.kind).find(|it| it.name == table.agent);
            let mut modes = kind.iter().flat_map(|kind| &kind.modes);
            let mode = modes.find(|mode| table.mode.as_ref().is_none_or(|name| *name == mode.name));
            let row = mode?.drive.steering().get(number.checked_sub(1)?)?;
            steer::table(row.behaviour.spec())
        }
    })
}
