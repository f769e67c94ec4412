//! System calls that exist only on Unix: signals, terminal modes, polling and file identities.
//!
//! No other module of the program uses `rustix`, `signal-hook` or `std::os::unix`.

mod file;
#[cfg(feature = "tui")]
mod signals;
#[cfg(feature = "tui")]
mod stdin;
#[cfg(feature = "tui")]
mod terminal;

pub use file::{identity, lock_holder, report_file_size_limit};
#[cfg(feature = "tui")]
pub use signals::{Listener, Signal};
#[cfg(feature = "tui")]
pub use stdin::{Read, StdinThread, replace_by_terminal};
#[cfg(feature = "tui")]
pub use terminal::{TerminalModes, columns, read_keys_from_terminal, stop_process};
