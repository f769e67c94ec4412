//! Runs commands: maps each action of the command table to code, and handles the commands that
//! concern more than one component.

use std::path::Path;

use ratatui::buffer::Buffer;

use crate::debugger::session::Session;
use crate::files::config::OnReload;
use crate::files::settings;
use crate::files::show;
use crate::files::write::new_map::is_name;
use crate::geom::Direction;
use crate::render::Format;
use crate::render::film::{self, Shown};
use crate::time::Frame;
use crate::tui::action::{Action, Context, Invocation, command_rows};
use crate::tui::argument::Argument;
use crate::tui::component::Component;
use crate::tui::effect::Effect;
use crate::tui::host::{NewFile, NewMap, Target};
use crate::tui::map_screen::popup::log::EventLog;
use crate::tui::map_screen::popup::{ListPopup, lists};
use crate::tui::map_screen::{MapScreen, PAN};
use crate::tui::messages::Message;
use crate::tui::page::{Content, Page};
use crate::tui::settings::Decision;
use crate::tui::shot;
use crate::tui::tab::Tab;
use crate::tui::theme::Theme;
use crate::tui::ui::{PresetCommand, Ui};

use super::App;

trait Outcome {
    fn effect(self) -> Option<Effect>;
}

impl Outcome for () {
    fn effect(self) -> Option<Effect> {
        None
    }
}

impl Outcome for Effect {
    fn effect(self) -> Option<Effect> {
        Some(self)
    }
}

impl Outcome for Option<Effect> {
    fn effect(self) -> Option<Effect> {
        self
    }
}

/// Runs a row of the command table. Rows of `map` need an open map, rows of `top` go to the topmost
/// component, and rows of `app` concern the whole screen.
macro_rules! run_row {
    (map, $app:ident, $argument:ident, |$map:pat_param, $ui:pat_param, $given:pat_param| $run:expr) => {{
        let run = |$map: &mut MapScreen, $ui: &mut Ui, $given: Option<&Argument>| $run;
        let map = $app.map.as_mut()?;
        run(map, &mut $app.ui, $argument.as_ref()).effect()
    }};
    (top, $app:ident, $argument:ident, |$top:pat_param, $ui:pat_param| $run:expr) => {{
        let run = |$top: &mut dyn Component, $ui: &mut Ui| $run;
        let (top, ui) = $app.top_mut();
        run(top, ui).effect()
    }};
    (app, $app:ident, $argument:ident, |$whole:pat_param, $given:pat_param| $run:expr) => {{
        let run = |$whole: &mut App, $given: Option<&Argument>| $run;
        run($app, $argument.as_ref()).effect()
    }};
}

macro_rules! dispatch {
    ($(
        ($($column:tt)*) $(.$set:ident($($value:tt)*))*
        => $action:ident $($kind:ident |$($given:pat_param),*| $run:expr)?;
    )*) => {
        impl App {
            fn run(&mut self, action: Action, argument: Option<Argument>) -> Option<Effect> {
                match action {
                    $($(
                        Action::$action => run_row!($kind, self, argument, |$($given),*| $run),
                    )?)*
                }
            }
        }
    };
}

command_rows!(dispatch);

impl App {
    /// Runs a command from a key or from the command line. Returns an effect that the event loop
    /// must perform, or `None` if the command needs no effect.
    pub fn act(&mut self, Invocation { action, argument }: Invocation) -> Option<Effect> {
        // A warning about unsaved changes expires when an unrelated command runs.
        let keeps_warning = matches!(
            action,
            Action::Quit
                | Action::ToGallery
                | Action::OpenMap
                | Action::NewMap
                | Action::Reload
                | Action::CommandLine
                | Action::Run
        );
        if let Some(map) = self.map.as_mut().filter(|_| !keeps_warning) {
            map.forget_warning();
        }
        if let Err(why) = self.find_patterns(action, argument.as_ref()) {
            self.warn(why);
            return None;
        }
        let effect = self.run(action, argument);
        self.open_offered_command();
        effect
    }

