//! The main loop of the screen: handles input, advances playback, draws, and performs effects.
//!
//! Only this module of the screen reads a clock. The result of an input is drawn within 16 ms; a
//! running simulation is drawn about 30 times per second. While the run is paused, the loop sleeps.
//!
//! Anything that may take long runs as a job of the [`Simulator`]. While a job runs, the loop still
//! receives input, and cancels the job if an input has to wait too long. Files are written on
//! another thread, and the loop goes on if that takes long. [`Interrupts`] ends the program if the
//! loop does not handle ctrl-c in time.

mod effects;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use crate::unix::StdinThread;

use super::app::{App, Effect};
use super::host::{Host, SessionRecorder};
use super::input::Input;
use super::interrupt::Interrupts;
use super::mailbox::{CTRL_C, LoopEvent, Mailbox, read_stdin};
use super::query::{self, Answer};
use super::simulator::Simulator;
use super::terminal::{self, Screen};
use crate::debugger::session::Session;
use effects::WriteEnd;

/// Minimum time between two drawings in response to input. More than 60 drawings per second would
/// be too much for a terminal over ssh.
const ANSWER_EVERY: Duration = Duration::from_millis(16);

/// Time between two simulation passes during playback.
const PLAY_EVERY: Duration = Duration::from_millis(33);

/// Minimum time between two drawings of a running simulation: less than [`PLAY_EVERY`], so that
/// each pass is drawn.
const SHOW_EVERY: Duration = Duration::from_millis(25);

/// Time between two updates of the recording.
const KEEP_EVERY: Duration = Duration::from_millis(250);

/// Maximum computation time of a simulation pass. If the machine is too slow, simulated time falls
/// behind real time.
const BATCH: Duration = Duration::from_millis(25);

/// Maximum computation time of a pass at maximum speed, where passes follow each other immediately.
/// Input is handled in between.
const SLICE: Duration = Duration::from_millis(8);

/// Initial time that a job may still take after an input, before the loop cancels the job.
///
/// The time doubles with each cancelled pass, up to [`LONGEST_GRACE`]. Otherwise, a held key would
/// stop the simulation.
const GRACE: Duration = Duration::from_millis(50);

/// Maximum time that a job may still take after an input.
const LONGEST_GRACE: Duration = Duration::from_millis(500);

/// Duration of a job after which the screen shows a note about the computation.
const BUSY: Duration = Duration::from_millis(150);

#[expect(clippy::disallowed_methods, reason = "a front end lets simulated time follow real time")]
fn now() -> Instant {
    Instant::now()
}

/// Runs the main loop until the user quits. Returns the simulator, which holds the app. The recorder
/// is `None` if the map is not recorded.
pub fn run(
    app: Box<App>,
    screen: &mut Screen,
    (host, recorder): (&Arc<dyn Host>, &mut Option<Box<dyn SessionRecorder>>),
    mailbox: &Mailbox,
    first: Option<Effect>,
) -> io::Result<Simulator> {
    let interrupts = Interrupts::default();
    let mut running = Running {
        simulator: Simulator::start(app, mailbox.post())?,
        screen,
        stdin: read_stdin(mailbox.post(), interrupts.clone())?,
        interrupts,
        mailbox,
        inputs: VecDeque::new(),
        // The size of the terminal may have changed since the size was first read.
        resized: true,
        messages: false,
        grace: Grace { time: GRACE, cancelled: false },
        host: Arc::clone(host),
        recorder,
        writing: None,
        followed: None,
        drawing: Drawing { last: None, due: Some(Duration::ZERO) },
        times: Times { checked: now(), kept: now(), asked: Some(now()) },
    };
    let mut end = match first {
        Some(effect) => running.perform(effect),
        None => Ok(()),
    };
    while end.is_ok() {
        end = running.turn();
    }
    running.await_answers();
    // Complete the recording however the loop ends, if the app is available.
    let kept = if running.simulator.is_idle() { running.keep() } else { Ok(()) };
    match (end, kept) {
        (Err(Stop::Failed(error)), _) | (_, Err(Stop::Failed(error))) => Err(error),
        (Err(Stop::Quit) | Ok(()), Err(Stop::Quit) | Ok(())) => Ok(running.simulator),
    }
}

