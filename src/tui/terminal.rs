//! Terminal modes: raw mode, alternate screen, mouse capture and bracketed paste.
//!
//! The modes are reset exactly once: on return, on an error, on a panic in any thread, and on
//! signals that end or stop the process (see [`super::signals`]). All code that sets or resets the
//! modes shares [`STATE`], the only global variable of the screen.

use std::io::{self, IsTerminal, Stdout, Write};
use std::panic;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

use crate::unix::{self, TerminalModes};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ratatui::backend::Backend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::style::{ResetColor, force_color_output};
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode, size,
};
use ratatui::crossterm::{execute, queue};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::{Terminal, TerminalOptions, Viewport};

use super::app::App;
use super::query;
use super::wire::TerminalBackend;

/// Maximum size of the drawn area, in columns and rows. A terminal can report 65535 of each, and
/// the buffers would need 200 GB.
const MAX_SIZE: (u16, u16) = (1000, 400);

/// Text in the corner of the screen during a long computation.
const BUSY: &str = " computing ";

/// Time that the signal thread needs to handle a signal.
const SIGNAL_TIME: Duration = Duration::from_millis(100);

/// Current use of the terminal.
#[derive(Debug, Clone, Copy)]
enum State {
    /// Tilewalk does not use the terminal, or has restored it.
    Off,
    /// Tilewalk uses the terminal, and the modes of the screen are set.
    On {
        mouse: bool,
        /// Whether [`suspend`] has set the modes again, but SIGCONT has not been handled yet.
        resumed: bool,
    },
    /// Another program uses the terminal.
    Lent,
}

static STATE: Mutex<State> = Mutex::new(State::Off);

/// Locks the state. The holder of the lock has exclusive use of the terminal.
fn lock_state() -> MutexGuard<'static, State> {
    // After a panic while drawing, the state is still valid: `turn_off` resets all modes.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets the modes of the screen. If `mouse` is true, also captures the mouse.
fn turn_on(mouse: bool) -> io::Result<()> {
    let mut out = io::stdout();
    enable_raw_mode()?;
    queue!(out, EnterAlternateScreen, Hide, EnableBracketedPaste)?;
    if mouse {
        queue!(out, EnableMouseCapture)?;
    }
    out.flush()
}

/// Resets all modes. Errors are ignored, so that one failure does not prevent further resets.
fn turn_off() {
    let mut out = io::stdout();
    let _ = queue!(out, EndSynchronizedUpdate, DisableMouseCapture, DisableBracketedPaste);
    let _ = queue!(out, ResetColor, LeaveAlternateScreen, Show);
    let _ = out.flush();
    let _ = disable_raw_mode();
}

/// Resets the terminal if the screen uses it.
pub fn restore() {
    let mut state = lock_state();
    if matches!(*state, State::On { .. }) {
        *state = State::Off;
        turn_off();
    }
}

/// Resets the terminal before the process exits. Returns false if the screen did not use the
/// terminal.
///
/// Waits at most 0.2 s for another thread that is blocked while drawing. If the terminal still
/// accepts no output, only raw mode is reset.
pub fn restore_before_exit() -> bool {
    restore_when_free().unwrap_or_else(|| {
        let _ = disable_raw_mode();
        true
    })
}

/// Resets the terminal when no thread draws. Returns true if the screen used the terminal.
///
/// Returns `None` and changes nothing if a thread still draws after 0.2 s.
fn restore_when_free() -> Option<bool> {
    let mut state = lock_when_free(&STATE)?;
    let used = matches!(*state, State::On { .. });
    if used {
        *state = State::Off;
        turn_off();
    }
    Some(used)
}

/// Locks a mutex. Returns `None` if the mutex stays locked for 0.2 s, for example by the calling
/// thread.
fn lock_when_free<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    for _ in 0..20 {
        match mutex.try_lock() {
            Ok(guard) => return Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(10)),
        }
    }
    None
}

/// Sets the modes again after SIGCONT, because another process can stop tilewalk with SIGSTOP. Does
/// nothing after [`suspend`], which sets the modes itself.
pub fn restore_modes() -> io::Result<()> {
    let mut state = lock_state();
    match &mut *state {
        State::On { resumed: resumed @ true, .. } => *resumed = false,
        &mut State::On { mouse, .. } => {
            // The shell has changed the modes. crossterm skips enabling raw mode if it is already
            // on.
            disable_raw_mode()?;
            turn_on(mouse)?;
        }
        State::Off | State::Lent => {}
    }
    Ok(())
}

