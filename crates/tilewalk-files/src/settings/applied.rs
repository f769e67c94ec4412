//! The text of a map with settings applied.
//!
//! [`AppliedSettings`] tracks the bytes of each setting. An error in a setting is reported at its
//! location in the typed setting. Any other error is reported at its line of the user's file.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Setting, SettingError};
use crate::show;
use crate::text::diagnostic::Diagnostic;
use crate::text::report::Report;
use crate::text::source::Source;
use crate::text::span_tree::{SpanTree, Splice};

/// A map with settings applied.
#[derive(Debug)]
pub struct AppliedSettings<'a> {
    pub map: SpanTree,
    /// Applied settings, in order.
    spliced: Vec<Spliced<'a>>,
}

/// A setting that was applied to a text.
#[derive(Debug)]
struct Spliced<'a> {
    /// The setting as given.
    setting: &'a Setting,
    /// The setting with the numbers of behaviours in its path, instead of their words.
    numbered: Setting,
    splice: Splice,
}

/// Source of a byte in a text with settings.
enum ByteOrigin {
    /// Offset of a byte in the user's file.
    File(usize),
    /// Index of a setting, and offset of a byte in the text that the setting adds.
    Setting(usize, usize),
}

impl<'a> AppliedSettings<'a> {
    /// Applies settings to a map, one after another.
    ///
    /// # Errors
    /// Returns an error if a setting names an agent, mode or list entry that the map does not have.
    pub fn new(mut map: SpanTree, settings: &'a [Setting]) -> Result<Self, SettingError> {
        let mut spliced = Vec::with_capacity(settings.len());
        for setting in settings {
            let numbered = super::numbered(setting, &map)?;
            let splice = super::put_in(&numbered, &mut map)?;
            spliced.push(Spliced { setting, numbered, splice });
        }
        Ok(Self { map, spliced })
    }

    /// Returns the applied settings in order. Their paths contain the numbers of behaviours instead
    /// of their words.
    pub fn settings(&self) -> impl Iterator<Item = &Setting> {
        self.spliced.iter().map(|spliced| &spliced.numbered)
    }

    /// Converts the locations of problems in the text with settings. The new locations are in the
    /// user's file or in a setting. Adds each setting with a problem to `report` as a file.
    pub fn relocated(&self, list: Vec<Diagnostic>, report: &mut Report) -> Vec<Diagnostic> {
        let mut files = BTreeMap::new();
        let relocate = |diagnostic: Diagnostic| {
            let Range { start, end } = diagnostic.span.clone();
            let (index, at) = match self.trace(self.spliced.len(), start) {
                ByteOrigin::Setting(index, at) => (index, at),
                ByteOrigin::File(start) => {
                    let end = self.offset_in_file(end);
                    return Diagnostic { span: start..end.max(start), ..diagnostic };
                }
            };
            let Spliced { setting, splice, .. } = &self.spliced[index];
            let file = *files.entry(index).or_insert_with(|| {
                let label = format!("--set {}", show::text(&setting.to_string()));
                report.add_source(Source::new(label, None, &setting.to_string()))
            });
            let end = (at + end.saturating_sub(start)).min(splice.text.len());
            // Settings can omit the `body` of their agent.
            let help = diagnostic.help.iter().map(|help| help.replace("`body.", "`")).collect();
            Diagnostic { file, span: self.spliced[index].typed(at..end), help, ..diagnostic }
        };
        list.into_iter().map(relocate).collect()
    }

    /// Returns the offset in the user's file for a byte in the text with all settings applied.
    pub fn offset_in_file(&self, at: usize) -> usize {
        self.in_file(self.spliced.len(), at)
    }

    /// Returns the origin of a byte. `at` is its offset in the text with the first `count` settings
    /// applied.
    fn trace(&self, count: usize, mut at: usize) -> ByteOrigin {
        for (index, Spliced { splice, .. }) in self.spliced[..count].iter().enumerate().rev() {
            let Splice { span, text } = splice;
            if at >= span.start + text.len() {
                at = at - text.len() + span.len();
            } else if at >= span.start {
                return ByteOrigin::Setting(index, at - span.start);
            }
        }
        ByteOrigin::File(at)
    }

    /// Converts a byte offset in the text with the first `count` settings applied to a byte offset
    /// in the user's file. For a byte of a setting, returns the end of the replaced bytes.
    fn in_file(&self, count: usize, at: usize) -> usize {
        match self.trace(count, at) {
            ByteOrigin::File(at) => at,
            ByteOrigin::Setting(index, _) => {
                self.in_file(index, self.spliced[index].splice.span.end)
            }
        }
    }
}

