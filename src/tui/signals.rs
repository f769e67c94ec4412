//! Handles signals while the screen is open.
//!
//! The code runs on the signal thread, because the main thread may be busy. A terminating signal
//! restores the terminal and ends the process.

use std::process;

use crate::unix::Signal;

use super::mailbox::{LoopEvent, Post};
use super::terminal;

/// Number that is added to a signal number to form the exit code of a process that the signal ends.
const ENDED: i32 = 128;

/// Handles a signal. Exits the process on a terminating signal.
pub fn handle(signal: Signal, post: &Post) {
    match signal {
        // The signal is meant for the editor that is using the terminal.
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
