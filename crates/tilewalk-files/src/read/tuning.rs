//! Changes a value of a running map by reading the stored map text again with an additional
//! setting.
//!
//! Values are never written into a world. The new scenario becomes a `Reload` command, so a run
//! depends only on its commands. After a file is saved, [`repeat_changes`] applies the settings of
//! a run to the new text. Values that were changed in the file itself are not overwritten.

use std::fmt;
use std::sync::Arc;

use crate::disk::store::Origin;
use crate::keys::map::MAP;
use crate::read::loading::{Loaded, Options, load_tuning, reload};
use crate::settings::{self, AppliedSettings, Setting, SettingError};
use crate::show;
use crate::text::diagnostic::Severity;
use crate::text::span_tree::SpanTree;
use crate::values::TunableValue;
use crate::values::ValuePath;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::sources::{FileRole, Sources};

/// Result of changing a value of a map.
#[derive(Debug, Clone)]
pub struct TuningChange {
    /// The map with the new value.
    pub scenario: Arc<Scenario>,
    /// Path of the changed value.
    pub path: ValuePath,
    /// Old value as written, or else the default. Empty if the value was not written and has no
    /// default.
    pub before: String,
    /// New value as written, or else the default. Empty if the value is not written and has no
    /// default.
    pub after: String,
    /// Setting that the change replaces; `None` if the value had no setting.
    pub earlier: Option<Setting>,
    /// Value as written in the map text, without any settings; `None` if the text does not contain
    /// the value.
    pub written: Option<String>,
}

/// A value that differs from the map file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueDifference {
    /// Path of the value.
    pub path: ValuePath,
    /// Value in the file, or else the default. Empty if the file does not contain the value and
    /// there is no default.
    pub before: String,
    /// New value as written.
    pub after: String,
    /// Line of the file that contains the value or has a place for it, from 1; `None` if the file
    /// has no such line.
    pub line: Option<usize>,
}

/// A setting that a changed map does not have any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DroppedSetting {
    /// The setting.
    pub setting: Setting,
    /// Value in the file that took its place; `None` if the file does not contain the value.
    pub there: Option<String>,
}

impl fmt::Display for DroppedSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, value) = (self.setting.path(), self.setting.value_text());
        match &self.there {
            Some(there) => {
                let there = show::text(there);
                write!(f, "{path} = {value} was dropped, because the file now has {there}")
            }
            None => write!(f, "{path} = {value} no longer applies and was dropped"),
        }
    }
}

/// Reads a map again with an additional setting.
///
/// # Errors
/// Returns the reason if the setting is invalid. The reason is one line that is safe to print.
pub fn change(sources: &Arc<Sources>, setting: &Setting) -> Result<TuningChange, String> {
    replace(sources, setting, Some(setting))
}

/// Reads a map again without the setting for the path of `setting`.
///
/// # Errors
/// Returns the reason if the map is invalid without the setting. The reason is one line that is
/// safe to print.
pub fn unset(sources: &Arc<Sources>, setting: &Setting) -> Result<TuningChange, String> {
    replace(sources, setting, None)
}

/// Reads a map again with other settings. Replaces the settings for the path of `setting` with
/// `new`. Removes them if `new` is `None`.
fn replace(
    sources: &Arc<Sources>,
    setting: &Setting,
    new: Option<&Setting>,
) -> Result<TuningChange, String> {
    let mut options = options_of(sources)?;
    let map = SpanTree::parse(map_text(sources)).ok_or("the map is not valid TOML")?;
    let set = AppliedSettings::new(map.clone(), &options.set).map_err(|error| error.to_string())?;
    let setting = &settings::numbered(setting, &set.map).map_err(|error| error.to_string())?;
    let new = new.map(|_| setting);
    let present = |map| settings::present_in(setting, Some(map));
    let (before, written) = (present(&set.map), present(&map));
    let path = setting.path();
    let earlier = options.set.iter().rfind(|other| other.path() == path).cloned();
    options.set.retain(|other| other.path() != path);
    options.set.extend(new.cloned());
    let origin = Origin::Kept(Arc::clone(sources));
    let agent = path.agent();
    let loaded = load_tuning(&origin, &options, Some(map), agent.as_slice());
    let loaded = loaded.map_err(|error| error.to_string())?;
    let default = || default_of(&loaded.tunables, path);
    let after = new.map(|new| new.value_text().to_owned()).or_else(|| written.clone());
    let Some(scenario) = &loaded.scenario else { return Err(complaint(setting, &loaded)) };
    Ok(TuningChange {
        scenario: Arc::clone(scenario),
        before: before.or_else(default).unwrap_or_default(),
        after: after.or_else(default).unwrap_or_default(),
        path: path.clone(),
        earlier,
        written,
    })
}

