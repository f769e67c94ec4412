//! Breakpoints, watchpoints and bookmarks: adding, deleting, and seeking to hits and bookmarks.

use crate::condition::HIGH_COST;
use crate::debugger::session::{Session, Subject};
use crate::geom::TilePos;
use crate::history::breaks::{Break, Breaks, Trigger};
use crate::history::search::Progress;
use crate::id::AgentId;
use crate::scenario::never::NeverTrue;
use crate::time::Frame;
use crate::tui::action::{Action, Context};
use crate::tui::argument::Argument;
use crate::tui::glyph;
use crate::tui::map_screen::popup::{ListPopup, Next, lists};
use crate::tui::ui::Ui;

use super::MapScreen;
use super::time::Goal;

impl MapScreen {
    pub(in crate::tui) fn add_break(&mut self, ui: &mut Ui, argument: Option<&Argument>) {
        if let Some(Argument::Condition(condition)) = argument {
            self.set_break(ui, Trigger::Condition, condition.text());
        } else {
            self.propose_break(ui);
        }
    }

    pub(in crate::tui) fn add_watchpoint(&mut self, ui: &mut Ui, argument: Option<&Argument>) {
        if let Some(Argument::Field { text, .. }) = argument {
            self.set_break(ui, Trigger::Change, text);
        }
    }

    pub(in crate::tui) fn delete_break(&mut self, ui: &mut Ui, argument: Option<&Argument>) {
        let row = if let Some(&Argument::Count(number)) = argument {
            Some(number as usize - 1)
        } else {
            self.row_of(&lists::BREAKS)
        };
        if let Some(row) = row {
            self.remove_break(ui, row);
        }
    }

    pub(in crate::tui) fn set_break(&mut self, ui: &mut Ui, trigger: Trigger, text: &str) {
        let session = &mut self.session;
        let never = Break::read(trigger, text, session.scenario()).ok();
        if let Some(never) = never.and_then(|each| session.never_hits(&each)) {
            self.warn(ui, never_text(text, &never));
            return;
        }
        match session.set_break(trigger, text) {
            Ok(place) => {
                let on = ui.setup.keymap.named(Action::NextHit, Context::Map);
                let back = ui.setup.keymap.named(Action::PreviousHit, Context::Map);
                let number = place + 1;
                match session.breaks().get(place).map_or(0, Break::cost) {
                    cost if cost > HIGH_COST => self.warn(
                        ui,
                        format!(
                            "{} {number} is slow: up to {cost} comparisons per frame",
                            word(trigger)
                        ),
                    ),
                    _ => self.note(
                        ui,
                        format!(
                            "{} {number}: {text}; {on}: next hit, {back}: previous hit",
                            word(trigger)
                        ),
                    ),
                }
            }
            Err(error) => self.warn(ui, format!("column {}: {error}", error.span.start + 1)),
        }
    }

    /// Opens the command line with a suggested condition for the selected agent or tile.
    fn propose_break(&mut self, ui: &mut Ui) {
        let session = &self.session;
        let proposed = match (session.subject(), session.selected()) {
            (Subject::Tile(tile), Some(id)) => comes_to(session, id, tile),
            (Subject::Agent(id), _) => changes(session, id),
            (Subject::Tile(_), None) | (Subject::None, _) => String::new(),
        };
        ui.propose_command("break ", &proposed);
    }

    pub(in crate::tui) fn toggle_break(&mut self) {
        if let Some(row) = self.row_of(&lists::BREAKS) {
            self.session.toggle_break(row);
        }
    }

    fn remove_break(&mut self, ui: &mut Ui, place: usize) {
        let session = &mut self.session;
        match session.remove_break(place) {
            Some(removed) => {
                self.note(ui, format!("{} deleted: {}", word(removed.trigger()), removed.text()));
            }
            None => self.warn(
                ui,
                format!("no breakpoint {}; :breakpoints lists all breakpoints", place + 1),
            ),
        }
    }

    /// Goes to the frame of the last hit of a breakpoint. `row` is the index of the breakpoint. If
    /// the breakpoint has no hits, shows a warning.
    pub(in crate::tui) fn go_to_last_stop(&mut self, ui: &mut Ui, row: usize) -> Next {
        let session = &self.session;
        match session.breaks().get(row).map(Break::last) {
            Some(Some(frame)) => {
                self.leave_goal();
                self.go_to(ui, frame);
                return Next::Close;
            }
            Some(None) => self.warn(ui, "the selected breakpoint has no hits yet"),
            None => {}
        }
        Next::Stay
    }

