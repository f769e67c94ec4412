//! Runs commands: maps each action of the command table to a method of [`App`].

use crate::debugger::session::Session;
use crate::files::config::OnReload;
use crate::geom::Direction;
use crate::time::Frame;
use crate::tui::action::{Action, Invocation, command_rows};
use crate::tui::argument::Argument;
use crate::tui::library::Target;
use crate::tui::log::Log;
use crate::tui::overlays::Overlays;
use crate::tui::tab::Tab;
use crate::words;

use super::panels;
use super::view::PAN;
use super::{App, Effect, Mode};

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

macro_rules! dispatch {
    ($(
        ($($column:tt)*) $(.$set:ident($($value:tt)*))*
        => $action:ident $(|$app:pat_param, $argument:pat_param| $run:expr)?;
    )*) => {
        impl App {
            fn run(&mut self, action: Action, argument: Option<Argument>) -> Option<Effect> {
                match action {
                    $($(
                        Action::$action => {
                            let run = |$app: &mut Self, $argument: Option<&Argument>| $run;
                            run(self, argument.as_ref()).effect()
                        }
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
                | Action::Reload
                | Action::Palette
                | Action::Run
        );
        if !keeps_warning {
            self.leaving = None;
        }
        self.run(action, argument)
    }

    fn quit(&mut self) -> Option<Effect> {
        self.may_leave(Action::Quit).then_some(Effect::Quit)
    }

    /// Runs a command that changes the frame, after ending any seek or search.
    fn on_time(&mut self, act: impl FnOnce(&mut Self)) {
        self.leave_goal();
        act(self);
    }

    /// Stops a seek or search at the frame reached so far. Returns false if neither was in
    /// progress.
    fn stopped_seek(&mut self) -> bool {
        let ran = self.is_under_way();
        self.leave_goal();
        if ran {
            self.stop_on_the_way();
        }
        ran
    }

    fn play_pause(&mut self) {
        if !self.stopped_seek() {
            self.clock.set_playing(!self.clock.playing);
        }
    }

    fn pause(&mut self) {
        if !self.stopped_seek() {
            self.clock.set_playing(false);
        }
    }

    fn step_by(&mut self, argument: Option<&Argument>) {
        if let Some(&Argument::Count(count)) = argument {
            self.on_time(|app| app.step_on(count));
        } else {
            self.step(1);
        }
    }

    fn seek(&mut self, argument: Option<&Argument>) {
        if let Some(&Argument::Frame(frame)) = argument {
            self.go_to(frame);
        }
    }

    fn go_to_last(&mut self, argument: Option<&Argument>) {
        if let Some(Argument::Field { text, .. }) = argument {
            self.go_to_change(text);
        } else if let Some(session) = &self.session {
            self.go_to(session.history().run().end());
        }
    }

    fn set_speed(&mut self, argument: Option<&Argument>) {
        if let Some(&Argument::Speed(speed)) = argument {
            self.clock.speed = speed;
        }
    }

    fn restart(&mut self) {
        if let Some(session) = &mut self.session {
            session.restart();
        }
        self.reloads.forget_report();
        self.keep_in_view();
        let changed = self.session.as_ref().map_or(0, |session| session.unwritten().len());
        let values = match changed {
            0 => String::new(),
            count => format!(" with {}", words::count(count as u64, "changed value")),
        };
        self.note(format!("restarted at frame 0{values}"));
    }

    fn reload(&mut self) -> Option<Effect> {
        let session = self.session.as_ref()?;
        let (id, is_replay) = (session.id().to_owned(), session.is_replay());
        // Reloading a recording discards its changes.
        (!is_replay || self.may_leave(Action::Reload)).then_some(Effect::Reread(id))
    }

    fn next_heat_map(&mut self) {
        self.map_view.overlays.next_visits();
        self.report_heat_map();
    }

    fn reset_overlays(&mut self) {
        let Overlays { all, whose, .. } = self.map_view.overlays;
        self.map_view.overlays = Overlays::default();
        (self.map_view.overlays.all, self.map_view.overlays.whose) = (all, whose);
    }

    fn toggle_overlay(&mut self, argument: Option<&Argument>) {
        let Some(Argument::Overlay(name)) = argument else { return };
        match self.map_view.overlays.toggle_named(name) {
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

    fn select(&mut self, argument: Option<&Argument>) {
        if let (Some(&Argument::Agent(id)), Some(session)) = (argument, &mut self.session) {
            session.select(id);
            self.show_selected();
        }
    }

    /// Closes one list, page or mode, or clears a selection. Does not quit the program.
    fn close(&mut self) -> Option<Effect> {
        if self.prompt.palette.take().is_some() {
            return None;
        }
        self.component().close(self)
    }

    fn toggle_mouse(&mut self) -> Effect {
        self.setup.mouse = !self.setup.mouse;
        self.note(if self.setup.mouse {
            "mouse capture on: click to select, drag to pan, scroll to zoom"
        } else {
            "mouse capture off: the terminal selects text"
        });
        Effect::Mouse(self.setup.mouse)
    }

    /// Scrolls the open text page, or the inspector if no text page is open. Scrolls down by
    /// `lines`; negative numbers scroll up.
    pub(super) fn scroll_by(&mut self, lines: isize) {
        let last = self.longest_scroll();
        self.reader.scroll = self.reader.scroll.min(last).saturating_add_signed(lines).min(last);
    }
}
