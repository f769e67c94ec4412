//! Terminal modes, and job control.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::os::fd::AsFd;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::stdio::dup2_stdin;
use rustix::termios::{
    OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcsetattr, ttyname,
};

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

/// Silence after which a terminal has sent the whole of a paste, in milliseconds.
const PASTE_END: u64 = 150;

/// Makes standard input the terminal on standard output, after standard input was read for other
/// data. If standard input is a terminal, discards its unread input: the rest of a paste must not be
/// taken for keys.
///
/// # Errors
/// Returns an error if the terminal can't be opened.
pub fn read_keys_from_terminal() -> io::Result<()> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        loop {
            tcflush(&stdin, QueueSelector::IFlush)?;
            let silence = Timespec { tv_sec: 0, tv_nsec: (PASTE_END * 1_000_000) as _ };
            let arrived = poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&silence))?;
            if arrived == 0 {
                return Ok(());
            }
        }
    }
    Ok(dup2_stdin(open_terminal()?)?)
}

/// Opens the terminal of the process.
pub(super) fn open_terminal() -> io::Result<File> {
    // Not every system can poll /dev/tty.
    let named = ttyname(io::stdout(), Vec::new()).ok();
    let path = named.map_or_else(|| "/dev/tty".into(), |name| name.to_string_lossy().into_owned());
    File::options().read(true).write(true).open(path)
}

/// Returns the width of a terminal in columns. Returns `None` if the stream is not a terminal or
/// has no size.
pub fn columns(stream: &impl AsFd) -> Option<u16> {
    rustix::termios::tcgetwinsize(stream)
        .ok()
        .map(|size| size.ws_col)
        .filter(|columns| *columns > 0)
}
