//! Commands that write screenshots and maps, copy text, and open the editor.

use std::sync::Arc;

use ratatui::buffer::Buffer;

use crate::debugger::session::{Session, Subject};
use crate::files::read::file_location::MapItem;
use crate::files::write::frame_to_map;
use crate::tui::argument::Argument;
use crate::tui::draw;
use crate::tui::library::NewFile;
use crate::tui::shot;
use crate::tui::tab::Tab;

use super::{App, Effect};

impl App {
    pub(super) fn save_picture(&mut self, argument: Option<Argument>) -> Option<Effect> {
        self.picture(path(argument)).map_err(|why| self.warn(why)).ok()
    }

    pub(super) fn save_still(&mut self, argument: Option<Argument>) -> Option<Effect> {
        self.still(path(argument)).map_err(|why| self.warn(why)).ok()
    }

    pub(super) fn copy(&self) -> Option<Effect> {
        self.session.as_ref().map(|session| Effect::Copy(self.explained(session)))
    }

    pub(super) fn open_editor(&self) -> Option<Effect> {
        self.session.as_ref().map(|session| self.opened_in_editor(session))
    }

    /// Returns the effect that writes a screenshot. The file extension selects the format: `svg` or
    /// `txt`. Other extensions are errors.
    fn picture(&self, path: String) -> Result<Effect, String> {
        let ending = ending(&path);
        let mut buffer = Buffer::empty(self.screen);
        self.draw(&mut buffer);
        let text = match ending.as_deref() {
            Some("svg") => shot::svg(&buffer),
            Some("txt") => shot::text(&buffer),
            _ => {
                return Err(
                    "a screenshot ends in .svg or .txt; :write FILE saves the map".to_owned()
                );
            }
        };
        Ok(Effect::NewFile(NewFile { path, text, map: None }))
    }

    /// Returns the effect that writes the current frame as a map file. The extension must be
    /// `toml`.
    fn still(&self, path: String) -> Result<Effect, String> {
        if ending(&path).as_deref() != Some("toml") {
            return Err("the file name must end in .toml".to_owned());
        }
        let session = self.session.as_ref().ok_or("no map is open")?;
        let text = frame_to_map::text(session.world())?;
        let map = Some(Arc::new(frame_to_map::files(session.scenario().sources())));
        Ok(Effect::NewFile(NewFile { path, text, map }))
    }

    /// Returns the current page of the inspector as text. The heading above it names the map, the
    /// frame, the seed, and the selected agent or tile.
    fn explained(&self, session: &Session) -> String {
        let scenario = session.scenario();
        let who = match session.subject() {
            Subject::Agent(id) => scenario.name(id).to_string(),
            Subject::Tile(tile) => format!("tile {tile}"),
            Subject::Nobody => String::new(),
        };
        let world = session.world();
        let head = format!(
            "{}, frame {} ({:.2} s), seed {}: {who}\n",
            session.label(),
            world.frame(),
            world.time(),
            scenario.seed()
        );
        head + &draw::inspector::text(session, self.reader.tab, &self.setup.theme)
    }

    /// Returns the effect that opens the text editor at the definition of the selected agent or
    /// tile. On the pattern page of the inspector, the editor opens at the agent's pattern.
    fn opened_in_editor(&self, session: &Session) -> Effect {
        let spot = match session.subject() {
            Subject::Agent(id) => {
                let (world, agent) =
                    (session.world(), session.scenario().starts()[id.index()].kind);
                let agent = agent as usize;
                match world.pattern_use(id).filter(|_| self.reader.tab == Tab::Pattern) {
                    Some(used) => {
                        let row = world.drive_state(id).row();
                        MapItem::Pattern { name: used.name.clone(), row, agent }
                    }
                    None => MapItem::Agent(agent),
                }
            }
            Subject::Tile(tile) => MapItem::Tile(tile),
            Subject::Nobody => MapItem::Top,
        };
        Effect::Edit { id: session.id().to_owned(), spot }
    }

    /// Shows the message of a completed effect, or its error. If a typed command caused the error,
    /// the command line reopens.
    pub fn report(&mut self, result: Result<String, String>) {
        match result {
            Ok(text) => {
                self.prompt.tried = None;
                self.note(text);
            }
            Err(why) => self.refuse(why),
        }
    }
}

fn path(argument: Option<Argument>) -> String {
    if let Some(Argument::File(path)) = argument { path } else { String::new() }
}

/// Returns the file extension of a path in lower case, without the dot. Returns `None` for a path
/// without a dot.
fn ending(path: &str) -> Option<String> {
    path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase())
}