    /// Opens the command line with the text that a command has left, if there is one.
    pub(super) fn open_offered_command(&mut self) {
        if let Some(PresetCommand { text, kept }) = self.ui.command.take() {
            self.with_prompt(|prompt, scene| prompt.open_with_proposal(&text, kept, scene));
        }
    }

    /// Reads the patterns that a command names and the map does not use yet, so that the command can
    /// use them. Returns an error if the command needs a pattern that does not exist.
    fn find_patterns(&mut self, action: Action, argument: Option<&Argument>) -> Result<(), String> {
        let (Some(map), Some(host)) = (&mut self.map, &self.prompt.host) else { return Ok(()) };
        for name in named_patterns(action, argument) {
            if map.session.has_pattern(&name) {
                continue;
            }
            match host.pattern(map.session.id(), &name) {
                Ok(file) => map.session.learn(&file),
                // The commands that draw patterns create them.
                Err(_) if matches!(action, Action::DrawPath | Action::DrawMatrix) => {}
                Err(why) => return Err(why),
            }
        }
        Ok(())
    }

    fn open_command_line(&mut self, text: &str) {
        self.with_prompt(|prompt, scene| prompt.open(text, scene));
    }

    fn complete(&mut self) {
        self.with_prompt(|prompt, scene| {
            if let Some(line) = &mut prompt.line {
                line.complete(scene);
            }
        });
    }

    /// Moves the selection down by `rows`; negative numbers move up. Wraps at the ends of the list.
    /// If no list is open, scrolls the text instead.
    fn move_by(&mut self, rows: isize) -> Option<Effect> {
        if self.with_prompt(|prompt, scene| prompt.move_by(rows, scene)) {
            return None;
        }
        let (top, ui) = self.top_mut();
        top.move_by(rows, true, ui)
    }

    /// Runs the typed command. If the command is invalid or fails, the command line stays open with
    /// the error.
    ///
    /// If a command with an argument causes a warning, the command line reopens with the command
    /// and the warning. The user can then correct the command. The report of an edit that was made is
    /// no such warning.
    pub(super) fn run_command(&mut self) -> Option<Effect> {
        let read = self.with_prompt(|prompt, scene| {
            let mut line = prompt.line.take()?;
            let read = line.read(scene);
            Some((line, read))
        });
        let (mut line, read) = read?;
        let invocation = match read {
            Err(_) => {
                self.prompt.line = Some(line);
                return None;
            }
            Ok(None) => return None,
            Ok(Some(invocation)) => invocation,
        };
        let has_argument = invocation.argument.is_some();
        let effect = self.act(invocation);
        let is_done = self.map.as_ref().is_some_and(|map| map.shows_report(&self.ui));
        if effect.is_none()
            && has_argument
            && !is_done
            && let Some(Message::Warning(why)) = &self.ui.answers.message
        {
            if self.map.as_ref().is_some_and(|map| map.warns_of_changes()) {
                line.warn(why.clone());
            } else {
                line.refuse(why.clone());
            }
            self.ui.answers.message = None;
            self.prompt.line = Some(line);
            return None;
        }
        self.prompt.remember(line.line().text());
        self.prompt.tried = effect.is_some().then_some(line);
        effect
    }

    /// Shows that an effect failed, with the reason `why`. If a typed command caused the effect,
    /// the command line reopens with that command.
    pub(super) fn refuse(&mut self, why: String) {
        self.warn(why.clone());
        if let Some(mut line) = self.prompt.tried.take() {
            line.refuse(why);
            self.ui.answers.message = None;
            self.prompt.line = Some(line);
        }
    }

    /// Returns true if `action` may close the map. If there are unsaved changes, the first call
    /// shows a warning and returns false.
    fn may_leave(&mut self, action: Action) -> bool {
        self.map.as_mut().is_none_or(|map| map.may_leave(&mut self.ui, action))
    }

    fn quit(&mut self) -> Option<Effect> {
        // A typed command has no key of its own.
        let (keymap, context) = (&self.ui.setup.keymap, self.context());
        let key = self.pressed.filter(|&key| keymap.bound(key, context) == Some(Action::Quit));
        let named = || keymap.named(Action::Quit, Context::Map);
        let how = format!("{} again", key.map_or_else(named, |key| key.to_string()));
        let (map, ui) = (&mut self.map, &mut self.ui);
        let may_leave = map.as_mut().is_none_or(|map| map.may_leave_by(ui, Action::Quit, &how));
        may_leave.then_some(Effect::Quit)
    }

