//! Warnings about runs of other programs.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::files::traces::warnings::{self, RunWarning};
use crate::files::{self, Options, Origin, show, traces};
use crate::scenario::Scenario;
use crate::scenario::expectation::Expectation;
use crate::words;

use super::super::CliError;
use super::super::output::{Output, report_problems};
use super::CheckArgs;

/// A run with its warnings.
pub(super) struct CheckedRun {
    label: String,
    agents: usize,
    frames: u32,
    warnings: Vec<RunWarning>,
}

/// A run in the JSON output.
#[derive(Debug, Serialize)]
struct RunJson<'a> {
    run: &'a str,
    agents: usize,
    frames: u32,
    warnings: Vec<WarningJson<'a>>,
}

#[derive(Debug, Serialize)]
struct WarningJson<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    message: &'a str,
}

impl CheckedRun {
    /// Reads a run, its map and its expectations. Returns `None` after printing the errors of the map
    /// or of the expectations.
    pub fn open(path: &Path, args: &CheckArgs) -> Result<Option<Self>, CliError> {
        let (origin, options) = args.runs.from.open(path, Options::default())?;
        let loaded = files::load(&origin, &options)?;
        report_problems(&loaded.report, args.color);
        let (Some(scenario), Some(run)) = (&loaded.scenario, &options.run) else { return Ok(None) };
        let mut found = warnings::find(&run.table, scenario);
        let Some(traced) = scenario.traced() else { return Ok(None) };
        let mut note = |what: &str, texts: Vec<String>| {
            found.extend(warnings::detectors(
                &traced.trace,
                what,
                texts.iter().map(String::as_str),
            ));
        };
        if let Origin::Disk(map) = &origin {
            let alone = files::load(&origin, &Options::default())?;
            if let Some(scenario) = &alone.scenario {
                note("the expectations of the map", texts(scenario.expectations()));
                let (kept, _) = files::load_breaks(map, scenario);
                let breaks = kept.breaks.iter().map(|it| it.text().to_owned()).collect();
                note("the breakpoints of the map", breaks);
            }
        }
        if let Some(expect) = &args.runs.expect {
            let (judged, report) = files::add_expectations(scenario, expect)?;
            report_problems(&report, args.color);
            let Some(judged) = judged else { return Ok(None) };
            let what = format!("the expectations in {}", show::path(expect));
            note(&what, texts(Scenario::expectations(&judged)));
        }
        Ok(Some(Self {
            label: run.table.label.clone(),
            agents: run.table.agents.len(),
            frames: run.table.frames,
            warnings: found,
        }))
    }

    pub fn has_warnings(&self) -> bool {
        !self.warnings.is_empty()
    }

    /// Prints the warnings and a summary.
    pub fn print(&self, out: &mut Output) -> Result<(), CliError> {
        for warning in &self.warnings {
            out.line(warning.line(&self.label))?;
        }
        let agents = words::count(self.agents as u64, "agent");
        let frames = words::count(self.frames.into(), "frame");
        let warnings = match self.warnings.len() {
            0 => "no warnings".to_owned(),
            count => words::count(count as u64, "warning"),
        };
        out.line(format_args!("{}: {agents}, {frames}: {warnings}", self.label))
    }

    fn json(&self) -> RunJson<'_> {
        RunJson {
            run: &self.label,
            agents: self.agents,
            frames: self.frames,
            warnings: self
                .warnings
                .iter()
                .map(|it| WarningJson {
                    kind: it.kind,
                    line: it.place.map(|(line, _)| line),
                    column: it.place.map(|(_, column)| column),
                    message: &it.text,
                })
                .collect(),
        }
    }
}

/// Prints runs as a JSON array.
pub(super) fn print_json(runs: &[CheckedRun], out: &mut Output) -> Result<(), CliError> {
    out.json(&runs.iter().map(CheckedRun::json).collect::<Vec<_>>())
}

/// Returns the runs, and the other paths.
pub(super) fn separated(paths: Vec<PathBuf>) -> (Vec<PathBuf>, Vec<PathBuf>) {
    paths.into_iter().partition(|path| traces::is_run_path(path))
}

/// Returns the texts of the conditions and values of expectations.
fn texts(expectations: &[Expectation]) -> Vec<String> {
    let of = |expectation: &Expectation| {
        let conditions = expectation.conditions().map(|condition| condition.text().to_owned());
        let value = expectation.form.value().map(|value| value.text().to_owned());
        conditions.chain(value).collect::<Vec<_>>()
    };
    expectations.iter().flat_map(of).collect()
}
