//! The main loop of the screen: waits for input, lets time pass, draws, and performs effects.
//!
//! While the run is paused, the loop sleeps and draws nothing. This is the only module of the
//! screen that reads a clock. The result of a user's input is drawn within 16 ms; a running
//! simulation is drawn about 30 times per second. At maximum speed, frames are simulated in slices
//! of 8 ms, so that input is handled soon.

use std::io;
use std::time::{Duration, Instant};

use ratatui::crossterm::event;

use crate::files::show;
use crate::files::spot::Spot;

use super::app::{App, Effect};
use super::ear::Ear;
use super::editor::{self, Editor};
use super::input::Input;
use super::library::Library;
use super::session::Session;
use super::terminal::{self, Screen};

/// Between two drawings lies at least this, when a person waits for what was asked: 60 a second are
/// more than a terminal over ssh takes.
const ANSWER_EVERY: Duration = Duration::from_millis(16);

/// While time runs: about 30 passes a second.
const PLAY_EVERY: Duration = Duration::from_millis(33);

/// Between two drawings of what merely went on: as often as there are passes, as fast as the machine
/// can as well.
const SHOW_EVERY: Duration = Duration::from_millis(25);

/// How long what happened may stay unrecorded.
const KEEP_EVERY: Duration = Duration::from_millis(250);

/// How long frames may be made in a pass; what a slow machine can't make in it is given up.
const BATCH: Duration = Duration::from_millis(25);

/// The same as fast as the machine can, pass upon pass: short, as nobody is listened to meanwhile.
const SLICE: Duration = Duration::from_millis(8);

#[expect(clippy::disallowed_methods, reason = "a front end lets simulated time follow real time")]
fn now() -> Instant {
    Instant::now()
}

/// Runs until the person leaves.
pub fn run(
    app: &mut App,
    screen: &mut Screen,
    library: &mut Library,
    first: Option<Effect>,
) -> io::Result<()> {
    let mut running = Running {
        app,
        screen,
        ear: Ear::start()?,
        library,
        followed: None,
        drawn: None,
        due: Some(Duration::ZERO),
        checked: now(),
        kept: now(),
    };
    if let Some(effect) = first
        && running.perform(effect)?
    {
        return Ok(());
    }
    loop {
        if running.hear()? {
            running.keep();
            return Ok(());
        }
        running.listen();
        // What was heard is shown before more frames are made: they may take a while.
        running.draw_if_due()?;
        running.pass();
        running.keep_if_due();
    }
}

/// What the loop holds on to.
struct Running<'a, 'b> {
    app: &'a mut App,
    screen: &'a mut Screen,
    ear: Ear,
    library: &'a mut Library<'b>,
    /// The map whose files are watched.
    followed: Option<String>,
    /// When it was drawn last.
    drawn: Option<Instant>,
    /// How long after the last drawing what is new is drawn; `None` while nothing is.
    due: Option<Duration>,
    /// Until when time has passed.
    checked: Instant,
    /// When what happened was recorded last.
    kept: Instant,
}

impl Running<'_, '_> {
    fn draw_if_due(&mut self) -> io::Result<()> {
        if self.wait_to_draw().is_none_or(|wait| wait > Duration::ZERO) {
            return Ok(());
        }
        self.screen.draw(self.app)?;
        self.drawn = Some(now());
        self.due = None;
        Ok(())
    }

    /// How long until something is drawn; `None` while nothing is new.
    fn wait_to_draw(&self) -> Option<Duration> {
        let since = self.drawn.map_or(Duration::MAX, |drawn| drawn.elapsed());
        self.due.map(|due| due.saturating_sub(since))
    }

    /// What was asked for is there to be seen.
    fn answer(&mut self) {
        self.due = Some(ANSWER_EVERY);
    }

    /// How long nothing will happen by itself; `None` for ever.
    fn wait(&self) -> Option<Duration> {
        let draw = self.wait_to_draw();
        let frame = self.app.until_next().map(|next| self.until_pass(next));
        match (draw, frame) {
            (Some(draw), Some(frame)) => Some(draw.min(frame)),
            (draw, frame) => draw.or(frame),
        }
    }

    /// Waits for the person, and takes in all that was done meanwhile; is it the end?
    fn hear(&mut self) -> io::Result<bool> {
        let wait = self.wait();
        self.ear.wait(wait)?;
        if self.ear.is_resized() {
            self.renew()?;
        }
        while event::poll(Duration::ZERO)? {
            if let Some(input) = Input::of(event::read()?)
                && self.take_in(input)?
            {
                return Ok(true);
            }
        }
        if wait.is_none() {
            // Time that was slept through while nothing ran is not made up for.
            self.checked = now();
        }
        Ok(false)
    }

    fn take_in(&mut self, input: Input) -> io::Result<bool> {
        self.answer();
        match self.app.update(input) {
            Some(effect) => self.perform(effect),
            None => Ok(false),
        }
    }

