//! What each action does.

use crate::tui::action::{Action, Context, Invocation, Part};
use crate::tui::argument::Argument;
use crate::tui::draw;
use crate::tui::layout::Panes;
use crate::tui::overlays::{self, Overlays};
use crate::tui::search::Search;
use crate::tui::session::Subject;

use super::{App, Base, Effect, Help, Mode};

impl App {
    /// Does it.
    pub fn act(&mut self, Invocation { action, argument }: Invocation) -> Option<Effect> {
        let asked = self.leaving.take();
        match action {
            Action::Quit | Action::ToGallery | Action::OpenMap => {
                self.leaving = asked;
                if !self.may_leave(action) {
                    return None;
                }
            }
            // Whoever types the way out is still asked only once.
            Action::Palette | Action::Run => self.leaving = asked,
            _ => {}
        }
        match action.part() {
            Part::Program => return self.act_on_program(action, argument),
            Part::Outside => return self.act_outside(action, argument),
            Part::Files => return self.act_on_files(action),
            Part::Overlays => self.act_on_overlays(action, argument.as_ref()),
            Part::Time => self.act_on_time(action, argument),
            Part::Runs => self.act_on_runs(action),
            Part::Breaks => return self.act_on_breaks(action, argument),
            Part::Driving => self.act_on_driving(action),
            Part::Values => return self.act_on_values(action, argument),
            Part::Inspector => self.act_on_inspector(action, argument),
            Part::Log => self.act_on_log(action, argument.as_ref()),
            Part::Markers => self.act_on_markers(action, argument),
            Part::View => self.act_on_view(action),
            Part::Painting => return self.act_on_paint(action, argument),
        }
        None
    }

    fn act_on_program(&mut self, action: Action, argument: Option<Argument>) -> Option<Effect> {
        match action {
            Action::Quit => return Some(Effect::Quit),
            Action::Suspend => return Some(Effect::Suspend),
            Action::Help => self.help(),
            Action::Close if self.context() == Context::FindMap => return self.list_all_maps(),
            Action::Messages => self.list_messages(),
            Action::Close => self.close(),
            Action::ToggleMouse => return Some(self.toggle_mouse()),
            Action::Theme => self.change_theme(argument.as_ref()),
            Action::TileMenu => self.open_menu_here(),
            Action::Pick => self.pick(),
            Action::Compare => return self.compare(argument),
            Action::Open => return self.open_chosen(),
            Action::OpenMap => return self.open_map(argument),
            Action::FindMap => self.gallery.look(),
            Action::About => self.about(),
            Action::ToGallery => return self.leave(),
            Action::Up => return self.move_by(-1),
            Action::Down => return self.move_by(1),
            Action::PageUp => return self.page(-1),
            Action::PageDown => return self.page(1),
            Action::Top => return self.go_to_end(false),
            Action::Bottom => return self.go_to_end(true),
            Action::Take => self.take(),
            Action::Find => self.find(),
            Action::Select => self.select(argument),
            Action::NextAgent => self.select_next(1),
            Action::PreviousAgent => self.select_next(-1),
            Action::Palette => self.open_palette(),
            Action::Run => return self.run_command(),
            Action::Complete => self.complete(),
            _ => {}
        }
        None
    }

    fn act_on_overlays(&mut self, action: Action, argument: Option<&Argument>) {
        match (action, &self.mode) {
            (Action::Overlays, _) => self.mode = Mode::Overlays(0),
            (Action::Visits, _) => {
                self.overlays.next_visits();
                self.tell_visits();
            }
            (Action::ToggleOverlay, _) => self.toggle_overlay(argument),
            (Action::AllAgents, _) => self.overlays.all = !self.overlays.all,
            (Action::ToggleLayer, &Mode::Overlays(marked)) => {
                if let Some(entry) = overlays::TABLE.get(marked) {
                    self.overlays.toggle(entry.layer);
                }
            }
            (Action::UsualLayers, _) => {
                let Overlays { all, whose, .. } = self.overlays;
                self.overlays = Overlays::default();
                (self.overlays.all, self.overlays.whose) = (all, whose);
            }
            _ => {}
        }
    }

    fn toggle_overlay(&mut self, argument: Option<&Argument>) {
        let Some(Argument::Overlay(name)) = argument else { return };
        match self.overlays.toggle_named(name) {
            Some(true) => self.note(format!("overlay {name}: shown")),
            Some(false) => self.note(format!("overlay {name}: hidden")),
            None => {}
        }
        self.count_visits();
    }

