//! Reads the values that an expectation sets.

use std::ops::Range;

use toml::de::DeValue;

use super::Expectations;
use crate::keys::expect::SET;
use crate::settings::Setting;
use crate::settings::key_of_path;
use crate::show;
use crate::text::diagnostic::Diagnostic;
use crate::text::reader::{Entry, TableReader};
use crate::text::span_tree::SpanTree;
use crate::values::ValuePath;

impl Expectations<'_> {
    /// Reads the settings and returns them in the syntax of the command line. Reports paths that
    /// the map does not have, and returns `None`. The values are checked when the expectation is
    /// run.
    pub(super) fn settings(&self, table: &TableReader) -> Option<Vec<String>> {
        let Some(entry) = table.take("set") else { return Some(Vec::new()) };
        let entries = entry.table(&SET)?.into_entries();
        let tree = self.tree.get_or_init(|| SpanTree::parse(self.scene.text));
        let mut tree = tree.clone();
        let read = |(path, span, value)| self.setting(path, span, &value, tree.as_mut());
        let settings: Vec<_> = entries.into_iter().map(read).collect();
        settings.into_iter().collect()
    }

    /// Reads the setting that changes the path `text` to `value`, and applies the setting to `map`.
    /// Returns the setting in the syntax of the command line.
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
            let kinds = self.scene.drafts.iter().map(|draft| &draft.kind);
            if let Err(unknown) = key_of_path::find(&path, kinds) {
                refuse(unknown.message, unknown.help);
                return None;
            }
        }
        Some(setting.to_string())
    }
}
