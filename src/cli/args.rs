//! What can be typed after `tilewalk`.

mod mistyped;
mod printed;

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};

use crate::depth::When;
use crate::files::{Setting, import};

pub use mistyped::{meant, refuse};
pub use printed::{CompletionsArgs, SchemaArgs, SchemaOf};

/// Simulate and debug agent movement on tile maps in the terminal.
///
/// Maps and movement patterns are TOML files. Agents steer, follow patterns or travel to targets.
/// Play a map, step through it frame by frame, and inspect why each agent moves.
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    subcommand_precedence_over_arg = true,
    after_help = "\
Examples:
  tilewalk
  tilewalk maps/castle.toml
  tilewalk new cellar
  tilewalk check maps patterns
  tilewalk run maps/castle.toml --frames 600
  tilewalk explain maps/castle.toml --frame 146 --agent guard

Without arguments, tilewalk opens the gallery of built-in maps. Press ? for help.
`tilewalk COMMAND --help` shows the options and examples of a command."
)]
pub struct Args {
    /// Command to run [default: play]
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Arguments of `tilewalk play`
    #[command(flatten)]
    pub play: PlayArgs,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play a map, or open the gallery of built-in maps
    Play(PlayArgs),
    /// Check map and pattern files for errors and warnings
    Check(CheckArgs),
    /// Run a map without the terminal UI and print a summary
    Run(RunArgs),
    /// Explain an agent's motion at a frame
    Explain(ExplainArgs),
    /// Compare two runs and show the first differences
    Diff(DiffArgs),
    /// Open a recording in the terminal UI
    Replay(ReplayArgs),
    /// Check that a recording still produces the same state hashes
    Verify(VerifyArgs),
    /// Convert a file of another format to a map
    #[command(about = format!("Convert a {} file to a map", import::extensions_and_programs()))]
    Import(ImportArgs),
    /// Create a sample map and a sample pattern
    New(NewArgs),
    /// Print the JSON Schema for map or pattern files
    Schema(SchemaArgs),
    /// Print a shell completion script
    Completions(CompletionsArgs),
    /// Print the manual page, including all key bindings
    #[command(after_help = "\
Example:
  tilewalk man > tilewalk.1

Read the page with `man ./tilewalk.1`. To install the page, move the file to ~/.local/share/man/man1.")]
    Man,
    /// Show the detected terminal, colour and configuration settings
    Doctor(DoctorArgs),
}

/// Arguments of `tilewalk play`.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk play maps/castle.toml
  tilewalk play maps/wanderers.toml --seed 8
  tilewalk play maps/yard.toml --set hound.max_speed=5
  tilewalk play maps/castle.toml --record session.twr")]
pub struct PlayArgs {
    /// Map file; without a file, the gallery opens
    pub file: Option<PathBuf>,
    /// Random seed (overrides the map's seed)
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(0..1 << 53))]
    pub seed: Option<u64>,
    /// Set an agent value, such as `hound.max_speed=5` (repeatable)
    #[arg(long, value_name = "AGENT.KEY=VALUE")]
    pub set: Vec<Setting>,
    /// Record the session to a new file, which `tilewalk replay` can open
    #[arg(long, value_name = "FILE.twr", requires = "file")]
    pub record: Option<PathBuf>,
    /// Appearance of the terminal UI
    #[command(flatten)]
    pub look: LookArgs,
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

/// Values of `--color`.
fn when() -> impl TypedValueParser<Value = When> {
    PossibleValuesParser::new(When::WORDS).try_map(|word| word.parse::<When>())
}

/// Arguments of `tilewalk doctor`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk doctor
  tilewalk doctor --theme light --color 256

The command also works without a terminal. The exit code is 0.")]
pub struct DoctorArgs {
    /// Appearance options to report on
    #[command(flatten)]
    pub look: LookArgs,
}

/// Arguments of `tilewalk replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk replay chase.twr
  tilewalk replay chase.twr --frame 300
  tilewalk replay chase.twr --run 1 --frame 300
  tilewalk replay chase.twr --record

