//! Reads the map of a design point.

use std::sync::Arc;

use super::maps::{numbering, with_settings};
use super::{MeasureKind, Sweep, Take, Value};
use crate::loading::LoadError;
use crate::seeded::SeededScenarios;
use crate::settings::{Setting, SettingError};
use crate::show;
use tilewalk_sim::condition::{Condition, ConditionContext, ConditionError, NumberCondition};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::sources::Sources;

/// Maximum number of seeds with which the map of a design point is read.
const MAX_SEEDS: usize = 16;

/// A design point, ready to run.
#[derive(Debug, Clone)]
pub struct Point {
    /// The map with the values of the point, for all seeds.
    pub scenarios: SeededScenarios,
    /// Condition that ends a run early; `None` if only the number of frames ends a run.
    pub until: Option<Condition>,
    /// The measures, in file order.
    pub measures: Vec<Compiled>,
}

/// A measure, checked for the map of a design point.
#[derive(Debug, Clone)]
pub enum Compiled {
    /// A number in each frame, and the rule that combines the numbers of a run.
    Value(NumberCondition, Take),
    /// Number of frames in which the condition holds.
    Count(Condition),
    /// First frame in which the condition holds; empty if there is none.
    First(Condition),
    /// Verdict of the expectation with this index in the scenario.
    Expect(usize),
}

/// Error for a design point whose map has errors. Contains a report in plain text that is safe to
/// print.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PointError(String);

impl From<SettingError> for PointError {
    fn from(error: SettingError) -> Self {
        Self(error.to_string())
    }
}

impl From<LoadError> for PointError {
    fn from(error: LoadError) -> Self {
        Self(error.to_string())
    }
}

impl Sweep {
    /// Reads the map of a design point. `values` has one value for each varied path.
    ///
    /// # Errors
    /// Returns an error if the map is invalid with these values.
    pub fn point(&self, values: &[Value]) -> Result<Point, PointError> {
        if values.len() != self.paths.len() {
            let (count, paths) = (values.len(), self.paths.len());
            return Err(PointError(format!("{count} values for {paths} varied paths")));
        }
        let mut map = None;
        let mut settings = Vec::with_capacity(values.len());
        for (path, value) in self.paths.iter().zip(values) {
            match path {
                Some(path) => settings.push(Setting::of(path, value.toml())?),
                None => map = Some(value.text()),
            }
        }
        self.point_with(map.as_deref(), &settings)
    }

    /// Reads a map with settings, and prepares the conditions of the sweep for this map. `map` is
    /// the name of a map as written in the sweep file; `None` stands for the first map.
    ///
    /// # Errors
    /// Returns an error if the sweep has no such map, or if the map is invalid with the settings.
    pub fn point_with(&self, map: Option<&str>, settings: &[Setting]) -> Result<Point, PointError> {
        let sources = self.sources(map)?;
        let paths = settings.iter().map(Setting::path).chain(self.paths.iter().flatten());
        let settings = [numbering(paths), settings.to_vec()].concat();
        let load = |seed| with_settings(sources, seed, settings.clone());
        let mut loaded = load(self.seeds.first().copied())?;
        // With some seeds, a random start has no room.
        for seed in self.seeds.iter().take(MAX_SEEDS).skip(1) {
            if loaded.scenario.is_some() {
                break;
            }
            loaded = load(Some(*seed))?;
        }
        let Some(scenarios) = loaded.seeded() else {
            return Err(PointError(loaded.report.plain()));
        };
        let scenario = scenarios.loaded();
        let read = |text: &String| condition(text, scenario);
        let until = self.until.as_ref().map(read).transpose()?;
        let measures = self.measures.iter().map(|measure| compile(&measure.kind, scenario));
        let measures = measures.collect::<Result<_, _>>()?;
        Ok(Point { scenarios, until, measures })
    }

    fn sources(&self, map: Option<&str>) -> Result<&Arc<Sources>, PointError> {
        let maps = &self.frozen.maps;
        let found = match map {
            Some(name) => maps.iter().find(|(other, _)| other == name),
            None => maps.first(),
        };
        found.map(|(_, sources)| sources).ok_or_else(|| {
            let known = show::known_names(maps.iter().map(|(name, _)| name.as_str()));
            let name = show::text(map.unwrap_or_default());
            PointError(format!("the sweep has no map `{name}`; {known}"))
        })
    }
}

fn compile(kind: &MeasureKind, scenario: &Scenario) -> Result<Compiled, PointError> {
    Ok(match kind {
        MeasureKind::Value { text, take } => {
            let number = NumberCondition::read(text, scenario, ConditionContext::Global);
            Compiled::Value(number.map_err(|error| refused(text, &error))?, *take)
        }
        MeasureKind::Count(text) => Compiled::Count(condition(text, scenario)?),
        MeasureKind::First(text) => Compiled::First(condition(text, scenario)?),
        MeasureKind::Expect(name) => {
            let index = scenario.expectations().iter().position(|each| each.name == *name);
            let error = || PointError(format!("unknown expectation `{}`", show::text(name)));
            Compiled::Expect(index.ok_or_else(error)?)
        }
    })
}

fn condition(text: &str, scenario: &Scenario) -> Result<Condition, PointError> {
    let condition = Condition::read(text, scenario, ConditionContext::Global);
    condition.map_err(|error| refused(text, &error))
}

fn refused(text: &str, error: &ConditionError) -> PointError {
    PointError(format!("`{}`: {}", show::text(text), show::text(&error.message)))
}
