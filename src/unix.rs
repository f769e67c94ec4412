//! System calls that exist only on Unix: signals, terminal modes, polling and file identities.
//!
//! No other module of the program uses `rustix`, `signal-hook` or `std::os::unix`.

mod signals;
mod stdin;

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;

use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

pub use signals::{Listener, Signal};
pub use stdin::{Read, StdinThread};

/// Returns the device and inode number of a file. Two paths to the same file have equal identities.
pub fn identity(metadata: &Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

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
    /// Reads the current terminal modes.
    pub fn read() -> io::Result<Self> {
        Ok(Self(tcgetattr(io::stdin())?))
    }

    /// Sets the terminal to these modes.
    pub fn restore(&self) -> io::Result<()> {
        Ok(tcsetattr(io::stdin(), OptionalActions::Now, &self.0)?)
    }
}
