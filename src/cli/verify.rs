//! `tilewalk verify`: checks that a recording still produces the same state hashes.

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;

use crate::files::read::recorded::{self, Recorded};
use crate::history::recording::CutReason;
use crate::history::run::{Divergence, RunId};
use crate::history::{DEFAULT_BUDGET, History};
use crate::report::summary::hex;
use crate::words;

use super::CliError;
use super::output::{Output, complain};

/// Arguments of `tilewalk verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk verify chase.twr
  tilewalk verify chase.twr --json

`tilewalk run` and `tilewalk play` write recordings with --record FILE.twr.
Exit codes: 0 if all state hashes match, 1 if a state hash differs or the file is damaged, 2 if the
file is not a recording or was recorded with another engine.")]
pub struct VerifyArgs {
    /// Recording (.twr file)
    pub file: PathBuf,
    /// Print the result as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Exit code if a state hash differs or the recording is damaged.
const EXIT_DIVERGED: u8 = 1;

/// Result of verifying a recording, printed with `--json`.
#[derive(Debug, Serialize)]
struct Verdict {
    file: String,
    runs: Vec<RunVerdict>,
    /// Number of ignored bytes at the end of the recording.
    cut_bytes: u64,
    /// Whether the ignored bytes are damaged. If false, the bytes are only incomplete.
    damaged: bool,
    /// Whether the recording has an end marker. Recordings of format version 1 have no end marker.
    complete: bool,
    ok: bool,
}

/// Result of verifying one run of the recording.
#[derive(Debug, Serialize)]
struct RunVerdict {
    run: u32,
    frames: u64,
    /// Number of compared state hashes.
    hashes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    diverges: Option<Diverges>,
}

/// The first difference between a recorded run and the replay of the run.
#[derive(Debug, Serialize)]
struct Diverges {
    same_until: u64,
    at: u64,
    recorded: String,
    found: String,
}

impl From<Divergence> for Diverges {
    fn from(divergence: Divergence) -> Self {
        Self {
            same_until: divergence.same_until.0,
            at: divergence.at.0,
            recorded: hex(divergence.recorded),
            found: hex(divergence.found),
        }
    }
}

pub(super) fn verify(args: &VerifyArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let recorded = recorded::recording(&args.file)?;
    if let Some(why) = recorded::engine(&recorded.recording) {
        return Err(CliError::OtherEngine { label: recorded.label, why });
    }
    let runs = runs(&recorded);
    let cut = recorded.recording.cut;
    let damaged = cut.is_some_and(|cut| cut.reason != CutReason::Incomplete);
    let complete = recorded.recording.is_complete();
    let ok = !damaged && runs.iter().all(|run| run.diverges.is_none());
    let cut_bytes = cut.map_or(0, |cut| cut.bytes);
    let verdict = Verdict { file: recorded.label, runs, cut_bytes, damaged, complete, ok };
    for words in recorded::remarks(&recorded.recording) {
        complain(&format!("{}: {words}", verdict.file));
    }
    if args.json {
        out.json(&verdict)?;
    } else {
        for run in &verdict.runs {
            out.line(in_words(run))?;
        }
    }
    Ok(if ok { ExitCode::SUCCESS } else { ExitCode::from(EXIT_DIVERGED) })
}

fn runs(recorded: &Recorded) -> Vec<RunVerdict> {
    let mut history = History::replay(&recorded.recording, &recorded.scenarios, DEFAULT_BUDGET);
    let verdict = |index| {
        history.switch_run(RunId(index));
        history.go_to(history.run().end());
        let run = history.run();
        RunVerdict {
            run: index + 1,
            frames: run.end().0,
            hashes: run.checks().len(),
            diverges: run.divergence().map(Diverges::from),
        }
    };
    (0..recorded.recording.runs.len() as u32).map(verdict).collect()
}

fn in_words(run: &RunVerdict) -> String {
    let (frames, hashes) = (words::count(run.frames, "frame"), run.hashes as u64);
    let what = match &run.diverges {
        None if hashes == 0 => "no state hashes to compare".to_owned(),
        None => words::count_with(hashes, "state hash matches", "state hashes match"),
        Some(Diverges { same_until, at, recorded, found }) => format!(
            "mismatch at frame {at}, last match at frame {same_until}: recorded {recorded}, now {found}"
        ),
    };
    format!("run {}: {frames}, {what}", run.run)
}
