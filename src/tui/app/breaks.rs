//! Breakpoints and watchpoints: adding, deleting, and seeking to hits.

use crate::condition::HIGH_COST;
use crate::debugger::session::{Session, Subject};
use crate::geom::TilePos;
use crate::history::breaks::{Break, Breaks, Trigger};
use crate::history::search::Progress;
use crate::id::AgentId;
use crate::tui::action::{Action, Context};
use crate::tui::argument::Argument;
use crate::tui::glyph;

use super::panels::BREAKS;
use super::{App, Goal, Mode};

/// Maximum number of frames simulated in search of the next breakpoint hit.
pub(super) const MOST_FRAMES: u64 = 1_000_000;

impl App {
    pub(super) fn add_break(&mut self, argument: Option<&Argument>) {
        if let Some(Argument::Condition(condition)) = argument {
            self.set_break(Trigger::Condition, condition.text());
        } else {
            self.propose_break();
        }
    }

    pub(super) fn add_watchpoint(&mut self, argument: Option<&Argument>) {
        if let Some(Argument::Field { text, .. }) = argument {
            self.set_break(Trigger::Change, text);
        }
    }

    pub(super) fn delete_break(&mut self, argument: Option<&Argument>) {
        let row = if let Some(&Argument::Count(number)) = argument {
            Some(number as usize - 1)
        } else {
            self.row_of(&BREAKS)
        };
        if let Some(row) = row {
            self.remove_break(row);
        }
    }

    pub(super) fn set_break(&mut self, trigger: Trigger, text: &str) {
        let Some(session) = &mut self.session else { return };
        match session.set_break(trigger, text) {
            Ok(place) => {
                let on = self.setup.keymap.named(Action::NextHit, Context::Watch);
                let back = self.setup.keymap.named(Action::PreviousHit, Context::Watch);
                let number = place + 1;
                match session.breaks().get(place).map_or(0, Break::cost) {
                    cost if cost > HIGH_COST => self.warn(format!(
                        "{} {number} is slow: up to {cost} comparisons per frame",
                        word(trigger)
                    )),
                    _ => self.note(format!(
                        "{} {number}: {text}; {on}: next hit, {back}: previous hit",
                        word(trigger)
                    )),
                }
            }
            Err(error) => self.warn(format!("column {}: {error}", error.span.start + 1)),
        }
    }

    /// Opens the command line with a suggested condition for the selected agent or tile.
    fn propose_break(&mut self) {
        let Some(session) = &self.session else { return };
        let proposed = match (session.subject(), session.selected()) {
            (Subject::Tile(tile), Some(id)) => comes_to(session, id, tile),
            (Subject::Agent(id), _) => changes(session, id),
            (Subject::Tile(_), None) | (Subject::Nobody, _) => String::new(),
        };
        self.open_palette_with(&format!("break {proposed}"));
    }

    pub(super) fn toggle_break(&mut self) {
        if let (Some(row), Some(session)) = (self.row_of(&BREAKS), &mut self.session) {
            session.toggle_break(row);
        }
    }

    fn remove_break(&mut self, place: usize) {
        let Some(session) = &mut self.session else { return };
        match session.remove_break(place) {
            Some(removed) => {
                self.clamp_selection();
                self.note(format!("{} deleted: {}", word(removed.trigger()), removed.text()));
            }
            None => self
                .warn(format!("no breakpoint {}; :breakpoints lists all breakpoints", place + 1)),
        }
    }

    /// Goes to the frame of the last hit of a breakpoint. `row` is the index of the breakpoint. If
    /// the breakpoint has no hits, shows a warning.
    pub(super) fn go_to_last_stop(&mut self, row: usize) {
        let Some(session) = &self.session else { return };
        match session.breaks().get(row).map(Break::last) {
            Some(Some(frame)) => {
                self.mode = Mode::Watch;
                self.leave_goal();
                self.go_to(frame);
            }
            Some(None) => self.warn("the selected breakpoint has no hits yet"),
            None => {}
        }
    }

    /// Returns true if at least one breakpoint is enabled. Otherwise shows a warning that explains
    /// how to add one.
    fn is_watching(&mut self) -> bool {
        let watching = self.session.as_ref().is_some_and(|it| it.breaks().any_enabled());
        if !watching {
            let key = self.setup.keymap.named(Action::Breakpoint, Context::Watch);
            self.warn(format!(
                "no active breakpoint; {key} or :break adds a breakpoint, :watch adds a watchpoint"
            ));
        }
        watching
    }