/// Stops the process like `ctrl-z` in a shell. Returns after the process continues and the modes
/// are set again.
pub fn suspend() -> io::Result<()> {
    // Hold the lock while stopped, so that no other thread draws or sets the modes.
    let mut state = lock_state();
    if matches!(*state, State::On { .. }) {
        turn_off();
    }
    unix::stop_process()?;
    if let State::On { mouse, resumed } = &mut *state {
        *resumed = true;
        turn_on(*mouse)?;
    }
    Ok(())
}

/// Lends the terminal to another program: resets the modes, calls `run_program`, and sets the modes
/// again. `run_program` must wait until the program exits.
pub fn lend<T>(run_program: impl FnOnce() -> T) -> io::Result<T> {
    let before = {
        let mut state = lock_state();
        let before = *state;
        if matches!(before, State::On { .. }) {
            turn_off();
            *state = State::Lent;
        }
        before
    };
    let modes = TerminalModes::read()?;
    let result = run_program();
    // A ctrl-c that ends the program also sends SIGINT to tilewalk. The signal thread ignores the
    // signal only while the terminal is lent.
    thread::sleep(SIGNAL_TIME);
    let mut state = lock_state();
    // A crashed program may have left the terminal in any mode.
    modes.restore()?;
    if let State::On { mouse, .. } = before {
        *state = before;
        turn_on(mouse)?;
    }
    Ok(result)
}

/// Returns true while another program uses the terminal. SIGINT is then meant for that program.
pub fn is_lent() -> bool {
    matches!(*lock_state(), State::Lent)
}

/// Maximum length of an OSC 52 text in bytes, after base64 encoding.
const MAX_CLIPBOARD: usize = 74_000;

/// Sends a text to the clipboard of the terminal (OSC 52). Both the result and the error are
/// messages for the user.
///
/// The terminal does not confirm that it accepted the text.
pub fn copy(text: &str) -> Result<String, String> {
    let encoded = BASE64_STANDARD.encode(text);
    if encoded.len() > MAX_CLIPBOARD {
        return Err("the text is too long for the terminal's clipboard".to_owned());
    }
    let _state = lock_state();
    let mut out = io::stdout();
    let sent = write!(out, "\x1b]52;c;{encoded}\x07").and_then(|()| out.flush());
    sent.map_err(|error| format!("cannot write to the terminal: {error}"))?;
    let lines = crate::words::count(text.lines().count() as u64, "line");
    Ok(format!("sent {lines} to the clipboard (OSC 52)"))
}

/// Error that prevents the screen from being shown.
#[derive(Debug, thiserror::Error)]
pub enum TerminalError {
    /// Standard input or output is not a terminal.
    #[error("the screen needs a terminal; `tilewalk run` works without one")]
    NoTerminal,
    /// The terminal returned an error.
    #[error("terminal error: {0}")]
    Io(#[from] io::Error),
}

/// Checks that standard input and output are terminals, and returns an error if not.
pub fn require() -> Result<(), TerminalError> {
    let there = io::stdin().is_terminal() && io::stdout().is_terminal();
    if there { Ok(()) } else { Err(TerminalError::NoTerminal) }
}

/// The terminal, with the modes of the screen set. Dropping this value resets the modes.
#[derive(Debug)]
pub struct Screen {
    terminal: Terminal<TerminalBackend<Stdout>>,
    /// Cells of the last frame that the note [`BUSY`] covers, with their columns. All of them are
    /// in the first row.
    corner: Vec<(u16, Cell)>,
    /// Whether the note covers the cells of `corner`.
    busy: bool,
}

impl Screen {
    /// Sets the modes of the screen, installs the panic hook, and sends the questions of
    /// [`super::query`]. If `mouse` is true, also captures the mouse. If `ascii` is true, sends only
    /// ASCII characters.
    ///
    /// # Errors
    /// Returns an error if the terminal fails.
    pub fn take(mouse: bool, ascii: bool) -> io::Result<Self> {
        // The theme decides about colours. With NO_COLOR, crossterm would also drop reversed text.
        force_color_output(true);
        restore_on_panic();
        let mut state = lock_state();
        *state = State::On { mouse, resumed: false };
        let taken = turn_on(mouse).and_then(|()| {
            let mut out = io::stdout();
            out.write_all(query::questions(ascii).as_bytes())?;
            out.flush()?;
            let backend = TerminalBackend::new(io::stdout());
            let viewport = Viewport::Fixed(area()?);
            Terminal::with_options(backend, TerminalOptions { viewport })
        });
        drop(state);
        match taken {
            Ok(terminal) => Ok(Self { terminal, corner: Vec::new(), busy: false }),
            Err(error) => {
                restore();
                Err(error)
            }
        }
    }