    /// Returns true if at least one breakpoint is enabled and valid. Otherwise shows a warning that
    /// explains how to add one, or the error in the first enabled breakpoint.
    fn has_active_break(&mut self, ui: &mut Ui) -> bool {
        let session = &self.session;
        let errors = session.breaks().iter().enumerate().filter(|(_, each)| each.enabled);
        let errors = errors.map(|(place, each)| {
            let error = session.break_error(each)?;
            Some(format!("{} {} is not valid: {error}", word(each.trigger()), place + 1))
        });
        // `None` if an enabled breakpoint has no error.
        let errors: Option<Vec<String>> = errors.collect();
        let Some(errors) = errors else { return true };
        let key = |action| ui.setup.keymap.named(action, Context::Map);
        let text = match errors.into_iter().next() {
            Some(first) => format!("{first}; {} lists the breakpoints", key(Action::Breakpoints)),
            None => format!(
                "no active breakpoint; {} or :break adds a breakpoint, :watch adds a watchpoint",
                key(Action::Breakpoint)
            ),
        };
        self.warn(ui, text);
        false
    }

    /// Returns true if an enabled breakpoint can have a hit. Otherwise shows the reason why the first
    /// of them never has one.
    fn can_hit(&mut self, ui: &mut Ui) -> bool {
        let session = &self.session;
        let mut enabled = session.breaks().iter().filter(|each| each.enabled);
        let Some((first, never)) =
            enabled.next().and_then(|first| Some((first, session.never_hits(first)?)))
        else {
            return true;
        };
        let can_hit = enabled.any(|each| session.never_hits(each).is_none());
        if !can_hit {
            let text = never_text(first.text(), &never);
            self.warn(ui, text);
        }
        can_hit
    }

    pub(in crate::tui) fn run_to_hit(&mut self, ui: &mut Ui) {
        if !self.has_active_break(ui) || !self.can_hit(ui) {
            return;
        }
        self.clock.set_playing(false);
        self.late = false;
        let session = &mut self.session;
        session.give_up();
        let at_once = session.at_once();
        self.seek.goal = Some(Goal::NextHit(session.world().frame()));
        let key = ui.setup.keymap.named(Action::Close, Context::Map);
        ui.show_progress(format!("running to the next breakpoint hit; {key} stops"));
        self.approach(ui, at_once);
        self.keep_in_view(ui);
    }

    pub(in crate::tui) fn run_back_to_hit(&mut self, ui: &mut Ui) {
        if self.has_active_break(ui) {
            self.search_back(ui, Goal::LastHit, self.session.breaks().clone());
        }
    }

    /// Seeks backwards to the frame at which a value last changed. `text` is a field, such as
    /// `guard.mode`.
    pub(in crate::tui) fn go_to_change(&mut self, ui: &mut Ui, text: &str) {
        let session = &self.session;
        match Break::read(Trigger::Change, text, session.scenario()) {
            Ok(change) => {
                let breaks = [change.clone()].into_iter().collect();
                self.search_back(ui, Goal::LastChange(Box::new(change)), breaks);
            }
            Err(error) => self.warn(ui, error.to_string()),
        }
    }

    fn search_back(&mut self, ui: &mut Ui, goal: Goal, breaks: Breaks) {
        self.clock.set_playing(false);
        self.late = false;
        let session = &mut self.session;
        session.search_back(breaks);
        let at_once = session.at_once();
        self.seek.goal = Some(goal);
        self.continue_search(ui, at_once);
        self.keep_in_view(ui);
    }

    /// Continues a backward search until `in_time` returns false. When the search ends, goes to the
    /// frame that was found, or reports that none was found.
    pub(in crate::tui) fn continue_search(&mut self, ui: &mut Ui, in_time: impl FnMut() -> bool) {
        let session = &mut self.session;
        let now = session.world().frame();
        match session.continue_search(in_time) {
            Progress::Looking(frame) => {
                let key = ui.setup.keymap.named(Action::Close, Context::Map);
                ui.show_progress(format!("searching backwards: frame {frame}; {key} stops"));
            }
            Progress::Found(frame) => {
                session.go_to(frame);
                if session.sought().is_none() {
                    self.arrived(ui);
                }
            }
            Progress::Nothing => {
                if let Some(Goal::LastChange(change)) = self.seek.goal.take() {
                    self.note(ui, format!("{} has not changed since frame 0", change.text()));
                } else {
                    self.note(ui, format!("no breakpoint hit before frame {now}"));
                }
            }
        }
    }

