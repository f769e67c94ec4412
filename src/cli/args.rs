//! What can be typed after `tilewalk`.

mod mistyped;
mod printed;

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};

use crate::depth::When;
use crate::files::Setting;

pub use mistyped::{meant, refuse};
pub use printed::{CompletionsArgs, SchemaArgs, SchemaOf};

/// A terminal lab for agent movement on tile maps.
///
/// Maps and movement patterns are plain text files. Watch agents steer, patrol and roam, step frame
/// by frame, and ask why each moved as it did.
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    subcommand_precedence_over_arg = true,
    after_help = "\
Examples:
  tilewalk                              the gallery of built-in maps
  tilewalk maps/rectangle.toml          watch a map
  tilewalk check maps patterns          every error and warning of these files
  tilewalk run maps/torus.toml --frames 200 --trace torus.csv
  tilewalk run maps/yard.toml --frames 600 --set hound.max_speed=5 --json
  tilewalk explain maps/forest.toml --frame 40 --agent deer.3
  tilewalk diff maps/yard.toml maps/yard.toml --seed-b 8
  tilewalk new cellar                   a first map and a pattern of your own

Press ? on the screen for its keys."
)]
pub struct Args {
    /// What to do; `play` when nothing is said.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The same as `tilewalk play`.
    #[command(flatten)]
    pub play: PlayArgs,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Opens the screen on a map, or on the gallery of built-in maps
    Play(PlayArgs),
    /// Reads maps and patterns and prints every error and warning
    Check(CheckArgs),
    /// Runs a map without a screen and prints a summary
    Run(RunArgs),
    /// Tells why an agent moved as it did on the way to a frame
    Explain(ExplainArgs),
    /// Finds the first frame, agent and field in which two runs differ
    Diff(DiffArgs),
    /// Opens the screen on a recording
    Replay(ReplayArgs),
    /// Makes a recording again and compares the state hashes
    Verify(VerifyArgs),
    /// Makes a map of a file of another program: .tmx (Tiled), .map (octile), or rows of text
    Import(ImportArgs),
    /// Makes a first map and a pattern that run at once
    New(NewArgs),
    /// Prints the JSON Schema of maps or patterns, for editors
    Schema(SchemaArgs),
    /// Prints a script that has a shell complete what is typed after `tilewalk`
    Completions(CompletionsArgs),
    /// Prints the manual page, with every key of the screen
    #[command(after_help = "\
Example:
  tilewalk man > ~/.local/share/man/man1/tilewalk.1")]
    Man,
    /// Tells what it finds around it: terminal, colours, configuration
    Doctor(DoctorArgs),
}

/// Arguments of `tilewalk play`.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk play maps/river_and_bridges.toml
  tilewalk play maps/wanderers.toml --seed 8")]
pub struct PlayArgs {
    /// A map file; without one, the gallery
    pub file: Option<PathBuf>,
    /// Seed of all dice, in place of the map's
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(0..1 << 53))]
    pub seed: Option<u64>,
    /// Changes a value of an agent, as in `guard.max_speed=6`; may be given several times
    #[arg(long, value_name = "AGENT.KEY=VALUE")]
    pub set: Vec<Setting>,
    /// Writes what happens, as it happens, to a new file: `tilewalk replay` opens it
    #[arg(long, value_name = "FILE.twr", requires = "file")]
    pub record: Option<PathBuf>,
    /// How the screen looks
    #[command(flatten)]
    pub look: LookArgs,
}

/// How the screen looks, and where that is read.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct LookArgs {
    /// Colours of the screen: dark, light, high-contrast, color-blind or mono
    #[arg(long, value_name = "NAME")]
    pub theme: Option<String>,
    /// How many colours: auto, always, never, 16, 256 or truecolor
    #[arg(long, value_name = "WHEN", value_parser = when(), hide_possible_values = true)]
    pub color: Option<When>,
    /// Draws with ASCII alone, for fonts without Braille or lines
    #[arg(long)]
    pub ascii: bool,
    /// Reads this instead of config.toml in the folder for configurations
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// The words of `--color`.
fn when() -> impl TypedValueParser<Value = When> {
    PossibleValuesParser::new(When::WORDS).try_map(|word| word.parse::<When>())
}

