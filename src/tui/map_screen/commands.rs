//! Commands of the map screen: playback, overlays, selection, manual control, expectations, and text
//! for other programs.

use std::sync::Arc;

use crate::debugger::expectations::Judged;
use crate::debugger::session::Subject;
use crate::event::Obstruction;
use crate::files::read::file_location::MapItem;
use crate::files::write::frame_to_map;
use crate::geom::Direction;
use crate::judge::Outcome;
use crate::map::StepError;
use crate::tui::action::Action;
use crate::tui::argument::Argument;
use crate::tui::effect::Effect;
use crate::tui::host::NewFile;
use crate::tui::map_screen::popup::changes::PendingChanges;
use crate::tui::map_screen::popup::log::EventLog;
use crate::tui::map_screen::popup::search::AgentFinder;
use crate::tui::map_screen::popup::{ListPopup, ListSpec, Next, lists};
use crate::tui::overlays::Overlays;
use crate::tui::tab::Tab;
use crate::tui::ui::Ui;
use crate::tui::{draw, glyph};
use crate::words;
use crate::world::Flags;

use super::MapScreen;

impl MapScreen {
    /// Runs a command that changes the frame, after ending any seek or search.
    pub(in crate::tui) fn on_time(&mut self, ui: &mut Ui, act: impl FnOnce(&mut Self, &mut Ui)) {
        self.leave_goal();
        act(self, ui);
    }

    /// Stops a seek or search at the frame reached so far. Returns false if neither was in
    /// progress.
    pub(in crate::tui) fn stopped_seek(&mut self, ui: &mut Ui) -> bool {
        let ran = self.is_under_way();
        self.leave_goal();
        if ran {
            self.stop_on_the_way(ui);
        }
        ran
    }

    pub(in crate::tui) fn play_pause(&mut self, ui: &mut Ui) {
        if !self.stopped_seek(ui) {
            self.clock.set_playing(!self.clock.playing);
        }
    }

    pub(in crate::tui) fn pause(&mut self, ui: &mut Ui) {
        if !self.stopped_seek(ui) {
            self.clock.set_playing(false);
        }
    }

    pub(in crate::tui) fn step_by(&mut self, ui: &mut Ui, argument: Option<&Argument>) {
        if let Some(&Argument::Count(count)) = argument {
            self.on_time(ui, |map, ui| map.step_on(ui, count));
        } else {
            self.step(ui, 1);
        }
    }

    pub(in crate::tui) fn seek(&mut self, ui: &Ui, argument: Option<&Argument>) {
        if let Some(&Argument::Frame(frame)) = argument {
            self.go_to(ui, frame);
        }
    }

    pub(in crate::tui) fn go_to_last(&mut self, ui: &mut Ui, argument: Option<&Argument>) {
        if let Some(Argument::Field { text, .. }) = argument {
            self.go_to_change(ui, text);
        } else {
            let end = self.session.scenario().end();
            self.go_to(ui, end.unwrap_or_else(|| self.session.history().run().end()));
            // Playback continues at the end of a growing run.
            self.seek.follows = self.session.is_growing();
        }
    }

    /// Lets a mode drive an agent. The argument is the name of the agent and that of the mode.
    pub(in crate::tui) fn take_over_agent(&mut self, ui: &mut Ui, argument: Option<&Argument>) {
        let Some(Argument::Text(text)) = argument else { return };
        let message = match text.rsplit_once(' ') {
            None => Err("write the agent and the mode: `:take-over guard chase`".to_owned()),
            Some((agent, mode)) => {
                let taken = self.session.take_over_agent(agent.trim(), mode);
                taken.map(|()| format!("{mode} drives {} from here on", agent.trim()))
            }
        };
        self.clock.set_playing(false);
        self.keep_in_view(ui);
        self.note(ui, message.unwrap_or_else(|error| error));
    }

    pub(in crate::tui) fn set_speed(&mut self, argument: Option<&Argument>) {
        if let Some(&Argument::Speed(speed)) = argument {
            self.clock.speed = speed;
        }
    }

    pub(in crate::tui) fn restart(&mut self, ui: &mut Ui) {
        self.session.restart();
        self.reloads.forget_report();
        self.keep_in_view(ui);
        let changed = self.session.unwritten().len();
        let values = match changed {
            0 => String::new(),
            count => format!(" with {}", words::count(count as u64, "changed value")),
        };
        self.note(ui, format!("restarted at frame 0{values}"));
    }

    pub(in crate::tui) fn reload(&mut self, ui: &mut Ui) -> Option<Effect> {
        let (id, is_replay) = (self.session.id().to_owned(), self.session.is_replay());
        // Reloading a recording discards its changes.
        (!is_replay || self.may_leave(ui, Action::Reload)).then_some(Effect::Reread(id))
    }