impl Spliced<'_> {
    /// Maps a byte range of the new content to the setting as typed. Returns the byte range of the
    /// value, of a key in the path, or of the whole setting.
    fn typed(&self, span: Range<usize>) -> Range<usize> {
        let (typed, value) = (self.setting.to_string(), self.setting.value_text());
        let text = &self.splice.text;
        let values = typed.len() - value.len();
        let Some(inside) = text.rfind(value) else { return 0..typed.len() };
        if span.start >= inside && span.end <= inside + value.len() {
            return values + span.start - inside..values + span.end - inside;
        }
        let key = text.get(span).unwrap_or_default();
        let mut end = values - 1;
        for part in typed[..end].rsplit('.') {
            let begin = end - part.len();
            if part == key {
                return begin..end;
            }
            end = begin.saturating_sub(1);
        }
        0..typed.len()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Options, Origin, load};

    const MAP: &str = "\
tiles = '''
....
....
'''

[[agent]]
name = \"guard\"
at   = [1, 1]
body = { mass = 1 }

[[agent.mode]]
name  = \"idle\"

[[agent.mode]]
name  = \"roam\"
steer = [{ do = \"wander\", weigth = 2 }]
";

    /// Returns the source, line number, marked text and advice of each error.
    fn wrong(settings: &[&str]) -> Vec<(String, usize, String, String)> {
        let (label, text) = ("a.toml".to_owned(), MAP.to_owned());
        let origin = Origin::Text { label, text, set: None };
        let set = settings.iter().map(|text| crate::settings::parse(text).unwrap()).collect();
        let report = load(&origin, &Options { set, ..Options::default() }).unwrap().report;
        let all = report.diagnostics().iter().zip(report.entries());
        let each = all.filter(|(_, entry)| entry.severity == "error").map(|(each, entry)| {
            let text = report.source(each.file).text()[each.span.clone()].to_owned();
            (entry.file.to_owned(), entry.line, text, entry.help)
        });
        each.collect()
    }

    /// Returns the error that the map file has without settings, in the form of `wrong`.
    fn own() -> (String, usize, String, String) {
        ("a.toml".into(), 16, "weigth".into(), "did you mean `weight`?".into())
    }

    #[track_caller]
    fn check(setting: &str, marked: &str, help: &str) {
        let file = format!("--set {setting}");
        assert_eq!(wrong(&[setting]), [own(), (file, 1, marked.to_owned(), help.to_owned())]);
    }

    #[test]
    fn errors_show_a_setting_as_typed() {
        assert_eq!(wrong(&[]), [own()]);
        check("guard.speed=3", "speed", "did you mean `max_speed`?");
        check("guard.turn=3", "turn", "did you mean `max_turn_rate`?");
        check("guard.max_sped=3", "max_sped", "did you mean `max_speed`?");
        check("guard.headng=3", "headng", "did you mean `heading`?");
        check("guard.body.max_sped=3", "max_sped", "did you mean `max_speed`?");
        check("guard.body.view.rnge=4", "rnge", "did you mean `range`?");
        check("guard.mass=-1", "-1", "");
    }

    #[test]
    fn errors_are_assigned_to_the_right_setting() {
        let relocated = wrong(&["guard.speed=3", "guard.max_speed=2", "guard.at=[9, 9]"]);
        let relocated: Vec<_> =
            relocated.iter().map(|(file, line, text, _)| (&**file, *line, &**text)).collect();
        let [own, speed, at] = [
            ("a.toml", 16, "weigth"),
            ("--set guard.speed=3", 1, "speed"),
            ("--set guard.at=[9, 9]", 1, "[9, 9]"),
        ];
        assert_eq!(relocated, [own, speed, at]);
    }

    #[test]
    fn errors_after_a_setting_have_the_lines_of_the_file() {
        // The settings add lines above the error in the file.
        for settings in [&["guard.heading=90"][..], &["guard.heading=90", "guard.every=2"]] {
            assert_eq!(wrong(settings), [own()]);
        }
        // A setting that replaces the invalid value gets the error.
        let relocated = wrong(&["guard.roam.steer=[{ do = \"wnder\" }]"]);
        assert_eq!((relocated.len(), relocated[0].2.as_str()), (1, "\"wnder\""));
    }
}