fn default_of(tunables: &[TunableValue], path: &ValuePath) -> Option<String> {
    if path.table.is_none() {
        return MAP.key(&path.key)?.default_text();
    }
    let default = tunables.iter().find(|tunable| tunable.path == *path)?.default;
    default.map(|default| default.to_string())
}

/// Returns the tunable values of an agent in reading order. `kind` is the agent's name without a
/// number.
///
/// # Errors
/// Returns the reason if the map can't be read again. The reason is one line that is safe to print.
pub fn tunables(sources: &Arc<Sources>, kind: &str) -> Result<Vec<TunableValue>, String> {
    let options = options_of(sources)?;
    let loaded = load_tuning(&Origin::Kept(Arc::clone(sources)), &options, None, &[kind]);
    Ok(loaded.map_err(|error| error.to_string())?.tunables)
}

/// Returns the settings of a map that differ from the values in a map file. `file` is the text of
/// that file.
pub fn unwritten(sources: &Sources, file: &str) -> Vec<Setting> {
    if sources.set.is_empty() {
        return Vec::new();
    }
    let map = SpanTree::parse(file);
    let differs = |setting: &&Setting| {
        settings::present_in(setting, map.as_ref()).as_deref() != Some(setting.value_text())
    };
    sources.set.iter().filter(differs).cloned().collect()
}

/// Compares each setting with the values in a map file. `file` is the text of that file. Returns
/// one entry per setting, in the same order, including equal values.
pub fn differences(
    sources: &Arc<Sources>,
    settings: &[Setting],
    file: &str,
) -> Vec<ValueDifference> {
    let map = SpanTree::parse(file);
    let is_in_file = |setting: &Setting| settings::present_in(setting, map.as_ref()).is_some();
    let agents: Vec<&str> = settings.iter().filter_map(|it| it.path().agent()).collect();
    let origin = Origin::Kept(Arc::clone(sources));
    let read = || load_tuning(&origin, &options_of(sources).ok()?, None, &agents).ok();
    let tunables = if settings.iter().all(is_in_file) { None } else { read() };
    let tunables = tunables.map(|loaded| loaded.tunables).unwrap_or_default();
    let difference = |setting: &Setting| {
        let written = settings::present_in(setting, map.as_ref());
        let before = written.or_else(|| default_of(&tunables, setting.path()));
        ValueDifference {
            path: setting.path().clone(),
            before: before.unwrap_or_default(),
            after: setting.value_text().to_owned(),
            line: map.as_ref().and_then(|map| settings::line_in(setting, map)),
        }
    };
    settings.iter().map(difference).collect()
}

/// Reloads a map and repeats the changes that a run made to its settings. These are the differences
/// between the settings of `before` and `after`.
///
/// A change is skipped if its value in the file differs from its value in the earlier text `old`.
/// The file then takes precedence. A change that the new map has no place for is skipped, too. `set`
/// contains the settings of the new map and is updated. Returns `None` if `set` does not change or
/// the map is invalid.
pub fn repeat_changes(
    new: &Arc<Sources>,
    set: &mut Vec<Setting>,
    (before, after): (&Sources, &Sources),
    old: &str,
) -> Option<Arc<Scenario>> {
    let text = &new.file(&FileRole::Map)?.text;
    let (before, after) = (&before.set, &after.set);
    let count = set.len();
    let is_gone = |setting: &Setting| {
        let has = |list: &[Setting]| list.iter().any(|other| other.path() == setting.path());
        has(before) && !has(after)
    };
    set.retain(|setting| !is_gone(setting));
    let has_removed = set.len() < count;
    let mut made: Vec<_> = after.iter().filter(|setting| !before.contains(setting)).collect();
    if !made.is_empty() {
        let [new_map, old_map] = [text, old].map(SpanTree::parse);
        made.retain(|setting| {
            let there = settings::present_in(setting, new_map.as_ref());
            let is_set = set.iter().any(|other| other.path() == setting.path());
            let differs = is_set || there.as_deref() != Some(setting.value_text());
            there == settings::present_in(setting, old_map.as_ref()) && differs
        });
    }
    if made.is_empty() && !has_removed {
        return None;
    }
    let with = |set: &[Setting], made: &[&Setting]| {
        let mut set = set.to_vec();
        for &setting in made {
            settings::put(&mut set, setting.clone());
        }
        set
    };
    let read = |set: &[Setting]| {
        let options = Options { seed: new.seed, set: set.to_vec(), run: new.run.clone() };
        reload(new, &options).ok()?.scenario
    };
    let all = with(set, &made);
    if let Some(scenario) = read(&all) {
        *set = all;
        return Some(scenario);
    }
    // A value that no longer fits must not take the others along.
    let mut is_changed = has_removed;
    for setting in made {
        let one_more = with(set, &[setting]);
        if read(&one_more).is_some() {
            (*set, is_changed) = (one_more, true);
        }
    }
    is_changed.then(|| read(set)).flatten()
}

