//! The text of a map with settings applied.
//!
//! This type knows which bytes came from a setting. An error in a setting is shown in the setting
//! as the user typed it. All other errors are shown at their line of the user's file.

use std::collections::BTreeMap;
use std::ops::Range;

use super::diagnostic::{Diagnostic, Report};
use super::settings::{Setting, SettingError};
use super::source::Source;
use super::splice::Splice;

/// A text with settings.
#[derive(Debug, Default)]
pub struct Applied<'a> {
    /// The text.
    pub text: String,
    /// What was put in, one after the other.
    spliced: Vec<Spliced<'a>>,
}

/// A setting that was put into a text.
#[derive(Debug)]
struct Spliced<'a> {
    setting: &'a Setting,
    /// The bytes of the text before that it took the place of.
    span: Range<usize>,
    /// What stands there now.
    text: String,
}

/// Where a byte comes from.
enum Origin {
    /// The person's file.
    File(usize),
    /// What was put in for a setting, by its place in the list; the byte of that.
    Setting(usize, usize),
}

impl<'a> Applied<'a> {
    /// Writes settings into the text of a map. A text that is no TOML stays as it is: reading it will
    /// say why.
    ///
    /// # Errors
    /// When an agent, a mode or a row is named that the map doesn't have.
    pub fn new(text: &str, settings: &'a [Setting]) -> Result<Self, SettingError> {
        let mut applied = Self { text: text.to_owned(), spliced: Vec::new() };
        for setting in settings {
            if let Some(Splice { span, text }) = setting.splice(&applied.text)? {
                applied.text.replace_range(span.clone(), &text);
                applied.spliced.push(Spliced { setting, span, text });
            }
        }
        Ok(applied)
    }

    /// What is wrong with the text, told of the file and of the settings; `report` gets those that
    /// something is wrong with.
    pub fn told(&self, list: Vec<Diagnostic>, report: &mut Report) -> Vec<Diagnostic> {
        let mut files = BTreeMap::new();
        let tell = |diagnostic: Diagnostic| {
            let Range { start, end } = diagnostic.span.clone();
            let (index, at) = match self.trace(self.spliced.len(), start) {
                Origin::Setting(index, at) => (index, at),
                Origin::File(start) => {
                    let end = self.in_file(self.spliced.len(), end);
                    return Diagnostic { span: start..end.max(start), ..diagnostic };
                }
            };
            let Spliced { setting, text, .. } = &self.spliced[index];
            let file = *files.entry(index).or_insert_with(|| {
                let label = format!("--set {}", setting.shown());
                report.add_source(Source::new(label, None, &setting.to_string()))
            });
            let end = (at + end.saturating_sub(start)).min(text.len());
            // A setting may leave out the `body` of its agent.
            let help = diagnostic.help.iter().map(|help| help.replace("`body.", "`")).collect();
            Diagnostic { file, span: self.spliced[index].typed(at..end), help, ..diagnostic }
        };
        list.into_iter().map(tell).collect()
    }

    /// Where a byte comes from, of the text with the first settings.
    fn trace(&self, count: usize, mut at: usize) -> Origin {
        for (index, Spliced { span, text, .. }) in self.spliced[..count].iter().enumerate().rev() {
            if at >= span.start + text.len() {
                at = at - text.len() + span.len();
            } else if at >= span.start {
                return Origin::Setting(index, at - span.start);
            }
        }
        Origin::File(at)
    }

    /// The byte of the file for one of the text with the first settings: within one, that after it.
    fn in_file(&self, count: usize, at: usize) -> usize {
        match self.trace(count, at) {
            Origin::File(at) => at,
            Origin::Setting(index, _) => self.in_file(index, self.spliced[index].span.end),
        }
    }
}

impl Spliced<'_> {
    /// The bytes of the setting as it is typed for some of what was put in: those of its value, or of a
    /// key on the way to it, else all of it.
    fn typed(&self, span: Range<usize>) -> Range<usize> {
        let (typed, value) = (self.setting.to_string(), self.setting.value_text());
        let values = typed.len() - value.len();
        let Some(inside) = self.text.rfind(&value) else { return 0..typed.len() };
        if span.start >= inside && span.end <= inside + value.len() {
            return values + span.start - inside..values + span.end - inside;
        }
        let key = self.text.get(span).unwrap_or_default();
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

    /// Errors: the source, the line, the marked text, the help.
    fn wrong(settings: &[&str]) -> Vec<(String, usize, String, String)> {
        let (label, text) = ("a.toml".to_owned(), MAP.to_owned());
        let origin = Origin::Text { label, text, set: None };
        let set = settings.iter().map(|text| text.parse().unwrap()).collect();
        let report = load(&origin, &Options { seed: None, set }).unwrap().report;
        let all = report.diagnostics().iter().zip(report.entries());
        let each = all.filter(|(_, entry)| entry.severity == "error").map(|(each, entry)| {
            let text = report.source(each.file).text()[each.span.clone()].to_owned();
            (entry.file.to_owned(), entry.line, text, entry.help)
        });
        each.collect()
    }

    /// The mistake of the file itself, which is told where the file has it.
    fn own() -> (String, usize, String, String) {
        ("a.toml".into(), 16, "weigth".into(), "did you mean `weight`?".into())
    }

    #[track_caller]
    fn check(setting: &str, marked: &str, help: &str) {
        let file = format!("--set {setting}");
        assert_eq!(wrong(&[setting]), [own(), (file, 1, marked.to_owned(), help.to_owned())]);
    }

    #[test]
    fn a_wrong_setting_is_shown_as_it_was_given() {
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
    fn each_of_several_settings_is_told_apart() {
        let told = wrong(&["guard.speed=3", "guard.max_speed=2", "guard.at=[9, 9]"]);
        let told: Vec<_> =
            told.iter().map(|(file, line, text, _)| (&**file, *line, &**text)).collect();
        let [own, speed, at] = [
            ("a.toml", 16, "weigth"),
            ("--set guard.speed=3", 1, "speed"),
            ("--set guard.at=[9, 9]", 1, "[9, 9]"),
        ];
        assert_eq!(told, [own, speed, at]);
    }

    #[test]
    fn what_stands_behind_a_setting_is_told_by_the_lines_of_the_file() {
        // The new lines come before the mistake of the file.
        for settings in [&["guard.heading=90"][..], &["guard.heading=90", "guard.every=2"]] {
            assert_eq!(wrong(settings), [own()]);
        }
        // A value that takes the mistake's place takes its blame.
        let told = wrong(&["guard.roam.steer=[{ do = \"wnder\" }]"]);
        assert_eq!((told.len(), told[0].2.as_str()), (1, "\"wnder\""));
    }
}
