//! Runs maps for many values and seeds, and writes one row per run.
//!
//! A [`plan::Plan`] numbers the runs and contains the texts of all files. The rows therefore do not
//! depend on the number of threads or on the machine. [`local`] runs a whole plan on one machine.
//! [`folder`] divides a plan into shards that any scheduler can distribute.

pub mod comparisons;
pub mod evaluate;
pub mod existing;
pub mod folder;
mod journal;
pub mod local;
mod measured;
pub mod plan;
mod publish;
mod regular_file;
pub mod row;
mod runs;
pub mod series;
pub mod summary;
pub mod table;

use std::io;
use std::path::Path;

use crate::files::show;
use crate::step::ENGINE_REVISION;

pub use runs::Runs;

/// Reason why a sweep cannot run, continue or be merged. No file was replaced or deleted.
#[expect(missing_docs, reason = "the messages describe the variants")]
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    #[error("cannot {what} {path}: {error}")]
    Io { what: &'static str, path: String, error: io::Error },
    #[error("{path} is not a sweep plan of tilewalk: {why}")]
    NoPlan { path: String, why: String },
    #[error("{path} has format {format}; this version of tilewalk supports only format 1")]
    OtherFormat { path: String, format: u32 },
    #[error("{path} was planned with engine {engine}; this is engine {ENGINE_REVISION}")]
    OtherEngine { path: String, engine: u32 },
    #[error("{path} does not match its checksum: the plan was changed or damaged")]
    Changed { path: String },
    #[error("{path} belongs to another sweep: choose another output, or discard it with --restart")]
    OtherPlan { path: String },
    #[error("{path} belongs to another sweep: choose another {what}")]
    OtherSweep { path: String, what: &'static str },
    #[error(
        "{path} has a plan of this sweep with {shards} shards: use --shards {shards}, \
         or choose another directory"
    )]
    OtherShards { path: String, shards: u64 },
    #[error("more shards than runs: use at most --shards {runs}")]
    TooManyShards { runs: u64 },
    #[error("the sweep has no `value` measure, so it has no series")]
    NoSeries,
    #[error("{path} {why}: choose another output{help}")]
    Foreign { path: String, why: &'static str, help: &'static str },
    #[error("another program is writing {path}")]
    InUse { path: String },
    #[error("no shard {index}: the plan has {shards} shards, numbered from 0")]
    NoShard { index: u64, shards: u64 },
    #[error("{path} has other rows than this shard; these rows are in {kept}")]
    Conflict { path: String, kept: String },
    #[error("{missing} of {shards} shards have no result; `tilewalk sweep missing` lists them")]
    Missing { missing: u64, shards: u64 },
    #[error("{path} cannot be written: the row of run {run} is missing or damaged")]
    NoRow { path: String, run: u64 },
    #[error(
        "cannot read {path}: the row of run {run} is missing or damaged. \
         To simulate all runs again, run the sweep with --restart"
    )]
    DamagedRow { path: String, run: u64 },
    #[error("no run {run}: the sweep has {runs} runs, numbered from 0")]
    NoRun { run: u64, runs: u64 },
    #[error("the output {path} must end in {endings}")]
    Ending { path: String, endings: String },
    #[error("this build cannot write {path}: build tilewalk with `--features parquet`")]
    NoParquet { path: String },
}

impl SweepError {
    /// Returns a function that converts an I/O error. `what` is the verb for the failed action,
    /// such as `read`.
    fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = show::path(path);
        move |error| Self::Io { what, path, error }
    }
}
