//! Terminal modes, and job control.

use std::io;
use std::os::fd::AsFd;

use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

/// Stops the process, like `kill -STOP`. Returns when the process continues.
///
/// SIGTSTP is not used: the system drops it if the process group is orphaned.
pub fn stop_process() -> io::Result<()> {
    signal_hook::low_level::raise(signal_hook::consts::SIGSTOP)
}

/// The modes of the terminal on standard input.
#[derive(Debug)]
pub struct TerminalModes(Termios);

impl TerminalModes {
    /// Reads the current modes of the terminal. Returns an error if standard input is not a
    /// terminal.
    pub fn read() -> io::Result<Self> {
        Ok(Self(tcgetattr(io::stdin())?))
    }

    /// Sets the terminal on standard input to these modes.
    pub fn restore(&self) -> io::Result<()> {
        Ok(tcsetattr(io::stdin(), OptionalActions::Now, &self.0)?)
    }
}

/// Returns the width of a terminal in columns. Returns `None` if the stream is not a terminal or
/// has no size.
pub fn columns(stream: &impl AsFd) -> Option<u16> {
    rustix::termios::tcgetwinsize(stream)
        .ok()
        .map(|size| size.ws_col)
        .filter(|columns| *columns > 0)
}