/// Reason to end the main loop.
enum Stop {
    Quit,
    Failed(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// How long input waits for a job.
struct Grace {
    /// Time that a job may still take after an input.
    time: Duration,
    /// Whether the last job was cancelled.
    cancelled: bool,
}

/// When the screen is drawn.
struct Drawing {
    /// Time of the last drawing. `None` before the first one.
    last: Option<Instant>,
    /// Minimum time from the last drawing to the next one. `None` if there is nothing new to draw.
    due: Option<Duration>,
}

struct Running<'a> {
    simulator: Simulator,
    screen: &'a mut Screen,
    stdin: StdinThread,
    interrupts: Interrupts,
    mailbox: &'a Mailbox,
    /// Received inputs that have not been handled yet.
    inputs: VecDeque<Input>,
    /// Whether everything must be drawn again, at the current size of the terminal.
    resized: bool,
    /// Whether the file watcher has reported changed files.
    messages: bool,
    grace: Grace,
    host: Arc<dyn Host>,
    /// The recording of the open map; `None` if the map is not recorded.
    recorder: &'a mut Option<Box<dyn SessionRecorder>>,
    /// Receives the end of the write in progress. `None` if no file is being written.
    writing: Option<Receiver<WriteEnd>>,
    /// The id of the map whose files are watched. `None` if no map is watched.
    followed: Option<String>,
    drawing: Drawing,
    times: Times,
}

/// When things happened last.
struct Times {
    /// Time of the last simulation pass. While the run is paused, the time advances without a pass,
    /// so that the pause is not simulated.
    checked: Instant,
    /// Time at which the recording was last updated.
    kept: Instant,
    /// Time at which the terminal received questions. `None` after the last answer.
    asked: Option<Instant>,
}

impl Running<'_> {
    /// Runs one iteration of the main loop: handles events, then draws, simulates and records.
    fn turn(&mut self) -> Result<(), Stop> {
        self.receive()?;
        self.end_write()?;
        self.fetch_news()?;
        // Results of input are drawn before further frames are simulated, which may take a while.
        self.draw_if_due()?;
        self.pass()?;
        self.keep_if_due()
    }

    fn app(&self) -> &App {
        self.simulator.app()
    }