    /// Draws a frame, and sends only the cells that changed. Does nothing while another program
    /// uses the terminal.
    pub fn draw(&mut self, app: &App) -> io::Result<()> {
        let state = lock_state();
        if !matches!(*state, State::On { .. }) {
            return Ok(());
        }
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        if core::mem::take(&mut self.busy) {
            let covered = self.corner.iter().map(|(column, cell)| (*column, 0, cell));
            self.terminal.backend_mut().draw(covered)?;
        }
        self.terminal.draw(|frame| {
            let buffer = frame.buffer_mut();
            app.draw(buffer);
            let columns =
                buffer.area.right().saturating_sub(BUSY.len() as u16)..buffer.area.right();
            self.corner.clear();
            let cell = |column| Some((column, buffer.cell((column, 0))?.clone()));
            self.corner.extend(columns.filter_map(cell));
        })?;
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)
    }

    /// Shows a note about a long computation in the top right corner of the last frame.
    pub fn show_busy(&mut self) -> io::Result<()> {
        let state = lock_state();
        if !matches!(*state, State::On { .. }) {
            return Ok(());
        }
        let reversed = Style::new().add_modifier(Modifier::REVERSED);
        let mut note = Buffer::empty(Rect::new(0, 0, self.corner.len() as u16, 1));
        note.set_stringn(0, 0, BUSY, self.corner.len(), reversed);
        let cells =
            self.corner.iter().zip(&note.content).map(|((column, _), cell)| (*column, 0, cell));
        self.terminal.backend_mut().draw(cells)?;
        self.busy = true;
        Backend::flush(self.terminal.backend_mut())
    }

    /// Sets the size of frames to `area`, and clears the terminal. The next frame is then sent
    /// completely. Does nothing while the screen does not use the terminal.
    pub fn renew(&mut self, area: Rect) -> io::Result<()> {
        let state = lock_state();
        if !matches!(*state, State::On { .. }) {
            return Ok(());
        }
        self.corner.clear();
        self.terminal.resize(area)
    }

    /// Captures the mouse, or releases the mouse for text selection in the terminal.
    pub fn set_mouse(on: bool) -> io::Result<()> {
        let mut state = lock_state();
        if let State::On { mouse, .. } = &mut *state {
            *mouse = on;
            if on {
                execute!(io::stdout(), EnableMouseCapture)?;
            } else {
                execute!(io::stdout(), DisableMouseCapture)?;
            }
        }
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Returns the area to draw on: the terminal, limited to [`MAX_SIZE`].
pub fn area() -> io::Result<Rect> {
    let (width, height) = size()?;
    Ok(Rect::new(0, 0, width.min(MAX_SIZE.0), height.min(MAX_SIZE.1)))
}

/// Installs a panic hook that resets the terminal before the panic message is printed.
///
/// A panic outside the main thread ends the process; otherwise it would go unnoticed.
fn restore_on_panic() {
    use std::sync::Once;
    static HOOK: Once = Once::new();
    let main = thread::current().id();
    HOOK.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // If another thread draws, that frame must end first, since its end hides the cursor
            // again. If this thread panicked while drawing, it holds the lock itself.
            if restore_when_free().is_none() {
                turn_off();
            }
            report(info);
            if thread::current().id() != main {
                std::process::exit(101);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locking_waits_for_another_thread_but_gives_up_on_its_own_lock() {
        let mutex = Mutex::new(());
        thread::scope(|scope| {
            let guard = mutex.lock().expect("no panic");
            assert!(lock_when_free(&mutex).is_none(), "locked by this thread");
            let other = scope.spawn(|| lock_when_free(&mutex).is_some());
            thread::sleep(Duration::from_millis(30));
            drop(guard);
            assert!(other.join().expect("no panic"), "unlocked after 30 ms");
        });
    }
}
