//! The command line: parses arguments, runs commands, prints results and returns an exit code.
//!
//! Each command has a file with its arguments and its function, and an entry in this module. The
//! caller passes in a [`Screen`], which opens the terminal UI for `play`, `replay` and `sweep
//! open`. Other commands get data about the terminal UI from the [`Screen`].

pub mod args;
mod check;
mod diff;
mod doctor;
mod eval;
mod explain;
mod import;
mod man;
mod new;
mod output;
mod paste;
mod record;
mod render;
mod run;
mod run_input;
mod scen;
mod schema;
mod share;
mod sweep;
mod test;
mod trace;
mod verify;
mod write;

use std::process::ExitCode;
use std::sync::Arc;

use clap::{Parser, Subcommand};

use crate::files::config::ConfigSchema;
use crate::files::read::recorded::RecordedError;
use crate::files::read::recording_block::BlockError;
use crate::files::read::trace::TraceError;
use crate::files::traces::RunError;
use crate::files::{LoadError, ReadError};
use crate::history::History;
use crate::overlays::Overlays;
use crate::palette::Name;
use crate::render::run::Painter;
use crate::scenario::Scenario;
use crate::sweep::SweepError;

use args::{LookArgs, PlayArgs, ReplayArgs};
use output::Output;

pub use doctor::Finding;
pub use explain::check_agent;
pub use man::KeySection;
pub use output::{complain, environment, report_problems};
pub use record::refused as recording_refused;
pub use sweep::OpenArgs;

/// Exit code if the command failed: invalid arguments, a missing file, or a map with errors.
pub const EXIT_CANNOT: u8 = 2;

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

Without arguments, tilewalk opens the gallery of maps. Press ? for help.
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

/// Subcommands of `tilewalk`. Without a subcommand, `play` runs.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play a map, or open the gallery of maps
    Play(PlayArgs),
    /// Check map and pattern files for errors and warnings
    Check(check::CheckArgs),
    /// Run a map without the terminal UI and print a summary
    Run(run::RunArgs),
    /// Check the expectations of maps
    Test(test::TestArgs),
    /// Write pictures and films of a map or a run
    Render(render::RenderArgs),
    /// Run a map for many values and seeds
    Sweep(sweep::SweepArgs),
    /// Run one design point of a sweep and print its measures as a line of JSON
    Eval(eval::EvalArgs),
    /// Explain an agent's motion at a frame
    Explain(explain::ExplainArgs),
    /// Compare two runs and show the first differences
    Diff(diff::DiffArgs),
    /// Open a recording in the terminal UI
    Replay(ReplayArgs),
    /// Print a recording as text to send
    Share(share::ShareArgs),
    /// Open a recording from the text that `tilewalk share` printed
    Paste(paste::PasteArgs),
    /// Check that a recording still produces the same state hashes
    Verify(verify::VerifyArgs),
    /// Convert a file of another format to a map
    #[command(about = format!(
        "Convert a {} file to a map",
        crate::files::import::extensions_and_programs()
    ))]
    Import(import::ImportArgs),
    /// Plan the routes of MovingAI scenarios and compare their lengths
    Scen(scen::ScenArgs),
    /// Create a sample map and a sample pattern
    New(new::NewArgs),
    /// Print the JSON Schema for map, pattern or sweep files
    Schema(schema::SchemaArgs),
    /// Print a shell completion script
    Completions(man::CompletionsArgs),
    /// Print the manual page, including all key bindings
    #[command(after_help = "\
Example:
  tilewalk man > tilewalk.1

Read the page with `man ./tilewalk.1`. To install the page, move the file to ~/.local/share/man/man1.")]
    Man,
    /// Show the detected terminal, colour and configuration settings
    Doctor(doctor::DoctorArgs),
}

/// The screen that `tilewalk render --look screen` draws.
#[derive(Debug)]
pub struct ScreenPainter {
    pub scenario: Arc<Scenario>,
    /// The runs of a recording, at the run to show.
    pub history: Option<Box<History>>,
    /// Columns and rows.
    pub size: [u16; 2],
    pub theme: Name,
    /// Name of the selected agent. `None` for the first agent.
    pub agent: Option<String>,
    /// `None` for the default overlays.
    pub overlays: Option<Overlays>,
}

/// Functions of the terminal UI that the command line calls. The binary implements this trait.
pub trait Screen {
    /// Opens the map file of `args`. Opens the gallery if `args` has no map file. Returns after the
    /// user quits, or returns [`EXIT_CANNOT`] at once after an error.
    fn play(&self, args: &PlayArgs) -> ExitCode;

    /// Opens the recording of `args` at the requested run and frame. Returns after the user quits,
    /// or returns [`EXIT_CANNOT`] at once after an error.
    fn replay(&self, args: &ReplayArgs) -> ExitCode;

    /// Opens a recording that was pasted as text. Keys come from the terminal, even if standard input
    /// is a pipe. Returns after the user quits, or returns [`EXIT_CANNOT`] at once after an error.
    fn open_pasted(&self, recording: Vec<u8>, look: &LookArgs) -> ExitCode;

    /// Opens one run from the results of a sweep. Returns after the user quits, or returns
    /// [`EXIT_CANNOT`] at once after an error.
    fn open_run(&self, args: &OpenArgs) -> ExitCode;

    /// Returns a function that draws the screen at a frame.
    ///
    /// # Errors
    /// Returns a message for the user in builds without the terminal UI.
    fn painter(&self, start: ScreenPainter) -> Result<Box<Painter<'static>>, String>;