`tilewalk run` and `tilewalk play` write recordings with --record FILE.twr.")]
pub struct ReplayArgs {
    /// Recording (.twr file)
    pub file: PathBuf,
    /// Number of the run to open, from 1 [default: the last run]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub run: Option<u32>,
    /// Frame to open
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub frame: u64,
    /// Continue the recording: append new actions to the file
    #[arg(long)]
    pub record: bool,
    /// Appearance of the terminal UI
    #[command(flatten)]
    pub look: LookArgs,
}

/// Arguments of `tilewalk verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk verify chase.twr
  tilewalk verify chase.twr --json

`tilewalk run` and `tilewalk play` write recordings with --record FILE.twr.
Exit codes: 0 if all state hashes match, 1 if a state hash differs or the file is damaged, 2 if the
file is not a recording.")]
pub struct VerifyArgs {
    /// Recording (.twr file)
    pub file: PathBuf,
    /// Print the result as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `tilewalk check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk check maps patterns
  tilewalk check maps/castle.toml
  tilewalk check maps/castle.toml --strict --format json

Exit codes: 0 if there are no errors, 1 if there are errors (or warnings with --strict), 2 if a path
can't be read.")]
pub struct CheckArgs {
    /// Map and pattern files, or directories that contain them
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,
    /// Warn about old spellings, which still work
    #[arg(long)]
    pub deprecated: bool,
    /// Colour output: auto, always, never, 16, 256 or truecolor
    #[arg(long, value_name = "WHEN", value_parser = when(), hide_possible_values = true)]
    pub color: Option<When>,
}

/// Output format of `check`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text: each problem with its source line and help
    Human,
    /// JSON: an array with one object per problem
    Json,
}

/// Arguments of `tilewalk run`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk run maps/castle.toml --frames 600
  tilewalk run maps/yard.toml --frames 600 --set hound.max_speed=5 --json
  tilewalk run maps/rectangle.toml --frames 200 --trace walk.csv
  tilewalk run maps/castle.toml --frames 600 --record chase.twr
  tilewalk run maps/castle.toml --frames 600 --until 'guard.mode == \"chase\"'
  tilewalk run maps/wanderers.toml --frames 10000 --seed 4 --hash-every 1000

Exit codes: 0 on success, 1 if the --until condition is never true, 2 if the map can't be run.
A trace has one row per agent and frame, starting at frame 0. Its columns are:
  frame,time,agent,mode,x,y,vx,vy,heading,tile_x,tile_y")]
pub struct RunArgs {
    /// Map file
    pub file: PathBuf,
    /// Number of frames to simulate
    #[arg(long, value_name = "N")]
    pub frames: u64,
    /// Random seed (overrides the map's seed)
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(0..1 << 53))]
    pub seed: Option<u64>,
    /// Stop at the first frame where this condition is true, such as 'guard.mode == "chase"'
    #[arg(long, value_name = "COND")]
    pub until: Option<String>,
    /// Write the state of every agent at every frame to a .csv or .ndjson file
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Print the state hash every K frames
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub hash_every: Option<u64>,
    /// Set an agent value, such as `hound.max_speed=5` (repeatable)
    #[arg(long, value_name = "AGENT.KEY=VALUE")]
    pub set: Vec<Setting>,
    /// Record the run to a new file for `tilewalk replay` and `tilewalk verify`
    #[arg(long, value_name = "FILE.twr")]
    pub record: Option<PathBuf>,
    /// Print the summary as one JSON object
    #[arg(long)]
    pub json: bool,
    /// Colour output: auto, always, never, 16, 256 or truecolor
    #[arg(long, value_name = "WHEN", value_parser = when(), hide_possible_values = true)]
    pub color: Option<When>,
}

/// Arguments of `tilewalk explain`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk explain maps/castle.toml --frame 146 --agent guard
  tilewalk explain maps/forest.toml --frame 40 --agent deer.3
  tilewalk explain maps/matrix.toml --frame 100 --agent ogre --json
  tilewalk explain maps/yard.toml --frame 60 --agent hare --set hound.max_speed=5