    /// Runs a job on the simulator thread, and receives input until the job ends.
    fn compute<R: Send + 'static>(
        &mut self,
        job: impl FnOnce(&mut App) -> R + Send + 'static,
    ) -> Result<R, Stop> {
        let begin = now();
        self.grace.cancelled = false;
        let result = self.simulator.run(job);
        // Inputs that arrived before the job wait, too.
        let mut waiting = (!self.inputs.is_empty() || self.resized).then_some(begin);
        let mut shown = false;
        while !self.simulator.is_idle() {
            let deadlines =
                [(!shown).then_some(begin + BUSY), waiting.map(|since| since + self.grace())];
            let next = deadlines.into_iter().flatten().filter(|&time| time > now()).min();
            if let Some(event) = self.mailbox.wait(next.map(|time| time - now()))
                && self.take(event)?
            {
                waiting = waiting.or(Some(now()));
            }
            if waiting.is_some_and(|since| since.elapsed() >= self.grace()) {
                self.simulator.cancel();
                self.grace.cancelled = true;
            }
            if !shown && begin.elapsed() >= BUSY {
                shown = true;
                self.screen.show_busy()?;
                self.answer();
            }
        }
        // The job sends its result before the simulator becomes idle.
        result.recv().map_err(|error| Stop::Failed(io::Error::other(error)))
    }

    /// Returns the time that a job may still take after an input. Returns zero if ctrl-c is
    /// waiting.
    fn grace(&self) -> Duration {
        if self.inputs.contains(&CTRL_C) { Duration::ZERO } else { self.grace.time }
    }

    /// Stores an event. Returns true if the user waits for a response to the event.
    fn take(&mut self, event: LoopEvent) -> Result<bool, Stop> {
        match event {
            LoopEvent::Input(Input::Answer(answer)) => {
                let is_late = self.times.asked.is_none_or(|at| at.elapsed() > query::ANSWER_TIME);
                if answer == Answer::Last {
                    self.times.asked = None;
                } else if !is_late {
                    self.inputs.push_back(Input::Answer(answer));
                }
                return Ok(false);
            }
            LoopEvent::Input(input) => self.inputs.push_back(input),
            LoopEvent::Redraw => self.resized = true,
            LoopEvent::Messages => {
                self.messages = true;
                return Ok(false);
            }
            LoopEvent::Computed | LoopEvent::Written => return Ok(false),
            LoopEvent::Closed => {
                return Err(Stop::Failed(io::ErrorKind::UnexpectedEof.into()));
            }
        }
        Ok(true)
    }

    /// Waits at most 0.2 s for the missing answers of the terminal, and drops them. Otherwise, the
    /// shell would receive them.
    fn await_answers(&mut self) {
        let end = now() + query::ANSWER_TIME;
        while self.times.asked.is_some_and(|at| at.elapsed() < query::EXIT_TIME) {
            let Some(left) = end.checked_duration_since(now()) else { return };
            let Some(event) = self.mailbox.wait(Some(left)) else { return };
            if self.take(event).is_err() {
                return;
            }
        }
    }

    fn draw_if_due(&mut self) -> io::Result<()> {
        if self.wait_to_draw().is_none_or(|wait| wait > Duration::ZERO) {
            return Ok(());
        }
        self.screen.draw(self.simulator.app())?;
        self.drawing.last = Some(now());
        self.drawing.due = None;
        Ok(())
    }

    /// Returns the time until the next drawing. Returns `None` if the screen is up to date.
    fn wait_to_draw(&self) -> Option<Duration> {
        let since = self.drawing.last.map_or(Duration::MAX, |last| last.elapsed());
        self.drawing.due.map(|due| due.saturating_sub(since))
    }

    /// Schedules a drawing soon, because the user waits for a response.
    fn answer(&mut self) {
        self.drawing.due = Some(ANSWER_EVERY);
    }

    /// Returns the time until the next drawing or pass. Returns `None` if neither is due.
    fn wait(&self) -> Option<Duration> {
        let draw = self.wait_to_draw();
        let frame = self.app().until_next().map(|next| self.until_pass(next));
        match (draw, frame) {
            (Some(draw), Some(frame)) => Some(draw.min(frame)),
            (draw, frame) => draw.or(frame),
        }
    }

    /// Waits for events and handles them.
    fn receive(&mut self) -> Result<(), Stop> {
        let wait = self.wait();
        // Messages about changed files wait for the end of a write.
        let messages = self.messages && self.writing.is_none();
        if self.inputs.is_empty() && !self.resized && !messages {
            let mut event = self.mailbox.wait(wait);
            while let Some(received) = event {
                self.take(received)?;
                event = self.mailbox.next();
            }
        }
        if core::mem::take(&mut self.resized) {
            self.renew()?;
        }
        while let Some(input) = self.inputs.pop_front() {
            self.handle(input)?;
        }
        if wait.is_none() {
            // The time spent paused is not simulated.
            self.times.checked = now();
        }
        Ok(())
    }

    fn handle(&mut self, input: Input) -> Result<(), Stop> {
        // The input may leave the map. Until then, every frame must be recorded.
        if self.recorder.is_some() {
            self.keep()?;
        }
        self.answer();
        let interrupts = input == CTRL_C;
        if let Some(effect) = self.compute(|app| app.update(input))? {
            self.perform(effect)?;
        }
        if interrupts {
            self.interrupts.handled();
        }
        Ok(())
    }

    /// Resumes after another program has used the terminal. The time in that program is not
    /// simulated.
    fn come_back(&mut self) -> Result<(), Stop> {
        self.renew()?;
        self.times.checked = now();
        Ok(())
    }

    /// Redraws everything at the current size of the terminal.
    fn renew(&mut self) -> Result<(), Stop> {
        let area = terminal::area()?;
        self.screen.renew(area)?;
        let resize = Input::Resize { width: area.width, height: area.height };
        self.compute(|app| app.update(resize))?;
        self.answer();
        Ok(())
    }

    /// Watches the files of the current map, and passes file changes on to the app.
    fn fetch_news(&mut self) -> Result<(), Stop> {
        let id = self.app().session().map(Session::id);
        if id != self.followed.as_deref() {
            self.followed = id.map(ToOwned::to_owned);
            self.host.watch(self.followed.as_deref());
        }
        // Until the write has ended, its file would look like one that another program has saved.
        if self.writing.is_some() {
            return Ok(());
        }
        self.messages = false;
        while let Some(message) = self.host.next_change() {
            self.compute(|app| app.receive(message))?;
            self.answer();
        }
        while let Some(warning) = self.host.next_warning() {
            self.compute(|app| app.warn(warning))?;
            self.answer();
        }
        Ok(())
    }

    /// Returns the time until the next simulation pass. `next` is the time from the last pass to
    /// the next frame. At maximum speed, `next` is zero and a pass is due at once.
    fn until_pass(&self, next: Duration) -> Duration {
        let pace = if next.is_zero() { Duration::ZERO } else { next.max(PLAY_EVERY) };
        pace.saturating_sub(self.times.checked.elapsed())
    }

    /// Advances the simulation by the real time since the last pass, if a pass is due.
    fn pass(&mut self) -> Result<(), Stop> {
        let Some(next) = self.app().until_next() else { return Ok(()) };
        if !self.until_pass(next).is_zero() {
            return Ok(());
        }
        let begin = now();
        let elapsed = begin - self.times.checked;
        self.times.checked = begin;
        let budget = if next.is_zero() { SLICE } else { BATCH };
        let cancel = self.simulator.cancellation().clone();
        let in_time = move || begin.elapsed() < budget && !cancel.is_requested();
        let changed = self.compute(move |app| app.pass(elapsed, in_time))?;
        let Grace { time, cancelled } = self.grace;
        self.grace.time = if cancelled { (time * 2).min(LONGEST_GRACE) } else { GRACE };
        if changed {
            self.drawing.due = self.drawing.due.or(Some(SHOW_EVERY));
        }
        Ok(())
    }
}
