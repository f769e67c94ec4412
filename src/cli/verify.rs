//! `tilewalk verify`: is a recording still what happens?

use std::process::ExitCode;

use serde::Serialize;

use crate::files::recorded::{self, Recorded};
use crate::history::run::{Divergence, RunId};
use crate::history::{DEFAULT_BUDGET, History};
use crate::report::summary::hex;
use crate::words;

use super::CliError;
use super::args::VerifyArgs;
use super::output::{Output, complain};

/// The recording is no longer what happens, or is damaged.
const EXIT_DIVERGED: u8 = 1;

/// What is printed.
#[derive(Debug, Serialize)]
struct Verdict {
    file: String,
    runs: Vec<RunVerdict>,
    /// Bytes at the end that could not be used.
    cut_bytes: u64,
    /// Are these bytes other ones than were written?
    damaged: bool,
    ok: bool,
}

/// What became of one run.
#[derive(Debug, Serialize)]
struct RunVerdict {
    run: u32,
    frames: u64,
    /// How many state hashes were compared.
    hashes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    diverges: Option<Diverges>,
}

/// Where a run is not what it was.
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

/// Makes every run again and compares; the exit code is 1 when a frame differs or bytes are damaged.
pub(super) fn verify(args: &VerifyArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let recorded = recorded::recording(&args.file)?;
    let runs = runs(&recorded);
    let cut = recorded.recording.cut;
    let damaged = cut.is_some_and(|cut| cut.damaged);
    let ok = !damaged && runs.iter().all(|run| run.diverges.is_none());
    let cut_bytes = cut.map_or(0, |cut| cut.bytes);
    let verdict = Verdict { file: recorded.label, runs, cut_bytes, damaged, ok };
    if let Some(words) = recorded::cut_in_words(&recorded.recording) {
        complain(&format!("{}: {words}", verdict.file));
    }
    if args.json {
        out.json(&verdict)?;
    } else {
        for run in &verdict.runs {
            out.line(in_words(run))?;
        }
    }
    out.flush()?;
    Ok(if ok { ExitCode::SUCCESS } else { ExitCode::from(EXIT_DIVERGED) })
}

fn runs(recorded: &Recorded) -> Vec<RunVerdict> {
    let mut history = History::replay(&recorded.recording, &recorded.scenarios, DEFAULT_BUDGET);
    let verdict = |index| {
        history.return_to(RunId(index));
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
