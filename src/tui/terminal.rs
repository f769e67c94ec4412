//! The terminal as the screen takes it, and as it gives it back.
//!
//! One guard undoes everything that was turned on, exactly once: on return, on an error, on a
//! panic in any thread, and on the signals that end or stop a process (see [`super::signals`]).
//! The switch is shared by all of them, so it is the one global of the screen.

use std::io::{self, IsTerminal, Stdout, Write};
use std::panic;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::unix::{self, TerminalModes};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ratatui::buffer::Buffer;
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
use super::wire::Wire;

/// The most columns and rows that are drawn on: a terminal can claim 65535 of each, and would have
/// the screen ask for 200 GB.
const LARGEST: (u16, u16) = (1000, 400);

/// Shown during a long computation.
const BUSY: &str = " computing ";

/// What is turned on.
#[derive(Debug, Clone, Copy)]
enum Switch {
    Off,
    On {
        /// The mouse, too?
        mouse: bool,
        /// Was it taken again after a stop whose SIGCONT has not been heard of yet?
        back: bool,
    },
    /// Another program has it.
    Lent,
}

static SWITCH: Mutex<Switch> = Mutex::new(Switch::Off);

/// The switch; whoever holds it has the terminal to himself.
fn switch() -> MutexGuard<'static, Switch> {
    // A thread that panicked while it drew leaves nothing half done that turning off can't undo.
    SWITCH.lock().unwrap_or_else(PoisonError::into_inner)
}

fn turn_on(mouse: bool) -> io::Result<()> {
    let mut out = io::stdout();
    enable_raw_mode()?;
    queue!(out, EnterAlternateScreen, Hide, EnableBracketedPaste)?;
    if mouse {
        queue!(out, EnableMouseCapture)?;
    }
    out.flush()
}

/// Everything back, even if a part of it fails.
fn turn_off() {
    let mut out = io::stdout();
    let _ = queue!(out, EndSynchronizedUpdate, DisableMouseCapture, DisableBracketedPaste);
    let _ = queue!(out, ResetColor, LeaveAlternateScreen, Show);
    let _ = out.flush();
    let _ = disable_raw_mode();
}

/// Gives the terminal back, if it was taken.
pub fn restore() {
    let mut switch = switch();
    if matches!(*switch, Switch::On { .. }) {
        *switch = Switch::Off;
        turn_off();
    }
}