The output explains the step from frame N-1 to frame N. At frame 0 it shows the initial state.
docs/explain.md describes every field of the --json output.
Exit codes: 0 on success, 2 if the map has errors or the agent is unknown.")]
pub struct ExplainArgs {
    /// Map file
    pub file: PathBuf,
    /// Frame to explain
    #[arg(long, value_name = "N")]
    pub frame: u64,
    /// Agent name; group members have numbers, such as `deer.3`
    #[arg(long, value_name = "NAME")]
    pub agent: String,
    /// Print the result as one JSON object
    #[arg(long)]
    pub json: bool,
    /// Random seed (overrides the map's seed)
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(0..1 << 53))]
    pub seed: Option<u64>,
    /// Set an agent value, such as `hound.max_speed=5` (repeatable)
    #[arg(long, value_name = "AGENT.KEY=VALUE")]
    pub set: Vec<Setting>,
    /// Colour output: auto, always, never, 16, 256 or truecolor
    #[arg(long, value_name = "WHEN", value_parser = when(), hide_possible_values = true)]
    pub color: Option<When>,
}

/// Arguments of `tilewalk diff`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk diff maps/yard.toml maps/yard.toml --seed-b 8
  tilewalk diff maps/yard.toml maps/yard.toml --set-b hound.max_speed=5 --frames 5000
  tilewalk run maps/yard.toml --frames 600 --trace before.csv
  tilewalk run maps/yard.toml --frames 600 --set hound.max_speed=5 --trace after.csv
  tilewalk diff before.csv after.csv
  tilewalk diff maps/yard.toml before.csv --tolerance 0.001

A and B are each a map, a recording (.twr) or a trace (.csv or .ndjson, from `run --trace`). For a
recording, the last run is used. With a trace, only the columns of the trace are compared. Without a
trace, the full state of every agent is compared.
Exit codes: 0 if the runs are equal, 1 if they differ, 2 if a file can't be read.")]
pub struct DiffArgs {
    /// Map, recording or trace
    pub a: PathBuf,
    /// Map, recording or trace to compare with A
    pub b: PathBuf,
    /// Last frame to compare [default: 1000, or the end of a recording or trace]
    #[arg(long, value_name = "N")]
    pub frames: Option<u64>,
    /// Random seed of map A (overrides the map's seed)
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(0..1 << 53))]
    pub seed_a: Option<u64>,
    /// Random seed of map B (overrides the map's seed)
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(0..1 << 53))]
    pub seed_b: Option<u64>,
    /// Set an agent value in map A, such as `hound.max_speed=5` (repeatable)
    #[arg(long, value_name = "AGENT.KEY=VALUE")]
    pub set_a: Vec<Setting>,
    /// Set an agent value in map B, such as `hound.max_speed=5` (repeatable)
    #[arg(long, value_name = "AGENT.KEY=VALUE")]
    pub set_b: Vec<Setting>,
    /// Largest difference at which two numbers count as equal
    #[arg(long, value_name = "E", default_value_t = 0.0, value_parser = tolerance)]
    pub tolerance: f32,
    /// Print the result as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// A number that is not negative.
fn tolerance(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "expected a non-negative number".to_owned())
}

/// Arguments of `tilewalk import`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk import island.tmx --output maps/island.toml
  tilewalk import island.tmx --output maps/island.toml --force
  tilewalk import island.tmx > island.toml

With --output, polylines are written as pattern files. For a map in a `maps` directory, the pattern
files go to the `patterns` directory next to `maps`; otherwise, they go to the map's directory.
Warnings list the content that is not imported.
Exit codes: 0 on success, 2 if the file has errors or an output file already exists.")]
pub struct ImportArgs {
    /// File to convert
    #[arg(help = format!("File to convert: {}", import::extensions()))]
    pub file: PathBuf,
    /// Write the map to this file instead of standard output
    #[arg(long, short, value_name = "MAP")]
    pub output: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long, requires = "output")]
    pub force: bool,
}

/// Arguments of `tilewalk new`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  tilewalk new attic

This creates maps/attic.toml and patterns/attic_round.toml. Existing files are never replaced.
Exit codes: 0 on success, 2 if one of the files already exists.")]
pub struct NewArgs {
    /// Map name: up to 64 letters, digits, `_` and `-`
    pub name: String,
}