    fn select_next(&mut self, by: i32) {
        if let Some(session) = &mut self.session {
            session.select_next(by);
        }
        self.show_selected();
    }

    fn select(&mut self, argument: Option<Argument>) {
        if let (Some(Argument::Agent(id)), Some(session)) = (argument, &mut self.session) {
            session.select(id);
            self.show_selected();
        }
    }

    fn find(&mut self) {
        match &self.session {
            Some(session) if !session.world().is_empty() => {
                self.mode = Mode::Search(Search::new(session.scenario()));
            }
            _ => self.warn("no agent to find: this map has no agents"),
        }
    }

    fn take(&mut self) {
        let Mode::Search(search) = &self.mode else { return };
        let Some(id) = search.marked() else {
            self.warn("no matching agent");
            return;
        };
        self.mode = Mode::Watch;
        if let Some(session) = &mut self.session {
            session.select(id);
        }
        self.show_selected();
    }

    /// Closes one layer: what lies over a map, a zoomed pane, a clicked tile. It never quits.
    fn close(&mut self) {
        if self.palette.take().is_some() {
            return;
        }
        if let Mode::Tune(tuner) = &mut self.mode
            && tuner.leave()
        {
            return;
        }
        if self.clear_filter() {
            return;
        }
        match self.mode {
            Mode::Help(Help { ref mut below, .. }) => {
                self.scroll = 0;
                self.mode = core::mem::replace(&mut **below, Mode::Watch);
                self.clock.forget_due();
            }
            Mode::Errors(base, _) | Mode::About(base) | Mode::Messages(base) => {
                self.scroll = 0;
                self.mode = match base {
                    Base::Gallery => Mode::Gallery,
                    Base::Watch => Mode::Watch,
                };
                self.clock.forget_due();
            }
            Mode::Log(_) => self.close_log(),
            Mode::Search(_)
            | Mode::Overlays(_)
            | Mode::Runs(_)
            | Mode::Breaks(_)
            | Mode::Menu(_)
            | Mode::Markers(_)
            | Mode::Tune(_)
            | Mode::Problems(_) => {
                self.mode = Mode::Watch;
            }
            Mode::Saved => self.leave_saved(),
            Mode::Watch if self.is_under_way() => self.stop_on_the_way(),
            Mode::Watch if self.is_painting() => self.leave_paint(),
            Mode::Watch if self.panes != Panes::All => self.panes = Panes::All,
            Mode::Watch if matches!(self.subject(), Subject::Tile(_)) => {
                if let Some(session) = &mut self.session {
                    session.look_at(None);
                }
            }
            Mode::Watch if self.has_ghost() => {
                self.dismiss_ghost();
            }
            Mode::Watch if !self.gallery.all().is_empty() => {
                let key = self.keymap.named(Action::ToGallery, Context::Watch);
                self.note(format!("nothing to close; {key} opens the gallery"));
            }
            Mode::Watch | Mode::Gallery => {}
        }
    }

    fn toggle_mouse(&mut self) -> Effect {
        self.mouse = !self.mouse;
        self.note(if self.mouse {
            "mouse capture on: click to select, drag to pan, scroll to zoom"
        } else {
            "mouse capture off: the terminal selects text"
        });
        Effect::Mouse(self.mouse)
    }

    pub(super) fn move_by(&mut self, lines: isize) -> Option<Effect> {
        if self.choose_command(lines) {
            return None;
        }
        match &mut self.mode {
            Mode::Search(search) => search.mark(lines),
            Mode::Tune(tuner) => tuner.mark(lines),
            Mode::Log(log) => log.mark(lines),
            Mode::Overlays(_)
            | Mode::Runs(_)
            | Mode::Breaks(_)
            | Mode::Menu(_)
            | Mode::Problems(_) => return self.mark_round(lines),
            Mode::Gallery | Mode::Markers(_) => return self.mark_by(lines),
            Mode::Help(_)
            | Mode::Errors(..)
            | Mode::About(_)
            | Mode::Messages(_)
            | Mode::Watch
            | Mode::Saved => {
                self.scroll_by(lines);
            }
        }
        None
    }

    /// Scrolls what is read, no further than to its end.
    pub(super) fn scroll_by(&mut self, lines: isize) {
        let last = draw::longest_scroll(self);
        self.scroll = self.scroll.min(last).saturating_add_signed(lines).min(last);
    }
}