    /// Opens the map in `argument`. Without an argument, opens the command line with `open` typed
    /// in it. If there are unsaved changes, the first call only shows a warning.
    fn open_map(&mut self, argument: Option<&Argument>) -> Option<Effect> {
        if !self.may_leave(Action::OpenMap) {
            return None;
        }
        if let Some(Argument::Map(id)) = argument {
            return Some(Effect::Open(id.clone()));
        }
        self.ui.open_command_line_with("open ");
        None
    }

    /// Returns the effect that creates the map in `argument`: a name, and optionally the width and
    /// the height. If there are unsaved changes, the first call only shows a warning.
    fn new_map(&mut self, argument: Option<&Argument>) -> Option<Effect> {
        let Some(Argument::Text(text)) = argument else {
            self.ui.open_command_line_with("new ");
            return None;
        };
        let map = match new_map(text) {
            Ok(map) => map,
            Err(why) => {
                self.warn(why);
                return None;
            }
        };
        self.may_leave(Action::NewMap).then_some(Effect::NewMap(map))
    }

    /// Opens the recording in a pasted text. If there are unsaved changes, the first paste only shows
    /// a warning.
    pub(super) fn open_pasted(&mut self, text: &str) -> Option<Effect> {
        let ui = &mut self.ui;
        let how = "pasting again";
        let may_leave =
            self.map.as_mut().is_none_or(|map| map.may_leave_by(ui, Action::OpenMap, how));
        self.prompt.line = None;
        may_leave.then(|| Effect::OpenPasted(text.to_owned()))
    }

    fn leave_map(&mut self) -> Option<Effect> {
        if self.gallery.maps.all().is_empty() {
            self.warn("the gallery has no maps");
            return None;
        }
        if !self.may_leave(Action::ToGallery) {
            return None;
        }
        if let Some(lost) = self.unwritten() {
            self.warn(lost);
        }
        if let Some(host) = &self.prompt.host {
            self.gallery.maps.renew(host.maps());
        }
        if let Some(map) = self.close_map_screen() {
            self.gallery.put_away(&map.session);
        }
        self.gallery.wanted_preview()
    }

    /// Closes one list, page or mode, or clears a selection. Does not quit the program.
    fn close(&mut self) -> Option<Effect> {
        if self.prompt.line.take().is_some() {
            return None;
        }
        if let Some(page) = &mut self.page {
            if !page.clear_search() {
                self.close_page();
            }
            return None;
        }
        let (top, ui) = self.top_mut();
        top.close(ui)
    }

    fn help(&mut self) {
        let page = Page::help(self.top().context());
        self.show_page(page);
    }

    /// Opens a text page in place of a list over the map.
    pub(super) fn open_page(&mut self, content: Content) {
        if let Some(map) = &mut self.map {
            map.close_popup();
        }
        self.show_page(Page::new(content));
    }

    fn show_page(&mut self, page: Page) {
        if let Some(map) = &mut self.map {
            map.inspector.scroll = 0;
        }
        self.page = Some(page);
    }

    /// Closes the text page. The time that the page was open is not simulated.
    fn close_page(&mut self) {
        self.page = None;
        if let Some(map) = &mut self.map {
            map.inspector.scroll = 0;
            map.clock.discard_remainder();
        }
    }

    /// Opens the description of the open map, or of the selected map in the gallery. If the map has
    /// no description, shows a warning.
    fn about(&mut self) {
        let entry = match self.session() {
            Some(session) => {
                let title = session.scenario().title().to_owned();
                Some(crate::tui::GalleryEntry { title, ..session.entry() })
            }
            None => self.gallery.maps.entry().cloned(),
        };
        match entry.filter(|entry| !entry.comment.trim().is_empty()) {
            Some(entry) => self.open_page(Content::About(entry)),
            None => self.warn("no description (add a comment at the top of the file)"),
        }
    }