/// Arguments of `tilewalk doctor`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk doctor
  tilewalk doctor --config other.toml

Works without a terminal. Exit code: 0.")]
pub struct DoctorArgs {
    /// What the screen would be asked for
    #[command(flatten)]
    pub look: LookArgs,
}

/// Arguments of `tilewalk replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk replay chase.twr
  tilewalk replay chase.twr --run 1 --frame 300
  tilewalk replay chase.twr --record     what you do is added to the recording")]
pub struct ReplayArgs {
    /// A recording
    pub file: PathBuf,
    /// The run to look at first, counted from 1; without it, the last one
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub run: Option<u32>,
    /// The frame to look at first
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub frame: u64,
    /// Goes on with the recording: what is done now is added to the file
    #[arg(long)]
    pub record: bool,
    /// How the screen looks
    #[command(flatten)]
    pub look: LookArgs,
}

/// Arguments of `tilewalk verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk verify chase.twr
  tilewalk verify chase.twr --json

Exit code: 0 if all is the same, 1 if a frame differs or bytes are damaged, 2 if it is no recording.")]
pub struct VerifyArgs {
    /// A recording
    pub file: PathBuf,
    /// Prints one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `tilewalk check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk check maps patterns
  tilewalk check maps/castle.toml --strict --format json

Exit code: 0 without errors, 1 with errors (with --strict: or warnings), 2 if a path can't be read.")]
pub struct CheckArgs {
    /// Map and pattern files, or folders of them
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// How to print what was found
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Counts warnings as errors
    #[arg(long)]
    pub strict: bool,
    /// How many colours: auto, always, never, 16, 256 or truecolor
    #[arg(long, value_name = "WHEN", value_parser = when(), hide_possible_values = true)]
    pub color: Option<When>,
}

/// How `check` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people: the source line with a caret, the reason, and help
    Human,
    /// For programs: an array of objects
    Json,
}

/// Arguments of `tilewalk run`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk run maps/rectangle.toml --frames 200 --trace walk.csv
  tilewalk run maps/wanderers.toml --frames 10000 --seed 4 --hash-every 1000
  tilewalk run maps/yard.toml --frames 600 --set hound.max_speed=5 --json
  tilewalk run maps/pursuit.toml --frames 600 --until 'any(hares, collided)'

Exit code: 0; 1 when --until never came true; 2 if the map can't be run.
A trace has one row per agent and frame, frame 0 first:
  frame,time,agent,mode,x,y,vx,vy,heading,tile_x,tile_y")]
pub struct RunArgs {
    /// A map file
    pub file: PathBuf,
    /// How many frames to make
    #[arg(long, value_name = "N")]
    pub frames: u64,
    /// Seed of all dice, in place of the map's
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(0..1 << 53))]
    pub seed: Option<u64>,
    /// Stops at the first frame where this holds, as in 'guard.mode == "chase"'
    #[arg(long, value_name = "COND")]
    pub until: Option<String>,
    /// Writes where everyone was at every frame, as .csv or .ndjson
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Prints the state hash every K frames
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub hash_every: Option<u64>,
    /// Changes a value of an agent, as in `guard.max_speed=6`; may be given several times
    #[arg(long, value_name = "AGENT.KEY=VALUE")]
    pub set: Vec<Setting>,
    /// Writes a recording to a new file: `tilewalk replay` opens it, `verify` makes it again
    #[arg(long, value_name = "FILE.twr")]
    pub record: Option<PathBuf>,
    /// Prints the summary as one JSON object
    #[arg(long)]
    pub json: bool,
    /// How many colours: auto, always, never, 16, 256 or truecolor
    #[arg(long, value_name = "WHEN", value_parser = when(), hide_possible_values = true)]
    pub color: Option<When>,
}