    /// Reports the result of a backward search after the session has reached the frame. Does
    /// nothing if no search was in progress.
    pub(in crate::tui) fn arrived(&mut self, ui: &mut Ui) {
        match self.seek.goal.take() {
            Some(Goal::LastHit) => {
                self.session.count_hits();
                self.report_hit(ui);
            }
            Some(Goal::LastChange(change)) => {
                let session = &self.session;
                let frame = session.world().frame();
                self.note(ui, format!("frame {frame}: {}", session.describe_break(&change)));
            }
            other => self.seek.goal = other,
        }
    }

    /// Reports the first breakpoint that hits at the current frame, and the number of other
    /// breakpoint hits. Returns false if there is no hit.
    pub(in crate::tui) fn report_hit(&mut self, ui: &mut Ui) -> bool {
        let session = &self.session;
        let hits = session.hits();
        let Some((&place, each)) =
            hits.first().and_then(|place| Some((place, session.breaks().get(*place)?)))
        else {
            return false;
        };
        let more = match hits.len() {
            1 => String::new(),
            many => format!(" (and {} more)", many - 1),
        };
        let (sign, frame) = (glyph::BREAK, session.world().frame());
        let word = word(each.trigger());
        let text = format!(
            "{sign} frame {frame}: {word} {}: {}{more}",
            place + 1,
            session.describe_break(each)
        );
        if let Some(id) = session.agent_of_break(each) {
            self.session.select(id);
            self.show_selected(ui);
        }
        self.note(ui, text);
        true
    }

    /// Goes to the next event of the selected agent if `later` is true, otherwise to the previous
    /// event. If the inspector shows no agent, events of all agents count. Simulates further frames
    /// if the run has no later event.
    pub(in crate::tui) fn go_to_event(&mut self, ui: &mut Ui, later: bool) {
        let session = &self.session;
        if let Some(event) = session.event_near(later) {
            self.seek.select = Some(session.name_of_event(&event));
            // With an open tile page, the events of all agents go on.
            self.seek.keeps_tile = true;
            self.go_to(ui, event.frame);
            return;
        }
        let end = session.history().run().end();
        let ends_here = session.scenario().end().is_some_and(|last| last <= end);
        if later && !ends_here && session.rest_of_recording().is_none() {
            return self.run_to_event(ui, end);
        }
        let whose = self.whose_events();
        let (which, frame) =
            (if later { "later" } else { "earlier" }, self.session.world().frame());
        self.note(ui, format!("no {which} event{whose}; still at frame {frame}"));
    }

    /// Returns the agent whose events count, such as ` of guard`. Empty if events of all agents
    /// count.
    pub(super) fn whose_events(&self) -> String {
        match self.session.subject() {
            Subject::Agent(id) => format!(" of {}", self.session.world().name(id)),
            Subject::Tile(_) | Subject::None => String::new(),
        }
    }

    /// Goes to the last simulated frame and simulates frames from there on, until the next event.
    fn run_to_event(&mut self, ui: &mut Ui, end: Frame) {
        self.clock.set_playing(false);
        self.late = false;
        self.session.give_up();
        let whose = self.whose_events();
        let key = ui.setup.keymap.named(Action::Close, Context::Map);
        ui.show_progress(format!("running to the next event{whose}; {key} stops"));
        self.seek.elapsed = core::time::Duration::ZERO;
        self.seek.goal = Some(Goal::NextEvent(self.session.world().frame()));
        let at_once = self.session.at_once();
        self.session.go_to(end);
        if self.session.sought().is_none() {
            self.approach(ui, at_once);
        }
        self.keep_in_view(ui);
    }
}

/// Returns the warning about a breakpoint that never has a hit, with a breakpoint to use instead.
fn never_text(text: &str, never: &NeverTrue) -> String {
    let NeverTrue { why, instead } = never;
    let instead = instead.as_ref().map_or_else(String::new, |it| format!("; try :break {it}"));
    format!("`{text}` can never be true: {why}{instead}")
}

