//! How the screen reacts to signals.
//!
//! All of this runs on the signal thread, because the main thread may be busy. Signals that end a
//! process end it from here, after the terminal was restored.

use std::process;

use crate::unix::Signal;

use super::mailbox::{LoopEvent, Post};
use super::terminal;

/// Added to the number of a signal to get the exit code of a process that it ended.
const ENDED: i32 = 128;

/// Handles one signal.
pub fn handle(signal: Signal, post: &Post) {
    match signal {
        // The signal is meant for the editor that has the terminal.
        Signal::Interrupt(_) if terminal::is_lent() => {}
        Signal::End(number) | Signal::Interrupt(number) => {
            terminal::restore_before_exit();
            process::exit(ENDED + number)
        }
        Signal::Stop => {
            let _ = terminal::suspend();
            post.send(LoopEvent::Redraw);
        }
        Signal::Continued => {
            let _ = terminal::restore_modes();
            post.send(LoopEvent::Redraw);
        }
        Signal::Resized => post.send(LoopEvent::Redraw),
    }
}