    pub(in crate::tui) fn next_heat_map(&mut self, ui: &mut Ui) {
        self.overlays.next_visits();
        self.report_heat_map(ui);
    }

    pub(in crate::tui) fn reset_overlays(&mut self) {
        let Overlays { all, whose, .. } = self.overlays;
        self.overlays = Overlays::default();
        (self.overlays.all, self.overlays.whose) = (all, whose);
    }

    pub(in crate::tui) fn toggle_overlay(&mut self, ui: &mut Ui, argument: Option<&Argument>) {
        let Some(Argument::Overlay(name)) = argument else { return };
        match self.overlays.toggle_named(name) {
            Some(true) => self.note(ui, format!("overlay {name}: shown")),
            Some(false) => self.note(ui, format!("overlay {name}: hidden")),
            None => {}
        }
        self.count_visits();
    }

    pub(in crate::tui) fn toggle_sight(&mut self, ui: &mut Ui) {
        self.toggle_overlay(ui, Some(&Argument::Overlay("sight")));
    }

    /// Selects the agent or the tile that blocks the selected agent, directly. Shows a note if
    /// nothing blocks it.
    pub(in crate::tui) fn go_to_blocker(&mut self, ui: &mut Ui) {
        let (session, world) = (&self.session, self.session.world());
        let Some(id) = session.selected() else {
            let text = session.why_no_agent();
            return self.warn(ui, text);
        };
        let name = world.name(id).to_string();
        let is_blocked =
            [Flags::BLOCKED, Flags::DEADLOCKED].into_iter().any(|flag| world.flags(id).has(flag));
        let agent = |id| world.name(id);
        let what = match world.obstruction(id).filter(|_| is_blocked) {
            Some(Obstruction::Agent(other)) if world.is_present(other) => {
                let text = format!("{name} is blocked by {}", world.name(other));
                self.session.select(other);
                self.show_selected(ui);
                text
            }
            Some(Obstruction::Ground(
                StepError::Wall(at)
                | StepError::Obstacle(at)
                | StepError::FreeWall(at, _)
                | StepError::Corner(at),
            )) => {
                self.session.look_at(Some(at));
                let map = self.session.scenario().map();
                format!("{name} is blocked by {}", words::tile(map, at))
            }
            Some(reason) => {
                let reason = words::obstruction(reason, world.scenario().map(), agent);
                format!("{name} is blocked: {reason}")
            }
            None => format!("{name} is not blocked"),
        };
        self.note(ui, what);
    }

    pub(in crate::tui) fn select_next(&mut self, ui: &Ui, by: i32) {
        self.session.select_next(by);
        self.show_selected(ui);
    }

    pub(in crate::tui) fn select_agent(&mut self, ui: &Ui, argument: Option<&Argument>) {
        if let Some(&Argument::Agent(id)) = argument {
            self.session.select(id);
            self.show_selected(ui);
        }
    }

    pub(in crate::tui) fn find(&mut self, ui: &mut Ui) {
        if self.session.world().is_empty() {
            self.warn(ui, "no agent to find: this map has no agents");
        } else {
            self.open(AgentFinder::new(self.session.world()));
        }
    }

    pub(in crate::tui) fn open_log(&mut self, argument: Option<&Argument>) {
        let filter = if let Some(Argument::Text(text)) = argument { text } else { "" };
        self.open(EventLog::new(filter, &self.session));
    }

    /// Returns the effect that writes the listed changes, and closes the list.
    pub(in crate::tui) fn write_listed(&mut self) -> Option<Effect> {
        let effect = self.popup::<PendingChanges>().map(PendingChanges::write);
        self.close_popup();
        effect
    }

    /// Returns the index of the selected row. Returns `None` if another popup, or no popup, is
    /// open.
    pub(super) fn row_of(&self, spec: &ListSpec) -> Option<usize> {
        self.popup::<ListPopup>()?.row_of(spec)
    }

    /// Returns the effect that writes the current frame as a map file at `path`. The extension must
    /// be `toml`.
    pub(in crate::tui) fn still(&self, path: String) -> Result<Effect, String> {
        check_map_name(&path)?;
        let text = frame_to_map::text(self.session.world())?;
        let map = Some(Arc::new(frame_to_map::files(self.session.scenario().sources())));
        Ok(Effect::NewFile(NewFile { path, bytes: text.into_bytes(), map }))
    }