fn word(trigger: Trigger) -> &'static str {
    match trigger {
        Trigger::Condition => "breakpoint",
        Trigger::Change => "watchpoint",
    }
}

/// Returns a breakpoint condition that holds while an agent is on a tile.
pub(in crate::tui) fn comes_to(session: &Session, id: AgentId, tile: TilePos) -> String {
    let TilePos { x, y } = tile;
    format!("in({}, [{x}, {y}, {x}, {y}])", session.world().name(id))
}

/// Returns a suggested breakpoint condition for an agent. It tests for a mode, for a blocked step,
/// or for a collision.
fn changes(session: &Session, id: AgentId) -> String {
    let (world, name) = (session.world(), session.world().name(id));
    let present = &world.mode(id).name;
    let other = world.kind(id).modes.iter().find(|mode| mode.name != *present);
    match other {
        Some(mode) => format!("{name}.mode == \"{}\"", mode.name),
        None if world.is_on_tiles(id) => format!("{name}.blocked"),
        None => format!("{name}.collided"),
    }
}

impl MapScreen {
    pub(in crate::tui) fn bookmark(&mut self, ui: &mut Ui, argument: Option<&Argument>) {
        if let Some(Argument::Text(name)) = argument {
            self.mark(ui, name);
        } else {
            self.toggle_bookmark(ui);
        }
    }

    pub(in crate::tui) fn delete_selected_bookmark(&mut self, ui: &mut Ui) {
        if let Some(row) = self.row_of(&lists::BOOKMARKS) {
            self.remove_bookmark(ui, row);
        }
    }

    fn mark(&mut self, ui: &mut Ui, name: &str) {
        let session = &mut self.session;
        let bookmark = session.mark(name);
        let key = |action| ui.setup.keymap.named(action, Context::Map);
        let (next, previous) = (key(Action::NextBookmark), key(Action::PreviousBookmark));
        self.note(
            ui,
            format!(
                "bookmark {} at frame {}; {next}: next bookmark, {previous}: previous bookmark",
                bookmark.name, bookmark.frame
            ),
        );
    }

    fn toggle_bookmark(&mut self, ui: &mut Ui) {
        let session = &self.session;
        let now = session.world().frame();
        let place = session.bookmarks().iter().position(|bookmark| bookmark.frame == now);
        match place {
            Some(place) => self.remove_bookmark(ui, place),
            None => self.mark(ui, ""),
        }
    }

    fn remove_bookmark(&mut self, ui: &mut Ui, place: usize) {
        let session = &mut self.session;
        let Some(removed) = session.unmark(place) else {
            self.warn(ui, "no such bookmark");
            return;
        };
        self.note(ui, format!("bookmark {} at frame {} deleted", removed.name, removed.frame));
    }

    /// Opens the list of bookmarks. Selects the last bookmark at or before the current frame.
    pub(in crate::tui) fn list_bookmarks(&mut self) {
        let session = &self.session;
        let now = session.world().frame();
        let until = session.bookmarks().iter().filter(|bookmark| bookmark.frame <= now).count();
        self.open(ListPopup::new(&lists::BOOKMARKS, until.saturating_sub(1)));
    }

    pub(in crate::tui) fn go_to_near_bookmark(&mut self, ui: &mut Ui, later: bool) {
        let session = &self.session;
        let now = session.world().frame();
        let near = session.bookmarks().near(now, later);
        if let Some((frame, name)) = near.map(|bookmark| (bookmark.frame, bookmark.name.clone())) {
            self.leave_goal();
            self.go_to_and_report(ui, frame);
            self.note(ui, format!("bookmark {name}"));
        } else {
            let which = if later { "later" } else { "earlier" };
            let key = ui.setup.keymap.named(Action::ToggleBookmark, Context::Map);
            let is_marked = session.bookmarks().iter().any(|bookmark| bookmark.frame == now);
            let does = if is_marked { "deletes the one at" } else { "bookmarks" };
            self.note(ui, format!("no {which} bookmark; {key} {does} frame {now}"));
        }
    }

    /// Goes to a bookmark. `row` is the index of the bookmark.
    pub(in crate::tui) fn go_to_bookmark(&mut self, ui: &mut Ui, row: usize) -> Next {
        let frame = self.session.bookmarks().get(row).map(|bookmark| bookmark.frame);
        let Some(frame) = frame else { return Next::Stay };
        self.leave_goal();
        self.go_to(ui, frame);
        Next::Close
    }
}
