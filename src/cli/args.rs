//! Arguments shared by several commands, and arguments of the commands that open the terminal UI.

mod mistyped;
mod traces;

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::debugger::{AskedView, ShownRecording};
use crate::depth::When;
use crate::files::read::recorded::Recorded;
use crate::files::{Setting, settings};

use super::check_agent;

pub use mistyped::{meant, refuse};
pub use traces::{TraceArgs, is_run, map_origin};

/// Arguments of `tilewalk play`.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk play maps/castle.toml
  tilewalk play maps/wanderers.toml --seed 8
  tilewalk play maps/yard.toml --set hound.max_speed=5
  tilewalk play maps/castle.toml --goto 146 --agent guard
  tilewalk play maps/castle.toml --record session.twr")]
pub struct PlayArgs {
    /// Map or map of another program (such as .tmx), recording (.twr), or run of another program
    /// (.csv, .ndjson or .jsonl). Without a file, or with a directory, the gallery opens
    pub file: Option<PathBuf>,
    /// Random seed (overrides the map's seed)
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(0..1 << 53))]
    pub seed: Option<u64>,
    /// Set an agent value, such as `hound.max_speed=5` (repeatable)
    #[arg(long, value_name = "AGENT.KEY=VALUE", value_parser = settings::parse)]
    pub set: Vec<Setting>,
    /// Open this frame, paused
    #[arg(long, value_name = "N", visible_alias = "frame", requires = "file")]
    pub goto: Option<u64>,
    /// Follow a run that another program still writes
    #[arg(long, requires = "file", conflicts_with = "record")]
    pub follow: bool,
    /// Select this agent
    #[arg(long, value_name = "NAME", requires = "file")]
    pub agent: Option<String>,
    /// Record the session to a new file, which `tilewalk replay` can open
    #[arg(long, value_name = "FILE.twr", requires = "file")]
    pub record: Option<PathBuf>,
    /// Appearance of the terminal UI
    #[command(flatten)]
    pub look: LookArgs,
    /// Options for runs of other programs
    #[command(flatten)]
    pub trace: TraceArgs,
}

/// Appearance of the terminal UI.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct LookArgs {
    /// Colour theme: dark, light, high-contrast, color-blind or mono
    #[arg(long, value_name = "NAME")]
    pub theme: Option<String>,
    /// Colour output: auto, always, never, 16, 256 or truecolor
    #[arg(long, value_name = "WHEN", value_parser = when(), hide_possible_values = true)]
    pub color: Option<When>,
    /// Draw with ASCII characters only, for fonts without Braille or box-drawing characters
    #[arg(long)]
    pub ascii: bool,
    /// Configuration file to read instead of config.toml in the config directory
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// Returns the parser for the value of `--color`.
pub(super) fn when() -> impl TypedValueParser<Value = When> {
    PossibleValuesParser::new(When::WORDS.map(|(word, _)| word))
        .try_map(|word| word.parse::<When>())
}

/// Arguments that select what a command shows of a recording.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct AskedArgs {
    /// Number of the run, from 1 [default: that of the shared view, or the last run]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub run: Option<u32>,
    /// Frame [default: that of the shared view]
    #[arg(long, value_name = "N", visible_alias = "frame")]
    pub goto: Option<u64>,
    /// Select this agent
    #[arg(long, value_name = "NAME")]
    pub agent: Option<String>,
}

impl AskedArgs {
    /// Opens a recording at the selected run.
    ///
    /// # Errors
    /// Returns a message for the user if the recording has no such run or agent.
    pub fn open(&self, recorded: &Recorded) -> Result<ShownRecording, String> {
        let Self { run, goto, agent } = self;
        let asked = AskedView { run: *run, frame: *goto, agent: agent.clone() };
        let shown = ShownRecording::open(recorded, &asked)?;
        if let Some(agent) = agent {
            let start = shown.history.run().start();
            check_agent(start, agent).map_err(|error| error.to_string())?;
        }
        Ok(shown)
    }
}

/// Arguments of `tilewalk replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk replay chase.twr
  tilewalk replay chase.twr --goto 300 --agent guard
  tilewalk replay chase.twr --run 1 --goto 300
  tilewalk replay chase.twr --record

`tilewalk run` and `tilewalk play` write recordings with --record FILE.twr, and the command `:share`
of the screen writes one with its view.")]
pub struct ReplayArgs {
    /// Recording (.twr file)
    pub file: PathBuf,
    /// What to open of the recording
    #[command(flatten)]
    pub asked: AskedArgs,
    /// Continue the recording: append new actions to the file
    #[arg(long)]
    pub record: bool,
    /// Appearance of the terminal UI
    #[command(flatten)]
    pub look: LookArgs,
}