    fn messages(&mut self) {
        let here = self.session().map(|session| session.label().to_owned());
        self.open_page(Content::Messages(here));
    }

    fn change_theme(&mut self, argument: Option<&Argument>) {
        let Some(&Argument::Theme(name)) = argument else { return };
        let setup = &mut self.ui.setup;
        setup.theme = match &mut setup.looks {
            Some(looks) => {
                looks.theme = Decision::chosen(name, "set by the command `theme`");
                looks.made()
            }
            None => Theme::of(name, setup.theme.depth()),
        };
        self.note(format!("theme {name} for this session; set `theme` in config.toml to keep it"));
    }

    fn toggle_mouse(&mut self) -> Effect {
        self.ui.setup.mouse = !self.ui.setup.mouse;
        self.note(if self.ui.setup.mouse {
            "mouse capture on: click to select, drag to pan, scroll to zoom"
        } else {
            "mouse capture off: the terminal selects text"
        });
        Effect::Mouse(self.ui.setup.mouse)
    }

    fn save_picture(&mut self, argument: Option<&Argument>) -> Option<Effect> {
        self.picture(path(argument)).map_err(|why| self.warn(why)).ok()
    }

    /// Returns the effect that writes a screenshot. The file extension selects the format: `svg` or
    /// `txt`. Other extensions are errors.
    fn picture(&self, path: String) -> Result<Effect, String> {
        let mut buffer = Buffer::empty(self.ui.screen);
        self.draw(&mut buffer);
        let format = Format::of(Path::new(&path)).filter(|format| !format.is_film());
        let Some(format) = format else {
            let message = "use .svg, .png, .pdf or .txt; :write FILE saves the map";
            return Err(message.to_owned());
        };
        let shown = Shown::Cells(shot::cells(&buffer));
        let bytes = film::still(format, shown, "tilewalk").map_err(|error| error.to_string())?;
        Ok(Effect::NewFile(NewFile { path, bytes, map: None }))
    }

    fn save_still(&mut self, argument: Option<&Argument>) -> Option<Effect> {
        let still = self.map.as_ref()?.still(path(argument));
        still.map_err(|why| self.warn(why)).ok()
    }
}

/// Width and height of a new map, in tiles.
const NEW_SIZE: (usize, usize) = (32, 16);

/// Largest width and height of a new map, in tiles.
const LARGEST: usize = 512;

/// Parses the name of a new map, and its size such as `40x20` behind it.
fn new_map(text: &str) -> Result<NewMap, String> {
    let (name, size) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let name = name.strip_suffix(".toml").unwrap_or(name);
    if !is_name(name) {
        return Err(format!(
            "`{}` is not a name: up to 64 letters, digits, `_` and `-`",
            show::text(name)
        ));
    }
    let size = match size.trim() {
        "" => Some(NEW_SIZE),
        size => size.split_once(['x', '×', ' ', ',']).and_then(|(width, height)| {
            let number = |text: &str| text.trim().parse().ok();
            let size: (usize, usize) = (number(width)?, number(height)?);
            let is_valid = |tiles: usize| (3..=LARGEST).contains(&tiles);
            (is_valid(size.0) && is_valid(size.1)).then_some(size)
        }),
    };
    let size = size.ok_or_else(|| format!("write a size from 3x3 to {LARGEST}x{LARGEST}"))?;
    Ok(NewMap { name: name.to_owned(), size })
}

/// Returns the names of the patterns that a command needs.
fn named_patterns(action: Action, argument: Option<&Argument>) -> Vec<String> {
    let is_for_text = matches!(action, Action::Attach | Action::DrawPath | Action::DrawMatrix);
    if let (true, Some(Argument::Text(text))) = (is_for_text, argument) {
        return text.split_whitespace().take(1).map(str::to_owned).collect();
    }
    if let Some(Argument::Setting(setting)) = argument
        && setting.path().table.is_some()
        && setting.path().key == "pattern"
    {
        return settings::strings(setting);
    }
    Vec::new()
}

fn path(argument: Option<&Argument>) -> String {
    if let Some(Argument::File(path)) = argument { path.clone() } else { String::new() }
}