/// Arguments of `tilewalk explain`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk explain maps/forest.toml --frame 40 --agent deer.3
  tilewalk explain maps/matrix.toml --frame 100 --agent guard --json
  tilewalk explain maps/yard.toml --frame 60 --agent hare --set hound.max_speed=5

Explains the step that led to the frame; frame 0 has none, and its state is told.
docs/explain.md has every field of --json.")]
pub struct ExplainArgs {
    /// A map file
    pub file: PathBuf,
    /// The frame the step led to
    #[arg(long, value_name = "N")]
    pub frame: u64,
    /// The agent's name; one of a lot is called `boid.3`
    #[arg(long, value_name = "NAME")]
    pub agent: String,
    /// Prints one JSON object
    #[arg(long)]
    pub json: bool,
    /// Seed of all dice, in place of the map's
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(0..1 << 53))]
    pub seed: Option<u64>,
    /// Changes a value of an agent, as in `guard.max_speed=6`; may be given several times
    #[arg(long, value_name = "AGENT.KEY=VALUE")]
    pub set: Vec<Setting>,
    /// How many colours: auto, always, never, 16, 256 or truecolor
    #[arg(long, value_name = "WHEN", value_parser = when(), hide_possible_values = true)]
    pub color: Option<When>,
}

/// Arguments of `tilewalk diff`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk diff maps/yard.toml maps/yard.toml --seed-b 8
  tilewalk diff before.csv after.csv
  tilewalk diff maps/yard.toml before.csv --tolerance 0.001
  tilewalk diff maps/yard.toml maps/yard.toml --set-b hound.max_speed=5 --frames 5000

A side is a map, the last run of a recording (.twr), or a trace that `run --trace` wrote (.csv,
.ndjson). With a trace its columns are compared, else all that is saved.
Exit code: 0 if they are the same, 1 if they differ, 2 if one can't be read.")]
pub struct DiffArgs {
    /// A map, a recording or a trace
    pub a: PathBuf,
    /// What it is compared with
    pub b: PathBuf,
    /// How many frames to compare; 1000, or as many as a recording or trace has
    #[arg(long, value_name = "N")]
    pub frames: Option<u64>,
    /// Seed of all dice of the first map
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(0..1 << 53))]
    pub seed_a: Option<u64>,
    /// Seed of all dice of the second map
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(0..1 << 53))]
    pub seed_b: Option<u64>,
    /// Changes a value of an agent of the first map; may be given several times
    #[arg(long, value_name = "AGENT.KEY=VALUE")]
    pub set_a: Vec<Setting>,
    /// Changes a value of an agent of the second map; may be given several times
    #[arg(long, value_name = "AGENT.KEY=VALUE")]
    pub set_b: Vec<Setting>,
    /// How far numbers may be apart and still be the same
    #[arg(long, value_name = "E", default_value_t = 0.0, value_parser = tolerance)]
    pub tolerance: f32,
    /// Prints one JSON object
    #[arg(long)]
    pub json: bool,
}

/// A number that is not negative.
fn tolerance(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "it must be a number, 0 or more".to_owned())
}

/// Arguments of `tilewalk import`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk import island.tmx > maps/island.toml
  tilewalk import island.tmx --output maps/island.toml

With --output, polylines are written as patterns too: into the `patterns` folder beside `maps`, else
beside the map. Files that are there already stay as they are, unless --force is given.
Exit code: 0; 2 if the file has errors or is there already. What is not taken over is told.")]
pub struct ImportArgs {
    /// A .tmx, .map or .txt file
    pub file: PathBuf,
    /// Writes the map here instead of printing it
    #[arg(long, short, value_name = "MAP")]
    pub output: Option<PathBuf>,
    /// Replaces files that are there
    #[arg(long, requires = "output")]
    pub force: bool,
}

/// Arguments of `tilewalk new`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  tilewalk new cellar      makes maps/cellar.toml and patterns/cellar_round.toml

Exit code: 0; 2 if one of the two is there already: nothing is ever replaced.")]
pub struct NewArgs {
    /// What the map is called: letters, digits, `_` and `-`
    pub name: String,
}