    /// Returns the words allowed in configuration files. Returns `None` if configuration files
    /// cannot be checked.
    fn config_schema(&self) -> Option<ConfigSchema>;

    /// Returns the key bindings by mode, for the manual page. Returns an empty list in builds
    /// without the terminal UI.
    fn keys(&self) -> Vec<KeySection>;

    /// Returns the detected settings of the terminal UI, for `tilewalk doctor`.
    ///
    /// # Errors
    /// Returns an error if the appearance options are invalid.
    fn findings(&self, look: &LookArgs) -> Result<Vec<Finding>, String>;
}

/// Runs a command and returns its exit code.
pub fn execute(command: &Command, screen: &impl Screen) -> ExitCode {
    #[cfg(unix)]
    if let Err(error) = crate::unix::report_file_size_limit() {
        complain(&format!("a file that grows too large will end the program: {error}"));
    }
    let mut out = Output::stdout();
    let result = match command {
        Command::Play(args) => return screen.play(args),
        Command::Replay(args) => return screen.replay(args),
        Command::Check(args) => check::check(args, screen.config_schema().as_ref(), &mut out),
        Command::Run(args) => run::run(args, &mut out),
        Command::Render(args) => render::render(args, screen, &mut out),
        Command::Test(args) => test::test(args, &mut out),
        Command::Eval(args) => eval::eval(args, &mut out),
        Command::Sweep(args) => sweep::sweep(args, screen, &mut out),
        Command::Explain(args) => explain::explain(args, &mut out),
        Command::Diff(args) => diff::diff(args, &mut out),
        Command::Share(args) => share::share(args, &mut out),
        Command::Paste(args) => match paste::paste(args, &mut out) {
            Ok(Some(recording)) => return screen.open_pasted(recording, &args.look),
            Ok(None) => Ok(ExitCode::SUCCESS),
            Err(error) => Err(error),
        },
        Command::Verify(args) => verify::verify(args, &mut out),
        Command::Import(args) => import::import(args, &mut out),
        Command::Scen(args) => scen::scen(args, &mut out),
        Command::New(args) => new::new(args, &mut out),
        Command::Schema(args) => schema::schema(args, &mut out),
        Command::Completions(args) => man::completions(args, &mut out),
        Command::Man => man::man(&screen.keys(), &mut out),
        Command::Doctor(args) => {
            let findings = screen.findings(&args.look).map_err(CliError::Settings);
            findings.and_then(|findings| doctor::doctor(args, &findings, &mut out))
        }
    };
    // Flushes before the message of an error is printed.
    let flushed = out.flush();
    finish(result.and_then(|code| flushed.map(|()| code)))
}

/// Returns the exit code of a command. If the command failed, prints the error to standard error
/// and returns [`EXIT_CANNOT`]. A closed output pipe counts as success and prints no message.
pub fn finish(result: Result<ExitCode, CliError>) -> ExitCode {
    match result {
        Ok(code) => code,
        // The reader of the output has closed the pipe.
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error.to_string());
            ExitCode::from(EXIT_CANNOT)
        }
    }
}

/// Error of a command that fails with [`EXIT_CANNOT`]. [`finish`] prints the message.
#[expect(missing_docs, reason = "the messages describe the variants")]
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(transparent)]
    Trace(#[from] TraceError),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("{path} is not a map: only maps accept seeds and settings")]
    NotAMap { path: String },
    #[error("nothing to compare: name a second file, or change one side with --seed-b or --set-b")]
    NothingToCompare,
    #[error(transparent)]
    Recorded(#[from] RecordedError),
    #[error(transparent)]
    Sweep(#[from] SweepError),
    #[error("{label}: {why}")]
    OtherEngine { label: String, why: String },
    #[error("cannot write {what}: {source}")]
    Write { what: String, source: std::io::Error },
    #[error("cannot write a trace to {path}: the file name must end in .csv or .ndjson")]
    TraceFormat { path: String },
    #[error(transparent)]
    Block(#[from] BlockError),
    #[error("{path} already exists{help}")]
    Exists { path: String, help: &'static str },
    #[error(
        "cannot import {path}: the file name must end in {}",
        crate::files::import::extensions()
    )]
    ImportFormat { path: String },
    #[error(
        "{path} can't be updated: {record} is not the record of an import; import the source again \
         with --output"
    )]
    NoImport { path: String, record: String },
    #[error(
        "{path} can't be updated: {why}; nothing was written; correct the map, or import the source to \
         another map with --output"
    )]
    NoUpdate { path: String, why: String },
    #[error(
        "{path} can't be updated: the merged map has these errors; nothing was written; change the \
         map or its source and update again, or import the source to another map with --output"
    )]
    RefusedUpdate { path: String },
    #[error("cannot read {path}: {source}")]
    Unreadable { path: String, source: std::io::Error },
    #[error(transparent)]
    Files(#[from] crate::files::write::WriteError),
    #[error("invalid map name `{name}`: use up to 64 letters, digits, `_` and `-`")]
    MapName { name: String },
    #[error("unknown agent `{name}`{help}")]
    UnknownAgent { name: String, help: String },
    /// The agent exists in the map but not at the requested frame. The text is the complete
    /// message.
    #[error("{0}")]
    Absent(String),
    #[error("{0}")]
    Settings(String),
}

impl CliError {
    fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Write { source, .. } if source.kind() == std::io::ErrorKind::BrokenPipe)
    }
}