    /// Returns the effect that copies the current page of the inspector. The heading above it names
    /// the map, the frame, the seed, and the selected agent or tile.
    pub(in crate::tui) fn copy(&self, ui: &Ui) -> Effect {
        let (session, scenario) = (&self.session, self.session.scenario());
        let subject = match session.subject() {
            Subject::Agent(id) => scenario.name(id).to_string(),
            Subject::Tile(tile) => format!("tile {tile}"),
            Subject::None => String::new(),
        };
        let world = session.world();
        let head = format!(
            "{}, frame {} ({:.2} s), seed {}: {subject}\n",
            session.label(),
            world.frame(),
            world.time(),
            scenario.seed()
        );
        Effect::Copy(head + &draw::inspector::text(session, self.inspector.tab, &ui.setup.theme))
    }

    /// Returns the effect that opens the text editor at the definition of the selected agent or
    /// tile. On the pattern page of the inspector, the editor opens at the agent's pattern.
    pub(in crate::tui) fn open_editor(&self) -> Effect {
        let session = &self.session;
        let item = match session.subject() {
            Subject::Agent(id) => {
                let (world, agent) =
                    (session.world(), session.scenario().starts()[id.index()].kind);
                let agent = agent as usize;
                match world.pattern_use(id).filter(|_| self.inspector.tab == Tab::Pattern) {
                    Some(used) => {
                        let row = world.drive_state(id).row();
                        MapItem::Pattern { name: used.name.clone(), row, agent }
                    }
                    None => MapItem::Agent(agent),
                }
            }
            Subject::Tile(tile) => MapItem::Tile(tile),
            Subject::None => MapItem::Top,
        };
        Effect::Edit { id: session.id().to_owned(), spot: item }
    }
}

/// Checks that a path can be that of a new map.
///
/// # Errors
/// Returns a message if the extension is not `toml`: other files are opened as drawings.
pub(super) fn check_map_name(path: &str) -> Result<(), String> {
    match extension(path).as_deref() {
        Some("toml") => Ok(()),
        Some(_) | None => Err("the file name must end in .toml".to_owned()),
    }
}

/// Returns the extension of a path in lower case, without the dot. Returns `None` for a path
/// without a dot.
fn extension(path: &str) -> Option<String> {
    path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase())
}

impl MapScreen {
    /// Starts manual control of the selected agent. If that agent is already under manual control,
    /// ends manual control.
    pub(in crate::tui) fn take_hold(&mut self, ui: &mut Ui) {
        let session = &mut self.session;
        let Some(id) = session.selected() else {
            let text = format!("no agent to drive: {}", session.why_no_agent());
            self.warn(ui, text);
            return;
        };
        if session.driven() == Some(id) {
            self.let_go(ui);
        } else if session.world().flags(id).has(Flags::QUARANTINED) {
            let name = session.world().name(id).to_string();
            self.warn(ui, format!("cannot drive {name}: the NaN guard stopped this agent"));
        } else {
            session.look_at(None);
            session.drive(Some(id));
            // The driven agent must be visible.
            self.show_selected(ui);
        }
    }

    pub(in crate::tui) fn let_go(&mut self, ui: &mut Ui) {
        let session = &mut self.session;
        if let Some(id) = session.driven() {
            let name = session.world().name(id).to_string();
            session.drive(None);
            self.note(ui, format!("stopped driving {name}"));
        }
    }

    /// Pushes the agent under manual control in a direction. While playback is paused, also
    /// simulates the frames of that movement.
    pub(in crate::tui) fn push(&mut self, ui: &mut Ui, arrow: Direction) {
        let session = &mut self.session;
        session.push(arrow);
        if !self.clock.playing {
            session.run_push();
            self.late = false;
            self.report_hit(ui);
            self.keep_in_view(ui);
        }
    }
}

impl MapScreen {
    /// Opens the list of expectations. Selects the first violated expectation. If none is violated,
    /// selects the first expectation.
    pub(in crate::tui) fn list_expectations(&mut self) {
        let session = &self.session;
        let violated = |each: Judged| each.outcome() == Some(Outcome::Fail);
        let row = session.expectations().position(violated).unwrap_or(0);
        self.open(ListPopup::new(&lists::EXPECTATIONS, row));
    }

    /// Goes to the frame of a verdict, and selects the agent that the verdict is about. `row` is
    /// the index of the expectation. If the expectation is undecided, only shows a note.
    pub(in crate::tui) fn go_to_verdict(&mut self, ui: &mut Ui, row: usize) -> Next {
        let session = &self.session;
        // A reload can make the list shorter.
        let Some(judged) = session.expectations().take(row + 1).last() else { return Next::Stay };
        let name = glyph::clean(&judged.expectation.name);
        let Some(decision) = judged.decision.cloned() else {
            self.note(ui, format!("{name}: undecided; the run is judged as it is simulated"));
            return Next::Stay;
        };
        let frame = decision.frame();
        self.leave_goal();
        self.seek.select = decision.agent;
        self.go_to(ui, frame);
        self.note(ui, format!("{name}: {}", decision.why));
        Next::Close
    }
}
