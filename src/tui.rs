//! The terminal UI: ratatui draws, crossterm sets the terminal modes, and termina parses input. No
//! other module uses these crates.
//!
//! Bytes from the terminal become an [`input::Input`]. The table of commands in [`action`] turns
//! keys into an [`action::Invocation`]. [`app::App::update`] changes the state, and
//! [`app::App::draw`] draws the state without changing it. Work outside the screen is returned as
//! an [`app::Effect`]. The state and the clock are tested without a terminal.
//!
//! The screen opens no files. It calls the methods of a [`Host`].

pub mod action;
pub mod app;
pub mod argument;
pub mod camera;
pub mod clock;
pub mod command_line;
mod component;
pub mod doctor;
pub mod draw;
pub mod editor;
mod effect;
pub mod gallery;
pub mod glyph;
mod host;
pub mod input;
mod interrupt;
pub mod layout;
pub mod line;
mod mailbox;
pub mod map_screen;
pub mod messages;
pub mod overlays;
pub mod page;
pub mod paint;
pub mod painter;
pub mod query;
pub mod rank;
pub mod recording;
mod run;
pub mod settings;
pub mod shot;
mod signals;
mod simulator;
pub mod tab;
mod terminal;
pub mod theme;
pub mod timeline;
pub mod ui;
pub mod wire;

pub use crate::unix::{identity, replace_by_terminal};
pub use host::{
    GalleryEntry, Host, Kept, LiveNews, NewFile, NewHome, NewMap, Opened, RunPicture, Save, Saved,
    SavedBreaks, SessionRecorder, Start, Target,
};
pub use mailbox::{Mailbox, Post};
pub use terminal::TerminalError;

pub use crate::unix::read_keys_from_terminal;

use std::sync::Arc;

use crate::unix::Listener;
use app::App;
use recording::{Recording, RecordingStop};
use settings::Settings;
use terminal::Screen;

/// Messages to print after the screen is closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExitReport {
    /// How the recording stopped. `None` if it ended with the program, or at the user's request.
    pub recording: Option<RecordingStop>,
    /// A message about changed values that were not saved. `None` if all changes are saved.
    pub unwritten: Option<String>,
}

/// Runs the screen until the user quits. `recorder` writes the recording of the first map. `None`
/// records nothing.
///
/// On a terminating signal, restores the terminal and exits with code 128 plus the signal number.
///
/// # Errors
/// Returns an error if standard input or output is not a terminal, or if the terminal fails.
pub fn play(
    host: &Arc<dyn Host>,
    mut recorder: Option<Box<dyn SessionRecorder>>,
    start: Start,
    settings: &Settings,
    mailbox: &Mailbox,
) -> Result<ExitReport, TerminalError> {
    terminal::require()?;
    // Creating the app can take long on a large map. Until the screen reads keys, ctrl-c must send
    // SIGINT, so the modes of the terminal are set afterwards.
    let theme = settings.looks.made();
    let (mut app, first) = App::new(host.maps(), start, terminal::area()?, theme);
    app.set_up(settings);
    app.prompt.host = Some(Arc::clone(host));
    app.recording = recorder.as_ref().map(|recorder| Recording::of(recorder.id().to_owned()));
    let mut screen = Screen::take(settings.mouse, settings.looks.ascii.value)?;
    let post = mailbox.post();
    let listener = Listener::start(move |signal| signals::handle(signal, &post))?;
    let ended = run::run(Box::new(app), &mut screen, (host, &mut recorder), mailbox, first);
    drop(screen);
    drop(listener);
    let finished = recorder.map_or(Ok(()), SessionRecorder::finish);
    let simulator = ended?;
    let app = simulator.app();
    let stopped = app.recording.as_ref().and_then(Recording::stopped).cloned();
    let incomplete = |message| RecordingStop { message, is_complete: false };
    let recording = stopped.or(finished.err().map(incomplete));
    Ok(ExitReport { recording, unwritten: app.unwritten() })
}