/// Returns the settings of `wanted` that a map does not have any more. `new` are the files and
/// settings of the map.
pub fn dropped(wanted: &[Setting], new: &Sources) -> Vec<DroppedSetting> {
    let map = SpanTree::parse(map_text(new));
    let lost = wanted.iter().filter_map(|setting| {
        let there = settings::present_in(setting, map.as_ref());
        let is_there = there.as_deref() == Some(setting.value_text());
        let is_lost = !is_there && !new.set.contains(setting);
        is_lost.then(|| DroppedSetting { setting: setting.clone(), there })
    });
    lost.collect()
}

/// Returns the text of a map with settings applied.
///
/// # Errors
/// Returns an error if a setting names an agent, mode or list entry that the map does not have.
pub fn text_with(sources: &Sources, settings: &[Setting]) -> Result<String, SettingError> {
    settings::apply(map_text(sources), settings)
}

fn map_text(sources: &Sources) -> &str {
    sources.file(&FileRole::Map).map_or("", |file| &file.text)
}

fn options_of(sources: &Sources) -> Result<Options, String> {
    if sources.files.is_empty() {
        return Err("this map was not read from a file, so its values can't be set".to_owned());
    }
    Ok(Options::of(sources))
}

/// Describes the first error that a setting causes in a map.
fn complaint(setting: &Setting, loaded: &Loaded) -> String {
    let errors = loaded.report.diagnostics().iter();
    let mut errors = errors.filter(|each| each.severity == Severity::Error);
    let Some(first) = errors.next() else { return format!("can't set `{setting}`") };
    let help = first.help.first().map_or_else(String::new, |help| format!("; {help}"));
    format!("`{setting}`: {}{help}", first.message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::memory_limit::PARSED;
    use crate::{load, shipped};

    fn settings_of(sources: &Sources) -> Vec<String> {
        sources.set.iter().map(Setting::to_string).collect()
    }

    fn flock() -> Arc<Sources> {
        let loaded = load(&shipped::map("flock"), &Options::default()).unwrap();
        Arc::clone(loaded.scenario.unwrap().sources())
    }

    #[test]
    fn a_change_has_the_old_and_new_value_and_replaces_earlier_ones() {
        let mut sources = flock();
        for (text, before) in [
            ("boid.steer.2.weight=3", "2"),
            ("boid.steer.2.weight=4", "3"),
            ("boid.max_speed=6", "4"),
            ("boid.body.max_speed=7", "6"),
        ] {
            let setting: Setting = settings::parse(text).unwrap();
            let change = change(&sources, &setting).unwrap();
            assert_eq!(
                (change.before.as_str(), change.after.as_str()),
                (before, setting.value_text())
            );
            sources = Arc::clone(change.scenario.sources());
        }
        assert_eq!(settings_of(&sources), ["boid.steer.2.weight=4", "boid.body.max_speed=7"]);
        let file = &sources.file(&FileRole::Map).unwrap().text;
        assert_eq!(unwritten(&sources, file).len(), 2);
        let written = text_with(&sources, &sources.set).unwrap();
        assert!(unwritten(&sources, &written).is_empty());
    }

    /// A change parses the map twice, regardless of earlier changes: once to find the locations of
    /// all values, and once to read the new text.
    #[test]
    fn a_change_parses_the_map_twice() {
        let mut sources = flock();
        for number in 0..30 {
            let key = ["steer.1.weight", "steer.2.weight", "body.max_speed", "body.mass"];
            let setting =
                settings::parse(&format!("boid.{}={}", key[number % 4], number + 1)).unwrap();
            let before = PARSED.get();
            sources = Arc::clone(change(&sources, &setting).unwrap().scenario.sources());
            assert_eq!(PARSED.get() - before, 2);
        }
        assert_eq!(sources.set.len(), 4);
        let file = &sources.file(&FileRole::Map).unwrap().text;
        let before = PARSED.get();
        assert_eq!(unwritten(&sources, file).len(), 4);
        assert_eq!(PARSED.get() - before, 1);
        text_with(&sources, &sources.set).unwrap();
        assert_eq!(PARSED.get() - before, 2);
    }

    #[test]
    fn settings_are_stored_with_numbers_instead_of_behaviour_words() {
        let sources = changed(&flock(), "boid.steer.alignment.weight=3");
        assert_eq!(settings_of(&sources), ["boid.steer.2.weight=3"]);
        let repeated = changed(&sources, "boid.steer.alignment.weight=4");
        assert_eq!(settings_of(&repeated), ["boid.steer.2.weight=4"]);
    }

    #[test]
    fn values_of_the_map_itself_can_be_changed() {
        let change = change(&flock(), &settings::parse("tick=0.1").unwrap()).unwrap();
        assert_eq!((change.before.as_str(), change.after.as_str()), ("0.05", "0.1"));
        assert_eq!(change.scenario.tick(), 0.1);
        let error = super::change(&flock(), &settings::parse("edges=round").unwrap()).unwrap_err();
        assert!(error.contains("valid values: `wall`, `wrap`"), "{error}");
    }

    fn changed(sources: &Arc<Sources>, setting: &str) -> Arc<Sources> {
        let change = change(sources, &settings::parse(setting).unwrap()).unwrap();
        Arc::clone(change.scenario.sources())
    }

    #[test]
    fn a_setting_can_be_removed_and_compared_with_the_file() {
        let plain = flock();
        let sources = changed(&changed(&plain, "boid.max_speed=6"), "boid.steer.2.weight=3");
        let settings = &sources.set;
        let file = &plain.file(&FileRole::Map).unwrap().text;
        let differences = differences(&sources, settings, file);
        let texts = differences.iter().map(|it| (it.before.as_str(), it.after.as_str(), it.line));
        let line = |text: &str| file.lines().position(|line| line.contains(text)).map(|at| at + 1);
        let expected = [("4", "6", line("body  ")), ("2", "3", line("alignment\""))];
        assert_eq!(texts.collect::<Vec<_>>(), expected);
        let change = unset(&sources, &settings[0]).unwrap();
        assert_eq!((change.before.as_str(), change.after.as_str()), ("6", "4"));
        assert_eq!(settings_of(change.scenario.sources()), ["boid.steer.2.weight=3"]);
        assert_eq!((change.earlier.as_ref(), change.written), (Some(&settings[0]), None));
    }

    /// A run sets a value and then sets it back, in one of two ways.
    #[test]
    fn a_value_that_was_set_back_stays_so_after_redo() {
        let plain = flock();
        let file = &plain.file(&FileRole::Map).unwrap().text;
        let set = changed(&plain, "boid.steer.2.weight=3");
        for back in [changed(&set, "boid.steer.2.weight=2"), Arc::clone(&plain)] {
            let mut settings = Vec::new();
            repeat_changes(&plain, &mut settings, (&plain, &set), file).expect("a changed value");
            let scenario =
                repeat_changes(&plain, &mut settings, (&set, &back), file).expect("another one");
            assert!(unwritten(scenario.sources(), file).is_empty(), "{settings:?}");
        }
    }

    #[test]
    fn errors_name_the_setting() {
        let error = |text: &str| change(&flock(), &settings::parse(text).unwrap()).unwrap_err();
        let weigth = error("boid.steer.2.weigth=3");
        assert!(
            weigth.contains("boid.steer.2.weigth=3") && weigth.contains("`weight`?"),
            "{weigth}"
        );
        assert!(error("boid.max_speed=-1").contains("must be between 0 and 1000, but is -1"));
        assert!(error("boid.steer.9.weight=1").contains("4 entries"));
        assert!(error("bird.steer.2.weight=1").contains("unknown agent `bird`"));
        assert!(tunables(&Arc::default(), "boid").unwrap_err().contains("not read from a file"));
    }

    /// Each tunable value can be set to the current value without changing anything.
    #[test]
    fn tunable_values_can_be_set_in_every_shipped_map() {
        let mut tried = 0;
        for (name, map) in shipped::maps() {
            let loaded = load(&map, &Options::default()).unwrap();
            let scenario = loaded.scenario.unwrap();
            for kind in scenario.kinds().iter().take(2) {
                for tunable in tunables(scenario.sources(), &kind.name).unwrap().iter().step_by(3) {
                    if tunable.present().is_empty() {
                        continue;
                    }
                    let setting = settings::with_text(&tunable.path, &tunable.present()).unwrap();
                    let same = change(scenario.sources(), &setting);
                    let same = same.unwrap_or_else(|error| panic!("{name}: {error}"));
                    assert_eq!((&same.before, &same.path), (&tunable.present(), &tunable.path));
                    let plain = |scenario: &Scenario| format!("{:?}", scenario.kinds());
                    assert_eq!(plain(&same.scenario), plain(&scenario), "{}", tunable.path);
                    tried += 1;
                }
            }
        }
        assert!(tried > 300, "{tried}");
    }
}