    /// Does what the screen asks for; is it the end?
    fn perform(&mut self, effect: Effect) -> io::Result<bool> {
        self.answer();
        match effect {
            Effect::Quit => return Ok(true),
            Effect::Suspend => {
                terminal::suspend()?;
                self.come_back()?;
            }
            Effect::Open(id) => {
                let opened = (self.library.open)(&id, None);
                self.app.opened(opened);
                self.checked = now();
            }
            Effect::Reread(id) => match (self.library.reread)(&id) {
                Some(news) => self.app.reread(news),
                None => return self.perform(Effect::Open(id)),
            },
            Effect::Compare { id, seed } => {
                let opened = (self.library.open)(&id, seed);
                self.app.compared(opened, seed);
                self.checked = now();
            }
            Effect::Preview(id) => {
                let opened = (self.library.open)(&id, None);
                self.app.previewed(opened);
                self.checked = now();
            }
            Effect::Write(save) => {
                let saved = (self.library.write)(&save);
                self.app.saved(saved);
            }
            Effect::NewFile(file) => self.app.told((self.library.new_file)(&file)),
            Effect::NewPattern(pattern) => {
                let written = (self.library.new_pattern)(&pattern);
                self.app.drawn_pattern(written);
            }
            Effect::Copy(text) => self.app.told(terminal::copy(&text)),
            Effect::Edit { id, spot } => {
                let told = self.edit(&id, &spot)?;
                self.app.told(told);
            }
            Effect::Mouse(on) => Screen::set_mouse(on)?,
            Effect::SaveBreaks => {
                if let Some(session) = &self.app.session {
                    let saved = (self.library.save_breaks)(session);
                    self.app.saved_breaks(saved);
                }
            }
        }
        Ok(false)
    }

    /// The terminal is ours again, as large as it is now; time outside did not pass.
    fn come_back(&mut self) -> io::Result<()> {
        self.renew()?;
        self.checked = now();
        Ok(())
    }

    /// Draws all of it anew, at the size the window has now.
    fn renew(&mut self) -> io::Result<()> {
        let area = terminal::area()?;
        self.screen.renew(area)?;
        self.app.update(Input::Resize { width: area.width, height: area.height });
        self.answer();
        Ok(())
    }

    /// Opens the file of a map in the person's editor. One without a window has the terminal until
    /// it ends.
    fn edit(&mut self, id: &str, spot: &Spot) -> io::Result<Result<String, String>> {
        let found = (self.library.locate)(id, spot)
            .and_then(|found| Ok((found, Editor::of(|name| std::env::var(name).ok())?)));
        let (spotted, editor) = match found {
            Ok(found) => found,
            Err(why) => return Ok(Err(why)),
        };
        let (mut command, name) = (editor.command(&spotted), show::text(editor.name()));
        if editor.is_windowed() {
            return Ok(editor::detach(&mut command)
                .map(|()| format!("opened in {name}"))
                .map_err(|error| format!("cannot start {name}: {error}")));
        }
        let ended = terminal::lend(|| command.status())?;
        self.come_back()?;
        Ok(match ended {
            Ok(status) if status.success() => Ok(format!("{name} closed")),
            Ok(status) => Err(format!("{name} failed: {status}")),
            Err(error) => Err(format!("cannot start {name}: {error}")),
        })
    }

    /// Takes in what is new about the files of the map that is watched.
    fn listen(&mut self) {
        let id = self.app.session.as_ref().map(Session::id);
        if id != self.followed.as_deref() {
            self.followed = id.map(ToOwned::to_owned);
            (self.library.follow)(self.followed.as_deref());
        }
        while let Some(news) = (self.library.news)() {
            self.app.heard(news);
            self.answer();
        }
    }

    /// Records what happened, if it is time to or nothing will happen for a while.
    fn keep_if_due(&mut self) {
        if self.kept.elapsed() >= KEEP_EVERY || self.app.until_next().is_none() {
            self.keep();
        }
    }

    /// Records what happened. A recording that can't be written is given up, and the run goes on.
    fn keep(&mut self) {
        self.kept = now();
        let Some(keeper) = &mut self.library.keeper else { return };
        let session = self.app.session.as_ref().filter(|session| session.id() == keeper.id);
        let Some(Err(error)) = session.map(Session::history).map(&mut keeper.keep) else { return };
        self.library.keeper = None;
        self.app.recording_failed(&error);
        self.answer();
    }

    /// How long until frames are made again, the next being due so long after the last time; as
    /// fast as the machine can there is no rest.
    fn until_pass(&self, next: Duration) -> Duration {
        let pace = if next.is_zero() { Duration::ZERO } else { next.max(PLAY_EVERY) };
        pace.saturating_sub(self.checked.elapsed())
    }

    /// Lets as much time pass in the world as has passed outside, if it is time to.
    fn pass(&mut self) {
        let Some(next) = self.app.until_next() else { return };
        if !self.until_pass(next).is_zero() {
            return;
        }
        let begin = now();
        let elapsed = begin - self.checked;
        self.checked = begin;
        let budget = if next.is_zero() { SLICE } else { BATCH };
        if self.app.pass(elapsed, || begin.elapsed() < budget) {
            self.due = self.due.or(Some(SHOW_EVERY));
        }
    }
}