    pub(super) fn run_to_hit(&mut self) {
        if !self.is_watching() {
            return;
        }
        self.clock.set_playing(false);
        self.late = false;
        let Some(session) = &mut self.session else { return };
        session.give_up();
        let at_once = session.at_once();
        self.seek.goal = Some(Goal::NextHit(session.world().frame()));
        let key = self.setup.keymap.named(Action::Close, Context::Watch);
        self.show_progress(format!("running to the next breakpoint hit; {key} stops"));
        self.approach(at_once);
        self.keep_in_view();
    }

    pub(super) fn run_back_to_hit(&mut self) {
        if self.is_watching()
            && let Some(session) = &self.session
        {
            self.search_back(Goal::LastHit, session.breaks().clone());
        }
    }

    /// Seeks backwards to the frame at which a value last changed. `text` is a field, such as
    /// `guard.mode`.
    pub(super) fn go_to_change(&mut self, text: &str) {
        let Some(session) = &self.session else { return };
        match Break::read(Trigger::Change, text, session.scenario()) {
            Ok(change) => {
                let breaks = [change.clone()].into_iter().collect();
                self.search_back(Goal::LastChange(Box::new(change)), breaks);
            }
            Err(error) => self.warn(error.to_string()),
        }
    }

    fn search_back(&mut self, goal: Goal, breaks: Breaks) {
        self.clock.set_playing(false);
        self.late = false;
        let Some(session) = &mut self.session else { return };
        session.search_back(breaks);
        let at_once = session.at_once();
        self.seek.goal = Some(goal);
        self.continue_search(at_once);
        self.keep_in_view();
    }

    /// Continues a backward search until `in_time` returns false. When the search ends, goes to the
    /// frame that was found, or reports that none was found.
    pub(super) fn continue_search(&mut self, in_time: impl FnMut() -> bool) {
        let Some(session) = &mut self.session else { return };
        let now = session.world().frame();
        match session.continue_search(in_time) {
            Progress::Looking(frame) => {
                let key = self.setup.keymap.named(Action::Close, Context::Watch);
                self.show_progress(format!("searching backwards: frame {frame}; {key} stops"));
            }
            Progress::Found(frame) => {
                session.go_to(frame);
                if session.sought().is_none() {
                    self.arrived();
                }
            }
            Progress::Nothing => {
                if let Some(Goal::LastChange(change)) = self.seek.goal.take() {
                    self.note(format!("{} has not changed since frame 0", change.text()));
                } else {
                    self.note(format!("no breakpoint hit before frame {now}"));
                }
            }
        }
    }

    /// Reports the result of a backward search after the session has reached the frame. Does
    /// nothing if no search was in progress.
    pub(super) fn arrived(&mut self) {
        match self.seek.goal.take() {
            Some(Goal::LastHit) => {
                if let Some(session) = &mut self.session {
                    session.count_hits();
                }
                self.report_hit();
            }
            Some(Goal::LastChange(change)) => {
                let Some(session) = &self.session else { return };
                let frame = session.world().frame();
                self.note(format!("frame {frame}: {}", session.describe_break(&change)));
            }
            other => self.seek.goal = other,
        }
    }

    /// Reports the first breakpoint that hits at the current frame, and the number of other
    /// breakpoint hits. Returns false if there is no hit.
    pub(super) fn report_hit(&mut self) -> bool {
        let Some(session) = &self.session else { return false };
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
        self.note(format!(
            "{sign} frame {frame}: {word} {}: {}{more}",
            place + 1,
            session.describe_break(each)
        ));
        true
    }

    /// Goes to the next event of the selected agent if `later` is true, otherwise to the previous
    /// event. If the inspector shows no agent, events of all agents count.
    pub(super) fn go_to_event(&mut self, later: bool) {
        let Some(session) = &self.session else { return };
        if let Some(frame) = session.event_near(later) {
            self.go_to(frame);
            return;
        }
        let whose = match session.subject() {
            Subject::Agent(id) => format!(" of {}", session.world().name(id)),
            Subject::Tile(_) | Subject::Nobody => String::new(),
        };
        let (which, frame) = (if later { "later" } else { "earlier" }, session.world().frame());
        self.note(format!("no {which} event{whose}; still at frame {frame}"));
    }

    /// Shows the path of the file to which breakpoints and bookmarks were saved, or the error.
    pub fn saved_breaks(&mut self, saved: Result<String, String>) {
        match saved {
            Ok(path) => self.note(format!("breakpoints and bookmarks written to {path}")),
            Err(why) => self.warn(why),
        }
    }
}

fn word(trigger: Trigger) -> &'static str {
    match trigger {
        Trigger::Condition => "breakpoint",
        Trigger::Change => "watchpoint",
    }
}

/// Returns a breakpoint condition that holds while an agent is on a tile.
pub(super) fn comes_to(session: &Session, id: AgentId, tile: TilePos) -> String {
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