/// Gives the terminal back because the process is about to end. It waits no longer than half a
/// second for a drawing that is stuck in a terminal that takes nothing.
pub fn restore_at_last() {
    for _ in 0..50 {
        if let Ok(mut switch) = SWITCH.try_lock() {
            if matches!(*switch, Switch::On { .. }) {
                *switch = Switch::Off;
                turn_off();
            }
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    let _ = disable_raw_mode();
}

/// Takes the terminal again when the process goes on, if it had it before: stopped from outside, it
/// could not give it back. After [`suspend`] it has been taken already.
pub fn retake() -> io::Result<()> {
    let mut switch = switch();
    match &mut *switch {
        Switch::On { back: back @ true, .. } => *back = false,
        &mut Switch::On { mouse, .. } => {
            // The shell has set its own modes meanwhile: only off and on again makes them ours.
            disable_raw_mode()?;
            turn_on(mouse)?;
        }
        Switch::Off | Switch::Lent => {}
    }
    Ok(())
}

/// Stops the process as `ctrl-z` does elsewhere; returns when it goes on, the terminal taken again.
pub fn suspend() -> io::Result<()> {
    // With the switch in hand, so that no other thread draws on the shell's screen, nor takes the
    // terminal as well.
    let mut switch = switch();
    if matches!(*switch, Switch::On { .. }) {
        turn_off();
    }
    unix::stop_process()?;
    if let Switch::On { mouse, back } = &mut *switch {
        *back = true;
        turn_on(*mouse)?;
    }
    Ok(())
}

/// Lends the terminal to another program and takes it again, as it was, when that has ended.
pub fn lend<T>(borrower: impl FnOnce() -> T) -> io::Result<T> {
    let before = {
        let mut switch = switch();
        let before = *switch;
        if matches!(before, Switch::On { .. }) {
            turn_off();
            *switch = Switch::Lent;
        }
        before
    };
    let modes = TerminalModes::read()?;
    let result = borrower();
    let mut switch = switch();
    // A program that fell may have left anything.
    modes.restore()?;
    if let Switch::On { mouse, .. } = before {
        *switch = before;
        turn_on(mouse)?;
    }
    Ok(result)
}

/// Is the terminal with another program? Keys that interrupt are then meant for that.
pub fn is_lent() -> bool {
    matches!(*switch(), Switch::Lent)
}

/// Bytes that terminals take for a clipboard.
const CLIPBOARD: usize = 74_000;

/// Asks the terminal to put a text into the clipboard (OSC 52); says so, or why not.
pub fn copy(text: &str) -> Result<String, String> {
    let coded = BASE64_STANDARD.encode(text);
    if coded.len() > CLIPBOARD {
        return Err("the text is too long for the terminal's clipboard".to_owned());
    }
    let _switch = switch();
    let mut out = io::stdout();
    let sent = write!(out, "\x1b]52;c;{coded}\x07").and_then(|()| out.flush());
    sent.map_err(|error| format!("cannot write to the terminal: {error}"))?;
    let lines = crate::words::count(text.lines().count() as u64, "line");
    Ok(format!("sent {lines} to the clipboard (OSC 52)"))
}

/// Why the screen can't be shown.
#[derive(Debug, thiserror::Error)]
pub enum TerminalError {
    /// There is nobody to look at it.
    #[error("the screen needs a terminal; `tilewalk run` works without one")]
    NoTerminal,
    /// The terminal failed.
    #[error("terminal error: {0}")]
    Io(#[from] io::Error),
}

/// The terminal while it is ours.
#[derive(Debug)]
pub struct Screen {
    terminal: Terminal<Wire<Stdout>>,
    /// What was drawn last.
    drawn: Buffer,
}

impl Screen {
    /// Takes the terminal, and the mouse with it if that is wanted.
    ///
    /// # Errors
    /// When standard input or output is no terminal, or when it fails.
    pub fn take(mouse: bool) -> Result<Self, TerminalError> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Err(TerminalError::NoTerminal);
        }
        // Whether colours are shown is the theme's business; crossterm would cancel reverse, too.
        force_color_output(true);
        restore_on_panic();
        let mut switch = switch();
        *switch = Switch::On { mouse, back: false };
        let taken = turn_on(mouse).and_then(|()| {
            let backend = Wire::new(io::stdout());
            let viewport = Viewport::Fixed(area()?);
            Terminal::with_options(backend, TerminalOptions { viewport })
        });
        drop(switch);
        match taken {
            Ok(terminal) => Ok(Self { terminal, drawn: Buffer::default() }),
            Err(error) => {
                restore();
                Err(error.into())
            }
        }
    }

    /// Draws the whole screen; only what differs from before is sent.
    pub fn draw(&mut self, app: &App) -> io::Result<()> {
        let switch = switch();
        if !matches!(*switch, Switch::On { .. }) {
            return Ok(());
        }
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| {
            app.draw(frame.buffer_mut());
            self.drawn.clone_from(frame.buffer_mut());
        })?;
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)
    }

    /// Shows in the top right corner of the last drawing that a computation takes long.
    pub fn show_busy(&mut self) -> io::Result<()> {
        let switch = switch();
        if !matches!(*switch, Switch::On { .. }) {
            return Ok(());
        }
        self.terminal.draw(|frame| {
            if self.drawn.area != frame.area() {
                return;
            }
            frame.buffer_mut().clone_from(&self.drawn);
            let area = frame.area();
            let width = (BUSY.len() as u16).min(area.width);
            let reversed = Style::new().add_modifier(Modifier::REVERSED);
            frame.buffer_mut().set_stringn(area.right() - width, 0, BUSY, width.into(), reversed);
        })?;
        Ok(())
    }

    /// Everything will be drawn anew, on so large a screen.
    pub fn renew(&mut self, area: Rect) -> io::Result<()> {
        let _switch = switch();
        self.terminal.resize(area)
    }

    /// Takes the mouse, or leaves it to the terminal.
    pub fn set_mouse(on: bool) -> io::Result<()> {
        let mut switch = switch();
        if let Switch::On { mouse, .. } = &mut *switch {
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

/// The size of the terminal, as far as it is used.
pub fn area() -> io::Result<Rect> {
    let (width, height) = size()?;
    Ok(Rect::new(0, 0, width.min(LARGEST.0), height.min(LARGEST.1)))
}

/// Before a panic is reported, the terminal is given back; a panic outside the main thread ends
/// the process, as nobody would see it otherwise.
fn restore_on_panic() {
    use std::sync::Once;
    static HOOK: Once = Once::new();
    let main = thread::current().id();
    HOOK.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // A panic while drawing holds the switch in this very thread: take it only if free.
            match SWITCH.try_lock() {
                Ok(mut switch) => {
                    if matches!(*switch, Switch::On { .. }) {
                        *switch = Switch::Off;
                        turn_off();
                    }
                }
                Err(_) => turn_off(),
            }
            report(info);
            if thread::current().id() != main {
                std::process::exit(101);
            }
        }));
    });
}
